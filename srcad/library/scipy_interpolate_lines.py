"""Interpolation by `scipy.interpolate` between neighbours, and splines by their other names."""

from __future__ import annotations

import numpy as np
from scipy import interpolate

from srcad.library import instead_of, made_instead_of, refuse
from srcad.library.axes import array_of, double
from srcad.library.scipy_interpolate import Pieces, Spline, from_slopes, piecewise, spline
from srcad.library.scipy_interpolate_knots import at_points

ASCENDING = "the places of samples must ascend here"
OUTSIDE = "a value is outside the interpolation range; fill_value= says what there is beyond"


@made_instead_of(interpolate.interp1d)
class Between:
    """Values between samples."""

    called = "an interp1d"

    def __init__(
        self, x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False
    ):
        self.x = x
        self.y = 1.0 * y
        self._kind = kind
        self.axis = axis
        self.bounds_error = bounds_error
        self.fill_value = fill_value

    def __call__(self, x):
        return between(self.x, self.y, self._kind, self.axis, self.bounds_error, self.fill_value, array_of(x))


def between(x, y, kind, axis, bounds_error, fill_value, at):
    """Values between samples, and what there is beyond them."""
    if np.ndim(at) > 1 and y.ndim > 1:
        return refuse("interp1d of several axes, at points of several axes", "np.ravel of the points")
    if np.any(np.diff(x) <= 0.0):
        raise ValueError(ASCENDING)
    beyond = isinstance(fill_value, str) and fill_value == "extrapolate"
    below, above = at < x[0], at > x[-1]
    if not beyond and (bounds_error is None or bounds_error) and np.any(np.logical_or(below, above)):
        raise ValueError(OUTSIDE)
    values = y if axis == 0 or y.ndim == 1 else np.moveaxis(y, axis, 0)
    found = of_kind(x, values, kind, at)
    if not beyond and bounds_error is not None and not bounds_error:
        low, high = fill_value if isinstance(fill_value, tuple) else (fill_value, fill_value)
        found = np.where(beside(below, y), low, np.where(beside(above, y), high, found))
    return found if y.ndim == 1 or axis == 0 or np.ndim(at) == 0 else np.moveaxis(found, 0, axis)


def beside(points, y):
    """What belongs to points, beside values with more axes."""
    return points if np.ndim(points) == 0 or y.ndim == 1 else points[(...,) + (None,) * (y.ndim - 1)]


def of_kind(x, y, kind, at):
    """The values of one kind of interpolation, which goes on beyond the samples."""
    if kind == "cubic":
        return piecewise(spline(double(x), double(y), 0, "not-a-knot"), double(x), at, 0, True, 0)
    if kind == "linear":
        k = np.clip(np.searchsorted(x, at) - 1, 0, x.shape[0] - 2)
        share = beside((at - x[k]) / (x[k + 1] - x[k]), y)
        return y[k] + share * (y[k + 1] - y[k])
    if kind == "nearest":
        return y[np.searchsorted(0.5 * (x[1:] + x[:-1]), at)]
    if kind == "previous":
        return y[np.clip(np.searchsorted(x, at, side="right") - 1, 0, x.shape[0] - 1)]
    if kind == "next":
        return y[np.clip(np.searchsorted(x, at), 0, x.shape[0] - 1)]
    others = '"linear", "cubic", "nearest", "previous" or "next", made in the function'
    return refuse("an interp1d of this kind", others)


# ---------------------------------------------------------------- splines by other names


@made_instead_of(interpolate.CubicHermiteSpline)
class WithSlopes(Pieces):
    """Cubic polynomials with given slopes."""

    called = "a CubicHermiteSpline"

    def __init__(self, x, y, dydx, axis=0, extrapolate=None):
        self.c = with_slopes(double(x), double(y), double(dydx), axis)
        self.x = double(x)
        self.extrapolate = True if extrapolate is None else extrapolate
        self.axis = 0


def with_slopes(x, y, slopes, axis):
    """The coefficients of polynomials with given slopes."""
    if axis != 0:
        return refuse("a CubicHermiteSpline along another axis than the first", "np.moveaxis(y, axis, 0)")
    return from_slopes(x, y, slopes)


