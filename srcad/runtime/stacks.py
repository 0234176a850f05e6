"""Products of stacks of matrices, and of integers, which Numba does not have."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable

SMALL = 512  # multiplications in a product for which BLAS is not called

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
    if a.ndim == 1:
        return _vector_by_stack
    return _by_one_stack if a.ndim == b.ndim == 3 else _by_stack


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
    small = a.shape[-1] == b.shape[-2] and a.shape[-2] * a.shape[-1] * b.shape[-1] <= SMALL
    for place in np.ndindex(stack):
        if small:
            _multiply(left[place], right[place], result[place])
        else:
            result[place] = np.dot(np.ascontiguousarray(left[place]), np.ascontiguousarray(right[place]))
    return result


def _by_one_stack(a, b):
    count = np.broadcast_shapes(a.shape[:1], b.shape[:1])[0]
    result = np.empty((count, a.shape[1], b.shape[2]), a.dtype)
    small = a.shape[2] == b.shape[1] and a.shape[1] * a.shape[2] * b.shape[2] <= SMALL
    for n in range(count):
        left, right = n if a.shape[0] > 1 else 0, n if b.shape[0] > 1 else 0
        if small:  # by elements: names for the matrices would take as long as a product
            for i in range(a.shape[1]):
                for j in range(b.shape[2]):
                    total = result.dtype.type(0)
                    for k in range(a.shape[2]):
                        total += a[left, i, k] * b[right, k, j]
                    result[n, i, j] = total
        else:
            result[n] = np.dot(np.ascontiguousarray(a[left]), np.ascontiguousarray(b[right]))
    return result


@register_jitable
def _multiply(a, b, result):
    """A product of few elements, for which a call of BLAS takes longer than the product."""
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            total = result.dtype.type(0)
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            result[i, j] = total



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
