"""Parts of arrays along an axis, for the other files of the library."""

from __future__ import annotations

import numpy as np


def after(a, axis):
    """All but the first along an axis."""
    return a[(slice(None),) * axis + (slice(1, None),)]


def before(a, axis):
    """All but the last along an axis."""
    return a[(slice(None),) * axis + (slice(None, -1),)]


def along(v, axis, ndim):
    """A vector that lies along one axis of an array."""
    return v[(None,) * axis + (slice(None),) + (None,) * (ndim - axis - 1)]


def edge(value, a, axis):
    """A number as an array of length one along an axis, otherwise of the shape of `a`."""
    if np.ndim(value) == 0:
        return np.full(a.shape[:axis] + (1,) + a.shape[axis + 1 :], value)
    return value


def row(value, like):
    """Something as a vector of the dtype of another."""
    return np.ravel(value).astype(like.dtype)
