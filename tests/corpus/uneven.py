"""Lists of lists of different lengths, and such as grow row by row: buckets, triangles, tables, minors."""

import numpy as np

from tests.corpus import normal, program, uniform


@program(normal(5), 3, tags="nojit")
def buckets_that_are_filled(x, n):
    buckets = [[] for _ in range(n)]
    for i in range(len(x)):
        buckets[i % n].append(x[i] * x[i])
    t = 0.0
    for bucket in buckets:
        t += sum(bucket) ** 2
    return t


@program(normal(5), 4, tags="nojit")
def triangle_of_rows(x, n):
    rows = []
    for k in range(n):
        rows.append([0.0] * (k + 1))
        for j in range(k + 1):
            rows[k][j] = x[j] * (rows[k - 1][j - 1] if 0 < j else 1.0)
    return sum(rows[n - 1])


@program(uniform(1, 2, 4), 4, tags="nojit")
def table_of_products(x, n):
    table = [[0.0] * (k + 1) for k in range(n)]
    for i in range(n):
        for j in range(i + 1):
            table[i][j] = x[i] if j == 0 else table[i][j - 1] * table[i - 1][j - 1]
    return table[n - 1][n - 1] + table[n - 1][0]


def determinant(rows):
    if len(rows) == 1:
        return rows[0][0]
    total = 0.0
    for j in range(len(rows)):
        minor = [row[:j] + row[j + 1 :] for row in rows[1:]]
        total += (-1) ** j * rows[0][j] * determinant(minor)
    return total


@program(normal(4), tags="nojit")
def determinant_by_minors(x):
    return determinant([[x[0], x[1], 2.0], [x[2], 3.0, x[3]], [1.0, x[0] * x[1], 4.0]])


@program(uniform(1, 2, 3), tags="nojit")
def determinant_of_computed_rows(x):
    return determinant([[v**j + 0.1 * v for j in range(len(x))] for v in x])


@program(normal(4), 4, tags="nojit")
def rows_that_are_made_and_put(x, n):
    rows = []
    for k in range(n):
        row = []
        for j in range(k + 1):
            row.append(x[j] * x[k])
        rows.append(row)
    t = 0.0
    for row in rows:
        for v in row:
            t += v * v
        t += row[-1] * len(row)
    return t


@program(0.7, 4, tags="nojit")
def rows_of_pascal(x, n):
    rows = [[x]]
    for k in range(n):
        last = rows[-1]
        rows.append([x] + [last[i] + last[i + 1] for i in range(len(last) - 1)] + [x * x])
    return sum(rows[-1])


@program(uniform(1, 2, 4), normal(4), 0.77, tags="nojit")
def divided_differences_in_rows(nodes, values, x):
    nodes = [v + 2.0 * k for k, v in enumerate(nodes)]
    table = [[2.0 * v for v in values]]
    for k in range(1, len(nodes)):
        last = table[-1]
        table.append([(last[i + 1] - last[i]) / (nodes[i + k] - nodes[i]) for i in range(len(nodes) - k)])
    total, factor = 0.0, 1.0
    for k in range(len(nodes)):
        total += table[k][0] * factor
        factor *= x - nodes[k]
    return total


@program(0.7, 4, tags="nojit")
def row_changed_under_two_names(x, n):
    rows = []
    for k in range(n):
        row = [x * k]
        rows.append(row)
        for j in range(k):
            row.append(x + j)
    rows[-1][0] = x * x
    last = rows[-1]
    last[1] *= 3.0
    return sum(rows[n - 1]) * len(rows[1])


@program(0.7, 9, tags="nojit")
def stacks_that_grow_and_shrink(x, n):
    stacks = [[] for _ in range(3)]
    for k in range(n):
        stacks[k % 3].append(x * (k + 1))
        if k % 4 == 3:
            v = stacks[k % 3].pop()
            stacks[0].append(v * x)
    t = 0.0
    for stack in stacks:
        for v in stack:
            t += v * v * len(stack)
        if stack:
            t += stack[-1]
    return t


@program(normal(5), tags="nojit")
def sparse_rows(x):
    columns = [[] for _ in range(len(x))]
    values = [[] for _ in range(len(x))]
    for i in range(len(x)):
        for j in range(i, len(x)):
            if (i + j) % 2 == 0:
                columns[i].append(j)
                values[i].append(x[i] * x[j])
    y = np.zeros(len(x))
    for i in range(len(x)):
        for p in range(len(columns[i])):
            y[i] += values[i][p] * x[columns[i][p]]
    return np.sum(y**2)


@program(0.7, 4, tags="nojit")
def neighbouring_rows(x, n):
    rows = [[x * j for j in range(k + 1)] for k in range(n)]
    t = 0.0
    for a, b in zip(rows, rows[1:]):
        t += a[-1] * b[-1] + len(b)
    for k, row in enumerate(rows):
        t += max(row) * k
    part = rows[1:]
    part[0][1] = x * x
    return t + rows[1][1]


@program(0.7, 4, tags="nojit")
def row_that_a_loop_carries(x, n):
    row = [1.0]
    rows = [row]
    for k in range(n):
        new = [x]
        for j in range(len(row) - 1):
            new.append(row[j] * row[j + 1])
        new.append(1.0 * x)
        rows.append(new)
        row = new
    return sum(rows[-1]) + sum(rows[2])


@program(0.7, 4, tags="nojit")
def rows_that_trade_places(x, n):
    rows = [[x * i * j for j in range(i + 1)] for i in range(n)]
    rows[0], rows[2] = rows[2], rows[0]
    rows[0].append(x**2)
    return sum(rows[0]) + rows[2][0] * len(rows[2])


