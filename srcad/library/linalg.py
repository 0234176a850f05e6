"""Norms, and factorisations in the forms in which NumPy gives them."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import LAST, chosen, conjugate, kept, last, squared
from srcad.runtime import (
    complement, det_sign, eigen, log_abs_det, orthonormal, rest_of_left, rest_of_orthonormal, singular, singular_values,
    spectrum,
)  # fmt: skip

# The named tuples that NumPy returns have no public names.
_EigResult, _EighResult, _QRResult, _SlogdetResult, _SVDResult = (
    type(factorise(np.eye(1)))
    for factorise in (np.linalg.eig, np.linalg.eigh, np.linalg.qr, np.linalg.slogdet, np.linalg.svd)
)


@instead_of(np.linalg.norm, given=("ord",))
def norm(x, ord=None, axis=None, keepdims=False):
    if ord is None:
        return np.linalg.norm(x, axis=axis, keepdims=keepdims)
    if isinstance(axis, tuple):
        return matrix_norm(x, keepdims=keepdims, ord=ord, axes=axis)
    if axis is None and x.ndim == 2:
        return matrix_norm(x, keepdims=keepdims, ord=ord, axes=(0, 1))
    if axis is None and x.ndim != 1:
        return refuse(f"np.linalg.norm of order {ord} of all axes of an array of {x.ndim}", "axis=, or np.ravel first")
    if ord == 2:
        return np.linalg.norm(x, axis=axis, keepdims=keepdims)
    if ord == np.inf:
        return np.max(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(np.abs(x), axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum(np.where(x != 0, np.ones_like(np.abs(x)), 0), axis=axis, keepdims=keepdims)
    if ord == 1:
        return np.sum(np.abs(x), axis=axis, keepdims=keepdims)
    total = np.sum(np.abs(x) ** ord, axis=axis, keepdims=keepdims)
    if ord < 0:
        return total ** (1.0 / ord)
    return chosen(total == 0, 0.0, chosen(total == 0, 1.0, total) ** (1.0 / ord))


def matrix_norm(x, keepdims, ord, axes):
    """A norm of the matrices that lie in two axes."""
    if ord == "fro":
        if x.ndim == 2 and not keepdims:
            return np.linalg.norm(x)
        return np.linalg.norm(x, axis=axes, keepdims=keepdims)
    if ord == 1:
        return np.max(np.sum(np.abs(x), axis=axes[0], keepdims=True), axis=axes, keepdims=keepdims)
    if ord == -1:
        return np.min(np.sum(np.abs(x), axis=axes[0], keepdims=True), axis=axes, keepdims=keepdims)
    if ord == np.inf:
        return np.max(np.sum(np.abs(x), axis=axes[1], keepdims=True), axis=axes, keepdims=keepdims)
    if ord == -np.inf:
        return np.min(np.sum(np.abs(x), axis=axes[1], keepdims=True), axis=axes, keepdims=keepdims)
    at_end = axis_of(axes[0], x.ndim) == x.ndim - 2 and axis_of(axes[1], x.ndim) == x.ndim - 1
    s = singular_values(x if at_end else np.moveaxis(x, axes, (-2, -1)))
    y = np.sum(s, axis=-1) if ord == "nuc" else s[..., 0] if ord == 2 else s[..., -1]
    if not keepdims:
        return y
    return np.reshape(y, (1, 1)) if x.ndim == 2 else np.expand_dims(y, axes)


@instead_of(np.linalg.cond)
def cond(x, p=None):
    if p is None or p == 2:
        s = singular_values(x)
        return s[..., 0] / s[..., -1]
    if p == -2:
        s = singular_values(x)
        return s[..., -1] / s[..., 0]
    return np.linalg.norm(x, p, axis=(-2, -1)) * np.linalg.norm(np.linalg.inv(x), p, axis=(-2, -1))


@instead_of(np.linalg.slogdet)
def slogdet(a):
    return _SlogdetResult(det_sign(a), log_abs_det(a))


@instead_of(np.linalg.eigh)
def eigh(a, UPLO="L"):
    parts = eigen(a, UPLO)
    values = np.real(parts[..., 0, :]) if np.iscomplexobj(a) else parts[..., 0, :]
    return _EighResult(values, parts[..., 1:, :])


@instead_of(np.linalg.eig)
def eig(a):
    parts = spectrum(a)
    return _EigResult(parts[..., 0, :], parts[..., 1:, :])


@instead_of(np.linalg.eigvals)
def eigvals(a):
    return spectrum(a)[..., 0, :]


@instead_of(np.linalg.svd)
def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    if hermitian:
        return of_symmetric(a, compute_uv)
    if not compute_uv:
        return singular_values(a)
    parts = singular(a)
    u, v = parts[..., 1 : 1 + a.shape[-2], :], parts[..., 1 + a.shape[-2] :, :]
    s = np.real(parts[..., 0, :]) if np.iscomplexobj(a) else parts[..., 0, :]
    if not full_matrices:
        return _SVDResult(u, s, np.swapaxes(v, -1, -2))
    u_rest = complement(rest_of_left(a), u)
    v_rest = complement(rest_of_left(np.swapaxes(a, -1, -2)), v)
    full_u, full_v = np.concatenate((u, u_rest), axis=-1), np.concatenate((v, v_rest), axis=-1)
    return _SVDResult(full_u, s, np.swapaxes(full_v, -1, -2))


def of_symmetric(a, compute_uv):
    """The singular values of a symmetric matrix, the lengths of its eigenvalues, and the vectors."""
    if not compute_uv:
        return np.sort(np.abs(np.linalg.eigvalsh(a)))[..., ::-1]
    w, v = np.linalg.eigh(a)
    order = np.argsort(np.abs(w))[..., ::-1]
    s = np.take_along_axis(np.abs(w), order, -1)
    signs = np.expand_dims(np.take_along_axis(np.sign(w), order, -1), -2)
    u = np.take_along_axis(v, np.expand_dims(order, -2), -1)
    return _SVDResult(u, s, np.swapaxes(conjugate(u * signs), -1, -2))


@instead_of(np.linalg.pinv, given=("rcond", "hermitian", "rtol"))
def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    least = rcond if rtol is None else rtol
    whole = hermitian_of(a) if hermitian else a
    if least is None:
        return np.linalg.pinv(whole)
    u, s, vh = np.linalg.svd(whole, full_matrices=False)
    large = s > (np.expand_dims(least, -1) if np.ndim(least) > 0 else least) * s[..., :1]
    inverse = np.where(large, 1.0 / np.where(large, s, 1.0), 0.0)
    return np.swapaxes(conjugate(vh), -1, -2) @ (np.expand_dims(inverse, -1) * np.swapaxes(conjugate(u), -1, -2))


def hermitian_of(a):
    """The symmetric or Hermitian matrix whose lower triangle is given."""
    below = np.tril(a, -1)
    diagonal = (np.real(a) if np.iscomplexobj(a) else a) * np.eye(a.shape[-1], dtype=np.abs(a).dtype)
    return diagonal + below + np.swapaxes(conjugate(below), -1, -2)


@instead_of(np.linalg.cholesky, given=("upper",))
def cholesky(a, *, upper=False):
    if not upper:
        return np.linalg.cholesky(a)
    return np.swapaxes(conjugate(np.linalg.cholesky(np.swapaxes(conjugate(a), -1, -2))), -1, -2)


@instead_of(np.linalg.qr)
def qr(a, mode="reduced"):
    if mode != "reduced" and mode != "r" and mode != "complete":
        return refuse("np.linalg.qr in this mode", "mode='reduced', 'r' or 'complete'")
    q = orthonormal(a[..., : a.shape[-2]])
    if mode == "complete":
        q = np.concatenate((q, complement(rest_of_orthonormal(a), q)), axis=-1)
    r = np.triu(np.swapaxes(conjugate(q), -1, -2) @ a)
    return r if mode == "r" else _QRResult(q, r)


@instead_of(np.linalg.lstsq)
def lstsq(a, b, rcond=None):
    least = np.finfo(a.dtype).eps
    if rcond is None:
        x, least = np.linalg.pinv(a) @ b, least * max(a.shape[0], a.shape[1])
    else:
        least = rcond if rcond >= 0 else least
        x = np.linalg.pinv(a, least) @ b
    s = singular_values(a)
    squares = np.sum(squared(b - a @ x), axis=0, keepdims=b.ndim == 1)
    rank = np.sum(s > s[0] * least)
    return x, squares[: squares.size * int(a.shape[0] > a.shape[1])], rank, s


@instead_of(np.linalg.tensorinv)
def tensorinv(a, ind=2):
    lead, rest = a.shape[:ind], a.shape[ind:]
    n = 1
    for k in range(ind):
        n = n * a.shape[k]
    return np.reshape(np.linalg.inv(np.reshape(a, (n, -1))), rest + lead)


@instead_of(np.linalg.tensorsolve)
def tensorsolve(a, b, axes=None):
    whole = a if axes is None else np.moveaxis(a, axes, LAST[len(axes)])
    x = np.linalg.solve(np.reshape(whole, (np.size(b), -1)), np.ravel(b))
    return np.reshape(x, whole.shape[np.ndim(b) :])


# ---------------------------------------------------------------- NumPy's second names

if hasattr(np.linalg, "vector_norm"):

    @instead_of(np.linalg.vector_norm)
    def vector_norm(x, *, axis=None, keepdims=False, ord=2):
        if axis is None:
            y = np.linalg.norm(np.ravel(x), ord)
            return np.reshape(y, (1,) * x.ndim) if keepdims else y
        if isinstance(axis, (tuple, list)):
            return kept(np.linalg.norm(last(x, axis), ord, axis=-1), x, axis, keepdims)
        return np.linalg.norm(x, ord, axis=axis, keepdims=keepdims)

    @instead_of(np.linalg.matrix_norm)
    def norm_of_matrix(x, *, keepdims=False, ord="fro"):
        return np.linalg.norm(x, ord, axis=(-2, -1), keepdims=keepdims)

    @instead_of(np.linalg.svdvals)
    def svdvals(x):
        return singular_values(x)

    @instead_of(np.linalg.diagonal)
    def diagonal(x, *, offset=0):
        return np.diagonal(x, offset, -2, -1)

    @instead_of(np.linalg.trace)
    def trace(x, *, offset=0, dtype=None):
        return np.sum(np.diagonal(x, offset, -2, -1), axis=-1, dtype=dtype)

    @instead_of(np.linalg.cross)
    def cross(x1, x2, *, axis=-1):
        return np.cross(x1, x2, axis=axis)

    @instead_of(np.linalg.outer)
    def outer(x1, x2):
        return np.outer(x1, x2)

    @instead_of(np.linalg.matmul)
    def matmul(x1, x2):
        return np.matmul(x1, x2)

    @instead_of(np.linalg.matrix_transpose)
    def matrix_transpose(x):
        return np.swapaxes(x, -1, -2)

    @instead_of(np.linalg.tensordot)
    def tensordot(x1, x2, *, axes=2):
        return np.tensordot(x1, x2, axes)

    @instead_of(np.linalg.vecdot)
    def vecdot(x1, x2, *, axis=-1):
        return np.vecdot(x1, x2, axis=axis)
