"""Stable orders of vectors and places among sorted numbers, for compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from srcad.runtime.published import external

_SHORT = 48
_BLOCK = 2048  # elements that stay in the cache


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


def true_places(mask: np.ndarray) -> np.ndarray:
    """`np.flatnonzero` of truth values.

    >>> true_places(np.array([True, False, True]))
    array([0, 2])
    """
    return np.flatnonzero(mask)


def counted(x: np.ndarray, weights: Any, minlength: Any) -> np.ndarray:
    """`np.bincount`, which raises for any number below zero; Numba's does not look at the first one.

    >>> counted(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 0)
    array([1., 0., 5.])
    """
    return np.bincount(x, weights, minlength)


# ---------------------------------------------------------------- compiled


@overload(counted)
def _counted(x, weights, minlength):
    def counts(x, weights, minlength):
        if x.size > 0 and x[0] < 0:
            raise ValueError("'list' argument must have no negative elements")
        return np.bincount(x, weights, minlength)

    return counts


@overload(true_places)
def _true_places(mask):
    def places(mask):
        flat, count = np.ascontiguousarray(mask).reshape(-1), 0
        for k in range(flat.size):
            count += flat[k]
        # Each place is written down, and stays where it is true: no jump is foretold wrongly.
        result, n = np.empty(count + 1, np.int64), 0
        for k in range(flat.size):
            result[n] = k
            n += flat[k]
        return result[:count]

    return places



@overload(order_of)
def _order_of(v):
    fast, sort = external("argsort", v.dtype), external("sort", types.int64)
    if fast is None:
        return lambda v: np.argsort(v, kind="mergesort")

    def by_numpy(v):
        if v.size < _SHORT:
            return _inserted(v)
        source, order = np.ascontiguousarray(v), np.arange(v.size)
        fast(source.ctypes.data, order.ctypes.data, v.size, 0)
        # Equal elements are in no order yet.
        start, x = 0, source[order[0]]
        for i in range(1, v.size + 1):
            y = source[order[min(i, v.size - 1)]]
            if i == v.size or not (x == y or (x != x and y != y)):
                if i - start > 1:
                    sort(order[start:].ctypes.data, i - start, 0)
                start, x = i, y
        return order

    return by_numpy


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


def _places_in_complex(many: bool) -> Callable:
    """The search for Numba, which orders complex numbers of double precision alone."""
    wide = register_jitable((lambda x: x.astype(np.complex128)) if many else (lambda x: np.complex128(x)))

    def ordered(a, v, side="left"):
        if side == "right":
            return np.searchsorted(a.astype(np.complex128), wide(v), "right")
        return np.searchsorted(a.astype(np.complex128), wide(v), "left")

    return ordered


@overload(places_in)
def _places_in(a, v, side="left"):
    if isinstance(a.dtype, types.Complex):
        return _places_in_complex(isinstance(v, types.Array))
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


def even_bins(v: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """The bin of each number of a vector, between edges that are evenly spaced; the last one has both its edges.

    >>> even_bins(np.array([0.0, 0.9, 2.0]), np.array([0.0, 1.0, 2.0]))
    array([0, 0, 1])
    """
    return np.minimum(np.searchsorted(edges, v, side="right") - 1, edges.size - 2)


@overload(even_bins)
def _even_bins(v, edges):
    def estimated(v, edges):
        count = edges.size - 1
        first, scale = edges[0], count / (edges[count] - edges[0])
        result = np.empty(v.size, np.int64)
        for i in range(v.size):
            x = v[i]
            part = (x - first) * scale
            # What rounding has put into a neighbouring bin goes back.
            k = int(part) if 0.0 <= part < count else count - 1
            while k > 0 and x < edges[k]:
                k -= 1
            while k < count - 1 and x >= edges[k + 1]:
                k += 1
            result[i] = k
        return result

    return estimated


def convolved(a: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`np.convolve` of vectors of floats, whole.

    >>> convolved(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([1., 3., 2.])
    """
    return np.convolve(a, v)


@overload(convolved)
def _convolved(a, v):
    def whole(a, v):
        if a.size == 0 or v.size == 0:
            raise ValueError("a convolution or a correlation with no elements")
        result = np.empty(a.size + v.size - 1, a.dtype)
        long, short = (v, a) if a.size < v.size else (a, v)
        n, m = long.size, short.size
        _slide(long, short[::-1], result[m - 1 : n])
        # Where they overlap in part.
        result[: m - 1] = 0
        result[n:] = 0
        for j in range(m):
            factor = short[j]
            for i in range(m - 1 - j):
                result[i + j] += long[i] * factor
            for i in range(n - j, n):
                result[i + j] += long[i] * factor
        return result

    return whole


@register_jitable
def _slide(long, short, result):
    """The products of a short vector with all parts of a long one, eight elements at a time."""
    m = short.size
    rest = m % 8
    for start in range(0, result.size, _BLOCK):
        block = result[start : start + _BLOCK]
        n = block.size
        if rest == 0:
            block[:] = 0
        for j in range(rest):
            f, part = short[j], long[start + j : start + j + n]
            if j == 0:
                for i in range(n):
                    block[i] = part[i] * f
            else:
                for i in range(n):
                    block[i] += part[i] * f
        for j in range(rest, m, 8):
            f, g, h, k = short[j], short[j + 1], short[j + 2], short[j + 3]
            p, q, r, s = short[j + 4], short[j + 5], short[j + 6], short[j + 7]
            part = long[start + j : start + j + n + 7]
            for i in range(n):
                first = part[i] * f + part[i + 1] * g + (part[i + 2] * h + part[i + 3] * k)
                second = part[i + 4] * p + part[i + 5] * q + (part[i + 6] * r + part[i + 7] * s)
                block[i] += first + second


def correlated(a: np.ndarray, v: np.ndarray) -> np.ndarray:
    """`np.correlate` of a vector with one that is no longer, where they overlap wholly.

    >>> correlated(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0]))
    array([3., 5.])
    """
    return np.correlate(a, v, "valid")


@overload(correlated)
def _correlated(a, v):
    def valid(a, v):
        if v.size == 0:
            raise ValueError("a convolution or a correlation with no elements")
        result = np.empty(a.size - v.size + 1, a.dtype)
        if result.size < v.size:
            long, short = np.ascontiguousarray(a), np.ascontiguousarray(v)
            for i in range(result.size):
                result[i] = np.dot(long[i : i + v.size], short)
        else:
            _slide(a, v, result)
        return result

    return valid
