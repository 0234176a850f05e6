"""Calls with arguments of the dtype, of the memory or of nothing, that the rules of these functions don't have."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of
from srcad.library.axes import array_of
from srcad.library.in_place import converted


@instead_of(np.clip, given=("dtype", "casting", "order", "subok"))
def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, dtype=None, casting="same_kind", order="K",
         subok=True):  # fmt: skip
    low = a_min if min is None else min
    high = a_max if max is None else max
    if dtype is None:
        return np.clip(a, low, high)
    lower = None if low is None else converted(low, dtype)
    upper = None if high is None else converted(high, dtype)
    return np.clip(converted(array_of(a), dtype), lower, upper)


@instead_of(np.trace, given=("dtype",))
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


@instead_of(np.ones, given=("device", "like"))
def ones(shape, dtype=float, order="C", *, device=None, like=None):
    return np.ones(shape, dtype, order=order)


@instead_of(np.zeros, given=("device", "like"))
def zeros(shape, dtype=float, order="C", *, device=None, like=None):
    return np.zeros(shape, dtype, order=order)


@instead_of(np.full, given=("device", "like"))
def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    return np.full(shape, fill_value, dtype, order=order)


@instead_of(np.full_like, given=("shape", "subok", "device"))
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    if shape is None:
        return np.full_like(a, fill_value, dtype, order=order)
    return np.full(shape, fill_value, array_of(a).dtype if dtype is None else dtype)


@instead_of(np.eye, given=("order", "device", "like"))
def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    return np.eye(N, M, k, dtype)


@instead_of(np.arange, given=("device", "like"))
def arange(start, stop=None, step=1, dtype=None, *, device=None, like=None):
    return np.arange(0, start, step, dtype) if stop is None else np.arange(start, stop, step, dtype)


@instead_of(np.broadcast_to, given=("subok",))
def broadcast_to(array, shape, subok=False):
    return np.broadcast_to(array, shape)


@instead_of(np.copy, given=("subok",))
def copy(a, order="K", subok=False):
    return np.copy(a, order)
