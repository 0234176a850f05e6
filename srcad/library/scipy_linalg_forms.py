"""Matrices of `scipy.linalg` that are made of vectors, or of other matrices."""

from __future__ import annotations

import numpy as np
import scipy
from scipy import linalg

from srcad.library import instead_of, refuse
from srcad.library.axes import conjugate


STACKS = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 17)  # before, several vectors were joined to one


@instead_of(linalg.toeplitz)
def toeplitz(c, r=None):
    if not STACKS and (np.ndim(c) > 1 or (r is not None and np.ndim(r) > 1)):
        return refuse("scipy.linalg.toeplitz of several vectors at once", "np.stack of the matrices of each")
    n, row = c.shape[-1], conjugate(c) if r is None else r
    return pieces(np.concatenate((c[..., ::-1], row[..., 1:]), axis=-1), n - 1, -1, n, row.shape[-1])


@instead_of(linalg.hankel)
def hankel(c, r=None):
    column = np.ravel(c)
    row = np.zeros_like(column) if r is None else np.ravel(r)
    return pieces(np.concatenate((column, row[1:])), 0, 1, column.shape[0], row.shape[0])


def pieces(v, first, step, count, length):
    """Pieces of a vector, or of each of several, as rows: where the first starts, how much further each next one."""
    if v.ndim > 1:
        return np.take(v, first + step * np.expand_dims(np.arange(count), 1) + np.arange(length), axis=-1)
    y = np.empty((count, length), v.dtype)
    for i in range(count):
        piece = v[first + step * i :]
        for j in range(length):
            y[i, j] = piece[j]
    return y


@instead_of(linalg.circulant)
def circulant(c):
    if not STACKS and np.ndim(c) > 1:
        return refuse("scipy.linalg.circulant of several vectors at once", "np.stack of the matrices of each")
    n = c.shape[-1]
    return pieces(np.concatenate((c[..., ::-1], c[..., :0:-1]), axis=-1), n - 1, -1, n, n)


@instead_of(linalg.block_diag)
def block_diag(*arrs):
    if max([np.ndim(block) for block in arrs]) > 2:
        return refuse("scipy.linalg.block_diag of stacks of matrices", "np.stack of those of each")
    rows, columns, zero = 0, 0, np.zeros(1, np.atleast_2d(arrs[0]).dtype)
    for k in range(len(arrs)):
        block = np.atleast_2d(arrs[k])
        rows, columns, zero = rows + block.shape[0], columns + block.shape[1], zero + np.zeros(1, block.dtype)
    whole = np.zeros((rows, columns), zero.dtype)
    row, column = 0, 0
    for k in range(len(arrs)):
        block = np.atleast_2d(arrs[k])
        whole[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return whole


@instead_of(linalg.companion)
def companion(a):
    n = a.shape[-1] - 1
    if a.ndim == 1:
        return under(-a[1:] / a[0], np.ones(n - 1, a.dtype))
    top = np.expand_dims(-a[..., 1:] / a[..., :1], -2)
    below = np.broadcast_to(np.eye(n - 1, n, dtype=a.dtype), a.shape[:-1] + (n - 1, n))
    return np.concatenate((top, below), axis=-2)


@instead_of(linalg.leslie)
def leslie(f, s):
    if s.shape[-1] != f.shape[-1] - 1:
        raise ValueError("there must be one survival coefficient less than there are fecundity coefficients")
    if f.ndim == 1 and s.ndim == 1:
        return under(f, s)
    below = np.expand_dims(s, -1) * np.eye(s.shape[-1], f.shape[-1], dtype=s.dtype)
    return np.concatenate((np.expand_dims(f, -2), below), axis=-2)


def under(row, diagonal):
    """A matrix of a first row, and of what stands below the diagonal."""
    n, zero = row.shape[0], np.zeros(1, row.dtype) + np.zeros(1, diagonal.dtype)
    y = np.zeros((n, n), zero.dtype)
    y[0] = row
    for k in range(n - 1):
        y[k + 1, k] = diagonal[k]
    return y


@instead_of(linalg.fiedler)
def fiedler(a):
    return np.abs(np.expand_dims(a, -1) - np.expand_dims(a, -2))


@instead_of(linalg.convolution_matrix)
def convolution_matrix(a, n, mode="full"):
    m = a.shape[-1]
    if mode == "full":
        first, rows = 0, m + n - 1
    elif mode == "same":
        first, rows = (min(m, n) - 1) // 2, max(m, n)
    else:
        first, rows = min(m, n) - 1, max(m, n) - min(m, n) + 1
    zeros = np.zeros(a.shape[:-1] + (n - 1,), a.dtype)
    return pieces(np.concatenate((zeros, a[..., ::-1], zeros), axis=-1), m + n - 2 - first, -1, rows, n)


@instead_of(linalg.khatri_rao)
def khatri_rao(a, b):
    products = np.expand_dims(a, -2) * np.expand_dims(b, -3)
    return np.reshape(products, products.shape[:-3] + (-1, b.shape[-1]))
