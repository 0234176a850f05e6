"""Elements by position, by condition and between others."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import array_of, chosen, double
from srcad.runtime.integers import subscripts


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
    places = array_of(a)
    if mode == "wrap":
        places = places % len(choices)
    elif mode == "clip":
        places = np.clip(places, 0, len(choices) - 1)
    elif places.dtype != np.bool_ and np.any(np.logical_or(places < 0, places >= len(choices))):
        raise ValueError("invalid entry in choice array")
    result = choices[len(choices) - 1]
    for k in range(len(choices) - 2, -1, -1):
        result = chosen(places == k, choices[k], result)
    return with_copy(places, result)


def with_copy(places, result):
    """The result of choosing at these places: an array of its own where there is one place."""
    if np.ndim(places) == 0:
        return np.copy(result)
    return result


@instead_of(np.select)
def select(condlist, choicelist, default=0):
    result = default
    for k in range(len(condlist) - 1, -1, -1):
        result = chosen(condlist[k], choicelist[k], result)
    return with_copy(result, result)


@instead_of(np.piecewise)
def piecewise(x, condlist, funclist, *args):
    masks = condlist if isinstance(condlist, tuple) else (condlist,)
    if np.ndim(x) == 0:
        return np.copy(piece_of_number(x, masks, funclist, args))
    y = np.zeros_like(x)
    if len(funclist) == len(masks) + 1:
        y = piece(y, x, ~any_of(masks), funclist[len(masks)], args)
    for k in range(len(masks)):
        y = piece(y, x, masks[k], funclist[k], args)
    return y


def piece(y, x, mask, value, args):
    """`y`, on a mask overwritten with a number or with a function of what `x` is there."""
    if callable(value):
        y[mask] = value(x[mask], *args)
    else:
        y[mask] = value
    return y


def piece_of_number(x, masks, funclist, args):
    """What the last condition that is true has for a number; without one, what there is for all others, or zero."""
    y = 0.0
    if len(funclist) == len(masks) + 1:
        y = value_at(x, funclist[len(masks)], args)
    for k in range(len(masks)):
        y = value_at(x, funclist[k], args) if masks[k] else y
    return y


def value_at(x, value, args):
    """A number, or what a function is of another."""
    return value(x, *args) if callable(value) else value


def any_of(masks):
    """Where one of the masks is true."""
    result = masks[0]
    for k in range(1, len(masks)):
        result = result | masks[k]
    return result


@instead_of(np.interp)
def interp(x, xp, fp, left=None, right=None, period=None):
    if np.iscomplexobj(x) or np.iscomplexobj(xp):
        return refuse("np.interp at complex numbers", "np.interp of np.real and np.imag")
    if not np.iscomplexobj(fp) and (np.iscomplexobj(left) or np.iscomplexobj(right)):
        return refuse("np.interp of real values with a complex left= or right=", "fp + 0j")
    x, xp, fp = double(array_of(x)), double(array_of(xp)), double(array_of(fp))
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length")
    if period is not None:
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate((xp[-1:] - period, xp, xp[:1] + period))
        fp = np.concatenate((fp[-1:], fp, fp[:1]))
        return interpolated(x, xp, fp)
    y = interpolated(x, xp, fp)
    if left is not None:
        y = chosen(x < xp[0], left, y)
    return y if right is None else chosen(x > xp[-1], right, y)


def interpolated(x, xp, fp):
    """Between points a line, outside of them a constant."""
    inside = np.clip(x, xp[0], xp[-1])
    j = np.searchsorted(xp, inside, side="right") - 1
    k = np.minimum(j + 1, xp.size - 1)
    return fp[j] + (fp[k] - fp[j]) / chosen(k > j, xp[k] - xp[j], 1.0) * (inside - xp[j])


@instead_of(np.take_along_axis, given=("axis",))
def take_along_axis(arr, indices, axis=-1):
    if axis is None:
        return np.ravel(arr)[np.ravel(indices)]
    return np.take_along_axis(arr, indices, axis)


@instead_of("compress")
def compressed(a, condition, axis=None, out=None):
    return compress(condition, a, axis)


@instead_of("item")
def item(a, *args):
    if np.ndim(a) == 0:
        return plain(a)
    if len(args) == 0:
        return plain(np.ravel(a)[0])
    if len(args) == 1 and np.ndim(args[0]) == 0 and np.ndim(a) != 1:
        return plain(np.ravel(a)[args[0]])
    return plain(a[args if len(args) > 1 else args[0]])


def plain(x):
    """A number as Python's own."""
    if np.iscomplexobj(x):
        return complex(x)
    if x.dtype == np.bool_:
        return bool(x)
    return float(x) if x.dtype == np.float64 or x.dtype == np.float32 else int(x)



@instead_of(np.unravel_index)
def unravel_index(indices, shape, order="C"):
    if order != "C":
        return refuse("np.unravel_index with order=", "the subscripts computed by // and %")
    places = array_of(indices)
    return subscripts(places, shape)


@instead_of(np.ravel_multi_index)
def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    if order != "C" or mode != "raise":
        return refuse("np.ravel_multi_index with mode= or order=", "the index computed by * and +")
    result = array_of(multi_index[0])
    for k in range(1, len(dims)):
        result = result * dims[k] + array_of(multi_index[k])
    return result
