"""Comprehensions that NumPy is given, whose items change something: each item is computed once."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


class Cell:
    def __init__(self, u):
        self.u = u
        self.h = np.zeros(u.shape[0])
        self.steps = 0

    def step(self, x):
        self.h = np.tanh(x + self.u * self.h)
        self.steps += 1
        return self.h


@program(normal(3), normal(4, 3), tags="nojit")
def states_of_a_cell(u, xs):
    cell = Cell(u)
    hs = np.stack([cell.step(x) for x in xs])
    return np.sum(hs[:, 0] * hs[:, 1]) + np.sum(cell.h**2) * cell.steps


@program(normal(5), tags="nojit")
def running_sums_by_a_nested_function(x):
    total, seen, last = 0.0, [], np.zeros(2)

    def add(v):
        nonlocal total
        total += v
        seen.append(v)
        last[0] += v * v
        return total * len(seen) + last[0]

    return np.var([add(v) for v in x]) + total * len(seen) * last[0]


@program(normal(4), tags="nojit")
def items_that_are_taken_from_a_list(x):
    left = list(x)
    return np.sum(np.array([left.pop() * v for v in x])) * (1 + len(left)) + np.sum(np.array([[v, v] for v in x]))


def heads_of(x, count):
    groups = np.split(x, 2, axis=-1)
    return [np.split(group, count, axis=-1) for group in groups]


@program(normal(3, 8), tags="nojit")
def parts_of_parts(x):
    return np.sum(np.hstack([q @ k.T for q, k in zip(*heads_of(x, 2))]) ** 2)
