"""Determinants and inverses of matrices of few rows by elimination, where calling LAPACK takes longer than that."""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

SMALL = 8  # rows


@register_jitable
def is_small(a: np.ndarray) -> bool:
    """Whether a matrix is square and has few rows, but some.

    >>> is_small(np.eye(3)), is_small(np.ones((2, 3))), is_small(np.eye(20))
    (True, False, False)
    """
    return a.shape[0] == a.shape[1] and 0 < a.shape[0] <= SMALL


@register_jitable
def det_of(a: np.ndarray) -> float:
    """The determinant of a matrix of any size; an error if it has none.

    >>> float(det_of(np.eye(3)))
    1.0
    """
    return determinant(a) if is_small(a) else np.linalg.det(np.ascontiguousarray(a))


@register_jitable
def log_abs_det_of(a: np.ndarray) -> float:
    """The logarithm of the absolute value of `det_of`.

    >>> float(log_abs_det_of(np.eye(3)))
    0.0
    """
    return log_of_determinant(a) if is_small(a) else np.linalg.slogdet(np.ascontiguousarray(a))[1]


@register_jitable
def inverse_of(a: np.ndarray) -> np.ndarray:
    """The inverse of a matrix of any size; an error if it has none.

    >>> inverse_of(np.array([[2.0]]))
    array([[0.5]])
    """
    if is_small(a):
        inverse, det = inverse_and_determinant(a)
        if det != 0.0:
            return inverse
    return np.linalg.inv(np.ascontiguousarray(a))


@register_jitable
def determinant(a: np.ndarray) -> float:
    """The determinant of a small matrix.

    >>> float(determinant(np.array([[0.0, 2.0], [3.0, 1.0]])))
    -6.0
    """
    pivots, odd = _triangle(a)
    product = pivots[0, 0]
    for k in range(1, pivots.shape[0]):
        product *= pivots[k, k]
    return -product if odd else product


@register_jitable
def log_of_determinant(a: np.ndarray) -> float:
    """The logarithm of the absolute value of the determinant of a small matrix, minus infinity if that is zero.

    >>> float(log_of_determinant(np.eye(2)))
    0.0
    """
    pivots, _ = _triangle(a)
    total = np.log(abs(pivots[0, 0]))
    for k in range(1, pivots.shape[0]):
        total += np.log(abs(pivots[k, k]))
    return total


@register_jitable
def inverse_and_determinant(a: np.ndarray) -> tuple[np.ndarray, float]:
    """The inverse of a small matrix, and its determinant; where a pivot is zero, that is zero and the inverse nothing.

    >>> inverse, det = inverse_and_determinant(np.array([[0.0, 2.0], [4.0, 1.0]]))
    >>> inverse, float(det)
    (array([[-0.125,  0.25 ],
           [ 0.5  ,  0.   ]]), -8.0)
    """
    m, n, odd = a.copy(), a.shape[0], False
    taken = np.empty(n, np.intp)
    product = m[0, 0]
    for k in range(n):
        taken[k] = p = _pivot_moved_up(m, k)
        odd = odd != (p != k)
        pivot = m[k, k]
        if pivot == 0.0:
            return m, pivot
        product = product * pivot if k else pivot
        m[k, k] = 1.0
        for j in range(n):
            m[k, j] /= pivot
        for i in range(n):
            if i != k:
                factor = m[i, k]
                m[i, k] = 0.0
                for j in range(n):
                    m[i, j] -= factor * m[k, j]
    for k in range(n - 1, -1, -1):
        p = taken[k]
        if p != k:
            for i in range(n):
                m[i, k], m[i, p] = m[i, p], m[i, k]
    return m, -product if odd else product


@register_jitable
def _triangle(a):
    """The upper triangle that elimination leaves, and whether an odd number of rows changed places."""
    m, n, odd = a.copy(), a.shape[0], False
    for k in range(n):
        odd = odd != (_pivot_moved_up(m, k) != k)
        if m[k, k] == 0.0:
            break
        for i in range(k + 1, n):
            factor = m[i, k] / m[k, k]
            for j in range(k + 1, n):
                m[i, j] -= factor * m[k, j]
    return m, odd


@register_jitable
def _pivot_moved_up(m, k):
    """Where the largest element of a column was, from the diagonal on, whose row changes places with the k-th."""
    p, largest = k, abs(m[k, k])
    for i in range(k + 1, m.shape[0]):
        if abs(m[i, k]) > largest:
            p, largest = i, abs(m[i, k])
    if p != k:
        for j in range(m.shape[0]):
            m[k, j], m[p, j] = m[p, j], m[k, j]
    return p
