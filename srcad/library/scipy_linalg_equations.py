"""Equations of matrices of `scipy.linalg`: Lyapunov's and Riccati's.

Riccati's are solved as they are; steps of Newton's method, which move nothing, carry the derivatives: each step doubles
the orders that are right (D. Kleinman, IEEE Trans. Automat. Control 13 (1968); G. Hewer, 16 (1971)).
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from srcad.library import instead_of, refuse
from srcad.library.axes import conjugate, wide
from srcad.library.scipy_linalg import adjoint
from srcad.runtime import solution
from srcad.runtime.scipy_linalg_riccati import continuous_riccati, discrete_riccati


@instead_of(linalg.solve_continuous_lyapunov)
def solve_continuous_lyapunov(a, q):
    return linalg.solve_sylvester(a, adjoint(a), q)


@instead_of(linalg.solve_discrete_lyapunov)
def solve_discrete_lyapunov(a, q, method=None):
    if method == "bilinear":
        return by_sylvester(a, q)
    n = a.shape[-1]
    products = np.expand_dims(a, (-3, -1)) * np.expand_dims(conjugate(a), (-4, -2))  # Kronecker's, of each of a stack
    matrix = np.eye(n * n) - np.reshape(products, a.shape[:-2] + (n * n, n * n))
    return np.reshape(np.linalg.solve(matrix, np.reshape(q, q.shape[:-2] + (n * n, 1))), q.shape)


def by_sylvester(a, q):
    """The solution of ``x - a @ x @ adjoint(a) == q``, by an equation of Sylvester's; -1 is no eigenvalue of `a`."""
    inverse = np.linalg.inv(a + np.eye(a.shape[-1]))
    rate = inverse @ (a - np.eye(a.shape[-1]))
    return linalg.solve_sylvester(rate, adjoint(rate), -2.0 * (inverse @ q @ adjoint(inverse)))


@instead_of(linalg.solve_continuous_are)
def solve_continuous_are(a, b, q, r, e=None, s=None, balanced=True):
    a, b, q, r = without_mass_and_cross(a, b, q, r, e, s)
    g = b @ np.linalg.solve(r, adjoint(b))
    x = solution(continuous_riccati(a, b, q, r), 3)
    for _ in range(2):
        closed = a - g @ x
        x = linalg.solve_sylvester(adjoint(closed), closed, -(q + x @ g @ x))
    return x


@instead_of(linalg.solve_discrete_are)
def solve_discrete_are(a, b, q, r, e=None, s=None, balanced=True):
    a, b, q, r = without_mass_and_cross(a, b, q, r, e, s)
    x = solution(discrete_riccati(a, b, q, r), 3)
    for _ in range(2):
        gain = np.linalg.solve(r + adjoint(b) @ x @ b, adjoint(b) @ x @ a)
        x = by_sylvester(adjoint(a - b @ gain), q + adjoint(gain) @ r @ gain)
    return x


def without_mass_and_cross(a, b, q, r, e, s):
    """The matrices of the equation that is left when `e` is divided out, and the products with `s` are completed."""
    if a.ndim > 2 or b.ndim > 2 or q.ndim > 2 or r.ndim > 2:
        return refuse("an equation of Riccati's of stacks of matrices", "a loop over them")
    a, b, q, r = wide(a), wide(b), wide(q), wide(r)
    if s is not None:
        gain = np.linalg.solve(r, adjoint(s))
        a, q = a - b @ gain, q - s @ gain
    if e is not None:
        inverse = np.linalg.inv(e)
        a, q = a @ inverse, adjoint(inverse) @ q @ inverse
    return a, b, q, r
