"""Functions of `scipy.linalg` in terms of those of NumPy.

Of a symmetric or a triangular matrix one triangle is read, and the other has a gradient of zero.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from srcad.library import instead_of, refuse
from srcad.library.axes import double
from srcad.runtime import lu_packed, lu_pivots, order_of_pivots


@instead_of(linalg.inv)
def inv(a, overwrite_a=False, check_finite=True):
    return np.linalg.inv(a)


@instead_of(linalg.det)
def det(a, overwrite_a=False, check_finite=True):
    return np.linalg.det(double(a) if a.dtype == np.float32 else a)


@instead_of(linalg.norm)
def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    return np.linalg.norm(a, ord, axis=axis, keepdims=keepdims)


@instead_of(linalg.pinv)
def pinv(a):
    return np.linalg.pinv(a)


# ---------------------------------------------------------------- linear equations


@instead_of(linalg.solve)
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    if assume_a is None or assume_a == "gen" or assume_a == "general":
        matrix = a
    elif assume_a == "pos" or assume_a == "sym" or assume_a == "her" or assume_a == "positive definite":
        matrix = symmetric(a, lower)
    elif assume_a == "lower triangular" or assume_a == "upper triangular":
        matrix = triangle(a, assume_a == "lower triangular", False)
    elif assume_a == "diagonal":
        matrix = a * np.eye(a.shape[-1], dtype=a.dtype)
    else:
        return refuse("scipy.linalg.solve with this assume_a=", "the call without it")
    return np.linalg.solve(np.swapaxes(matrix, -1, -2) if transposed else matrix, b)


@instead_of(linalg.solve_triangular)
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    matrix = triangle(a, lower, unit_diagonal)
    if trans == 0 or trans == "N":
        return np.linalg.solve(matrix, b)
    if trans == 1 or trans == "T":
        return np.linalg.solve(np.swapaxes(matrix, -1, -2), b)
    return refuse("scipy.linalg.solve_triangular with trans=2", "np.conj of the matrix, and trans=1")


@instead_of(linalg.lstsq)
def lstsq(a, b):
    x, _, rank, s = np.linalg.lstsq(a, b)
    return x, np.sum(np.square(b - a @ x), axis=0), rank, s


@instead_of(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(a, q):
    return linalg.solve_sylvester(a, np.swapaxes(a, -1, -2), q)


def symmetric(a, lower):
    """The symmetric matrix of which one triangle is given."""
    if lower:
        return np.tril(a) + np.swapaxes(np.tril(a, -1), -1, -2)
    return np.triu(a) + np.swapaxes(np.triu(a, 1), -1, -2)


def triangle(a, lower, unit_diagonal):
    """The triangular matrix that is meant."""
    if unit_diagonal:
        return (np.tril(a, -1) if lower else np.triu(a, 1)) + np.eye(a.shape[-1], dtype=a.dtype)
    return np.tril(a) if lower else np.triu(a)


# ---------------------------------------------------------------- factorisations


@instead_of(linalg.cholesky)
def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    if lower:
        return np.linalg.cholesky(a)
    return np.swapaxes(np.linalg.cholesky(np.swapaxes(a, -1, -2)), -1, -2)


@instead_of(linalg.cho_factor)
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    return linalg.cholesky(a, lower), lower


@instead_of(linalg.cho_solve)
def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    if c_and_lower[1]:
        first = linalg.solve_triangular(c_and_lower[0], b, 0, True)
        return linalg.solve_triangular(c_and_lower[0], first, 1, True)
    first = linalg.solve_triangular(c_and_lower[0], b, 1, False)
    return linalg.solve_triangular(c_and_lower[0], first, 0, False)


@instead_of(linalg.qr)
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    if mode != "economic" or pivoting:
        return refuse("scipy.linalg.qr in this form", 'scipy.linalg.qr(a, mode="economic")')
    return np.linalg.qr(a)


@instead_of(linalg.eigh)
def eigh(a, b=None, lower=True, eigvals_only=False):
    if b is not None:
        return refuse("scipy.linalg.eigh of two matrices", "that of the one with the other's factor solved for")
    if eigvals_only:
        return np.linalg.eigvalsh(a, "L" if lower else "U")
    return np.linalg.eigh(a, "L" if lower else "U")


@instead_of(linalg.eigvalsh)
def eigvalsh(a, b=None, lower=True):
    if b is not None:
        return refuse("scipy.linalg.eigvalsh of two matrices", "that of the one with the other's factor solved for")
    return np.linalg.eigvalsh(a, "L" if lower else "U")


@instead_of(linalg.svd)
def svd(a, full_matrices=True, compute_uv=True):
    if compute_uv and full_matrices:
        return refuse("scipy.linalg.svd with full_matrices=True", "scipy.linalg.svd(a, full_matrices=False)")
    return np.linalg.svd(a, full_matrices=False, compute_uv=compute_uv)


@instead_of(linalg.svdvals)
def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svd(a, compute_uv=False)


@instead_of(linalg.lu_factor)
def lu_factor(a, overwrite_a=False, check_finite=True):
    return lu_packed(a), lu_pivots(a)


@instead_of(linalg.lu_solve)
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    order = order_of_pivots(lu_and_piv[1])
    lower, upper = triangle(lu_and_piv[0], True, True), np.triu(lu_and_piv[0])
    if trans == 0:
        return np.linalg.solve(upper, np.linalg.solve(lower, b[order]))
    return np.linalg.solve(lower.T, np.linalg.solve(upper.T, b))[np.argsort(order)]


@instead_of(linalg.lu)
def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    packed, order = lu_packed(a), order_of_pivots(lu_pivots(a))
    lower, upper = triangle(packed, True, True), np.triu(packed)
    if permute_l:
        return lower[np.argsort(order)], upper
    if p_indices:
        return np.argsort(order), lower, upper
    return np.eye(a.shape[0], dtype=packed.dtype)[:, order], lower, upper


# ---------------------------------------------------------------- matrices of a form


@instead_of(linalg.toeplitz)
def toeplitz(c, r=None):
    n, row = c.shape[0], c if r is None else r
    places = np.arange(row.shape[0]) - np.expand_dims(np.arange(n), 1)
    return np.take(np.concatenate((c[::-1], row[1:])), places + (n - 1))


@instead_of(linalg.hankel)
def hankel(c, r=None):
    n, row = c.shape[0], np.zeros_like(c) if r is None else r
    return np.take(np.concatenate((c, row[1:])), np.arange(row.shape[0]) + np.expand_dims(np.arange(n), 1))


@instead_of(linalg.circulant)
def circulant(c):
    n = c.shape[0]
    return np.take(c, (np.expand_dims(np.arange(n), 1) - np.arange(n)) % n)


@instead_of(linalg.block_diag)
def block_diag(*arrs):
    whole = np.atleast_2d(arrs[0])
    for k in range(1, len(arrs)):
        block = np.atleast_2d(arrs[k])
        above = np.concatenate((whole, np.zeros((whole.shape[0], block.shape[1]), whole.dtype)), axis=1)
        below = np.concatenate((np.zeros((block.shape[0], whole.shape[1]), block.dtype), block), axis=1)
        whole = np.concatenate((above, below), axis=0)
    return whole
