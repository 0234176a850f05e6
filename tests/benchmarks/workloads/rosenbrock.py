"""A sum of local terms: the Rosenbrock chain."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(x):
    total = 0.0
    for i in range(x.shape[0] - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def arrays(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@compiled
def by_hand(x):
    """Each iteration finishes one element; what belongs to the next is carried, computed before the store."""
    n = x.shape[0]
    x_bar = np.empty_like(x)
    total, carried = 0.0, 0.0
    for i in range(n - 1):
        gap = x[i + 1] - x[i] ** 2
        rest = 1.0 - x[i]
        total += 100.0 * gap**2 + rest**2
        following = 200.0 * gap
        x_bar[i] = carried - 400.0 * gap * x[i] - 2.0 * rest
        carried = following
    x_bar[n - 1] = carried
    return total, x_bar


def library(np, scan):
    return lambda x: np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def workloads(random):
    styles = {"loops": loops, "arrays": arrays}
    yield Workload("rosenbrock 1e5", styles, by_hand, (random.normal(size=100_000),), library)
