"""Functions that rearrange: transpose, reshape, squeeze, flip, repeat, ..."""

from __future__ import annotations

import operator

import numpy as np

from srcad.lang import shapes
from srcad.lang.arrays import axis_length
from srcad.lang.ir import Call, Expr, select
from srcad.lang.types import Array, Dim, Scalar, Static, TupleType, Type
from srcad.typing.table import (
    Facts, Refusal, axes_argument, axis_argument, call, constant, items, kind, made, returns, shape_of,
)  # fmt: skip
from srcad.typing.refusal import SeveralRanks
from srcad.typing.elementwise import real_only
from srcad.typing.tuples import pack

_SWAPPED = {"C": "F", "F": "C", "A": "A", "c": "f", "f": "c"}


def contiguous(type: Scalar | Array) -> str:
    """The layout of a view or copy that is contiguous if this is."""
    return "C" if isinstance(type, Scalar) else type.layout if type.layout in ("C", "c") else "A"


@returns(np.transpose, np.permute_dims if hasattr(np, "permute_dims") else np.transpose)
def transpose(facts: Facts, a: Expr, axes: Expr | None = None) -> Type | Expr:
    """Axes in another order; the reverse one by default."""
    type = kind(a)
    if isinstance(type, Scalar):
        return a
    if axes is None or axes.type == Static(None):
        return made(type.dtype, type.shape[::-1], _SWAPPED[type.layout] if type.ndim > 1 else type.layout)
    order = axes_argument(facts, axes, type.ndim)
    if order == tuple(range(type.ndim)):
        return a
    if sorted(order) != list(range(type.ndim)):
        raise Refusal("a transpose that does not name every axis once", f"an order of {tuple(range(type.ndim))}")
    if isinstance(getattr(axes, "value", None), list):  # which Numba does not take for an order
        return call(facts, np.transpose, a, constant(order))
    return _reordered(type, order)


def _reordered(type: Array, order: tuple[int, ...]) -> Type:
    same, reverse = tuple(range(type.ndim)), tuple(range(type.ndim))[::-1]
    layout = type.layout if order == same else _SWAPPED[type.layout] if order == reverse else "A"
    return made(type.dtype, tuple(type.shape[k] for k in order), layout)


@returns(np.swapaxes)
def swapaxes(facts: Facts, a: Expr, axis1: Expr, axis2: Expr) -> Type:
    """Two axes exchanged."""
    type = kind(a)
    order = list(range(len(shape_of(type))))
    i, j = (axis_argument(facts, axis, len(order)) for axis in (axis1, axis2))
    order[i], order[j] = order[j], order[i]
    return _reordered(type, tuple(order))  # type: ignore[arg-type]


@returns(np.moveaxis)
def moveaxis(facts: Facts, a: Expr, source: Expr, destination: Expr) -> Type | Expr:
    """Axes moved elsewhere."""
    type = kind(a)
    rank = len(shape_of(type))
    moved, places = axes_argument(facts, source, rank), axes_argument(facts, destination, rank)
    order = [k for k in range(rank) if k not in moved]
    for place, axis in sorted(zip(places, moved)):
        order.insert(place, axis)
    if order == list(range(rank)):
        return a
    return _reordered(type, tuple(order))  # type: ignore[arg-type]


@returns(np.reshape)
def reshape(facts: Facts, a: Expr, shape: Expr, order: Expr | None = None) -> Type | Expr:
    """Another shape of as many elements; -1 is what remains."""
    type = kind(a)
    lengths = items(facts, shape) if isinstance(shape.type, TupleType) else (shape,)
    if order is not None:
        if _columns_first(facts, type, order):
            turned = call(facts, np.reshape, call(facts, np.transpose, a), pack(tuple(reversed(lengths))))
            return call(facts, np.transpose, turned)
        return call(facts, np.reshape, a, shape)
    dims = [_wanted(facts, item) for item in lengths]
    if dims.count(None) > 1:
        raise Refusal("a reshape with two unknown lengths", "at most one -1")
    known = tuple(d for d in dims if d is not None)
    rest = _rest(facts, shape_of(type), known)
    return Array(type.dtype, tuple(rest if d is None else d for d in dims), contiguous(type))


def _columns_first(facts: Facts, type: Scalar | Array, order: Expr) -> bool:
    """Whether elements are taken in Fortran order; "A" and "K" ask for the order in memory."""
    wanted = facts.static(order, "an order")
    if wanted in ("C", "F"):
        return wanted == "F"
    if wanted not in ("A", "K"):
        raise Refusal(f"{wanted!r} as an order", "order='C' or order='F'")
    layout = type.layout if isinstance(type, Array) else "C"
    if layout == "A":
        raise Refusal(f"the order {wanted!r} of an array whose layout is not known", "order='C' or order='F'")
    return layout in ("F", "f")


def _wanted(facts: Facts, item: Expr) -> Dim | None:
    value = facts.integer(item)
    return None if value == (None, -1) else facts.dim(item)


def _rest(facts: Facts, whole: tuple[Dim, ...], known: tuple[Dim, ...]) -> Dim:
    """The length that -1 stands for."""
    left = list(whole)
    for dim in known:
        if dim == 1:
            continue
        if dim not in left:
            break
        left.remove(dim)
    else:
        return shapes.product(tuple(left))
    size, taken = shapes.product(whole), shapes.product(known)
    if isinstance(size, int) and isinstance(taken, int) and taken:
        return size // taken
    return f"[{size}//{taken}]"


