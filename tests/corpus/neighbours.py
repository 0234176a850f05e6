"""Loops that read neighbours, and pairs: their reverse finishes one element after the other."""

import numpy as np

from tests.corpus import normal, program, uniform


def curvature(x):
    s = 0.0
    for i in range(1, x.shape[0] - 1):
        s += (x[i - 1] - 2.0 * x[i] + x[i + 1]) ** 2 * x[i]
    return s


@program(normal(9), tags="nojit core")
def neighbours_on_both_sides(x):
    return curvature(x)


@program(normal(3), tags="nojit")
def neighbours_of_few(x):
    return curvature(x) + x[0] * curvature(x[:2]) + x[1] * curvature(x[:1]) + curvature(x[:0])


@program(normal(9))
def backwards_differences(x):
    s = 0.0
    for i in range(x.shape[0] - 1, 0, -1):
        s += np.sin(x[i] * x[i - 1])
    return s


@program(normal(8))
def neighbours_around_the_end(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * x[i - 1] ** 2 * x[i - 2]
    return s


@program(normal(10))
def neighbours_with_a_gap(x):
    s = 0.0
    for i in range(2, x.shape[0] - 2):
        s += x[i + 2] * np.cos(x[i - 2])
    return s


@program(normal(12))
def far_neighbours(x):
    s = 0.0
    for i in range(x.shape[0] - 6):
        s += x[i] * x[i + 6] ** 2
    return s


@program(normal(4, 6), tags="core")
def rows_of_neighbours(a):
    s = 0.0
    for i in range(1, a.shape[0] - 1):
        for j in range(a.shape[1] - 1):
            s += (a[i, j] - a[i, j + 1]) ** 2 + (a[i, j] - a[i + 1, j]) ** 2 * a[i - 1, j]
    return s


@program(normal(7))
def neighbours_up_to(x):
    s = x[6]
    for n in (0, 1, 5):
        for i in range(n):
            s += x[i] * x[i + 1]
    return s


@program(normal(8))
def neighbours_under_conditions(x):
    s = 0.0
    for i in range(x.shape[0] - 1):
        if x[i] > 0.0:
            s += x[i] * x[i + 1]
        else:
            s += x[i + 1] ** 2
    return s


@program(normal(8))
def neighbours_until(x):
    s = 0.0
    for i in range(x.shape[0] - 1):
        s += x[i] * x[i + 1] ** 2
        if s > 1.0:
            break
    return s


@program(normal(8), normal(8), tags="core")
def neighbours_in_two_arrays(x, y):
    s = 0.0
    for i in range(1, x.shape[0]):
        u = x[i] * y[i - 1]
        s += np.exp(u) * x[i - 1] + y[i]
    return s


@program(normal(6), tags="core")
def all_pairs(x):
    s = 0.0
    for n in (1, x.shape[0]):
        for i in range(n):
            for j in range(i + 1, n):
                s += 1.0 / (1.0 + (x[i] - x[j]) ** 2)
    return s


@program(normal(5, 3))
def all_pairs_of_rows(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            for k in range(3):
                s += (x[i, k] - x[j, k]) ** 4
    return s


@program(normal(4), 9)
def pairs_beyond_the_end(x, k):
    """The inner loop has no iteration, so that `k` may be any number."""
    s = x[0]
    for j in range(x.shape[0], 4):
        s += x[j] * x[k]
    return s


@program(normal(7), 4, tags="core")
def heat_in_two_arrays(u0, steps):
    u, v = u0.copy(), u0.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i] + 0.2 * np.sin(u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, v = v, u
    return np.sum(u**3)


@program(normal(7), 3)
def heat_in_place(u0, steps):
    u = u0.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            u[i] += 0.2 * (u[i - 1] * u[i] - u[i + 1] ** 2)
    return np.sum(u**2)


@program(normal(9), (3, 5, 4))
def windows_from_where(x, starts):
    s = 0.0
    for a in starts:
        for i in range(a, a + 3):
            s += x[i] * x[i + 1] * x[a]
    return s


@program(normal(5, scale=0.5), normal(4, scale=0.5))
def great_circles(a, b):
    s = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            near = np.sin((b[j] - a[i]) / 2) ** 2 + np.cos(a[i]) * np.cos(b[j]) * 0.1
            s += np.arcsin(np.sqrt(near))
    return s


@program(normal(5, scale=0.5), normal(4, scale=0.5))
def great_circles_in_arrays(a, b):
    near = np.sin((b[None, :] - a[:, None]) / 2) ** 2 + np.cos(a)[:, None] * np.cos(b)[None, :] * 0.1
    return np.sum(np.arcsin(np.sqrt(near)))


@program(uniform(0.1, 1.0, 3, 3), uniform(0.1, 1.0, 3, 2), (0, 1, 1, 0))
def products_down_columns(a, b, seen):
    state, total = np.ones(3), 0.0
    for k in seen:
        new = np.empty(3)
        for i in range(3):
            s = 0.0
            for j in range(3):
                s += state[j] * a[j, i]
            new[i] = s * b[i, k]
        total += np.log(np.sum(new))
        state = new / np.sum(new)
    return total


@program(normal(4, 2))
def pairs_of_rows_of_two(p):
    total = 0.0
    for i in range(p.shape[0]):
        for j in range(i + 1, p.shape[0]):
            dx, dy = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1]
            total += np.cos(p[j, 0]) * np.cos(p[i, 0]) / (1.0 + dx**2 + 2.0 * dy**2)
    return total


@program(normal(2, 2, 5, 6), normal(3, 2, 3, 2), normal(3))
def layer_of_windows(x, w, b):
    n, _, rows, columns = x.shape
    filters, _, down, right = w.shape
    out = np.zeros((n, filters, rows - down + 1, columns - right + 1))
    for k in range(n):
        for f in range(filters):
            for i in range(rows - down + 1):
                for j in range(columns - right + 1):
                    out[k, f, i, j] = np.sum(x[k, :, i:i + down, j:j + right] * w[f]) + b[f]
    return np.sum(np.maximum(out, 0.0) ** 2)


@program(normal(8), normal(3), tags="inplace")
def windows_written_one_after_the_other(x, w):
    for i in range(1, len(x) - len(w) + 1):
        x[i:i + len(w)] = w * np.sum(x[i - 1:i - 1 + len(w)])
    return np.sum(x**2)


@program(normal(4, 5, 4))
def curvature_in_space_summed_up(u):
    n, m, p = u.shape
    s = 0.0
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for k in range(1, p - 1):
                around = u[i + 1, j, k] + u[i - 1, j, k] + u[i, j + 1, k] + u[i, j - 1, k]
                s += 0.5 * (around + u[i, j, k + 1] + u[i, j, k - 1] - 6 * u[i, j, k]) ** 2
    return s


@program(normal(5, 6), 3)
def means_of_neighbours_from_zero(f, steps):
    n, m = f.shape
    u = np.zeros((n, m))
    for t in range(steps):
        v = np.zeros((n, m))
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] + f[i, j])
        u = v
    return np.sum(u**3)


@program(normal(5, 6), 3)
def means_of_neighbours_by_slices(u, steps):
    for t in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        u = v
    return np.sum(u**2) + np.sum(u[0] * u[-1])
