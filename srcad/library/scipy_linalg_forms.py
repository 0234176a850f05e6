"""Matrices of `scipy.linalg` that are made of vectors, or of other matrices."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from srcad.library import instead_of, refuse
from srcad.library.axes import conjugate


@instead_of(linalg.toeplitz)
def toeplitz(c, r=None):
    if np.ndim(c) > 1:
        return refuse("scipy.linalg.toeplitz of several vectors at once", "np.stack of the matrices of each")
    n, row = c.shape[0], conjugate(c) if r is None else r
    return pieces(np.concatenate((c[::-1], row[1:])), n - 1, -1, n, row.shape[0])


@instead_of(linalg.hankel)
def hankel(c, r=None):
    if np.ndim(c) > 1:
        return refuse("scipy.linalg.hankel of several vectors at once", "np.stack of the matrices of each")
    n, row = c.shape[0], np.zeros_like(c) if r is None else r
    return pieces(np.concatenate((c, row[1:])), 0, 1, n, row.shape[0])


def pieces(v, first, step, count, length):
    """Pieces of a vector as rows; where the first one starts, and how much further each next one."""
    y = np.empty((count, length), v.dtype)
    for i in range(count):
        start = first + step * i
        y[i] = v[start : start + length]
    return y


@instead_of(linalg.circulant)
def circulant(c):
    if np.ndim(c) > 1:
        return refuse("scipy.linalg.circulant of several vectors at once", "np.stack of the matrices of each")
    n = c.shape[0]
    return pieces(np.concatenate((c[::-1], c[:0:-1])), n - 1, -1, n, n)


@instead_of(linalg.block_diag)
def block_diag(*arrs):
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
    n = a.shape[0] - 1
    return np.concatenate((np.expand_dims(-a[1:] / a[0], 0), np.eye(n - 1, n, dtype=a.dtype)))


@instead_of(linalg.leslie)
def leslie(f, s):
    return np.concatenate((np.expand_dims(f, 0), np.diag(s, -1)[1:]))


@instead_of(linalg.fiedler)
def fiedler(a):
    return np.abs(np.expand_dims(a, 1) - a)


@instead_of(linalg.convolution_matrix)
def convolution_matrix(a, n, mode="full"):
    m = a.shape[0]
    if mode == "full":
        first, rows = 0, m + n - 1
    elif mode == "same":
        first, rows = (min(m, n) - 1) // 2, max(m, n)
    else:
        first, rows = min(m, n) - 1, max(m, n) - min(m, n) + 1
    places = first + np.expand_dims(np.arange(rows), 1) - np.arange(n)
    inside = (places >= 0) & (places < m)
    return np.where(inside, a[np.where(inside, places, 0)], 0.0)


@instead_of(linalg.khatri_rao)
def khatri_rao(a, b):
    return np.reshape(np.expand_dims(a, 1) * b, (-1, b.shape[1]))
