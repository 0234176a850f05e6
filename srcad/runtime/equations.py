"""Linear equations with factors that are known, and the adjoint of Cholesky's factorisation."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable
from numba.np.linalg import _LAPACK, ensure_lapack, get_blas_kind

from srcad.runtime.factors import half_lower

BLOCK = 48  # rows between products of matrices


def cholesky_bar(factor: np.ndarray, factor_bar: np.ndarray) -> np.ndarray:
    """The cotangent of a matrix, in its lower triangle, from that of its Cholesky factor.

    >>> cholesky_bar(np.array([[2.0, 0.0], [1.0, 1.0]]), np.eye(2))[1]
    array([-0.5,  0.5])
    """
    half = half_lower(factor.shape[0])
    inverse = np.linalg.inv(factor)
    middle = inverse.T @ ((factor.T @ factor_bar) * half) @ inverse
    return ((middle + middle.T) * half).astype(factor.dtype)  # the halves are doubles, and widen what is single


def factored(a: np.ndarray) -> np.ndarray:
    """What `solved` needs of a matrix: both triangles in one, and below them the rows that were swapped.

    >>> factored(np.array([[1.0, 2.0], [2.0, 6.0]]))
    array([[ 2. ,  6. ],
           [ 0.5, -1. ],
           [ 1. ,  1. ]])
    """
    from scipy.linalg import get_lapack_funcs

    if not a.size:
        return np.zeros((a.shape[0] + 1, a.shape[1]), a.dtype)
    triangles, pivots = get_lapack_funcs(("getrf",), (a,))[0](a)[:2]
    return np.concatenate((triangles, pivots[None].astype(a.dtype)))


@register_jitable
def solved(factors: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution of the equations of a matrix that is `factored`.

    Raises `numpy.linalg.LinAlgError` where the matrix is singular.

    >>> solved(factored(np.array([[1.0, 2.0], [2.0, 6.0]])), np.array([3.0, 8.0]))
    array([1., 1.])
    """
    x, n = _checked(factors, b), factors.shape[1]
    for j in range(n):
        other = int(factors[n, j])
        x[j], x[other] = x[other], x[j]
    for j in range(n):
        _take(x, factors, j, j + 1, n)
    for j in range(n - 1, -1, -1):
        x[j] /= factors[j, j]
        _take(x, factors, j, 0, j)
    return x


