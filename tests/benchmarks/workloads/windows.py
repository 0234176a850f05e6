"""Loops over windows and tables: a filter of an image, and dynamic time warping."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def correlation(K, X, Y):
    total = 0.0
    for i in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            s = 0.0
            for a in range(K.shape[0]):
                for b in range(K.shape[1]):
                    s += K[a, b] * X[i + a, j + b]
            total += (s - Y[i, j]) ** 2
    return total


@compiled
def correlation_by_hand(K, X, Y):
    """Each row of the result is done as a whole, for one element of the filter after the other."""
    p, q, width = K.shape[0], K.shape[1], Y.shape[1]
    K_bar, X_bar, row = np.zeros_like(K), np.zeros_like(X), np.empty(width)
    total = 0.0
    for i in range(Y.shape[0]):
        for j in range(width):
            row[j] = -Y[i, j]
        for a in range(p):
            for b in range(q):
                k, x = K[a, b], X[i + a, b : b + width]
                for j in range(width):
                    row[j] += k * x[j]
        for j in range(width):
            total += row[j] ** 2
            row[j] *= 2.0
        for a in range(p):
            for b in range(q):
                k, x, x_bar, k_bar = K[a, b], X[i + a, b : b + width], X_bar[i + a, b : b + width], 0.0
                for j in range(width):
                    x_bar[j] += k * row[j]
                    k_bar += x[j] * row[j]
                K_bar[a, b] += k_bar
    return total, (K_bar, X_bar)


def warping(x, y):
    n, m = x.shape[0], y.shape[0]
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = (x[i - 1] - y[j - 1]) ** 2 + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


@compiled
def warping_by_hand(x, y):
    """From the last entry back along the way that was taken."""
    n, m = x.shape[0], y.shape[0]
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = (x[i - 1] - y[j - 1]) ** 2 + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    x_bar, y_bar = np.zeros(n), np.zeros(m)
    i, j = n, m
    while i > 0 and j > 0:
        value_bar = 2.0 * (x[i - 1] - y[j - 1])
        x_bar[i - 1] += value_bar
        y_bar[j - 1] -= value_bar
        best = min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
        if D[i - 1, j] == best:
            i -= 1
        elif D[i, j - 1] == best:
            j -= 1
        else:
            i, j = i - 1, j - 1
    return D[n, m], (x_bar, y_bar)


def workloads(random):
    K, X, Y = (random.normal(size=(k, k)) for k in (5, 100, 96))
    yield Workload("correlation 100 x 100, 5 x 5", {"loops": correlation}, correlation_by_hand, (K, X, Y), wrt=(0, 1))
    x, y = random.normal(size=300), random.normal(size=280)
    yield Workload("warping 300 x 280", {"loops": warping}, warping_by_hand, (x, y), wrt=(0, 1))
