"""Whether arrays of indices stay within the axes that they index, asked before a loop reads or writes at them."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable


def out_of_bounds(places: np.ndarray, length: int) -> bool:
    """Whether an array has an index that an axis of this length does not have; negative ones count from its end.

    >>> out_of_bounds(np.array([0, 2, -3]), 3), out_of_bounds(np.array([0, 3]), 3), out_of_bounds(np.zeros(0, int), 0)
    (False, True, False)
    """
    return bool(np.any((places < -length) | (places >= length)))


def other_lengths(mask: np.ndarray, x: np.ndarray, axis: int) -> bool:
    """Whether truth values are more or fewer than the elements, along the axes from one on, that they choose from.

    >>> x = np.zeros((3, 2))
    >>> other_lengths(np.array([True, False]), x, 0), other_lengths(np.array([True, False]), x, 1)
    (True, False)
    """
    return mask.shape != x.shape[axis : axis + mask.ndim]


@overload(other_lengths)
def _other_lengths(mask, x, axis):
    n = mask.ndim

    def differ(mask, x, axis):
        for k in range(n):
            if mask.shape[k] != x.shape[axis + k]:
                return True
        return False

    return differ


@overload(out_of_bounds)
def _outside(places, length):
    if isinstance(places, types.Array) and places.layout == "C" and places.ndim:
        return lambda places, length: _any_outside(places.reshape(-1), length)
    return lambda places, length: _any_outside(np.ascontiguousarray(places).reshape(-1), length)


@register_jitable
def _any_outside(places, length):
    low, high = 0, -1  # as numbers, without a branch for each: machine code compares several at once
    for k in range(places.size):
        place = np.int64(places[k])
        low = min(low, place)
        high = max(high, place)
    return low < -length or high >= length
