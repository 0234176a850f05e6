"""Lists as tables and as weights, slices of lists of pairs, and lists that are copied as wholes."""

import numpy as np

from tests.corpus import normal, program


@program(normal(4), normal(5), tags="nojit")
def edit_distance_in_lists(a, b):
    d = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        d[i][0] = d[i - 1][0] + 0.5
    for j in range(1, len(b) + 1):
        d[0][j] = j * 0.5
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            d[i][j] = min(d[i - 1][j] + 0.5, d[i][j - 1] + 0.5, d[i - 1][j - 1] + cost)
    return d[-1][-1]


@program(normal(5), tags="nojit")
def products_in_the_best_order(x):
    n = len(x) - 1
    least = [[0.0] * n for _ in range(n)]
    d = [v * v + 1 for v in x]
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            least[i][j] = float("inf")
            for k in range(i, j):
                cost = least[i][k] + least[k + 1][j] + d[i] * d[k + 1] * d[j + 1]
                if cost < least[i][j]:
                    least[i][j] = cost
    return least[0][n - 1]


@program(normal(4), tags="nojit")
def table_with_rows_that_have_names(x):
    n = len(x)
    table = [[1.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i, n):
            table[i][j] += x[i] * x[j]
            table[j][i] -= table[i][j] * 0.5
    row = table[1]
    row[2] = 3.0 * x[0]
    row[-1] *= x[1]
    return sum(sum(r) for r in table) * table[1][2] + row[3] * table[-1][0]


@program(normal(4), 6, tags="nojit")
def knapsack_with_weights_in_a_list(x, room):
    weights = [1, 2, 3, 2]
    best = [0.0] * room
    for value, weight in zip(x, weights):
        for c in range(room - 1, weight - 1, -1):
            best[c] = max(best[c], best[c - weight] + value * value)
    return best[-1] ** 2


@program(normal(5), lambda rng: np.arange(3), tags="nojit")
def weights_beside_fewer_or_more(x, few):
    s = 0.0
    for v, k in zip(x, [1, 2, 3, 2, 1, 1, 5]):
        s = s * 0.5 + v**k
    for v, k in zip(few, (3, 1, 2, 1, 4)):
        s += x[v] * k
        if k == 2:
            break
    return s


@program(normal(6), tags="nojit")
def area_of_a_polygon(x):
    points = [(v, v * v * (k % 3)) for k, v in enumerate(x)]
    area = 0.0
    for (a, b), (c, d) in zip(points, points[1:] + points[:1]):
        area += a * d - b * c
    return area


@program(normal(6), -2, 4, tags="nojit")
def pairs_backwards_and_in_steps(x, low, high):
    pairs = []
    for k, v in enumerate(x):
        pairs.append((v, v * k))
    s = pairs[-1][0]
    for a, b in pairs[-2::-1]:
        s = 0.5 * s + a * b
    for a, b in pairs[low:high:-2] + pairs[::3] + pairs[:-9:-1]:
        s = 0.5 * s - a + b
    return s * len(pairs[high:low:2]) + len(pairs[high:0:-1]) + pairs[1:high][-1][0]


@program(normal(6), tags="nojit")
def parts_of_a_list_and_the_list(x):
    xs = []
    for v in x:
        xs.append(2.0 * v)
    before, ends = xs[1:], xs[:2] + xs[-2:]
    s = sum(a * (k + 1) for k, a in enumerate(before))
    xs[2] = 5.0 * x[0]
    ends[0] = x[1]
    ends.append(s)
    for a in xs[::2]:
        s += a * before[1]
    return s + max(ends) * ends[0] + sum(xs[1:4]) * before[0]


@program(normal(6), -4, 1, tags="nojit")
def elements_from_behind(x, first, step):
    xs = []
    for v in x:
        if v < 5.0:
            xs.append(v * v)
    s = 0.0
    for k in range(first, -1, step):
        s += xs[k] * (k + 7)
    return s


def _place(values, value):
    for k, each in enumerate(values):
        if each == value:
            return k
    return -1


@program(normal(6), lambda rng: np.array([3, 1, 2, 1]), tags="nojit")
def places_of_keys(x, keys):
    s = 0.0
    for k in range(5):
        found = _place(keys, k)
        if found >= 0:
            s = 0.5 * s + x[found] * k
    return s + _place(x, x[2]) * x[0] + _place(x, 77.0) * x[1]


@program(normal(6), tags="nojit")
def cells_and_their_neighbours(x):
    cells = {}
    for i in range(3):
        for j in range(2):
            cells[i, j] = x[2 * i + j]
    s = 0.0
    for i in range(3):
        for j in range(2):
            for di, dj in ((0, 1), (1, 0), (-1, 0)):
                if (i + di, j + dj) in cells:
                    s = 0.9 * s + cells[i + di, j + dj] * cells[i, j]
    return s


@program(normal(6), lambda rng: np.array([3, 1, 3, 2, 1, 0]), tags="nojit")
def sums_by_key_until_one_is_large(x, keys):
    sums = {}
    for v, key in zip(x, keys):
        sums[key] = sums.get(key, 0.0) * 0.5 + v * v
        if sums[key] > 4.0:
            break
        for k in range(key):
            if k in sums:
                sums[key] *= x[k]
    return sum(v * (k + 1) for k, v in sums.items())
