"""Integrals of `scipy.integrate` of samples."""

from __future__ import annotations

import numpy as np
from scipy import integrate

from srcad.library import instead_of, static


@instead_of(integrate.trapezoid)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


@instead_of(integrate.cumulative_trapezoid)
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    values = np.moveaxis(y, axis, -1)
    sums = np.cumsum(steps(x, dx, axis) * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        sums = np.concatenate((np.zeros_like(sums[..., :1]) + initial, sums), axis=-1)
    return np.moveaxis(sums, -1, axis)


def steps(x, dx, axis):
    """The distances of samples, along the last axis."""
    if x is None:
        return dx
    return np.diff(x) if x.ndim == 1 else np.diff(np.moveaxis(x, axis, -1))


@instead_of(integrate.simpson)
def simpson(y, x=None, *, dx=1.0, axis=-1):
    values = np.moveaxis(y, axis, -1)
    n = values.shape[-1]
    h = dx * np.ones(n - 1, y.dtype) if x is None else 1.0 * steps(x, dx, axis)
    if n == 2:
        return np.sum(h * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)
    if n % 2 == 1:
        return of_parabolas(values, h)
    # Of an even number, the parabola through the last three samples is used for the last interval.
    a, b = h[..., -2], h[..., -1]
    last = (2.0 * b**2 + 3.0 * a * b) / (6.0 * (a + b)) * values[..., -1]
    middle = (b**2 + 3.0 * a * b) / (6.0 * a) * values[..., -2]
    return of_parabolas(values[..., :-1], h[..., :-1]) + last + middle - b**3 / (6.0 * a * (a + b)) * values[..., -3]


def of_parabolas(y, h):
    """Simpson's rule, for an odd number of samples."""
    a, b = h[..., ::2], h[..., 1::2]
    ends = (2.0 - b / a) * y[..., :-2:2] + (2.0 - a / b) * y[..., 2::2]
    return np.sum((a + b) / 6.0 * (ends + (a + b) ** 2 / (a * b) * y[..., 1::2]), axis=-1)


@instead_of(integrate.cumulative_simpson)
def cumulative_simpson(y, *, x=None, dx=1.0, axis=-1, initial=None):
    values = np.moveaxis(y, axis, -1)
    n = values.shape[-1]
    # SciPy computes in the precision that the step has by itself.
    h = dx * np.ones(n - 1, np.asarray(dx).dtype) if x is None else 1.0 * steps(x, dx, axis)
    if n < 3:
        parts = h * (values[..., 1:] + values[..., :-1]) / 2.0
    else:
        first = of_two_intervals(values, h, False)
        behind = of_two_intervals(values, h, True)
        # The first of two neighbours is an interval's with the next one, the second with the one before.
        even = np.arange(n - 1) % 2 == 0
        ends = np.concatenate((first, behind[..., -1:]), axis=-1)
        starts = np.concatenate((first[..., :1], behind), axis=-1)
        parts = np.where(even, ends, starts)
    sums = np.cumsum(parts, axis=-1)
    if initial is not None:
        nothing = np.zeros_like(sums[..., :1], dtype=np.asarray(initial).dtype)
        sums = np.concatenate((nothing, sums), axis=-1) + initial
    return np.moveaxis(sums, -1, axis)


def of_two_intervals(y, h, second):
    """The integral over the first or the second of each two neighbouring intervals, under the parabola over both."""
    a, b = (h[..., 1:], h[..., :-1]) if second else (h[..., :-1], h[..., 1:])
    near, far = (y[..., 2:], y[..., :-2]) if second else (y[..., :-2], y[..., 2:])
    return a / 6.0 * ((3.0 - a / (a + b)) * near + (3.0 + a * a / (b * (a + b)) + a / (a + b)) * y[..., 1:-1]
                      - a * a / (b * (a + b)) * far)  # fmt: skip


@static
def nodes_of(n):
    """The places of Gauss's rule between minus one and one, and their weights."""
    return tuple(tuple(map(float, each)) for each in np.polynomial.legendre.leggauss(n))


@instead_of(integrate.fixed_quad)
def fixed_quad(func, a, b, args=(), n=5):
    nodes = nodes_of(n)
    x = 0.5 * (b - a) * (np.array(nodes[0]) + 1.0) + a
    return 0.5 * (b - a) * np.sum(np.array(nodes[1]) * func(x, *args), axis=-1), None
