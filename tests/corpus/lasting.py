"""Elements that are read after they have got their last value, and some that only seem to be."""

import numpy as np

from tests.corpus import normal, program, spd, uniform


@program(spd(4))
def cholesky_by_slices(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - np.dot(L[j, :j], L[j, :j]))
        L[j + 1 :, j] = (A[j + 1 :, j] - L[j + 1 :, :j] @ L[j, :j]) / L[j, j]
    return np.sum(np.log(np.diag(L))) + L[n - 1, 0]


@program(spd(4), tags="core")
def lu_in_one_matrix(A):
    A = A.copy()
    n = A.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            for j in range(k + 1, n):
                A[i, j] -= A[i, k] * A[k, j]
    s = 0.0
    for i in range(n):
        s += np.log(A[i, i]) * (i + 1)
    return s


@program(normal(5), uniform(0.5, 2.0, 5))
def the_last_one_is_before_the_first(x, w):
    """`a[i - 1]` counts from the end at first, and that element is written later."""
    a = x.copy()
    s = 0.0
    for i in range(len(a)):
        s += a[i - 1] ** 2 * w[i]
        a[i] = np.sin(a[i]) * a[i - 1]
    return s


@program(normal(6))
def every_other_one_of_a_view(x):
    a = x.copy()
    even = a[::2]
    s = 0.0
    for i in range(3):
        s += even[i] ** 3
        a[i + 1] = even[i] * a[i]
    return s + np.sum(a**2)


@program(normal(6))
def one_further_down(x):
    """A view that begins at the second element: its element `i` is the next one of the array."""
    a = x.copy()
    rest = a[1:]
    for i in range(4):
        rest[i] = np.exp(0.1 * a[i]) * rest[i + 1] / (1.0 + a[i] ** 2)
    return np.sum(a * x)


@program(normal(6))
def downwards_in_steps(x):
    a = x.copy()
    s = 0.0
    for i in range(5, 0, -2):
        a[i] = np.tanh(a[i] * a[i - 1])
        s += a[i] * a[i - 1]
        a[i - 1] = a[i] / (2.0 + a[i - 1] ** 2)
    return s + np.sum(a)


@program(normal(5), uniform(0.5, 2.0, 5))
def while_it_moves(x, w):
    """Nobody knows where the next iterations write."""
    a = x.copy()
    s = 0.0
    i = 0
    k = 0
    while k < 8:
        s += a[i] ** 2 * w[k % 5]
        a[i] = np.sqrt(1.0 + a[i] ** 2)
        i = (i + 3) % 5
        k += 1
    return s


@program(normal(4), normal(4))
def the_places_change(x, y):
    a, b = x.copy(), y.copy()
    s = 0.0
    for i in range(4):
        a[i] = np.exp(0.3 * a[i]) * b[3 - i]
        s += a[i] / (1.0 + b[i] ** 2)
        a, b = b, a
    return s + np.sum(a * b)


@program(uniform(0.5, 2.0, 4), normal(4))
def stored_in_a_branch(x, y):
    """What is stored is read back where it was stored, and nowhere else."""
    a = np.zeros(4)
    s = 0.0
    for i in range(4):
        r = np.sqrt(x[i]) / (1.0 + y[i] ** 2)
        if y[i] > 0.0:
            a[i] = r
        else:
            a[i] = 2.0
        s += r * r + a[i] * y[i]
    return s


@program(uniform(0.5, 2.0, 4))
def stored_twice(x):
    a = np.zeros(4)
    s = 0.0
    for i in range(4):
        r = np.exp(0.5 * x[i])
        a[i] = r
        if i % 2 == 1:
            a[i - 1] = np.log(r) / x[i]
        s += r * r * x[i]
    return s + np.sum(a)


@program(normal(3, 4))
def temporaries_that_are_written(x):
    """What reads rows that stay is an array of its own, which does not."""
    A = np.zeros((3, 4))
    s = 0.0
    for i in range(3):
        A[i] = x[i] ** 2
        t = A[i] * x[i]
        s += np.sum(t * t)
        t[0] = 5.0 * s
        s += np.sum(t * A[i])
    return s


@program(normal(4, 4))
def the_half_that_is_mirrored(x):
    """Where `i` and `j` are apart, one is before the other, or behind it."""
    A = x.copy()
    s = 0.0
    for i in range(4):
        for j in range(4):
            if i != j:
                s += A[j, i] * A[i, j]
                A[i, j] = np.sin(A[j, i])
    return s + np.sum(A**2)


@program(normal(4, 4), tags="array nojit")
def rows_exchanged_by_lists_then_eliminated(A):
    """Behind an exchange of rows nothing lasts for good, but row k does while the others are reduced by it."""
    n = A.shape[0]
    U, L = A.copy(), np.eye(n)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(U[k:, k]))
        if p != k:
            U[[k, p]] = U[[p, k]]
            L[[k, p], :k] = L[[p, k], :k]
        for i in range(k + 1, n):
            L[i, k] = U[i, k] / U[k, k]
            U[i, k:] -= L[i, k] * np.sin(U[k, k:])
    return U + L


@program(normal(5, 3), normal(5), tags="nojit")
def places_of_lists_in_turn(A, b):
    """Places that repeat, the last axis, vectors, another array: the last of what is stored stays."""
    B, c = A.copy(), b.copy()
    for i in range(4):
        B[[i, -1, i]] = B[[i + 1, 0, -2]] * 1.0
        B[[i, 0]] = B[[0, i + 1]]
        B[:, [0, 2]] = B[:, [2, 1]]
        B[[1, 1], 1:] = A[[i, 4], :2]
        c[[i, 4, 4]] = c[[4, i + 1, 0]]
        c[[0, 1]] = B[[i, 2], [1, 1]]
    return np.sum(B * B * np.arange(3.0)) + np.sum(c * c * np.arange(5.0))


@program(normal(4, 4))
def triangles_in_place(A):
    n = A.shape[0]
    A = A + 4.0 * np.eye(n)
    total = 0.0
    for k in range(n):
        for i in range(k + 1, n):
            A[i, k] = A[i, k] / A[k, k]
            for j in range(k + 1, n):
                A[i, j] = A[i, j] - A[i, k] * A[k, j]
        total += 0.5 * np.log(A[k, k] ** 2)
    return total + A[2, 1] * A[1, 3]


@program(normal(4, 4))
def factors_that_change_on_the_way(A):
    n = A.shape[0]
    A = 0.5 * A
    for k in range(n):
        for i in range(k + 1, n):
            for j in range(k - 1, n):
                A[i, j] = A[i, j] - A[i, k] * A[k, j]
    return np.sum(A**2)


@program(normal(5), normal(5), tags="inplace")
def elements_that_look_back_and_ahead(x, y):
    n = len(x)
    total = 0.0
    for i in range(n - 1, 0, -1):
        for j in range(i - 1, -1, -1):
            y[j] = 0.5 * y[j] * y[i] + x[j - 1]
        for j in range(i - 1, n - 1):
            x[j] = 0.3 * x[j] * x[j + 1] + y[i - j]
        total += x[i] * y[i - 1]
    return total + np.sum(x) + np.sum(y)
