"""Cholesky: written as loops, and LAPACK's in the likelihood of a Gaussian process."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def cholesky_in_loops(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    total = 0.0
    for j in range(n):
        s = A[j, j]
        for k in range(j):
            s -= L[j, k] * L[j, k]
        L[j, j] = np.sqrt(s)
        total += np.log(L[j, j])
        for i in range(j + 1, n):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            L[i, j] = s / L[j, j]
    return 2.0 * total


@compiled
def cholesky_by_hand(A):
    """By rows, after S. P. Smith, "Differentiation of the Cholesky algorithm", J. Comput. Graph. Stat. 4 (1995)."""
    n = A.shape[0]
    L, A_bar = np.zeros((n, n)), np.zeros((n, n))
    total = 0.0
    for j in range(n):
        row = L[j]
        s = A[j, j]
        for k in range(j):
            s -= row[k] * row[k]
        row[j] = np.sqrt(s)
        total += np.log(row[j])
        for i in range(j + 1, n):
            s, below = A[i, j], L[i]
            for k in range(j):
                s -= below[k] * row[k]
            below[j] = s / row[j]
    for j in range(n):
        A_bar[j, j] = 2.0 / L[j, j]
    for j in range(n - 1, -1, -1):
        row, row_bar = L[j], A_bar[j]
        for i in range(n - 1, j, -1):
            below, below_bar = L[i], A_bar[i]
            s_bar = below_bar[j] / row[j]
            row_bar[j] -= s_bar * below[j]
            below_bar[j] = s_bar
            for k in range(j):
                row_bar[k] -= s_bar * below[k]
                below_bar[k] -= s_bar * row[k]
        s_bar = 0.5 * row_bar[j] / row[j]
        row_bar[j] = s_bar
        for k in range(j):
            row_bar[k] -= 2.0 * s_bar * row[k]
    return 2.0 * total, A_bar


def log_determinant(np, scan):
    return lambda A: 2.0 * np.sum(np.log(np.diag(np.linalg.cholesky(A))))


def process(theta, x, y):
    distance = x[:, None] - x
    K = theta[0] * np.exp(-theta[1] * distance**2) + theta[2] * np.eye(len(x))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(K, y)
    return 0.5 * (y @ alpha) + np.sum(np.log(np.diag(L)))


@compiled
def process_by_hand(theta, x, y):
    """Half the trace of (K^-1 - alpha alpha^T) dK: C. E. Rasmussen and C. K. I. Williams, "Gaussian Processes", 5.9."""
    n = x.shape[0]
    K = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = theta[0] * np.exp(-theta[1] * (x[i] - x[j]) ** 2)
        K[i, i] += theta[2]
    L = np.linalg.cholesky(K)
    inverse = np.linalg.inv(K)
    alpha = inverse @ y
    total = 0.5 * (y @ alpha)
    for i in range(n):
        total += np.log(L[i, i])
    theta_bar = np.zeros(3)
    for i in range(n):
        K[i, i] -= theta[2]
        for j in range(n):
            K_bar = 0.5 * (inverse[i, j] - alpha[i] * alpha[j])
            theta_bar[0] += K_bar * K[i, j]
            theta_bar[1] -= K_bar * K[i, j] * (x[i] - x[j]) ** 2
        theta_bar[2] += 0.5 * (inverse[i, i] - alpha[i] * alpha[i])
    theta_bar[0] /= theta[0]
    return total, theta_bar


def process_library(np, scan):
    def function(theta, x, y):
        K = theta[0] * np.exp(-theta[1] * (x[:, None] - x) ** 2) + theta[2] * (x[:, None] == x)
        return 0.5 * (y @ np.linalg.solve(K, y)) + np.sum(np.log(np.diag(np.linalg.cholesky(K))))

    return function


def workloads(random):
    A = random.normal(size=(200, 200))
    A = A @ A.T + 200.0 * np.eye(200)
    yield Workload("cholesky 200", {"loops": cholesky_in_loops}, cholesky_by_hand, (A,))
    x, y, theta = random.uniform(0.0, 10.0, 200), random.normal(size=200), np.array([1.0, 0.5, 0.3])
    yield Workload("gaussian process 200", {"arrays": process}, process_by_hand, (theta, x, y), process_library)
