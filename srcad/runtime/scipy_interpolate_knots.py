"""The splines of a basis, by de Boor's recurrence.

C. de Boor, On calculating with B-splines (1972). A derivative takes differences of two splines of the degree below for
the last steps of the recurrence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable


def knot_splines(t: np.ndarray, k: int, x: Any, order: int) -> np.ndarray:
    """The ``k + 1`` splines of degree `k` that are not zero where points lie, or derivatives of this order.

    The knots `t` are an array of float64, the points `x` a number or an array of any shape. The result has the splines
    along a first axis of its own, behind which it has the shape of `x`. Beyond the first and the last of the intervals
    in which a spline has all its parts, these go on.

    >>> knot_splines(np.array([0.0, 0.0, 1.0, 2.0, 2.0]), 1, np.array([0.25, 1.5]), 0)
    array([[0.75, 0.5 ],
           [0.25, 0.5 ]])
    >>> knot_splines(np.array([0.0, 0.0, 1.0, 2.0, 2.0]), 1, 0.25, 1)
    array([-1.,  1.])
    """
    points = np.asarray(x, np.float64)
    values = np.zeros((k + 1, *points.shape))
    _recur(t, k, points, order, knot_interval(t, k, points), values)
    return values


def knot_interval(t: np.ndarray, k: int, x: Any) -> Any:
    """The knots that points follow, of those between which a spline of degree `k` has all its parts.

    >>> knot_interval(np.array([0.0, 0.0, 1.0, 2.0, 2.0]), 1, np.array([-1.0, 1.0, 2.0])).tolist()
    [1, 2, 2]
    """
    return np.clip(np.searchsorted(t, x, side="right") - 1, k, t.shape[0] - k - 2)


@register_jitable
def _recur(t, k, x, order, i, values):
    """Write the values of splines at points behind the knots `i`, degree by degree."""
    values[0] = 1.0
    for d in range(1, k + 1):
        carried = 0.0 * x
        for r in range(d):
            share = values[r] / (t[i + r + 1] - t[i + r + 1 - d])
            if d > k - order:
                values[r] = d * (carried - share)
                carried = share
            else:
                values[r] = carried + (t[i + r + 1] - x) * share
                carried = (x - t[i + r + 1 - d]) * share
        values[d] = d * carried if d > k - order else carried
    if order > k:
        values[:] = 0.0


@overload(knot_splines)
def _knot_splines(t, k, x, order):
    if not isinstance(x, types.Array):

        def at_number(t, k, x, order):
            values = np.zeros(k + 1)
            _recur(t, k, float(x), order, knot_interval(t, k, x), values)
            return values

        return at_number

    def at_points(t, k, x, order):
        points = np.ascontiguousarray(x).reshape(-1)
        values, at_one = np.empty((k + 1, points.size)), np.zeros(k + 1)
        for j in range(points.size):
            _recur(t, k, float(points[j]), order, knot_interval(t, k, points[j]), at_one)
            for r in range(k + 1):
                values[r, j] = at_one[r]
        return values.reshape((k + 1,) + x.shape)

    return at_points


@overload(knot_interval)
def _knot_interval(t, k, x):
    if not isinstance(x, types.Array):
        return lambda t, k, x: min(max(np.searchsorted(t, x, side="right") - 1, k), t.shape[0] - k - 2)

    def of_points(t, k, x):
        found = np.empty(x.shape, np.int64)
        for place, at in np.ndenumerate(x):
            found[place] = knot_interval(t, k, at)
        return found

    return of_points
