"""Fit the orbit of a star around the black hole in the centre of the Milky Way.

The loss goes through a loop over the observations, and in each through Newton's iteration for
Kepler's equation: a `while` loop whose trip count depends on the data. The star is S2; its positions
are made from the elements published by the GRAVITY Collaboration, A&A 636, L5 (2020), and noise.

    python examples/kepler.py
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import minimize

import srcad

# Milliarcseconds, degrees and years, as everywhere below.
S2 = {"a": 125.058, "e": 0.884649, "i": 134.567, "w": 66.263, "W": 228.171, "T": 2018.379, "P": 16.0455}
GUESS = {"a": 120.0, "e": 0.85, "i": 130.0, "w": 60.0, "W": 235.0, "T": 2018.2, "P": 16.5}
UNITS = {"a": 1.0, "e": 0.01, "i": 1.0, "w": 1.0, "W": 1.0, "T": 0.1, "P": 0.1}  # of a similar effect each
NOISE = 0.3
DEGREE = np.pi / 180.0


def eccentric_anomaly(M, e):
    """Solve Kepler's equation, E - e sin E = M, by Newton's iteration."""
    E = np.pi
    step = 1.0
    while abs(step) > 1e-12:
        step = (E - e * np.sin(E) - M) / (1.0 - e * np.cos(E))
        E -= step
    return E


def position(t, a, e, i, w, W, T, P):
    """Where a body with these elements stands in the sky at time `t`: north and east."""
    M = 2.0 * np.pi * ((t - T) / P % 1.0)
    E = eccentric_anomaly(M, e)
    x = a * (np.cos(E) - e)
    y = a * np.sqrt(1.0 - e**2) * np.sin(E)
    cos_w, sin_w = np.cos(DEGREE * w), np.sin(DEGREE * w)
    cos_W, sin_W = np.cos(DEGREE * W), np.sin(DEGREE * W)
    u = x * cos_w - y * sin_w
    v = (x * sin_w + y * cos_w) * np.cos(DEGREE * i)
    north = u * cos_W - v * sin_W
    east = u * sin_W + v * cos_W
    return north, east


def loss(a, e, i, w, W, T, P, times, observed):
    """Half the mean of the squared distances, in units of the noise."""
    total = 0.0
    for k in range(len(times)):
        north, east = position(times[k], a, e, i, w, W, T, P)
        total += (north - observed[k, 0]) ** 2 + (east - observed[k, 1]) ** 2
    return total / (2.0 * NOISE**2 * len(times))


loss_and_grad = srcad.value_and_grad(loss, wrt=tuple(S2))


def observe(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions of S2 from 1992 to 2020, with noise."""
    random = np.random.default_rng(0)
    times = np.sort(random.uniform(1992.0, 2020.0, count))
    exact = np.array([position(t, **S2) for t in times])
    return times, exact + random.normal(0.0, NOISE, exact.shape)


def check(elements: dict[str, float], times, observed) -> None:
    """Print each derivative beside its central difference."""
    gradient = loss_and_grad(*elements.values(), times, observed)[1]
    print(f"\n{'element':<10}{'derivative':>16}{'central difference':>24}")
    for name, derivative in zip(elements, gradient):
        more, less = ({**elements, name: elements[name] + sign * 1e-4 * UNITS[name]} for sign in (1.0, -1.0))
        rise = loss(*more.values(), times, observed) - loss(*less.values(), times, observed)
        difference = rise / (more[name] - less[name])
        print(f"{name:<10}{derivative:>16.9g}{difference:>24.9g}")
        assert abs(derivative - difference) <= 1e-6 * max(1.0, abs(derivative))


def fit(guess: dict[str, float], times, observed) -> dict[str, float]:
    """The elements that fit the observations best, by L-BFGS in units that make them comparable."""
    units = np.array([UNITS[name] for name in guess])
    origin = np.array(list(guess.values()))

    def objective(x):
        value, gradient = loss_and_grad(*(origin + units * x), times, observed)
        return value, units * np.array(gradient)

    found = minimize(objective, np.zeros(len(guess)), jac=True, method="L-BFGS-B",
                     options={"maxiter": 2000, "maxfun": 5000, "ftol": 1e-15, "gtol": 1e-8})
    print(f"\nL-BFGS: {found.nit} steps, {found.nfev} gradients, loss {found.fun:.4f}")
    return dict(zip(guess, origin + units * found.x))


def main(arguments=None) -> dict[str, float]:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--observations", type=int, default=200)
    options = parser.parse_args(arguments)

    times, observed = observe(options.observations)
    loss_and_grad(*GUESS.values(), times, observed)
    srcad.show(loss_and_grad)
    check(GUESS, times, observed)
    elements = fit(GUESS, times, observed)
    print(f"\n{'element':<10}{'published':>12}{'fitted':>12}")
    for name, published in S2.items():
        print(f"{name:<10}{published:>12.3f}{elements[name]:>12.3f}")
        assert abs(elements[name] - published) < 0.5 * UNITS[name]
    return elements


if __name__ == "__main__":
    main()
