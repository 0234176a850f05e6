"""The viscous Burgers equation, explicit steps."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(u0, nu, dt, dx, steps):
    u = u0.copy()
    v = np.empty_like(u)
    n = u.shape[0]
    for t in range(steps):
        v[0] = u[0]
        v[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            v[i] = (u[i] - dt / (2 * dx) * u[i] * (u[i + 1] - u[i - 1])
                    + nu * dt / dx**2 * (u[i + 1] - 2 * u[i] + u[i - 1]))  # fmt: skip
        u, v = v, u
    return np.sum(u**2)


def arrays(u0, nu, dt, dx, steps):
    u = u0.copy()
    for _ in range(steps):
        left, middle, right = u[:-2], u[1:-1], u[2:]
        change = nu * dt / dx**2 * (right - 2 * middle + left) - dt / (2 * dx) * middle * (right - left)
        u[1:-1] = middle + change
    return np.sum(u**2)


@compiled
def by_hand(u0, nu, dt, dx, steps):
    """The states are the record; each reverse step gathers, so it vectorises."""
    n = u0.shape[0]
    a, b = dt / (2 * dx), nu * dt / dx**2
    states = np.empty((steps + 1, n))
    states[0] = u0
    for t in range(steps):
        u, v = states[t], states[t + 1]
        v[0], v[n - 1] = u[0], u[n - 1]
        for i in range(1, n - 1):
            v[i] = u[i] - a * u[i] * (u[i + 1] - u[i - 1]) + b * (u[i + 1] - 2 * u[i] + u[i - 1])
    v_bar, u_bar = 2.0 * states[steps], np.empty(n)
    value = np.sum(states[steps] ** 2)
    for t in range(steps - 1, -1, -1):
        u = states[t]
        first, last = v_bar[0], v_bar[n - 1]
        v_bar[0], v_bar[n - 1] = 0.0, 0.0
        for i in range(1, n - 1):
            u_bar[i] = (v_bar[i] * (1.0 - a * (u[i + 1] - u[i - 1]) - 2.0 * b)
                        + v_bar[i + 1] * (a * u[i + 1] + b) + v_bar[i - 1] * (b - a * u[i - 1]))  # fmt: skip
        u_bar[0] = first + v_bar[1] * (a * u[1] + b)
        u_bar[n - 1] = last + v_bar[n - 2] * (b - a * u[n - 2])
        u_bar, v_bar = v_bar, u_bar
    return value, v_bar


def library(np, scan):
    def function(u0, nu, dt, dx, steps):
        def step(u, _):
            left, middle, right = u[:-2], u[1:-1], u[2:]
            change = nu * dt / dx**2 * (right - 2 * middle + left) - dt / (2 * dx) * middle * (right - left)
            return np.concatenate((u[:1], middle + change, u[-1:])), None

        return np.sum(scan(step, u0, None, 1000)[0] ** 2)

    return function


def workloads(random):
    u0 = np.sin(np.linspace(0.0, 2 * np.pi, 1000)) + 0.1 * random.normal(size=1000)
    arguments = (u0, 0.01, 1e-4, 2 * np.pi / 999, 1000)
    yield Workload("burgers 1000 x 1000", {"loops": loops, "arrays": arrays}, by_hand, arguments, library)
