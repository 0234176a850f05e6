"""Axes: what rules compute from axis arguments, and the indices that follow from them."""

from __future__ import annotations

import functools
import operator
from typing import Any, Union

import numpy as np

from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Tuple
from srcad.lang.types import Array
from srcad.rules.dtypes import is_complex
from srcad.rules.static import EXPRESSIONS, rank, static
from srcad.runtime import rolled, rolled_over

Axis = Union[int, tuple[int, ...], None]


def axes_of(axis: Axis, ndim: int) -> tuple[int, ...]:
    """The axes that an argument names, counted from the front.

    >>> axes_of(-1, 3), axes_of(None, 2), axes_of((0, -1), 3)
    ((2,), (0, 1), (0, 2))
    """
    assert not isinstance(axis, EXPRESSIONS), "typing refuses an axis that is no constant"
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    for each in given:
        assert -ndim <= each < ndim, "typing refuses an axis that is out of bounds"
    return tuple(int(each) % ndim for each in given)


def subscript(base: Expr, *items: Expr) -> Expr:
    """``base[items]``"""
    return Call(operator.getitem, (base, items[0] if len(items) == 1 else Tuple(items)))


@static
def one_axis(axis: Axis, ndim: int) -> int:
    """A single axis, counted from the front."""
    (result,) = axes_of(0 if axis is None else axis, ndim)
    return result


@static
def inverse(axes: Any) -> tuple[int, ...]:
    """The permutation that undoes one.

    >>> inverse((1, 2, 0))
    (2, 0, 1)
    """
    order = axes_of(axes, len(axes))
    return tuple(order.index(axis) for axis in range(len(order)))


@static
def swapped(ndim: int, a: int, b: int) -> tuple[int, ...]:
    """The axes of an array, two of them exchanged."""
    order = list(range(ndim))
    order[a], order[b] = order[b], order[a]
    return tuple(order)


@static
def flipped(x: Expr) -> Expr:
    """A matrix, or every matrix of a stack, transposed."""
    n = rank(x)
    return Call(np.transpose, (x,)) if n == 2 else Call(np.swapaxes, (x, Const(-1), Const(-2)))


@static
def conjugate(x: Expr, like: Expr) -> Expr:
    """The conjugate of what is complex if `like` is."""
    return Call(np.conj, (x,)) if is_complex(like) else x


@static
def adjoint(x: Expr, like: Expr) -> Expr:
    """A matrix, or every matrix of a stack, transposed, and conjugated if `like` is complex."""
    return flipped(conjugate(x, like))


@static
def moved(ndim: int, source: Axis, destination: Axis) -> tuple[int, ...]:
    """The axes of an array after `np.moveaxis`."""
    sources, destinations = axes_of(source, ndim), axes_of(destination, ndim)
    order = [axis for axis in range(ndim) if axis not in sources]
    for to, origin in sorted(zip(destinations, sources)):
        order.insert(to, origin)
    return tuple(order)


@static
def spread(value: Expr, axis: Axis, keepdims: bool, ndim: int) -> Expr:
    """What a reduction of an array of `ndim` axes has left, so that it broadcasts against the array."""
    axes = axes_of(axis, ndim)
    if keepdims or len(axes) == ndim:
        return value
    first = next(i for i in range(ndim) if i not in axes)
    items = [Const(None) if i in axes else Slice() for i in range(first, ndim)]
    return subscript(value, *items) if Const(None) in items else value


@static
def count(x: Expr, axis: Axis, ndim: int) -> Expr:
    """How many elements each element of a reduction sums up."""
    axes = axes_of(axis, ndim)
    if len(axes) == ndim:
        return Attr(x, "size")
    lengths = [length(x, i) for i in axes]
    return functools.reduce(lambda a, b: Call(operator.mul, (a, b)), lengths) if lengths else Const(1)


@static
def lines_of(x: Expr, ndim: int, axis: int = -1) -> Expr:
    """How many lines along an axis an array has, also where the lines are empty."""
    return count(x, tuple(k for k in range(ndim) if k != axis % ndim), ndim)


@static
def length(x: Expr, axis: int) -> Expr:
    """``x.shape[axis]``"""
    return Call(operator.getitem, (Attr(x, "shape"), Const(axis)))


@static
def opposite(shift: Any) -> Any:
    """A shift, or several, the other way."""
    if isinstance(shift, Tuple):
        return Tuple(tuple(opposite(item) for item in shift.items))
    if isinstance(shift, EXPRESSIONS):
        return Call(operator.neg, (shift,))
    return tuple(-s for s in shift) if isinstance(shift, (tuple, list)) else -shift


@static
def backwards(value: Expr, axis: int) -> Expr:
    """An array with one axis reversed: ``value[:, ::-1]``."""
    return subscript(value, *[Slice()] * axis, Slice(step=Const(-1)))


@static
def piece(value: Expr, axis: int, start: Any, stop: Any) -> Expr:
    """``value[:, start:stop]``"""
    bounds = [None if bound is None or bound == 0 else bound for bound in (start, stop)]
    lower, upper = (b if b is None or isinstance(b, EXPRESSIONS) else Const(b) for b in bounds)
    return subscript(value, *[Slice()] * axis, Slice(lower, upper))


@static
def piece_of(value: Expr, axis: int, arrays: Any, number: int) -> Expr:
    """The piece that stands for one of some arrays laid end to end: counted from the end where that is known."""
    items = arrays.items if isinstance(arrays, Tuple) else tuple(arrays)
    first, last = _together(items[:number], axis), _together(items[: number + 1], axis)
    rest, after = _together(items[number:], axis), _together(items[number + 1 :], axis)
    start = first if isinstance(first, int) or not isinstance(rest, int) or rest == 0 else -rest
    stop = last if isinstance(last, int) and last or not isinstance(after, int) else -after
    stop = Const(0) if isinstance(stop, int) and stop == 0 else stop  # of no elements, the piece has none
    return piece(value, axis, start, None if isinstance(after, int) and after == 0 else stop)


