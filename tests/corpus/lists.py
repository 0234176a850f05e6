"""Lists that are made of lists and arrays: parts, copies, sums, orders, and what takes from and adds to any place."""


import bisect

import numpy as np

from tests.corpus import normal, program


@program(normal(6))
def slice_outlives_a_store(x):
    y = [0.0] * len(x)
    for i in range(len(x)):
        y[i] = x[i] ** 2
    s = y[1:3]
    y[1] = 100.0
    return s[0] + s[1] * y[2]


@program(normal(6))
def store_into_a_slice(x):
    y = [v * v for v in x]
    s = y[1:3]
    s[0] = 3.0
    return y[1] * s[1] + s[0]


@program(normal(6))
def sum_of_a_list_and_itself(x):
    y = [v * v for v in x]
    z = y + y
    return len(z) * z[7]


@program(normal(6))
def list_times_two(x):
    y = [v * v for v in x]
    z = y * 2
    return len(z) * z[7]


@program(normal(6))
def list_of_a_list(x):
    y = [v * v for v in x]
    z = list(y)
    z[0] = 5.0 * x[1]
    return y[0] * z[0]


@program(normal(6))
def whole_slice_is_a_copy(x):
    y = [v * v for v in x]
    z = y[:]
    z[0] = 5.0 * x[1]
    return y[0] * z[0]


@program(normal(6))
def copy_of_a_list(x):
    y = []
    for v in x:
        y.append(v)
    z = y.copy()
    z[0] = 5.0 * x[1]
    return y[0] * z[0]


@program(normal(6), tags="nojit core")
def all_that_changes_lists(x):
    s = [v * v for v in x]
    s.sort(reverse=True)
    s.reverse()
    s.insert(2, x[0] * x[1])
    s.insert(100, x[3])
    del s[1]
    s.append(x[5])
    t = s[1:-1] + [x[2]] + s[:2]
    u = sorted(t)[::-1]
    return sum((i + 1) * v for i, v in enumerate(t)) + u[0] * u[-1] + len(u)


@program(normal(6))
def queue_from_both_ends(x):
    q = [x[0]]
    total = 0.0
    steps = 0
    while q and steps < 12:
        v = q.pop(0)
        total += v * v
        steps += 1
        if v < 3.0:
            q.append(v * 1.5)
            q.insert(0, v + x[1] + 1.0)
    return total + len(q) + sum(q)


