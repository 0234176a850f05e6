"""Sums over what broadcasting repeated, growing records."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from srcad.runtime.place_sums import sum_by_places


@register_jitable
def grow(tape: np.ndarray) -> np.ndarray:
    """A record with twice as many slots, and the contents of the old one.

    >>> grow(np.ones((8, 2))).shape
    (16, 2)
    """
    filled = tape.shape[0]
    grown = np.zeros((max(2 * filled, 8),) + tape.shape[1:], tape.dtype)
    grown[:filled] = tape
    return grown


@register_jitable
def room_for(tape: np.ndarray, count: int) -> np.ndarray:
    """As `grow`, with so many slots at least.

    >>> room_for(np.ones(8), 20).shape, room_for(np.ones(8), 9).shape
    ((20,), (16,))
    """
    filled = tape.shape[0]
    grown = np.zeros((max(2 * filled, count),) + tape.shape[1:], tape.dtype)
    grown[:filled] = tape
    return grown


def fitting(value: np.ndarray, place: np.ndarray) -> np.ndarray:
    """`value`, if NumPy adds it to `place` where that is; Numba's in-place operators do not ask.

    >>> fitting(np.ones(3), np.zeros(2))
    Traceback (most recent call last):
    ValueError: cannot add an array to a place of another shape
    """
    lead = place.ndim - value.ndim
    for axis in range(value.ndim):
        if value.shape[axis] != 1 and value.shape[axis] != place.shape[lead + axis]:
            raise ValueError("cannot add an array to a place of another shape")
    return value


@overload(fitting)
def _fitting(value, place):
    def checked(value, place):
        lead = place.ndim - value.ndim
        for axis in range(value.ndim):
            if value.shape[axis] != 1 and value.shape[axis] != place.shape[lead + axis]:
                raise ValueError("cannot add an array to a place of another shape")
        return value

    return checked if isinstance(value, types.Array) else lambda value, place: value


def sum_to(value: np.ndarray, like: np.ndarray) -> np.ndarray:
    """`value` in the shape of `like`: summed where `like` was repeated, repeated where `value` is one for all of it.

    It is `value` itself if the shapes agree.

    >>> sum_to(np.ones((3, 2)), np.zeros((1, 2)))
    array([[3., 3.]])
    >>> sum_to(np.ones((1, 2)), np.zeros((3, 2))).shape
    (3, 2)
    """
    if value.shape == like.shape:
        return value
    lead = value.ndim - like.ndim
    if lead > 0:
        value = np.asarray(value.sum(axis=tuple(range(lead))))  # of rank 0, too, an array
    axes = tuple(
        axis for axis in range(value.ndim) if like.shape[axis - value.ndim] == 1 and value.shape[axis] != 1
    )
    total = value.sum(axis=axes, keepdims=True) if axes else value
    return total if total.shape == like.shape else np.broadcast_to(total, like.shape).copy()


@overload(sum_to)
def _sum_to(value, like):
    if not isinstance(value, types.Array):
        return lambda value, like: value
    lead = like.ndim - value.ndim
    if lead == -1 and like.ndim:
        return _sum_rows
    if lead != 0:
        return lambda value, like: sum_by_places(value, like.shape)

    def sum_repeated(value, like):
        for axis in range(value.ndim):
            if like.shape[axis] != value.shape[axis]:
                return sum_by_places(value, like.shape)
        return value

    return sum_repeated


def _sum_rows(value, like):
    if value.shape[1:] != like.shape:
        return sum_by_places(value, like.shape)
    total = np.zeros(like.shape, value.dtype)
    for i in range(value.shape[0]):
        total += value[i]
    return total


def survives(array: np.ndarray, index: Any) -> np.ndarray:
    """Which elements of `value` are there after ``array[index] = value``: of repeated indices, the last one counts.

    >>> survives(np.zeros(3), np.array([0, 2, 0]))
    array([False,  True,  True])
    """
    places = np.arange(array.size).reshape(array.shape)[index]
    return _last(places, array.size)


@overload(survives)
def _survives(array, index):
    parts = tuple(index) if isinstance(index, types.BaseTuple) else ()
    several = [k for k, part in enumerate(parts) if not isinstance(part, types.Integer)]
    if len(parts) == array.ndim and len(several) == 1 and isinstance(parts[several[0]], types.Array):
        axis = several[0]
        if isinstance(parts[axis].dtype, types.Integer):  # all are in one line
            return lambda array, index: _last(index[axis] % array.shape[axis], array.shape[axis])
    return lambda array, index: _last(np.arange(array.size).reshape(array.shape)[index], array.size)


@register_jitable
def _last(places, size):
    number = np.arange(places.size).reshape(places.shape)
    last = np.empty(size, np.intp)
    for where, place in np.ndenumerate(places):
        last[place] = number[where]
    result = np.empty(places.shape, np.bool_)
    for where, place in np.ndenumerate(places):
        result[where] = last[place] == number[where]
    return result


@register_jitable
def no_records(x: np.ndarray) -> list:
    """An empty record of arrays like `x`, for a loop that may change their shape.

    >>> import numpy as np
    >>> no_records(np.ones(3))
    []
    """
    records = [x.copy()]
    records.pop()
    return records


@register_jitable
def recorded(records: list, x: np.ndarray) -> list:
    """`records` with a copy of `x` at its end.

    >>> import numpy as np
    >>> recorded(no_records(np.ones(1)), np.ones(1))
    [array([1.])]
    """
    records.append(x.copy())
    return records


@register_jitable
def widen(records: np.ndarray) -> np.ndarray:
    """As `grow`, along the second axis.

    >>> widen(np.ones((2, 8))).shape
    (2, 16)
    """
    filled = records.shape[1]
    grown = np.zeros((records.shape[0], max(2 * filled, 8)) + records.shape[2:], records.dtype)
    grown[:, :filled] = records
    return grown
