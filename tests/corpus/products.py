"""Products of matrices, with what stands before their factors, and vectors spread over rows and columns."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program, uniform


@program(normal(3), normal(6, 3), normal(6))
def losses_of_minus_a_product(w, X, y):
    p = 1 / (1 + np.exp(-X @ w))
    return np.sum((p - y) ** 2) + np.mean(np.log(1 + np.exp(np.dot(-X, w) * y)))


@program(normal(5, 3), normal(4, 3), 1.3)
def kernel_by_squares_and_a_product(X, Y, s):
    d = np.sum(X**2, axis=1)[:, None] + np.sum(Y**2, axis=1)[None, :] - 2 * X @ Y.T
    return np.sum(np.exp(-d / (2 * s**2)))


@program(normal(5, 3), normal(3), 0.7)
def numbers_before_factors(X, w, c):
    r = (-2 * X @ w) * (X * c @ w) + (-(c * X)) @ w
    return np.sum(r * r) + np.sum(np.sin(X @ (-c * X.T) + 1.0)) + np.sum(w @ (c * X.T))


@program(normal(5, 3), normal(3), 0.7)
def a_factor_that_is_written_to(X, w, c):
    Y = -X
    r = Y @ w
    Y[0] = 5.0 * c
    return np.sum(r * r) + np.sum(c * Y @ w)


@program(normal(5, 3), normal(3), 0.7, tags="nojit")
def vectors_spread_by_new_axes(X, w, c):
    m = X.mean(axis=1)
    total = np.sum((m[:, None] - m[None, :]) ** 2) * c + np.sum(w[None] ** 2)
    e = np.exp(w)
    one = np.sum(X[:1], axis=1)
    inner = np.where(X > 0, e[None, :], c * e[None, :] ** 2)
    return total + np.sum(inner) + np.sum(one[:, None] * w) + np.sum((w[:, None, None] * e[None, :, None]) * X.T[None])


@program(normal(5, 3), normal(3), 0.7)
def a_spread_vector_that_is_written_to(X, w, c):
    v = w.copy()
    u = v[:, None]
    u[1, 0] = c
    u *= 2.0
    return np.sum(v**2) + np.sum(u * X.T)


@program(normal(4, 3), normal(4, 3), uniform(1.0, 2.0, 4), 3, tags="nojit")
def bodies_that_attract_each_other_as_arrays(pos, vel, mass, n):
    for _ in range(n):
        dx = pos[:, None, :] - pos[None, :, :]
        r2 = (dx**2).sum(-1) + 0.5
        acc = -(mass[None, :, None] * dx / r2[:, :, None] ** 1.5).sum(1)
        vel = vel + 0.1 * acc
        pos = pos + 0.1 * vel
    return 0.5 * (mass[:, None] * vel**2).sum() + np.sum(pos[:, :, None] * vel[:, None, :], axis=(0, 2)) @ np.ones(3)


@program(normal(4, 3), normal(4), normal(3), tags="nojit")
def sums_over_rows_and_other_axes(a, w, v):
    t = a[:, :, None] * v[None, None, :]
    b = np.sum(t * w[:, None, None], axis=(0, 2)) + np.sum(np.sin(t), axis=(-1, 0)) * v
    kept = np.sum(t * t, axis=(0, 2), keepdims=True)
    return np.sum(b**2) + np.sum(np.sum(t, axis=(0, 1)) * v) + np.sum(kept * a[0][:, None])


@program(normal(5, 2), uniform(0.01, 0.1, 5, 5), tags="nojit")
def neighbours_by_their_shares(Y, P):
    d = ((Y[:, None, :] - Y[None, :, :]) ** 2).sum(-1)
    q = 1 / (1 + d) * (1 - np.eye(len(Y)))
    Q = q / q.sum()
    return (P * np.log(P / (Q + 1e-12))).sum()


@program(normal(6, 3), normal(5), 0.7, tags="nojit")
def springs_in_a_chain_of_points(p, L, k):
    d = p[1:] - p[:-1]
    f = np.cos(p[:, 0])[:, None] * np.cos(L)[None, :] ** 2
    return k * np.sum((np.sqrt((d**2).sum(axis=1) + 0.1) - L) ** 2) + np.sum(np.sqrt(1.0 + f**2))


@program(normal(3), 0.1, 3)
def forces_of_the_step_before(x, h, steps):
    a = np.sin(x)
    v = np.zeros_like(x)
    for _ in range(steps):
        x = x + h * v + a
        b = np.zeros_like(x)
        for i in range(len(x)):
            for j in range(len(x)):
                b[i] += x[j] * x[i]
        v = v + h * (a + b)
        a = b
    return x @ x
