"""Differences of neighbours, and sums with weights made of them."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import after, along, array_of, before, edge, part, row


@instead_of(np.ptp)
def ptp(a, axis=None, *, keepdims=False):
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


@instead_of(np.diff)
def diff(a, n=1, axis=-1, prepend=None, append=None):
    if n < 0:
        raise ValueError("order must be non-negative")
    axis = axis_of(axis, a.ndim)
    prepend, append = array_of(prepend), array_of(append)
    if prepend is not None:
        a = np.concatenate((edge(prepend, a, axis), a), axis=axis)
    if append is not None:
        a = np.concatenate((a, edge(append, a, axis)), axis=axis)
    for _ in range(n):
        if a.dtype == np.bool_:
            a = after(a, axis) != before(a, axis)
        else:
            a = after(a, axis) - before(a, axis)
    return a


@instead_of(np.ediff1d)
def ediff1d(ary, to_end=None, to_begin=None):
    flat = np.ravel(ary)
    d = flat[1:] - flat[:-1]
    if not np.iscomplexobj(d) and (np.iscomplexobj(to_end) or np.iscomplexobj(to_begin)):
        return refuse("np.ediff1d of real numbers with complex ones beside them", "x + 0j")
    if to_begin is not None:
        d = np.concatenate((row(to_begin, d), d))
    if to_end is not None:
        d = np.concatenate((d, row(to_end, d)))
    return d


@instead_of(np.trapezoid, *([np.trapz] if hasattr(np, "trapz") else []))
def trapezoid(y, x=None, dx=1.0, axis=-1):
    axis = axis_of(axis, y.ndim)
    if x is None:
        d = dx
    elif np.ndim(x) == 1:
        d = along(np.diff(x), axis, y.ndim)
    else:
        d = np.diff(x, axis=axis)
    return np.sum(d * (after(y, axis) + before(y, axis)) / 2.0, axis=axis)


@instead_of(np.unwrap)
def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    axis = axis_of(axis, p.ndim)
    d = np.diff(p, axis=axis)
    wrapped = np.mod(d + period / 2, period) - period / 2
    wrapped = np.where((wrapped == -period / 2) & (d > 0), period / 2, wrapped)
    jumps = np.where(np.abs(d) < (period / 2 if discont is None else max(discont, period / 2)), 0.0, wrapped - d)
    start = np.zeros_like(part(p, axis, 0, 1))
    return p + np.concatenate((start, np.cumsum(jumps, axis=axis)), axis=axis)


@instead_of(np.gradient)
def gradient(f, *varargs, axis=None, edge_order=1):
    if axis is None:
        if f.ndim == 1:
            return slope(f, spacing(varargs, 0), 0, edge_order)
        if f.ndim == 2:
            return slope(f, spacing(varargs, 0), 0, edge_order), slope(f, spacing(varargs, 1), 1, edge_order)
        if f.ndim == 3:
            return (
                slope(f, spacing(varargs, 0), 0, edge_order),
                slope(f, spacing(varargs, 1), 1, edge_order),
                slope(f, spacing(varargs, 2), 2, edge_order),
            )
        return refuse("np.gradient of more than three axes", "np.gradient(x, axis=(0, 1, 2, 3))")
    if isinstance(axis, tuple):
        slopes = ()
        for k in range(len(axis)):
            slopes = slopes + (slope(f, spacing(varargs, k), axis_of(axis[k], f.ndim), edge_order),)
        return slopes
    return slope(f, spacing(varargs, 0), axis_of(axis, f.ndim), edge_order)


def spacing(varargs, k):
    """The step or the coordinates along the k-th axis; None for steps of one."""
    if len(varargs) == 0:
        return None
    return varargs[0] if len(varargs) == 1 else varargs[k]


def slope(f, h, axis, edge_order):
    """Second differences inside; at the edges, those of first or second order."""
    if f.shape[axis] < edge_order + 1:
        raise ValueError("np.gradient needs edge_order + 1 elements along an axis")
    head = (slice(None),) * axis
    first, second = f[head + (0,)], f[head + (1,)]
    last, before_last = f[head + (-1,)], f[head + (-2,)]
    y = np.empty(f.shape, np.float64 if f.dtype == np.int64 else f.dtype)
    if h is None:
        y[head + (slice(1, -1),)] = (f[head + (slice(2, None),)] - f[head + (slice(None, -2),)]) / 2.0
        h0, h1, h2, h3 = 1.0, 1.0, 1.0, 1.0
    elif np.ndim(h) == 0:
        y[head + (slice(1, -1),)] = (f[head + (slice(2, None),)] - f[head + (slice(None, -2),)]) / (2.0 * h)
        h0, h1, h2, h3 = h, h, h, h
    else:
        if len(h) != f.shape[axis]:
            raise ValueError("np.gradient with another number of coordinates than of elements along their axis")
        d = np.diff(h)
        h0, h1, h2, h3 = d[0], d[1], d[-2], d[-1]
        left, right = along(d[:-1], axis, f.ndim), along(d[1:], axis, f.ndim)
        y[head + (slice(1, -1),)] = (
            -right / (left * (left + right)) * f[head + (slice(None, -2),)]
            + (right - left) / (left * right) * f[head + (slice(1, -1),)]
            + left / (right * (left + right)) * f[head + (slice(2, None),)]
        )
    if edge_order == 2:
        third, before_these = f[head + (2,)], f[head + (-3,)]
        y[head + (0,)] = (
            -(2.0 * h0 + h1) / (h0 * (h0 + h1)) * first
            + (h0 + h1) / (h0 * h1) * second
            - h0 / (h1 * (h0 + h1)) * third
        )
        y[head + (-1,)] = (
            h3 / (h2 * (h2 + h3)) * before_these
            - (h3 + h2) / (h2 * h3) * before_last
            + (2.0 * h3 + h2) / (h3 * (h2 + h3)) * last
        )
    elif h is None:
        y[head + (0,)] = second - first
        y[head + (-1,)] = last - before_last
    else:
        y[head + (0,)] = (second - first) / h0
        y[head + (-1,)] = (last - before_last) / h3
    return y