@program(normal(6), tags="core")
def sliding_window(x):
    window = []
    out = 0.0
    for v in x:
        window.append(v)
        if len(window) > 3:
            window.pop(0)
        out += max(window) * min(window) + sorted(window)[len(window) // 2]
    return out


@program(normal(6))
def median_by_sorted(x):
    med = []
    for k in range(2):
        row = sorted(x[3 * k : 3 * k + 3])
        med.append(row[1] ** 2)
    return sum(med)


@program(normal(6), tags="nojit")
def array_as_list(x):
    a = x.tolist()
    b = a
    b.append(x[0])
    c = a * 2
    c[0] = 1.0
    del c[-1]
    return a[6] * c[7] + len(c) * sum(c)


@program(normal(6))
def list_that_is_cleared(x):
    q = []
    for v in x:
        q.append(v)
        if v > 1:
            q.clear()
    return sum(q) ** 2


@program(normal(6), tags="nojit")
def key_that_is_deleted(x):
    d = {"a": x[0], "b": x[1]}
    del d["a"]
    return sum(d.values()) * x[0]


@program(normal(6), tags="nojit")
def list_of_integers_gets_floats(x):
    a = [1, 2, 3]
    b = [v for v in a if v > 1]
    b[0] = x[0]
    c = b[:]
    c[1] = x[1] * c[0]
    return sum(c) * b[1]


@program(normal(6))
def list_of_an_array(x):
    y = list(x)
    y[0], y[1] = y[1], y[0]
    return (y + [1.0])[0] * (y * 2)[7] + (y[1:] + y[:1])[-1]


@program(normal(6))
def sorted_display(x):
    y = sorted([x[0], x[1], x[2]])
    return y[0] * y[2]


@program(normal(6))
def largest_two(x):
    s = 0.0
    for v in sorted(x, reverse=True)[:2]:
        s += v * v
    return s


@program(normal(6))
def first_taken(x):
    y = []
    for v in x:
        y.append(v * v)
    y.pop(0)
    return y[0] + sum(y)


@program(normal(6))
def inserted_first(x):
    y = list(x)
    y.insert(0, x[2] * 2)
    return y[0] * y[1]


@program(normal(6), tags="nojit")
def elements_by_number(x):
    return (x.reshape(2, 3) ** 2).item(1, 2) + x.sum().item() + x.item(2) * x[:1].item()


@program(normal(6), "ab", tags="nojit")
def text_that_is_known(x, kind):
    weights = {"wa": x[0], "wb": x[1] ** 2}
    if kind.upper().startswith("A"):
        return sum(weights[f"w{c}"] for c in "ab")
    return x[2]


# ---------------------------------------------------------------- tables: lists of lists


@program(normal(4), 4)
def table_of_sums(x, n):
    table = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            table[i][j] = x[i] * x[j] + (table[i - 1][j - 1] if i and j else 0.0)
    return table[n - 1][n - 1] + table[1][2]


@program(normal(4))
def longest_path_in_a_table(x):
    n = len(x)
    best = []
    for _ in range(n + 1):
        best.append([0.0] * (n + 1))
    for i in range(1, n + 1):
        row = best[i]
        for j in range(1, n + 1):
            row[j] = max(best[i - 1][j], row[j - 1]) + x[i - 1] * x[j - 1]
    return best[n][n]


@program(normal(4), 3, tags="nojit")
def product_of_tables(x, n):
    C = [[0.0] * n for i in range(n)]
    A = [[x[i] * x[j] for j in range(n)] for i in range(n)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                C[i][j] += A[i][k] * A[k][j]
    return sum(sum(row) * row[0] for row in C)


@program(normal(8))
def latest_first(x):
    h = []
    for i in range(8):
        h.insert(0, x[i] * (h[0] if h else 1.0))
        if len(h) > 3:
            h.pop()
    return h[0] * h[1] * h[2]


@program(normal(4, 2), normal(4, 2), tags="nojit")
def clipped_polygon(subject, clip):
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    out = list(1.7 * square + 0.4 + 0.05 * subject)
    clip = 1.5 * square + 0.05 * clip
    for i in range(len(clip)):
        a, b = clip[i - 1], clip[i]
        inside = list(out)
        out.clear()
        for k in range(len(inside)):
            p, q = inside[k - 1], inside[k]
            before = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
            here = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
            if (here >= 0) != (before >= 0):
                out.append(p + before / (before - here) * (q - p))
            if here >= 0:
                out.append(q)
    return 0.5 * sum(out[k - 1][0] * out[k][1] - out[k][0] * out[k - 1][1] for k in range(len(out)))


@program(normal(3), 0.7, 1)
def elements_stored_where_a_tuple_or_a_number_says(x, y, n):
    parts = [x[0], x[1] * y, x[2]]
    for k in (2, 0, 1):
        parts[k] = parts[k] * parts[k - 1] + y
    parts[n] *= parts[n + 1]
    for i, j in ((0, 1), (1, 2)):
        parts[i], parts[j] = parts[j], parts[i]
    return parts[0] * y + parts[1] ** 2 + parts[n + 1]


@program(normal(4), tags="nojit")
def table_that_begins_with_whole_numbers(v):
    weights, room = [1, 2, 3, 2], 5
    table = [[0 for _ in range(room + 1)] for _ in range(len(v) + 1)]
    for i in range(1, len(v) + 1):
        for j in range(room + 1):
            table[i][j] = table[i - 1][j]
            if weights[i - 1] <= j:
                table[i][j] += v[i - 1] * table[i - 1][j - weights[i - 1]] + v[i - 1]
    return table[len(v)][room]


@program(normal(2), tags="nojit")
def cube_that_begins_with_whole_numbers(v):
    n = len(v)
    cube = [[[0] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        cube[i][i][0] = v[0] * v[1]
        row = cube[i][0]
        row[1] += v[1] * 0.5
    return cube[1][1][0] + cube[0][0][1]


@program(normal(2), tags="nojit")
def copies_of_rows_of_a_table(v):
    n = len(v)
    table = [[0] * n for _ in range(n)]
    row = table[1][:]
    row[0] = v[0] * 0.7
    other = list(table[0])
    other[1] = v[1] * row[0]
    return table[1][0] * v[1] + row[0] + table[0][1] + other[1]


@program(normal(6), 4)
def path_of_arrays_reversed(v, n):
    path = []
    x = v[:2] * 1.0
    for k in range(n):
        path.append(x)
        x = np.sin(x) * v[2]
    path.reverse()
    s = 0.0
    for k, p in enumerate(path):
        s += (k + 1) * p[0] * p[1] ** 2
    return s


@program(normal(6), 4)
def path_of_tuples_reversed(v, n):
    path = []
    x, y = v[0], v[1]
    for k in range(n):
        path.append((x, y))
        x, y = x * np.cos(y), y + v[2] * x
    path.reverse()
    s = 0.0
    for k in range(len(path)):
        s += path[k][0] * (k + 1) + path[k][1] ** 2 * k
    return s


def kept_with_others(v, kept=None):
    if kept is None:
        kept = []
    kept.append(v)
    return kept


@program(normal(3), tags="nojit")
def lists_that_are_made_if_none_is_given(x):
    xs = kept_with_others(x[0])
    xs = kept_with_others(x[1] * x[0], xs)
    if xs is not None:
        kept_with_others(x[2], xs)
    return xs[0] * xs[1] + xs[2] ** 2


@program(normal(6))
def tuples_in_place_sorted(v):
    pairs = []
    for k in range(len(v)):
        pairs.append((v[k], v[k - 1] * v[0]))
    pairs.sort()
    s = 0.0
    for k, (a, b) in enumerate(pairs):
        s += (k + 1) * a * b ** 2
    pairs.sort(key=lambda p: -p[1])
    for k, (a, b) in enumerate(pairs):
        s += np.sin(a) * k + b * k ** 2
    return s


@program(normal(6), tags="nojit")
def numbers_in_place_sorted_by_a_key(v):
    xs = []
    for a in v:
        xs.append(a * a)
    xs.sort(key=lambda a: np.cos(3 * a), reverse=True)
    return sum((k + 1) * a ** 2 for k, a in enumerate(xs))


@program(normal(6))
def slice_stored_by_a_longer_list(v):
    xs = list(v)
    xs[1:3] = [v[0]] * 4
    return sum(xs) + len(xs) * xs[-1]


@program(normal(6), tags="nojit")
def slice_stored_by_a_shorter_array(v):
    xs = list(v)
    xs[1:3] = v[:1]
    return np.sum(np.array(xs) ** 2)


@program(normal(6))
def all_elements_stored(v):
    xs = list(v)
    xs[:] = [a * a for a in xs]
    return sum(xs) * xs[2]


@program(normal(4), tags="nojit")
def list_that_its_own_sum_is_put_into(v):
    xs = []
    for a in v:
        xs.append(a * 0.1)
    xs.append(1.0 - sum(xs))
    pairs = [(a, a * a) for a in v]
    pairs.append((pairs[0][1], np.sum(np.array(pairs))))
    return xs[-1] ** 2 * xs[0] + pairs[-1][1] * pairs[-1][0]


@program(normal(4))
def list_extended_by_what_it_holds(v):
    xs = [v[0]]
    for a in v:
        xs += [xs[-1] * a, xs[-1] + a]
        if a * a < 100.0:
            xs.extend([sum(xs) * 0.1, len(xs) * a])
    return sum(xs)


@program(normal(3, 4), tags="nojit")
def columns_of_an_array(a):
    total = 0.0
    for column in zip(*a):
        total += sum(column) ** 2
    turned = list(map(list, zip(*a)))
    turned[1][2] = turned[1][2] * turned[0][0]
    return total + turned[1][2] * turned[3][1]


@program(normal(4), 4, tags="nojit")
def columns_of_pairs(v, n):
    points = [(v[i], v[i] ** 2) for i in range(n)]
    xs, ys = zip(*points)
    rows = [[v[0], v[1]], [v[2], v[3]]]
    turned = [list(row) for row in zip(*rows)]
    return sum(xs) * sum(ys) + turned[0][1] * turned[1][0] ** 2


@program(normal(3), tags="nojit")
def grown_lists_put_into_arrays(v):
    n = len(v)
    table = np.zeros((n, n))
    for i in range(n):
        row = []
        for j in range(i + 1):
            row.append(v[j] * v[i])
        table[i, : len(row)] = row
    pairs = []
    for a in v:
        pairs.append((a, a * a))
    columns = np.ones((n, 2))
    columns[:] = pairs
    last = []
    for a in v:
        last.append(a**3)
    table[0] += last
    table[:, 1][::-1] = last
    return np.sum(table**2) * np.sum(columns[:, 0] * columns[:, 1])


@program(normal(6), tags="nojit core")
def lists_that_grow_by_other_steps(x):
    steps = []
    for i in range(0, 6, 2):
        steps.append(x[i] ** 2)
    back = [x[0]]
    for i in range(5, 0, -1):
        back.append(x[i] * back[-1])
    for i in reversed(range(1, 6, 2)):
        steps.append((x[i], i)[0] * i)
    return sum(k * p for k, p in enumerate(back)) + steps[0] * steps[1] + steps[2] * steps[-1] + len(steps)


@program(normal(5), 0.2, tags="nojit")
def searched_lists(v, limit):
    fixed, count = [], len(range(5))
    order = list(range(count))
    for k in range(count):
        if v[k] > limit:
            fixed.append(k)
    for k in range(2):
        best = order[0]
        for each in order:
            if v[each] > v[best]:
                best = each
        order.remove(best)
    free = [k for k in range(5) if k not in fixed]
    return np.sum(v[free] ** 2) + np.prod(v[order]) * (2.0 if 3 in order else 3.0)


LOADS = {3: {"kind": "PV", "v": 1.1}, 1: {"kind": "PQ", "v": 0.9}, 2: {"kind": "PQ", "v": 0.7}}


@program(normal(3), tags="nojit")
def constant_dicts_in_order(v):
    rated = np.array([LOADS[k]["v"] for k in sorted(LOADS)])
    s = 0.0
    for k, load in sorted(LOADS.items(), reverse=True):
        s = s * v[0] + load["v"] * v[k - 1]
    return s + np.sum(rated * v) + sum(v[k - 1] for k in sorted(LOADS.keys()) if LOADS[k]["kind"] == "PQ")


def listed(values):
    return list(values)


@program(normal(5), normal(5, 5), tags="nojit")
def lists_of_what_turns_out_to_be_arrays(x, A):
    y = np.where(x > 0, x, x[::-1] * x)
    pair = listed((y[0], x[1] * 2.0))
    rows, columns = np.where(A > 0.3)
    s = list(A @ x)[1] * pair[1] + list(y)[0] + tuple(np.roll(x, 1))[2] * pair[0] + A[list(rows)[1], list(columns)[0]]
    for i in range(3):
        turned = listed(np.roll(y, i))
        turned.append(s)
        s += turned[i] * turned[-1]
    return s


@program(normal(5), normal(3), tags="nojit")
def lists_extended_by_what_is_computed_one_by_one(x, y):
    parts = {"a": [x[0]], "b": []}
    for i in range(3):
        parts["a"].extend(v * x[i] for v in y[:i])
        parts["b"].extend(v * i for v in x if v > 0)
    ends = [x[-1]]
    ends.extend(parts["a"])
    ends.extend(ends[-1] * 0.5 for _ in range(2))
    ends.extend(map(np.sin, y))
    return sum(v * (i + 1) for i, v in enumerate(ends)) + parts["b"][-1] * parts["a"][-1]


@program(normal(2), 9, tags="nojit")
def places_in_lists_in_order(v, n):
    times, values = [0.0], [v[0]]
    while len(times) < n:
        times.append(times[-1] + 0.3 + 0.1 * np.sin(v[1]) ** 2)
        values.append(0.9 * values[-1] + 0.1 * times[-1] * v[1])
    k = max(0, min(bisect.bisect_right(times, 1.45) - 1, n - 2))
    w = (1.45 - times[k]) / (times[k + 1] - times[k])
    behind = bisect.bisect_left(np.array(times), 2.0, 1)
    return (1.0 - w) * values[k] + w * values[k + 1] + values[behind] ** 2


@program(normal(1), 4, tags="nojit")
def history_that_begins_with_a_state(v, n):
    t, y, h = 0.0, v[0], 0.1
    ts, ys = [t], [y]
    while len(ts) < n:
        t += h
        y += h * np.sin(y + t)
        h *= 0.9 + 0.01 * y**2
        ts.append(t)
        ys.append(y)
    return sum((b - a) * y for a, b, y in zip(ts, ts[1:], ys)) * ys[-1]


@program(normal(3), 1)
def rows_at_any_index(v, p):
    points = [(v[0], 2.0), (v[1], v[2]), (0.2, v[0])]
    weights = ((v[0], v[1]), (v[2], 4.0))
    corners = [[v[1], 2.0], [v[2], v[0] * v[1]]]
    area, n = 0.0, len(points)
    for i in range(n):
        x, y = points[i]
        z, w = points[(i + p) % n]
        area += x * w - z * y
        for j in range(p + 1):
            area += weights[j][i % 2] * weights[p][j - 1] * corners[i % 2][j]
    row = weights[p - 2]
    return area * row[p] + sum(row)


@program(normal(5), tags="nojit")
def product_of_two_polynomials(v):
    a, b = [v[0], v[1], v[2]], [v[3], v[4]]
    out = [0.0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return sum(c * c * (k + 1) for k, c in enumerate(out))

LABELS = np.array([2, 0, 1, 1, 2])
WEIGHTS = np.arange(6.0).reshape(2, 3)


@program(normal(5, 3), tags="nojit")
def lists_of_arrays_from_outside(A):
    likely = A[range(5), list(LABELS)]
    weights = WEIGHTS.tolist()
    rows = list(WEIGHTS)
    rows.append(A[1])
    rows[0] = rows[2] * WEIGHTS[1]
    return np.sum(likely**2) + sum(a * b for a, b in zip(rows[0], weights[1])) + max(list(LABELS)) * A[0, 0] ** 3


@program(normal(4, 3), normal(2, 2), tags="nojit")
def weights_of_two_loops(x, g):
    s = 0.0
    grid = np.zeros((2, 2))
    for p in range(len(x)):
        w = [0.5 * (1.5 - x[p]) ** 2, 0.75 - (x[p] - 1) ** 2]
        for i in range(2):
            for j in range(2):
                grid[i, j] += w[i][0] * w[j][1] * g[i, j]
    for p in range(len(x)):
        w = [0.5 * (1.0 - x[p]) ** 2, x[p] * 0.25]
        for i in range(2):
            for j in range(2):
                s += w[i][2] * w[j][0] * grid[i, j]
    return s


@program(normal(4), tags="nojit")
def lists_and_dicts_of_several_loops_under_one_name(x):
    s, k = 0.0, 0
    for a in x:
        w = [a]
        for _ in range(3):
            w = [v * 0.5 for v in w]
            s += w[0]
    for a in x:
        w = {"p": a, "q": 2 * a}
        for v in w.values():
            s += v * v
    while k < 3:
        w = [x[k], 1.0, 3.0]
        k += 1
        if w[0] > 0:
            continue
        w += [2.0]
        s += sum(w) * x[k - 1]
    return s


@program(normal(4), tags="nojit")
def names_of_lists_that_loops_share(x):
    s, kept = 0.0, []
    for a in x:
        w = [a, a * a]
        twice = lambda: w[0] * w[1]
        s += twice()
    for a in x:
        w = [np.sin(a), 2.0]
        kept.append(w)
    for a in x:
        u = [a, 3.0]
        s += u[0] * u[1] * sum(u * 1 for u in [a, a * a])
    for a in x:
        u = [a * 2]
        u.append(a)
        s += u[-1] * u[0]
    return s + w[0] + kept[1][0]


@program(normal(6), tags="nojit")
def lists_that_are_joined(x):
    squares = [v * v for v in x]
    sines = [np.sin(v) for v in x if v > 0]
    both = squares + sines
    both.append(x[0])
    both[0] = 2.0 * x[1]
    squares[0] = 7.0
    for _ in range(2):
        both = both + [v * 0.5 for v in both]
    rows = [[v, v * v] for v in x if v > 0] + [[v * 2, v] for v in x]
    own = [list(row) for row in rows]
    own[0][1] = 5.0 * x[0]
    return sum(v * v for v in both) + squares[0] * x[2] + sum(p * q for p, q in rows) + sum(p * q for p, q in own)


@program(normal(6), tags="nojit")
def rows_of_lists_in_others(x):
    rows = [[v, v * v] for v in x if v > -1.0]
    others = [[v] for v in x if v > 0.0]
    for row in others:
        row.append(row[0] * 3.0)
    for pair in rows:
        others.append(pair)
    return sum(p * q for p, q in rows) + sum((k + 1) * row[0] * row[1] for k, row in enumerate(others))
