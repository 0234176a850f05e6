"""Order statistics along the last axis, for compiled code.

Several of one vector share what they can: the sample of many elements, and the part of the order near the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from srcad.runtime.orders import order_of
from srcad.runtime.sorts import MANY, around, sampler, sorter

_SOUGHT = 6  # parts of an order; where more are asked for, all of it is cheaper
_BLOCK = 512
_OF_NONE = "an order statistic of no elements"


def nth_smallest(a: np.ndarray, k: np.ndarray, numbers: bool = False) -> np.ndarray:
    """Where the k-th smallest elements are along the last axis, for each of the orders `k`, or those of each row.

    The first of equal ones. Where some are not numbers, the first of these; with `numbers`, they come last.

    >>> nth_smallest(np.array([3.0, 1.0, 2.0]), np.array([1, 0]))
    array([2, 1])
    >>> nth_smallest(np.array([[3.0, 1.0], [np.nan, 0.0]]), np.array([0]))
    array([[1],
           [0]])
    >>> nth_smallest(np.array([[3.0, 1.0], [np.nan, 0.0]]), np.array([[1], [0]]), True)
    array([[0],
           [1]])
    """
    if a.shape[-1] == 0:
        raise ValueError(_OF_NONE)
    orders = np.broadcast_to(k, (*a.shape[:-1], k.shape[-1]))
    wanted = np.take_along_axis(np.sort(a, axis=-1), np.minimum(orders, a.shape[-1] - 1), -1)
    gaps = np.isnan(a)
    places = np.empty(orders.shape, np.int64)
    for j in range(k.shape[-1]):
        x = wanted[..., j : j + 1]
        places[..., j] = np.argmax(np.where(np.isnan(x), gaps, a == x), axis=-1)
    return places if numbers else np.where(gaps.any(axis=-1, keepdims=True), gaps.argmax(axis=-1)[..., None], places)


def _selector(dtype: Any) -> Callable:
    """What writes the elements of some orders of a vector of numbers."""
    sort, sampled = sorter(dtype), sampler(dtype)

    @register_jitable
    def in_order(v):
        ordered = v.copy()
        sort(ordered)
        return ordered

    def select_sorted(v, orders, result):
        result[:] = in_order(v)[orders]

    if isinstance(dtype, types.Complex):
        return register_jitable(select_sorted)

    @register_jitable
    def near(v, sample, k):
        """Those next to the k-th in their order, and how many are smaller than all of them."""
        low, high, open_below, open_above = around(sample, v.size, k)
        between, count, below = np.empty(v.size, v.dtype), 0, 0
        for i in range(v.size):
            x = v[i]
            less, more = (x < low) & (not open_below), (x > high) & (not open_above)
            between[count] = x
            count += 0 if less | more else 1
            below += 1 if less else 0
        found = between[:count]
        sort(found)
        return found, below

    def select(v, orders, result):
        many = v.size >= MANY
        sample = sampled(v) if many else v[:0].copy()
        known, below, sought = sample[:0] if many else in_order(v), 0, 0
        for j in order_of(orders):
            k = orders[j]
            if not below <= k < below + known.size and sought < _SOUGHT:
                known, below = near(v, sample, k)
                sought += 1
            if not below <= k < below + known.size:
                known, below = in_order(v), 0
            result[j] = known[k - below]

    return register_jitable(select)


@register_jitable
def _first(v, x):
    """The place of the first element that is x, also if x is not a number; the number of elements if none is."""
    gap = x != x
    for start in range(0, v.size, _BLOCK):
        part, found = v[start : start + _BLOCK], False
        for i in range(part.size):
            found |= (part[i] == x) | (gap & (part[i] != part[i]))
        if found:
            for i in range(part.size):
                if part[i] == x or (gap and part[i] != part[i]):
                    return start + i
    return v.size


@overload(nth_smallest)
def _nth_smallest(a, k, numbers=False):
    select, gap = _selector(a.dtype), np.nan if isinstance(a.dtype, (types.Float, types.Complex)) else 0
    orders_of = register_jitable((lambda k, place: k[place]) if k.ndim > 1 else (lambda k, place: k))

    @register_jitable
    def row(v, orders, numbers, result):
        first = _first(v, gap) if gap != gap else v.size
        if first < v.size and not numbers:
            result[:] = first
            return
        given = v if first == v.size else v[v == v]
        found = np.empty(orders.size, v.dtype)
        if given.size > 0:
            select(given, np.minimum(orders, given.size - 1), found)
        for j in range(orders.size):
            result[j] = _first(v, found[j]) if orders[j] < given.size else first

    def vector(a, k, numbers=False):
        if a.size == 0:
            raise ValueError(_OF_NONE)
        result = np.empty(k.size, np.int64)
        row(a, k, numbers, result)
        return result

    def lanes(a, k, numbers=False):
        if a.shape[-1] == 0:
            raise ValueError(_OF_NONE)
        result = np.empty(a.shape[:-1] + k.shape[-1:], np.int64)
        for place in np.ndindex(a.shape[:-1]):
            row(a[place], orders_of(k, place), numbers, result[place])
        return result

    return vector if a.ndim == 1 else lanes
