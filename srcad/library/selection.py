"""Elements by position, by condition and between others."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import array_of, chosen, double


@instead_of(np.take)
def take(a, indices, axis=None, out=None, mode="raise"):
    values = np.ravel(a) if axis is None else a
    axis = 0 if axis is None else axis_of(axis, a.ndim)
    places = array_of(indices)
    if mode == "wrap":
        places = places % values.shape[axis]
    elif mode == "clip":
        places = np.clip(places, 0, values.shape[axis] - 1)
    return values[(slice(None),) * axis + (places,)]


@instead_of(np.compress)
def compress(condition, a, axis=None):
    places = np.flatnonzero(array_of(condition))
    return np.ravel(a)[places] if axis is None else a[(slice(None),) * axis_of(axis, a.ndim) + (places,)]


@instead_of(np.extract)
def extract(condition, arr):
    return np.ravel(arr)[np.flatnonzero(condition)]


@instead_of(np.choose)
def choose(a, choices, out=None, mode="raise"):
    places = a
    if mode == "wrap":
        places = places % len(choices)
    elif mode == "clip":
        places = np.clip(places, 0, len(choices) - 1)
    result = choices[len(choices) - 1]
    for k in range(len(choices) - 2, -1, -1):
        result = chosen(places == k, choices[k], result)
    return result


@instead_of(np.select)
def select(condlist, choicelist, default=0):
    result = default
    for k in range(len(condlist) - 1, -1, -1):
        result = chosen(condlist[k], choicelist[k], result)
    return result


@instead_of(np.piecewise)
def piecewise(x, condlist, funclist):
    y = np.zeros_like(x)
    if len(funclist) == len(condlist) + 1:
        y = piece(y, x, ~any_of(condlist), funclist[len(condlist)])
    for k in range(len(condlist)):
        y = piece(y, x, condlist[k], funclist[k])
    return y


def piece(y, x, mask, value):
    """`y`, on a mask overwritten with a number or with a function of what `x` is there."""
    if callable(value):
        y[mask] = value(x[mask])
    else:
        y[mask] = value
    return y


def any_of(masks):
    """Where one of the masks is true."""
    result = masks[0]
    for k in range(1, len(masks)):
        result = result | masks[k]
    return result


@instead_of(np.interp)
def interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        return refuse("np.interp with period=", "x % period, and the points repeated on both sides")
    x, xp, fp = double(array_of(x)), double(array_of(xp)), double(array_of(fp))
    inside = np.clip(x, xp[0], xp[-1])
    j = np.searchsorted(xp, inside, side="right") - 1
    k = np.minimum(j + 1, xp.size - 1)
    y = fp[j] + (fp[k] - fp[j]) / chosen(k > j, xp[k] - xp[j], 1.0) * (inside - xp[j])
    if left is not None:
        y = chosen(x < xp[0], left, y)
    return y if right is None else chosen(x > xp[-1], right, y)

