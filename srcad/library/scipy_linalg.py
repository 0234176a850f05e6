"""Functions of `scipy.linalg` in terms of those of NumPy.

Of a symmetric or a triangular matrix one triangle is read, and the other has a gradient of zero.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, conjugate, squared, wide
from srcad.runtime.scipy_linalg_bands import solve_bands, solve_half, solve_levinson, turned_bands
from srcad.runtime.scipy_linalg_triangles import lu_parts, order_of_pivots, row_order, solve_triangle


@instead_of(linalg.inv)
def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    return np.linalg.inv(assumed(a, assume_a, lower))


@instead_of(linalg.det)
def det(a, overwrite_a=False, check_finite=True):
    return np.linalg.det(wide(a))


@instead_of(linalg.norm)
def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    return np.linalg.norm(a, ord, axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------- linear equations


@instead_of(linalg.solve)
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False):
    matrix = assumed(a, assume_a, lower)
    return np.linalg.solve(np.swapaxes(matrix, -1, -2) if transposed else matrix, b)


def assumed(a, assume_a, lower):
    """What is read of a matrix of which this is assumed."""
    if assume_a is None or assume_a in ("gen", "general", "banded"):
        return a
    if assume_a in ("sym", "symmetric"):
        return symmetric(a, lower)
    if assume_a in ("pos", "positive definite", "her", "hermitian"):
        return hermitian(a, lower)
    if assume_a == "tridiagonal":
        return np.triu(np.tril(a, 1), -1)
    if assume_a == "lower triangular" or assume_a == "upper triangular":
        return triangle(a, assume_a == "lower triangular", False)
    if assume_a == "diagonal":
        return a * np.eye(a.shape[-1], dtype=a.dtype)
    return refuse("scipy.linalg.solve or inv with this assume_a=", "the call without it")


@instead_of(linalg.solve_triangular)
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    if trans == 0 or trans == "N":
        return of_triangle(a, b, lower, unit_diagonal)
    turned = np.swapaxes(a, -1, -2) if trans == 1 or trans == "T" else adjoint(a)
    return of_triangle(turned, b, not lower, unit_diagonal)


def of_triangle(a, b, lower, unit):
    """The solution of equations with one triangle of a matrix, whose diagonal may be one of ones."""
    if lower:
        return solve_triangle(a, b, True, True) if unit else solve_triangle(a, b, True, False)
    return solve_triangle(a, b, False, True) if unit else solve_triangle(a, b, False, False)


@instead_of(linalg.lstsq)
def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    if lapack_driver == "gelsy":
        return refuse('scipy.linalg.lstsq with lapack_driver="gelsy"', "the call without it")
    x, _, rank, s = np.linalg.lstsq(a, b, cond)
    return x, np.sum(squared(b - a @ x), axis=0), rank, s


@instead_of(linalg.solve_toeplitz)
def solve_toeplitz(c_or_cr, b, check_finite=True):
    column, row = column_and_row(c_or_cr)
    right = wide(array_of(b))
    if right.shape[0] != column.shape[0] or right.shape[0] != row.shape[0]:
        raise ValueError("scipy.linalg.solve_toeplitz: the right side is not as long as the column and the row")
    if right.ndim == 1:
        return solve_levinson(column, row, right)
    x = np.empty(right.shape, (column[0] * row[0] * right[0, 0]).dtype)
    for k in range(right.shape[1]):
        x[:, k] = solve_levinson(column, row, np.ascontiguousarray(right[:, k]))
    return x


@instead_of(linalg.matmul_toeplitz)
def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    column, row = column_and_row(c_or_cr)
    right = wide(array_of(x))
    if right.shape[0] != row.shape[0]:
        raise ValueError("scipy.linalg.matmul_toeplitz: the row is not as long as what the matrix is multiplied with")
    # The matrix is the upper left part of a circulant one.
    whole, n = np.concatenate((column, row[:0:-1])), column.shape[0]
    size = whole.shape[0]
    if np.iscomplexobj(whole) or np.iscomplexobj(right):
        return np.copy(np.fft.ifft(by_rows(np.fft.fft(whole), right) * np.fft.fft(right, size, 0), axis=0)[:n])
    spectrum = by_rows(np.fft.rfft(whole), right) * np.fft.rfft(right, size, 0)
    return np.copy(np.fft.irfft(spectrum, size, 0)[:n])


def column_and_row(c_or_cr):
    """The first column and the first row of a Toeplitz matrix."""
    if isinstance(c_or_cr, tuple):
        return np.ravel(wide(array_of(c_or_cr[0]))), np.ravel(wide(array_of(c_or_cr[1])))
    column = np.ravel(wide(array_of(c_or_cr)))
    return column, conjugate(column)


def by_rows(v, like):
    """A vector with one element for each row of a matrix; beside a vector, as it is."""
    return v if like.ndim == 1 else np.expand_dims(v, 1)


@instead_of(linalg.solve_circulant)
def solve_circulant(c, b, singular="raise", tol=None, caxis=-1, baxis=0, outaxis=0):
    if np.ndim(c) > 1:
        return refuse("scipy.linalg.solve_circulant of several vectors at once", "a loop over them")
    spectrum, right = np.fft.fft(wide(array_of(c))), np.moveaxis(wide(array_of(b)), baxis, -1)
    size = np.abs(spectrum)
    zero = size <= (np.max(size) * size.shape[0] * np.finfo(np.float64).eps if tol is None else tol)
    if singular != "lstsq" and np.any(zero):
        raise np.linalg.LinAlgError("scipy.linalg.solve_circulant of a matrix that is nearly singular")
    parts = np.fft.fft(right) / (np.where(zero, 1.0, spectrum) if singular == "lstsq" else spectrum)
    x = np.moveaxis(np.fft.ifft(np.where(zero, 0.0, parts) if singular == "lstsq" else parts), -1, outaxis)
    return x.copy() if np.iscomplexobj(c) or np.iscomplexobj(right) else np.real(x).copy()


@instead_of(linalg.solve_banded)
def solve_banded(l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    return solve_bands(array_of(ab), array_of(b), l_and_u[0], l_and_u[1])


@instead_of(linalg.solveh_banded)
def solveh_banded(ab, b, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True):
    half = array_of(ab)
    return solve_half(half if lower else conjugate(turned_bands(half, 0, half.shape[0] - 1)), array_of(b))


def adjoint(a):
    """The transpose of a real matrix, or the conjugate transpose."""
    return np.swapaxes(conjugate(a), -1, -2)


def hermitian(a, lower):
    """The symmetric or Hermitian matrix of which one triangle is given."""
    below = np.tril(a, -1) if lower else adjoint(np.triu(a, 1))
    diagonal = (np.real(a) if np.iscomplexobj(a) else a) * np.eye(a.shape[-1], dtype=np.abs(a).dtype)
    return diagonal + below + adjoint(below)


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
        return linalg.solve_triangular(c_and_lower[0], first, 2, True)
    first = linalg.solve_triangular(c_and_lower[0], b, 2, False)
    return linalg.solve_triangular(c_and_lower[0], first, 0, False)


@instead_of(linalg.qr)
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    if pivoting:
        return refuse("scipy.linalg.qr with pivoting=True", "scipy.linalg.qr(a[:, order]), the order a constant")
    if mode == "raw":
        return refuse("scipy.linalg.qr in this form", 'scipy.linalg.qr(a, mode="economic")')
    if mode == "r":
        return (np.linalg.qr(a, "complete")[1],)
    q, r = np.linalg.qr(a, "complete" if mode == "full" else "reduced")
    return q, r


@instead_of(linalg.rq)
def rq(a, overwrite_a=False, lwork=None, mode="full", check_finite=True):
    # That of QR, of the matrix read from its end.
    q, r = np.linalg.qr(adjoint(a[..., ::-1, ::-1]), "reduced" if mode == "economic" else "complete")
    upper = adjoint(r)[..., ::-1, ::-1]
    return upper if mode == "r" else (upper, adjoint(q)[..., ::-1, ::-1])


@instead_of(linalg.lu_factor)
def lu_factor(a, overwrite_a=False, check_finite=True):
    parts = lu_parts(a)
    return parts[..., 1:, :], np.real(parts[..., 0, :]).astype(np.int64)


@instead_of(linalg.lu_solve)
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    packed, pivots = lu_and_piv
    if b.shape[-1 if b.ndim == 1 else -2] != packed.shape[-1]:
        raise ValueError("scipy.linalg.lu_solve: the right side is not as long as the matrix")
    if b.ndim == 1 and packed.ndim > 2:
        return linalg.lu_solve((packed, pivots), np.expand_dims(b, 1), trans)[..., 0]
    order = order_of_pivots(pivots)
    if trans == 0:
        return solve_triangle(packed, solve_triangle(packed, rows_of(b, order), True, True), False, False)
    turned = np.swapaxes(packed, -1, -2) if trans == 1 else adjoint(packed)
    x = solve_triangle(turned, solve_triangle(turned, b, True, False), False, True)
    return rows_of(x, np.argsort(order))


@instead_of(linalg.lu)
def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    if a.shape[-2] == a.shape[-1]:
        parts = lu_parts(a)
        packed, order = parts[..., 1:, :], order_of_pivots(parts[..., 0, :])
        lower, upper = triangle(packed, True, True), np.triu(packed)
    else:
        order, lower, upper = lu_of_rectangle(a)
    if permute_l:
        return rows_of(lower, np.argsort(order)), upper
    if p_indices:
        return np.argsort(order), lower, upper
    places = np.expand_dims(np.arange(a.shape[-2]), 1) == np.expand_dims(order, -2)
    return places.astype(np.abs(upper).dtype), lower, upper


def lu_of_rectangle(a):
    """The order of the rows and both factors: those of the square in the corner, and what lies beside or below it."""
    k, order = min(a.shape[-2], a.shape[-1]), row_order(a)
    rows = rows_of(a, order)
    parts = lu_parts(rows[..., :k, :k])
    packed, again = parts[..., 1:, :], order_of_pivots(parts[..., 0, :])
    right = solve_triangle(packed, rows_of(rows[..., :k, k:], again), True, True)
    below = solve_triangle(np.swapaxes(packed, -1, -2), np.swapaxes(rows[..., k:, :k], -1, -2), True, False)
    order = np.concatenate((np.take_along_axis(order[..., :k], again, -1), order[..., k:]), axis=-1)
    lower = np.concatenate((triangle(packed, True, True), np.swapaxes(below, -1, -2)), axis=-2)
    return order, lower, np.concatenate((np.triu(packed), right), axis=-1)


def rows_of(b, order):
    """The rows of a matrix or the elements of a vector, in another order; of each of a stack in its own."""
    if order.ndim == 1:
        return np.take(b, order, axis=0 if b.ndim < 2 else -2)
    rows = np.broadcast_to(b, order.shape + b.shape[-1:]) if b.ndim <= order.ndim else b
    return np.take_along_axis(rows, np.expand_dims(order, -1), -2)
