"""Reductions that leave out what is not a number: rules, and how Numba compiles them."""

import numpy as np

from srcad.rules.axes import kept, reduced_axes, spread
from srcad.rules.rule import lowers, rule
from srcad.runtime import nanmax_along, nanmean_along, nanmin_along, nansum_along


@rule(np.nansum)
def nansum(y, a, axis=None, dtype=None, *, keepdims=False):
    y.dot = np.sum(0.0 if np.isnan(a) else a.dot, axis=axis, keepdims=keepdims)
    a.bar += 0.0 if np.isnan(a) else spread(y.bar, axis, keepdims, a.ndim)


@rule(np.nanmean)
def nanmean(y, a, axis=None, dtype=None, *, keepdims=False):
    count = np.sum(0.0 if np.isnan(a) else 1.0, axis=axis, keepdims=keepdims)
    y.dot = np.sum(0.0 if np.isnan(a) else a.dot, axis=axis, keepdims=keepdims) / count
    a.bar += 0.0 if np.isnan(a) else spread(y.bar / count, axis, keepdims, a.ndim)


@rule(np.nanmax, np.nanmin)
def extreme(y, a, axis=None, *, keepdims=False):
    # Ties share; among no numbers, there is nothing to share.
    hit = a == spread(y, axis, keepdims, a.ndim)
    ties = np.maximum(np.sum(hit, axis=axis, keepdims=keepdims), 1)
    y.dot = np.sum(a.dot if hit else 0.0, axis=axis, keepdims=keepdims) / ties
    a.bar += spread(y.bar / ties, axis, keepdims, a.ndim) if hit else 0.0


@lowers(np.nansum)
def compiled_nansum(a, axis=None, dtype=None, *, keepdims=False):
    if keepdims:
        return kept(np.nansum(a, axis=axis), axis, a.ndim)
    if a.ndim > 0:
        return nansum_along(a, reduced_axes(axis, a.ndim))


@lowers(np.nanmean)
def compiled_nanmean(a, axis=None, dtype=None, *, keepdims=False):
    if keepdims:
        return kept(np.nanmean(a, axis=axis), axis, a.ndim)
    if a.ndim > 0:
        return nanmean_along(a, reduced_axes(axis, a.ndim))


@lowers(np.nanmax)
def compiled_nanmax(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.nanmax(a, axis=axis), axis, a.ndim)
    if a.ndim > 0:
        return nanmax_along(a, reduced_axes(axis, a.ndim))


@lowers(np.nanmin)
def compiled_nanmin(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.nanmin(a, axis=axis), axis, a.ndim)
    if a.ndim > 0:
        return nanmin_along(a, reduced_axes(axis, a.ndim))


@lowers(np.nanargmax)
def compiled_nanargmax(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.nanargmax(a, axis=axis), axis, a.ndim)


@lowers(np.nanargmin)
def compiled_nanargmin(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.nanargmin(a, axis=axis), axis, a.ndim)
