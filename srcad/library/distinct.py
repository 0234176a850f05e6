"""Values without their repetitions, and sets of them: the length is that of the values at the call."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from srcad.library import axis_of, instead_of
from srcad.library.axes import array_of


class Distinct(NamedTuple):
    """What `np.unique_all` gives."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class DistinctCounts(NamedTuple):
    """What `np.unique_counts` gives."""

    values: Any
    counts: Any


class DistinctInverse(NamedTuple):
    """What `np.unique_inverse` gives."""

    values: Any
    inverse_indices: Any


@instead_of(np.unique)
def unique(
    ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True
):
    if axis is not None:
        return unique_along(array_of(ar), return_index, return_inverse, return_counts, axis)
    flat = np.ravel(array_of(ar))
    order = np.argsort(flat, kind="stable")
    ordered = flat[order]
    news = np.ones(flat.size, np.bool_)
    news[1:] = ordered[1:] != ordered[:-1]
    if equal_nan:
        news[1:] = news[1:] & ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
    places = np.flatnonzero(news)
    values = ordered[places]
    if not (return_index or return_inverse or return_counts):
        return values
    return told(values, order, news, np.shape(ar), return_index, return_inverse, return_counts)


def unique_along(ar, return_index, return_inverse, return_counts, axis):
    """The different rows, or what else lies along an axis, in the order of their first elements, then the second."""
    k = axis_of(axis, ar.ndim)
    moved = np.moveaxis(ar, k, 0)
    n = moved.shape[0]
    rows = np.reshape(moved, (n, moved.size // max(n, 1)))
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    news = np.ones(n, np.bool_)
    news[1:] = np.any(ordered[1:] != ordered[:-1], axis=1)
    values = np.moveaxis(moved[order[np.flatnonzero(news)]], 0, k)
    if not (return_index or return_inverse or return_counts):
        return values
    return told(values, order, news, (n,), return_index, return_inverse, return_counts)


def told(values, order, news, shape, return_index, return_inverse, return_counts):
    """The values and what else is asked of them: the first place of each, which one each element is, how often."""
    places = np.flatnonzero(news)
    results = (values,)
    if return_index:
        results = results + (order[places],)
    if return_inverse:
        numbers = np.zeros(news.size, np.int64)
        numbers[order] = np.cumsum(news) - 1
        results = results + (np.reshape(numbers, shape),)
    if return_counts:
        ends = np.ones(places.size, np.int64) * news.size
        ends[:-1] = places[1:]
        results = results + (ends - places,)
    return results


if hasattr(np, "unique_all"):

    @instead_of(np.unique_values)
    def unique_values(x):
        return np.unique(x, equal_nan=False)

    @instead_of(np.unique_counts)
    def unique_counts(x):
        values, counts = np.unique(x, return_counts=True, equal_nan=False)
        return DistinctCounts(values, counts)

    @instead_of(np.unique_inverse)
    def unique_inverse(x):
        values, inverse = np.unique(x, return_inverse=True, equal_nan=False)
        return DistinctInverse(values, inverse)

    @instead_of(np.unique_all)
    def unique_all(x):
        values, index, inverse, counts = np.unique(
            x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
        )
        return Distinct(values, index, inverse, counts)


# ---------------------------------------------------------------- sets


@instead_of(np.union1d)
def union1d(ar1, ar2):
    return np.unique(np.concatenate((np.ravel(array_of(ar1)), np.ravel(array_of(ar2)))))


@instead_of(np.intersect1d)
def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    a, places = in_order(array_of(ar1), assume_unique)
    b, others = in_order(array_of(ar2), assume_unique)
    common = in_both(a, b)
    return (a[common], places[common], others[in_both(b, a)]) if return_indices else a[common]


def in_order(ar, assume_unique):
    """The different elements of an array in their order, and where they are first."""
    if not assume_unique:
        return np.unique(ar, return_index=True)
    flat = np.ravel(ar)
    order = np.argsort(flat, kind="stable")
    return flat[order], order


def in_both(a, b):
    """Which of different elements are among those of another array, all different as well."""
    together = np.concatenate((a, b))
    order = np.argsort(together, kind="stable")
    ordered = together[order]
    found = np.zeros(a.size, np.bool_)
    found[order[:-1][ordered[1:] == ordered[:-1]]] = True
    return found


@instead_of(np.setdiff1d)
def setdiff1d(ar1, ar2, assume_unique=False):
    if assume_unique:
        a = np.ravel(array_of(ar1))
        return a[~np.isin(a, array_of(ar2))]
    a = np.unique(ar1)
    return a[~in_both(a, np.unique(ar2))]


@instead_of(np.setxor1d)
def setxor1d(ar1, ar2, assume_unique=False):
    a = np.ravel(array_of(ar1)) if assume_unique else np.unique(ar1)
    b = np.ravel(array_of(ar2)) if assume_unique else np.unique(ar2)
    ordered = np.sort(np.concatenate((a, b)))
    differ = np.ones(ordered.size + 1, np.bool_)
    differ[1:-1] = ordered[1:] != ordered[:-1]
    return ordered[differ[1:] & differ[:-1]]
