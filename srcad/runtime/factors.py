"""Factorisations of matrices, and of stacks of them, each as one array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.np.linalg import _LAPACK, get_blas_kind
from numba.np.linalg import _compute_singular_values as values_alone
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype

from srcad.runtime.small_matrices import det_of, inverse_of, log_abs_det_of


def eigen(a: np.ndarray, uplo: Any = "L") -> np.ndarray:
    """`np.linalg.eigh` as one array: the eigenvalues in the first row, the eigenvectors in the columns below.

    >>> eigen(np.diag([2.0, 1.0])).shape
    (3, 2)
    """
    values, vectors = np.linalg.eigh(a, UPLO=uplo)
    return np.concatenate((values[..., None, :], vectors), axis=-2)


def eigenvalues_each(a: np.ndarray, uplo: Any = "L") -> np.ndarray:
    """`np.linalg.eigvalsh` of a matrix, or of every matrix of a stack."""
    return np.linalg.eigvalsh(a, UPLO=uplo)


def singular(a: np.ndarray) -> np.ndarray:
    """The thin `np.linalg.svd` as one array: a row of singular values, below it U, below that the transpose of V^H.

    >>> singular(np.ones((3, 2))).shape
    (6, 2)
    """
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    return np.concatenate((s[..., None, :], u, np.swapaxes(vh, -1, -2)), axis=-2)


def rest_of_left(a: np.ndarray) -> np.ndarray:
    """The columns of U that the full `np.linalg.svd` has beyond the thin one.

    >>> rest_of_left(np.ones((3, 2))).shape
    (3, 1)
    """
    return np.linalg.svd(a)[0][..., min(a.shape[-2:]) :]


def rest_of_orthonormal(a: np.ndarray) -> np.ndarray:
    """The columns of Q that the complete `np.linalg.qr` has beyond the reduced one.

    >>> rest_of_orthonormal(np.ones((3, 1))).shape
    (3, 2)
    """
    return np.linalg.qr(a, mode="complete")[0][..., min(a.shape[-2:]) :]


def complement(rest: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """`rest`, a basis of all that is orthogonal to another basis, with which it turns.

    >>> complement(np.array([[0.0], [1.0]]), np.array([[1.0], [0.0]]))
    array([[0.],
           [1.]])
    """
    return rest - basis @ (np.conj(np.swapaxes(basis, -1, -2)) @ rest)


def orthonormal(a: np.ndarray) -> np.ndarray:
    """The first factor of the reduced `np.linalg.qr`."""
    return np.linalg.qr(a)[0]


def log_abs_det(a: np.ndarray) -> np.ndarray:
    """The logarithm of `np.linalg.slogdet`."""
    return np.linalg.slogdet(a)[1]


def det_sign(a: np.ndarray) -> np.ndarray:
    """The sign of `np.linalg.slogdet`."""
    return np.linalg.slogdet(a)[0]


def inverse_each(a: np.ndarray) -> np.ndarray:
    """`np.linalg.inv` of every matrix of a stack."""
    return np.linalg.inv(a)


def cholesky_each(a: np.ndarray) -> np.ndarray:
    """`np.linalg.cholesky` of every matrix of a stack."""
    return np.linalg.cholesky(a)


def pseudo_inverse_each(a: np.ndarray) -> np.ndarray:
    """`np.linalg.pinv` of every matrix of a stack."""
    return np.linalg.pinv(a)


def det_each(a: np.ndarray) -> np.ndarray:
    """`np.linalg.det` of every matrix of a stack."""
    return np.linalg.det(a)


def singular_values(a: np.ndarray) -> np.ndarray:
    """The singular values of a matrix, or of every matrix of a stack."""
    return np.linalg.svd(a, compute_uv=False)


def solve_each(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """`np.linalg.solve` for stacks."""
    return np.linalg.solve(a, b)


@register_jitable
def half_lower(n: int) -> np.ndarray:
    """One below the diagonal, a half on it: what halves the lower triangle of a symmetric matrix.

    >>> half_lower(2)
    array([[0.5, 0. ],
           [1. , 0.5]])
    """
    result = np.zeros((n, n))
    for i in range(n):
        result[i, :i] = 1.0
        result[i, i] = 0.5
    return result


# ---------------------------------------------------------------- compiled


@register_jitable
def _eigen(a, uplo):
    values, vectors = np.linalg.eigh(np.ascontiguousarray(a if uplo == "L" else np.conj(a.T)))
    return np.concatenate((values.astype(a.dtype).reshape((1, -1)), vectors))


@register_jitable
def _singular(a):
    u, s, vh = np.linalg.svd(np.ascontiguousarray(a), False)
    return np.concatenate((s.astype(a.dtype).reshape((1, -1)), u, vh.T))


@register_jitable
def _orthonormal(a):
    return np.linalg.qr(np.ascontiguousarray(a))[0]


def _compile(public: Callable, one: Callable, number: bool = False, real: bool = False) -> None:
    """Compile a function of a matrix, and of each matrix of a stack; it gives an array, or a number, real or not."""

    def build(a):
        if a.ndim == 2:
            return lambda a: one(a)
        first = (0,) * (a.ndim - 2)
        own = as_dtype(a.dtype)
        dtype = np.zeros(0, own).real.dtype if real else own

        def numbers(a):
            result = np.empty(a.shape[:-2], dtype)
            for place in np.ndindex(a.shape[:-2]):
                result[place] = one(a[place])
            return result

        def arrays(a):
            result = np.empty(a.shape[:-2] + one(a[first]).shape, dtype)
            for place in np.ndindex(a.shape[:-2]):
                result[place] = one(a[place])
            return result

        return numbers if number else arrays

    overload(public)(build)


@register_jitable
def _rest_of_left(a):
    return np.linalg.svd(np.ascontiguousarray(a), True)[0][:, min(a.shape[0], a.shape[1]) :]


_compile(rest_of_left, _rest_of_left)
_compile(singular, _singular)
_compile(orthonormal, _orthonormal)
_compile(log_abs_det, log_abs_det_of, True, True)
_compile(det_sign, register_jitable(lambda a: np.linalg.slogdet(np.ascontiguousarray(a))[0]), True)
_compile(inverse_each, inverse_of)
_compile(cholesky_each, register_jitable(lambda a: np.linalg.cholesky(np.ascontiguousarray(a))))
_compile(pseudo_inverse_each, register_jitable(lambda a: np.linalg.pinv(np.ascontiguousarray(a))))
_compile(det_each, det_of, True)
# As Numba's own np.linalg.cond has them: without the vectors.
_compile(singular_values, register_jitable(lambda a: values_alone(np.ascontiguousarray(a))), False, True)


@overload(rest_of_orthonormal)
def _rest_of_orthonormal(a):
    kind = ord(get_blas_kind(a.dtype, "qr"))
    reflections, columns = _LAPACK().numba_ez_geqrf(a.dtype), _LAPACK().numba_ez_xxgqr(a.dtype)

    @register_jitable
    def one(a, rest):
        m, n = a.shape[0], rest.shape[1]
        if n == 0:
            return
        q, lengths = np.eye(m).astype(a.dtype), np.empty(m, a.dtype)  # by columns
        if n < m:
            q[: m - n] = a.T
            reflections(kind, m, m - n, q.ctypes, m, lengths.ctypes)
            columns(kind, m, m, m - n, q.ctypes, m, lengths.ctypes)
        rest[:] = q.T[:, lengths.size - n :]  # which keeps `lengths` until here

    def alone(a):
        rest = np.empty((a.shape[0], a.shape[0] - min(a.shape[0], a.shape[1])), a.dtype)
        one(a, rest)
        return rest

    def each(a):
        rest = np.empty(a.shape[:-1] + (a.shape[-2] - min(a.shape[-2], a.shape[-1]),), a.dtype)
        for place in np.ndindex(a.shape[:-2]):
            one(a[place], rest[place])
        return rest

    return alone if a.ndim == 2 else each


@overload(eigen)
def _eigen_of(a, uplo="L"):
    if a.ndim == 2:
        return lambda a, uplo="L": _eigen(a, uplo)

    def each(a, uplo="L"):
        result = np.empty(a.shape[:-2] + (a.shape[-1] + 1, a.shape[-1]), a.dtype)
        for place in np.ndindex(a.shape[:-2]):
            result[place] = _eigen(a[place], uplo)
        return result

    return each


@overload(eigenvalues_each)
def _eigenvalues_each(a, uplo="L"):
    dtype = np.zeros(0, as_dtype(a.dtype)).real.dtype

    def one(a, uplo="L"):
        return np.linalg.eigvalsh(np.ascontiguousarray(a if uplo == "L" else np.conj(a.T)))

    def each(a, uplo="L"):
        result = np.empty(a.shape[:-1], dtype)
        for place in np.ndindex(a.shape[:-2]):
            result[place] = eigenvalues_each(a[place], uplo)
        return result

    return one if a.ndim == 2 else each


@overload(solve_each)
def _solve_each(a, b):
    if b.ndim == 1:

        def by_vector(a, b):
            result = np.empty(a.shape[:-1], a.dtype)
            for place in np.ndindex(a.shape[:-2]):
                result[place] = np.linalg.solve(np.ascontiguousarray(a[place]), b)
            return result

        return by_vector

    def each(a, b):
        stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        left, right = np.broadcast_to(a, stack + a.shape[-2:]), np.broadcast_to(b, stack + b.shape[-2:])
        result = np.empty(stack + b.shape[-2:], a.dtype)
        for place in np.ndindex(stack):
            result[place] = np.linalg.solve(np.ascontiguousarray(left[place]), np.ascontiguousarray(right[place]))
        return result

    return each


@overload(complement)
def _complement(rest, basis):
    def one(rest, basis):
        across = np.ascontiguousarray(np.conj(basis.T))
        return rest - np.ascontiguousarray(basis) @ (across @ np.ascontiguousarray(rest))

    def each(rest, basis):
        result = np.empty(rest.shape, rest.dtype)
        for place in np.ndindex(rest.shape[:-2]):
            result[place] = complement(rest[place], basis[place])
        return result

    return one if rest.ndim == 2 else each
