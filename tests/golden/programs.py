"""The programs whose generated source is kept beside this file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import srcad


def loss(w, X, y):
    s = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        s += np.log1p(np.exp(-y[i] * z))
    return s / X.shape[0]


def logistic_map(r, x0, n):
    x = x0
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def burgers(u0, nu, dt, dx, steps):
    u = u0.copy()
    v = np.empty_like(u)
    n = u.shape[0]
    for t in range(steps):
        v[0] = u[0]
        v[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            v[i] = (u[i] - dt / (2 * dx) * u[i] * (u[i + 1] - u[i - 1])
                    + nu * dt / dx**2 * (u[i + 1] - 2 * u[i] + u[i - 1]))  # fmt: skip
        u, v = v, u
    return np.sum(u**2)


def softmax_loss(W, b, X, labels):
    total = 0.0
    for i in range(X.shape[0]):
        z = X[i] @ W + b
        total += np.log(np.sum(np.exp(z))) - z[labels[i]]
    return total / X.shape[0]


def ridge(w, X, y, strength):
    residual = X @ w - y
    return np.sum(residual**2) + strength * np.sum(w**2)


def newton(a, tolerance):
    x = 1.0
    while abs(x * x - a) > tolerance:
        x = 0.5 * (x + a / x)
    return x


def gauss_seidel(u, f, sweeps):
    for _ in range(sweeps):
        for i in range(1, u.shape[0] - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] - f[i] * u[i] ** 2)
    return np.sum(u)


def orbit(y0, dt, steps):
    y = y0.copy()
    for _ in range(steps):
        r = np.sqrt(y[0] ** 2 + y[1] ** 2)
        y = y + dt * np.array([y[2], y[3], -y[0] / r**3, -y[1] / r**3])
    return y[0] ** 2 + y[1] ** 2


@dataclass(frozen=True)
class Case:
    function: Callable[..., Any]
    wrt: Any
    types: tuple[Any, ...]
    transform: Callable[..., Any] = srcad.grad

    @property
    def id(self) -> str:
        return f"{self.function.__name__}_{self.transform.__name__}"

    def generate(self) -> str:
        return srcad.source(self.transform(self.function, wrt=self.wrt), *self.types)


_ints = np.zeros(2, dtype=np.int64)
CASES = [
    Case(loss, "w", (np.zeros(2), np.zeros((2, 2)), np.zeros(2)), srcad.value_and_grad),
    Case(logistic_map, ("r", "x0"), (3.1, 0.3, 10)),
    Case(burgers, "u0", (np.zeros(4), 0.1, 0.1, 0.1, 3)),
    Case(softmax_loss, ("W", "b"), (np.zeros((2, 2)), np.zeros(2), np.zeros((2, 2)), _ints), srcad.value_and_grad),
    Case(ridge, "w", (np.zeros(2), np.zeros((2, 2)), np.zeros(2), 0.1)),
    Case(newton, "a", (2.0, 1e-9)),
    Case(gauss_seidel, ("u", "f"), (np.zeros(4), np.zeros(4), 3)),
    Case(orbit, "y0", (np.zeros(4), 0.1, 3), srcad.value_and_grad),
    Case(loss, "w", (np.zeros(2), np.zeros((2, 2)), np.zeros(2), np.zeros(2)), srcad.jvp),
    Case(burgers, ("u0", "nu"), (np.zeros(4), 0.1, 0.1, 0.1, 3, (np.zeros(4), 0.1)), srcad.jvp),
]
