"""Inverses, determinants and factorisations of matrices and of stacks of them.

A factorisation is one array (`srcad.runtime.factors`). Of symmetric matrices one triangle is read, and the cotangent
is that of this triangle. Formulas: M. Giles, An extended collection of matrix derivative results (2008); J. Townsend,
Differentiating the singular value decomposition (2016); G. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973).
"""

import numpy as np

from srcad.rules.axes import flipped
from srcad.rules.rule import constant, lowers, rule
from srcad.runtime import (
    cholesky_each, det_each, det_sign, eigen, half_lower, inverse_each, log_abs_det, orthonormal, pseudo_inverse_each,
    singular, singular_values, solve_each,
)  # fmt: skip

constant(det_sign, half_lower, np.linalg.matrix_rank)


@rule(np.linalg.det)
def det(y, a):
    scaled = y.bar * y
    if a.ndim == 2:
        y.dot = y * np.trace(np.linalg.solve(a, a.dot))
        a.bar += scaled * np.linalg.inv(a).T
    else:
        y.dot = y * np.sum(flipped(np.linalg.inv(a)) * a.dot, axis=(-2, -1))
        a.bar += scaled[..., None, None] * flipped(np.linalg.inv(a))


@rule(log_abs_det)
def log_of_determinant(y, a):
    if a.ndim == 2:
        y.dot = np.trace(np.linalg.solve(a, a.dot))
        a.bar += y.bar * np.linalg.inv(a).T
    else:
        y.dot = np.sum(flipped(np.linalg.inv(a)) * a.dot, axis=(-2, -1))
        a.bar += y.bar[..., None, None] * flipped(np.linalg.inv(a))


@rule(np.linalg.inv)
def inv(y, a):
    y.dot = -(y @ a.dot @ y)
    a.bar -= flipped(y) @ y.bar @ flipped(y)


@rule(np.linalg.solve)
def solve(x, a, b):
    rhs = np.linalg.solve(flipped(a), x.bar)
    if b.ndim == 1:
        x.dot = np.linalg.solve(a, b.dot - a.dot @ x)
        b.bar += rhs
        a.bar -= np.outer(rhs, x)
    else:
        x.dot = np.linalg.solve(a, b.dot - a.dot @ x)
        b.bar += rhs
        a.bar -= rhs @ flipped(x)


@rule(np.linalg.cholesky)
def cholesky(y, a):
    half = half_lower(y.shape[-1])
    lower = a.dot * half
    inner = np.linalg.solve(y, flipped(np.linalg.solve(y, lower + flipped(lower))))
    y.dot = y @ (flipped(inner) * half)
    middle = np.linalg.solve(flipped(y), flipped(np.linalg.solve(flipped(y), flipped((flipped(y) @ y.bar) * half))))
    a.bar += (middle + flipped(middle)) * half


@rule(eigen)
def eigenvectors(y, a, uplo="L"):
    w = y[..., 0, :]
    v = y[..., 1:, :]
    apart = w[..., None, :] - w[..., :, None]
    rates = (1.0 if apart != 0.0 else 0.0) / (apart if apart != 0.0 else 1.0)
    half = half_lower(w.shape[-1])
    lower = (a.dot if uplo == "L" else flipped(a.dot)) * half
    inner = flipped(v) @ (lower + flipped(lower)) @ v
    y.dot = np.concatenate((np.sum(inner * np.eye(w.shape[-1]), axis=-2, keepdims=True), v @ (inner * rates)), axis=-2)
    middle = (flipped(v) @ y.bar[..., 1:, :]) * rates + np.eye(w.shape[-1]) * y.bar[..., 0:1, :]
    whole = v @ middle @ flipped(v)
    triangle = (whole + flipped(whole)) * half
    a.bar += triangle if uplo == "L" else flipped(triangle)


