"""Dicts with computed keys, sets, counters: what dynamic programming, graphs and cell lists are written with."""

import collections

import numpy as np

from tests.corpus import normal, program, uniform


@program(0.9, 7, tags="nojit")
def memo_of_a_recurrence(x, n):
    memo = {0: x, 1: x * x}
    for i in range(2, n):
        memo[i] = memo[i - 1] * x + memo[i - 2]
    return memo[n - 1]


@program(uniform(1, 2, 5), uniform(1, 2, 4))
def distance_of_sequences(a, b):
    D = {}
    for i in range(len(a) + 1):
        D[i, 0] = 0.5 * i
    for j in range(len(b) + 1):
        D[0, j] = 0.5 * j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            D[i, j] = (a[i - 1] - b[j - 1]) ** 2 + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[len(a), len(b)]


@program(uniform(1, 2, 5), 6, tags="nojit")
def cache_that_is_looked_up(a, n):
    cache, total = {}, 0.0
    for k in range(n):
        i = (k * k) % 4
        if i not in cache:
            cache[i] = np.sin(a[i]) * (k + 1)
        total += cache[i]
    return total * len(cache)


@program(uniform(1, 2, 5), 4, tags="nojit")
def one_dict_under_two_names(a, n):
    d = {}
    e = d
    for k in range(n):
        e[k] = a[k]
    d[0] *= 3.0
    x = d.pop(1)
    e[7] = x * a[4]
    return e[0] * x + len(d) * a[0] + sum(value * key for key, value in sorted(d.items()))


@program(normal(5), 4, tags="nojit")
def arrays_by_number(a, n):
    steps = {k: a * k for k in range(n)}
    for k in steps:
        steps[k] = steps[k] + a[0]
    copied = dict(steps)
    copied[0] = a * a
    return sum(np.sum(row**2) * k for k, row in steps.items()) + np.sum(copied[0] * copied.get(n - 1, a))


@program(uniform(0, 3, 8), tags="nojit")
def cells_of_neighbours(x):
    cells = {}
    for i in range(len(x)):
        c = int(x[i] * 2.0)
        if c not in cells:
            cells[c] = []
        cells[c].append(i)
    energy = 0.0
    for c in sorted(cells):
        for i in cells[c]:
            for d in (c - 1, c, c + 1):
                for j in cells.get(d, []):
                    if j > i:
                        energy += (x[i] - x[j]) ** 2 * len(cells[c])
    return energy


@program(normal(4), tags="nojit")
def edges_of_a_graph(x):
    neighbours = collections.defaultdict(list)
    for i, j in [(0, 1), (1, 2), (2, 3), (0, 3)]:
        neighbours[i].append(j)
        neighbours[j].append(i)
    return sum((x[i] - x[j]) ** 2 * (i + 1) for i in range(4) for j in neighbours[i])


@program(uniform(0, 3, 7), tags="nojit")
def groups_that_are_counted(x):
    counts, sums = collections.Counter(), collections.defaultdict(float)
    for value in x:
        counts[int(value)] += 1
        sums[int(value)] += value * value
    return sum(sums[key] / counts[key] for key in sorted(counts)) + counts[9]


@program(uniform(1, 2, 6), tags="nojit")
def visited_in_order(x):
    visited, total, node = {0}, 0.0, 0
    other = visited
    while len(visited) < len(x):
        node = (node * 2 + 1) % len(x)
        while node in visited:
            node = (node + 1) % len(x)
        other.add(node)
        total += x[node] * len(visited)
    either = (visited - {1}) | {7}
    either &= {0, 2, 4, 7}
    return total + sum(x[k % 6] * k for k in sorted(either))


@program(normal(3), tags="nojit")
def grid_with_items(a):
    grid = Grid(3)
    for i in range(3):
        for j in range(3):
            grid[i, j] = a[i] * a[j]
            grid[i, 0] += a[j] * 2.0
    grid[0] *= a[2]
    grid[1, 1:3] = a[:2]
    return np.sum(grid.data**2) + grid[2, 1]


class Grid:
    def __init__(self, n):
        self.data = np.zeros((n, n))

    def __getitem__(self, place):
        return self.data[place]

    def __setitem__(self, place, value):
        self.data[place] = value


