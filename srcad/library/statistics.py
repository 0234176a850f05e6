"""Averages, covariances, order statistics."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse, static
from srcad.library.axes import along, array_of, cast, conjugate, double, kept, last
from srcad.runtime import nth_smallest


OF_ELEMENTS = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
"""Methods whose quantiles are elements, and of their dtype."""


@instead_of(np.average)
def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        mean = np.mean(a, axis=axis, keepdims=keepdims)
        return (mean, np.size(a) / np.size(mean) + np.zeros_like(mean)) if returned else mean
    w = array_of(weights)
    if np.ndim(w) < a.ndim:
        w = beside_axes(w, axis, a.ndim) if isinstance(axis, tuple) else along(w, axis_of(axis, a.ndim), a.ndim)
    scale = np.sum(w if not returned else w + np.zeros_like(a), axis=axis, keepdims=keepdims)
    mean = np.sum(a * w, axis=axis, keepdims=keepdims) / scale
    return (mean, scale) if returned else mean


def beside_axes(w, axes, ndim):
    """Weights with an axis for each of `axes`, in this order, with axes of length one in place of all others."""
    return np.moveaxis(w[(...,) + (None,) * (ndim - len(axes))], count_of(axes), axes)


@static
def count_of(axes):
    """
    >>> count_of((2, 0))
    (0, 1)
    """
    return tuple(range(len(axes)))


@instead_of(np.cov)
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    x = rows(m, rowvar, dtype)
    if y is not None:
        x = np.concatenate((x, rows(y, rowvar, dtype)), axis=0)
    free = (0 if bias else 1) if ddof is None else ddof
    if fweights is None and aweights is None:
        d = x - np.mean(x, axis=1, keepdims=True)
        c = d @ conjugate(d.T) / (x.shape[1] if bias and ddof is None else max(x.shape[1] - free, 0))
    else:
        fweights, aweights = array_of(fweights), array_of(aweights)
        w = aweights if fweights is None else fweights if aweights is None else fweights * aweights
        total = np.sum(w)
        d = x - (np.sum(x * w, axis=1) / total)[:, None]
        lost = free if aweights is None else free * np.sum(w * aweights) / total
        c = (d * w) @ conjugate(d.T) / (total - lost if ddof is None else np.maximum(total - lost, 0.0))
    return c[0, 0] if m.ndim == 1 and y is None else c


def rows(m, rowvar, dtype):
    """Variables as rows, in the precision in which they are compared."""
    x = double(m) if dtype is None else cast(m, dtype)
    if m.ndim == 1:
        return x[None, :]
    return x if rowvar else x.T


@instead_of(np.corrcoef)
def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    c = np.cov(x, y, rowvar, dtype=dtype)
    if np.ndim(c) == 0:
        return c / c
    s = np.sqrt(np.real(np.diag(c)) if np.iscomplexobj(c) else np.diag(c))
    r = c / s[:, None] / s[None, :]
    if np.iscomplexobj(r):
        return np.clip(np.real(r), -1.0, 1.0) + 1j * np.clip(np.imag(r), -1.0, 1.0)
    return np.clip(r, -1.0, 1.0)


# ---------------------------------------------------------------- order


@instead_of(np.sort)
def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    if order is not None:
        return refuse("np.sort with order=", "the call without order=: these arrays have no fields")
    if axis is None:
        flat = np.ravel(a)
        return flat[np.argsort(flat, kind="stable")]
    if a.ndim == 1:
        return a[np.argsort(a, kind="stable")]
    return np.take_along_axis(a, np.argsort(a, axis=axis, kind="stable"), axis)


@instead_of(np.median)
def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    values = last(a, axis)
    n = values.shape[-1]
    both = nth(values, np.array([(n - 1) // 2, n // 2]))
    return kept(0.5 * both[..., 0] + 0.5 * both[..., 1], a, axis, keepdims)


def nth(values, orders, numbers=False):
    """The elements of some orders, or some of each row, along the last axis."""
    places = nth_smallest(values, orders, numbers)
    return values[places] if values.ndim == 1 else np.take_along_axis(values, places, -1)


@instead_of(np.percentile)
def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return np.quantile(a, array_of(q) / 100.0, axis, None, False, method, keepdims, weights=weights)


@instead_of(np.quantile)
def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    if weights is not None:
        return weighted(a, part(q), axis, method, weights, keepdims)
    values = last(ordered(a), axis)
    n = values.shape[-1]
    place = np.clip(position(part(q), n, method), 0.0, n - 1.0)
    if np.ndim(q) > 0:
        result = several(values, place, method)
        return widened(result, a, axis, np.ndim(q)) if keepdims else result
    below = int(np.floor(place))
    both = nth(values, np.array([below, min(below + 1, n - 1)]))
    result = both[..., 0] + (place - below) * (both[..., 1] - both[..., 0])
    return kept(narrowed(result, values, q, method), a, axis, keepdims)


def part(q):
    """How much of the elements is below a quantile."""
    q = array_of(q)
    if not (0.0 <= q <= 1.0 if np.ndim(q) == 0 else np.all((q >= 0.0) & (q <= 1.0))):
        raise ValueError("Quantiles must be in the range [0, 1], percentiles in the range [0, 100]")
    return q


def ordered(a):
    """Elements of which there are quantiles. Of complex numbers, NumPy has the median alone."""
    if np.iscomplexobj(a):
        return refuse("a quantile of complex numbers", "np.median, or that of np.abs or np.real")
    return a


def narrowed(result, values, q, method):
    """A quantile in the precision that NumPy gives: Python's own number for a part adopts that of the elements."""
    single = method in OF_ELEMENTS or not isinstance(q, np.generic) or q.dtype == np.float32
    return result.astype(np.float32) if values.dtype == np.float32 and single else result