@rule(singular)
def singular_vectors(y, a):
    s = y[..., 0:1, :]
    u = y[..., 1 : 1 + a.shape[-2], :]
    v = y[..., 1 + a.shape[-2] :, :]
    apart = (s - flipped(s)) * (s + flipped(s))
    rates = (1.0 if apart != 0.0 else 0.0) / (apart if apart != 0.0 else 1.0)
    inverse = (1.0 if s != 0.0 else 0.0) / (s if s != 0.0 else 1.0)
    inner = flipped(u) @ a.dot @ v
    s_dot = np.sum(inner * np.eye(s.shape[-1]), axis=-2, keepdims=True)
    left = (inner * s + flipped(inner * s)) * rates
    right = (flipped(s) * inner + flipped(flipped(s) * inner)) * rates
    u_dot = u @ left + (a.dot @ v - u @ inner) * inverse
    v_dot = v @ right + (flipped(a.dot) @ u - v @ flipped(inner)) * inverse
    y.dot = np.concatenate((s_dot, u_dot, v_dot), axis=-2)
    s_bar = y.bar[..., 0:1, :]
    u_bar = y.bar[..., 1 : 1 + a.shape[-2], :]
    v_bar = y.bar[..., 1 + a.shape[-2] :, :]
    by_u = flipped(u) @ u_bar
    by_v = flipped(v) @ v_bar
    middle = ((by_u - flipped(by_u)) * rates) * s + flipped(s) * ((by_v - flipped(by_v)) * rates)
    rows = (u_bar - u @ by_u) * inverse
    columns = (v_bar - v @ by_v) * inverse
    a.bar += (u @ (middle + np.eye(s.shape[-1]) * s_bar) + rows) @ flipped(v) + u @ flipped(columns)


@rule(singular_values)
def singular_value(y, a):
    parts = singular(a)
    u = parts[..., 1 : 1 + a.shape[-2], :]
    v = parts[..., 1 + a.shape[-2] :, :]
    y.dot = np.sum(u * (a.dot @ v), axis=-2)
    a.bar += (u * y.bar[..., None, :]) @ flipped(v)


@rule(np.linalg.eigvalsh)
def eigenvalues(y, a, UPLO="L"):
    v = eigen(a, UPLO)[..., 1:, :]
    half = half_lower(y.shape[-1])
    lower = (a.dot if UPLO == "L" else flipped(a.dot)) * half
    y.dot = np.sum(v * ((lower + flipped(lower)) @ v), axis=-2)
    triangle = 2.0 * ((v * y.bar[..., None, :]) @ flipped(v)) * half
    a.bar += triangle if UPLO == "L" else flipped(triangle)


@rule(orthonormal)
def orthonormal_factor(q, a):
    r = flipped(q) @ a
    slope = flipped(np.linalg.solve(flipped(r), flipped(a.dot)))
    inner = flipped(q) @ slope
    below = inner * (half_lower(r.shape[-1]) - 0.5 * np.eye(r.shape[-1]))
    q.dot = slope + q @ (below - flipped(below) - inner)
    across = flipped(q) @ q.bar
    turned = (across - flipped(across)) * (half_lower(r.shape[-1]) - 0.5 * np.eye(r.shape[-1])) - across
    a.bar += flipped(np.linalg.solve(r, flipped(q.bar + q @ turned)))


@rule(np.linalg.pinv)
def pinv(y, a):
    p = flipped(y)
    gap_rows = np.eye(a.shape[-2]) - a @ y
    gap_columns = np.eye(a.shape[-1]) - y @ a
    y.dot = -(y @ a.dot @ y) + y @ p @ flipped(a.dot) @ gap_rows + gap_columns @ flipped(a.dot) @ p @ y
    b = flipped(y.bar)
    a.bar += gap_rows @ b @ y @ p + p @ y @ b @ gap_columns - p @ y.bar @ p


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
    return eigen(a, UPLO)[..., 0, :]


@lowers(np.linalg.solve)
def compiled_solve(a, b):
    if a.ndim > 2 or b.ndim > 2:
        return solve_each(a, b)
