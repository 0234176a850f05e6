"""Additions at arrays of indices, where repeats add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable


def add_at(array: np.ndarray, index: Any, value: Any) -> None:
    """``array[index] += value`` where repeated indices add up.

    >>> a = np.zeros(3)
    >>> add_at(a, np.array([0, 0, 2]), 1.0)
    >>> a
    array([2., 0., 1.])
    """
    np.add.at(array, index, value)


@overload(add_at)
def _add_at(array, index, value):
    if isinstance(index, types.Array) and isinstance(index.dtype, types.Integer):
        return _add_number if array.ndim == 1 and not isinstance(value, types.Array) else _rows(array.ndim)
    if isinstance(index, types.Array) and isinstance(index.dtype, types.Boolean) and index.ndim == array.ndim:
        return _add_chosen if isinstance(value, types.Array) and value.ndim else _add_number_chosen
    parts = tuple(index) if isinstance(index, types.BaseTuple) else ()
    if all(isinstance(part, types.SliceType) or _is_places(part) for part in parts):
        axes = [axis for axis, part in enumerate(parts) if _is_places(part)]
        if len(axes) == 1:
            return _along(axes[0], array.ndim)
        if len(axes) == len(parts) == array.ndim == 2:
            return _add_pairs
    return _add_places


def _is_places(part: types.Type) -> bool:
    return isinstance(part, types.Array) and isinstance(part.dtype, types.Integer)


def _rows(rank: int) -> Callable:
    return _add_rows_of_numbers if rank == 2 else _add_rows


def _along(axis: int, rank: int) -> Callable:
    """Adding at places along one axis and slices of the others: as rows, for each place of the axes before."""
    add, behind = register_jitable(_rows(rank - axis)), axis + 1

    def add_first(array, index, value):
        add(array[(slice(None),) + index[1:]], index[0], np.asarray(value))

    def add_along(array, index, value):
        places = index[axis]
        part = array[index[:axis] + (slice(None),) + index[behind:]]
        spread = np.broadcast_to(np.asarray(value), part.shape[:axis] + places.shape + part.shape[behind:])
        for lead in np.ndindex(part.shape[:axis]):
            add(part[lead], places, spread[lead])

    return add_along if axis else add_first


def _add_number(array, index, value):
    for i in index.flat:
        array[i] += value


def _add_rows(array, index, value):
    spread = np.broadcast_to(value, index.shape + array.shape[1:])
    for place, i in np.ndenumerate(index):
        array[i] += spread[place]


def _add_rows_of_numbers(array, index, value):
    spread = np.broadcast_to(value, index.shape + array.shape[1:])
    for place, i in np.ndenumerate(index):
        added = spread[place]
        for j in range(added.shape[0]):  # without an array for the sum
            array[i, j] += added[j]


def _add_pairs(array, index, value):
    rows, columns = np.broadcast_arrays(index[0], index[1])
    spread = np.broadcast_to(np.asarray(value), rows.shape)
    for place, i in np.ndenumerate(rows):
        array[i, columns[place]] += spread[place]


def _add_chosen(array, index, value):
    count = 0
    for place, chosen in np.ndenumerate(index):
        if chosen:
            array[place] += value[count % value.size]
            count += 1


def _add_number_chosen(array, index, value):
    for place, chosen in np.ndenumerate(index):
        if chosen:
            array[place] += value


def _add_places(array, index, value):
    # The same index applied to the numbers of the places tells which of them it means, in whatever form it is.
    places = np.arange(array.size).reshape(array.shape)[index]
    spread = np.broadcast_to(np.asarray(value), places.shape)
    for where, place in np.ndenumerate(places):
        array.flat[place] += spread[where]
