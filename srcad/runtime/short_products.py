"""Products of vectors and small matrices in compiled loops, where calling BLAS takes longer than the product."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

SMALL = 1024  # elements of a matrix


def short_dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``a @ b`` where one of the two is a vector and the other one a matrix, both of floats of one dtype.

    >>> short_dot(np.eye(2), np.array([3.0, 4.0]))
    array([3., 4.])
    """
    return np.dot(a, b)


@overload(short_dot)
def _short_dot(a, b):
    if not (isinstance(a, types.Array) and isinstance(b, types.Array)):
        return None
    if (a.ndim, b.ndim) == (1, 2):
        return _by_columns_of_transpose if b.layout == "F" else _by_rows_of_matrix
    if (a.ndim, b.ndim) == (2, 1):
        return (lambda a, b: _by_rows_of_matrix(b, a.T)) if a.layout == "F" else _by_columns
    return None


@register_jitable
def _by_rows_of_matrix(a, b):
    """A vector times a matrix that lies row by row: a sum of weighted rows."""
    if b.size > SMALL or a.size != b.shape[0]:
        return np.dot(a, b)
    result = np.zeros(b.shape[1], b.dtype)
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            result[j] += a[i] * b[i, j]
    return result


@register_jitable
def _by_columns(a, b):
    """A matrix that lies row by row times a vector: a sum for each row."""
    if a.size > SMALL or b.size != a.shape[1]:
        return np.dot(a, b)
    result = np.empty(a.shape[0], a.dtype)
    for i in range(a.shape[0]):
        total = a.dtype.type(0)
        for j in range(a.shape[1]):
            total += a[i, j] * b[j]
        result[i] = total
    return result


@register_jitable
def _by_columns_of_transpose(a, b):
    return _by_columns(b.T, a)
