"""Linear algebra by loops and by products."""

import math

import numpy as np

from tests.corpus import dominant, fortran, normal, program, spd


@program(normal(3, 4), normal(4, 2))
def matmul_by_loops(A, B):
    C = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for k in range(A.shape[1]):
                C[i, j] += A[i, k] * B[k, j]
    return np.sum(C * C)


@program(normal(3, 4), fortran(4, 2))
def matmul_with_local_sum(A, B):
    C = np.empty((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            s = 0.0
            for k in range(A.shape[1]):
                s += A[i, k] * B[k, j]
            C[i, j] = s
    return np.sum(np.sin(C))


@program(spd(4), tags="core")
def cholesky_by_loops(A):
    n = A.shape[0]
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = math.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return np.sum(L * L * L)


@program(spd(4), tags="inplace")
def cholesky_in_place(A):
    n = len(A)
    for j in range(n):
        A[j, j] = math.sqrt(A[j, j])
        for i in range(j + 1, n):
            A[i, j] /= A[j, j]
        for k in range(j + 1, n):
            for i in range(k, n):
                A[i, k] -= A[i, j] * A[k, j]
    logdet = 0.0
    for j in range(n):
        logdet += 2.0 * math.log(A[j, j])
    return logdet


@program(dominant(4), normal(4), tags="core")
def lu_solve(A, b):
    n = len(b)
    U = A.copy()
    x = b.copy()
    for k in range(n):
        for i in range(k + 1, n):
            m = U[i, k] / U[k, k]
            for j in range(k, n):
                U[i, j] -= m * U[k, j]
            x[i] -= m * x[k]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= U[i, j] * x[j]
        x[i] /= U[i, i]
    return np.sum(x**2)


@program(dominant(4))
def lu_by_slices_determinant(A):
    U = A.copy()
    n = U.shape[0]
    det = 1.0
    for k in range(n):
        det *= U[k, k]
        for i in range(k + 1, n):
            U[i, k:] = U[i, k:] - U[i, k] / U[k, k] * U[k, k:]
    return math.log(det)


@program(dominant(4), normal(4))
def forward_substitution(L, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= L[i, j] * x[j]
        x[i] = s / L[i, i]
    return np.dot(x, x)


@program(dominant(4), normal(4))
def back_substitution_by_dot(R, b):
    x = np.zeros_like(b)
    for i in range(len(b) - 1, -1, -1):
        x[i] = (b[i] - np.dot(R[i, i + 1 :], x[i + 1 :])) / R[i, i]
    return np.sum(np.sin(x))


@program(normal(4, 3), tags="core")
def gram_schmidt(A):
    Q = np.zeros_like(A)
    for j in range(A.shape[1]):
        v = A[:, j].copy()
        for k in range(j):
            v -= np.dot(Q[:, k], A[:, j]) * Q[:, k]
        Q[:, j] = v / np.sqrt(np.sum(v**2))
    return np.sum(Q**3)


@program(normal(4, 3))
def modified_gram_schmidt_in_place(A):
    Q = A.copy()
    R = np.zeros((3, 3))
    for k in range(3):
        R[k, k] = np.sqrt(np.sum(Q[:, k] ** 2))
        Q[:, k] /= R[k, k]
        for j in range(k + 1, 3):
            R[k, j] = np.dot(Q[:, k], Q[:, j])
            Q[:, j] -= R[k, j] * Q[:, k]
    return np.sum(R**2 * R) + np.sum(Q[0])


@program(normal(4, 3))
def householder_qr(A):
    R = A.copy()
    m, n = R.shape
    for k in range(n):
        x = R[k:, k].copy()
        alpha = np.sqrt(np.sum(x * x))
        if x[0] > 0:
            alpha = -alpha
        x[0] -= alpha
        x /= np.sqrt(np.sum(x * x))
        R[k:, k:] -= 2.0 * np.outer(x, x @ R[k:, k:])
    return R[0, 0] * R[1, 1] + R[0, 2] ** 2 + R[2, 2]


@program(spd(3), normal(3), 6, tags="core")
def power_iteration(A, v, steps):
    for _ in range(steps):
        v = A @ v
        v = v / np.sqrt(np.sum(v * v))
    return v @ A @ v


@program(spd(3), tags="nof32")
def power_iteration_until_converged(A):
    v = np.ones(3)
    change = 1.0
    while change > 1e-12:
        w = A @ v
        w /= np.sqrt(np.dot(w, w))
        change = np.sum(np.abs(w - v))
        v = w
    return np.dot(v, A @ v)


@program(normal(3, 4), normal(4))
def spectral_norm(W, u):
    for _ in range(5):
        v = W @ u
        v = v / np.sqrt(v @ v)
        u = W.T @ v
        u = u / np.sqrt(u @ u)
    return v @ (W @ u)


@program(normal(3, 3, scale=0.5), 4)
def matrix_power(A, n):
    P = np.eye(3)
    for _ in range(n):
        P = P @ A
    return np.sum(P * P) + np.trace(P)


@program(normal(3, 3, scale=0.4))
def matrix_exponential_series(A):
    E = np.eye(A.shape[0])
    T = np.eye(A.shape[0])
    for k in range(1, 9):
        T = T @ A / k
        E += T
    return np.sum(E * E)


@program(spd(3), normal(3), 3)
def conjugate_gradient(A, b, steps):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for _ in range(steps - 1):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        p = r + (new / rs) * p
        rs = new
    return np.sum(x * b)


@program(dominant(4), normal(4), 4)
def jacobi_iteration(A, b, steps):
    x = np.zeros(4)
    d = np.diag(A)
    for _ in range(steps):
        x = (b - A @ x + d * x) / d
    return np.sum(x**2)


@program(dominant(4), normal(4), 3)
def gauss_seidel_solver(A, b, steps):
    n = len(b)
    x = np.zeros(n)
    for _ in range(steps):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= A[i, j] * x[j]
            x[i] = s / A[i, i]
    return np.sum(x**2)


@program(normal(3, 3), normal(3, 3))
def quadratic_forms(A, B):
    C = A @ B - B @ A
    return np.trace(C.T @ C) + np.sum((A.T @ B.T) * (B @ A))


@program(dominant(2))
def inverse_two_by_two(A):
    det = A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
    inv = np.empty((2, 2))
    inv[0, 0] = A[1, 1] / det
    inv[1, 1] = A[0, 0] / det
    inv[0, 1] = -A[0, 1] / det
    inv[1, 0] = -A[1, 0] / det
    return np.sum(inv * inv)


@program(normal(3), normal(3))
def cross_product(a, b):
    c = np.empty(3)
    for i in range(3):
        j = (i + 1) % 3
        k = (i + 2) % 3
        c[i] = a[j] * b[k] - a[k] * b[j]
    return np.sqrt(np.sum(c * c))


@program(normal(4), tags="array")
def toeplitz_result(c):
    n = len(c)
    T = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            T[i, j] = c[abs(i - j)] ** 2
    return T


@program(normal(4), normal(4), normal(4))
def thomas_algorithm(lower, upper, rhs):
    n = 4
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = upper[0] / 5.0
    d[0] = rhs[0] / 5.0
    for i in range(1, n):
        m = 5.0 - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        d[i] = (rhs[i] - lower[i] * d[i - 1]) / m
    for i in range(n - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return np.sum(d**2)


@program(spd(3), tags="nojit")
def factorisations_by_the_names_of_their_parts(A):
    values = np.linalg.eigh(A).eigenvalues
    singular = np.linalg.svd(A)
    return values[1] ** 2 + singular.S[0] + np.abs(singular.U[0, 0]) + np.linalg.slogdet(A).logabsdet


@program(normal(4, 2), tags="nojit")
def reflections_of_blocks_that_overlap(A):
    R = A.copy()
    for j in range(2):
        v = R[j:, j, np.newaxis] * 2.0
        v[0] = 1.0
        tau = 2.0 / (v.T @ v)
        R[j:, j:] -= tau * (v @ v.T)[:, : 2 - j]
    return np.sum(R**2)


@program(normal(5, 3))
def gram_matrices_of_rows_and_columns(x):
    rows = x @ x.T
    columns = x.T @ x / x.shape[0]
    again = columns @ columns.T
    return np.sum(np.sin(rows)) + np.sum(np.exp(0.1 * columns)) + np.sum(np.cos(again))


@program(normal(4, 4), normal(4, 3))
def products_with_a_matrix_and_its_transpose(m, x):
    m = m @ np.eye(4)
    y = m.T @ x
    y += m @ x
    for _ in range(2):
        y += m @ y
        y += m.T @ y
    return np.sum(np.sin(y))


@program(normal(4, 4))
def products_with_views_of_what_they_are_added_to(x):
    m = np.tanh(x @ np.eye(4))
    z = 0.5 * m
    turned = z.T
    z += m @ turned
    z += m.T @ turned
    m += m @ z
    m += m.T @ z
    return np.sum(np.sin(z)) + np.sum(np.cos(m))
