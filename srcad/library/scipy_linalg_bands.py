"""Matrices of `scipy.linalg` that are given by their diagonals: factors, solutions by them, and eigenvalues."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, conjugate
from srcad.runtime.scipy_linalg_bands import solve_bands, turned_bands


@instead_of(linalg.cholesky_banded)
def cholesky_banded(ab, overwrite_ab=False, lower=False, check_finite=True):
    if ab.ndim > 2:
        return refuse("scipy.linalg.cholesky_banded of several matrices at once", "a loop over them")
    if not lower:
        last = ab.shape[0] - 1
        c = conjugate(turned_bands(factor(conjugate(turned_bands(ab, 0, last))), last, 0))
        unused = np.arange(ab.shape[1]) < np.expand_dims(last - np.arange(last + 1), 1)
        return np.where(unused, ab, c)
    return factor(ab)


def factor(ab):
    """The factor L of ``L @ L.T`` column by column, diagonals as rows (Golub and Van Loan, 4.3.5)."""
    c = 1.0 * ab
    width, n = c.shape
    for j in range(n):
        if not np.real(c[0, j]) > 0.0:
            raise np.linalg.LinAlgError("the matrix is not positive definite")
        rows = min(width, n - j)
        root = np.sqrt(np.real(c[0, j]))
        c[0, j] = root
        c[1:rows, j] = c[1:rows, j] / root
        for k in range(1, rows):
            c[: rows - k, j + k] -= c[k:rows, j] * conjugate(c[k, j])
    return c


@instead_of(linalg.cho_solve_banded)
def cho_solve_banded(cb_and_lower, b, overwrite_b=False, check_finite=True):
    cb, lower = array_of(cb_and_lower[0]), cb_and_lower[1]
    last = cb.shape[0] - 1
    if lower:
        return solve_bands(conjugate(turned_bands(cb, last, 0)), solve_bands(cb, array_of(b), last, 0), 0, last)
    return solve_bands(cb, solve_bands(conjugate(turned_bands(cb, 0, last)), array_of(b), last, 0), 0, last)


@instead_of(linalg.eig_banded)
def eig_banded(a_band, lower=False, eigvals_only=False, overwrite_a_band=False, *, check_finite=True):
    matrix = triangle(array_of(a_band), lower)
    return np.linalg.eigvalsh(matrix) if eigvals_only else linalg.eigh(matrix)


@instead_of(linalg.eigvals_banded)
def eigvals_banded(a_band, lower=False, overwrite_a_band=False, *, check_finite=True):
    return np.linalg.eigvalsh(triangle(array_of(a_band), lower))


def triangle(bands, lower):
    """The lower triangle of a Hermitian matrix."""
    if bands.ndim > 2:
        return refuse("eigenvalues of several matrices with bands at once", "a loop over them")
    width, n = bands.shape
    matrix = np.zeros((n, n), bands.dtype)
    places = np.arange(n)
    for k in range(width):
        diagonal = bands[k, : n - k] if lower else conjugate(bands[width - 1 - k, k:])
        matrix[places[k:], places[: n - k]] = diagonal
    return matrix


@instead_of(linalg.diagsvd)
def diagsvd(s, M, N):
    places = np.eye(M, N, dtype=s.dtype)
    return np.expand_dims(s, -1) * places if s.shape[-1] == M else np.expand_dims(s, -2) * places


@instead_of(linalg.fiedler_companion)
def fiedler_companion(a):
    rest = -a[1:] / a[0]
    n = rest.shape[0]
    matrix = np.zeros((n, n), rest.dtype)
    if n > 0:
        matrix[0, 0] = rest[0]
    if n > 1:
        matrix[1, 0] = 1.0
    for k in range(1, n):
        if k % 2 == 1:
            matrix[k - 1, k] = rest[k]
        else:
            matrix[k, k - 1] = rest[k]
    for k in range(2, n):
        if k % 2 == 0:
            matrix[k - 2, k] = 1.0
        else:
            matrix[k, k - 2] = 1.0
    return matrix
