"""Products of arrays of any rank."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import LAST, array_of, conjugate, last

FIRST = ((), (0,), (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4))


@instead_of(np.tensordot)
def tensordot(a, b, axes=2):
    if isinstance(axes, tuple):
        left = axes[0] if isinstance(axes[0], tuple) else (axes[0],)
        right = axes[1] if isinstance(axes[1], tuple) else (axes[1],)
        n = len(left)
        x, y = np.moveaxis(array_of(a), left, LAST[n]), np.moveaxis(array_of(b), right, FIRST[n])
    else:
        n = axes
        x, y = array_of(a), array_of(b)
    if n == 0:
        return x[(...,) + (None,) * y.ndim] * y
    if x.ndim == n and y.ndim == n:
        return np.sum(x * y)
    if n == 1 and x.ndim <= 2 and y.ndim <= 2:
        return x @ y
    count = np.size(x) // size_of(x.shape[: x.ndim - n])
    rows = np.reshape(x, (-1, count)) if x.ndim > n else np.ravel(x)
    columns = np.reshape(y, (count, -1)) if y.ndim > n else np.ravel(y)
    return np.reshape(rows @ columns, x.shape[: x.ndim - n] + y.shape[n:])


def size_of(shape):
    """How many elements an array of a shape has."""
    if len(shape) == 0:
        return 1
    if len(shape) == 1:
        return shape[0]
    if len(shape) == 2:
        return shape[0] * shape[1]
    if len(shape) == 3:
        return shape[0] * shape[1] * shape[2]
    return shape[0] * shape[1] * shape[2] * shape[3]


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
    return refuse("np.kron of more than three axes", "np.einsum and np.reshape")


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
    def vecdot(x1, x2, axis=-1):
        if axis == -1:
            return np.sum(conjugate(x1) * x2, axis=-1)
        return np.sum(np.moveaxis(conjugate(x1), axis, -1) * np.moveaxis(x2, axis, -1), axis=-1)


if hasattr(np, "matvec"):

    @instead_of(np.matvec)
    def matvec(x1, x2):
        return np.matmul(x1, x2[..., None])[..., 0]

    @instead_of(np.vecmat)
    def vecmat(x1, x2):
        return np.matmul(conjugate(x1)[..., None, :], x2)[..., 0, :]


@instead_of(np.linalg.multi_dot)
def multi_dot(arrays):
    if arrays[len(arrays) - 1].ndim == 1:
        result = arrays[len(arrays) - 1]
        for k in range(len(arrays) - 2, -1, -1):
            result = arrays[k] @ result
        return result
    result = arrays[0]
    for k in range(1, len(arrays)):
        result = result @ arrays[k]
    return result


@instead_of(np.linalg.matrix_power)
def matrix_power(a, n):
    if n == 0:
        return np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape) * np.ones_like(a)
    base = np.linalg.inv(a) if n < 0 else a
    result = base
    for _ in range(1, abs(n)):
        result = result @ base
    return result
