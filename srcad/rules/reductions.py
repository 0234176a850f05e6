"""Sums, products, extremes and moments, of all elements or along axes."""

import numpy as np

from srcad.rules.axes import backwards, count, one_axis, spread
from srcad.rules.dtypes import is_complex
from srcad.rules.rule import constant, rule
from srcad.runtime import even_bins, nth_smallest, product_of_others

constant(
    np.argmax, np.argmin, np.any, np.all, any, all, np.count_nonzero, np.argsort, np.searchsorted, np.nonzero,
    np.argwhere, np.flatnonzero, nth_smallest, even_bins, np.argpartition, np.digitize, np.nanargmax, np.nanargmin,
    np.isin, np.isneginf, np.isposinf, np.lexsort,
)  # fmt: skip


@rule(np.sum)
def total(y, a, axis=None, dtype=None, *, keepdims=False):
    y.dot = np.sum(a.dot, axis=axis, keepdims=keepdims)
    a.bar += spread(y.bar, axis, keepdims, a.ndim)


@rule(np.mean)
def mean(y, a, axis=None, dtype=None, *, keepdims=False):
    y.dot = np.mean(a.dot, axis=axis, keepdims=keepdims)
    a.bar += spread(y.bar / count(a, axis, a.ndim), axis, keepdims, a.ndim)


@rule(np.prod)
def prod(y, a, axis=None, dtype=None, *, keepdims=False):
    if a.ndim == 0:
        y.dot = a.dot
        a.bar += y.bar
    else:
        # Not y / a, which is no number where a is zero.
        others = product_of_others(a, axis=axis)
        y.dot = np.sum(a.dot * others, axis=axis, keepdims=keepdims)
        a.bar += spread(y.bar, axis, keepdims, a.ndim) * others


@rule(np.max, np.min)
def extreme(y, a, axis=None, *, keepdims=False):
    # Ties share, and what is no number attains an extreme that is none.
    hit = (a == spread(y, axis, keepdims, a.ndim)) | np.isnan(a)
    ties = np.sum(hit, axis=axis, keepdims=keepdims)
    y.dot = np.sum(a.dot if hit else 0.0, axis=axis, keepdims=keepdims) / ties
    a.bar += spread(y.bar / ties, axis, keepdims, a.ndim) if hit else 0.0


@rule(np.var)
def var(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    d = a - np.mean(a, axis=axis, keepdims=axis is not None)
    scale = count(a, axis, a.ndim) - ddof
    if is_complex(a):
        d = np.conj(d)
        y.dot = np.sum(2.0 * np.real(d * a.dot), axis=axis, keepdims=keepdims) / scale + ddof.dot * y / scale
    else:
        y.dot = np.sum(2.0 * d * a.dot, axis=axis, keepdims=keepdims) / scale + ddof.dot * y / scale
    a.bar += spread(y.bar * 2.0 / scale, axis, keepdims, a.ndim) * d
    ddof.bar += y.bar * y / scale


@rule(np.std)
def std(y, a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    d = a - np.mean(a, axis=axis, keepdims=axis is not None)
    # Where all elements are the same, d is zero, and so is the derivative.
    degrees = count(a, axis, a.ndim) - ddof
    scale, by_ddof = degrees * (y if y > 0.0 else 1.0), 0.5 * y / degrees
    if is_complex(a):
        d = np.conj(d)
        y.dot = np.sum(np.real(d * a.dot), axis=axis, keepdims=keepdims) / scale + ddof.dot * by_ddof
    else:
        y.dot = np.sum(d * a.dot, axis=axis, keepdims=keepdims) / scale + ddof.dot * by_ddof
    a.bar += spread(y.bar / scale, axis, keepdims, a.ndim) * d
    ddof.bar += y.bar * by_ddof


@rule(np.cumsum)
def cumsum(y, a, axis=None, dtype=None):
    y.dot = np.cumsum(a.dot, axis=axis)
    if a.ndim == 0:
        a.bar += y.bar[0]
    elif axis is None and a.ndim > 1:
        a.bar += np.reshape(np.cumsum(y.bar[::-1])[::-1], a.shape)
    else:
        along = one_axis(axis, a.ndim)
        a.bar += backwards(np.cumsum(backwards(y.bar, along), axis=axis), along)


@rule(np.linalg.norm)
def norm(y, x, ord=None, axis=None, keepdims=False):
    if (ord is not None and ord != 2 and ord != "fro") or (ord == 2 and axis is None and x.ndim > 1):
        raise AssertionError("np.linalg.norm has a rule for the Euclidean and the Frobenius norm only")
    # At the origin x is zero, and so is the derivative.
    r = y if y > 0.0 else 1.0
    if is_complex(x):
        y.dot = np.sum(np.real(np.conj(x) * x.dot), axis=axis, keepdims=keepdims) / r
        x.bar += spread(y.bar / r, axis, keepdims, x.ndim) * np.conj(x)
    else:
        y.dot = np.sum(x * x.dot, axis=axis, keepdims=keepdims) / r
        x.bar += spread(y.bar / r, axis, keepdims, x.ndim) * x
