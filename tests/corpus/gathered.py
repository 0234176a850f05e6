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
