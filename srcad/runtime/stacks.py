"""Products of stacks of matrices, and of integers, which Numba does not have."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable


def stacked_matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``a @ b`` where one of them has more than two axes.

    >>> stacked_matmul(np.ones((2, 3, 4)), np.ones(4)).shape
    (2, 3)
    """
    return np.matmul(a, b)


@overload(stacked_matmul)
def _stacked_matmul(a, b):
    if b.ndim == 1:
        return _by_vector
    if b.ndim == 2:
        return _by_matrix
    return _vector_by_stack if a.ndim == 1 else _by_stack


def _by_vector(a, b):
    rows = np.ascontiguousarray(a).reshape((-1, a.shape[-1]))
    return np.dot(rows, np.ascontiguousarray(b)).reshape(a.shape[:-1])


def _by_matrix(a, b):
    rows = np.ascontiguousarray(a).reshape((-1, a.shape[-1]))
    return np.dot(rows, np.ascontiguousarray(b)).reshape(a.shape[:-1] + (b.shape[1],))


def _vector_by_stack(a, b):
    return stacked_matmul(np.swapaxes(b, -1, -2), a)


def _by_stack(a, b):
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    left = np.broadcast_to(a, stack + a.shape[-2:])
    right = np.broadcast_to(b, stack + b.shape[-2:])
    result = np.empty(stack + (a.shape[-2], b.shape[-1]), a.dtype)
    for place in np.ndindex(stack):
        result[place] = np.dot(np.ascontiguousarray(left[place]), np.ascontiguousarray(right[place]))
    return result


@register_jitable
def integer_matmul(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """``a @ b`` for matrices of integers.

    >>> integer_matmul(np.array([[1, 2]]), np.array([[3], [4]]))
    array([[11]])
    """
    result = np.zeros((a.shape[0], b.shape[1]), np.int64)
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                result[i, j] += a[i, k] * b[k, j]
    return result
