"""Lists that are elements of tuples, dicts and lists: they stay lists, whose sum is no sum of numbers."""

from tests.corpus import normal, program


def two_lists(x, c):
    if c:
        return [v * v for v in x], [3 * v for v in x]
    return [v + 1 for v in x], [v * 2 for v in x]


@program(normal(3), 3, tags="nojit")
def lists_returned_on_two_paths(x, n):
    a, b = two_lists(x, x[0] > 2)
    c = a + b
    return sum((k + 1) * v for k, v in enumerate(c))


@program(normal(3), 3, tags="nojit")
def sum_of_lists_in_a_tuple(x, n):
    p = [v + 1 for v in x], [v * 2 for v in x]
    c = p[0] + p[1]
    return sum((k + 1) * v for k, v in enumerate(c))


@program(normal(3), 3, tags="nojit")
def list_in_a_dict_replaced_and_repeated(x, n):
    p = {"a": [v + 1 for v in x], "b": [v * 2 for v in x]}
    if x[0] > 2:
        p["a"] = [v * v for v in x]
    c = p["a"] * 2
    return sum((k + 1) * v for k, v in enumerate(c))


@program(normal(3), 3, tags="nojit")
def tuple_of_lists_carried_by_a_loop(x, n):
    p = ([v + 1 for v in x], [v * 2 for v in x])
    for k in range(n):
        p = (p[1], p[0] + p[1])
    c = p[1]
    return sum((k + 1) * v for k, v in enumerate(c))


def trajectory_of_lists(x, n):
    xs, vs = [x[0]], [x[1]]
    for k in range(n):
        xs.append(xs[-1] + 0.1 * vs[-1])
        vs.append(vs[-1] - 0.1 * xs[-1])
    return xs, vs


@program(normal(2), 4, tags="nojit")
def trajectory_repeated(x, n):
    p = trajectory_of_lists(x, n)
    q = p[0] * 2
    return sum((k + 1) * v for k, v in enumerate(q)) + len(p[1])


@program(normal(2), 4, tags="nojit")
def tuple_of_lists_chosen(x, n):
    a, b = ([3 * v for v in x], [v * 2 for v in x]) if x[0] > 0 else ([3 * v for v in x], [v * 3 for v in x])
    return sum((k + 1) * v for k, v in enumerate(a + b))


@program(normal(3), 4, tags="nojit")
def list_in_a_tuple_in_a_tuple(x, n):
    p = (([3 * v for v in x], 2.0), [v * 2 for v in x])
    (a, s), b = p
    return s * sum((k + 1) * v for k, v in enumerate(a + b))


@program(normal(3), 4, tags="nojit")
def sum_of_a_list_of_lists(x, n):
    rows = [[3 * v for v in x] for _ in range(n)]
    c = sum(rows, [])
    return sum((k + 1) * v for k, v in enumerate(c))


@program(normal(3), 4, tags="nojit")
def lists_of_a_tuple_repeated(x, n):
    p = ([3 * v for v in x], [v * 2 for v in x])
    out = []
    for k, a in enumerate(p):
        out += a * (k + 1)
    return sum((k + 1) * v for k, v in enumerate(out))


@program(normal(3), 4, tags="nojit")
def rest_of_a_list_added(x, n):
    a, *b = [v * 2 for v in x]
    c = b + [a] + b
    return sum((k + 1) * v for k, v in enumerate(c))


@program(normal(4, 3), 4, tags="nojit")
def rows_as_lists_extended(x, n):
    m = [list(r) for r in x]
    out = []
    for r in m:
        out.extend(r + r)
    t = [r * 2 for r in m]
    return sum((k + 1) * a for k, a in enumerate(out)) * len(t[0]) + sum(t[1])


@program(normal(3), 4, tags="nojit")
def list_extended_by_each_of_two(x, n):
    rows = [[3 * v for v in x], [v * 2 for v in x]]
    out = [1.0]
    for k, a in enumerate(rows):
        out += a
    return sum((k + 1) * v for k, v in enumerate(out))


@program(normal(3))
def two_lists_that_are_traded(x):
    cur, nxt = [0.0] * 3, [0.0, 0.0, x[1]]
    cur[0] = x[0]
    for i in range(3):
        for j in range(3):
            nxt[j] = cur[j] * x[j] + x[i]
        cur, nxt = nxt, cur
    return sum(cur) * nxt[1]


@program(normal(3), tags="nof32")
def two_lists_that_are_traded_element_by_element(x):
    cur = [x[0], x[1], x[2]]
    nxt = [0.0] * 3
    for i in range(3):
        nxt[0] = cur[1] * x[1]
        cur, nxt = nxt, cur
        nxt[2] = cur[0] * 2.0
        if cur[0] > 0.5:
            cur[1] = nxt[2] * x[0]
    cur[0] = 3.0 * nxt[1]
    return sum(cur) + nxt[0] * nxt[2]


@program(normal(3), tags="nof32")
def two_lists_and_a_third_name(x):
    cur = [x[0], x[1], x[2]]
    nxt = [0.0] * 3
    keep = list(cur)
    for i in range(3):
        for j in range(3):
            nxt[j] = cur[j] * x[j] + x[i]
        cur, nxt = nxt, cur
    return sum(cur) * keep[0]


@program(normal(4), 3)
def rows_for_each_of_a_list(x, width):
    values = [x[0], x[1] * x[2], x[2], x[3]]
    table = [[0.0] * width for _ in range(len(values) + 1)]
    for i in range(1, len(values) + 1):
        for w in range(width):
            table[i][w] = max(table[i - 1][w], table[i - 1][w - 1] + values[i - 1])
    held, row = [], [values[0]] * width
    for k in range(len(values)):
        if k == 2:
            row = [values[k]] * width
        held.append(row)
        row[0] = row[0] * 0.5
    return table[-1][-1] * held[0][0] + held[3][0] * held[2][-1]
