"""Least squares as `scipy.optimize.least_squares` finds them without bounds; nothing of the iterations moves.

Steps of Gauss and Newton of a length that is trusted (J. J. More, The Levenberg-Marquardt Algorithm, 1977), by the
singular values of the matrix of slopes.
"""

from __future__ import annotations

import numpy as np

from srcad.library.hybrid import EPS, size
from srcad.runtime import stop_gradient

FAR = "scipy.optimize.least_squares finds no minimum in so many evaluations: start closer to it"


def least(f, slope_at, x, ftol, xtol, gtol, most):
    """Where the sum of squares of `f` is least, with the matrix of slopes that `slope_at` gives."""
    value, matrix = stop_gradient(f(x)), slope_at(x)
    radius = size(x) if np.any(x != 0.0) else 1.0
    damping, tried = 0.0, 1
    while np.max(np.abs(matrix.T @ value)) >= gtol:
        u, s, vh = np.linalg.svd(matrix, full_matrices=False)
        along, gained = u.T @ value, -1.0
        found, there = x, value
        while gained <= 0.0:
            if tried >= most:
                raise RuntimeError(FAR)
            step, damping = trusted_step(along, s, vh, radius, damping, matrix.shape[0])
            found = x + step
            there, tried = stop_gradient(f(found)), tried + 1
            length, cost = size(step), 0.5 * np.sum(value**2)
            gained = cost - 0.5 * np.sum(there**2) if np.all(np.isfinite(there)) else -1.0
            hoped = -(0.5 * np.sum((matrix @ step) ** 2) + (matrix.T @ value) @ step)
            ratio = gained / hoped if hoped > 0.0 else 1.0 if gained == 0.0 and hoped == 0.0 else 0.0
            if not np.all(np.isfinite(there)):
                radius = 0.25 * length
            else:
                if gained < ftol * cost and ratio > 0.25 or length < xtol * (xtol + size(x)):
                    return found if gained > 0.0 else x
                last, radius = radius, resized(radius, length, ratio)
                damping = damping * last / radius
        x, value = found, there
        matrix = slope_at(x)
    return x


def resized(radius, length, ratio):
    """How long the next step may be."""
    if ratio < 0.25:
        return 0.25 * length
    return 2.0 * radius if ratio > 0.75 and length > 0.95 * radius else radius


def trusted_step(along, s, vh, radius, damping, rows):
    """The best step that is no longer than the radius, and what it takes to keep it short."""
    regular, step = rows >= s.shape[0] and s[-1] > EPS * rows * s[0], np.zeros(vh.shape[1])
    if regular:
        step = -(vh.T @ (along / s))
    short = regular and size(step) <= radius
    damping = 0.0 if short else damped(s * along, s, regular, radius, damping)
    if not short:
        step = -(vh.T @ (s * along / (s**2 + damping)))
        step = step * (radius / size(step))
    return step, damping


def damped(weighted, s, regular, radius, damping):
    """What makes a step as long as the radius."""
    high, low = size(weighted) / radius, 0.0
    if regular:
        length = size(weighted / s**2)
        low = (length - radius) * length / np.sum(weighted**2 / s**6)
    if not regular and damping == 0.0:
        damping = max(0.001 * high, np.sqrt(low * high))
    for _ in range(10):
        if damping < low or damping > high:
            damping = max(0.001 * high, np.sqrt(low * high))
        bent = s**2 + damping
        length = size(weighted / bent)
        excess, fall = length - radius, -np.sum(weighted**2 / bent**3) / length
        if excess < 0.0:
            high = damping
        ratio = excess / fall
        low = max(low, damping - ratio)
        damping = damping - (excess + radius) * ratio / radius
        if abs(excess) < 0.01 * radius:
            break
    return damping
