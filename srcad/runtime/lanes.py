"""What NumPy does to each vector along an axis, and Numba to vectors only: orders, partial sums, gathers, scatters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from srcad.runtime.orders import order_of


def argsort_along(a: np.ndarray, axis: int) -> np.ndarray:
    """`np.argsort` along a constant axis; equal elements stay in order.

    >>> argsort_along(np.array([[3.0, 1.0], [2.0, 2.0]]), 1)
    array([[1, 0],
           [0, 1]])
    """
    return np.argsort(a, axis=axis, kind="stable")


def cumsum_along(a: np.ndarray, axis: int) -> np.ndarray:
    """`np.cumsum` along a constant axis."""
    return np.cumsum(a, axis=axis)


def take_along(a: np.ndarray, indices: np.ndarray, axis: int) -> np.ndarray:
    """`np.take_along_axis` along a constant axis.

    >>> take_along(np.array([[3.0, 1.0]]), np.array([[1, 1, 0]]), 1)
    array([[1., 1., 3.]])
    """
    return np.take_along_axis(a, indices, axis)


def added_along(values: np.ndarray, indices: np.ndarray, like: np.ndarray, axis: int) -> np.ndarray:
    """Zeros as long as `like` along an axis, and otherwise as `values`, which are added at `indices` along it.

    >>> added_along(np.array([[1.0, 2.0, 4.0]]), np.array([[0, 2, 0]]), np.zeros((1, 3)), 1)
    array([[5., 0., 2.]])
    """
    k = axis % like.ndim
    result = np.zeros((*values.shape[:k], like.shape[k], *values.shape[k + 1 :]), values.dtype)
    places: list[np.ndarray] = list(np.indices(values.shape, sparse=True))
    places[k] = indices
    np.add.at(result, tuple(places), values)
    return result


def rolled(a: np.ndarray, shift: int, axis: int) -> np.ndarray:
    """`np.roll` along a constant axis.

    >>> rolled(np.array([[1.0, 2.0, 3.0]]), 1, 1)
    array([[3., 1., 2.]])
    """
    return np.roll(a, shift, axis=axis)


def rolled_over(a: np.ndarray, shifts: tuple[int, ...]) -> np.ndarray:
    """`np.roll` with a shift for each of two axes or more.

    >>> rolled_over(np.arange(6.0).reshape(2, 3), (1, 2))
    array([[4., 5., 3.],
           [1., 2., 0.]])
    """
    return np.roll(a, shifts, axis=tuple(range(a.ndim)))


def lower_triangle(a: np.ndarray, k: int = 0) -> np.ndarray:
    """`np.tril` of matrices.

    >>> lower_triangle(np.ones((2, 2)))
    array([[1., 0.],
           [1., 1.]])
    """
    return np.tril(a, k)


def upper_triangle(a: np.ndarray, k: int = 0) -> np.ndarray:
    """`np.triu` of matrices."""
    return np.triu(a, k)


# ---------------------------------------------------------------- compiled


def _order(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes with the one that a Numba type stands for at the end."""
    k = axis.literal_value % ndim
    return (*range(k), *range(k + 1, ndim), k)


