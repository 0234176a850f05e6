"""Lists of objects, tuples and named tuples of unknown length; the best of them, and their order, by a key."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.corpus import normal, program


@dataclass
class Body:
    mass: float
    x: float
    v: float = 0.0

    def energy(self):
        return self.mass * self.x**2

    @property
    def momentum(self):
        return self.mass * self.v


class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b * 2

    def product(self, k):
        return self.a * self.b * k


@program(normal(5), tags="nojit")
def bodies_in_a_list(x):
    bodies = [Body(v, v * v, v + 1.0) for v in x]
    s = 0.0
    for b in bodies:
        s += b.energy() + b.momentum
    return s + bodies[2].x * bodies[-1].energy()


@program(normal(4), tags="nojit")
def states_of_a_body(x):
    s = Body(x[0], x[1])
    states = [s]
    for v in x:
        s = Body(s.mass * v, s.x + v)
        states.append(s)
    return sum(o.x * o.mass for o in states)


@program(normal(4), tags="nojit")
def stack_of_bodies(x):
    stack = [Body(x[0], x[1])]
    s = 0.0
    while stack:
        b = stack.pop()
        s += b.x
        if b.mass < 3:
            stack.append(Body(b.mass + 1.5, b.x * x[2]))
            stack.append(Body(b.mass + 2.5, b.x * x[3]))
    return s


@program(normal(4, 3), tags="nojit")
def objects_of_arrays(A):
    pairs = []
    for row in A:
        if row[0] > -9.0:
            pairs.append(Pair(row, row * 2))
    return sum(np.sum(p.product(1.5)) for p in pairs) * len(pairs)


@program(normal(4), tags="nojit")
def best_of_bodies(x):
    bodies = [Body(v, v * v + 1) for v in x]
    heaviest = max(bodies, key=lambda b: b.mass)
    two = [Pair(x[0], x[1]), Pair(x[2], x[3])]
    b = min(two, key=lambda b: b.a)
    b.b = 7.0 * x[0]
    in_order = sorted(bodies, key=lambda b: -b.mass)
    return heaviest.x * heaviest.mass + two[0].b * two[1].a + two[1].b + in_order[0].x * 2 + in_order[1].x


@program(normal(4), tags="nojit")
def order_of_pairs(x):
    pairs = [(v, v * v) for v in x]
    pairs = sorted(pairs, key=lambda p: -p[1])
    return pairs[0][0] * 3 + pairs[1][0] * min(pairs, key=lambda p: p[0])[1]
