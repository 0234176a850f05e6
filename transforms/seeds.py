"""The seeds that open a reverse sweep, and dtypes of numbers that come from outside or go there; part of `derive`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from srcad.lang.ir import Accum, Call, Const, Expr, Return, Stmt, Var
from srcad.lang.origin import Origin
from srcad.lang.types import FLOAT, NONE, Array, Scalar, Type, is_complex, is_float
from srcad.options import SEED
from srcad.transforms.context import Context
from srcad.transforms.cotangents import shape_check
from srcad.transforms.packing import given


def seed_type(seed: Type) -> Type:
    return FLOAT if seed == NONE else seed


def opening(ctx: Context, value: Expr, seed: Type, last: Return) -> tuple[list[Stmt], list[Stmt]]:
    """The statements that open the reverse sweep, and the checks of the seeds' shapes."""
    origin = replace(last.origin, adjoint=True)
    variable = Var(SEED, seed_type(seed))
    stmts: list[Stmt] = []
    checks: list[Stmt] = []
    for out, expr, kind in given(value, variable, seed):
        if isinstance(out, Var) and out.name in ctx.activity and is_float(out.type):
            _check(out, kind, whole=expr is variable)
            if isinstance(kind, Array):
                checks.append(shape_check(expr, out, "grad_ys must have the shape of the result", origin))
            stmts.append(_accum(ctx, out, _value_of(ctx, out, expr, kind), origin))
    return stmts, checks


def _accum(ctx: Context, out: Var, value: Expr, origin: Origin) -> Stmt:
    return Accum(ctx.bar(out.name), value, origin)


def _value_of(ctx: Context, out: Var, expr: Expr, kind: Type) -> Expr:
    """What opens the reverse sweep of a result; a plain number stands for an array full of it."""
    if kind == NONE:
        return Call(np.ones_like, (out,), (), out.type) if isinstance(out.type, Array) else Const(1.0, FLOAT)
    if isinstance(kind, Array) and isinstance(out.type, Array):
        expr = replace(expr, type=replace(kind, shape=out.type.shape))  # type: ignore[arg-type, call-arg]
    if isinstance(out.type, (Array, Scalar)) and is_complex(out.type) and kind == FLOAT:
        whole = Scalar(out.type.dtype)  # so that all that is made of it is complex
        return complex_number(of_dtype(expr, whole), whole)
    return outward(of_dtype(expr, out.type) if _beside_small(ctx) else expr)


def _beside_small(ctx: Context) -> bool:
    """Whether there are arrays of truth values or small integers: of these NumPy makes, with a number of Python's such
    as a seed, an array in double precision, and with one of single precision none."""
    return any(isinstance(kind, Array) and kind.dtype in _SMALL for kind in ctx.types.values())


_SMALL = frozenset(("bool", "int8", "uint8", "int16", "uint16"))


def _check(out: Var, kind: Type, whole: bool) -> None:
    rank = out.type.ndim if isinstance(out.type, Array) else 0
    given = kind.ndim if isinstance(kind, Array) else 0
    if kind != NONE and not isinstance(kind, (Array, Scalar)):
        raise ValueError("grad_ys: a seed is a number or an array, or None for ones")
    if is_complex(kind) and not is_complex(out.type):
        raise TypeError("grad_ys is complex, and the result is real; pass a real seed")
    if kind != NONE and rank != given and not (whole and kind == FLOAT):
        raise ValueError(f"grad_ys has {given} dimensions, the result has {rank}; a seed has the shape of its result")


def outward(bar: Expr) -> Expr:
    """A gradient or a seed as the caller has it: of a complex number, the conjugate of the cotangent in here.

    The caller's gradient points uphill, d/dx + 1j * d/dy, as in TensorFlow and PyTorch; the cotangents in here multiply
    tangents, as in `srcad.rules.complexes`.
    """
    return Call(np.conj, (bar,), (), getattr(bar, "type", NONE)) if is_complex(getattr(bar, "type", NONE)) else bar


def of_dtype(value: Expr, kind: Type) -> Expr:
    """A scalar result of the dtype that NumPy gives it; Numba computes some of them in double precision."""
    if isinstance(kind, Scalar) and kind.dtype in ("float32", "float16", "complex64") and not is_none(value):
        dtype = np.dtype(kind.dtype).type
        return Call(dtype, (value,), (), kind)
    return value


def complex_number(value: Expr, kind: Type) -> Expr:
    """A gradient or tangent that is a complex number also where all that it is made of is real."""
    if isinstance(kind, Scalar) and kind.dtype == "complex128" and not is_none(value):
        return Call(complex, (value,), (), kind)
    return value


def is_none(value: Expr) -> bool:
    return isinstance(value, Const) and value.value is None
