"""Names that are numbers on one path or in one iteration, and arrays on another."""

import numpy as np

from tests.corpus import normal, program


@program(normal(5), 4, tags="nojit")
def number_in_the_first_iteration(a, n):
    s = 0.0
    for i in range(n):
        v = 0.0 if i == 0 else a
        s = s + np.sum(v * a) * i
    return s


@program(normal(5), 4, tags="nojit")
def rank_asked_in_a_loop(a, n):
    v, s = 0.0, 0.0
    for i in range(n):
        s = s + (3.0 * a[0] if np.ndim(v) == 0 else np.sum(v))
        v = v + a * i
    return s + np.sum(v * v)


@program(normal(5), 4, tags="nojit core")
def sum_of_what_begins_as_a_number(a, n):
    v, s = 1.0, 0.0
    for _ in range(n):
        s += np.sum(v)
        v = v * a
    return s


@program(normal(5), 4, tags="nojit")
def size_of_what_begins_as_a_number(a, n):
    v, s, i = 1.0, 0.0, 0
    while i < n:
        s += np.mean(v * 2.0) * np.size(v)
        v = v * a
        i += 1
    return s


@program(normal(5), 4, tags="nojit")
def second_name_of_what_begins_as_a_number(a, n):
    v, s = 0.0, 0.0
    for i in range(n):
        w = v
        v += a
        s += np.sum(w * a * (i + 1))
    return s + np.sum(v)


@program(normal(5), 0.5, 4, tags="nojit")
def array_before_a_loop_and_number_behind(a, x, n):
    v = a
    for _ in range(n):
        v = np.sum(v * x)
    return v * x


@program(normal(4, 5), 3, tags="nojit")
def inner_loop_that_makes_no_iteration(A, n):
    s = 0.0
    for i in range(n):
        v = 1.0
        for j in range(i):
            v = v * A[j]
        s += np.sum(v)
    return s


@program(normal(5), 0.3, 4, tags="nojit core")
def number_or_array_by_a_test(a, x, n):
    y = x if n > 3 else a * 2.0
    z = a if n > 2 else x
    return np.sum(y * a) + np.sum(y) * np.sum(z) + np.size(z) * x


@program(normal(5), 0.3, 6, tags="nojit")
def number_or_array_in_turn(a, x, n):
    s = 0.0
    for i in range(n):
        if i % 2 == 0:
            t = a * x
        else:
            t = x * x
        s += np.sum(t) * (i + 1)
        t = t * 2.0
        s += np.sum(t) ** 2
    return s


@program(normal(5), 0.3, 4, tags="nojit")
def matrix_or_vector(a, x, n):
    M = np.outer(a, a) if n > 3 else a * 1.0
    M[0] = x
    M[1:] *= M[0]
    return np.sum(M @ a)


@program(normal(3, 3), normal(3), 0.5, tags="nojit")
def rank_that_grows_twice(A, v, x):
    s = 0.0
    for k in range(3):
        s = s * x + (A[k] if k > 0 else A)
    return np.sum(s * v)


@program(normal(1, 5), normal(5), tags="nojit inplace")
def squeezed_view_of_unknown_lengths(A, w):
    b = A.squeeze()
    b[0] = b[1] * 2.0
    return np.sum(b * w)


@program(normal(2, 5), 1, 4, tags="nojit")
def squeezed_slices(x, n, m):
    a = np.squeeze(x[:n, :m])
    return np.sum(a * a) * np.sum(x)


@program(normal(5), tags="nojit")
def stores_at_no_index(x):
    x = x * 2.0
    x[[]] = 0.5
    x[[]] += 1.0
    return np.sum(x**2) + np.sum(x[[]])


@program(normal(5), normal(2), 3, tags="nojit core")
def additions_to_slices_of_one_element_or_more(x, y, n):
    x = x * 2.0
    for i in range(n):
        x[i : i + 2] += y * x[i]
        x[i:] -= y[:1]
    return np.sum(x**2)


@program(normal(4, 2), 0.3, tags="nojit")
def elements_of_a_sum_of_rows(A, u):
    p = sum(row * u**k for k, row in enumerate(A))
    q = 0.0
    for row in A[1:]:
        q = q + row * p
    q[0] *= u
    return p[0] ** 2 * p[1] + q[0] * q[1] + p @ q


@program(normal(4), 0.3, 3, tags="nojit")
def array_from_some_iteration_on(v, x, n):
    s = x
    for i in range(n):
        if v[i] > 0.5 or i == 1:
            s = v * s
        s = s + 1.0
    return np.sum(np.cos(s))