@made_instead_of(interpolate.Akima1DInterpolator)
class Akima(Pieces):
    """Cubic polynomials whose slopes are those of neighbours, weighted by how little they turn."""

    called = "an Akima1DInterpolator"

    def __init__(self, x, y, axis=0, *, method="akima", extrapolate=None):
        self.c = from_slopes(double(x), double(y), akima(double(x), double(y), axis, method))
        self.x = double(x)
        self.extrapolate = False if extrapolate is None else extrapolate
        self.axis = 0


def akima(x, y, axis, method):
    """The slopes at the samples."""
    if y.ndim > 1 or axis != 0:
        return refuse("an Akima1DInterpolator of several axes", "one of each column")
    if method != "akima" and method != "makima":
        return refuse("an Akima1DInterpolator by this method", '"akima" or "makima"')
    s = np.diff(y) / np.diff(x)
    first, last = 2.0 * s[0] - s[1], 2.0 * s[-1] - s[-2]
    m = np.concatenate((np.array([2.0 * first - s[0], first]), s, np.array([last, 2.0 * last - s[-1]])))
    turns = np.abs(np.diff(m))
    if method == "makima":
        turns = turns + 0.5 * np.abs(m[1:] + m[:-1])
    before, after = turns[:-2], turns[2:]
    both = before + after
    turning = both > 1e-9 * np.max(both)
    share = np.where(turning, before / np.where(turning, both, 1.0), 0.5)
    return np.where(turning, m[1:-2] + share * (m[2:-1] - m[1:-2]), 0.5 * (m[3:] + m[:-3]))


@made_instead_of(interpolate.InterpolatedUnivariateSpline)
class Univariate:
    """The spline of cubic polynomials under its older name."""

    called = "an InterpolatedUnivariateSpline"

    def __init__(self, x, y, w=None, bbox=(None, None), k=3, ext=0, check_finite=False):
        self._data = (samples(double(x), w is not None or ext != 0 or k != 3), double(y))

    def __call__(self, x, nu=0, ext=None):
        return piecewise(cubic(self._data), self._data[0], x, nu, True, 0)

    def derivative(self, n=1):
        return Pieces(cubic(self._data), self._data[0]).derivative(n)

    def antiderivative(self, n=1):
        return Pieces(cubic(self._data), self._data[0]).antiderivative(n)

    def integral(self, a, b):
        return Pieces(cubic(self._data), self._data[0]).integrate(a, b)


def samples(x, otherwise):
    """The places of the samples of a spline of degree three."""
    if otherwise:
        return refuse("an InterpolatedUnivariateSpline with these options", "scipy.interpolate.CubicSpline")
    return x


def cubic(data):
    """The coefficients of a spline, of which an object tells the places, the values and, if SciPy's, the degree."""
    if len(data) > 2 and data[5] != 3:
        return refuse("an InterpolatedUnivariateSpline of another degree", "scipy.interpolate.CubicSpline")
    return spline(data[0], data[1], 0, "not-a-knot")


@instead_of(interpolate.make_interp_spline)
def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    return Spline(x, y, 0, ends_of(bc_type, k != 3 or t is not None or axis != 0))


def ends_of(bc_type, otherwise):
    """What holds at the ends of a spline of degree three."""
    if otherwise:
        return refuse("make_interp_spline of another degree, with knots or along an axis", "a CubicSpline")
    return "not-a-knot" if bc_type is None else bc_type


@instead_of(interpolate.splrep)
def splrep(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None, t=None, full_output=0, per=0, quiet=1):
    if w is not None or k != 3 or task != 0 or (s is not None and s != 0):
        return refuse("splrep with these options", "scipy.interpolate.CubicSpline")
    if t is not None or full_output != 0 or per != 0:
        return refuse("splrep with knots, full_output= or per=", "scipy.interpolate.CubicSpline")
    return Spline(x, y)


@instead_of(interpolate.splev)
def splev(x, tck, der=0, ext=0):
    if ext != 0:
        return refuse("splev with ext=", "np.where of what it gives without")
    if not isinstance(tck, (tuple, list)):
        return tck(x, der, True)
    c = double(array_of(tck[1]))
    if c.ndim > 1:
        return refuse("splev of the spline of a curve", "one of each of its coordinates, splev(x, (t, c[0], k))")
    if not 0 <= der <= tck[2]:
        raise ValueError("the order of a derivative is at least 0 and at most the degree of the spline")
    return at_points(double(array_of(tck[0])), c, tck[2], array_of(x), der)
