"""Lists in lists and dicts that begin empty, and get others in their places that are joined of them."""

import collections

from tests.corpus import normal, program


@program(normal(6), 6, tags="nojit")
def rows_joined_with_one_more(x, n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i % 2] = rows[i % 2] + [x[i]]
    return sum(sum(row) ** 2 for row in rows)


@program(normal(6), 6, tags="nojit")
def bins_joined_with_one_more(x, n):
    bins = {}
    for i in range(n):
        b = i % 2
        if b not in bins:
            bins[b] = []
        bins[b] = bins[b] + [x[i]]
    return sum(sum(v) ** 2 for v in bins.values())


@program(normal(6), 6, tags="nojit")
def bins_by_default_joined_with_one_more(x, n):
    bins = collections.defaultdict(list)
    for i in range(n):
        bins[i % 3] = bins[i % 3] + [x[i] * i]
    return sum(sum(bins[b]) ** 2 for b in bins)


@program(normal(6), 6, tags="nojit")
def rows_of_the_last_of_others(x, n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i] = rows[i - 1][:2] + [x[i]]
    return sum((k + 1) * v for row in rows for k, v in enumerate(row))


@program(normal(6), 6, tags="nojit")
def rows_in_front_of_others(x, n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i] = [x[i], *rows[i - 1]]
    return sum(sum(row) ** 2 for row in rows)


@program(normal(6), 6, tags="nojit")
def copies_of_rows_that_grow(x, n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        row = list(rows[i - 1])
        row.append(x[i])
        rows[i] = row
    return sum(sum(row) ** 2 for row in rows)


@program(normal(6), 6, tags="nojit")
def rows_of_what_is_largest_in_others(x, n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        most = 0.0 if len(rows[i % 2]) == 0 else max(rows[i % 2])
        rows[i % 2] = rows[i % 2] + [x[i] + 2.0 * most]
    return sum(sum(row) ** 2 for row in rows)


@program(normal(6), 6, tags="nojit")
def sums_of_rows_that_stay_empty(x, n):
    rows = [[] for _ in range(n)]
    s = x[0]
    for i in range(n):
        s = s * x[i] + sum(rows[i])
    return s + sum(rows[1])


@program(normal(6), 6, tags="nojit")
def places_joined_with_one_more(x, n):
    rows = [[] for _ in range(n)]
    for i in range(n):
        rows[i % 2] = rows[i % 2] + [n - 1 - i]
    return sum(x[k] * x[0] for row in rows for k in row)