@program(normal(3, 4), normal(4), tags="nojit")
def array_of_no_iteration(a, v):
    total = 0.0
    for i in range(len(a)):
        if v[i] > 100.0:
            total = total + a[i] * v[i]
    return np.sum(np.exp(total)) * np.sum(a)


@program(normal(3, 4), normal(4), tags="nojit")
def array_that_is_read_in_each_iteration(a, v):
    scale, s = 1.0, 0.0
    for i in range(len(a)):
        if i > 0 and v[i] < 100.0:
            scale = scale * a[i]
        s += np.sum(scale * v)
    return s + np.sum(scale)


@program(normal(3, 4), 0.7, tags="nojit")
def array_between_numbers(a, x):
    y = x
    for i in range(len(a)):
        if i == 1:
            y = a[i] * y
            y[0] = x * x
        else:
            y = y * x + 1.0
    w = y * 2.0
    total = 0.0
    for i in range(3):
        total += np.sum(w) * a[i, 0]
    return total


@program(1.3, 2, tags="nojit")
def pair_from_one_iteration(x, k):
    y = x * 1.0
    for i in range(4):
        if i == k:
            y = np.array([y, x * y])
        y = y * x + i
    return np.sum(np.sin(y))


@program(1.3, 9, tags="nojit")
def pair_from_no_iteration(x, k):
    y = x * 1.0
    for i in range(4):
        if i != k:
            y = y * x + i
        else:
            y = np.array([y, x * y])
    return np.sum(np.sin(y))


@program(0.7, normal(3), normal(3), tags="nojit")
def array_before_a_break(x, v, a):
    y = x
    for i in range(10):
        if i == 4 or np.sum(y * y) > 100.0:
            break
        y = y * v + a * x
    return np.sum(np.sin(y))


@program(0.7, normal(3), normal(3), 6, tags="nojit")
def array_in_the_last_iteration(x, v, a, n):
    y = x
    for i in range(n):
        y = y * x + 0.5
        if v[i % 3] < 100.0 and i == 2:
            y = y * v + a
            break
        x = x + 0.1
    return np.sum(np.sin(y)) * x


@program(0.7, normal(3), normal(3), tags="nojit")
def loop_left_before_its_array(x, v, a):
    y = x
    for i in range(6):
        y = y * x + 0.5
        if v[0] < 100.0 and i == 3:
            break
        y = y * v + a
    return np.sum(np.sin(y)) * x


@program(normal(4), tags="nojit")
def number_and_array_change_places(x):
    a, b = x[0], x * 2.0
    for _ in range(3):
        a, b = b, a
        a = a * 0.5
    return np.sum(a) + np.sum(b**2)


@program(normal(2, 2), 0.8, tags="nojit")
def element_that_is_a_view(A, v):
    B = A * 1.0
    z = B[0, 1, ...]
    B[0, 1] = v
    z += A[1, 0]
    return B[0, 1] * abs(z) + min(z, 5.0)


def rows_and_columns(A, w, k):
    """Views that are taken on one path, written to behind it, and could not be taken on the other one."""
    s = np.sum(A)
    if k == 0:
        row = A.reshape(5)
        row[0] = w[0]
    else:
        row = A[0].copy()
    single = A.shape[1] == 1
    if single:
        column = np.squeeze(A, axis=1)
        column[0] = w[3]
    s += np.sum(A**2)
    row[-1] = w[1] * row[0]
    if single:
        column[1] = w[2] * column[0]
    return s + A[0, 0] + row[-1] ** 2 + np.sum(A**3)


@program(normal(5, 1), normal(4), 0, tags="nojit inplace")
def views_of_both_paths(A, w, k):
    return rows_and_columns(A, w, k)


@program(normal(3, 5), normal(4), 1, tags="nojit")
def views_of_neither_path(A, w, k):
    return rows_and_columns(A, w, k)


@program(normal(5, 6), normal(3, 3), tags="nojit")
def correlation_begun_as_a_number(u, c):
    n, m = u.shape
    total = 0.0
    for a in range(3):
        for b in range(3):
            total = total + c[a, b] * u[a : n - 2 + a, b : m - 2 + b]
    return np.sum(total**2)


@program(normal(7), normal(3), tags="nojit")
def windows_added_to_a_number(x, w):
    y = 0
    for k, weight in enumerate(w):
        y += weight * np.sin(x[k : len(x) - len(w) + 1 + k])
    return np.sum(y * y) + np.max(y)


@program(normal(6), normal(4), tags="nojit")
def products_of_slices_begun_as_one(x, c):
    y = 1.0
    k = 0
    while k < len(c):
        y = y * (c[k] - x[1:4])
        k += 1
    return np.sum(y)