def _together(arrays: tuple[Expr, ...], axis: int) -> Any:
    """How long arrays are that are laid end to end, as a number where that is known."""
    known = [kind.shape[axis] for x in arrays if isinstance(kind := getattr(x, "type", None), Array)]
    if len(known) == len(arrays) and all(isinstance(dim, int) for dim in known):
        return sum(known)  # type: ignore[arg-type]
    return functools.reduce(lambda a, b: Call(operator.add, (a, b)), [length(x, axis) for x in arrays])


@static
def item(value: Expr, axis: int, index: Any) -> Expr:
    """``value[:, index]``"""
    return subscript(value, *[Slice()] * axis, index if isinstance(index, EXPRESSIONS) else Const(index))


@static
def as_number(value: Expr) -> Expr:
    """An array without axes as its element; a number as it is."""
    return subscript(value) if isinstance(getattr(value, "type", None), Array) else value


@static
def is_number(value: Expr) -> bool:
    """Whether a value is no array, not even one without axes, whose views are parts of it."""
    return not isinstance(getattr(value, "type", None), Array)


@static
def no_axes(shape: Any) -> bool:
    """Whether a shape is that of a number."""
    return isinstance(shape, tuple) and not shape


@static
def is_tuple(value: Any) -> bool:
    return isinstance(value, (Tuple, tuple))


@static
def has_rows(value: Any) -> bool:
    """Whether a tuple is one of arrays."""
    return isinstance(value, Tuple) and all(not isinstance(i, Tuple) and rank(i) > 0 for i in value.items)


@static
def rows(value: Tuple, dtype: Any) -> Tuple:
    """The items of a tuple as arrays."""
    named = () if dtype is None else (("dtype", Const(dtype)),)
    return Tuple(tuple(Call(np.array, (item,), named) for item in value.items))


# ---------------------------------------------------------------- for lowerings


@static
def every_axis(ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim))


@static
def some_axes(axis: Axis, ndim: int) -> Axis:
    """The axes of a reduction that leaves an array; None where it leaves a number."""
    axes = axes_of(axis, ndim)
    if len(axes) == ndim:
        return None
    return axes[0] if len(axes) == 1 else axes


@static
def reduced_axes(axis: Axis, ndim: int) -> Axis:
    """The axes of a reduction, all of them where it leaves a number."""
    some = some_axes(axis, ndim)
    return every_axis(ndim) if some is None else some


@static
def kept(value: Expr, axis: Axis, ndim: int) -> Expr:
    """The result of a reduction with its axes kept, each of length one."""
    axes = axes_of(axis, ndim)
    if len(axes) == ndim:
        return Call(np.full, (Const((1,) * ndim), value))
    return subscript(value, *(Const(None) if i in axes else Slice() for i in range(ndim)))


@static
def with_units(value: Expr, axis: Axis, ndim: int) -> Expr:
    """`np.expand_dims` as a subscript."""
    several = len(axis) if isinstance(axis, (tuple, list)) else 1
    axes = axes_of(axis, ndim + several)
    if ndim == 0:  # of an array without axes, a view: its cotangent is added up through one
        one = Const((1,) * several)
        return Call(np.reshape, (value, one)) if isinstance(value.type, Array) else Call(np.full, (one, value))
    return subscript(value, *(Const(None) if i in axes else Slice() for i in range(ndim + several)))


@static
def without_units(value: Expr, axis: Axis, ndim: int) -> Expr:
    """`np.squeeze` as a subscript."""
    dims = value.type.shape if isinstance(getattr(value, "type", None), Array) else ()
    axes = axes_of(axis, ndim) if axis is not None else tuple(i for i, n in enumerate(dims) if n == 1)
    if not axes:
        return value
    return subscript(value, *(Const(0) if i in axes else Slice() for i in range(ndim)))


@static
def turned(m: Expr, axis: Axis, ndim: int) -> Expr:
    """`np.flip` as a subscript."""
    axes = axes_of(axis, ndim)
    return subscript(m, *(Slice(step=Const(-1)) if i in axes else Slice() for i in range(max(axes, default=0) + 1)))


@static
def rolls(a: Expr, shift: Any, axis: Any) -> Expr:
    """`np.roll` along one axis, or along several at once: an array in between would be another pass over memory."""
    several = shift.items if isinstance(shift, Tuple) else shift
    shifts = list(several) if isinstance(several, (tuple, list)) else [several]
    axes = axes_of(axis, rank(a))
    if isinstance(shift, EXPRESSIONS) and rank(shift) == 1:
        shifts = [subscript(shift, Const(k)) for k in range(len(axes))] if len(axes) > 1 else [Call(np.sum, (shift,))]
    if len(shifts) == 1:
        shifts = shifts * len(axes)
    if len(axes) == 1:
        axes = axes * len(shifts)
    assert len(shifts) == len(axes), "typing refuses shifts that no axes are for"
    turns: dict[int, Expr] = {}
    for one, along in zip(shifts, axes):
        turn = one if isinstance(one, EXPRESSIONS) else Const(one)
        turns[along] = Call(operator.add, (turns[along], turn)) if along in turns else turn
    if len(turns) > 1:
        return Call(rolled_over, (a, Tuple(tuple(turns.get(k, Const(0)) for k in range(rank(a))))))
    for along, turn in turns.items():
        return Call(rolled, (a, turn, Const(along)))
    return Call(np.copy, (a,))
