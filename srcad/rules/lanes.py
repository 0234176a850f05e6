"""What happens to each vector along an axis: rotations, gathers, orders; rules, and how Numba compiles them."""

import numpy as np

from srcad.rules.axes import kept, opposite, rolls
from srcad.rules.dtypes import common, floating, is_complex
from srcad.rules.rule import lowers, rule
from srcad.runtime import (
    added_along, argmax_along, argmin_along, argpartition_along, argsort_along, convolved, correlated, counted,
    cumsum_along, lower_triangle, partition_along, places_in, sort_along, take_along, upper_triangle,
)  # fmt: skip


@rule(np.roll)
def roll(y, a, shift, axis=None):
    y.dot = np.roll(a.dot, shift, axis=axis)
    a.bar += np.roll(y.bar, opposite(shift), axis=axis)


@rule(np.take_along_axis)
def take_along_axis(y, arr, indices, axis=-1):
    y.dot = np.take_along_axis(arr.dot, indices, axis)
    arr.bar += added_along(y.bar, indices, arr, axis)


@rule(np.bincount)
def bincount(y, x, weights=None, minlength=0):
    y.dot = np.bincount(x, weights.dot, minlength)
    weights.bar += y.bar[x]


@rule(added_along)
def add_along(y, values, indices, like, axis):
    y.dot = added_along(values.dot, indices, like, axis)
    values.bar += np.take_along_axis(y.bar, indices, axis)


@lowers(np.roll)
def compiled_roll(a, shift, axis=None):
    if axis is not None:
        return rolls(a, shift, axis)


@lowers(np.tril)
def tril(m, k=0):
    if m.ndim > 1:
        return lower_triangle(m, k)


@lowers(np.triu)
def triu(m, k=0):
    if m.ndim > 1:
        return upper_triangle(m, k)


@lowers(np.take_along_axis)
def compiled_take_along_axis(arr, indices, axis=-1):
    return take_along(arr, indices, axis)


@lowers(np.argsort)
def argsort(a, axis=-1, kind=None):
    if axis is None:
        return argsort_along(np.ravel(a), 0)
    return argsort_along(a, axis)


@lowers(np.searchsorted)
def searchsorted(a, v, side="left", sorter=None):
    if v.ndim > 0 and sorter is None:
        return places_in(a, v, side)


@lowers(np.bincount)
def compiled_bincount(x, weights=None, minlength=0):
    return counted(x, weights, minlength)


@lowers(np.convolve)
def compiled_convolve(a, v):
    if floating(a, v):
        x, y = common(a, v)
        return convolved(x, y)


@lowers(np.correlate)
def compiled_correlate(a, v, mode="valid"):
    # Rules correlate what is longer with what is shorter.
    if mode == "valid" and floating(a, v):
        x, y = common(a, v)
        return correlated(x, y)


@lowers(np.sort)
def sort(a, axis=-1):
    return sort_along(a, axis)


@lowers(np.argpartition)
def argpartition(a, kth, axis=-1):
    return argpartition_along(a, kth, axis)


@lowers(np.partition)
def partition(a, kth, axis=-1):
    return partition_along(a, kth, axis)


@lowers(np.argmax)
def argmax(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.argmax(a, axis=axis), axis, a.ndim)
    if a.ndim > 0:
        return argmax_along(np.ravel(a), 0) if axis is None else argmax_along(a, axis)


@lowers(np.argmin)
def argmin(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.argmin(a, axis=axis), axis, a.ndim)
    if a.ndim > 0:
        return argmin_along(np.ravel(a), 0) if axis is None else argmin_along(a, axis)


@lowers(np.count_nonzero)
def count_nonzero(a, axis=None, *, keepdims=False):
    if keepdims:
        return kept(np.count_nonzero(a, axis=axis), axis, a.ndim)
    if axis is not None and is_complex(a):
        return np.count_nonzero(a != 0, axis=axis)


@lowers(np.cumsum)
def cumsum(a, axis=None):
    if axis is not None:
        return cumsum_along(a, axis)
