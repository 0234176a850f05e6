"""Fisher's equation in the plane: diffusion and growth, explicit steps, the border fixed."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(u0, d, r, steps):
    u = u0.copy()
    v = u0.copy()
    n, m = u.shape
    for t in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                lap = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                v[i, j] = u[i, j] + d * lap + r * u[i, j] * (1.0 - u[i, j])
        u, v = v, u
    return np.sum(u * u)


def arrays(u0, d, r, steps):
    u = u0.copy()
    for _ in range(steps):
        middle = u[1:-1, 1:-1]
        lap = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * middle
        u[1:-1, 1:-1] = middle + d * lap + r * middle * (1.0 - middle)
    return np.sum(u * u)


@compiled
def by_hand(u0, d, r, steps):
    """The states are the record, and each reverse step gathers.

    The cotangents of the border lie in an array of their own, so that those that the stencil reads there are zero.
    """
    n, m = u0.shape
    states = np.empty((steps + 1, n, m))
    states[0] = u0
    for t in range(steps):
        u, v = states[t], states[t + 1]
        v[0], v[n - 1] = u[0], u[n - 1]
        for i in range(1, n - 1):
            v[i, 0], v[i, m - 1] = u[i, 0], u[i, m - 1]
            for j in range(1, m - 1):
                lap = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
                v[i, j] = u[i, j] + d * lap + r * u[i, j] * (1.0 - u[i, j])
    value = np.sum(states[steps] * states[steps])
    border = 2.0 * states[steps]
    border[1:-1, 1:-1] = 0.0
    v_bar, u_bar = 2.0 * states[steps] - border, np.zeros((n, m))
    for t in range(steps - 1, -1, -1):
        u = states[t]
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                near = v_bar[i - 1, j] + v_bar[i + 1, j] + v_bar[i, j - 1] + v_bar[i, j + 1]
                u_bar[i, j] = v_bar[i, j] * (1.0 - 4.0 * d + r - 2.0 * r * u[i, j]) + d * near
        for i in range(1, n - 1):
            border[i, 0] += d * v_bar[i, 1]
            border[i, m - 1] += d * v_bar[i, m - 2]
        for j in range(1, m - 1):
            border[0, j] += d * v_bar[1, j]
            border[n - 1, j] += d * v_bar[n - 2, j]
        u_bar, v_bar = v_bar, u_bar
    return value, v_bar + border


def library(np, scan):
    def function(u0, d, r, steps):
        def step(u, _):
            middle = u[1:-1, 1:-1]
            lap = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * middle
            inner = np.concatenate((u[1:-1, :1], middle + d * lap + r * middle * (1.0 - middle), u[1:-1, -1:]), 1)
            return np.concatenate((u[:1], inner, u[-1:])), None

        return np.sum(scan(step, u0, None, 100)[0] ** 2)

    return function


def workloads(random):
    u0 = random.uniform(size=(128, 128))
    yield Workload("fisher 128 x 128 x 100", {"loops": loops, "arrays": arrays}, by_hand, (u0, 0.2, 0.1, 100), library)
