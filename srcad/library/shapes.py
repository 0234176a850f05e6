"""Arrays repeated, taken apart, put together and turned."""

from __future__ import annotations

import numpy as np

from srcad.library import Plan, axis_of, instead_of, known, refuse, static
from srcad.library.axes import array_of, part


@instead_of(np.repeat)
def repeat(a, repeats, axis=None):
    values = np.ravel(a) if axis is None else a
    k = 0 if axis is None else axis_of(axis, a.ndim)
    if np.ndim(repeats) == 0:
        before, n, after = values.shape[:k], values.shape[k], values.shape[k + 1 :]
        spread = np.broadcast_to(np.expand_dims(values, k + 1), before + (n, repeats) + after)
        return np.reshape(spread.flatten(), before + (n * repeats,) + after)
    counts = np.broadcast_to(array_of(repeats), (values.shape[k],))
    if np.any(counts < 0):
        raise ValueError("repeats may not contain negative values")
    places = np.searchsorted(np.cumsum(counts), np.arange(np.sum(counts)), side="right")
    return values[(slice(None),) * k + (places,)]


@instead_of(np.tile)
def tile(A, reps):
    return tiled(array_of(A), reps if isinstance(reps, tuple) else (reps,))


def tiled(x, counts):
    """An array several times along each of its last axes, and along new ones before them."""
    missing = len(counts) - np.ndim(x)
    y = np.reshape(x, (1,) * missing + np.shape(x)) if missing > 0 else x
    many = False
    for k in range(len(counts)):
        if not (known(counts[k]) and counts[k] == 1):
            y, many = blocks(y, y.ndim - len(counts) + k, counts[k]), True
    return y if many else np.copy(y)


def blocks(a, axis, count):
    """The whole array several times, along an axis."""
    spread = np.broadcast_to(np.expand_dims(a, axis), a.shape[:axis] + (count,) + a.shape[axis:])
    return np.reshape(spread.flatten(), a.shape[:axis] + (count * a.shape[axis],) + a.shape[axis + 1 :])


@instead_of(np.append)
def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(array_of(arr)), np.ravel(array_of(values))))
    return np.concatenate((array_of(arr), array_of(values)), axis=axis)


@instead_of(np.delete)
def delete(arr, obj, axis=None):
    a = np.ravel(arr) if axis is None else arr
    k = 0 if axis is None else axis_of(axis, arr.ndim)
    if isinstance(obj, slice):
        return without(a, np.arange(a.shape[k])[obj], k)
    if np.ndim(obj) == 0:
        if obj < -a.shape[k] or obj >= a.shape[k]:
            raise IndexError("np.delete of an element that is not there")
        place = obj % a.shape[k]
        return np.concatenate((part(a, k, 0, place), part(a, k, place + 1, None)), axis=k)
    return without(a, array_of(obj), k)


def without(a, places, k):
    """An array without some places along an axis."""
    stays = np.ones(a.shape[k], np.bool_)
    stays[places] = False
    return a[(slice(None),) * k + (np.flatnonzero(stays),)]


@instead_of(np.insert)
def insert(arr, obj, values, axis=None):
    a = np.ravel(arr) if axis is None else arr
    k = 0 if axis is None else axis_of(axis, arr.ndim)
    if isinstance(obj, slice):
        return inserted(a, np.arange(a.shape[k])[obj], array_of(values), k)
    if np.ndim(obj) > 0:
        return inserted(a, np.ravel(array_of(obj)), array_of(values), k)
    place = obj + a.shape[k] if obj < 0 else obj
    if place < 0 or place > a.shape[k]:
        raise IndexError("np.insert at a place that is not there")
    new = array_of(values)
    if np.ndim(new) == 0:
        new = np.full(a.shape[:k] + (1,) + a.shape[k + 1 :], new)
    elif np.ndim(new) < a.ndim:
        new = np.expand_dims(new, k)
    return np.concatenate((part(a, k, 0, place), new.astype(a.dtype), part(a, k, place, None)), axis=k)


def inserted(a, places, values, k):
    """An array with others before several of its places along an axis."""
    n = a.shape[k]
    head = (slice(None),) * k
    places = np.where(places < 0, places + n, places)
    order = np.argsort(places, kind="stable")
    news = np.zeros_like(places)
    news[order] = places[order] + np.arange(places.size)
    olds = np.ones(n + places.size, np.bool_)
    olds[news] = False
    y = np.zeros(a.shape[:k] + (n + places.size,) + a.shape[k + 1 :], a.dtype)
    y[head + (news,)] = values
    y[head + (np.flatnonzero(olds),)] = a
    return y