@register_jitable
def solved_transposed(factors: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution of the equations of the transpose of a matrix that is `factored`.

    Raises `numpy.linalg.LinAlgError` where the matrix is singular.

    >>> solved_transposed(factored(np.array([[1.0, 4.0], [2.0, 6.0]])), np.array([3.0, 10.0]))
    array([1., 1.])
    """
    x, n = _checked(factors, b), factors.shape[1]
    for j in range(n):
        x[j] = (x[j] - _along(factors[:j, j], x[:j])) / factors[j, j]
    for j in range(n - 1, -1, -1):
        x[j] -= _along(factors[j + 1 : n, j], x[j + 1 :])
    for j in range(n - 1, -1, -1):
        other = int(factors[n, j])
        x[j], x[other] = x[other], x[j]
    return x


@register_jitable
def _take(x, factors, j, start, stop):
    """Take a multiple of a part of a column away, of the size of an element."""
    number = x[j]
    for i in range(start, stop):
        x[i] -= factors[i, j] * number


@register_jitable
def _along(a, b):
    total = a.dtype.type(0.0)
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


@register_jitable
def _checked(factors, b):
    """A copy of the right side, where there is a solution."""
    if factors.shape[1] != b.shape[0] or factors.shape[0] != b.shape[0] + 1:
        raise np.linalg.LinAlgError("Incompatible array sizes, system is not dimensionally valid.")
    for j in range(factors.shape[1]):
        if factors[j, j] == 0.0:
            raise np.linalg.LinAlgError("Matrix is singular to machine precision.")
    return b.copy()


# ---------------------------------------------------------------- compiled


@overload(factored)
def _factored(a):
    ensure_lapack()
    factorise, kind = _LAPACK().numba_xxgetrf(a.dtype), ord(get_blas_kind(a.dtype, "solve"))

    def build(a):
        rows, n = a.shape
        factors = np.empty((n, rows + 1), a.dtype).T  # by columns, as LAPACK has it
        for j in range(n):
            for i in range(rows):
                factors[i, j] = a[i, j]
        pivots = np.empty(n, np.int32)
        factorise(kind, rows, n, factors.ctypes, rows + 1, pivots.ctypes)
        for j in range(n):
            factors[rows, j] = pivots[j] - 1
        return factors

    return build


@overload(cholesky_bar)
def _cholesky_bar(factor, factor_bar):
    return lambda factor, factor_bar: _between(np.ascontiguousarray(factor), np.ascontiguousarray(factor_bar))


@register_jitable
def _between(factor, factor_bar):
    """By blocks of rows, in products of what is not zero; what comes from a determinant is on the diagonal alone.

    Elements are copied in loops: Numba compiles these much faster than slices and sums of slices.
    """
    n, inverse, result = factor.shape[0], _inverse(factor), np.zeros_like(factor)
    own, right = _is_diagonal(factor_bar), np.zeros_like(factor)
    for i in range(n if own else 0):
        for j in range(i + 1):
            right[i, j] = 0.5 * factor[i, i] * factor_bar[i, i] * inverse[i, j]
    for start in range(0, 0 if own else n, BLOCK):
        stop = min(start + BLOCK, n)
        middle = np.dot(_part(factor, start, n, start, stop).T, _part(factor_bar, start, n, 0, stop))
        for i in range(start, stop):
            middle[i - start, i] *= 0.5
            for j in range(i + 1, stop):
                middle[i - start, j] = 0.0
        _put(right, start, 0, np.dot(middle, _part(inverse, 0, stop, 0, stop)), 1)
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        across = _part(inverse, start, n, start, stop)
        _put(result, start, 0, np.dot(across.T, _part(right, start, n, 0, stop if own else n)), 1)
    for i in range(n):
        for j in range(i):
            result[i, j] += result[i, j] if own else result[j, i]
            result[j, i] = 0.0
    return result


@register_jitable
def _is_diagonal(a):
    for i in range(a.shape[0]):
        row = a[i, :i]
        for j in range(i):
            if row[j] != 0.0:
                return False
    return True


@register_jitable
def _inverse(factor):
    """The inverse of a lower triangular matrix."""
    inverse = np.zeros_like(factor)
    for start in range(0, factor.shape[0], BLOCK):
        stop = min(start + BLOCK, factor.shape[0])
        block = np.zeros((stop - start, stop - start), factor.dtype)
        for i in range(stop - start):
            row = block[i]
            row[i] = 1.0
            for k in range(i):
                above, scale = block[k], factor[start + i, start + k]
                for j in range(k + 1):
                    row[j] -= scale * above[j]
            for j in range(i + 1):
                row[j] /= factor[start + i, start + i]
        left = np.dot(block, _part(factor, start, stop, 0, start))
        _put(inverse, start, 0, np.dot(left, _part(inverse, 0, start, 0, start)), -1)
        _put(inverse, start, start, block, 1)
    return inverse


@register_jitable
def _part(a, top, bottom, left, right):
    """A copy of a part of a matrix."""
    part = np.empty((bottom - top, right - left), a.dtype)
    for i in range(bottom - top):
        for j in range(right - left):
            part[i, j] = a[top + i, left + j]
    return part


@register_jitable
def _put(a, top, left, part, sign):
    """Write a part of a matrix, or its negative."""
    for i in range(part.shape[0]):
        for j in range(part.shape[1]):
            a[top + i, left + j] = sign * part[i, j]
