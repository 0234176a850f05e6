"""Products of arrays of any rank."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse, static
from srcad.library.axes import LAST, array_of, conjugate, last, size_of


@instead_of(np.tensordot)
def tensordot(a, b, axes=2):
    x, y = array_of(a), array_of(b)
    left, right, left_run, right_run = paired(axes)
    n = len(left)
    if n == 0:
        return x * y if np.ndim(x) == 0 or np.ndim(y) == 0 else x[(...,) + (None,) * y.ndim] * y
    x_last, y_last = np.moveaxis(x, left, LAST[n]), np.moveaxis(y, right, LAST[n])
    if x.ndim == n and y.ndim == n:
        return np.sum(x_last * y_last)
    if n == 1 and x.ndim <= 2 and y.ndim <= 2:
        return x_last @ np.moveaxis(y, right, (0,))
    product = matrix(x, x_last, left, left_run) @ matrix(y, y_last, right, right_run).T
    return np.reshape(product, x_last.shape[: x.ndim - n] + y_last.shape[: y.ndim - n])


@static
def paired(axes):
    """The axes of two arrays that are summed over, and whether those of each follow one another.

    Those of the first are in ascending order, if that can be said.

    >>> paired(2), paired(((2, 0), (0, 1)))
    (((-2, -1), (0, 1), True, True), ((0, 2), (1, 0), False, False))
    """
    if not isinstance(axes, tuple):
        return tuple(range(-axes, 0)), tuple(range(axes)), True, True
    left, right = (each if isinstance(each, tuple) else (each,) for each in axes)
    pairs = list(zip(left, right))
    if min(left, default=0) >= 0 or max(left, default=0) < 0:
        pairs.sort()
    found = tuple(i for i, _ in pairs), tuple(k for _, k in pairs)
    return (*found, *(all(k + 1 == following for k, following in zip(each, each[1:])) for each in found))


def matrix(a, moved, axes, run):
    """An array with some of its axes, `moved` to the end, as columns and the others as rows; a vector without others.

    Where the columns come first, in their order, it is the transpose of one that needs no copy.
    """
    n = len(axes)
    if a.ndim == n:
        return np.ravel(moved)
    rows, columns = size_of(moved.shape[: a.ndim - n]), size_of(moved.shape[a.ndim - n :])
    if run and (axes[0] == 0 or axes[0] == -a.ndim):
        return np.reshape(a, (columns, rows)).T
    return np.reshape(moved, (rows, columns))


@instead_of(np.kron)
def kron(a, b):
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a * b
    rank = max(a.ndim, b.ndim)
    x = np.reshape(a, (1,) * (rank - a.ndim) + a.shape) if a.ndim < rank else a
    y = np.reshape(b, (1,) * (rank - b.ndim) + b.shape) if b.ndim < rank else b
    product = x[(slice(None), None) * rank] * y[(None, slice(None)) * rank]
    m, n = x.shape, y.shape
    if rank == 1:
        return np.reshape(product, (m[0] * n[0],))
    if rank == 2:
        return np.reshape(product, (m[0] * n[0], m[1] * n[1]))
    if rank == 3:
        return np.reshape(product, (m[0] * n[0], m[1] * n[1], m[2] * n[2]))
    if rank == 4:
        return np.reshape(product, (m[0] * n[0], m[1] * n[1], m[2] * n[2], m[3] * n[3]))
    return refuse("np.kron of more than four axes", "np.einsum and np.reshape")


@instead_of(np.cross)
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    x = last(a, axisa if axis is None else axis)
    y = last(b, axisb if axis is None else axis)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise ValueError("np.cross of vectors without three components; for two, write a[0] * b[1] - a[1] * b[0]")
    c = (
        x[..., 1] * y[..., 2] - x[..., 2] * y[..., 1],
        x[..., 2] * y[..., 0] - x[..., 0] * y[..., 2],
        x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0],
    )
    if x.ndim == 1 and y.ndim == 1:
        return np.array(c)
    return np.stack(c, axis=axisc if axis is None else axis)


if hasattr(np, "vecdot"):

    @instead_of(np.vecdot)
    def vecdot(x1, x2, axis=-1, keepdims=False):
        if axis == -1:
            return np.sum(conjugate(x1) * x2, axis=-1, keepdims=keepdims)
        sums = np.sum(np.moveaxis(conjugate(x1), axis, -1) * np.moveaxis(x2, axis, -1), axis=-1)
        return np.expand_dims(sums, axis) if keepdims else sums


if hasattr(np, "matvec"):

    @instead_of(np.matvec)
    def matvec(x1, x2):
        if np.ndim(x1) < 2 or np.ndim(x2) < 1:
            return refuse("np.matvec of less than a matrix and a vector", "np.dot, or np.vecdot")
        return np.matmul(x1, x2[..., None])[..., 0]

    @instead_of(np.vecmat)
    def vecmat(x1, x2):
        if np.ndim(x1) < 1 or np.ndim(x2) < 2:
            return refuse("np.vecmat of less than a vector and a matrix", "np.dot, or np.vecdot")
        return np.matmul(conjugate(x1)[..., None, :], x2)[..., 0, :]


@instead_of(np.linalg.multi_dot)
def multi_dot(arrays):
    if arrays[len(arrays) - 1].ndim == 1:
        result = arrays[len(arrays) - 1]
        for k in range(len(arrays) - 2, -1, -1):
            result = product(arrays[k], result)
        return result
    result = arrays[0]
    for k in range(1, len(arrays)):
        result = product(result, arrays[k])
    return result


def product(a, b):
    """What np.dot gives; of matrices and vectors, written as people write it."""
    return a @ b if a.ndim <= 2 and b.ndim <= 2 else np.dot(a, b)


@instead_of(np.linalg.matrix_power)
def matrix_power(a, n):
    if n == 0:
        return np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape) * np.ones_like(a)
    base = np.linalg.inv(a) if n < 0 else a
    result = base
    for _ in range(1, abs(n)):
        result = result @ base
    return result
