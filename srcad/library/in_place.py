"""Functions and methods that write into their argument, and calls that write where a mask says so."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import array_of, cast
from srcad.runtime import out_of_bounds


@instead_of("sort")
def sort_in_place(a, axis=-1, kind=None, *, stable=None):
    a[...] = np.sort(a, axis=axis)


@instead_of("fill")
def fill_all(a, value):
    a[...] = value


@instead_of("partition")
def partition_in_place(a, kth, axis=-1, kind="introselect"):
    a[...] = np.partition(a, kth, axis=axis)


@instead_of(np.fill_diagonal)
def fill_diagonal(a, val, wrap=False):
    values = array_of(val)
    if a.ndim == 2:
        rows, columns = a.shape
        for i in range(-(-rows * columns // (columns + 1)) if wrap else min(rows, columns)):
            row = i + i // columns if wrap else i  # below the last of a diagonal, a row is left out
            a[row, i % columns if wrap else i] = values if np.ndim(values) == 0 else values[i % np.size(values)]
    elif a.ndim == 3:
        if a.shape[0] != a.shape[1] or a.shape[1] != a.shape[2]:
            raise ValueError("All dimensions of input must be of equal length")
        for i in range(a.shape[0]):
            a[i, i, i] = values if np.ndim(values) == 0 else values[i % np.size(values)]
    elif a.ndim == 4:
        if a.shape[0] != a.shape[1] or a.shape[1] != a.shape[2] or a.shape[2] != a.shape[3]:
            raise ValueError("All dimensions of input must be of equal length")
        for i in range(a.shape[0]):
            a[i, i, i, i] = values if np.ndim(values) == 0 else values[i % np.size(values)]
    else:
        return refuse("np.fill_diagonal of five axes or more", "a loop: a[i, i, i, i, i] = v")


@instead_of(np.put_along_axis)
def put_along_axis(arr, indices, values, axis):
    if axis is None:
        np.put(arr, indices, np.broadcast_to(values, indices.shape))
        return
    k = axis_of(axis, arr.ndim)
    if arr.ndim == 1:
        arr[indices] = values
    elif arr.ndim == 2:
        put_in_matrix(arr, indices, values, k)
    elif arr.ndim == 3 and k == 0:
        places = np.broadcast_to(indices, (len(indices), arr.shape[1], arr.shape[2]))
        given = np.broadcast_to(values, places.shape)
        for j in range(arr.shape[1]):
            put_in_matrix(arr[:, j], places[:, j], given[:, j], 0)
    elif arr.ndim == 3:
        places = np.broadcast_to(indices, (len(arr),) + indices.shape[1:])
        given = np.broadcast_to(values, places.shape)
        for i in range(arr.shape[0]):
            put_in_matrix(arr[i], places[i], given[i], k - 1)
    else:
        return refuse("np.put_along_axis of more than three axes", "a loop over the first axis")


def put_in_matrix(a, indices, values, axis):
    """Elements of each row, or of each column, at indices of its own."""
    if axis == 1:
        places = np.broadcast_to(indices, (a.shape[0], indices.shape[1]))
        given = np.broadcast_to(values, places.shape)
        for i in range(a.shape[0]):
            a[i, places[i]] = given[i]
    else:
        places = np.broadcast_to(indices, (len(indices), a.shape[1]))
        given = np.broadcast_to(values, places.shape)
        for j in range(a.shape[1]):
            a[places[:, j], j] = given[:, j]


def apply_at(ufunc, a, indices, b=None):
    """``ufunc.at(a, indices, b)``: the elements one after the other, some of them several times."""
    if isinstance(indices, tuple):
        return at_subscripts(ufunc, a, indices, b)
    if isinstance(indices, slice):
        a[indices] = ufunc(a[indices]) if b is None else ufunc(a[indices], array_of(b))
        return None
    places = array_of(indices)
    if np.ndim(places) == 0 or places.dtype == np.bool_:
        a[places] = ufunc(a[places]) if b is None else ufunc(a[places], array_of(b))
        return None
    if out_of_bounds(places, len(a)):
        raise IndexError("an index of ufunc.at is out of bounds")
    if b is None:
        for k in np.ravel(places):
            a[k] = ufunc(a[k])
    elif np.ndim(b) == 0:
        for k in np.ravel(places):
            a[k] = ufunc(a[k], b)
    else:
        values = np.broadcast_to(array_of(b), places.shape + a.shape[1:])
        for k, value in zip(np.ravel(places), np.reshape(values, (places.size,) + a.shape[1:])):
            a[k] = ufunc(a[k], value)
    return None


def at_subscripts(ufunc, a, indices, b):
    if len(indices) != a.ndim or any(isinstance(index, slice) for index in indices):
        return refuse("ufunc.at with slices among several indices", "a loop over the indices")
    places = 0
    for k in range(len(indices)):
        if out_of_bounds(array_of(indices[k]), a.shape[k]):
            raise IndexError("an index of ufunc.at is out of bounds")
        places = places * a.shape[k] + array_of(indices[k]) % a.shape[k]
    if b is None:
        for k in np.ravel(places):
            a.flat[k] = ufunc(a.flat[k])
    else:
        values = np.broadcast_to(array_of(b), np.shape(places))
        for k, value in zip(np.ravel(places), np.ravel(values)):
            a.flat[k] = ufunc(a.flat[k], value)
    return None


@instead_of(np.copyto)
def copyto(dst, src, casting="same_kind", where=True):
    if isinstance(where, bool) and where:
        dst[...] = array_of(src)
    else:
        dst[...] = np.where(array_of(where), array_of(src), dst)


@instead_of("put")
def put_in_place(a, indices, values, mode="raise"):
    np.put(a, indices, values, mode)


@instead_of(np.put)
def put(a, ind, v, mode="raise"):
    places = np.ravel(array_of(ind))
    if mode == "wrap":
        places = places % a.size
    elif mode == "clip":
        places = np.clip(places, 0, a.size - 1)
    values = array_of(v)
    if np.ndim(values) > 0:
        values = np.ravel(values)[np.arange(places.size) % np.size(values)]
    a.flat[places] = values


def assign_flat(a, values):
    """``a.flat = values``: one element after the other, the values again from the first when they are used up."""
    news = array_of(values)
    if np.ndim(news) == 0:
        a[...] = news
    elif a.ndim == 1 and np.ndim(news) == 1 and np.size(news) == a.size:
        a[...] = news
    else:
        for k in range(a.size if np.size(news) > 0 else 0):
            a.flat[k] = news.flat[k % np.size(news)]


@instead_of(np.place)
def place(arr, mask, vals):
    values = array_of(vals)
    if np.ndim(values) > 0:
        values = np.ravel(values)[np.arange(np.count_nonzero(mask)) % np.size(values)]
    arr[mask] = values


@instead_of(np.putmask)
def putmask(a, mask, values):
    news = array_of(values)
    if np.ndim(news) > 0:
        news = np.resize(news, a.shape)
    a[...] = np.where(mask, news, a)


def places_of(mask, out):
    """The `where` of a ufunc as a mask of the shape of its output."""
    return mask if np.ndim(mask) == out.ndim else np.broadcast_to(mask, out.shape)


def chosen_of(x, mask, out):
    """Of an operand of a ufunc, what stands where a mask of the shape of the output is true."""
    return x if np.ndim(x) == 0 else np.broadcast_to(x, out.shape)[mask]


def converted(x, dtype):
    """An operand of a ufunc in the dtype in which it is to compute."""
    return np.full(1, cast(x, dtype), dtype)[0] if np.ndim(x) == 0 else cast(x, dtype)
