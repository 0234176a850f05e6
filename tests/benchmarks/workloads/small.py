"""What a call costs: a function of five parameters, and a minimiser that calls a function of ten."""

import numpy as np
from scipy.optimize import minimize

from tests.benchmarks.workload import Workload, compiled
from tests.benchmarks.workloads import rosenbrock


def oscillation(p, t):
    return p[0] * np.exp(-p[1] * t) * np.cos(p[2] * t + p[3]) + p[4]


@compiled
def oscillation_by_hand(p, t):
    decay, phase = np.exp(-p[1] * t), p[2] * t + p[3]
    wave = np.cos(phase)
    p_bar = np.empty(5)
    p_bar[0] = decay * wave
    p_bar[1] = -t * p[0] * p_bar[0]
    p_bar[3] = -p[0] * decay * np.sin(phase)
    p_bar[2] = t * p_bar[3]
    p_bar[4] = 1.0
    return p[0] * p_bar[0] + p[4], p_bar


def oscillation_of(np, scan):
    return lambda p, t: p[0] * np.exp(-p[1] * t) * np.cos(p[2] * t + p[3]) + p[4]


def minimiser(derivative):
    """Value and place of the minimum, by BFGS."""

    def minimum(start):
        found = minimize(derivative, start, jac=True, method="BFGS")
        return found.fun, found.x

    return minimum


def workloads(random):
    yield Workload("one call, 5 parameters", {"numbers": oscillation}, oscillation_by_hand,
                   (random.normal(size=5), 0.3), oscillation_of)  # fmt: skip
    yield Workload("BFGS, 10 parameters", {"loops": rosenbrock.loops}, rosenbrock.by_hand,
                   (np.full(10, 1.3),), rosenbrock.library, around=minimiser, tolerance=1e-4)  # fmt: skip
