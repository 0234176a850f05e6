"""Programs in the manner of many authors: lists as arrays, names that are None at first, lists of lists."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.corpus import normal, program, uniform


@dataclass
class Pair:
    x: float
    y: float

    def size(self):
        return math.hypot(self.x, self.y)


# ---------------------------------------------------------------- lists that NumPy makes arrays of


@program(normal(3), 1.2, tags="nojit core")
def lists_as_operands(x, a):
    y = (x + [1.0, a, 2.0]) * (1, 2, a) - [1, 2, 3] / (x + 5.0)
    y += [1, a, 2]
    y[:2] *= (a, 3)
    y[[0, 2]] = [a, y[1]]
    return np.sum(y**2) + y @ [1, a, 2] + np.sum(x[:2] ** [2, 3]) + np.sum(x[x > [0, 0.1, a]])


@program(normal(3), 1.2, tags="nojit")
def lists_as_arguments(x, a):
    turned = np.cross([0, 0, 1], x)[0] + np.dot([1, a, 2], x) + np.sum(np.maximum(x, [0.1, a, 0.2]))
    solved = np.linalg.solve([[a, 1], [0.2, 2]], [x[0], a])[0] + np.linalg.norm([x[0], a]) + np.std([a, x[0], 1.0])
    chosen = np.where(x > 0, [a, a, 1], (1, 2, a)).sum() + np.average(x, weights=[1, 2, 3]) + np.median([a, x[0], x[1]])
    return turned + solved + chosen + np.sum(np.convolve(x, [1, a, 1], mode="same") ** 2) + np.tile([a, 1], 2)[2]


@program(uniform(0.5, 1.5, 3), 1.2, tags="nojit")
def lists_stored_in_a_matrix(x, a):
    frame = np.eye(3)
    frame[0] = [x[0], a, 1]
    frame[:, 2] = x[0], x[1], a
    frame[1:, :2] = [[a, 1], [2, x[2]]]
    return np.linalg.det(frame)


@program(normal(3), 1.2, tags="nojit")
def history_joined_along_axes(x, a):
    blocks, rows = [], []
    for k in range(3):
        blocks.append(np.outer(x, x) * a**k)
        rows.append(x * a**k)
    stacked = np.stack(rows, axis=1) + np.column_stack(rows) + np.vstack(rows).T
    wide = np.concatenate(blocks, axis=1)[0] + np.hstack(blocks)[1]
    return np.sum(stacked[0] ** 2) + np.sum(wide**2) + np.stack(blocks, axis=2)[0, 1, 2] + np.dstack(rows)[0, 1, 1]


def exponential(t, a, b, c):
    return a * math.exp(-b * t) + c


@program(uniform(0.5, 1.5, 3), normal(4), normal(4), tags="nojit")
def residuals_of_a_fit(params, t, y):
    return sum((exponential(ti, *params) - yi) ** 2 for ti, yi in zip(t, y)) + max(*params)


@program(normal(3), 1.2, tags="nojit")
def math_of_several(x, a):
    return math.fsum(x) + math.prod(x) + math.hypot(*x) + math.dist(x, [1, 2, a]) + math.hypot(x[0], a, 2.0)


# ---------------------------------------------------------------- names that are None at first


@program(normal(6), tags="nojit core")
def the_object_before(x):
    before = older = None
    total = 0.0
    i = 0
    while i < len(x):
        now = Pair(x[i], x[i] ** 2)
        total += now.x if before is None else before.x * now.y
        if older is not None:
            total += older.size() * now.x
        older, before = before, now
        i += 1
    return total + before.y


@program(normal(6), tags="nojit")
def the_tuple_before_at_times(x):
    before = None
    total = 0.0
    for i, v in enumerate(x):
        if before is not None:
            total += before[0] * v + before[1]
        before = (v, v * v) if i % 3 != 2 else None
    return total


@program(normal(4, 3), tags="nojit")
def best_of_the_best_of_rows(a):
    best = None
    for i in range(a.shape[0]):
        inner = None
        for j in range(a.shape[1]):
            if inner is None or a[i, j] > inner[0]:
                inner = (a[i, j], j)
        if best is None or inner[0] * 2 < best[0]:
            best = (inner[0] * 2, i, inner[1])
    v, i, j = best
    return v * a[i, j] + i


@program(normal(5), tags="nojit")
def found_or_not(x):
    def first(fits):
        for i, v in enumerate(x):
            if fits(v):
                return i, v
        return None

    one, none = first(lambda v: v < 9.0), first(lambda v: v > 100.0)
    total = 0.0
    if one:
        total += one[1] * (one[0] + 1)
    if none is not None:
        total += none[1] * 1000.0
    return total * 2 if none is None else total


@program(normal(5), tags="nojit")
def largest_of_three_objects(x):
    best = None
    for pair in (Pair(x[0], x[1]), Pair(x[2], x[3]), Pair(x[1], x[4])):
        if best is None or pair.x > best.x:
            best = pair
    return best.x * best.y


class Ball:
    def __init__(self, z, radius, color):
        self.z, self.radius, self.color = z, radius, color

    def hit(self, x, y):
        """The distance to the ball, or None."""
        inside = self.radius**2 - x**2 - y**2
        if inside < 0:
            return None
        distance = self.z - math.sqrt(inside)
        return distance if distance > 1e-6 else None


@program(0.9, 0.6, tags="nojit")
def rays_on_balls(r1, r2):
    balls = [Ball(3.0, r1, 1.0), Ball(2.5, r2, 0.5)]
    light = 0.0
    for i in range(4):
        for j in range(4):
            nearest, struck = float("inf"), None
            for ball in balls:
                t = ball.hit(0.31 * i, 0.27 * j)
                if t is not None and t < nearest:
                    nearest, struck = t, ball
            if struck is None:
                light += 0.1
                continue
            light += struck.color / nearest**2
    return light


def measure(shape):
    match shape:
        case Pair(x=0.0, y=height):
            return height
        case Pair(width, height) if width > 1.0:
            return width * height
        case Pair(width, y=height):
            return width + height
        case float(side):
            return side**2
    raise TypeError(f"no shape: {shape}")


@program(1.5, 0.5, tags="nojit")
def shapes_by_patterns(a, b):
    return measure(Pair(a, b)) * measure(Pair(b, a)) + measure(a) + measure(Pair(0.0, b))


# ---------------------------------------------------------------- lists of lists


@program(normal(4), normal(5), tags="nojit")
def alignment_in_a_table(x, y):
    n, m = len(x), len(y)
    cost = [[float("inf")] * (m + 1) for _ in range(n + 1)]
    cost[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            step = min(cost[i - 1][j], cost[i][j - 1], cost[i - 1][j - 1])
            cost[i][j] = (x[i - 1] - y[j - 1]) ** 2 + step
    return cost[n][m]


@program(lambda rng: rng.standard_normal((3, 3)) + 3 * np.eye(3), tags="nojit")
def doolittle_in_lists(a):
    n = len(a)
    lower = [[0.0] * n for _ in range(n)]
    upper = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for k in range(i, n):
            upper[i][k] = a[i][k] - sum(lower[i][j] * upper[j][k] for j in range(i))
        lower[i][i] = 1.0
        for k in range(i + 1, n):
            lower[k][i] = (a[k][i] - sum(lower[k][j] * upper[j][i] for j in range(i))) / upper[i][i]
    return upper[0][0] * upper[1][1] * upper[2][2] + lower[2][0]


@program(normal(4), tags="nojit")
def table_of_known_size(x):
    table = [[0.0] * 4 for _ in range(4)]
    for i in range(4):
        for j in range(4):
            table[i][j] = x[i] * x[j] if i != j else x[i]
    return sum(sum(row) for row in table) + table[1][2]


@program(uniform(1.0, 4.0, 3), (2, 1, 3), 5, 0.5, wrt="values temperature", tags="nojit")
def knapsack_over_values_and_weights(values, weights, capacity, temperature):
    best = [0.0] * (capacity + 1)
    for value, weight in zip(values, weights):
        for c in range(capacity, weight - 1, -1):
            a, b = best[c], best[c - weight] + value
            high, low = (a, b) if a > b else (b, a)
            best[c] = high + temperature * np.log1p(np.exp((low - high) / temperature))
    return best[capacity]


@program(normal(5), 2)
def differences_of_differences_from_inside(x, n):
    a = x
    for _ in range(n):
        b = a[:-1] * a[1:]
        a = b
    return np.sum(b * b)


@program(normal(2, 2, scale=0.2), normal(2, 2))
def solves_lyapunov_by_doubling(A, B):
    power, total, change = A, B, 5.0
    while change > 1e-15:
        squared = power.dot(power)
        more = total + np.dot(power.dot(total), power.conjugate().T)
        change = np.max(np.abs(more - total))
        power, total = squared, more
    return np.sum(more * np.arange(4.0).reshape(2, 2))


def de_boor(k, x, t, c, p):
    d = [c[j + k - p] for j in range(0, p + 1)]
    for r in range(1, p + 1):
        for j in range(p, r - 1, -1):
            alpha = (x - t[j + k - p]) / (t[j + 1 + k - r] - t[j + k - p])
            d[j] = (1.0 - alpha) * d[j - 1] + alpha * d[j]
    return d[p]


@program(normal(6, 2), (0.1, 0.3, 0.45), wrt="points", tags="nojit")
def length_of_a_spline_of_points(points, xs, p=3):
    n = len(points)
    t = [0.0] * (p + 1) + [i / (n - p) for i in range(1, n - p)] + [1.0] * (p + 1)
    curve = []
    for x in xs:
        k = 3 if x < t[4] else 4
        curve.append(de_boor(k, x, t, points, p))
    length = 0.0
    for a, b in zip(curve, curve[1:]):
        length += np.sqrt(np.sum((b - a) ** 2))
    return length


@program(normal(2, 12), 2, tags="nojit")
def heads_zipped_by_a_star(x, heads):
    parts = np.split(x, 3, axis=-1)
    qkv = [np.moveaxis(a.reshape(len(a), heads, -1), 1, 0) for a in parts]
    out = [np.tanh(q * k) + v for q, k, v in zip(*qkv)]
    return np.hstack(out).sum() + len(out)


@program(normal(2, 5), tags="nojit")
def rows_zipped_by_a_star(x):
    table = [x[0], x[1]]
    pairs = list(zip(*table))
    return sum((k + 1) * p * q**2 for k, (p, q) in enumerate(pairs)) / len(pairs)


def density(x, mean, cov):
    centred = x - mean
    scale = np.sqrt((2.0 * np.pi) ** 2 * np.linalg.det(cov))
    return np.exp(-0.5 * np.einsum("ij,jk,ik->i", centred, np.linalg.inv(cov), centred)) / scale


@program(normal(6, 2), normal(2, 2), tags="nojit")
def covariances_replaced_in_a_list(x, centres):
    covs = [np.eye(2) for _ in range(len(centres))]
    means = list(centres)
    for _ in range(2):
        w = np.zeros((len(means), len(x)))
        for j in range(len(means)):
            w[j] = density(x, means[j], covs[j])
        fit = np.log(w.sum(0)).sum()
        w = w / w.sum(0)
        for j in range(len(means)):
            means[j] = (w[j][:, None] * x).sum(0) / w[j].sum()
            d = x - means[j]
            outer = np.einsum("ij,ik->ijk", d, d)
            covs[j] = (w[j][:, None, None] * outer).sum(0) / w[j].sum() + 0.1 * np.eye(2)
    return fit


@program(normal(6, 3), 3, tags="nojit")
def element_chosen_before_its_list_changes(c, n):
    d = [c[j] * 1.0 for j in range(n)]
    t = 0.0
    for k in range(4):
        if k % 2 == 0:
            v = d[0]
        else:
            v = d[1]
        t += np.sum(v * d[1])
        d[0] = d[1] * (k + 1.0)
    return t


if hasattr(np, "unstack"):

    @program(normal(3, 4), tags="nojit")
    def unstacked_and_joined(x):
        parts = np.unstack(x) + np.unstack(np.sin(x), axis=0)[1:]
        return sum([(k + 1) * a.sum() for k, a in enumerate(parts)]) + len(parts)