@instead_of(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    if not known(window_shape) or not known(axis):
        return refuse("a window whose shape is not known at compile time", "constants")
    axes, lengths = windows(window_shape, axis)
    if axis is None and len(axes) != x.ndim:
        return refuse("np.lib.stride_tricks.sliding_window_view with this shape", "a length for each axis")
    y = x
    for i in range(len(axes)):
        k, n = axis_of(axes[i], x.ndim), lengths[i]
        places = np.expand_dims(np.arange(y.shape[k] - n + 1), 1) + np.arange(n)
        y = np.moveaxis(np.take(y, places, axis=k), k + 1, -1)
    return y


@static
def windows(window_shape, axis):
    """Along which axes a window slides, and how long it is there.

    >>> windows(3, 1), windows((2, 3), None)
    (((1,), (3,)), ((0, 1), (2, 3)))
    """
    lengths = tuple(window_shape) if np.ndim(window_shape) else (window_shape,)
    axes = tuple(range(len(lengths))) if axis is None else tuple(axis) if np.ndim(axis) else (axis,)
    return Plan((axes, lengths))


@instead_of(np.isscalar)
def isscalar(element):
    return element is not None and not isinstance(element, (np.ndarray, tuple, list, dict))


# ---------------------------------------------------------------- apart


@instead_of(np.split)
def split(ary, indices_or_sections, axis=0):
    k = axis_of(axis, ary.ndim)
    if np.ndim(indices_or_sections) == 0 and ary.shape[k] % indices_or_sections != 0:
        raise ValueError("array split does not result in an equal division")
    return np.array_split(ary, indices_or_sections, axis)


@instead_of(np.array_split)
def array_split(ary, indices_or_sections, axis=0):
    if not isinstance(indices_or_sections, tuple) and np.ndim(indices_or_sections) == 1:
        return refuse("np.split at places that an array holds", "the places one by one: np.split(x, [n, m])")
    if not known(indices_or_sections):
        reason = "np.split into a number of parts that is not known at compile time"
        return refuse(reason, "x.reshape(n, -1, *x.shape[1:]), whose rows are parts as long, or slices: x[:n], x[n:]")
    k = axis_of(axis, ary.ndim)
    parts = ()
    if isinstance(indices_or_sections, tuple):
        start = 0
        for i in range(len(indices_or_sections)):
            parts = parts + (part(ary, k, start, indices_or_sections[i]),)
            start = indices_or_sections[i]
        return parts + (part(ary, k, start, None),)
    n = ary.shape[k]
    size, longer = n // indices_or_sections, n % indices_or_sections
    for i in range(indices_or_sections):
        start = i * size + min(i, longer)
        parts = parts + (part(ary, k, start, start + size + (1 if i < longer else 0)),)
    return parts


if hasattr(np, "unstack"):

    @instead_of(np.unstack)
    def unstack(x, /, *, axis=0):
        return list(np.moveaxis(x, axis, 0))


@instead_of(np.hsplit)
def hsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


@instead_of(np.vsplit)
def vsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, 0)


@instead_of(np.dsplit)
def dsplit(ary, indices_or_sections):
    return np.split(ary, indices_or_sections, 2)


# ---------------------------------------------------------------- turned


@instead_of(np.rot90)
def rot90(m, k=1, axes=(0, 1)):
    turns = k % 4
    if turns == 0:
        return m[:]
    if turns == 2:
        return np.flip(np.flip(m, axes[0]), axes[1])
    if turns == 1:
        return np.swapaxes(np.flip(m, axes[1]), axes[0], axes[1])
    return np.flip(np.swapaxes(m, axes[0], axes[1]), axes[1])


@instead_of(np.rollaxis)
def rollaxis(a, axis, start=0):
    source = axis_of(axis, a.ndim)
    target = start + a.ndim if start < 0 else start
    return np.moveaxis(a, source, target - 1 if target > source else target)


@instead_of(np.diagflat)
def diagflat(v, k=0):
    return np.diag(np.ravel(array_of(v)), k)


@instead_of(np.apply_over_axes)
def apply_over_axes(func, a, axes):
    y = a
    every = axes if isinstance(axes, tuple) else (axes,)
    for k in range(len(every)):
        reduced = func(y, every[k])
        y = reduced if np.ndim(reduced) == y.ndim else np.expand_dims(reduced, every[k])
    return y


@instead_of(np.angle, given=("deg",))
def angle(z, deg=False):
    return np.angle(z) * (180.0 / np.pi) if deg else np.angle(z)


@instead_of(np.triu)
def triu(m, k=0):
    return np.triu(np.broadcast_to(m, (m.shape[0], m.shape[0])) if m.ndim == 1 else m, k)


@instead_of(np.tril)
def tril(m, k=0):
    return np.tril(np.broadcast_to(m, (m.shape[0], m.shape[0])) if m.ndim == 1 else m, k)


if hasattr(np, "matrix_transpose"):

    @instead_of(np.matrix_transpose)
    def matrix_transpose(x):
        return np.swapaxes(x, -1, -2)
