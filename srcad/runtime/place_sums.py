"""Sums over the places that broadcasting repeated, for compiled code.

Neighbouring axes that are both summed, or both kept, are one axis to these loops: of an array of any rank, what remains
are blocks of two such axes, one of them summed, that lie one behind the other.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable


@register_jitable
def sum_by_places(value: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The sum of the elements of `value` over each place of `shape` that broadcasts to them.

    Where `value` is the one that is broadcast, each place has the same.

    >>> sum_by_places(np.ones((2, 3)), (2, 1))
    array([[3.],
           [3.]])
    """
    total = np.zeros(shape, value.dtype)
    flat = total.reshape(-1)
    strides, repeats = _places(value.shape, shape)
    if value.size == 0:
        return total
    lengths, steps = _merged(value.shape, strides)
    index, last = np.zeros(lengths.size, np.intp), lengths.size - 1
    m, n, place = lengths[last - 1], lengths[last], 0
    for block in np.ascontiguousarray(value).reshape((-1, m, n)):
        if steps[last] == 0:
            for i in range(m):
                flat[place + i * steps[last - 1]] += _row_sum(block[i])
        else:
            for i in range(m):
                part = flat[place + i * steps[last - 1] : place + i * steps[last - 1] + n]
                for k in range(n):
                    part[k] += block[i, k]
        for axis in range(last - 2, -1, -1):  # the next block: the last axis but two goes round first
            index[axis] += 1
            place += steps[axis]
            if index[axis] < lengths[axis]:
                break
            place -= index[axis] * steps[axis]
            index[axis] = 0
    if repeats.any():
        _repeat(flat, shape, repeats)
    return total


@register_jitable
def _row_sum(row):
    total = row[0]
    for k in range(1, row.size):
        total += row[k]
    return total


@register_jitable
def _places(lengths, shape):
    """How far apart the places lie along each axis, zero where it is summed, and which axes of `shape` repeat."""
    strides, repeats = np.zeros(len(lengths), np.intp), np.zeros(len(shape), np.bool_)
    step = 1
    for k in range(len(shape)):
        axis = len(shape) - 1 - k
        length = lengths[len(lengths) - 1 - k] if k < len(lengths) else 1
        if length != shape[axis] and length != 1 and shape[axis] != 1:
            raise ValueError("arrays of these lengths do not broadcast together")
        repeats[axis] = shape[axis] != 1 and length == 1
        if shape[axis] != 1 and not repeats[axis]:
            strides[len(lengths) - 1 - k] = step
        step *= shape[axis]
    return strides, repeats


@register_jitable
def _merged(lengths, strides):
    """The lengths and strides of two axes or more, neighbours that go through the places as one axis made one.

    The last axis is summed, or its places lie one behind the other.
    """
    merged, steps = np.ones(len(lengths) + 2, np.intp), np.zeros(len(lengths) + 2, np.intp)
    first = len(lengths) + 2
    for k in range(len(lengths)):
        axis = len(lengths) - 1 - k
        if lengths[axis] == 1:
            continue
        if first == merged.size and strides[axis] > 1:
            first -= 1  # an axis of one element, summed
        if first < merged.size and strides[axis] == merged[first] * steps[first]:
            merged[first] *= lengths[axis]
        else:
            first -= 1
            merged[first], steps[first] = lengths[axis], strides[axis]
    first = min(first, len(lengths))
    return merged[first:], steps[first:]


@register_jitable
def _repeat(flat, shape, repeats):
    """The first elements along some axes, for all others there."""
    for position in range(flat.size):
        rest, step, first = position, 1, 0
        for k in range(len(shape)):
            axis = len(shape) - 1 - k
            if not repeats[axis]:
                first += rest % shape[axis] * step
            rest //= shape[axis]
            step *= shape[axis]
        flat[position] = flat[first]
