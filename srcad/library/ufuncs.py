"""The methods of ufuncs: ``np.add.reduce``, ``np.multiply.accumulate``, ``np.maximum.outer``, ``np.add.reduceat``."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import array_of, beside, kept

# ---------------------------------------------------------------- reductions that have a name of their own


@instead_of(np.add.reduce)
def sum_of(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return np.sum(array, axis, dtype, None, keepdims, initial, where)


@instead_of(np.multiply.reduce)
def product_of(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return np.prod(array, axis, dtype, None, keepdims, initial, where)


@instead_of(np.maximum.reduce)
def largest_of(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return np.max(array, axis, None, keepdims, initial, where)


@instead_of(np.minimum.reduce)
def smallest_of(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return np.min(array, axis, None, keepdims, initial, where)


@instead_of(np.logical_and.reduce)
def all_of(array, axis=0, dtype=None, out=None, keepdims=False, *, where=True):
    return np.all(array, axis=axis, keepdims=keepdims, where=where)


@instead_of(np.logical_or.reduce)
def any_of(array, axis=0, dtype=None, out=None, keepdims=False, *, where=True):
    return np.any(array, axis=axis, keepdims=keepdims, where=where)


@instead_of(np.add.accumulate)
def sums_of(array, axis=0, dtype=None, out=None):
    return np.cumsum(array, axis=axis, dtype=dtype)


@instead_of(np.multiply.accumulate)
def products_of(array, axis=0, dtype=None, out=None):
    return np.cumprod(array, axis=axis, dtype=dtype)


# ---------------------------------------------------------------- any function of two numbers


def folded(ufunc, array, axis, keepdims, initial):
    """An array reduced along an axis, from its beginning."""
    if isinstance(axis, tuple):
        return refuse("the reduction of this ufunc along several axes", "one axis after the other")
    a = np.ravel(array) if axis is None else array
    k = 0 if axis is None else axis_of(axis, array.ndim)
    head = (slice(None),) * k
    y = a[head + (0,)] if initial is None else ufunc(initial, a[head + (0,)])
    for i in range(1, a.shape[k]):
        y = ufunc(y, a[head + (i,)])
    return kept(y, array, axis, keepdims)


def scanned(ufunc, array, axis):
    """All stages of a reduction along an axis."""
    k = axis_of(axis, array.ndim)
    head = (slice(None),) * k
    y = np.copy(array)
    for i in range(1, array.shape[k]):
        y[head + (i,)] = ufunc(y[head + (i - 1,)], array[head + (i,)])
    return y


def by_sections(ufunc, array, indices, axis):
    """Reductions from each index to the next; of one alone where the next one is not greater."""
    k = axis_of(axis, array.ndim)
    head = (slice(None),) * k
    places = array_of(indices)
    n = places.shape[0]
    y = array[head + (places,)]
    for j in range(n):
        stop = places[j + 1] if j + 1 < n else array.shape[k]
        for i in range(places[j] + 1, stop):
            y[head + (j,)] = ufunc(y[head + (j,)], array[head + (i,)])
    return y


def across(ufunc, A, B):
    """A function of every element of one array and every one of another."""
    a, b = beside(array_of(A), array_of(B)), beside(array_of(B), array_of(A))
    return ufunc(a if np.ndim(a) == 0 or np.ndim(b) == 0 else a[(...,) + (None,) * np.ndim(b)], b)


def _enter(ufunc: np.ufunc) -> None:
    """The methods of one ufunc, where they have no better name."""

    def reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=None):
        return folded(ufunc, array, axis, keepdims, initial)

    def accumulate(array, axis=0, dtype=None, out=None):
        return scanned(ufunc, array, axis)

    def reduceat(array, indices, axis=0, dtype=None, out=None):
        return by_sections(ufunc, array, indices, axis)

    def outer(A, B):
        return across(ufunc, A, B)

    from srcad.library import table

    for function in (reduce, accumulate, reduceat, outer):
        method = getattr(ufunc, function.__name__)
        if method not in table:
            instead_of(method)(function)


OF_TWO = (
    np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum, np.fmax, np.fmin, np.hypot, np.arctan2,
    np.logaddexp, np.logaddexp2, np.power, np.float_power, np.copysign, np.remainder, np.fmod,
)  # fmt: skip
for _ufunc in OF_TWO:
    _enter(_ufunc)
