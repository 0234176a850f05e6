"""Eigenvalues, singular values and functions of matrices of `scipy.linalg`, in terms of those of NumPy."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from srcad.library import instead_of, known, refuse
from srcad.library.axes import wide
from srcad.library.scipy_linalg import adjoint, hermitian
from srcad.runtime import solution, stop_gradient
from srcad.runtime.scipy_linalg_functions import logarithm, square_root

# ---------------------------------------------------------------- eigenvalues


@instead_of(linalg.eig)
def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True):
    if b is not None:
        return refuse("scipy.linalg.eig of two matrices", "np.linalg.eig(np.linalg.solve(b, a))")
    if left:
        return refuse("scipy.linalg.eig with left=True", "the rows of np.linalg.inv of the right ones")
    w, v = np.linalg.eig(a)
    return (w, v) if right else w


@instead_of(linalg.eigvals)
def eigvals(a, b=None, overwrite_a=False, check_finite=True):
    if b is not None:
        return refuse("scipy.linalg.eigvals of two matrices", "np.linalg.eigvals(np.linalg.solve(b, a))")
    return np.linalg.eigvals(a)


@instead_of(linalg.eigh)
def eigh(a, b=None, *, lower=True, eigvals_only=False, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
         subset_by_index=None, subset_by_value=None, driver=None):  # fmt: skip
    if eigvals_only:
        return linalg.eigvalsh(
            a, b, lower=lower, type=type, subset_by_index=subset_by_index, subset_by_value=subset_by_value
        )
    if b is None:
        w, v = np.linalg.eigh(a, "L" if lower else "U")
    else:
        factor = np.linalg.cholesky(hermitian(b, lower))
        w, v = np.linalg.eigh(reduced(hermitian(a, lower), factor, type))
        v = factor @ v if type == 3 else np.linalg.solve(adjoint(factor), v)
    if subset_by_index is None and subset_by_value is None:
        return w, v
    first, last = limits(w, subset_by_index, subset_by_value)
    return w[..., first:last], v[..., first:last]


@instead_of(linalg.eigvalsh)
def eigvalsh(a, b=None, *, lower=True, overwrite_a=False, overwrite_b=False, type=1, check_finite=True,
             subset_by_index=None, subset_by_value=None, driver=None):  # fmt: skip
    if b is None:
        w = np.linalg.eigvalsh(a, "L" if lower else "U")
    else:
        w = np.linalg.eigvalsh(reduced(hermitian(a, lower), np.linalg.cholesky(hermitian(b, lower)), type))
    if subset_by_index is None and subset_by_value is None:
        return w
    first, last = limits(w, subset_by_index, subset_by_value)
    return w[..., first:last]


def limits(w, by_index, by_value):
    """Where the eigenvalues that are asked for begin and end among all, which rise; the lower bound is no part."""
    if by_value is None:
        return by_index[0], by_index[1] + 1
    if by_index is not None:
        return refuse("a choice of eigenvalues by their numbers and by their values", "one of the two")
    if w.ndim > 1:
        return refuse("eigenvalues in an interval, of stacks of matrices", "a loop over them")
    return np.searchsorted(w, by_value[0], "right"), np.searchsorted(w, by_value[1], "right")


def reduced(a, factor, type):
    """The matrix of the ordinary problem, by the factor of Cholesky of the other matrix."""
    if type == 1:
        return np.linalg.solve(factor, adjoint(np.linalg.solve(factor, adjoint(a))))
    return adjoint(factor) @ a @ factor


@instead_of(linalg.eigh_tridiagonal)
def eigh_tridiagonal(d, e, eigvals_only=False, select="a", select_range=None, check_finite=True, tol=0.0,
                     lapack_driver="auto"):  # fmt: skip
    if d.ndim > 1:
        return refuse("scipy.linalg.eigh_tridiagonal of several matrices at once", "a loop over them")
    matrix = np.diag(d) + np.diag(e, -1)
    indices = select_range if select == "i" or select == 2 else None
    values = select_range if select == "v" or select == 1 else None
    if eigvals_only:
        return linalg.eigvalsh(matrix, subset_by_index=indices, subset_by_value=values)
    return linalg.eigh(matrix, subset_by_index=indices, subset_by_value=values)


@instead_of(linalg.eigvalsh_tridiagonal)
def eigvalsh_tridiagonal(d, e, select="a", select_range=None, check_finite=True, tol=0.0, lapack_driver="auto"):
    if d.ndim > 1:
        return refuse("scipy.linalg.eigvalsh_tridiagonal of several matrices at once", "a loop over them")
    return linalg.eigh_tridiagonal(d, e, True, select, select_range)


# ---------------------------------------------------------------- singular values


@instead_of(linalg.svd)
def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    if not compute_uv:
        return np.linalg.svd(a, compute_uv=False)
    u, s, vh = np.linalg.svd(a, full_matrices=full_matrices)
    return u, s, vh


@instead_of(linalg.svdvals)
def svdvals(a, overwrite_a=False, check_finite=True):
    return np.linalg.svd(a, compute_uv=False)


@instead_of(linalg.orth)
def orth(A, rcond=None):
    if A.ndim > 2:
        return refuse("scipy.linalg.orth of stacks of matrices", "a loop over them")
    u, s, _ = np.linalg.svd(A, full_matrices=False)
    return u[:, : count_of(s, A, rcond)]


@instead_of(linalg.null_space)
def null_space(A, rcond=None, *, overwrite_a=False, check_finite=True, lapack_driver="gesdd"):
    if A.ndim > 2:
        return refuse("scipy.linalg.null_space of stacks of matrices", "a loop over them")
    _, s, vh = np.linalg.svd(A)
    return adjoint(vh[count_of(s, A, rcond) :])


def count_of(s, a, rcond):
    """How many singular values are not zero."""
    least = np.finfo(s.dtype).eps * max(a.shape[0], a.shape[1]) if rcond is None else rcond
    return int(np.sum(s > np.max(s) * least))


@instead_of(linalg.polar)
def polar(a, side="right"):
    factor = unitary_factor(a)
    return factor, adjoint(factor) @ a if side == "right" else a @ adjoint(factor)


@instead_of(linalg.orthogonal_procrustes)
def orthogonal_procrustes(A, B, check_finite=True):
    product = adjoint(A) @ B
    factor = unitary_factor(product)
    return factor, np.sum(np.real(np.conj(factor) * product), axis=(-2, -1))


def unitary_factor(a):
    """The unitary factor of a polar decomposition, which is smooth where singular values coincide.

    With ``p @ p == adjoint(a) @ a`` it is `u` of ``u @ p == a``. Both are linear equations for the derivatives, in the
    basis of the singular vectors at hand, whichever of many these are; steps of Newton's method that move nothing carry
    them, each step those of one order more.
    """
    u, s, vh = np.linalg.svd(stop_gradient(a), full_matrices=False)
    tall = a.shape[-2] >= a.shape[-1]
    b = a if tall else adjoint(a)
    v = adjoint(vh) if tall else u
    factor = solution(u @ vh if tall else adjoint(u @ vh), 3)
    rows, columns = np.expand_dims(s, -2), np.expand_dims(s, -1)
    root, inverse = solution((v * rows) @ adjoint(v), 3), stop_gradient((v / rows) @ adjoint(v))
    for _ in range(3):
        moved = adjoint(b) @ b - root @ root
        moved = adjoint(v) @ (moved - stop_gradient(moved)) @ v
        root = root + v @ (moved / (columns + rows)) @ adjoint(v)
    for _ in range(3):
        moved = b - factor @ root
        factor = factor + (moved - stop_gradient(moved)) @ inverse
    return factor if tall else adjoint(factor)


@instead_of(linalg.pinv)
def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    return (inverse_within(a, atol, rtol), rank_of(a, atol, rtol)) if return_rank else inverse_within(a, atol, rtol)


def inverse_within(a, atol, rtol):
    """The pseudoinverse, of which singular values below the tolerances are no part."""
    if a.ndim > 2 and (atol is not None or rtol is not None):
        return refuse("scipy.linalg.pinv of stacks of matrices with tolerances", "np.linalg.pinv(a, rcond)")
    if atol is None and rtol is None:
        return np.linalg.pinv(a)
    largest = np.max(np.linalg.svd(a, compute_uv=False))
    relative = np.finfo(a.dtype).eps * max(a.shape[0], a.shape[1]) if rtol is None else rtol
    return np.linalg.pinv(a, relative if atol is None else relative + atol / largest)


def rank_of(a, atol, rtol):
    """How many singular values count."""
    if a.ndim > 2:
        return refuse("scipy.linalg.pinv of stacks of matrices with return_rank=True", "np.linalg.matrix_rank")
    s = np.linalg.svd(a, compute_uv=False)
    relative = np.finfo(a.dtype).eps * max(a.shape[0], a.shape[1]) if rtol is None else rtol
    return np.count_nonzero(s > (0.0 if atol is None else atol) + relative * np.max(s))


@instead_of(linalg.pinvh)
def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    return linalg.pinv(hermitian(a, lower), atol=atol, rtol=rtol, return_rank=return_rank)


# ---------------------------------------------------------------- functions of matrices


@instead_of(linalg.sqrtm)
def sqrtm(A):
    return square_root(A)


@instead_of(linalg.logm)
def logm(A):
    return logarithm(wide(A))


@instead_of(linalg.fractional_matrix_power)
def fractional_matrix_power(A, t):
    if known(t) and t == int(t):
        return np.linalg.matrix_power(A, int(t))
    return linalg.expm(t * logarithm(wide(A)))


@instead_of(linalg.expm_frechet)
def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    A, E, n = wide(A), wide(E), A.shape[-1]
    above, below = np.concatenate((A, E), axis=-1), np.concatenate((np.zeros_like(A), A), axis=-1)
    whole = linalg.expm(np.concatenate((above, below), axis=-2))
    return (whole[..., :n, :n], whole[..., :n, n:]) if compute_expm else whole[..., :n, n:]


@instead_of(linalg.cosm)
def cosm(A):
    if np.iscomplexobj(A):
        return 0.5 * (linalg.expm(1j * A) + linalg.expm(-1j * A))
    return np.real(linalg.expm(1j * A))


@instead_of(linalg.sinm)
def sinm(A):
    if np.iscomplexobj(A):
        return -0.5j * (linalg.expm(1j * A) - linalg.expm(-1j * A))
    return np.imag(linalg.expm(1j * A))


@instead_of(linalg.tanm)
def tanm(A):
    return np.linalg.solve(linalg.cosm(A), linalg.sinm(A))


@instead_of(linalg.coshm)
def coshm(A):
    return 0.5 * (linalg.expm(A) + linalg.expm(-A))


@instead_of(linalg.sinhm)
def sinhm(A):
    return 0.5 * (linalg.expm(A) - linalg.expm(-A))


@instead_of(linalg.tanhm)
def tanhm(A):
    return np.linalg.solve(linalg.coshm(A), linalg.sinhm(A))


@instead_of(linalg.funm)
def funm(A, func, disp=True):
    return refuse("scipy.linalg.funm of a function of numbers", "expm, logm, sqrtm, or V @ diag(f(w)) @ inv(V) of eig")


@instead_of(linalg.signm)
def signm(A):
    return np.linalg.solve(square_root(A @ A), A)


@instead_of(linalg.schur)
def schur(a, output="real"):
    return refuse("scipy.linalg.schur, whose form turns as eigenvalues meet,", "np.linalg.eig, or np.linalg.qr")


@instead_of(linalg.hessenberg)
def hessenberg(a, calc_q=False):
    return refuse("scipy.linalg.hessenberg", "np.linalg.qr, or np.linalg.eig of the matrix itself")
