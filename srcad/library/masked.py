"""Reductions that leave elements out: those that are not numbers, and those that a mask excludes."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import cast, squared

ARGUMENTS = ("dtype", "initial", "where")


@instead_of(np.sum, given=ARGUMENTS)
def total(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    terms = converted(a, dtype)
    if where is not None:
        terms = np.where(where, terms, 0)
    y = np.sum(terms, axis=axis, keepdims=keepdims)
    return y if initial is None else y + initial


@instead_of(np.prod, given=ARGUMENTS)
def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    terms = converted(a, dtype)
    if where is not None:
        terms = np.where(where, terms, 1)
    y = np.prod(terms, axis=axis, keepdims=keepdims)
    return y if initial is None else y * initial


@instead_of(np.mean, given=("dtype", "where"))
def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    terms = converted(a, dtype)
    if where is None:
        return np.mean(terms, axis=axis, keepdims=keepdims)
    return np.sum(np.where(where, terms, 0), axis=axis, keepdims=keepdims) / count(terms, where, axis, keepdims)


@instead_of(np.max, np.amax, given=("initial", "where"))
def largest(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    if where is None and initial is None:
        return np.max(a, axis=axis, keepdims=keepdims)
    if where is not None and initial is None:
        return refuse("np.max with where= and without initial=", "the call with initial=-np.inf")
    terms = a if where is None else np.where(where, a, initial)
    if np.size(terms) == 0:
        return np.sum(terms, axis=axis, keepdims=keepdims) + initial  # of no elements, what is there at the beginning
    return np.maximum(np.max(terms, axis=axis, keepdims=keepdims), initial)


@instead_of(np.min, np.amin, given=("initial", "where"))
def smallest(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    if where is None and initial is None:
        return np.min(a, axis=axis, keepdims=keepdims)
    if where is not None and initial is None:
        return refuse("np.min with where= and without initial=", "the call with initial=np.inf")
    terms = a if where is None else np.where(where, a, initial)
    if np.size(terms) == 0:
        return np.sum(terms, axis=axis, keepdims=keepdims) + initial  # of no elements, what is there at the beginning
    return np.minimum(np.min(terms, axis=axis, keepdims=keepdims), initial)


@instead_of(np.var, given=("dtype", "where", "mean", "correction"))
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    free = ddof if correction is None else correction
    return in_dtype(variance(spread(a, dtype, mean), axis, free, keepdims, where, mean), dtype)


def variance(terms, axis, free, keepdims, where, mean):
    """The variance of what a mask keeps."""
    if where is None and mean is None:
        return np.var(terms, axis=axis, ddof=free, keepdims=keepdims)
    mask = True if where is None else where
    n = count(terms, mask, axis, True)
    center = np.sum(np.where(mask, terms, 0), axis=axis, keepdims=True) / n if mean is None else mean
    apart = np.where(mask, terms - center, 0)
    return np.sum(squared(apart), axis=axis, keepdims=keepdims) / (count(squared(terms), mask, axis, keepdims) - free)


@instead_of(np.std, given=("dtype", "where", "mean", "correction"))
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    squares = np.var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    # Of elements that are all the same, the deviation is zero, and so is its derivative.
    return np.where(squares == 0, 0, np.sqrt(np.where(squares == 0, 1, squares)))


def spread(a, dtype, mean):
    """An array in the dtype in which its variance is computed. NumPy mixes real and complex numbers in its own way."""
    if mean is not None and np.iscomplexobj(mean) and not np.iscomplexobj(a):
        return refuse("np.var of real numbers with a complex mean=", "np.real(mean)")
    if dtype is None:
        return a
    if not (np.zeros(1, dtype) * 0.5).dtype == np.zeros(1, dtype).dtype:
        return refuse("np.var and np.std with an integer dtype=", "dtype=np.float64")
    return cast(a, dtype) if np.iscomplexobj(a) else a.astype(np.real(np.zeros(1, dtype)).dtype)


def in_dtype(y, dtype):
    """A variance as a complex number, where this is asked for."""
    return y + np.zeros(1, dtype)[0] if dtype is not None and np.iscomplexobj(np.zeros(1, dtype)) else y


def converted(a, dtype):
    """An array in the dtype in which it is reduced."""
    return a if dtype is None else a.astype(dtype)


def count(a, where, axis, keepdims):
    """How many elements a mask keeps, in the dtype of the array."""
    ones = np.where(where, np.ones_like(a), 0)
    return np.sum(ones, axis=axis, keepdims=keepdims)


@instead_of(np.all, given=("where",))
def all_kept(a, axis=None, out=None, keepdims=False, *, where=None):
    return np.all(np.logical_or(a, np.logical_not(where)), axis=axis, keepdims=keepdims)


@instead_of(np.any, given=("where",))
def any_kept(a, axis=None, out=None, keepdims=False, *, where=None):
    return np.any(np.logical_and(a, where), axis=axis, keepdims=keepdims)


# ---------------------------------------------------------------- what is not a number


@instead_of(np.nansum, given=ARGUMENTS)
def nansum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return np.sum(np.where(np.isnan(a), 0, a), axis, dtype, None, keepdims, initial, where)


@instead_of(np.nanprod)
def nanprod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None):
    return np.prod(np.where(np.isnan(a), 1, a), axis, dtype, None, keepdims, initial, where)


@instead_of(np.nanmax, given=("initial", "where"))
def nanmax(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    largest = np.nanmax(a if where is None else np.where(where, a, np.nan), axis=axis, keepdims=keepdims)
    return largest if initial is None else np.fmax(largest, initial)


@instead_of(np.nanmin, given=("initial", "where"))
def nanmin(a, axis=None, out=None, keepdims=False, initial=None, where=None):
    least = np.nanmin(a if where is None else np.where(where, a, np.nan), axis=axis, keepdims=keepdims)
    return least if initial is None else np.fmin(least, initial)


@instead_of(np.nanmean, given=("dtype", "where"))
def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None):
    terms = converted(a, dtype)
    return np.nanmean(terms if where is None else np.where(where, terms, np.nan), axis=axis, keepdims=keepdims)


@instead_of(np.nanvar)
def nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    free = ddof if correction is None else correction
    terms = spread(a, dtype, mean)
    terms = terms if where is None else np.where(where, terms, np.nan)
    gaps = np.isnan(terms)
    apart = squared(np.where(gaps, 0, terms - (np.nanmean(terms, axis=axis, keepdims=True) if mean is None else mean)))
    left = np.sum(np.where(gaps, 0, np.ones_like(apart)), axis=axis, keepdims=keepdims) - free
    return in_dtype(np.sum(apart, axis=axis, keepdims=keepdims) / np.where(left > 0, left, np.nan), dtype)


@instead_of(np.nanstd)
def nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=None, mean=None, correction=None):
    square = np.nanvar(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return np.where(square == 0, 0, np.sqrt(np.where(square == 0, 1, square)))  # as `np.std` of equal elements


@instead_of(np.nancumsum)
def nancumsum(a, axis=None, dtype=None):
    return np.cumsum(np.where(np.isnan(a), 0, a), axis=axis, dtype=dtype)


@instead_of(np.nancumprod)
def nancumprod(a, axis=None, dtype=None):
    return np.cumprod(np.where(np.isnan(a), 1, a), axis=axis, dtype=dtype)
