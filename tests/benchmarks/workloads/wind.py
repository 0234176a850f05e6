"""Burgers' equation without friction, against the wind: each point asks its own speed for the neighbour to look at."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(u0, c, steps):
    u, v = u0.copy(), u0.copy()
    n = u.shape[0]
    for t in range(steps):
        for i in range(1, n - 1):
            if u[i] > 0.0:
                slope = u[i] - u[i - 1]
            else:
                slope = u[i + 1] - u[i]
            v[i] = u[i] - c * u[i] * slope
        u, v = v, u
    return np.sum(u * u)


def arrays(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        middle = u[1:-1]
        slope = np.where(middle > 0.0, middle - u[:-2], u[2:] - middle)
        u[1:-1] = middle - c * middle * slope
    return np.sum(u * u)


@compiled
def by_hand(u0, c, steps):
    """The states are the record; an element gathers from the neighbours whose speed is towards it."""
    n = u0.shape[0]
    states = np.empty((steps + 1, n))
    states[0] = u0
    for t in range(steps):
        u, v = states[t], states[t + 1]
        v[0], v[n - 1] = u[0], u[n - 1]
        for i in range(1, n - 1):
            slope = u[i] - u[i - 1] if u[i] > 0.0 else u[i + 1] - u[i]
            v[i] = u[i] - c * u[i] * slope
    value = np.sum(states[steps] * states[steps])
    v_bar, u_bar = 2.0 * states[steps], np.zeros(n)
    first, last = v_bar[0], v_bar[n - 1]
    v_bar[0] = v_bar[n - 1] = 0.0
    for t in range(steps - 1, -1, -1):
        u = states[t]
        for i in range(1, n - 1):
            slope = u[i] - u[i - 1] if u[i] > 0.0 else u[i + 1] - u[i]
            near = v_bar[i + 1] * max(u[i + 1], 0.0) - v_bar[i - 1] * min(u[i - 1], 0.0)
            u_bar[i] = v_bar[i] * (1.0 - c * (slope + abs(u[i]))) + c * near
        first += c * v_bar[1] * max(u[1], 0.0)
        last -= c * v_bar[n - 2] * min(u[n - 2], 0.0)
        u_bar, v_bar = v_bar, u_bar
    v_bar[0], v_bar[n - 1] = first, last
    return value, v_bar


def library(np, scan):
    def function(u0, c, steps):
        def step(u, _):
            middle = u[1:-1]
            slope = np.where(middle > 0.0, middle - u[:-2], u[2:] - middle)
            return np.concatenate((u[:1], middle - c * middle * slope, u[-1:])), None

        return np.sum(scan(step, u0, None, 1000)[0] ** 2)

    return function


def workloads(random):
    u0 = random.normal(size=1000)
    yield Workload("wind 1000 x 1000", {"loops": loops, "arrays": arrays}, by_hand, (u0, 0.1, 1000), library)
