"""Stable orders of vectors and places among sorted numbers, for compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

_BITS = 11
_SHORT = 48


def order_of(v: np.ndarray) -> np.ndarray:
    """The stable order of a vector; what is not a number comes last.

    >>> order_of(np.array([2.0, np.nan, 1.0, 2.0]))
    array([2, 0, 3, 1])
    """
    return np.argsort(v, kind="stable")


def places_in(a: np.ndarray, v: np.ndarray, side: Any = "left") -> np.ndarray:
    """`np.searchsorted` of an array of numbers.

    >>> places_in(np.array([1.0, 2.0]), np.array([0.0, 1.0, 2.5]), "right")
    array([0, 1, 2])
    """
    return np.searchsorted(a, v, side=side)


# ---------------------------------------------------------------- compiled


@overload(order_of)
def _order_of(v):
    if isinstance(v.dtype, types.Float):
        bits = np.uint32 if v.dtype.bitwidth == 32 else np.uint64
        passes = -(-v.dtype.bitwidth // _BITS)
        sign = bits(1 << (v.dtype.bitwidth - 1))

        def by_digits(v):
            if v.size < _SHORT:
                return _inserted(v)
            # Zero of either sign is one number, and adding zero makes it so. The bits of floats are in order if the
            # negative ones are turned round.
            keys = (np.ascontiguousarray(v) + v.dtype.type(0)).view(bits)
            for i in range(keys.size):
                key = keys[i]
                keys[i] = ~key if key & sign else key | sign
                if v[i] != v[i]:
                    keys[i] = ~bits(0)
            return _by_digits(keys, passes)

        return by_digits
    return lambda v: np.argsort(v, kind="mergesort")


@register_jitable
def _inserted(v):
    """Insertion sort."""
    order = np.empty(v.size, np.int64)
    for i in range(v.size):
        x, j = v[i], i
        while j > 0 and (x < v[order[j - 1]] or (v[order[j - 1]] != v[order[j - 1]] and x == x)):
            order[j] = order[j - 1]
            j -= 1
        order[j] = i
    return order


@register_jitable
def _by_digits(keys, passes):
    """Radix sort, from the last digit of eleven bits to the first; a digit that all keys share is passed over."""
    n = keys.size
    order, other = np.arange(n), np.empty(n, np.int64)
    spare = np.empty_like(keys)
    starts = np.empty(1 << _BITS, np.int64)
    mask = keys.dtype.type((1 << _BITS) - 1)
    for digit in range(passes):
        shift = keys.dtype.type(_BITS * digit)
        starts[:] = 0
        for i in range(n):
            starts[(keys[i] >> shift) & mask] += 1
        if starts[(keys[0] >> shift) & mask] == n:
            continue
        total = 0
        for k in range(starts.size):
            starts[k], total = total, total + starts[k]
        for i in range(n):
            k = (keys[i] >> shift) & mask
            place = starts[k]
            starts[k] = place + 1
            spare[place] = keys[i]
            other[place] = order[i]
        keys, spare = spare, keys
        order, other = other, order
    return order


@register_jitable
def _before(a, x):
    """How many of sorted numbers are less; the steps do not depend on the numbers, which keeps processors going."""
    low, n = 0, a.size
    while n > 1:
        half = n // 2
        low += half if a[low + half - 1] < x else 0
        n -= half
    return low + (1 if n == 1 and a[low] < x else 0)


@register_jitable
def _after(a, x):
    """How many of sorted numbers are not greater."""
    low, n = 0, a.size
    while n > 1:
        half = n // 2
        low += half if a[low + half - 1] <= x else 0
        n -= half
    return low + (1 if n == 1 and a[low] <= x else 0)


@overload(places_in)
def _places_in(a, v, side="left"):
    if not isinstance(v, types.Array):
        return lambda a, v, side="left": np.searchsorted(a, v, side)

    def each(a, v, side="left"):
        right = side == "right"
        result = np.empty(v.shape, np.int64)
        flat = result.reshape(-1)
        for k, x in enumerate(v.flat):
            flat[k] = np.searchsorted(a, x, side) if x != x else _after(a, x) if right else _before(a, x)
        return result

    return each


def convolved(a: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`np.convolve` of vectors of floats, whole.

    >>> convolved(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([1., 3., 2.])
    """
    return np.convolve(a, v)


@overload(convolved)
def _convolved(a, v):
    def whole(a, v):
        result = np.zeros(a.size + v.size - 1, a.dtype)
        if a.size < v.size:
            _spread(v, a, result)
        else:
            _spread(a, v, result)
        return result

    return whole


@register_jitable
def _spread(long, short, result):
    for j in range(short.size):
        factor = short[j]
        for i in range(long.size):
            result[i + j] += long[i] * factor


def correlated(a: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`np.correlate` of a vector with one that is no longer, where they overlap wholly.

    >>> correlated(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0]))
    array([3., 5.])
    """
    return np.correlate(a, v, "valid")


@overload(correlated)
def _correlated(a, v):
    def valid(a, v):
        result = np.zeros(a.size - v.size + 1, a.dtype)
        if result.size < v.size:
            long, short = np.ascontiguousarray(a), np.ascontiguousarray(v)
            for i in range(result.size):
                result[i] = np.dot(long[i : i + v.size], short)
        else:
            for j in range(v.size):
                factor = v[j]
                for i in range(result.size):
                    result[i] += a[i + j] * factor
        return result

    return valid
