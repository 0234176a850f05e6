"""Inverses, determinants and factorisations of matrices and of stacks of them.

A factorisation is one array (`srcad.runtime.factors`). Of symmetric and Hermitian matrices one triangle is read, and
the cotangent is that of this triangle. What stands for V has the rows of V^H as columns. Formulas: M. Giles, An
extended collection of matrix derivative results (2008); J. Townsend, Differentiating the singular value decomposition
(2016); G. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973).
"""

import numpy as np

from srcad.rules.axes import adjoint, conjugate, flipped
from srcad.rules.dtypes import common, is_complex
from srcad.rules.rule import constant, lowers, rule
from srcad.runtime import (
    chained, cholesky_bar, cholesky_each, cofactors, cofactors_dot, complement, det_each, det_sign, eigen,
    eigenvalues_each, half_lower, inverse_each, log_abs_det, orthonormal, pseudo_inverse_each, rest_of_left,
    rest_of_orthonormal, singular, singular_values, solve_each,
)  # fmt: skip

constant(half_lower, np.linalg.matrix_rank, rest_of_left, rest_of_orthonormal)


@rule(np.linalg.det)
def det(y, a):
    y.dot = np.sum(cofactors(a) * a.dot, axis=(-2, -1))
    a.bar += (y.bar if a.ndim == 2 else y.bar[..., None, None]) * cofactors(a)


@rule(cofactors)
def _(y, a):
    # Second derivatives of a function: the Jacobian is symmetric.
    y.dot = cofactors_dot(a, a.dot)
    a.bar += cofactors_dot(a, y.bar)


@rule(cofactors_dot)
def _(y, a, moved):
    # Products of all singular values but three are not formed: third derivatives are those of regular matrices.
    inverse = flipped(np.linalg.inv(a))
    turned = inverse @ flipped(moved)
    rate = np.sum(inverse * moved, axis=(-2, -1), keepdims=True)
    y.dot = (cofactors_dot(a, moved.dot) + rate * cofactors_dot(a, a.dot) - turned @ cofactors_dot(a, a.dot)
             + inverse @ flipped(a.dot) @ turned @ cofactors(a)
             - np.sum(inverse @ flipped(a.dot) * flipped(turned), axis=(-2, -1), keepdims=True) * cofactors(a))
    moved.bar += cofactors_dot(a, y.bar)
    a.bar += (rate * cofactors_dot(a, y.bar) - turned @ cofactors_dot(a, y.bar)
              + inverse @ flipped(y.bar) @ turned @ cofactors(a)
              - np.sum(inverse @ flipped(y.bar) * flipped(turned), axis=(-2, -1), keepdims=True) * cofactors(a))


@rule(log_abs_det)
def log_of_determinant(y, a):
    if a.ndim == 2:
        rate = np.trace(np.linalg.solve(a, a.dot))
        a.bar += y.bar * np.linalg.inv(a).T
    else:
        rate = np.sum(flipped(np.linalg.inv(a)) * a.dot, axis=(-2, -1))
        a.bar += y.bar[..., None, None] * flipped(np.linalg.inv(a))
    y.dot = np.real(rate) if is_complex(a) else rate


@rule(det_sign)
def sign_of_determinant(y, a):
    # A real sign is a constant; that of a complex matrix turns.
    if is_complex(a):
        phase = np.imag(y.bar * y)
        if a.ndim == 2:
            y.dot = 1j * y * np.imag(np.trace(np.linalg.solve(a, a.dot)))
            a.bar += 1j * phase * np.linalg.inv(a).T
        else:
            y.dot = 1j * y * np.imag(np.sum(flipped(np.linalg.inv(a)) * a.dot, axis=(-2, -1)))
            a.bar += (1j * phase)[..., None, None] * flipped(np.linalg.inv(a))


@rule(np.linalg.inv)
def inv(y, a):
    y.dot = -(y @ a.dot @ y)
    a.bar -= flipped(y) @ y.bar @ flipped(y)


@rule(np.linalg.solve)
def solve(x, a, b):
    if b.ndim == 1:
        rhs = np.linalg.solve(flipped(a), x.bar)
        x.dot = np.linalg.solve(a, b.dot - a.dot @ x)
        b.bar += rhs
        a.bar -= np.outer(rhs, x)
    else:
        rhs = np.linalg.solve(flipped(a), x.bar)
        x.dot = np.linalg.solve(a, b.dot - a.dot @ x)
        b.bar += rhs
        a.bar -= rhs @ flipped(x)


@rule(np.linalg.cholesky)
def cholesky(y, a):
    half = half_lower(y.shape[-1])
    lower = a.dot * half
    inner = np.linalg.solve(y, adjoint(np.linalg.solve(y, lower + adjoint(lower, a)), a))
    y.dot = y @ (adjoint(inner, a) * half)
    if a.ndim == 2 and not is_complex(a):
        a.bar += cholesky_bar(y, y.bar)
    else:
        whole = (adjoint(y, a) @ conjugate(y.bar, a)) * half
        middle = adjoint(np.linalg.solve(adjoint(y, a), adjoint(np.linalg.solve(adjoint(y, a), whole), a)), a)
        a.bar += conjugate(middle + adjoint(middle, a), a) * half


