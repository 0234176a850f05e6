"""A chain of springs whose ends are free, in small steps: neighbours by `np.concatenate`."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def arrays(x, stiffness, dt, steps):
    v = np.zeros_like(x)
    for _ in range(steps):
        left = np.concatenate((x[:1], x[:-1]))
        right = np.concatenate((x[1:], x[-1:]))
        v = v + dt * stiffness * (left - 2.0 * x + right)
        x = x + dt * v
    return np.sum(x**2) + np.sum(v**2)


@compiled
def by_hand(x, stiffness, dt, steps):
    """The states in rows, the next one written behind the last; the ends of the chain by themselves."""
    n = x.shape[0]
    states, v = np.empty((steps + 1, n)), np.zeros(n)
    states[0] = x
    for t in range(steps):
        here, there = states[t], states[t + 1]
        v[0] += dt * stiffness * (here[1] - here[0])
        there[0] = here[0] + dt * v[0]
        for i in range(n - 2):
            v[i + 1] += dt * stiffness * (here[i] - 2.0 * here[i + 1] + here[i + 2])
            there[i + 1] = here[i + 1] + dt * v[i + 1]
        v[n - 1] += dt * stiffness * (here[n - 2] - here[n - 1])
        there[n - 1] = here[n - 1] + dt * v[n - 1]
    total, stiffness_bar = 0.0, 0.0
    x_bar, v_bar, force_bar = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        total += states[steps, i] ** 2 + v[i] ** 2
        x_bar[i] = 2.0 * states[steps, i]
        v_bar[i] = 2.0 * v[i]
    for t in range(steps - 1, -1, -1):
        here = states[t]
        for i in range(n):
            v_bar[i] += dt * x_bar[i]
            force_bar[i] = dt * v_bar[i]
        stiffness_bar += force_bar[0] * (here[1] - here[0]) + force_bar[n - 1] * (here[n - 2] - here[n - 1])
        x_bar[0] += stiffness * (force_bar[1] - force_bar[0])
        for i in range(n - 2):
            stiffness_bar += force_bar[i + 1] * (here[i] - 2.0 * here[i + 1] + here[i + 2])
            x_bar[i + 1] += stiffness * (force_bar[i] - 2.0 * force_bar[i + 1] + force_bar[i + 2])
        x_bar[n - 1] += stiffness * (force_bar[n - 2] - force_bar[n - 1])
    return total, (x_bar, stiffness_bar)


def library(np, scan):
    def function(x, stiffness, dt, steps):
        def step(carried, _):
            x, v = carried
            left, right = np.concatenate((x[:1], x[:-1])), np.concatenate((x[1:], x[-1:]))
            v = v + dt * stiffness * (left - 2.0 * x + right)
            return (x + dt * v, v), None

        (x, v), _ = scan(step, (x, np.zeros_like(x)), None, 300)
        return np.sum(x**2) + np.sum(v**2)

    return function


def workloads(random):
    arguments = (random.normal(size=1000), 2.0, 0.05, 300)
    yield Workload("springs 1000 x 300", {"arrays": arrays}, by_hand, arguments, library, wrt=(0, 1))
