"""np.pad, one axis after the other."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse


@instead_of(np.pad)
def pad(array, pad_width, mode="constant", *, constant_values=0, reflect_type="even"):
    if reflect_type != "even":
        return refuse("np.pad with reflect_type='odd'", "reflect_type='even'")
    if mode == "constant" and np.ndim(constant_values) == 0 and array.ndim <= 3:
        return framed(array, pad_width, constant_values)
    y = array
    if array.ndim >= 1:
        y = padded(y, 0, widths(pad_width, 0), mode, widths(constant_values, 0))
    if array.ndim >= 2:
        y = padded(y, 1, widths(pad_width, 1), mode, widths(constant_values, 1))
    if array.ndim >= 3:
        y = padded(y, 2, widths(pad_width, 2), mode, widths(constant_values, 2))
    if array.ndim >= 4:
        y = padded(y, 3, widths(pad_width, 3), mode, widths(constant_values, 3))
    if array.ndim >= 5:
        return refuse("np.pad of five axes or more", "np.concatenate")
    return y


def framed(a, width, value):
    """An array in the middle of a larger one of equal numbers."""
    if a.ndim == 1:
        y = np.full(a.shape[0] + sum(widths(width, 0)), value, a.dtype)
        y[within(a, width, 0)] = a
    elif a.ndim == 2:
        y = np.full((a.shape[0] + sum(widths(width, 0)), a.shape[1] + sum(widths(width, 1))), value, a.dtype)
        y[within(a, width, 0), within(a, width, 1)] = a
    else:
        lengths = (sum(widths(width, 0)), sum(widths(width, 1)), sum(widths(width, 2)))
        y = np.full((a.shape[0] + lengths[0], a.shape[1] + lengths[1], a.shape[2] + lengths[2]), value, a.dtype)
        y[within(a, width, 0), within(a, width, 1), within(a, width, 2)] = a
    return y


def within(a, width, axis):
    """Where an array lies in its frame."""
    before = widths(width, axis)[0]
    return slice(before, before + a.shape[axis])


def widths(given, axis):
    """What a number, a pair, or a pair for each axis says of one axis."""
    if np.ndim(given) == 0:
        return given, given
    if np.ndim(given) == 1:
        return (given[0], given[0]) if len(given) == 1 else (given[0], given[1])
    return (given[0][0], given[0][1]) if len(given) == 1 else (given[axis][0], given[axis][1])


def padded(a, axis, width, mode, values):
    """An array continued on both sides of an axis."""
    before, after = width
    n = a.shape[axis]
    head = (slice(None),) * axis
    if mode == "constant":
        first = np.full(a.shape[:axis] + (before,) + a.shape[axis + 1 :], values[0]).astype(a.dtype)
        last = np.full(a.shape[:axis] + (after,) + a.shape[axis + 1 :], values[1]).astype(a.dtype)
        return np.concatenate((first, a, last), axis=axis)
    places = np.arange(-before, n + after)
    if mode == "edge":
        return a[head + (np.clip(places, 0, n - 1),)]
    if mode == "wrap":
        return a[head + (places % n,)]
    if mode == "reflect":
        turned = places % max(2 * n - 2, 1)
        return a[head + (np.minimum(turned, 2 * n - 2 - turned),)]
    if mode == "symmetric":
        turned = places % (2 * n)
        return a[head + (np.minimum(turned, 2 * n - 1 - turned),)]
    return refuse("np.pad in this mode", "'constant', 'edge', 'reflect', 'symmetric' or 'wrap'")
