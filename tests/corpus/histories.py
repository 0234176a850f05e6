"""Lists of all that a loop has made: what each iteration makes anew is put there as it is."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


@program(normal(4), 3, tags="nojit")
def lists_made_anew_and_kept(x, n):
    pop = [x[i] for i in range(len(x))]
    history = []
    for _ in range(n):
        pop = [np.sin(a) + 0.5 * a for a in pop]
        history.append(pop)
    return sum(h[0] * h[-1] for h in history)


@program(normal(4), 3, tags="nojit")
def lists_kept_before_the_next_is_made(x, n):
    pop = [a * 2 for a in x]
    history = [pop]
    for _ in range(n):
        new = []
        for a in pop:
            new.append(np.sin(a))
        history.append(pop)
        pop = new
    return sum(h[0] * h[-1] for h in history) + pop[1]


@program(normal(5), 3, tags="nojit")
def states_kept_before_the_next_is_filled(x, n):
    u = x.copy()
    history = []
    for k in range(n):
        history.append(u)
        if k == 1:
            continue
        new = np.empty_like(u)
        new[:] = np.sin(u)
        new[0] += 1.0
        u = new
    return sum(np.sum(h**2) for h in history)


@program(normal(4), normal(4), tags="nojit")
def lists_unpacked_from_a_map(a, d):
    a, d = map(list, (a, d))
    for i in range(1, len(d)):
        d[i] -= a[i] * d[i - 1]
    b, c = tuple([v * v for v in each] for each in (a, d))
    return sum(v**2 for v in d) + b[0] * c[1]


@program(normal(4), 3, tags="nojit")
def states_that_are_kept_and_bounded_anew(x, n):
    history, u = [], x
    for t in range(n):
        history.append(u)
        u = u * 0.5 + history[t // 2]
        u[0] = u[1] * t
        u[-1] = u[-2]
    return sum(np.sum(h * h) for h in history) + u[0] * history[1][2]


@program(normal(4), 3, tags="nojit")
def states_that_are_bounded_and_then_kept(x, n):
    history, u = [x], x
    for t in range(n):
        half = u * 0.5
        inner = half[1:-1]
        inner *= x[1:-1]
        u = half
        u[0] = u[1] * t
        history.append(u)
    return np.sum(np.array(history)[1:] * np.array(history)[:-1])


class _Simulation:
    def __init__(self, u):
        self.u = u
        self.history = []

    def step(self, dt):
        self.history.append(self.u)
        self.u = self.u + dt * self.u**2
        self.u[0] = 0.0
        self.u[-1] = self.u[-2]


@program(normal(4), 0.1, tags="nojit")
def object_that_keeps_states_and_bounds_them(x, dt):
    simulation = _Simulation(x)
    for _ in range(3):
        simulation.step(dt)
    return sum(np.sum(h * h) for h in simulation.history) + simulation.u[1]


@program(normal(4), 3, tags="nojit may_refuse")
def state_that_is_kept_and_anew_on_some_paths(x, n):
    history, u = [], x.copy()
    for t in range(n):
        history.append(u)
        if t % 2 == 0:
            u = u * 2.0
        u[0] = u[1] * 3.0
    return np.sum(np.array(history) ** 2)


@program(normal(4), 3, tags="nojit may_refuse")
def state_that_is_kept_and_the_first_again(x, n):
    history, u = [], x.copy()
    for t in range(n):
        history.append(u)
        u = u * 2.0
        for _ in range(2):
            u[0] = u[1] * t
            u = history[0]
    return np.sum(np.array(history) ** 2)
