"""Objects that are changed while loops and branches give their names to others."""

from __future__ import annotations

from tests.corpus import program


class Mass:
    def __init__(self, x, v):
        self.x = x
        self.v = v

    def kick(self, dt):
        self.v -= dt * self.x**3

    def step(self, dt):
        return Mass(self.x + dt * self.v, self.v)


@program(0.7, 0.3, 4)
def object_rebound_in_nested_loops(x, v, n):
    p = Mass(x, v)
    for i in range(n):
        for j in range(i):
            p = p.step(0.1 * j + 0.1)
    return p.x * p.v


@program(0.7, 0.3, 3)
def objects_rebound_in_inner_and_outer_loops(x, v, n):
    p, q = Mass(x, v), Mass(v, x)
    for i in range(n):
        for j in range(2):
            p = p.step(0.1)
            q = p if j else q.step(0.3)
        p = Mass(p.x * 1.1, q.v * p.x)
    return p.x * p.v + q.x
