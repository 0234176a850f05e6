"""Equations solved in place, by nested loops: an LU factorization, and a matrix of three diagonals."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def lu(A):
    n = A.shape[0]
    A = A.copy()
    total = 0.0
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] = A[i, k] / A[k, k]
            for j in range(k + 1, n):
                A[i, j] = A[i, j] - A[i, k] * A[k, j]
        total += np.log(np.abs(A[k, k]))
    return total


@compiled
def lu_by_hand(A):
    """Backwards through the steps of elimination, by rows, with the factors as they are in the end."""
    n = A.shape[0]
    A, A_bar = A.copy(), np.zeros(A.shape)
    total = 0.0
    for k in range(n):
        row, pivot = A[k, k + 1 :], 1.0 / A[k, k]
        for i in range(k + 1, n):
            below = A[i, k + 1 :]
            factor = A[i, k] * pivot
            A[i, k] = factor
            for j in range(below.shape[0]):
                below[j] -= factor * row[j]
        total += np.log(np.abs(A[k, k]))
    for k in range(n - 1, -1, -1):
        row, row_bar, pivot = A[k, k + 1 :], A_bar[k, k + 1 :], 1.0 / A[k, k]
        pivot_bar = pivot
        for i in range(k + 1, n):
            below_bar, factor, factor_bar = A_bar[i, k + 1 :], A[i, k], A_bar[i, k]
            for j in range(below_bar.shape[0]):
                row_bar[j] -= below_bar[j] * factor
                factor_bar -= below_bar[j] * row[j]
            A_bar[i, k] = factor_bar * pivot
            pivot_bar -= factor_bar * pivot * factor
        A_bar[k, k] += pivot_bar
    return total, A_bar


def log_determinant(np, scan):
    return lambda A: np.linalg.slogdet(A)[1]


def tridiagonal(lower, diagonal, upper, right):
    n = len(right)
    b, x = diagonal.copy(), right.copy()
    for i in range(1, n):
        factor = lower[i] / b[i - 1]
        b[i] -= factor * upper[i - 1]
        x[i] -= factor * x[i - 1]
    x[n - 1] /= b[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / b[i]
    return np.sum(x**2)


@compiled
def tridiagonal_by_hand(lower, diagonal, upper, right):
    """The adjoint equations have the transposed matrix: the factors serve twice."""
    n = right.shape[0]
    b, x, y, factors = np.empty(n), np.empty(n), np.empty(n), np.zeros(n)
    b[0], y[0] = diagonal[0], right[0]
    for i in range(1, n):
        factors[i] = factor = lower[i] / b[i - 1]
        b[i] = diagonal[i] - factor * upper[i - 1]
        y[i] = right[i] - factor * y[i - 1]
    x[n - 1] = y[n - 1] / b[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (y[i] - upper[i] * x[i + 1]) / b[i]
    total = 0.0
    for i in range(n):
        total += x[i] ** 2
    z = np.empty(n)
    z[0] = 2.0 * x[0] / b[0]
    for i in range(1, n):
        z[i] = (2.0 * x[i] - upper[i - 1] * z[i - 1]) / b[i]
    for i in range(n - 2, -1, -1):
        z[i] -= factors[i + 1] * z[i + 1]
    lower_bar, diagonal_bar, upper_bar = np.zeros(n), np.empty(n), np.zeros(n)
    for i in range(n):
        diagonal_bar[i] = -z[i] * x[i]
    for i in range(1, n):
        lower_bar[i] = -z[i] * x[i - 1]
    for i in range(n - 1):
        upper_bar[i] = -z[i] * x[i + 1]
    return total, (lower_bar, diagonal_bar, upper_bar, z)


def workloads(random):
    A = random.normal(size=(200, 200)) + 30.0 * np.eye(200)
    yield Workload("LU 200", {"loops": lu}, lu_by_hand, (A,), log_determinant)
    bands = [random.normal(size=10000) for _ in range(4)]
    bands[1] += 6.0
    yield Workload("tridiagonal 10000", {"loops": tridiagonal}, tridiagonal_by_hand, tuple(bands), wrt=(0, 1, 2, 3))
