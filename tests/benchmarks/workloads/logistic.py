"""Logistic regression."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(w, X, y):
    total = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        total += np.log1p(np.exp(-y[i] * z))
    return total / X.shape[0]


def arrays(w, X, y):
    return np.mean(np.log1p(np.exp(-y * (X @ w))))


@compiled
def by_hand(w, X, y):
    n = X.shape[0]
    z_bar = X @ w
    total = 0.0
    for i in range(n):
        e = np.exp(-y[i] * z_bar[i])
        total += np.log1p(e)
        z_bar[i] = -y[i] * e / (1.0 + e) / n
    return total / n, z_bar @ X


def library(np, scan):
    return lambda w, X, y: np.mean(np.log1p(np.exp(-y * (X @ w))))


def workloads(random):
    X, w = random.normal(size=(10_000, 100)), random.normal(size=100)
    y = np.sign(random.normal(size=10_000))
    yield Workload("logistic 10000 x 100", {"loops": loops, "arrays": arrays}, by_hand, (w, X, y), library)
