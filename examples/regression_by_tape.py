"""Fit a line by gradient descent, with the loss, its gradients and the updates in one compiled function.

The program is the one with which tapes are usually introduced. Here the tape is gone before anything runs: what is
compiled is the source that this prints.

    python examples/regression_by_tape.py
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import srcad
from srcad import GradientTape, Variable

SLOPE, INTERCEPT = 3.0, 1.0
RATE = 0.05

m, b = Variable(0.0), Variable(0.0)


@srcad.function
def step(x, y):
    """One step of gradient descent; the loss before it."""
    with GradientTape() as tape:
        loss = np.mean((m * x + b - y) ** 2)
    g = tape.gradient(loss, [m, b])
    m.assign_sub(RATE * g[0])
    b.assign_sub(RATE * g[1])
    return loss


def by_hand(x, y, steps):
    """The same descent with gradients derived on paper, in plain NumPy."""
    slope, intercept = 0.0, 0.0
    for _ in range(steps):
        residual = slope * x + intercept - y
        slope, intercept = slope - RATE * np.mean(2 * residual * x), intercept - RATE * np.mean(2 * residual)
    return slope, intercept


def points(count, seed=0):
    """Points of a noisy line."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2.0, 2.0, count)
    return x, SLOPE * x + INTERCEPT + 0.1 * rng.standard_normal(count)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=200)
    parser.add_argument("--steps", type=int, default=500)
    options = parser.parse_args(arguments)
    x, y = points(options.points)

    first = step(x, y)  # compiles
    m.assign(0.0)
    b.assign(0.0)
    start = time.perf_counter()
    for _ in range(options.steps):
        loss = step(x, y)
    ours = time.perf_counter() - start
    start = time.perf_counter()
    slope, intercept = by_hand(x, y, options.steps)
    theirs = time.perf_counter() - start

    print(step.source())
    print(f"{options.steps} steps: loss {first:.4f} -> {loss:.4f}, y = {m.value:.4f} x + {b.value:.4f}")
    print(f"NumPy by hand:  y = {slope:.4f} x + {intercept:.4f}, in {theirs / ours:.1f} times the time")
    return m.value, b.value, slope, intercept


if __name__ == "__main__":
    main()
