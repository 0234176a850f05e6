"""Splines of `scipy.interpolate` that knots and coefficients tell, of one and of two variables."""

from __future__ import annotations

import numpy as np
from scipy import interpolate

from srcad.library import instead_of, made_instead_of, refuse
from srcad.library.axes import array_of, double
from srcad.runtime.scipy_interpolate_knots import knot_interval, knot_splines


def beginnings(t, k, x):
    """Which coefficients count at points: the places of all `k + 1`, along a first axis."""
    return knot_interval(t, k, x) + np.arange(-k, 1)[(slice(None),) + (None,) * np.ndim(x)]


# ---------------------------------------------------------------- one variable


@made_instead_of(interpolate.BSpline)
class OfKnots:
    """A sum of splines of a basis."""

    called = "a BSpline"

    def __init__(self, t, c, k, extrapolate=True, axis=0):
        self.t = double(array_of(t))
        self.c = double(array_of(c))
        self.k = k
        self.extrapolate = extrapolate
        self.axis = axis

    def __call__(self, x, nu=0, extrapolate=None):
        beyond = self.extrapolate if extrapolate is None else extrapolate
        if self.axis != 0:
            return refuse("a BSpline along another axis than the first", "np.moveaxis of the coefficients")
        if isinstance(beyond, str):
            return refuse("a periodic BSpline", "the points modulo the period")
        y = at_points(self.t, self.c, self.k, x, nu)
        if beyond:
            return y
        inside = np.logical_and(x >= self.t[self.k], x <= self.t[-self.k - 1])
        return np.where(inside[(...,) + (None,) * (self.c.ndim - 1)] if np.ndim(x) > 0 else inside, y, np.nan)

    def derivative(self, nu=1):
        return refuse("the derivative of a BSpline as a spline", "its values: spline(x, nu=1)")

    def antiderivative(self, nu=1):
        return refuse("the integral of a BSpline as a spline", "one that is made before the function")

    def integrate(self, a, b, extrapolate=None):
        return refuse("the integral of a BSpline", "spline.antiderivative(), made before the function: F(b) - F(a)")


def at_points(t, c, k, x, nu):
    """The values of a spline at points, and on beyond its ends."""
    t, c, x = double(t), double(c), double(array_of(x))
    values = knot_splines(t, k, x, nu)
    return np.sum(values[(...,) + (None,) * (c.ndim - 1)] * c[beginnings(t, k, x)], axis=0)


# ---------------------------------------------------------------- two variables


@made_instead_of(interpolate.LSQBivariateSpline)
@made_instead_of(interpolate.SmoothBivariateSpline)
@made_instead_of(interpolate.RectBivariateSpline)
class Surface:
    """A spline of two variables that was made of samples before."""

    called = "a spline of two variables"

    def __init__(self, *args, **kwargs):
        self.degrees = (3, 3)
        self.tck = refuse("a spline of two variables that the function makes", "one that is made before the function")

    def __call__(self, x, y, dx=0, dy=0, grid=True):
        if grid:
            return on_grid(self.tck, self.degrees, np.ravel(ascending(x)), np.ravel(ascending(y)), dx, dy)
        return at_pairs(self.tck, self.degrees, double(array_of(x)), double(array_of(y)), dx, dy)

    def ev(self, xi, yi, dx=0, dy=0):
        return at_pairs(self.tck, self.degrees, double(array_of(xi)), double(array_of(yi)), dx, dy)


def ascending(x):
    """The coordinates of a grid."""
    x = double(array_of(x))
    if np.ndim(x) > 0 and np.any(np.diff(x) < 0.0):
        raise ValueError("the coordinates must ascend where a spline is evaluated on a grid")
    return x


def side(t, k, x, nu):
    """For one variable, the places of the coefficients that count at points, and the splines that these belong to."""
    if nu != 0 and not 0 < nu < k:
        raise ValueError("the order of a derivative is at least 0 and less than the degree of the spline")
    knots = double(array_of(t))
    held = np.clip(x, knots[k], knots[-k - 1])
    return beginnings(knots, k, held), knot_splines(knots, k, held, nu)


def at_pairs(tck, degrees, x, y, dx, dy):
    """The values of a spline at points with these coordinates; beyond its ends, those at the ends."""
    if np.ndim(x) != np.ndim(y):
        x, y = np.broadcast_arrays(x, y)
    (i, across), (j, along) = side(tck[0], degrees[0], x, dx), side(tck[1], degrees[1], y, dy)
    rows = coefficients(tck, degrees)[i[:, None], j[None]]
    return np.sum(across[:, None] * along[None] * rows, axis=(0, 1))


def on_grid(tck, degrees, x, y, dx, dy):
    """The values of a spline on a grid with these coordinates."""
    (i, across), (j, along) = side(tck[0], degrees[0], x, dx), side(tck[1], degrees[1], y, dy)
    lines = np.sum(along * coefficients(tck, degrees)[:, j], axis=1)
    return np.sum(across[:, :, None] * lines[i], axis=0)


def coefficients(tck, degrees):
    """The coefficients of a spline as a matrix."""
    return np.reshape(double(array_of(tck[2])), (np.size(tck[0]) - degrees[0] - 1, np.size(tck[1]) - degrees[1] - 1))


@instead_of(interpolate.bisplev)
def bisplev(x, y, tck, dx=0, dy=0):
    first = x if np.ndim(x) > 0 else y
    if np.ndim(first) > 0 and np.size(first) == 1:
        raise ValueError("bisplev of an array of one element gives an array of fewer axes; take the element for it")
    z = on_grid(tck, (tck[3], tck[4]), np.ravel(double(array_of(x))), np.ravel(double(array_of(y))), dx, dy)
    if np.ndim(x) > 0:
        return z
    return z[0] if np.ndim(y) > 0 else z[0, 0]
