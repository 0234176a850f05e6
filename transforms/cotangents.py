"""Adding into cotangents, with what broadcasting repeated summed up again; part of `adjoint`."""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import basic_index
from srcad.lang.arrays import shape_tuple
from srcad.lang.ir import Accum, Call, Const, Effect, Expr, If, Stmt, Var, raise_
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, NONE, Array, Static, Type, is_complex
from srcad.runtime import sum_to
from srcad.transforms.context import Context
from srcad.transforms.few import is_zero
from srcad.transforms.infer import typed


def accumulate(
    ctx: Context, operand: Expr, value: Expr, origin: Origin, source: Expr | None = None
) -> list[Stmt]:
    """``operand_bar += value``, for a name or for an element or slice of an array; nothing of nought."""
    if is_zero(value, set()):  # as the weights of stencils may be
        return []
    if isinstance(operand, Call):
        base, index = operand.args
        if not isinstance(base, Var) or base.name not in ctx.activity:
            return []
        if not basic_index(index):
            return [Accum(place(ctx, operand), typed(value), origin)]
        return [Accum(place(ctx, operand), fit(ctx, typed(value), operand.type, operand, source), origin)]
    assert isinstance(operand, Var)
    target = ctx.bar(operand.name)
    return [Accum(target, fit(ctx, typed(value), target.type, operand, source), origin)]


def contribute(ctx: Context, operand: Expr, value: Expr, origin: Origin) -> list[Stmt]:
    """As `accumulate`, for an operand that may be a constant or a tuple."""
    return accumulate(ctx, operand, value, origin) if isinstance(operand, Var) and operand.name in ctx.activity else []


def place(ctx: Context, target: Expr) -> Expr:
    if isinstance(target, Call):
        base, index = target.args
        assert isinstance(base, Var)
        return replace(target, args=(ctx.bar(base.name), index))
    assert isinstance(target, Var)
    return ctx.bar(target.name)


def shape_check(a: Expr, b: Expr, message: str, origin: Origin) -> Stmt:
    """An error where two arrays have different shapes."""
    shapes = tuple(shape_tuple(e) for e in (a, b))
    error = Call(raise_, tuple(Const(v, Static(v)) for v in (ValueError, message)), (), NONE)
    return If(Call(operator.ne, shapes, (), BOOL), (Effect(error, origin),), (), replace(origin, adjoint=False))


def fit(ctx: Context, value: Expr, target: Type, like: Expr, source: Expr | None = None) -> Expr:
    """`value` summed over what broadcasting repeated, so that it can be added into something of the target's shape.

    A real target receives the real part.

    `source` is the primal expression whose reverse this is: that it was computed says which lengths agree.
    """
    assert isinstance(value, (Var, Const, Call))
    if is_complex(value.type) and not is_complex(target):
        value = typed(Call(np.real, (value,)))
        assert isinstance(value, Call)
    kind = value.type
    if not isinstance(kind, Array):
        return value
    if not isinstance(target, Array):
        return typed(Call(np.sum, (value,)))
    if ctx.dimensions.same_shape(kind, target, source):
        return replace(value, type=replace(kind, shape=target.shape))
    pairs = zip(reversed(kind.shape), reversed(target.shape))
    if kind.ndim <= target.ndim and all(a == 1 or ctx.dimensions.same(a, b) for a, b in pairs):
        return value
    return Call(sum_to, (value, like), (), replace(target, layout="A"))

