"""What happens to each vector along an axis: types of gathers, rotations, orders."""

from __future__ import annotations

import numpy as np

from srcad import runtime
from srcad.lang import shapes
from srcad.lang.types import Array, Dim, Scalar, Static, TupleType, Type
from srcad.lang.ir import Expr
from srcad.typing.shaping import contiguous
from srcad.typing.table import (
    Facts, Refusal, axes_argument, axis_argument, call, constant, kind, made, returns, shape_of,
)  # fmt: skip


@returns(np.take_along_axis, runtime.take_along)
def take_along_axis(facts: Facts, arr: Expr, indices: Expr, axis: Expr | None = None) -> Type | Expr:
    """An element of the array for each index."""
    axis = constant(-1) if axis is None else axis
    if axis.type == Static(None):
        return call(facts, np.take_along_axis, call(facts, np.ravel, arr), indices, constant(0))
    k = axis_argument(facts, axis, len(shape_of(kind(arr))))
    shape = along(k, shape_of(kind(indices)), shape_of(kind(arr)))
    return made(kind(arr).dtype, shape, _of_lanes(kind(indices)))


@returns(runtime.added_along)
def added_along(facts: Facts, values: Expr, indices: Expr, like: Expr, axis: Expr) -> Type:
    """An array with the axis of another; its other axes are those of the values."""
    k = axis_argument(facts, axis, len(shape_of(kind(like))))
    return made(kind(values).dtype, along(k, shape_of(kind(like)), shape_of(kind(values))), "C")


def along(axis: int, lane: tuple[Dim, ...], other: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The shape of lanes of which one array gives the length, and both together the number."""
    return tuple(n if k == axis else m for k, (n, m) in enumerate(zip(lane, shapes.broadcast(lane, other))))


def _of_lanes(type: Scalar | Array) -> str:
    """The layout of what is made lane by lane."""
    return "C" if len(shape_of(type)) < 2 or contiguous(type) == "C" else "A"


@returns(np.roll)
def roll(facts: Facts, a: Expr, shift: Expr, axis: Expr | None = None) -> Type | Expr:
    """The same shape, a copy; a number itself."""
    none = shift.type == Static(()) or isinstance(shift.type, TupleType) and not shift.type.items
    if none and isinstance(a.type, Array):
        return call(facts, np.copy, a)
    if axis is not None and axis.type != Static(None):
        turns, axes = len(_each(shift)), len(axes_argument(facts, axis, len(shape_of(kind(a)))))
        if turns != axes and 1 not in (turns, axes):
            raise Refusal(f"np.roll by {turns} shifts along {axes} axes", "a shift for each axis")
    return ordered(facts, a)


def _each(expr: Expr) -> tuple[Type, ...]:
    """The types of the elements of a row, or the one of what is none."""
    return expr.type.items if isinstance(expr.type, TupleType) else (expr.type,)


@returns(np.sort, np.partition)
def ordered(facts: Facts, a: Expr, kth: Expr | None = None, axis: Expr | None = None, **options: Expr) -> Type | Expr:
    """The same shape, a copy; a number itself."""
    type = kind(a)
    if axis is not None:
        axes_argument(facts, axis, len(shape_of(type)))
    if not isinstance(type, Array):
        return a
    return made(type.dtype, type.shape, "C" if type.layout in ("C", "c") else "A")


@returns(np.argpartition)
def argpartition(facts: Facts, a: Expr, kth: Expr, axis: Expr | None = None, **options: Expr) -> Type:
    """The order that partitions."""
    return _order(a, axis)


@returns(np.searchsorted, runtime.places_in)
def searchsorted(facts: Facts, a: Expr, v: Expr, side: Expr | None = None, sorter: Expr | None = None) -> Type:
    """A place for each element."""
    return made("int64", shape_of(kind(v)), "C")


@returns(np.argsort)
def argsort(facts: Facts, a: Expr, axis: Expr | None = None, **options: Expr) -> Type:
    """The order that sorts."""
    return _order(a, axis)


def _order(a: Expr, axis: Expr | None) -> Type:
    if axis is not None and axis.type == Static(None):
        return Array("int64", (shapes.product(shape_of(kind(a))),), "C")
    return made("int64", shape_of(kind(a)), _of_lanes(kind(a)))
