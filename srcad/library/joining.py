"""Arrays laid on top of each other, spread into grids, and brought to a rank."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, cast


@instead_of(np.concatenate, given=("dtype", "casting"))
def concatenate(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    y = np.concatenate(arrays, axis)
    return y if dtype is None else cast(y, dtype, casting)


@instead_of(np.stack, given=("dtype", "casting"))
def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    y = np.stack(arrays, axis)
    return y if dtype is None else cast(y, dtype, casting)


@instead_of(np.hstack, given=("dtype", "casting"))
def hstack(tup, *, dtype=None, casting="same_kind"):
    y = np.hstack(tup)
    return y if dtype is None else cast(y, dtype, casting)


@instead_of(np.vstack, given=("dtype", "casting"))
def vstack(tup, *, dtype=None, casting="same_kind"):
    y = np.vstack(tup)
    return y if dtype is None else cast(y, dtype, casting)


@instead_of(np.meshgrid)
def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    places = ()
    shape = ()
    for k in range(len(xi)):
        places = places + ((1 - k if indexing == "xy" and len(xi) > 1 and k < 2 else k),)
    for k in range(len(xi)):
        shape = shape + (np.size(array_of(xi[places[k]])),)
    grids = ()
    for k in range(len(xi)):
        p = places[k]
        x = np.reshape(array_of(xi[k]), -1)[(None,) * p + (slice(None),) + (None,) * (len(xi) - p - 1)]
        x = x if sparse else np.broadcast_to(x, shape)
        grids = grids + (np.copy(x) if copy else x,)
    return grids


@instead_of(np.atleast_1d)
def atleast_1d(*arys):
    if len(arys) == 1:
        return np.atleast_1d(array_of(arys[0]))
    results = ()
    for k in range(len(arys)):
        results = results + (np.atleast_1d(array_of(arys[k])),)
    return results


@instead_of(np.atleast_2d)
def atleast_2d(*arys):
    if len(arys) == 1:
        return np.atleast_2d(array_of(arys[0]))
    results = ()
    for k in range(len(arys)):
        results = results + (np.atleast_2d(array_of(arys[k])),)
    return results


@instead_of(np.atleast_3d)
def atleast_3d(*arys):
    if len(arys) == 1:
        return np.atleast_3d(array_of(arys[0]))
    results = ()
    for k in range(len(arys)):
        results = results + (np.atleast_3d(array_of(arys[k])),)
    return results


@instead_of(np.ix_)
def ix_(*args):
    grids = ()
    for k in range(len(args)):
        places = array_of(args[k])
        if np.ndim(places) != 1:
            return refuse("np.ix_ of arrays that are no vectors", "vectors of integers, one for each axis")
        if places.dtype == np.bool_:
            places = np.nonzero(places)[0]
        grids = grids + (places[(None,) * k + (slice(None),) + (None,) * (len(args) - k - 1)],)
    return grids


@instead_of(np.broadcast_arrays)
def broadcast_arrays(*args):
    total = args[0]
    for k in range(1, len(args)):
        total = np.broadcast_to(total, np.broadcast_shapes(np.shape(total), np.shape(args[k])))
    results = ()
    for k in range(len(args)):
        results = results + (np.broadcast_to(args[k], np.broadcast_shapes(np.shape(total), np.shape(args[k]))),)
    return results


# ---------------------------------------------------------------- np.r_ and np.c_


def by_rows(*parts):
    """``np.r_[...]``: arrays and numbers, one after the other."""
    vectors = ()
    for k in range(len(parts)):
        vectors = vectors + (vector(array_of(parts[k]), parts),)
    return np.concatenate(vectors)


def by_columns(*parts):
    """``np.c_[...]``: columns and matrices, side by side."""
    columns = ()
    for k in range(len(parts)):
        part = vector(array_of(parts[k]), parts)
        columns = columns + (part[:, None] if part.ndim == 1 else part,)
    return np.concatenate(columns, axis=-1)


def vector(x, others):
    """A number as a vector, in the precision that it takes on beside arrays."""
    if np.ndim(x) > 0:
        return x
    y = np.atleast_1d(x)
    for k in range(len(others)):
        if np.ndim(others[k]) > 0:
            y = y if others[k].dtype == np.float64 else np.zeros(1, others[k].dtype) + x
    return y


def dense_grid(*axes):
    """``np.mgrid[...]`` of the numbers along each axis."""
    return np.stack(np.meshgrid(*axes, indexing="ij"))


def open_grid(*axes):
    """``np.ogrid[...]`` of the numbers along each axis."""
    return np.meshgrid(*axes, indexing="ij", sparse=True)
