"""Sorted vectors and partitions along an axis, for compiled code.

What NumPy has as a C function is a call of it. What is sought among many elements is sought between two elements of a
sample: R. Floyd and R. Rivest, Expected time bounds for selection (1975).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype

from srcad.runtime.orders import order_of
from srcad.runtime.published import external

MANY = 32768  # elements from which on it pays to look at a sample first
_SAMPLE = 8192


def sort_along(a: np.ndarray, axis: int) -> np.ndarray:
    """`np.sort` along a constant axis.

    >>> sort_along(np.array([[3.0, 1.0], [2.0, np.nan]]), 1)
    array([[ 1.,  3.],
           [ 2., nan]])
    """
    return np.sort(a, axis=axis)


def argpartition_along(a: np.ndarray, kth: Any, axis: int) -> np.ndarray:
    """`np.argpartition` along a constant axis: the order may be another one.

    >>> int(argpartition_along(np.array([3.0, 1.0, 2.0]), 0, -1)[0])
    1
    """
    return np.argpartition(a, kth, axis=axis)


def partition_along(a: np.ndarray, kth: Any, axis: int) -> np.ndarray:
    """`np.partition` along a constant axis: the order may be another one."""
    return np.partition(a, kth, axis=axis)


# ---------------------------------------------------------------- sorting


def sorter(dtype: Any) -> Callable:
    """What sorts a contiguous vector in place."""
    sort = external("sort", dtype)
    if sort is None:

        def by_numba(v):
            v[:] = np.sort(v)

        return register_jitable(by_numba)

    def by_numpy(v):
        sort(v.ctypes.data, v.size, 0)

    return register_jitable(by_numpy)


def _along_last(axis: Any, ndim: int) -> tuple[int, ...] | None:
    """The axes with the one that a Numba type stands for at the end; None if it is there."""
    k = axis.literal_value % ndim
    return None if k == ndim - 1 else (*range(k), *range(k + 1, ndim), k)


@overload(sort_along, prefer_literal=True)
def _sort_along(a, axis):
    if not isinstance(axis, types.IntegerLiteral):
        return None
    sort, order, dtype = sorter(a.dtype), _along_last(axis, a.ndim), as_dtype(a.dtype)

    def last(a, axis):
        result = np.empty(a.shape, dtype)
        result[...] = a
        if result.size > 0:
            rows = result.reshape((-1, a.shape[a.ndim - 1]))
            for i in range(rows.shape[0]):
                sort(rows[i])
        return result

    def other(a, axis):
        result = np.empty(a.shape, dtype)
        np.transpose(result, order)[...] = sort_along(np.transpose(a, order), -1)
        return result

    return last if order is None else other


# ---------------------------------------------------------------- samples


def sampler(dtype: Any) -> Callable:
    """What sorts a sample of many elements."""
    sort = sorter(dtype)

    def sampled(v):
        sample = v[:: v.size // _SAMPLE].copy()
        sort(sample)
        return sample

    return register_jitable(sampled)


@register_jitable
def around(sample, n, k):
    """Two elements between which the k-th of n lies, very likely, and whether they bound nothing."""
    middle = min(k, n - 1) * sample.size // n
    # Four standard deviations of how many of the sample are smaller.
    spread = 8 + 4 * int(np.sqrt(middle * (1.0 - middle / sample.size)))
    open_below, open_above = middle < spread, middle + spread >= sample.size
    low, high = sample[max(middle - spread, 0)], sample[min(middle + spread, sample.size - 1)]
    return low, high, open_below, open_above


# ---------------------------------------------------------------- partitions


def _parter(dtype: Any) -> Callable:
    """What writes a vector so that its k-th element is in its place; False where the sample did not tell enough."""
    sort, sampled = sorter(dtype), sampler(dtype)

    def part(v, k, result):
        low, high, open_below, open_above = around(sampled(v), v.size, k)
        between = np.empty(v.size, v.dtype)
        start, end, count = 0, v.size - 1, 0
        for i in range(v.size):
            x = v[i]
            less, more = (x < low) & (not open_below), (x > high) & (not open_above)
            result[start] = result[end] = between[count] = x
            start += 1 if less else 0
            end -= 1 if more else 0
            count += 0 if less | more else 1
        middle = between[:count]
        sort(middle)
        result[start : end + 1] = middle
        return start <= k <= end and result[k] == result[k]

    return register_jitable(part)


def _placer(dtype: Any) -> Callable:
    """As `_parter`, of the places of the elements."""
    sampled = sampler(dtype)

    def part(v, k, result):
        low, high, open_below, open_above = around(sampled(v), v.size, k)
        between = np.empty(v.size, np.int64)
        start, end, count = 0, v.size - 1, 0
        for i in range(v.size):
            x = v[i]
            less, more = (x < low) & (not open_below), (x > high) & (not open_above)
            result[start] = result[end] = between[count] = i
            start += 1 if less else 0
            end -= 1 if more else 0
            count += 0 if less | more else 1
        order = order_of(v[between[:count]])
        for i in range(count):
            result[start + i] = between[order[i]]
        return start <= k <= end and v[result[k]] == v[result[k]]

    return register_jitable(part)


@register_jitable
def _never(v, k, result):
    return False


def _within(kth: Any) -> Callable:
    """What tells whether an order, or each of several, is one that a vector has."""
    if isinstance(kth, types.Integer):
        return register_jitable(lambda kth, size: -size <= kth < size)
    numbers = tuple(k.literal_value for k in kth) if isinstance(kth, types.Tuple) else None

    def each(kth, size):
        for k in kth if numbers is None else numbers:
            if not -size <= k < size:
                return False
        return True

    return register_jitable(each)


def _compile_partition(public: Callable, parter: Callable, whole: Callable, dtype: Callable) -> None:
    """Compile a partition: by a `parter` about one element of many, else all in order, as `whole` gives it."""

    def build(a, kth, axis):
        if not isinstance(axis, types.IntegerLiteral):
            return None
        order, like = _along_last(axis, a.ndim), dtype(a)
        # Numba has no order of single complex numbers.
        parted = _never if isinstance(a.dtype, types.Complex) else parter(a.dtype)
        alone, within = isinstance(kth, types.Integer), _within(kth)

        @register_jitable
        def part(v, kth, result):
            if not within(kth, v.size):
                raise ValueError("kth is out of bounds")
            if alone and v.size >= MANY:
                if parted(v, kth if kth >= 0 else kth + v.size, result):
                    return
            result[:] = whole(v)

        def last(a, kth, axis):
            result = np.empty(a.shape, like)
            for place in np.ndindex(a.shape[:-1]):
                part(a[place], kth, result[place])
            return result

        def vector(a, kth, axis):
            result = np.empty(a.size, like)
            part(a, kth, result)
            return result

        def other(a, kth, axis):
            result = np.empty(a.shape, like)
            np.transpose(result, order)[...] = public(np.transpose(a, order), kth, -1)
            return result

        return other if order is not None else vector if a.ndim == 1 else last

    overload(public, prefer_literal=True)(build)


_compile_partition(argpartition_along, _placer, register_jitable(order_of), lambda a: np.dtype(np.int64))
_compile_partition(partition_along, _parter, register_jitable(lambda v: sort_along(v, 0)), lambda a: as_dtype(a.dtype))