@rule(cholesky_bar)
def adjoint_of_cholesky(y, factor, factor_bar):
    # With W the inverse of the factor and P = half * (L.T @ L_bar), it is half * (M + M.T) for M = W.T @ P @ W.
    half = half_lower(factor.shape[0])
    inverse = np.linalg.inv(factor)
    inner = (factor.T @ factor_bar) * half
    turned = inverse @ factor.dot
    change = (flipped(factor.dot) @ factor_bar + factor.T @ factor_bar.dot) * half - inner @ turned
    middle = inverse.T @ (change - flipped(turned) @ inner) @ inverse
    y.dot = (middle + flipped(middle)) * half
    whole = y.bar * half + (y.bar * half).T
    across = inverse @ whole
    outer = (across @ inverse.T) * half
    factor_bar.bar += factor @ outer
    factor.bar += factor_bar @ outer.T - inverse.T @ ((inner + inner.T) @ across) @ inverse.T


@rule(eigen)
def eigenvectors(y, a, uplo="L"):
    w = y[..., 0, :]
    v = y[..., 1:, :]
    apart = w[..., None, :] - w[..., :, None]
    rates = (1.0 if apart != 0.0 else 0.0) / (apart if apart != 0.0 else 1.0)
    half = half_lower(w.shape[-1])
    lower = (a.dot if uplo == "L" else adjoint(a.dot, a)) * half
    inner = adjoint(v, a) @ (lower + adjoint(lower, a)) @ v
    eye = np.eye(w.shape[-1])
    alike = (1.0 if apart == 0.0 else 0.0) - eye
    turned = inner * rates + (np.nan if alike * np.abs(inner) > 0.0 else 0.0)
    y.dot = np.concatenate((np.sum(inner * eye, axis=-2, keepdims=True), v @ turned), axis=-2)
    w_bar = y.bar[..., 0:1, :]
    v_bar = conjugate(y.bar[..., 1:, :], a)
    along = adjoint(v, a) @ v_bar
    middle = along * rates + (np.nan if alike * np.abs(along) > 0.0 else 0.0) + eye * conjugate(w_bar, a)
    whole = v @ middle @ adjoint(v, a)
    triangle = (whole + adjoint(whole, a)) * half
    a.bar += conjugate(triangle, a) if uplo == "L" else flipped(triangle)


@rule(singular)
def singular_vectors(y, a):
    s = y[..., 0:1, :]
    u = y[..., 1 : 1 + a.shape[-2], :]
    v = conjugate(y[..., 1 + a.shape[-2] :, :], a)
    apart = (s - flipped(s)) * (s + flipped(s))
    rates = (1.0 if apart != 0.0 else 0.0) / (apart if apart != 0.0 else 1.0)
    inverse = (1.0 if s != 0.0 else 0.0) / (s if s != 0.0 else 1.0)
    inner = adjoint(u, a) @ a.dot @ v
    eye = np.eye(s.shape[-1])
    alike = (1.0 if apart == 0.0 else 0.0) - eye
    s_dot = np.sum(inner * eye, axis=-2, keepdims=True)
    lost = np.nan if alike * np.abs(inner) > 0.0 else 0.0
    left = (inner * s + adjoint(inner * s, a)) * rates + lost
    right = (flipped(s) * inner + adjoint(flipped(s) * inner, a)) * rates + lost
    u_dot = u @ left + (a.dot @ v - u @ inner) * inverse
    v_dot = v @ right + (adjoint(a.dot, a) @ u - v @ adjoint(inner, a)) * inverse
    s_bar = y.bar[..., 0:1, :]
    u_bar = conjugate(y.bar[..., 1 : 1 + a.shape[-2], :], a)
    v_bar = y.bar[..., 1 + a.shape[-2] :, :]
    by_u = adjoint(u, a) @ u_bar
    by_v = adjoint(v, a) @ v_bar
    middle = ((by_u - adjoint(by_u, a)) * rates) * s + flipped(s) * ((by_v - adjoint(by_v, a)) * rates)
    middle = middle + (np.nan if alike * (np.abs(by_u) + np.abs(by_v)) > 0.0 else 0.0)
    rows = (u_bar - u @ by_u) * inverse
    columns = (v_bar - v @ by_v) * inverse
    if is_complex(a):
        # Only products of a column of U and one of V are determined. Those of U take the whole change of phase.
        turned = u_dot + u @ (1j * np.imag(inner) * eye * inverse)
        y.dot = np.concatenate((np.real(s_dot) + 0j, turned, np.conj(v_dot)), axis=-2)
        middle = middle + eye * (np.real(s_bar) + 1j * np.imag(by_u) * inverse)
        a.bar += np.conj((u @ middle + rows) @ adjoint(v, a) + u @ adjoint(columns, a))
    else:
        y.dot = np.concatenate((s_dot, u_dot, v_dot), axis=-2)
        a.bar += (u @ (middle + eye * s_bar) + rows) @ flipped(v) + u @ flipped(columns)


