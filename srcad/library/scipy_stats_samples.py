"""What `scipy.stats` says of samples: means, moments, scores, entropies, how two of them hang together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import special, stats

from srcad.library import instead_of, known, refuse
from srcad.library.axes import kept, last
from srcad.library.scipy_stats import real

# ---------------------------------------------------------------- means


@instead_of(stats.gmean)
def gmean(a, axis=0, *, weights=None, keepdims=False):
    if weights is None:
        return np.exp(np.mean(np.log(a), axis=axis, keepdims=keepdims))
    return np.exp(np.average(np.log(a), axis=axis, weights=weights, keepdims=keepdims))


@instead_of(stats.hmean)
def hmean(a, axis=0, *, weights=None, keepdims=False):
    if weights is None:
        return 1.0 / np.mean(1.0 / a, axis=axis, keepdims=keepdims)
    return 1.0 / np.average(1.0 / a, axis=axis, weights=weights, keepdims=keepdims)


@instead_of(stats.pmean)
def pmean(a, p, *, axis=0, weights=None, keepdims=False):
    if known(p) and p == 0:
        return gmean(a, axis, weights=weights, keepdims=keepdims)
    if weights is None:
        return np.mean(a**p, axis=axis, keepdims=keepdims) ** (1.0 / p)
    return np.average(a**p, axis=axis, weights=weights, keepdims=keepdims) ** (1.0 / p)


@instead_of(stats.trim_mean)
def trim_mean(a, proportiontocut, axis=0, *, keepdims=False):
    values = np.sort(last(a, axis), axis=-1)
    n = values.shape[-1]
    cut = int(proportiontocut * n)
    return kept(np.mean(values[..., cut : n - cut], axis=-1), a, axis, keepdims)


# ---------------------------------------------------------------- moments


@instead_of(stats.moment)
def moment(a, order=1, axis=0, *, center=None, keepdims=False):
    if not (known(order) and np.ndim(order) == 0):
        return refuse("scipy.stats.moment of an order that is no constant number", "a call for each order")
    around = np.mean(a, axis=axis, keepdims=True) if center is None else center
    return np.mean((a - around) ** order, axis=axis, keepdims=keepdims)


def moments(a, axis, keepdims):
    """The second, third and fourth moment about the mean."""
    apart = a - np.mean(a, axis=axis, keepdims=True)
    squares = apart * apart
    second = np.mean(squares, axis=axis, keepdims=keepdims)
    third = np.mean(squares * apart, axis=axis, keepdims=keepdims)
    return second, third, np.mean(squares * squares, axis=axis, keepdims=keepdims)


def count(a, axis):
    """How many numbers a sample has."""
    return np.size(a) if axis is None else a.shape[axis]


@instead_of(stats.skew)
def skew(a, axis=0, bias=True, *, keepdims=False):
    second, third, _ = moments(a, axis, keepdims)
    n = count(a, axis)
    y = third / second**1.5
    return y if bias else y * ((n * (n - 1.0)) ** 0.5 / (n - 2.0) if n > 2 else 1.0)


@instead_of(stats.kurtosis)
def kurtosis(a, axis=0, fisher=True, bias=True, *, keepdims=False):
    second, _, fourth = moments(a, axis, keepdims)
    n = count(a, axis)
    y = fourth / second**2
    if not bias and n > 3:
        y = ((n * n - 1.0) * y - 3.0 * (n - 1.0) ** 2) / ((n - 2.0) * (n - 3.0)) + 3.0
    return y - 3.0 if fisher else y


@instead_of(stats.variation)
def variation(a, axis=0, ddof=0, *, keepdims=False):
    if np.iscomplexobj(a):
        return refuse("scipy.stats.variation of complex numbers", "np.std and np.mean of them")
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / np.mean(a, axis=axis, keepdims=keepdims)


@instead_of(stats.sem)
def sem(a, axis=0, ddof=1, *, keepdims=False):
    return np.std(a, axis=axis, ddof=ddof, keepdims=keepdims) / count(a, axis) ** 0.5


@instead_of(stats.gstd)
def gstd(a, axis=0, ddof=1, *, keepdims=False):
    return np.exp(np.std(np.log(a), axis=axis, ddof=ddof, keepdims=keepdims))


@instead_of(stats.iqr)
def iqr(x, axis=None, rng=(25, 75), scale=1.0, *, interpolation="linear", keepdims=False):
    low, high = rng
    lower = np.percentile(x, low, axis=axis, method=interpolation, keepdims=keepdims)
    upper = np.percentile(x, high, axis=axis, method=interpolation, keepdims=keepdims)
    if isinstance(scale, str):
        return (upper - lower) / 1.3489795003921634
    return (upper - lower) / scale


# ---------------------------------------------------------------- scores


@instead_of(stats.zscore)
def zscore(a, axis=0, ddof=0):
    return zmap(a, a, axis, ddof)


@instead_of(stats.zmap)
def zmap(scores, compare, axis=0, ddof=0):
    apart = scores - np.mean(compare, axis=axis, keepdims=True)
    return apart / np.std(compare, axis=axis, ddof=ddof, keepdims=True)


@instead_of(stats.gzscore)
def gzscore(a, *, axis=0, ddof=0):
    return zscore(np.log(a), axis, ddof)


# ---------------------------------------------------------------- entropy and likelihoods of transformations


@instead_of(stats.entropy)
def entropy(pk, qk=None, base=None, axis=0, *, keepdims=False):
    p = pk / np.sum(pk, axis=axis, keepdims=True)
    if qk is None:
        y = np.sum(special.entr(p), axis=axis, keepdims=keepdims)
    else:
        y = np.sum(special.rel_entr(p, qk / np.sum(qk, axis=axis, keepdims=True)), axis=axis, keepdims=keepdims)
    return y if base is None else y / float(np.log(base))


@instead_of(stats.boxcox_llf)
def boxcox_llf(lmb, data, *, axis=0, keepdims=False):
    spread = np.var(special.boxcox(data, lmb), axis=axis, keepdims=keepdims)
    return (lmb - 1.0) * np.sum(np.log(data), axis=axis, keepdims=keepdims) - 0.5 * count(data, axis) * np.log(spread)


# ---------------------------------------------------------------- pairs


class PearsonRResult(NamedTuple):
    """What `pearsonr` gives."""

    statistic: Any
    pvalue: Any


class LinregressResult(NamedTuple):
    """What `linregress` gives."""

    slope: Any
    intercept: Any
    rvalue: Any
    pvalue: Any
    stderr: Any


@instead_of(stats.pearsonr)
def pearsonr(x, y, *, alternative="two-sided", axis=0):
    a, b = x - np.mean(x, axis=axis, keepdims=True), y - np.mean(y, axis=axis, keepdims=True)
    length = np.sqrt(np.sum(a * a, axis=axis)) * np.sqrt(np.sum(b * b, axis=axis))
    r = np.clip(np.sum(a * b, axis=axis) / length, -1.0, 1.0)
    half = 0.5 * count(x, axis) - 1.0
    if alternative == "two-sided":
        return PearsonRResult(r, 2.0 * special.betainc(half, half, 0.5 - 0.5 * np.abs(r)))
    return PearsonRResult(r, special.betainc(half, half, 0.5 + 0.5 * r if alternative == "less" else 0.5 - 0.5 * r))


@instead_of(stats.linregress)
def linregress(x, y, alternative="two-sided"):
    x, y = real(x), real(y)
    n = x.shape[0]
    a, b = x - np.mean(x), y - np.mean(y)
    xx, xy, yy = np.sum(a * a), np.sum(a * b), np.sum(b * b)
    slope, r = xy / xx, np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0)
    error = np.sqrt((1.0 - r * r) * yy / xx / (n - 2.0))
    # Adding to both factors keeps a line through all points from a division by zero.
    t = r * np.sqrt((n - 2.0) / ((1.0 - r + 1e-20) * (1.0 + r + 1e-20)))
    if alternative == "two-sided":
        p = 2.0 * special.stdtr(n - 2.0, -np.abs(t))
    else:
        p = special.stdtr(n - 2.0, t if alternative == "less" else -t)
    return LinregressResult(slope, np.mean(y) - slope * np.mean(x), r, p, error)
