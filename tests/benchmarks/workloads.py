"""What is timed: a function, its adjoint written by hand, and the same function for array libraries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Workload:
    """`primal` and the hand-written `adjoint` (value and gradient with respect to the first argument).

    `vectorised` makes the function from a module of NumPy's interface, for JAX and autograd.
    """

    name: str
    primal: Callable
    adjoint: Callable
    vectorised: Callable[[Any], Callable]
    arguments: tuple


# ---------------------------------------------------------------- sums of local terms


def rosenbrock(x):
    total = 0.0
    for i in range(x.shape[0] - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def rosenbrock_by_hand(x):
    total = 0.0
    x_bar = np.zeros_like(x)
    for i in range(x.shape[0] - 1):
        gap = x[i + 1] - x[i] ** 2
        rest = 1.0 - x[i]
        total += 100.0 * gap**2 + rest**2
        x_bar[i] -= 400.0 * gap * x[i] + 2.0 * rest
        x_bar[i + 1] += 200.0 * gap
    return total, x_bar


def rosenbrock_of(np):
    return lambda x: np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


# ---------------------------------------------------------------- logistic regression


def logistic(w, X, y):
    total = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        total += np.log1p(np.exp(-y[i] * z))
    return total / X.shape[0]


def logistic_by_hand(w, X, y):
    w_bar = np.zeros_like(w)
    total = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        e = np.exp(-y[i] * z)
        total += np.log1p(e)
        z_bar = -y[i] * e / (1.0 + e) / X.shape[0]
        for j in range(X.shape[1]):
            w_bar[j] += z_bar * X[i, j]
    return total / X.shape[0], w_bar


def logistic_of(np):
    return lambda w, X, y: np.mean(np.log1p(np.exp(-y * (X @ w))))


# ---------------------------------------------------------------- one layer, whole arrays


def layer(W, X, Y):
    error = np.tanh(X @ W) - Y
    return 0.5 * np.sum(error * error)


def layer_by_hand(W, X, Y):
    y = np.tanh(X @ W)
    error = y - Y
    return 0.5 * np.sum(error * error), X.T @ (error * (1.0 - y * y))


def layer_of(np):
    return lambda W, X, Y: 0.5 * np.sum((np.tanh(X @ W) - Y) ** 2)


def workloads() -> list[Workload]:
    random = np.random.default_rng(0)
    x = random.normal(size=100_000)
    X, w = random.normal(size=(10_000, 100)), random.normal(size=100)
    y = np.sign(random.normal(size=10_000))
    W, Y = random.normal(size=(64, 32)), random.normal(size=(1000, 32))
    Z = random.normal(size=(1000, 64))
    return [
        Workload("rosenbrock 1e5", rosenbrock, rosenbrock_by_hand, rosenbrock_of, (x,)),
        Workload("logistic 10000 x 100", logistic, logistic_by_hand, logistic_of, (w, X, y)),
        Workload("layer 1000 x 64 x 32", layer, layer_by_hand, layer_of, (W, Z, Y)),
    ]
