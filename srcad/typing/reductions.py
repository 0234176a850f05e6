"""Reductions and scans, with any axes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from srcad.lang import shapes
from srcad.lang.ir import Expr, and_, or_
from srcad.lang.promote import ufunc_dtypes
from srcad.lang.types import Array, Dim, Scalar, Static, TupleType, Type
from srcad.typing.elementwise import extreme
from srcad.typing.table import (
    Facts, Refusal, axes_argument, axis_argument, call, constant, describe, dtype_argument, items, kind, made, returns,
    shape_of,
)  # fmt: skip

PYTHONS_COUNT = type(np.count_nonzero(())) is int  # before NumPy 2.4, which returns its own


def reduced(facts: Facts, x: Expr, axis: Expr | None, keepdims: Expr | None, dtype: str) -> Type:
    """`x` with axes taken away."""
    shape = shape_of(kind(x))
    axes = axes_argument(facts, axis, len(shape))
    keep = keepdims is not None and facts.static(keepdims, "keepdims")
    dims: tuple[Dim, ...] = tuple(1 if k in axes else d for k, d in enumerate(shape) if keep or k not in axes)
    layout = kind(x).layout if isinstance(kind(x), Array) else "C"
    return made(dtype, dims, "C" if len(dims) == 1 or layout == "C" else "A")


def summed(dtype: str) -> str:
    """The dtype in which numbers are added up."""
    return "int64" if dtype in ("bool", "int8", "int16", "int32") else "uint64" if dtype.startswith("uint") else dtype


def averaged(type: Any) -> str:
    """The dtype of a mean."""
    return type.dtype if type.dtype.startswith(("float", "complex")) else "float64"


def _unused(**options: Expr | None) -> None:
    """Refuse arguments that change the meaning."""
    for name, value in options.items():
        if value is not None and value.type != Static(None):
            raise Refusal(f"the argument {name}=", f"the call without {name}=, and its effect written out")


@returns(np.nansum, np.nanprod)
def total(facts: Facts, a: Expr, axis: Expr | None = None, dtype: Expr | None = None, out: Expr | None = None,
          keepdims: Expr | None = None, initial: Expr | None = None, where: Expr | None = None) -> Type:  # fmt: skip
    """Sums and products."""
    _unused(out=out, initial=initial, where=where)
    return reduced(facts, a, axis, keepdims, dtype_argument(facts, dtype, summed(kind(a).dtype)))


def _enter_total(fn: Any, op: Any) -> None:
    def rule(facts: Facts, a: Expr, *args: Expr, **kwargs: Expr) -> Type | Expr:
        if isinstance(a.type, TupleType) and a.type.items and not (args or kwargs):
            return chained(facts, op, items(facts, a))
        return total(facts, a, *args, **kwargs)

    returns(fn)(rule)


_enter_total(np.sum, operator.add)
_enter_total(np.prod, operator.mul)


def chained(facts: Facts, op: Any, parts: tuple[Expr, ...]) -> Expr:
    """Numbers joined by an operator, from the left."""
    if not all(isinstance(part.type, Scalar) for part in parts):
        raise Refusal("np.sum or np.prod of a tuple of arrays", "np.sum(np.stack(...), axis=0), or the sum written out")
    result = parts[0]
    for part in parts[1:]:
        result = call(facts, op, result, part)
    return result


@returns(np.mean, np.nanmean)
def mean(facts: Facts, a: Expr, axis: Expr | None = None, dtype: Expr | None = None, out: Expr | None = None,
         keepdims: Expr | None = None, *, where: Expr | None = None) -> Type:  # fmt: skip
    """Means."""
    _unused(out=out, where=where)
    return reduced(facts, a, axis, keepdims, dtype_argument(facts, dtype, averaged(kind(a))))


@returns(np.var, np.std, np.nanvar, np.nanstd)
def spread(facts: Facts, a: Expr, axis: Expr | None = None, dtype: Expr | None = None, out: Expr | None = None,
           ddof: Expr | None = None, keepdims: Expr | None = None, *, where: Expr | None = None,
           mean: Expr | None = None, correction: Expr | None = None) -> Type:  # fmt: skip
    """Variances are real."""
    _unused(out=out, where=where, mean=mean, correction=correction)
    result = np.zeros(0, averaged(kind(a))).real.dtype.name
    return reduced(facts, a, axis, keepdims, dtype_argument(facts, dtype, result))


@returns(np.max, np.min, np.amax, np.amin, np.nanmax, np.nanmin)
def extremum(facts: Facts, a: Expr, axis: Expr | None = None, out: Expr | None = None, keepdims: Expr | None = None,
             initial: Expr | None = None, where: Expr | None = None) -> Type:  # fmt: skip
    """Extrema keep the dtype."""
    _unused(out=out, initial=initial, where=where)
    return reduced(facts, a, axis, keepdims, kind(a).dtype)


@returns(np.ptp)
def peak_to_peak(facts: Facts, a: Expr, axis: Expr | None = None, out: Expr | None = None,
                 keepdims: Expr | None = None) -> Type:  # fmt: skip
    """The range of values."""
    _unused(out=out)
    return reduced(facts, a, axis, keepdims, kind(a).dtype)


@returns(np.median, np.nanmedian)
def median(facts: Facts, a: Expr, axis: Expr | None = None, out: Expr | None = None,
           overwrite_input: Expr | None = None, keepdims: Expr | None = None) -> Type:  # fmt: skip
    """The middle value."""
    _unused(out=out, overwrite_input=overwrite_input)
    return reduced(facts, a, axis, keepdims, averaged(kind(a)))


@returns(np.any, np.all)
def truth(facts: Facts, a: Expr, axis: Expr | None = None, out: Expr | None = None, keepdims: Expr | None = None,
          *, where: Expr | None = None) -> Type:  # fmt: skip
    """Truth of any or all."""
    _unused(out=out, where=where)
    return reduced(facts, a, axis, keepdims, "bool")


@returns(np.argmax, np.argmin, np.nanargmax, np.nanargmin)
def position(facts: Facts, a: Expr, axis: Expr | None = None, out: Expr | None = None, *,
             keepdims: Expr | None = None) -> Type:  # fmt: skip
    """Positions of extrema."""
    _unused(out=out)
    return reduced(facts, a, axis, keepdims, "int64")


@returns(np.count_nonzero)
def count(facts: Facts, a: Expr, axis: Expr | None = None, *, keepdims: Expr | None = None) -> Type:
    """How many are not zero."""
    result = reduced(facts, a, axis, keepdims, "int64")
    return Scalar("int64", PYTHONS_COUNT) if axis is None and isinstance(result, Scalar) else result


@returns(np.cumsum, np.cumprod)
def cumulative(facts: Facts, a: Expr, axis: Expr | None = None, dtype: Expr | None = None,
               out: Expr | None = None) -> Type | Expr:  # fmt: skip
    """Partial sums and products; without an axis, of the flat array."""
    _unused(out=out)
    if isinstance(a.type, Scalar) and dtype is None and (axis is None or axis.type == Static(None)):
        return call(facts, np.cumsum, call(facts, np.ravel, a))
    result = dtype_argument(facts, dtype, summed(kind(a).dtype))
    shape = shape_of(kind(a))
    if axis is None or axis.type == Static(None):
        return Array(result, (shapes.product(shape),), "C")
    axis_argument(facts, axis, len(shape))
    return made(result, shape, kind(a).layout)


@returns(np.diff)
def diff(facts: Facts, a: Expr, n: Expr | None = None, axis: Expr | None = None) -> Type:
    """Differences of neighbours."""
    order = 1 if n is None else facts.static(n, "an order of differences")
    shape = list(shape_of(kind(a)))
    k = axis_argument(facts, axis or constant(-1), len(shape))
    shape[k] = shapes.sliced(shape[k], (None, order), None, 1)
    dtype = kind(a).dtype if kind(a).dtype == "bool" else ufunc_dtypes(np.subtract, (kind(a), kind(a)))[0]
    return made(dtype, tuple(shape), "C" if kind(a).layout == "C" else "A")


# ---------------------------------------------------------------- Python's own


@returns(sum)
def python_sum(facts: Facts, x: Expr, start: Expr | None = None) -> Type | Expr:
    """``sum(x)``: of an array's first axis, or of a tuple's elements."""
    if isinstance(x.type, TupleType):
        parts = [*([] if start is None else [start]), *items(facts, x)] or [constant(0)]
        for part in parts[1:]:
            parts[0] = call(facts, operator.add, parts[0], part)
        return parts[0]
    if not isinstance(kind(x), Array):
        raise Refusal("sum of a number", "the number itself")
    result = call(facts, np.sum, x) if len(shape_of(kind(x))) == 1 else call(facts, np.sum, x, axis=constant(0))
    return result if start is None else call(facts, operator.add, start, result)


def of_one(facts: Facts, fn: Any, x: Expr) -> Type | Expr:
    """``max(x)``, ``any(x)``, ... of one tuple or one vector."""
    if isinstance(x.type, TupleType):
        if not x.type.items and fn in (max, min):
            raise Refusal(f"{fn.__name__} of a list without elements", "a test whether there are any before")
        if len(x.type.items) == 1:
            return call(facts, bool, items(facts, x)[0]) if fn in (any, all) else items(facts, x)[0]
        return call(facts, {any: or_, all: and_}.get(fn, fn), *items(facts, x))
    if isinstance(kind(x), Array) and len(shape_of(kind(x))) == 1:
        return call(facts, getattr(np, fn.__name__), x)
    raise Refusal(f"{fn.__name__} of {describe(kind(x))}", f"np.{fn.__name__}")


returns(any)(lambda facts, x: of_one(facts, any, x))
returns(all)(lambda facts, x: of_one(facts, all, x))
returns(max)(lambda facts, *xs: of_one(facts, max, *xs) if len(xs) == 1 else extreme(facts, max, *xs))
returns(min)(lambda facts, *xs: of_one(facts, min, *xs) if len(xs) == 1 else extreme(facts, min, *xs))
