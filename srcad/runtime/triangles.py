"""The factorisation of a square matrix into triangles, with pivots: ``a[order] == lower @ upper``."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable


def lu_packed(a: np.ndarray) -> np.ndarray:
    """Both triangles in one matrix; the diagonal of the lower one is made of ones.

    >>> lu_packed(np.array([[1.0, 2.0], [2.0, 6.0]]))
    array([[ 2. ,  6. ],
           [ 0.5, -1. ]])
    """
    from scipy import linalg

    return linalg.lu_factor(a, check_finite=False)[0]


def lu_pivots(a: np.ndarray) -> np.ndarray:
    """The rows that were swapped with each row in turn.

    >>> lu_pivots(np.array([[1.0, 2.0], [2.0, 6.0]]))
    array([1, 1])
    """
    from scipy import linalg

    return linalg.lu_factor(a, check_finite=False)[1].astype(np.int64)


@register_jitable
def order_of_pivots(pivots: np.ndarray) -> np.ndarray:
    """The order of the rows after all swaps.

    >>> order_of_pivots(np.array([2, 2, 2]))
    array([2, 0, 1])
    """
    order = np.arange(pivots.shape[0])
    for i in range(pivots.shape[0]):
        j = pivots[i]
        order[i], order[j] = order[j], order[i]
    return order


@register_jitable
def _eliminated(a):
    """Both triangles and the pivots, by rows, as LAPACK chooses them: the largest element of each column."""
    y, n = a.copy(), a.shape[0]
    pivots = np.arange(n)
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(y[i, k]) > abs(y[best, k]):
                best = i
        pivots[k] = best
        if best != k:
            for j in range(n):
                y[k, j], y[best, j] = y[best, j], y[k, j]
        for i in range(k + 1, n):
            if y[k, k] != 0:
                y[i, k] /= y[k, k]
            for j in range(k + 1, n):
                y[i, j] -= y[i, k] * y[k, j]
    return y, pivots


@overload(lu_packed)
def _lu_packed(a):
    return lambda a: _eliminated(a)[0]


@overload(lu_pivots)
def _lu_pivots(a):
    return lambda a: _eliminated(a)[1]
