"""What arrays of indices pick in array expressions, and what is added where they say: repeated, from the end, none."""

from __future__ import annotations

import numpy as np

from tests.corpus import integers, normal, program


def places(*numbers):
    return lambda rng: np.array(numbers)


@program(normal(7, 5), places(3, -1, 3, 0, -7, 6), places(0, -1, 0, 4, 2, 1))
def rows_columns_and_pairs(x, i, j):
    rows, columns, pairs = np.tanh(x[i]), np.sin(x[1:-1, j]), np.cos(x[i, j])
    return np.sum(rows**2) + np.sum(columns**3) + np.sum(pairs * np.arange(6.0)) + np.sum(np.exp(x[2, j]) * x[3, i % 5])


@program(normal(4), integers(4, 0))
def nothing_picked(x, i):
    return np.sum(np.tanh(x[i]) ** 2) + np.sum(x)


@program(normal(7), integers(7, 7))
def picked_by_what_is_picked(x, i):
    y = np.sin(x)
    y += y[i] * x[i[i]]
    y[1:] = np.cos(y[i[:-1]])
    z = y[2:]
    return np.sum(np.exp(z[i[:4] % 5]) * y[i[3:]])


@program(normal(7, 5), places(3, 1, 3, 0))
def picked_then_changed(x, i):
    a = x[i]
    a *= 2.0
    a[0] = 1.0
    return np.sum(a**3)


@program(normal(7), integers(7, 7), tags="nojit")
def added_from_where_it_is_added(x, i):
    y = np.sin(x)
    np.add.at(y, i, y * y)
    np.add.at(y, i, y[i] * x[i])
    return np.sum(np.exp(y[i]) * y)


@program(normal(7, 5), integers(6, 7))
def places_that_a_loop_along_the_row_changes(x, i):
    b, i = np.zeros_like(x), i.copy()
    for k in range(i.shape[0]):
        for j in range(x.shape[1]):
            b[i[k], j] += np.sin(x[i[k], j])
            i[k] = (i[k] + 1) % 7
    return np.sum(b**2)


@program(normal(7, 5), places([1, 1, -2], [0, 6, 1]), tags="nojit")
def sums_of_picked_rows(x, i):
    return np.sum(np.tanh(x[i].sum(axis=1)) ** 2) + np.sum(np.exp(x[i].mean(axis=0)))


@program(normal(7, 3))
def distances_of_all_pairs(x):
    i, j = np.triu_indices(x.shape[0], 1)
    d = x[i] - x[j]
    r2 = np.sum(d * d, axis=1)
    s6 = 1.0 / (r2 * r2 * r2)
    return np.sum(np.where(r2 < 4.0, 4.0 * (s6 * s6 - s6), 0.0))


@program(normal(1, 3))
def distances_of_no_pair(x):
    i, j = np.triu_indices(x.shape[0], 1)
    return np.sum(np.sqrt(np.sum((x[i] - x[j]) ** 2, axis=1))) + np.sum(x**2)


@program(normal(9, 4), places([3, -1, 3], [0, 8, -9]), normal(4))
def bags_of_rows(E, idx, w):
    return np.sum(np.sum(E[idx], axis=1) ** 2 * w)


@program(normal(9, 4), integers(4, 0, 3), integers(4, 3, 0))
def no_bags_and_empty_ones(E, none, empty):
    return np.sum(np.sum(E[none], axis=1) ** 2) + np.sum((np.sum(E[empty], axis=1) + 1.0) * E[:3])


@program(normal(7, 5), places(3, -1, 3, 0, -7, 6), places(0, -1, 0, 4, 2, 1), places(1, 1, 3, 0, -2, 5))
def triplets_of_rows(E, a, p, n):
    d1 = np.sum((E[a] - E[p]) ** 2, axis=1)
    d2 = np.sum((E[a] - E[n]) ** 2, axis=1)
    return np.sum(np.maximum(d1 - d2 + 1.0, 0.0))


@program(normal(7, 5), places(3, -1, 3, 0, -7, 6), places(0, -1, 0, 4, 2, 1))
def rows_that_change_behind_their_picks(x, i, j):
    y = x * 1.0
    d = y[i] - y[j]
    y[:] = 2.0 * x
    return np.sum(np.sum(d * d * y[j], axis=1) ** 2)


@program(normal(7, 5), places(3, -1, 3, 0, -7, 6), tags="nojit")
def sums_added_where_they_are_picked(x, i):
    y = x * x
    np.add.at(y, i, np.sum(y[i], axis=1)[:, None] * x[i])
    return np.sum(np.sum(y[i] ** 2, axis=1) ** 2) + np.sum(y**3)


@program(normal(7, 5), places(3, -1, 3, 0, -7, 6))
def picks_that_change_between_sums(x, i):
    k = i.copy()
    a = np.sum(x[k] ** 2, axis=1)
    k[0] = 1
    return np.sum(a * np.sum(x[k] ** 3, axis=1))


@program(normal(7, 5), places(3, -1, 3, 0, -7, 6), places(0, -1, 0, 4, 2, 1), normal(5), tags="nojit")
def messages_along_edges(x, source, target, w):
    for _ in range(3):
        out = np.zeros(x.shape)
        np.add.at(out, target, np.tanh(x[source]) * np.sum(x[source] * x[target] * w, axis=1)[:, None])
        x = x + 0.1 * out
    return np.sum(x**2)