def weighted(a, q, axis, method, weights, keepdims):
    """The first of the sorted elements up to which the weights make up a part of all."""
    if method != "inverted_cdf":
        return refuse("np.quantile with weights= in this method", "method='inverted_cdf'")
    if a.ndim != 1 and axis is not None:
        return refuse("np.quantile with weights= along an axis", "a loop over the rows")
    values = np.ravel(a)
    order = np.argsort(values)
    sums = np.cumsum(np.ravel(array_of(weights))[order])
    parts = np.where(sums == 0.0, -1.0, sums / sums[-1])
    result = values[order[np.minimum(np.searchsorted(parts, q), values.size - 1)]]
    return np.reshape(result, np.shape(q) + (1,) * a.ndim) if keepdims else result


def widened(y, a, axis, front):
    """Quantiles of `a`, behind axes of their own, with the axes of the reduction."""
    if axis is None:
        return np.reshape(y, y.shape + (1,) * a.ndim)
    return np.expand_dims(y, tuple_of_axes(axis, a.ndim, front))


def tuple_of_axes(axis, ndim, front):
    """Axes of an array that others came in front of."""
    if not isinstance(axis, tuple):
        return axis_of(axis, ndim) + front
    if len(axis) == 1:
        return axis_of(axis[0], ndim) + front
    if len(axis) == 2:
        return axis_of(axis[0], ndim) + front, axis_of(axis[1], ndim) + front
    return axis_of(axis[0], ndim) + front, axis_of(axis[1], ndim) + front, axis_of(axis[2], ndim) + front


def several(values, place, method):
    """What lies at several places among the elements along the last axis, once they are sorted."""
    places, n = np.ravel(place), values.shape[-1]
    below = np.floor(places).astype(np.int64)
    if method in OF_ELEMENTS:
        result = nth(values, below)
    else:
        both = nth(values, np.concatenate((below, np.minimum(below + 1, n - 1))))
        lower, upper = both[..., : below.size], both[..., below.size :]
        result = lower + (places - below) * (upper - lower)
    result = np.moveaxis(result, -1, 0) if values.ndim > 1 else result
    return result if np.ndim(place) == 1 else np.reshape(result, place.shape + values.shape[:-1])


@instead_of(np.nanpercentile)
def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    return np.nanquantile(a, array_of(q) / 100.0, axis, None, False, method, keepdims, weights=weights)


@instead_of(np.nanmedian)
def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    return of_numbers(a, 0.5, axis, "linear", keepdims)


@instead_of(np.nanquantile)
def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    if weights is not None:
        a = array_of(a)
        return weighted(a, part(q), axis, method, np.where(np.isnan(a), 0.0, array_of(weights)), keepdims)
    return of_numbers(ordered(a), q, axis, method, keepdims)


def of_numbers(a, q, axis, method, keepdims):
    """Quantiles of those elements that are numbers."""
    values = last(a, axis)
    n = np.sum(~np.isnan(values), axis=-1, keepdims=True)
    parts = np.ravel(part(q))
    place = np.clip(position(parts, n, method), 0.0, np.maximum(n - 1.0, 0.0))
    below = np.floor(place).astype(np.int64)
    both = nth(values, np.concatenate((below, np.minimum(below + 1, np.maximum(n - 1, 0))), axis=-1), True)
    lower, upper = both[..., : parts.size], both[..., parts.size :]
    result = lower + (place - below) * (upper - lower)
    if np.ndim(q) == 0:
        return kept(narrowed(result[..., 0], values, q, method), a, axis, keepdims)
    same = method in OF_ELEMENTS or parts.dtype == np.float32
    result = np.moveaxis(result, -1, 0).astype(a.dtype if same else np.float64)
    result = widened(result, a, axis, 1) if keepdims else result
    return result if np.ndim(q) == 1 else np.reshape(result, array_of(q).shape + result.shape[1:])


@instead_of(np.partition)
def partition(a, kth, axis=-1, kind="introselect", order=None):
    if order is not None:
        return refuse("np.partition with order=", "the call without order=: these arrays have no fields")
    if axis is None:
        flat = np.ravel(a)
        return flat[np.argpartition(flat, kth)]
    if a.ndim == 1:
        return a[np.argpartition(a, kth)]
    return np.take_along_axis(a, np.argpartition(a, kth, axis=axis), axis)


def position(q, n, method):
    """Where among n sorted numbers a quantile lies (Hyndman and Fan, 1996)."""
    if method == "linear":
        return (n - 1) * q
    if method == "lower":
        return np.floor((n - 1) * q)
    if method == "higher":
        return np.ceil((n - 1) * q)
    if method == "nearest":
        return np.rint((n - 1) * q)
    if method == "midpoint":
        return 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q))
    if method == "hazen":
        return n * q - 0.5
    if method == "weibull":
        return (n + 1) * q - 1.0
    if method == "median_unbiased":
        return n * q + (1.0 / 3.0 + q / 3.0) - 1.0
    if method == "normal_unbiased":
        return n * q + (3.0 / 8.0 + q / 4.0) - 1.0
    if method == "interpolated_inverted_cdf":
        return n * q - 1.0
    # The product alone decides which element it is: it must not become one operation with a subtraction.
    place = n * q
    below = np.floor(place)
    if method == "inverted_cdf":
        return np.ceil(place) - 1.0
    if method == "averaged_inverted_cdf":
        return below - np.where(place == below, 0.5, 0.0)
    if method == "closest_observation":
        before = below - np.where(place >= below + 0.5, 1.0, 2.0)
        return before + np.where((place == below + 0.5) & (before % 2 == 1), 0.0, 1.0)
    return refuse("np.quantile with this method=", "method='linear'")