def _order_back(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that undo this order."""
    k = axis.literal_value % ndim
    return (*range(k), ndim - 1, *range(k, ndim - 1))


def _compile(public: Callable, kernel: Callable, dtype: Callable) -> None:
    """Compile ``public(a, ..., axis)`` as a kernel that fills each vector of the result, of the shape of `a`."""

    def build(a, axis):
        if not isinstance(axis, types.IntegerLiteral):
            return None
        order, like = _order(axis, a.ndim), dtype(a)
        if a.ndim == 1:

            def whole(a, axis):
                result = np.empty(a.shape, like)
                kernel(a, result)
                return result

            return whole

        def lanes(a, axis):
            result = np.empty(a.shape, like)
            source, target = np.transpose(a, order), np.transpose(result, order)
            for place in np.ndindex(source.shape[:-1]):
                kernel(source[place], target[place])
            return result

        return lanes

    overload(public, prefer_literal=True)(build)


@register_jitable
def _argsort(v, result):
    result[:] = order_of(v)


@register_jitable
def _cumsum(v, result):
    total = result.dtype.type(0)
    for k in range(v.size):
        total += v[k]
        result[k] = total


def _own(a: types.Array) -> np.dtype:
    from numba.np.numpy_support import as_dtype

    return as_dtype(a.dtype)


_compile(argsort_along, _argsort, lambda a: np.dtype(np.int64))
_compile(cumsum_along, _cumsum, lambda a: np.cumsum(np.ones(1, _own(a))).dtype)


@overload(take_along, prefer_literal=True)
def _take_along(a, indices, axis):
    if not isinstance(axis, types.IntegerLiteral):
        return None
    if a.ndim == 1:
        return lambda a, indices, axis: a[indices]
    order, back = _order(axis, a.ndim), _order_back(axis, a.ndim)

    def lanes(a, indices, axis):
        one_each = np.transpose(np.transpose(a, order)[..., :1], back)
        result = np.empty(np.broadcast_shapes(one_each.shape, indices.shape), a.dtype)
        target = np.transpose(result, order)
        source = np.broadcast_to(np.transpose(a, order), target.shape[:-1] + np.transpose(a, order).shape[-1:])
        where = np.broadcast_to(np.transpose(indices, order), target.shape)
        for place in np.ndindex(target.shape[:-1]):
            lane, out, index = source[place], target[place], where[place]
            for k in range(index.size):
                out[k] = lane[index[k]]
        return result

    return lanes


@overload(added_along, prefer_literal=True)
def _added_along(values, indices, like, axis):
    if not isinstance(axis, types.IntegerLiteral):
        return None
    order, back, ones = _order(axis, like.ndim), _order_back(axis, like.ndim), (1,) * (like.ndim - 1)

    def lanes(values, indices, like, axis):
        lane = np.transpose(np.empty(ones + np.transpose(like, order).shape[-1:], np.bool_), back)
        one_each = np.transpose(np.transpose(values, order)[..., :1], back)
        result = np.zeros(np.broadcast_shapes(lane.shape, one_each.shape), values.dtype)
        source, target = np.transpose(values, order), np.transpose(result, order)
        where = np.broadcast_to(np.transpose(indices, order), source.shape)
        for place in np.ndindex(where.shape[:-1]):
            lane, out, index = source[place], target[place], where[place]
            for k in range(index.size):
                out[index[k]] += lane[k]
        return result

    def whole(values, indices, like, axis):
        result = np.zeros(like.shape, values.dtype)
        for k in range(indices.size):
            result[indices[k]] += values[k]
        return result

    return whole if like.ndim == 1 else lanes


@overload(rolled, prefer_literal=True)
def _rolled(a, shift, axis):
    if not isinstance(axis, types.IntegerLiteral):
        return None
    head = axis.literal_value % a.ndim

    def along(a, shift, axis):
        result = np.empty(a.shape, a.dtype)
        n = a.shape[head]
        if result.size > 0:
            # What lies behind the axis moves with it: rows that turn by so many elements.
            behind = 1
            for k in range(head + 1, a.ndim):
                behind *= a.shape[k]
            source, target = np.ascontiguousarray(a).reshape((-1, n * behind)), result.reshape((-1, n * behind))
            start = shift % n * behind
            for i in range(source.shape[0]):
                target[i, start:] = source[i, : n * behind - start]
                target[i, :start] = source[i, n * behind - start :]
        return result

    return along


@overload(rolled_over)
def _rolled_over(a, shifts):
    ndim = a.ndim

    def over(a, shifts):
        result = np.empty(a.shape, a.dtype)
        m, n = a.shape[ndim - 2], a.shape[ndim - 1]
        if result.size > 0:
            source, target = np.ascontiguousarray(a).reshape((-1, n)), result.reshape((-1, n))
            down, right = shifts[ndim - 2] % m, shifts[ndim - 1] % n
            for matrix in range(source.shape[0] // m):
                first, rest, step = 0, matrix, m
                for k in range(ndim - 3, -1, -1):
                    first += (rest + shifts[k]) % a.shape[k] * step
                    rest //= a.shape[k]
                    step *= a.shape[k]
                for i in range(m):
                    row = first + (i + down if i + down < m else i + down - m)
                    for j in range(n - right):
                        target[row, right + j] = source[matrix * m + i, j]
                    for j in range(right):
                        target[row, j] = source[matrix * m + i, n - right + j]
        return result

    return over


def _triangle(lower):
    """What copies of each row the elements before the diagonal and on it, or those from there on."""

    def rows(a, k=0):
        result = np.zeros(a.shape, a.dtype)
        m, n = a.shape[a.ndim - 2], a.shape[a.ndim - 1]
        if result.size > 0:
            source, target = np.ascontiguousarray(a).reshape((-1, n)), result.reshape((-1, n))
            for i in range(source.shape[0]):
                if lower:
                    stop = min(max(i % m + k + 1, 0), n)
                    target[i, :stop] = source[i, :stop]
                else:
                    start = min(max(i % m + k, 0), n)
                    target[i, start:] = source[i, start:]
        return result

    return rows


@overload(lower_triangle)
def _lower_triangle(a, k=0):
    return _triangle(True)


@overload(upper_triangle)
def _upper_triangle(a, k=0):
    return _triangle(False)
