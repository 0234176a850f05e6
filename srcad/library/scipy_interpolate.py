"""Interpolation by `scipy.interpolate`: objects that are made of samples and called afterwards."""

from __future__ import annotations

import numpy as np
from scipy import interpolate, linalg

from srcad.library import made_instead_of, refuse
from srcad.library.axes import double


@made_instead_of(interpolate.PPoly)
class Pieces:
    """Polynomials between breakpoints, those of the highest power first."""

    called = "a piecewise polynomial"

    def __init__(self, c, x, extrapolate=None, axis=0):
        self.c = double(c)
        self.x = double(x)
        self.extrapolate = True if extrapolate is None else extrapolate
        self.axis = axis

    def __call__(self, x, nu=0, extrapolate=None):
        beyond = self.extrapolate if extrapolate is None else extrapolate
        return piecewise(self.c, self.x, x, nu, beyond, self.axis)

    def derivative(self, nu=1):
        return Pieces(derived(self.c, nu), self.x, self.extrapolate, self.axis)

    def antiderivative(self, nu=1):
        return Pieces(integrated(self.c, self.x, nu), self.x, self.extrapolate, self.axis)

    def integrate(self, a, b, extrapolate=None):
        sums = integrated(self.c, self.x, 1)
        return piecewise(sums, self.x, b, 0, True, self.axis) - piecewise(sums, self.x, a, 0, True, self.axis)


def piecewise(c, x, points, nu, extrapolate, axis):
    """The values of piecewise polynomials, or of one of their derivatives."""
    if axis != 0:
        return refuse("an interpolation along another axis than the first", "np.moveaxis(y, axis, 0)")
    if extrapolate == "periodic":
        return refuse("a periodic interpolation", "the points modulo the period")
    rates, points = derived(double(c), nu), double(points)
    k = np.clip(np.searchsorted(x, points, side="right") - 1, 0, x.shape[0] - 2)
    apart = points - x[k]
    if c.ndim > 2 and np.ndim(points) > 0:
        apart = apart[(...,) + (None,) * (c.ndim - 2)]
    y = rates[0][k]
    for j in range(1, rates.shape[0]):
        y = y * apart + rates[j][k]
    if extrapolate:
        return y
    inside = np.logical_and(points >= x[0], points <= x[-1])
    if c.ndim > 2 and np.ndim(points) > 0:
        inside = inside[(...,) + (None,) * (c.ndim - 2)]
    return np.where(inside, y, np.nan)


def derived(c, nu):
    """The coefficients of a derivative."""
    for _ in range(nu):
        c = c[:-1] * powers(c, c.shape[0] - 1)
    return c


def powers(c, count):
    """The numbers from `count` to one, beside coefficients."""
    return np.arange(count, 0, -1)[(slice(None),) + (None,) * (c.ndim - 1)]


def integrated(c, x, nu):
    """The coefficients of the antiderivative that is zero at the first breakpoint."""
    if nu != 1:
        return refuse("an antiderivative of this order", "antiderivative() of one another")
    steps = np.diff(x)[(slice(None),) + (None,) * (c.ndim - 2)]
    rates = c / powers(c, c.shape[0])
    whole = np.sum(rates * steps ** powers(c, c.shape[0]), axis=0)
    starts = np.concatenate((np.zeros_like(whole[:1]), np.cumsum(whole, axis=0)[:-1]))
    return np.concatenate((rates, starts[None]))


def from_slopes(x, y, slopes):
    """The coefficients of cubic polynomials with these values and slopes at breakpoints."""
    steps = np.diff(x)[(slice(None),) + (None,) * (y.ndim - 1)]
    secants = np.diff(y, axis=0) / steps
    bends = (slopes[:-1] + slopes[1:] - 2.0 * secants) / steps
    return np.stack((bends / steps, (secants - slopes[:-1]) / steps - bends, slopes[:-1], y[:-1]))


# ---------------------------------------------------------------- splines


@made_instead_of(interpolate.CubicSpline)
class Spline(Pieces):
    """A spline of cubic polynomials."""

    called = "a CubicSpline"

    def __init__(self, x, y, axis=0, bc_type="not-a-knot", extrapolate=True):
        self.c = spline(double(x), double(y), axis, bc_type)
        self.x = double(x)
        self.extrapolate = True if extrapolate is None else extrapolate
        self.axis = 0


