"""Tuples in their order, and lists that are changed at places that a loop computes, also where an object holds them."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program, uniform


@program(normal(5), normal(4), tags="nojit")
def path_of_a_table(x, y):
    n, m = len(x), len(y)
    costs = [[float("inf")] * (m + 1) for _ in range(n + 1)]
    costs[0][0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            costs[i][j] = (x[i - 1] - y[j - 1]) ** 2 + min(costs[i - 1][j], costs[i][j - 1], costs[i - 1][j - 1])
    i, j, steps = n, m, 0
    while i > 0 and j > 0:
        steps += 1
        before = [(costs[i - 1][j - 1], i - 1, j - 1), (costs[i - 1][j], i - 1, j), (costs[i][j - 1], i, j - 1)]
        _, i, j = min(before)
    return costs[n][m] / steps


@program(normal(4), tags="nojit")
def best_and_next_of_pairs(x):
    best = (-1e9, -1)
    for k in range(4):
        best = max(best, (x[k] * x[0], k))
    score, place = max((x[k] ** 2, -k) for k in range(4))
    ranked = sorted([(x[0], 2), (x[1], 1), (x[2], 0)], reverse=True)
    tied = sorted([(1, x[0]), (1, x[1]), (0, x[2])], key=lambda row: row[0])
    if (1, x[0], 2) <= (1, x[1], 0):
        score *= 2.0
    return best[0] * best[1] + score * place + ranked[0][0] * ranked[1][0] + tied[1][1] * tied[2][1] ** 2


class Bandit:
    def __init__(self, arms):
        self.counts = [0] * arms
        self.values = [0.0] * arms

    def update(self, arm, reward):
        self.counts[arm] += 1
        self.values[arm] += (reward - self.values[arm]) / self.counts[arm]


@program(normal(3), tags="nojit")
def values_that_objects_hold(means):
    pair = [Bandit(3), Bandit(3)]
    seen = pair[0].values
    for t in range(7):
        for k, bandit in enumerate(pair):
            bandit.update((t * t + k) % 3, means[t % 3] * (1.0 + 0.1 * t))
        seen[t % 2] *= 0.9
    best = max(range(3), key=pair[1].values.__getitem__)
    return sum(v * c for bandit in pair for v, c in zip(bandit.values, bandit.counts)) + seen[0] * pair[1].values[best]


class Layers:
    def __init__(self, weights):
        self.weights = weights

    def slopes(self, x):
        found = [np.zeros(w.shape) for w in self.weights]
        found[-1] = x * self.weights[-1]
        for k in range(2, 3):
            found[-k] = self.weights[-k] * np.sum(found[-k + 1])
        return found


@program(normal(2, 3), normal(3, 2), tags="nojit")
def slopes_of_layers(v, w):
    first, second = Layers([v, w]).slopes(0.5)
    return np.sum(first**2) + np.sum(second**3)


@program(uniform(0.5, 2.0, 3), uniform(0.5, 2.0, 3, 3), uniform(0.5, 2.0, 3), tags="nojit")
def simplex_method(c, a, b):
    m, n = a.shape
    t = np.zeros((m + 1, n + m + 1))
    t[:m, :n] = a
    t[:m, n : n + m] = np.eye(m)
    t[:m, -1] = b
    t[-1, :n] = -c
    while True:
        j = int(np.argmin(t[-1, :-1]))
        if t[-1, j] >= -1e-9:
            break
        ratios = [(t[i, -1] / t[i, j], i) for i in range(m) if t[i, j] > 1e-9]
        if not ratios:
            raise ValueError("unbounded")
        _, i = min(ratios)
        t[i] /= t[i, j]
        for k in range(m + 1):
            if k != i:
                t[k] -= t[k, j] * t[i]
    return t[-1, -1]


@program(normal(6), tags="nojit")
def pair_with_the_largest_product(x):
    v, i, j = max((x[i] * x[j], i, j) for i in range(4) for j in range(4) if i != j)
    return v + x[i] ** 2 * x[j]


@program(normal(6), tags="nojit")
def extremes_of_pairs_that_grow(x):
    pairs = []
    for i in range(len(x)):
        pairs.append((i % 2, x[i]))
    return min(pairs)[1] * max(pairs)[1]