@program(0.7, 5, tags="nojit")
def row_that_a_test_picks(x, n):
    rows = [[], []]
    for k in range(n):
        row = rows[0] if k % 2 == 0 else rows[1]
        row.append(x * k)
    return sum(rows[0]) * sum(rows[1])


@program(0.7, 5, tags="nojit")
def buckets_of_points(x, n):
    cells = [[] for _ in range(2)]
    for k in range(n):
        cells[k % 2].append((x * k, x + k))
    t = 0.0
    for cell in cells:
        for a, b in cell:
            t += a * b
    return t


@program(normal(5), 5, tags="nojit")
def buckets_of_arrays(x, n):
    cells = [[] for _ in range(2)]
    for k in range(n):
        cells[k % 2].append(x * k)
    t = 0.0
    for cell in cells:
        for a in cell:
            t += np.sum(a * a) * len(cell)
    return t


@program(normal(5), tags="nojit")
def rows_put_in_order(x):
    rows = [[], []]
    for k in range(len(x)):
        rows[k % 2].append(x[k])
    for row in rows:
        row.sort()
    rows[0].reverse()
    rows[1].insert(1, x[0] * x[1])
    return rows[0][0] * rows[1][1] + sorted(rows[0])[-1] + rows[1][-1] ** 2


@program(uniform(1, 2, 8), tags="nojit")
def rows_half_as_long(x):
    levels = [[v * v for v in x]]
    while len(levels[-1]) > 1:
        last = levels[-1]
        levels.append([last[2 * i] * last[2 * i + 1] for i in range(len(last) // 2)])
    return sum(sum(level) for level in levels)


@program(0.7, 4, tags="nojit")
def rows_for_each_iteration(x, n):
    t = 0.0
    for i in range(n):
        bins = [[] for _ in range(2)]
        for k in range(n):
            bins[(k * i) % 2].append(x * k + t)
        t += sum(bins[0]) - 0.1 * sum(bins[1])
    return t


@program(normal(4), 4, tags="nojit")
def sum_of_two_rows_that_are_lists(x, n):
    rows = []
    for k in range(n):
        rows.append([v * k for v in x])
    both = rows[1] + rows[2]
    return sum((k + 1) * v for k, v in enumerate(both))


@program(uniform(1, 2, 4), 4)
def offsets_of_rows(x, n):
    starts = np.array([0, 1, 3, 6])
    rows = np.zeros(starts[-1] + n)
    for i in range(n):
        for j in range(i + 1):
            if j == 0:
                t = x[i]
            else:
                t = rows[starts[i] + j - 1] * rows[starts[i - 1] + j - 1]
            rows[starts[i] + j] = t
    return rows[starts[n - 1] + n - 1] + rows[starts[n - 1]]


@program(normal(8), 3, tags="nojit core")
def batches_of_a_size(x, size):
    batches, batch = [], []
    for v in x:
        batch.append(v)
        if len(batch) == size:
            batches.append(batch)
            batch = []
    if batch:
        batches.append(batch)
    return sum((k + 1) * np.mean(each) ** 2 for k, each in enumerate(batches))


@program(normal(8), tags="nojit")
def runs_that_rise(x):
    runs = []
    run = [x[0] * 2]
    for k in range(1, len(x)):
        if x[k] > run[-1]:
            runs.append(run)
            run = [run[-1] * 0.5, x[k]]
        else:
            run.append(x[k])
    runs.append(run)
    runs[0][0] += x[3]
    return sum(v * v * len(each) for each in runs for v in each)


@program(normal(8), tags="nojit")
def parts_begun_every_third_time(x):
    parts = []
    for k in range(len(x)):
        if k % 3 == 0:
            if k > 0:
                parts.append(part)  # noqa: F821
            part = []
        part.append(x[k])
    parts.append(part)
    parts[-2].append(x[0] * x[1])
    return sum((k + 1) * sum(each) ** 2 for k, each in enumerate(parts))


@program(normal(4), 1.1, tags="nojit")
def displays_appended_whose_elements_change(x, s):
    rows = []
    for v in x:
        rows.append([v, v * s])
        rows[-1][0] += 1
    last = rows[-1]
    last[1] = rows[1][0] * 2
    for k in range(3):
        for row in rows:
            row[0] += 0.1 * row[1]
            row[1] -= 0.1 * row[0]
    while len(rows) > 2:
        rows[0][1] += rows.pop()[1]
    return sum(row[0] * row[1] for row in rows)


@program(normal(4), 1.1, tags="nojit")
def displays_inserted_whose_elements_change(x, s):
    rows = []
    for v in x:
        rows.insert(0, [v, v * s])
        rows[0][1] += 1
    rows[1][0] = s
    return sum(row[0] * row[1] for row in rows)


@program(normal(4), 1.1, tags="nojit")
def triangle_whose_rows_are_begun_with_zeros(x, s):
    rows = [[s]]
    for i in range(1, 4):
        rows.append([0.0] * (i + 1))
        rows[i][0] = x[i]
        for j in range(1, i):
            rows[i][j] = rows[i - 1][j - 1] + rows[i - 1][j] * s
        rows[i][-1] = x[0]
    return sum(map(sum, rows))


@program(normal(4), 1.1, 3, tags="nojit")
def lists_of_unknown_lengths_in_a_known_one(x, s, n):
    rows = [[s], [0.0] * n]
    rows[1][2] = x[0]
    more = [s]
    for v in x:
        more.append(v)
    rows.append(more)
    more[0] = 3 * s
    rows[2][1] *= rows[1][2]
    return sum((k + 1) * sum(row) ** 2 for k, row in enumerate(rows))