def spline(x, y, axis, bc_type):
    """The coefficients of a spline."""
    if axis != 0 and axis != -y.ndim:
        return refuse("a CubicSpline along another axis than the first", "np.moveaxis(y, axis, 0)")
    if y.ndim > 2:
        return refuse("a CubicSpline of more than two axes", "y.reshape(y.shape[0], -1)")
    if isinstance(bc_type, str) and bc_type == "periodic":
        return refuse("a periodic CubicSpline", 'samples of three periods, with bc_type="not-a-knot"')
    first, last = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    if y.shape[0] < 4:
        raise ValueError("a CubicSpline of fewer than 4 samples has no derivative here")
    steps = np.diff(x)
    below, left = edge(steps[0], steps[1], y[1] - y[0], y[2] - y[1], first, 1.0)
    above, right = edge(steps[-1], steps[-2], y[-1] - y[-2], y[-2] - y[-3], last, -1.0)
    upper = np.concatenate((np.array([0.0 * x[0], below[1]]), steps[:-1]))
    middle = np.concatenate((below[:1], 2.0 * (steps[:-1] + steps[1:]), above[:1]))
    lower = np.concatenate((steps[1:], np.array([above[1], 0.0 * x[0]])))
    wide = steps[(slice(None),) + (None,) * (y.ndim - 1)]
    secants = np.diff(y, axis=0) / wide
    inner = 3.0 * (wide[1:] * secants[:-1] + wide[:-1] * secants[1:])
    sides = np.concatenate((np.expand_dims(left, 0), inner, np.expand_dims(right, 0)))
    return from_slopes(x, y, linalg.solve_banded((1, 1), np.stack((upper, middle, lower)), sides))


def edge(near, far, rise, next_rise, kind, sign):
    """What the equation at an end says: the factors of both slopes, and its right side."""
    if isinstance(kind, str) and kind == "not-a-knot":
        both = near + far
        right = ((near + 2.0 * both) * far * rise / near + near**2 * next_rise / far) / both
        return np.array([far, both]), right
    order, value = named_edge(kind) if isinstance(kind, str) else kind
    if order == 1:
        return np.array([1.0 + 0.0 * near, 0.0 * near]), value + 0.0 * rise
    return np.array([2.0 * near, near]), 3.0 * rise - sign * 0.5 * value * near**2


def named_edge(kind):
    """The order of the derivative that an end is given, and its value."""
    if kind != "natural" and kind != "clamped":
        return refuse("this bc_type of a CubicSpline", '"natural", "clamped" or "not-a-knot"')
    return (2, 0.0) if kind == "natural" else (1, 0.0)


@made_instead_of(interpolate.PchipInterpolator)
class Monotone(Pieces):
    """Cubic polynomials that rise and fall only where the samples do."""

    called = "a PchipInterpolator"

    def __init__(self, x, y, axis=0, extrapolate=None):
        self.c = monotone(double(x), double(y), axis)
        self.x = double(x)
        self.extrapolate = True if extrapolate is None else extrapolate
        self.axis = 0


def monotone(x, y, axis):
    """The coefficients of these polynomials."""
    if y.ndim > 1 or axis != 0:
        return refuse("a PchipInterpolator of several axes", "one of each column")
    if y.shape[0] < 3:
        raise ValueError("a PchipInterpolator of fewer than 3 samples has no derivative here")
    steps, secants = np.diff(x), np.diff(y) / np.diff(x)
    before, after = secants[:-1], secants[1:]
    rising = before * after > 0
    first, second = 2.0 * steps[1:] + steps[:-1], steps[1:] + 2.0 * steps[:-1]
    rates = first / np.where(rising, before, 1.0) + second / np.where(rising, after, 1.0)
    inner = np.where(rising, (first + second) / np.where(rising, rates, 1.0), 0.0)
    left = end_slope(steps[0], steps[1], secants[0], secants[1])
    right = end_slope(steps[-1], steps[-2], secants[-1], secants[-2])
    return from_slopes(x, y, np.concatenate((np.array([left]), inner, np.array([right]))))


def end_slope(near, far, secant, next_secant):
    """The slope at an end: that of a parabola, held where it would not be monotone."""
    slope = ((2.0 * near + far) * secant - near * next_secant) / (near + far)
    turned, steep = np.sign(secant) != np.sign(next_secant), np.abs(slope) > 3.0 * np.abs(secant)
    held = np.where(np.logical_and(turned, steep), 3.0 * secant, slope)
    return np.where(np.sign(slope) != np.sign(secant), 0.0, held)
