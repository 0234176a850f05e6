"""np.pad, one axis after the other."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, known, refuse
from srcad.library.axes import part

REPEATED = ("edge", "wrap", "reflect", "symmetric")
"""Modes in which all that is added are elements of the array."""


@instead_of(np.pad)
def pad(array, pad_width, mode="constant", *, constant_values=0, end_values=0, stat_length=None, reflect_type="even"):
    if np.ndim(array) == 0:
        return np.asarray(array)
    if isinstance(pad_width, dict):
        each = tuple(of_axis(pad_width, axis, array.ndim) for axis in range(5))
        return extended(array, each, mode, constant_values, end_values, stat_length, reflect_type)
    return extended(array, pad_width, mode, constant_values, end_values, stat_length, reflect_type)


def extended(array, pad_width, mode, constant_values, end_values, stat_length, reflect_type):
    """An array continued on all sides; what is given stays as it is, so that what is constant is known to be."""
    if mode == "constant" and np.ndim(constant_values) == 0 and array.ndim <= 5:
        return framed(array, pad_width, constant_values)
    if mode in REPEATED and reflect_type == "even":
        return continued(array, pad_width, mode)
    ends = end_values if mode == "linear_ramp" else constant_values
    y = array
    if array.ndim >= 1:
        y = padded(y, 0, widths(pad_width, 0), mode, widths(ends, 0), lengths(stat_length, 0), reflect_type)
    if array.ndim >= 2:
        y = padded(y, 1, widths(pad_width, 1), mode, widths(ends, 1), lengths(stat_length, 1), reflect_type)
    if array.ndim >= 3:
        y = padded(y, 2, widths(pad_width, 2), mode, widths(ends, 2), lengths(stat_length, 2), reflect_type)
    if array.ndim >= 4:
        y = padded(y, 3, widths(pad_width, 3), mode, widths(ends, 3), lengths(stat_length, 3), reflect_type)
    if array.ndim >= 5:
        return refuse("np.pad of five axes or more", "np.concatenate")
    return y


def of_axis(given, axis, ndim):
    """What a dict of widths says of an axis, which may be counted from the end; zero where it says nothing."""
    before, after = 0, 0
    for key, width in given.items():
        if key % ndim == axis:
            before, after = widths(width, 0)
    return before, after


def framed(a, width, value):
    """An array in the middle of a larger one of equal numbers, or of whatever memory holds."""
    if a.ndim == 1:
        y = ground((wider(a, width, 0),), value, a)
        y[within(a, width, 0)] = a
    elif a.ndim == 2:
        y = ground((wider(a, width, 0), wider(a, width, 1)), value, a)
        y[within(a, width, 0), within(a, width, 1)] = a
    elif a.ndim == 3:
        y = ground((wider(a, width, 0), wider(a, width, 1), wider(a, width, 2)), value, a)
        y[within(a, width, 0), within(a, width, 1), within(a, width, 2)] = a
    elif a.ndim == 4:
        y = ground((wider(a, width, 0), wider(a, width, 1), wider(a, width, 2), wider(a, width, 3)), value, a)
        y[within(a, width, 0), within(a, width, 1), within(a, width, 2), within(a, width, 3)] = a
    else:
        first = (wider(a, width, 0), wider(a, width, 1), wider(a, width, 2))
        y = ground(first + (wider(a, width, 3), wider(a, width, 4)), value, a)
        front = (within(a, width, 0), within(a, width, 1), within(a, width, 2))
        y[front + (within(a, width, 3), within(a, width, 4))] = a
    return y


def inside(a, width, count):
    """Where an array lies in its frame, along the first axes."""
    if count == 0:
        return ()
    if count == 1:
        return (within(a, width, 0),)
    if count == 2:
        return within(a, width, 0), within(a, width, 1)
    if count == 3:
        return within(a, width, 0), within(a, width, 1), within(a, width, 2)
    return within(a, width, 0), within(a, width, 1), within(a, width, 2), within(a, width, 3)


def ground(shape, value, a):
    """What an array is put into."""
    return np.empty(shape, a.dtype) if value is None else np.full(shape, value, a.dtype)


def continued(a, width, mode):
    """An array amid elements of its own: each axis lengthens what the axes behind it have filled."""
    if a.ndim > 5:
        return refuse("np.pad of more than five axes", "np.concatenate")
    y = framed(a, width, None)
    if a.ndim >= 5:
        y = lengthened(y, a, 4, width, mode)
    if a.ndim >= 4:
        y = lengthened(y, a, 3, width, mode)
    if a.ndim >= 3:
        y = lengthened(y, a, 2, width, mode)
    if a.ndim >= 2:
        y = lengthened(y, a, 1, width, mode)
    return lengthened(y, a, 0, width, mode)


def lengthened(y, a, axis, width, mode):
    """A frame, filled before and after an array along one axis."""
    return filled(y, inside(a, width, axis), widths(width, axis)[0], widths(width, axis)[1], a.shape[axis], mode)


def filled(y, head, before, after, n, mode):
    """A frame, filled before and after n elements along the axis behind the head of a subscript."""
    if known(before) and known(after) and before == 1 and after == 1:
        y[head + (0,)] = y[head + (neighbours(n, mode)[0],)]
        y[head + (-1,)] = y[head + (neighbours(n, mode)[1],)]
    elif mode == "edge":
        y[head + (slice(0, before),)] = y[head + (slice(before, before + 1),)]
        y[head + (slice(before + n, None),)] = y[head + (slice(before + n - 1, before + n),)]
    else:
        y[head + (slice(0, before),)] = y[head + (before + repeated(np.arange(-before, 0), n, mode),)]
        y[head + (slice(before + n, None),)] = y[head + (before + repeated(np.arange(n, n + after), n, mode),)]
    return y


def neighbours(n, mode):
    """The places in a frame one element wide of what stands before and after n elements."""
    return (-2, 1) if mode == "wrap" else (min(2, n), max(-3, -1 - n)) if mode == "reflect" else (1, -2)


def wider(a, width, axis):
    """The length of a frame along an axis."""
    return a.shape[axis] + sum(widths(width, axis))


def within(a, width, axis):
    """Where an array lies in its frame."""
    return between(widths(width, axis)[0], widths(width, axis)[1], a.shape[axis])


def between(before, after, n):
    """The slice of n elements between others; a difference is worked out of constants at once, a negation is not."""
    return slice(before, 0 - after) if known(after) and after > 0 else slice(before, before + n)


def widths(given, axis):
    """What a number, a pair, or a pair for each axis says of one axis; a pair may be one number for both sides."""
    return (given, given) if np.ndim(given) == 0 else pair(given, axis)


def pair(given, axis):
    """What a pair, or a pair for each axis, says of one axis."""
    return (given[0], given[-1]) if np.ndim(given) == 1 else of_pairs(given, axis)


def of_pairs(given, axis):
    """What one pair for all axes, or a pair for each, says of one axis."""
    return (given[0][0], given[0][-1]) if len(given) == 1 else (given[axis][0], given[axis][-1])


def lengths(given, axis):
    """How many elements the statistics of each side are made of; None: all."""
    return (None, None) if given is None else widths(given, axis)


def padded(a, axis, width, mode, values, counts, kind):
    """An array continued on both sides of an axis."""
    before, after = width
    first, last = sides(a, axis, before, after, mode, values, counts, kind)
    return np.concatenate((first, a, last), axis=axis)


def sides(a, axis, before, after, mode, values, counts, kind):
    """What comes before and what comes after an array."""
    n = a.shape[axis]
    head = (slice(None),) * axis
    if mode == "constant" or mode == "empty":
        return constant(a, axis, before, values[0]), constant(a, axis, after, values[1])
    if mode == "linear_ramp":
        return ramp(part(a, axis, 0, 1), axis, before, values[0]), np.flip(
            ramp(part(a, axis, n - 1, None), axis, after, values[1]), axis
        )
    if mode == "mean" or mode == "maximum" or mode == "minimum" or mode == "median":
        left = a if counts[0] is None else part(a, axis, 0, counts[0])
        right = a if counts[1] is None else part(a, axis, max(n - counts[1], 0), None)
        first, last = statistic(left, axis, mode), statistic(right, axis, mode)
        return np.repeat(first, before, axis), np.repeat(last, after, axis)
    if mode not in REPEATED:
        return refuse("np.pad in this mode", "a mode that NumPy's documentation names")
    early, late = np.arange(-before, 0), np.arange(n, n + after)
    if kind == "odd" and (mode == "reflect" or mode == "symmetric"):
        return turned(a, axis, early, mode), turned(a, axis, late, mode)
    return a[head + (repeated(early, n, mode),)], a[head + (repeated(late, n, mode),)]


def constant(a, axis, count, value):
    """So many equal numbers along an axis."""
    return np.full(a.shape[:axis] + (count,) + a.shape[axis + 1 :], value).astype(a.dtype)


def ramp(edge, axis, count, end):
    """Equal steps from a number towards the edge of an array."""
    rates = np.arange(count) / max(count, 1)
    rates = rates[(None,) * axis + (slice(None),) + (None,) * (edge.ndim - axis - 1)]
    return (end + (edge - end) * rates).astype(edge.dtype)


def statistic(a, axis, mode):
    """What all of an array is continued with."""
    if mode == "mean":
        return np.mean(a, axis=axis, keepdims=True)
    if mode == "maximum":
        return np.max(a, axis=axis, keepdims=True)
    if mode == "minimum":
        return np.min(a, axis=axis, keepdims=True)
    return np.median(a, axis=axis, keepdims=True)


def repeated(places, n, mode):
    """The places in a vector of length n whose elements stand at places outside of it."""
    if mode == "edge":
        return np.clip(places, 0, n - 1)
    if mode == "wrap":
        return places % n
    if mode == "reflect":
        around = places % max(2 * n - 2, 1)
        return np.minimum(around, 2 * n - 2 - around)
    around = places % (2 * n)
    return np.minimum(around, 2 * n - 1 - around)


def turned(a, axis, places, mode):
    """Continued by rotations about the ends by half a turn, again and again."""
    n = a.shape[axis]
    head = (slice(None),) * axis
    period = max(n - 1, 1) if mode == "reflect" else n
    rounds, rest = places // period, places % period
    odd = rounds % 2 == 1
    first, last = part(a, axis, 0, 1), part(a, axis, n - 1, None)
    shape = (slice(None),) + (None,) * (a.ndim - axis - 1)
    pick = a[head + (np.minimum(np.where(odd, n - 1 - rest, rest), n - 1),)]
    signs, shifts = np.where(odd, -1.0, 1.0).astype(a.dtype)[shape], np.where(odd, rounds - 1, rounds)[shape]
    ends = np.where(odd[shape], 2.0 * last, 0.0 * last)
    return (signs * pick + ends + shifts * (last - first)).astype(a.dtype)
