"""Softmax regression: a linear classifier of ten classes."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(W, X, labels):
    total = 0.0
    n, d = X.shape
    c = W.shape[1]
    z = np.zeros(c)
    for i in range(n):
        for k in range(c):
            z[k] = 0.0
        for j in range(d):
            for k in range(c):
                z[k] += X[i, j] * W[j, k]
        top = z[0]
        for k in range(1, c):
            top = max(top, z[k])
        s = 0.0
        for k in range(c):
            s += np.exp(z[k] - top)
        total += top + np.log(s) - z[labels[i]]
    return total / n


def arrays(W, X, labels):
    z = X @ W
    top = np.max(z, axis=1)
    e = np.exp(z - top[:, None])
    return np.mean(top + np.log(np.sum(e, axis=1)) - z[np.arange(len(labels)), labels])


@compiled
def by_hand(W, X, labels):
    """The scores become their own cotangents, in place."""
    n = X.shape[0]
    z = X @ W
    total = 0.0
    for i in range(n):
        row = z[i]
        top, score = np.max(row), row[labels[i]]
        s = 0.0
        for k in range(row.shape[0]):
            row[k] = np.exp(row[k] - top)
            s += row[k]
        total += top + np.log(s) - score
        for k in range(row.shape[0]):
            row[k] /= s * n
        row[labels[i]] -= 1.0 / n
    return total / n, X.T @ z


def library(np, scan):
    def function(W, X, labels):
        z = X @ W
        top = np.amax(z, 1)[:, None]  # max of PyTorch gives the indices, too
        return np.mean(np.log(np.sum(np.exp(z - top), 1)) + top[:, 0] - z[np.arange(len(labels)), labels])

    return function


def workloads(random):
    X, W, labels = random.normal(size=(5000, 64)), 0.1 * random.normal(size=(64, 10)), random.integers(0, 10, size=5000)
    yield Workload("softmax 5000 x 64 x 10", {"loops": loops, "arrays": arrays}, by_hand, (W, X, labels), library)
