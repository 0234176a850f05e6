"""Partial sums and products."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of
from srcad.library.axes import part


@instead_of(np.cumsum, given=("dtype",))
def cumsum(a, axis=None, dtype=None):
    return np.cumsum(a if dtype is None else a.astype(dtype), axis=axis)


@instead_of(np.cumprod)
def cumprod(a, axis=None, dtype=None):
    flat = np.ravel(a) if axis is None else a
    axis = 0 if axis is None else axis_of(axis, a.ndim)
    y = np.copy(flat) if dtype is None else flat.astype(dtype)
    if a.dtype == np.bool_ and dtype is None:
        y = flat.astype(np.int64)
    head = (slice(None),) * axis
    for i in range(1, flat.shape[axis]):
        y[head + (i,)] *= y[head + (i - 1,)]
    return y


if hasattr(np, "cumulative_sum"):

    @instead_of(np.cumulative_sum)
    def cumulative_sum(x, *, axis=None, dtype=None, include_initial=False):
        k = 0 if axis is None else axis_of(axis, x.ndim)
        y = np.cumsum(x, axis=k, dtype=dtype)
        return np.concatenate((np.zeros_like(part(y, k, 0, 1)), y), axis=k) if include_initial else y

    @instead_of(np.cumulative_prod)
    def cumulative_prod(x, *, axis=None, dtype=None, include_initial=False):
        k = 0 if axis is None else axis_of(axis, x.ndim)
        y = np.cumprod(x, axis=k, dtype=dtype)
        return np.concatenate((np.ones_like(part(y, k, 0, 1)), y), axis=k) if include_initial else y
