"""Triangular matrices: equations solved with them, and the factors of a matrix that are such, with their pivots."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype
from scipy import linalg

from srcad.runtime.scipy_linalg_lapack import (
    LOWER, NO, RIGHT, TRANSPOSED, UNIT, UPPER, alive, computed, functions, inexact, option,
)  # fmt: skip


def solve_triangle(a: np.ndarray, b: np.ndarray, lower: bool, unit: bool) -> np.ndarray:
    """The solution of equations whose matrix is one triangle of `a`, or of each of a stack; with ones on its diagonal.

    >>> solve_triangle(np.array([[2.0, 7.0], [1.0, 4.0]]), np.array([2.0, 9.0]), True, False)
    array([1., 2.])
    """
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    matrices, right = np.broadcast_to(a, stack + a.shape[-2:]), np.broadcast_to(b, stack + b.shape[-2:])
    x = np.empty(right.shape, inexact(a, b))
    for place in np.ndindex(stack):
        x[place] = linalg.solve_triangular(
            matrices[place], right[place], lower=lower, unit_diagonal=unit, check_finite=False
        )
    return x


def lu_parts(a: np.ndarray) -> np.ndarray:
    """The factors of a square matrix, or of each of a stack: the pivots as a row, then both triangles in one matrix.

    The rows that were swapped with each row in turn are the pivots; the diagonal of the lower triangle is made of ones.

    >>> lu_parts(np.array([[1.0, 2.0], [2.0, 6.0]]))
    array([[ 1. ,  1. ],
           [ 2. ,  6. ],
           [ 0.5, -1. ]])
    """
    if a.shape[-2] != a.shape[-1]:
        raise ValueError("scipy.linalg.lu: the matrix is not square")
    y = np.empty((*a.shape[:-2], a.shape[-1] + 1, a.shape[-1]), inexact(a))
    for place in np.ndindex(a.shape[:-2]):
        one = y[place]
        one[1:], one[0] = linalg.lu_factor(a[place], check_finite=False)
    return y


def row_order(a: np.ndarray) -> np.ndarray:
    """The order that pivoting gives the rows of a matrix of any shape, or of each of a stack.

    >>> row_order(np.array([[1.0, 2.0], [2.0, 6.0], [3.0, 0.0]]))
    array([2, 1, 0])
    """
    order = np.empty(a.shape[:-1], np.int64)
    for place in np.ndindex(a.shape[:-2]):
        order[place] = np.argsort(linalg.lu(a[place], p_indices=True, check_finite=False)[0])
    return order


def order_of_pivots(pivots: np.ndarray) -> np.ndarray:
    """The order of the rows after all swaps, for each row of a stack; pivots may be numbers of any dtype.

    >>> order_of_pivots(np.array([2, 2, 2]))
    array([2, 0, 1])
    """
    order = np.empty(pivots.shape, np.int64)
    for place in np.ndindex(pivots.shape[:-1]):
        order[place] = _order(pivots[place])
    return order


# ---------------------------------------------------------------- compiled

_TRSM, _TRSV = functions("trsm", 11, "cython_blas"), functions("trsv", 8, "cython_blas")
_GETRF = functions("getrf", 6)


@register_jitable
def _order(pivots):
    order = np.arange(pivots.shape[0])
    for i in range(pivots.shape[0]):
        j = int(np.real(pivots[i]))
        order[i], order[j] = order[j], order[i]
    return order


@overload(order_of_pivots)
def _order_of_pivots(pivots):
    if pivots.ndim == 1:
        return lambda pivots: _order(pivots)

    def each(pivots):
        order = np.empty(pivots.shape, np.int64)
        for place in np.ndindex(pivots.shape[:-1]):
            order[place] = _order(pivots[place])
        return order

    return each


@register_jitable
def _checked(a, x, unit):
    if a.shape[0] != a.shape[1] or a.shape[0] != x.shape[0]:
        raise ValueError("solve_triangular: the shapes of a and b are incompatible")
    if not unit:
        for k in range(a.shape[0]):
            if a[k, k] == 0:
                raise np.linalg.LinAlgError("solve_triangular: the matrix is singular")


def _solver(dtype, vector):
    """What overwrites a right side, by rows, with the solution; rows or columns of the matrix are contiguous."""
    many, one = _TRSM[dtype], _TRSV[dtype]
    factor = np.ones(1, as_dtype(dtype))

    @register_jitable
    def solve(a, x, lower, unit):
        rows = a.strides[1] == a.itemsize
        step = (a.strides[0] if rows else a.strides[1]) // a.itemsize
        width = 1 if vector else x.size // x.shape[0]
        sizes = np.array([a.shape[0], max(step, a.shape[0]), width, 1], np.int32)
        n = sizes.ctypes.data
        half, diagonal = option(LOWER if lower != rows else UPPER), option(UNIT if unit else NO)
        if vector:
            turned = option(TRANSPOSED if rows else NO)
            one(half, turned, diagonal, n, a.ctypes.data, n + 4, x.ctypes.data, n + 12)
        else:  # by rows, it is the transpose that is to be divided by the transpose, from the right
            turned = option(NO if rows else TRANSPOSED)
            many(option(RIGHT), half, turned, diagonal, n + 8, n, factor.ctypes.data, a.ctypes.data, n + 4,
                 x.ctypes.data, n + 8)  # fmt: skip
        alive(a, x, sizes)

    @register_jitable
    def run(a, x, lower, unit):
        _checked(a, x, unit)
        if x.size == 0:
            return
        least, (down, right) = a.shape[0] * a.itemsize, a.strides
        if (down == a.itemsize and right >= least) or (right == a.itemsize and down >= least):
            solve(a, x, lower, unit)
        else:
            solve(np.ascontiguousarray(a), x, lower, unit)

    return run


@overload(solve_triangle)
def _solve_triangle(a, b, lower, unit):
    dtype = computed(a.dtype, b.dtype)
    own, run, same = as_dtype(dtype), _solver(dtype, b.ndim == 1), dtype == a.dtype
    if a.ndim == 2 and b.ndim <= 2:

        def alone(a, b, lower, unit):
            x = np.empty(b.shape, own)
            x[:] = b
            run(a if same else a.astype(own), x, lower, unit)
            return x

        return alone

    def each(a, b, lower, unit):
        stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        matrices = np.broadcast_to(a, stack + a.shape[-2:])
        x = np.empty(stack + b.shape[-2:], own)
        x[:] = b
        for place in np.ndindex(stack):
            run(matrices[place].astype(own), x[place], lower, unit)
        return x

    return each


def _eliminated(dtype):
    """What gives the factors of a matrix, by columns, and the rows that were swapped with each row in turn."""
    own, factor = as_dtype(dtype), _GETRF[dtype]

    @register_jitable
    def run(a):
        m, n = a.shape
        turned, pivots = np.empty((n, m), own), np.zeros(m + 1, np.int32)
        turned[:] = a.T
        size = np.array([m, n, 0], np.int32)
        if a.size > 0:
            rows = size.ctypes.data
            factor(rows, rows + 4, turned.ctypes.data, rows, pivots.ctypes.data, rows + 8)
        alive(turned, pivots, size)
        return turned, pivots[: min(m, n)] - 1

    return own, run


@overload(lu_parts)
def _lu_parts(a):
    own, eliminated = _eliminated(computed(a.dtype))

    @register_jitable
    def one(a, y):
        if a.shape[1] != a.shape[0]:
            raise ValueError("scipy.linalg.lu: the matrix is not square")
        turned, pivots = eliminated(a)
        y[1:] = turned.T
        for k in range(a.shape[0]):
            y[0, k] = pivots[k]

    def alone(a):
        y = np.empty((a.shape[0] + 1, a.shape[1]), own)
        one(a, y)
        return y

    def each(a):
        y = np.empty(a.shape[:-2] + (a.shape[-1] + 1, a.shape[-1]), own)
        for place in np.ndindex(a.shape[:-2]):
            one(a[place], y[place])
        return y

    return alone if a.ndim == 2 else each


@overload(row_order)
def _row_order(a):
    _, eliminated = _eliminated(computed(a.dtype))

    @register_jitable
    def one(a, order):
        for i in range(a.shape[0]):
            order[i] = i
        for i, j in enumerate(eliminated(a)[1]):
            order[i], order[j] = order[j], order[i]

    def alone(a):
        order = np.empty(a.shape[0], np.int64)
        one(a, order)
        return order

    def each(a):
        order = np.empty(a.shape[:-1], np.int64)
        for place in np.ndindex(a.shape[:-2]):
            one(a[place], order[place])
        return order

    return alone if a.ndim == 2 else each
