"""Arrays made from numbers, from functions and from other arrays."""

from __future__ import annotations

import math

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, cast
from srcad.runtime import exponents, mantissas


@instead_of(np.linspace)
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    first, last = array_of(start), array_of(stop)
    points = spaced(first, last, num, endpoint)
    points = points if dtype is None else points.astype(dtype)
    points = points if axis == 0 else np.moveaxis(points, 0, axis)
    return (points, (last - first) / (num - 1 if endpoint else num)) if retstep else points


def spaced(start, stop, num, endpoint):
    """Evenly spaced numbers or arrays, along a new first axis."""
    if np.ndim(start) == 0 and np.ndim(stop) == 0 and endpoint:
        return np.linspace(start, stop, num)
    span = stop - start
    rates = np.arange(num) / (max(num - 1, 1) if endpoint else num)
    if span.dtype == np.float32 or span.dtype == np.complex64:
        rates = rates.astype(np.float32)
    return start + rates[(slice(None),) + (None,) * np.ndim(span)] * span


@instead_of(np.logspace)
def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    return np.power(base, np.linspace(start, stop, num, endpoint, False, dtype, axis))


@instead_of(np.geomspace)
def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    first, last = in_double(array_of(start)), in_double(array_of(stop))
    points = first * np.exp(np.linspace(0.0, np.log(last / first), num, endpoint))
    points = points if dtype is None else points.astype(dtype)
    return points if axis == 0 else np.moveaxis(points, 0, axis)


def in_double(x):
    """A number or an array, of 64 bits for a real one."""
    if x.dtype == np.float32:
        return np.float64(x) if np.ndim(x) == 0 else x.astype(np.float64)
    if x.dtype == np.complex64:
        return np.complex128(x) if np.ndim(x) == 0 else x.astype(np.complex128)
    return x


@instead_of(np.resize)
def resize(a, new_shape):
    flat = np.ravel(a)
    size = 1
    if isinstance(new_shape, tuple):
        for k in range(len(new_shape)):
            size = size * new_shape[k]
    else:
        size = new_shape
    times = -(-size // flat.size)
    return np.reshape(np.broadcast_to(flat, (times, flat.size)).flatten()[:size], new_shape)


@instead_of(np.reshape, given=("copy",))
def reshape(a, shape=None, order="C", *, copy=None):
    if copy is False:
        return refuse("np.reshape with copy=False", "np.reshape without it, which copies where it has to")
    return np.copy(np.reshape(a, shape, order)) if copy else np.reshape(a, shape, order)


@instead_of(np.array, given=("copy", "ndmin", "subok", "like"))
def array(object, dtype=None, *, copy=True, order=None, subok=False, ndmin=0, like=None):
    y = np.array(object, dtype) if copy else np.asarray(object, dtype)
    return np.reshape(y, (1,) * (ndmin - y.ndim) + y.shape) if ndmin > np.ndim(y) else y


@instead_of(np.asarray, np.asanyarray, given=("copy",))
def asarray(a, dtype=None, order=None, *, device=None, copy=None):
    return np.array(a, dtype) if copy else np.asarray(a, dtype)


if hasattr(np, "astype"):

    @instead_of(np.astype, given=("copy", "order", "casting", "subok", "device"))
    def astype(x, dtype, order="K", casting="unsafe", subok=True, copy=True, device=None):
        return cast(x, dtype, casting) if copy else np.asarray(x, dtype)


@instead_of(np.sort_complex)
def sort_complex(a):
    ordered = np.sort(a)
    return ordered if np.iscomplexobj(a) else ordered.astype(np.complex128)


@instead_of(np.require)
def require(a, dtype=None, requirements=None):
    return np.asarray(a, dtype)


@instead_of(np.real_if_close)
def real_if_close(a, tol=100):
    if np.iscomplexobj(a) and np.all(np.abs(np.imag(a)) < (tol * np.finfo(np.real(a).dtype).eps if tol > 1 else tol)):
        raise ValueError("np.real_if_close of complex numbers that are close to real ones: write np.real")
    return np.asarray(a)


@instead_of(np.kaiser)
def kaiser(M, beta):
    if np.iscomplexobj(M) or np.iscomplexobj(beta):
        return refuse("np.kaiser of complex numbers", "np.real(beta)")
    middle = (M - 1) / 2.0
    return np.i0(beta * np.sqrt(1.0 - ((np.arange(M) - middle) / max(middle, 0.5)) ** 2)) / np.i0(beta)


@instead_of(np.diag_indices)
def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


@instead_of(np.diag_indices_from)
def diag_indices_from(arr):
    for k in range(1, arr.ndim):
        if arr.shape[k] != arr.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return (np.arange(arr.shape[0]),) * arr.ndim


@instead_of(np.fromfunction)
def fromfunction(function, shape, *, dtype=float):
    if len(shape) == 2:
        rows, columns = np.arange(shape[0]).astype(dtype), np.arange(shape[1]).astype(dtype)
        return function(np.copy(np.broadcast_to(rows[:, None], shape)), np.copy(np.broadcast_to(columns, shape)))
    places = 1.0 * np.indices(shape) if dtype is float else np.indices(shape, dtype)
    if len(shape) == 1:
        return function(places[0])
    if len(shape) == 3:
        return function(places[0], places[1], places[2])
    return refuse("np.fromfunction of more than three axes", "np.indices")


@instead_of(np.frexp, math.frexp)
def frexp(x):
    return mantissas(x), exponents(x)


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
    powers = np.vander(x, deg + 1)
    wanted = y
    if w is not None:
        powers = powers * w[:, None]
        wanted = y * w if y.ndim == 1 else y * w[:, None]
    scale = np.sqrt(np.sum(np.square(powers), axis=0))
    c, residuals, rank, values = np.linalg.lstsq(powers / scale, wanted, rcond)
    c = c / scale if y.ndim == 1 else c / scale[:, None]
    if full:
        return c, residuals, rank, values, np.size(x) * np.finfo(np.float64).eps if rcond is None else rcond
    if not cov:
        return c
    spread = np.linalg.inv((powers / scale).T @ (powers / scale)) / np.outer(scale, scale)
    if isinstance(cov, str):
        return c, spread if y.ndim == 1 else spread[:, :, None]
    if np.size(x) <= deg + 1:
        raise ValueError("the number of data points must exceed order to scale the covariance matrix")
    noise = residuals / (np.size(x) - deg - 1)
    return c, spread * noise if y.ndim == 1 else spread[:, :, None] * noise


@instead_of(np.nan_to_num, given=("copy",))
def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not copy:
        x[...] = np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
        return x
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


@instead_of(np.trim_zeros)
def trim_zeros(filt, trim="fb"):
    places = np.flatnonzero(array_of(filt))
    first = places[0] if "f" in trim else 0
    last = places[-1] if "b" in trim else np.size(filt) - 1
    return filt[first : last + 1]