@returns(np.ravel)
def ravel(facts: Facts, a: Expr, order: Expr | None = None) -> Type | Expr:
    """One axis."""
    if order is not None:
        return call(facts, np.ravel, call(facts, np.transpose, a) if _columns_first(facts, kind(a), order) else a)
    return _line(a)


@returns(np.ndarray.flatten)
def flatten(facts: Facts, a: Expr, order: Expr | None = None) -> Type | Expr:
    """One axis, a copy."""
    if order is not None:
        turned = call(facts, np.transpose, a) if _columns_first(facts, kind(a), order) else a
        return call(facts, np.ndarray.flatten, turned)
    return _line(a)


def _line(a: Expr) -> Type:
    return Array(kind(a).dtype, (shapes.product(shape_of(kind(a))),), "C")


@returns(np.broadcast_to)
def broadcast_to(facts: Facts, array: Expr, shape: Expr) -> Type:
    """Repeated, without a copy."""
    return made(kind(array).dtype, facts.dims(shape), "A")


@returns(np.expand_dims)
def expand_dims(facts: Facts, a: Expr, axis: Expr) -> Type:
    """New axes of length one."""
    type = kind(a)
    value = facts.static(axis, "an axis")
    rank = len(shape_of(type)) + (len(value) if isinstance(value, (tuple, list)) else 1)
    places = axes_argument(facts, axis, rank)
    old = iter(shape_of(type))
    return Array(type.dtype, tuple(1 if k in places else next(old) for k in range(rank)), contiguous(type))


@returns(np.squeeze)
def squeeze(facts: Facts, a: Expr, axis: Expr | None = None, *, left: Expr | None = None) -> Type | Expr:
    """Axes of length one taken away; of unknown lengths, the last `left` ones or all, each is asked in turn."""
    type, shape = kind(a), shape_of(kind(a))
    if axis is None or axis.type == Static(None):
        first = 0 if left is None else len(shape) - facts.static(left)
        for k in (k for k in range(first, len(shape)) if not isinstance(shape[k], int)):
            facts.squeezed = True
            one = Call(operator.eq, (axis_length(a, k), constant(1)))
            either = Call(select, (one, Call(np.squeeze, (a,), (("axis", constant(k)),)), a))
            refusal = SeveralRanks("np.squeeze of axes that are not known to have length one",
                                   "np.squeeze(x, axis=...), or x[0]")  # fmt: skip
            refusal.instead = Call(np.squeeze, (either,), (("left", constant(len(shape) - k - 1)),))
            raise refusal
        axes = tuple(k for k, d in enumerate(shape) if d == 1)
        return call(facts, np.squeeze, a, axis=constant(axes)) if axes else a
    else:
        axes = axes_argument(facts, axis, len(shape))
    return made(type.dtype, tuple(d for k, d in enumerate(shape) if k not in axes), contiguous(type))


# ---------------------------------------------------------------- moving elements


@returns(np.triu, np.tril)
def triangle(facts: Facts, m: Expr, k: Expr | None = None) -> Type:
    """The same shape."""
    return made(kind(m).dtype, shape_of(kind(m)), "A")


@returns(np.flip, np.flipud, np.fliplr)
def flip(facts: Facts, m: Expr, axis: Expr | None = None) -> Type:
    """The same shape."""
    axes_argument(facts, axis, len(shape_of(kind(m)))) if axis is not None else None
    return made(kind(m).dtype, shape_of(kind(m)), "A")


@returns(np.digitize)
def digitize(facts: Facts, x: Expr, bins: Expr, **options: Expr) -> Type:
    """A bin for each element."""
    real_only(np.digitize, x)
    return made("int64", shape_of(kind(x)), "C")


@returns(np.bincount)
def bincount(facts: Facts, x: Expr, weights: Expr | None = None, minlength: Expr | None = None) -> Type | Expr:
    """A count, or a sum of weights, for each number; lists are arrays, as the derivative indexes with them."""
    if not isinstance(x.type, Array):
        return call(facts, np.bincount, call(facts, np.array, x), *(e for e in (weights, minlength) if e is not None))
    if weights is not None and isinstance(weights.type, Array):
        real_only(np.bincount, weights)
    counted = weights is None or weights.type == Static(None)
    return Array("int64" if counted else "float64", (facts.fresh(),), "C")


@returns(np.repeat)
def repeat(facts: Facts, a: Expr, repeats: Expr, axis: Expr | None = None) -> Type:
    """Each element several times."""
    shape = list(shape_of(kind(a)))
    if axis is None or axis.type == Static(None):
        shape, place = [shapes.product(tuple(shape))], 0
    else:
        place = axis_argument(facts, axis, len(shape))
    count = facts.integer(repeats)
    shape[place] = shapes.product((shape[place], shapes.dim_of(count))) if count is not None else facts.fresh()
    return Array(kind(a).dtype, tuple(shape), "C" if len(shape) == 1 else contiguous(kind(a)))


@returns(np.tile)
def tile(facts: Facts, A: Expr, reps: Expr) -> Type:
    """The whole array several times."""
    counts = facts.dims(reps)
    shape = shape_of(kind(A))
    rank = max(len(shape), len(counts))
    counts, shape = (1,) * (rank - len(counts)) + counts, (1,) * (rank - len(shape)) + shape
    return Array(kind(A).dtype, tuple(map(lambda d, c: shapes.product((d, c)), shape, counts)), "C")
