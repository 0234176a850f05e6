"""Roots of several functions as MINPACK's `hybrd` finds them; nothing of the iterations moves.

M. J. D. Powell, A hybrid method for nonlinear equations (1970): a matrix of slopes that each step brings up to date
(C. G. Broyden), and steps of a length that is trusted, between Newton's and the steepest descent. With the same steps
it is at the same root as SciPy, of several.
"""

from __future__ import annotations

import numpy as np

from srcad.runtime import stop_gradient

STUCK = "scipy.optimize finds no root from this start: start closer to it"
EPS = 2.220446049250313e-16


def hybrid(f, slope_at, x, tol, most):
    """A root of `f`, whose matrix of slopes `slope_at` gives."""
    value = stop_gradient(f(x))
    far, weights, radius, tried, slow, unhelped = size(value), np.zeros_like(x), 0.0, 0, 0, 0
    bad, good, moved = 0, 0, False
    while far != 0.0:
        matrix = slope_at(x)
        columns, fresh = np.sqrt(np.sum(matrix**2, axis=0)), True
        if not moved:
            weights = np.where(columns == 0.0, 1.0, columns)
            radius = 100.0 * size(weights * x) if np.any(x != 0.0) else 100.0
        weights = np.maximum(weights, columns)
        while fresh or bad != 2:
            p = dogleg(matrix, value, weights, radius)
            length, predicted = size(weights * p), value + matrix @ p
            radius = radius if moved else min(radius, length)
            there = stop_gradient(f(x + p))
            now, hoped, tried = size(there), size(predicted), tried + 1
            gained = 1.0 - (now / far) ** 2 if now < far else -1.0
            ratio = gained / (1.0 - (hoped / far) ** 2) if hoped < far else 0.0
            bad, good = (bad + 1, 0) if ratio < 0.1 else (0, good + 1)
            radius = trusted(radius, length, ratio, good)
            if ratio >= 1e-4:
                x, value, far, moved = x + p, there, now, True
            slow = 0 if gained >= 1e-3 else slow + 1
            unhelped = unhelped if not fresh else 0 if gained >= 0.1 else unhelped + 1
            if radius <= tol * size(weights * x) or far == 0.0:
                return x
            exact = 0.1 * max(0.1 * radius, length) <= EPS * size(weights * x)
            if tried >= most or exact or unhelped == 5 or slow == 10:
                raise RuntimeError(STUCK)
            fresh = False
            matrix = matrix + np.outer(there - predicted, weights**2 * p / length**2)
    return x


def size(x):
    """The length of a vector."""
    return np.sqrt(np.sum(x**2))


def trusted(radius, length, ratio, good):
    """How long a step may be, after one that has gained this share of what was hoped."""
    if ratio < 0.1:
        return 0.5 * radius
    if abs(ratio - 1.0) <= 0.1:
        return 2.0 * length
    return max(radius, 2.0 * length) if ratio >= 0.5 or good > 1 else radius


def dogleg(matrix, value, weights, radius):
    """A step: Newton's if it is short enough, else one between it and the steepest descent."""
    q, r = np.linalg.qr(matrix)
    largest = np.max(np.abs(r), axis=0)
    least = np.where(np.diagonal(r) == 0.0, EPS * np.where(largest == 0.0, 1.0, largest), 0.0)  # of a singular matrix
    newton = -np.linalg.solve(r + np.diag(least), q.T @ value)
    length = size(weights * newton)
    if length <= radius:
        return newton
    whole, slope = radius / length, -(matrix.T @ value) / weights
    steep = size(slope)
    if steep == 0.0:
        return whole * newton
    down = slope / steep / weights
    lowest = steep / np.sum((matrix @ down) ** 2)
    if lowest >= radius:
        return radius * down
    far, near = size(value), (lowest / radius) ** 2
    first = (far / steep) * (far / length) * (lowest / radius)
    share = first - whole * near + np.sqrt((first - whole) ** 2 + (1.0 - whole**2) * (1.0 - near))
    share = whole * (1.0 - near) / share
    return (1.0 - share) * lowest * down + share * newton
