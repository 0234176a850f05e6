"""Interpolation between the points of a grid by `scipy.interpolate`."""

from __future__ import annotations

import itertools

import numpy as np
from scipy import interpolate

from srcad.library import instead_of, made_instead_of, refuse, static
from srcad.library.axes import array_of, double


@made_instead_of(interpolate.RegularGridInterpolator)
class OnGrid:
    """Values at the points of a grid, and between them in proportion."""

    called = "an interpolator on a grid"

    def __init__(self, points, values, method="linear", bounds_error=True, fill_value=np.nan):
        self.grid = points
        self.values = double(array_of(values))
        self.method = method
        self.bounds_error = bounds_error
        self.fill_value = fill_value

    def __call__(self, xi, method=None):
        wanted = self.method if method is None else method
        return interpolate.interpn(self.grid, self.values, xi, wanted, self.bounds_error, self.fill_value)


@instead_of(interpolate.interpn)
def interpn(points, values, xi, method="linear", bounds_error=True, fill_value=np.nan):
    if method != "linear":
        return refuse("interpolation on a grid with this method=", "method='linear'")
    values, places = double(array_of(values)), places_of(xi, len(points))
    below, parts, inside = (), (), True
    for k in range(len(points)):
        x, at = array_of(points[k]), places[..., k]
        if np.any(np.diff(x) <= 0.0):
            raise ValueError("the points of a grid must ascend here")
        lower = np.clip(np.searchsorted(x, at, side="right") - 1, 0, x.shape[0] - 2)
        below = below + (lower,)
        parts = parts + ((at - x[lower]) / (x[lower + 1] - x[lower]),)
        inside = np.logical_and(inside, np.logical_and(at >= x[0], at <= x[-1]))
    if bounds_error and not np.all(inside):
        raise ValueError("one of the requested points is outside the grid; bounds_error=False allows it")
    y = sum_of_corners(values, below, parts)
    if bounds_error or fill_value is None:
        return y
    return np.where(spread_over(inside, y), y, fill_value)


def places_of(xi, count):
    """Points as an array with their coordinates along the last axis; a tuple has an array of each coordinate."""
    places = np.moveaxis(np.array(xi), 0, -1) if isinstance(xi, tuple) else array_of(xi)
    return np.reshape(places, (-1, count)) if np.ndim(places) == 1 else places


@static
def corners_of(count):
    """For each corner of a cell with so many axes, whether it is the upper one along each of them."""
    return tuple(itertools.product((False, True), repeat=count))


def sum_of_corners(values, below, parts):
    """The values at the corners of a cell, each with its part."""
    y = 0.0
    for corner in corners_of(len(below)):
        y = y + at_corner(values, below, parts, corner)
    return y


def at_corner(values, below, parts, upper):
    """The value at one corner, times its part."""
    part, place = 1.0, ()
    for k in range(len(below)):
        part = part * (parts[k] if upper[k] else 1.0 - parts[k])
        place = place + ((below[k] + 1 if upper[k] else below[k]),)
    return spread_over(part, values[place]) * values[place]


def spread_over(part, values):
    """What belongs to points, for values that have more axes than these."""
    if np.ndim(values) == np.ndim(part):
        return part
    return np.reshape(part, np.shape(part) + (1,) * (np.ndim(values) - np.ndim(part)))
