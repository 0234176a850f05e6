"""Lists of lists of known length whose rows are taken, changed and traded at places that are computed."""

import numpy as np

from tests.corpus import program


def rows(rng):
    return np.array([2.0, 1.3, -1.0, -3.0, -1.1, 2.0, -2.0, 0.7, 2.2])


def square(x):
    return [[x[0], x[1], x[2]], [x[3], x[4], x[5]], [x[6], x[7], x[8]]]


def largest_below(rows, k):
    return max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))


@program(rows, 0.7, tags="nojit")
def elimination_with_pivots(x, y):
    a, b = square(x), [8.0 * y, -11.0, -3.0]
    n = len(a)
    rows = [row[:] + [right] for row, right in zip(a, b)]
    for k in range(n):
        p = largest_below(rows, k)
        rows[k], rows[p] = rows[p], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n + 1):
                rows[i][j] -= factor * rows[k][j]
    z = [0.0] * n
    for i in reversed(range(n)):
        z[i] = (rows[i][n] - sum(rows[i][j] * z[j] for j in range(i + 1, n))) / rows[i][i]
    return z[0] * z[1] + z[2]


@program(rows, tags="nojit")
def determinant_with_rows_traded_by_a_name(x):
    rows, sign = [], 1.0
    for row in square(x):
        rows.append(list(row))
    n = len(rows)
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(rows[i][k]) > abs(rows[p][k]):
                p = i
        if p != k:
            sign = -sign
            kept = rows[k]
            rows[k] = rows[p]
            rows[p] = kept
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [u - factor * v for u, v in zip(rows[i], rows[k])]
    for k in range(n):
        sign *= rows[k][k]
    return sign


@program(rows, tags="nojit")
def reduced_rows(x):
    rows = [list(row) for row in square(x)]
    lead = 0
    for r in range(len(rows)):
        i = r
        while rows[i][lead] == 0:
            i += 1
        rows[i], rows[r] = rows[r], rows[i]
        first = rows[r][lead]
        rows[r] = [u / first for u in rows[r]]
        for i in range(len(rows)):
            if i != r:
                first = rows[i][lead]
                rows[i] = [u - first * v for v, u in zip(rows[r], rows[i])]
        lead += 1
    return sum(row[-1] * (k + 1) for k, row in enumerate(rows))


@program(1.0, 3.0, 2.0)
def sorted_by_selection(x, y, z):
    values = [v * v for v in (x, y, z)]
    for k in range(len(values)):
        p = k
        for i in range(k + 1, len(values)):
            if values[i] < values[p]:
                p = i
        if p != k:
            kept = values[k]
            values[k] = values[p]
            values[p] = kept
    return values[0] * values[1] ** 2 + 3.0 * values[2]


@program(2.0, 3.0, 0.5, tags="nojit")
def a_row_under_a_name(x, y, z):
    rows = [[x, y], [y, z], [z * z, x]]
    p = 0
    for i in range(3):
        if rows[i][0] > rows[p][0]:
            p = i
    row = rows[p]
    row[0] = row[1] * row[0]
    rows[0][0] += 1.5 * rows[0][1]
    return sum(sum(each) for each in rows) + row[0] ** 2


@program(rows, tags="nojit")
def arrays_that_change_places(x):
    rows, sign = [], 1.0
    for i in range(3):
        rows.append(x[3 * i : 3 * i + 3] * 1.0)
    for k in range(3):
        p = k
        for i in range(k + 1, 3):
            if abs(rows[i][k]) > abs(rows[p][k]):
                p = i
        if p != k:
            rows[k], rows[p] = rows[p], rows[k]
            sign = -sign
        for i in range(k + 1, 3):
            rows[i] = rows[i] - rows[i][k] / rows[k][k] * rows[k]
    return sign * rows[0][0] * rows[1][1] * rows[2][2]


@program(rows, 0, 2, tags="nojit")
def arrays_traded_and_written_to(x, i, j):
    rows = []
    for k in range(4):
        rows.append(x * (k + 1))
        rows[-1][0] = x[k] ** 2
    rows[i], rows[j] = rows[j], rows[i]
    matrix = np.stack(rows)
    rows[1][:] = 7.0 * rows[0]
    t = rows[0]
    rows[0] = rows[3]
    rows[3] = t
    return np.sum(matrix @ x) + sum(row[1] * row[0] for row in rows) + rows[2][3]


@program(rows, 0, 2, tags="nojit")
def pairs_that_change_places(x, i, j):
    pairs = []
    for k in range(4):
        pairs.append((x * (k + 1.0), x[k]))
    pairs[i], pairs[j] = pairs[j], pairs[i]
    return np.sum(pairs[0][0]) * pairs[j][1] + pairs[i][0][1]
