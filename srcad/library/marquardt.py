"""Least squares as MINPACK's `lmder` finds them; nothing of the iterations moves.

J. J. More, The Levenberg-Marquardt algorithm: implementation and theory (1977): steps of Gauss and Newton of a length
that is trusted, in unknowns of one scale, by the singular values of the matrix of slopes. With the same steps it is at
the same minimum as `scipy.optimize.leastsq` and `curve_fit`, of several.
"""

from __future__ import annotations

import numpy as np

from srcad.library.hybrid import EPS, size
from srcad.runtime import stop_gradient

FAR = "scipy.optimize finds no least squares in so many evaluations: start closer to them, p0="
FEW = "scipy.optimize: the least squares of fewer numbers than there are unknowns"
TINY = 2.2250738585072014e-308


def marquardt(f, slope_at, x, ftol, xtol, gtol, most):
    """Where the sum of squares of `f` is least, with the matrix of slopes that `slope_at` gives."""
    value, matrix = stop_gradient(f(x)), slope_at(x)
    if value.size < x.size:
        raise TypeError(FEW)
    far, columns, tried = size(value), np.sqrt(np.sum(matrix**2, axis=0)), 1
    weights, damping, first = np.where(columns == 0.0, 1.0, columns), 0.0, True
    radius = 100.0 * size(weights * x) if np.any(x != 0.0) else 100.0
    while steepest(matrix, value, columns, far) > gtol:
        weights = np.maximum(weights, columns)
        u, s, vh = np.linalg.svd(matrix / weights, full_matrices=False)
        along, ratio = u.T @ value, 0.0
        while ratio < 1e-4:
            if tried >= most:
                raise RuntimeError(FAR)
            q, damping = damped_step(along, s, vh, radius, damping)
            length, there = size(q), stop_gradient(f(x + q / weights))
            radius = min(radius, length) if first else radius
            now, tried = size(there), tried + 1
            gained = 1.0 - (now / far) ** 2 if 0.1 * now < far else -1.0
            linear, bent = (size(matrix @ (q / weights)) / far) ** 2, damping * (length / far) ** 2
            hoped = linear + 2.0 * bent
            ratio = gained / hoped if hoped != 0.0 else 0.0
            radius, damping = resized(radius, damping, length, ratio, gained, linear + bent, 0.1 * now >= far)
            if ratio >= 1e-4:
                x, value, far, first = x + q / weights, there, now, False
            if abs(gained) <= ftol and hoped <= ftol and 0.5 * ratio <= 1.0 or radius <= xtol * size(weights * x):
                return x
        matrix = slope_at(x)
        columns = np.sqrt(np.sum(matrix**2, axis=0))
    return x


def steepest(matrix, value, columns, far):
    """The largest cosine between the residuals and a column of slopes."""
    if far == 0.0:
        return 0.0
    cosines = np.abs(matrix.T @ (value / far)) / np.where(columns == 0.0, 1.0, columns)
    return np.max(np.where(columns == 0.0, 0.0, cosines))


def resized(radius, damping, length, ratio, gained, slope, rose):
    """How long the next step may be, and what keeps it short."""
    if ratio <= 0.25:
        factor = 0.5 if gained >= 0.0 else 0.5 * slope / (slope - 0.5 * gained)
        factor = 0.1 if rose or factor < 0.1 else factor
        return factor * min(radius, length / 0.1), damping / factor
    if damping == 0.0 or ratio >= 0.75:
        return length / 0.5, 0.5 * damping
    return radius, damping


def damped_step(along, s, vh, radius, damping):
    """The best step whose length is the radius up to a tenth of it, or that is shorter, and what it takes."""
    held = s > EPS * s[0]
    q = np.where(held, along / np.where(held, s, 1.0), 0.0)
    over = size(q) - radius
    if over <= 0.1 * radius:
        return -(vh.T @ q), 0.0
    length = over + radius
    low = over / radius / np.sum((q / length / s) ** 2) if np.all(held) else 0.0
    slope = size(s * along)
    high = slope / radius if slope > 0.0 else TINY / min(radius, 0.1)
    damping = min(max(damping, low), high)
    damping = slope / length if damping == 0.0 else damping
    for k in range(10):
        damping = max(TINY, 0.001 * high) if damping == 0.0 else damping
        q = s * along / (s**2 + damping)
        length, before = size(q), over
        over = length - radius
        if abs(over) <= 0.1 * radius or low == 0.0 and over <= before and before < 0.0 or k == 9:
            break
        more = over / radius / np.sum((q / length) ** 2 / (s**2 + damping))
        low = max(low, damping) if over > 0.0 else low
        high = min(high, damping) if over < 0.0 else high
        damping = max(low, damping + more)
    return -(vh.T @ q), damping