@rule(singular_values)
def singular_value(y, a):
    parts = singular(a)
    u = parts[..., 1 : 1 + a.shape[-2], :]
    v = conjugate(parts[..., 1 + a.shape[-2] :, :], a)
    if is_complex(a):
        y.dot = np.sum(np.real(np.conj(u) * (a.dot @ v)), axis=-2)
    else:
        y.dot = np.sum(u * (a.dot @ v), axis=-2)
    a.bar += conjugate((u * y.bar[..., None, :]) @ adjoint(v, a), a)


@rule(np.linalg.eigvalsh)
def eigenvalues(y, a, UPLO="L"):
    v = eigen(a, UPLO)[..., 1:, :]
    half = half_lower(y.shape[-1])
    lower = (a.dot if UPLO == "L" else adjoint(a.dot, a)) * half
    if is_complex(a):
        y.dot = np.sum(np.real(np.conj(v) * ((lower + adjoint(lower, a)) @ v)), axis=-2)
    else:
        y.dot = np.sum(v * ((lower + flipped(lower)) @ v), axis=-2)
    triangle = 2.0 * ((v * y.bar[..., None, :]) @ adjoint(v, a)) * half
    a.bar += conjugate(triangle, a) if UPLO == "L" else flipped(triangle)


@rule(orthonormal)
def orthonormal_factor(q, a):
    r = adjoint(q, a) @ a
    below = half_lower(r.shape[-1]) - 0.5 * np.eye(r.shape[-1])
    slope = flipped(np.linalg.solve(flipped(r), flipped(a.dot)))
    inner = adjoint(q, a) @ slope
    moved = inner * below
    q_bar = conjugate(q.bar, a)
    across = adjoint(q, a) @ q_bar
    turned = (across - adjoint(across, a)) * below - across
    if is_complex(a):
        # The diagonal of R is real.
        phases = 1j * np.imag(inner) * np.eye(r.shape[-1])
        q.dot = slope + q @ (moved - adjoint(moved, a) + phases - inner)
        turned = turned + 1j * np.imag(across) * np.eye(r.shape[-1])
    else:
        q.dot = slope + q @ (moved - flipped(moved) - inner)
    a.bar += conjugate(adjoint(np.linalg.solve(r, adjoint(q_bar + q @ turned, a)), a), a)


@rule(complement)
def complement_of_basis(y, rest, basis):
    y.dot = rest.dot - basis @ (adjoint(basis, rest) @ rest.dot) - basis @ (adjoint(basis.dot, rest) @ y)
    rest.bar += y.bar - conjugate(basis, rest) @ (flipped(basis) @ y.bar)
    basis.bar -= conjugate(y @ adjoint(conjugate(y.bar, rest), rest) @ basis, rest)


@rule(chained)
def product_of_three(y, a, b, c):
    y.dot = chained(a.dot, b, c) + chained(a, b.dot, c) + chained(a, b, c.dot)
    a.bar += chained(y.bar, flipped(c), flipped(b))
    b.bar += chained(flipped(a), y.bar, flipped(c))
    c.bar += chained(flipped(b), flipped(a), y.bar)


@rule(np.linalg.pinv)
def pinv(y, a):
    # No product is larger than the matrix, be it tall or wide.
    p = adjoint(y, a)
    turned = adjoint(a.dot, a)
    y.dot = (chained(y, p, turned - chained(turned, a, y)) + chained(turned - chained(y, a, turned), p, y)
             - chained(y, a.dot, y))  # fmt: skip
    y_bar = conjugate(y.bar, a)
    b = adjoint(y_bar, a)
    a.bar += conjugate(
        chained(b - chained(a, y, b), y, p) + chained(p, y, b - chained(b, y, a)) - chained(p, y_bar, p), a
    )


# ---------------------------------------------------------------- how Numba compiles them


@lowers(np.linalg.inv)
def compiled_inv(a):
    if a.ndim > 2:
        return inverse_each(a)


@lowers(np.linalg.cholesky)
def compiled_cholesky(a):
    if a.ndim > 2:
        return cholesky_each(a)


@lowers(np.linalg.pinv)
def compiled_pinv(a):
    if a.ndim > 2:
        return pseudo_inverse_each(a)


@lowers(np.linalg.det)
def compiled_det(a):
    if a.ndim > 2:
        return det_each(a)


@lowers(np.linalg.eigvalsh)
def compiled_eigvalsh(a, UPLO="L"):
    return eigenvalues_each(a, UPLO)


@lowers(np.linalg.solve)
def compiled_solve(a, b):
    x, y = common(a, b)
    return solve_each(x, y) if a.ndim > 2 or b.ndim > 2 else np.linalg.solve(x, y)
