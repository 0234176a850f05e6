"""Weather on a circle of latitude, as Lorenz models it: steps of Runge and Kutta, neighbours by `np.roll`."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def slope(x, force):
    return (np.roll(x, -1) - np.roll(x, 2)) * np.roll(x, 1) - x + force


def arrays(x, force, dt, steps):
    for _ in range(steps):
        k1 = slope(x, force)
        k2 = slope(x + 0.5 * dt * k1, force)
        k3 = slope(x + 0.5 * dt * k2, force)
        k4 = slope(x + dt * k3, force)
        x = x + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(x**2)


@compiled
def slope_by_hand(x, force, k):
    """What stands at the two ends is written out, so that no subscript goes around within the loop."""
    n = x.shape[0]
    k[0] = (x[1] - x[n - 2]) * x[n - 1] - x[0] + force
    k[1] = (x[2] - x[n - 1]) * x[0] - x[1] + force
    for i in range(n - 3):
        k[i + 2] = (x[i + 3] - x[i]) * x[i + 1] - x[i + 2] + force
    k[n - 1] = (x[0] - x[n - 3]) * x[n - 2] - x[n - 1] + force


@compiled
def back_by_hand(x, k_bar, x_bar):
    """Each element gathers what its neighbours have for it."""
    n = x.shape[0]
    for i in range(n - 4):
        gained = k_bar[i + 1] * x[i] - k_bar[i + 4] * x[i + 3] + k_bar[i + 3] * (x[i + 4] - x[i + 1])
        x_bar[i + 2] = gained - k_bar[i + 2]
    for i in (0, 1, n - 2, n - 1):
        before, after = (i - 1) % n, (i + 1) % n
        gained = k_bar[before] * x[(i - 2) % n] - k_bar[(i + 2) % n] * x[after]
        x_bar[i] = gained + k_bar[after] * (x[(i + 2) % n] - x[before]) - k_bar[i]


@compiled
def by_hand(x, force, dt, steps):
    """The states in rows, and of each step the three places where the slope is taken again."""
    n, part = x.shape[0], dt / 6.0
    states, places = np.empty((steps + 1, n)), np.empty((steps, 3, n))
    states[0] = x
    k1, k2, k3, k4 = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for t in range(steps):
        here, there, (a, b, c) = states[t], states[t + 1], (places[t, 0], places[t, 1], places[t, 2])
        slope_by_hand(here, force, k1)
        for i in range(n):
            a[i] = here[i] + 0.5 * dt * k1[i]
        slope_by_hand(a, force, k2)
        for i in range(n):
            b[i] = here[i] + 0.5 * dt * k2[i]
        slope_by_hand(b, force, k3)
        for i in range(n):
            c[i] = here[i] + dt * k3[i]
        slope_by_hand(c, force, k4)
        for i in range(n):
            there[i] = here[i] + part * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
    total, force_bar = 0.0, 0.0
    x_bar, k_bar, place_bar, gathered = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        total += states[steps, i] ** 2
        x_bar[i] = 2.0 * states[steps, i]
    for t in range(steps - 1, -1, -1):
        for i in range(n):
            gathered[i] = x_bar[i]
            k_bar[i] = part * x_bar[i]
            force_bar += k_bar[i]
        back_by_hand(places[t, 2], k_bar, place_bar)
        for i in range(n):
            gathered[i] += place_bar[i]
            k_bar[i] = 2.0 * part * x_bar[i] + dt * place_bar[i]
            force_bar += k_bar[i]
        back_by_hand(places[t, 1], k_bar, place_bar)
        for i in range(n):
            gathered[i] += place_bar[i]
            k_bar[i] = 2.0 * part * x_bar[i] + 0.5 * dt * place_bar[i]
            force_bar += k_bar[i]
        back_by_hand(places[t, 0], k_bar, place_bar)
        for i in range(n):
            gathered[i] += place_bar[i]
            k_bar[i] = part * x_bar[i] + 0.5 * dt * place_bar[i]
            force_bar += k_bar[i]
        back_by_hand(states[t], k_bar, place_bar)
        for i in range(n):
            x_bar[i] = gathered[i] + place_bar[i]
    return total, (x_bar, force_bar)


def library(np, scan):
    roll = (lambda x, k: np.roll(x, k, 0)) if np.__name__ == "torch" else np.roll

    def function(x, force, dt, steps):
        def slope(x):
            return (roll(x, -1) - roll(x, 2)) * roll(x, 1) - x + force

        def step(x, _):
            k1 = slope(x)
            k2 = slope(x + 0.5 * dt * k1)
            k3 = slope(x + 0.5 * dt * k2)
            k4 = slope(x + dt * k3)
            return x + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), None

        x, _ = scan(step, x, None, 200)
        return np.sum(x**2)

    return function


def workloads(random):
    x = 8.0 + random.normal(size=40)
    yield Workload("circle 40 x 200", {"arrays": arrays}, by_hand, (x, 8.0, 0.01, 200), library, wrt=(0, 1))
