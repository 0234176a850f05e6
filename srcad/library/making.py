"""Arrays made from numbers, from functions and from other arrays."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of


@instead_of(np.linspace, given=("endpoint", "retstep", "dtype", "axis"))
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    if axis != 0 or dtype is not None:
        return refuse("np.linspace with axis= or dtype=", "np.linspace(...).astype(...), or np.moveaxis of it")
    step = (stop - start) / (num - 1 if endpoint else num)
    points = np.linspace(start, stop, num) if endpoint else start + np.arange(num) * step
    return (points, step) if retstep else points


@instead_of(np.logspace)
def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return base ** np.linspace(start, stop, num, endpoint)


@instead_of(np.geomspace)
def geomspace(start, stop, num=50, endpoint=True):
    return np.exp(np.linspace(np.log(start), np.log(stop), num, endpoint))


@instead_of(np.resize)
def resize(a, new_shape):
    flat = np.ravel(a)
    size = 1
    if isinstance(new_shape, tuple):
        for k in range(len(new_shape)):
            size = size * new_shape[k]
    else:
        size = new_shape
    return np.reshape(flat[np.arange(size) % flat.size], new_shape)


@instead_of(np.modf)
def modf(x):
    whole = np.trunc(x)
    return x - whole, whole


if hasattr(np, "row_stack"):

    @instead_of(np.row_stack)
    def row_stack(tup):
        return np.vstack(tup)


@instead_of(np.polyfit)
def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full or cov:
        return refuse("np.polyfit with full= or cov=", "np.linalg.lstsq")
    powers = np.vander(x, deg + 1)
    wanted = y
    if w is not None:
        powers = powers * w[:, None]
        wanted = y * w if y.ndim == 1 else y * w[:, None]
    scale = np.sqrt(np.sum(np.square(powers), axis=0))
    c = np.linalg.lstsq(powers / scale, wanted)[0]
    return c / scale if y.ndim == 1 else c / scale[:, None]


@instead_of(np.histogram, np.histogram_bin_edges, given=("weights", "density"))
def histogram(a, bins=10, range=None, density=None, weights=None):
    return refuse("np.histogram with weights= or density=", "np.bincount(np.digitize(x, edges), weights)")


@instead_of(np.nan_to_num, given=("copy",))
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not copy:
        return refuse("np.nan_to_num with copy=False", "x[...] = np.nan_to_num(x)")
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


@instead_of(np.trim_zeros)
def trim_zeros(filt, trim="fb"):
    places = np.flatnonzero(array_of(filt))
    first = places[0] if "f" in trim else 0
    last = places[-1] if "b" in trim else np.size(filt) - 1
    return filt[first : last + 1]