@program(uniform(1, 2, 5), 4, tags="nojit")
def list_replaced_under_its_key(a, n):
    lists = {}
    for k in range(n):
        lists[k % 2] = [a[k]]
    held = lists[1]
    lists[1] = [a[0], a[0]]
    lists[1].append(a[2])
    held.append(a[4])
    return sum(held) + 10.0 * sum(lists[1]) * lists[0][0]


@program(normal(6))
def sums_by_parity(x):
    d = {"a": 0.0, "b": 1.0}
    for i in range(len(x)):
        key = "a" if i % 2 else "b"
        d[key] += x[i] ** 2
    return d["a"] * d["b"]


@program(normal(6))
def weights_of_states(x):
    table = {"idle": 1.0, "run": 2.0, "stop": x[0]}
    state = "idle"
    total = 0.0
    for a in x:
        total += table[state] * a ** 2
        if state == "idle":
            state = "run"
        elif state == "run" and a > 0:
            state = "stop"
        else:
            state = "idle"
    return total


@program(normal(6))
def arrays_by_names_that_change(x):
    p = {"w": x[:3] * 1.0, "b": x[3:] ** 2}
    for k in range(4):
        name = "w" if k % 2 else "b"
        p[name] = p[name] * x[k]
        p["w" if k > 2 else "b"][1] += x[5]
    return np.sum(p["w"] * p["b"])


@program(normal(3), tags="nojit")
def neighbours_in_a_graph(x):
    graph = {0: [1, 2], 1: [2], 2: []}
    total = 0.0
    for node in graph:
        for other in graph[node]:
            total += x[node] * x[other]
    node = 0
    while graph[node]:
        total += x[node] ** 2
        node = graph[node][0]
    return total


@program(normal(3), tags="nojit")
def shortest_way_in_a_graph(x):
    graph = {0: [(1, 2.0), (2, 0.5)], 1: [(2, 1.0)], 2: []}
    far = {0: 0.0}
    queue = [0]
    while queue:
        node = queue.pop(0)
        for other, weight in graph[node]:
            way = far[node] + weight * (x[node] - x[other]) ** 2
            if other not in far or way < far[other]:
                far[other] = way
                queue.append(other)
    return far[2] * far[1]


GRAPH = {0: [1, 2, 3], 1: [3], 2: [], 3: []}
LEVELS = [[0, 1], [2], []]


def paths_from(node, x):
    total = x[node]
    for other in GRAPH[node]:
        total += x[node] * paths_from(other, x)
    return total


@program(normal(4), tags="nojit")
def walk_of_a_constant_graph(x):
    return paths_from(0, x) ** 2


@program(normal(4), 3, tags="nojit")
def rows_of_constants(x, n):
    total = 0.0
    for k in range(n):
        row = GRAPH[k]
        if row:
            total += x[row[0]] * x[row[-1]] * len(row)
        total += sum(x[j] * x[k] for j in LEVELS[k - n])
        stack = LEVELS[k] + [k]
        total *= x[stack[0]]
    return total


@program(normal(5), lambda rng: np.array([0, 2, 0, 1, 2]), tags="nojit")
def lists_of_a_dict_one_after_the_other(x, groups):
    found = collections.defaultdict(list)
    for k in range(5):
        found[groups[k]].append(x[k])
    for values in found.values():
        values.append(values[0] ** 2)
    s = 0.0
    for k, values in found.items():
        mean = sum(values) / len(values)
        s = 0.5 * s + (k + 1.0) * sum((v - mean) ** 2 for v in values)
    return s * max(sum(values) for values in found.values())


@program(normal(5), lambda rng: np.array([0, 2, 0, 1, 2, 2, 3]), tags="nojit")
def most_common_places(x, places):
    s = 0.0
    for k, count in collections.Counter(places).most_common():
        s = 0.5 * s + count * x[k] ** 2
    for letter, count in collections.Counter("abacabad").most_common(2):
        s *= x[count] + (1.0 if letter == "a" else x[0])
    return s


@program(uniform(1, 2, 4), tags="nojit")
def counts_of_counts(x):
    counts = collections.Counter({"a": x[0], "b": x[1]})
    counts.update({"b": x[2], "c": x[3]})
    more = collections.Counter(counts)
    more.update([letter for letter, n in more.items() if n > 1.5])
    more["d"] += x[0] * x[1]
    more |= counts + counts
    more -= collections.Counter("ab")
    return sum((k + 1) * n for k, (letter, n) in enumerate(more.most_common())) * counts["b"] + counts.total()
