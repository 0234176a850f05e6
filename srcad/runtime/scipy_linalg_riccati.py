"""Solutions of Riccati's equations, where Newton's method may begin."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype
from scipy import linalg

from srcad.runtime.scipy_linalg_lapack import computed, inexact

_ROUNDS = 60  # of a method that converges quadratically


@register_jitable
def _alike(a):
    """A symmetric or Hermitian matrix without what rounding has added; single precision may have rounded it."""
    turned = np.conj(a.T)
    if np.max(np.abs(a - turned)) > 1e-5 * np.max(np.abs(a)):
        raise ValueError("Riccati's equation: q and r have to be symmetric or Hermitian")
    return 0.5 * (a + turned)


def continuous_riccati(a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
    """`scipy.linalg.solve_continuous_are`; compiled, right to half of the digits where eigenvalues coincide.

    >>> continuous_riccati(np.zeros((1, 1)), np.eye(1), 4.0 * np.eye(1), np.eye(1))
    array([[2.]])
    """
    return linalg.solve_continuous_are(a, b, _alike(q), _alike(r)).astype(inexact(a, b, q, r))


def discrete_riccati(a: np.ndarray, b: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
    """`scipy.linalg.solve_discrete_are`.

    >>> discrete_riccati(np.zeros((1, 1)), np.eye(1), 4.0 * np.eye(1), np.eye(1))
    array([[4.]])
    """
    return linalg.solve_discrete_are(a, b, _alike(q), _alike(r)).astype(inexact(a, b, q, r))


# ---------------------------------------------------------------- compiled


@register_jitable
def _from_stable(a, g, q):
    """From the stable subspace of the Hamiltonian matrix: A. Laub, IEEE Trans. Automat. Control 24 (1979)."""
    n = a.shape[0]
    whole = np.empty((2 * n, 2 * n), np.complex128)
    whole[:n, :n], whole[:n, n:] = a, -g
    whole[n:, :n], whole[n:, n:] = -q, -np.conj(a.T)
    w, v = np.linalg.eig(whole)
    stable = np.nonzero(w.real < 0.0)[0]
    if stable.size != n:
        raise np.linalg.LinAlgError("Riccati's equation has no stabilising solution")
    basis = v[:, stable]
    x = np.linalg.solve(np.ascontiguousarray(basis[:n].T), np.ascontiguousarray(basis[n:].T))
    return 0.5 * (x.T + np.conj(x))


@register_jitable
def _by_doubling(a, g, q):
    """By doubling: E. Chu, H.-Y. Fan, W.-W. Lin and C.-S. Wang, Int. J. Control 77 (2004)."""
    a, g, q = a.astype(np.complex128), g.astype(np.complex128), q.astype(np.complex128)
    unit = np.eye(a.shape[0]).astype(np.complex128)
    for _ in range(_ROUNDS):
        step = np.linalg.solve(unit + g @ q, np.concatenate((a, g), axis=1))
        left, middle = np.ascontiguousarray(step[:, : a.shape[0]]), np.ascontiguousarray(step[:, a.shape[0] :])
        turned = np.ascontiguousarray(np.conj(a.T))
        change = turned @ q @ left
        g = g + a @ middle @ turned
        q = q + change
        a = a @ left
        if np.max(np.abs(change)) <= 1e-15 * np.max(np.abs(q)):
            return q
    raise np.linalg.LinAlgError("Riccati's equation has no stabilising solution")


def _compiled(solve):
    def build(a, b, q, r):
        own = as_dtype(computed(a.dtype, b.dtype, q.dtype, r.dtype))
        real = own.kind != "c"

        def solution(a, b, q, r):
            wide = np.ascontiguousarray(b).astype(np.complex128)
            turned = np.ascontiguousarray(np.conj(wide.T))
            x = solve(a, wide @ np.linalg.solve(_alike(r).astype(np.complex128), turned), _alike(q))
            return x.real.astype(own)

        def complex_solution(a, b, q, r):
            wide = np.ascontiguousarray(b).astype(np.complex128)
            turned = np.ascontiguousarray(np.conj(wide.T))
            return solve(a, wide @ np.linalg.solve(_alike(r).astype(np.complex128), turned), _alike(q)).astype(own)

        return solution if real else complex_solution

    return build


overload(continuous_riccati)(_compiled(_from_stable))
overload(discrete_riccati)(_compiled(_by_doubling))
