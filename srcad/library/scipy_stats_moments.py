"""Means, variances, medians and entropies of the distributions of `scipy.stats`.

NaN for parameters that the distribution does not have, and infinity where an integral does not converge, as in SciPy.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of
from srcad.library.axes import double
from srcad.library.scipy_stats import checked


def moments(distribution, mean, variance):
    """Enter the mean, the variance and the standard deviation."""
    instead_of(distribution.mean)(mean)
    instead_of(distribution.var)(variance)

    @instead_of(distribution.std)
    def std(*shapes, **options):
        return np.sqrt(variance(*shapes, **options))


def placed(mean, loc, scale):
    """The mean of a distribution elsewhere."""
    return double(loc) + checked(mean * double(scale), scale)


def scaled(variance, loc, scale):
    """The variance of a distribution elsewhere."""
    y = checked(variance * np.square(double(scale)), scale)
    return y if np.ndim(loc) == 0 else y + np.zeros_like(double(loc))


def stretched(entropy, loc, scale):
    """The entropy of a distribution elsewhere."""
    y = checked(entropy + np.log(double(scale)), scale)
    return y if np.ndim(loc) == 0 else y + np.zeros_like(double(loc))


def positive(a):
    """A parameter that must be positive."""
    return np.where(a > 0, double(a), np.nan)


# ---------------------------------------------------------------- without shapes

EULER, LOG_OF_NORMAL = np.euler_gamma, 0.5 * (1.0 + np.log(2.0 * np.pi))
PLAIN = (
    (stats.norm, 0.0, 1.0, LOG_OF_NORMAL),
    (stats.expon, 1.0, 1.0, 1.0),
    (stats.laplace, 0.0, 2.0, 1.0 + np.log(2.0)),
    (stats.logistic, 0.0, np.pi**2 / 3.0, 2.0),
    (stats.uniform, 0.5, 1.0 / 12.0, 0.0),
    (stats.gumbel_r, EULER, np.pi**2 / 6.0, 1.0 + EULER),
    (stats.gumbel_l, -EULER, np.pi**2 / 6.0, 1.0 + EULER),
    (stats.rayleigh, np.sqrt(0.5 * np.pi), 2.0 - 0.5 * np.pi, 1.0 + 0.5 * EULER - 0.5 * np.log(2.0)),
    (stats.halfnorm, np.sqrt(2.0 / np.pi), 1.0 - 2.0 / np.pi, 0.5 + 0.5 * np.log(0.5 * np.pi)),
)


def plain(distribution, mean, variance, entropy):
    """Enter what there is of a distribution with a place and a scale alone."""

    def mean_of(loc=0, scale=1):
        return placed(mean, loc, scale)

    def variance_of(loc=0, scale=1):
        return scaled(variance, loc, scale)

    moments(distribution, mean_of, variance_of)

    @instead_of(distribution.entropy)
    def entropy_of(loc=0, scale=1):
        return stretched(entropy, loc, scale)


for _each in PLAIN:
    plain(*_each)


@instead_of(stats.cauchy.entropy)
def cauchy_entropy(loc=0, scale=1):
    return stretched(np.log(4.0 * np.pi), loc, scale)


# ---------------------------------------------------------------- with shapes


def gamma_mean(a, loc=0, scale=1):
    return placed(positive(a), loc, scale)


def gamma_var(a, loc=0, scale=1):
    return scaled(positive(a), loc, scale)


moments(stats.gamma, gamma_mean, gamma_var)


@instead_of(stats.gamma.entropy)
def gamma_entropy(a, loc=0, scale=1):
    a = positive(a)
    return stretched(a + special.gammaln(a) + (1.0 - a) * special.digamma(a), loc, scale)


def chi2_mean(df, loc=0, scale=1):
    return placed(positive(df), loc, scale)


def chi2_var(df, loc=0, scale=1):
    return scaled(2.0 * positive(df), loc, scale)


moments(stats.chi2, chi2_mean, chi2_var)


@instead_of(stats.chi2.entropy)
def chi2_entropy(df, loc=0, scale=1):
    a = 0.5 * positive(df)
    return stretched(a + np.log(2.0) + special.gammaln(a) + (1.0 - a) * special.digamma(a), loc, scale)


def beta_mean(a, b, loc=0, scale=1):
    a, b = positive(a), positive(b)
    return placed(a / (a + b), loc, scale)


def beta_var(a, b, loc=0, scale=1):
    a, b = positive(a), positive(b)
    return scaled(a * b / (np.square(a + b) * (a + b + 1.0)), loc, scale)


moments(stats.beta, beta_mean, beta_var)


@instead_of(stats.beta.entropy)
def beta_entropy(a, b, loc=0, scale=1):
    a, b = positive(a), positive(b)
    ends = (a - 1.0) * special.digamma(a) + (b - 1.0) * special.digamma(b)
    return stretched(special.betaln(a, b) - ends + (a + b - 2.0) * special.digamma(a + b), loc, scale)


def lognorm_mean(s, loc=0, scale=1):
    return placed(np.exp(0.5 * np.square(positive(s))), loc, scale)


def lognorm_var(s, loc=0, scale=1):
    square = np.square(positive(s))
    return scaled(np.exp(square) * np.expm1(square), loc, scale)


moments(stats.lognorm, lognorm_mean, lognorm_var)


@instead_of(stats.lognorm.entropy)
def lognorm_entropy(s, loc=0, scale=1):
    return stretched(LOG_OF_NORMAL + np.log(positive(s)), loc, scale)


def weibull_mean(c, loc=0, scale=1):
    return placed(special.gamma(1.0 + 1.0 / positive(c)), loc, scale)


def weibull_var(c, loc=0, scale=1):
    c = positive(c)
    square = np.square(special.gamma(1.0 + 1.0 / c))
    return scaled(special.gamma(1.0 + 2.0 / c) - square, loc, scale)


moments(stats.weibull_min, weibull_mean, weibull_var)


@instead_of(stats.weibull_min.entropy)
def weibull_entropy(c, loc=0, scale=1):
    c = positive(c)
    return stretched(1.0 + EULER - EULER / c - np.log(c), loc, scale)


# ---------------------------------------------------------------- whose integrals may not converge


def where_above(a, bound, value):
    """Infinity for a parameter that is not above a bound, which `value` may divide by zero at."""
    return np.where(a > bound, value, np.where(a > 0, np.inf, np.nan))


def over(a, bound):
    """How far a parameter is above a bound; one where it is not."""
    return np.where(a > bound, a - bound, 1.0)


def t_mean(df, loc=0, scale=1):
    df = double(df)
    return placed(where_above(df, 1.0, 0.0), loc, scale)


def t_var(df, loc=0, scale=1):
    df = double(df)
    return scaled(np.where(df > 1.0, where_above(df, 2.0, df / over(df, 2.0)), np.nan), loc, scale)


moments(stats.t, t_mean, t_var)


@instead_of(stats.t.entropy)
def t_entropy(df, loc=0, scale=1):
    df = positive(df)
    a, b = 0.5 * df, 0.5 * (df + 1.0)
    slopes = b * (special.digamma(b) - special.digamma(a))
    return stretched(slopes + 0.5 * np.log(df) + special.betaln(a, 0.5), loc, scale)


def pareto_mean(b, loc=0, scale=1):
    b = double(b)
    return placed(where_above(b, 1.0, b / over(b, 1.0)), loc, scale)


def pareto_var(b, loc=0, scale=1):
    b = double(b)
    return scaled(where_above(b, 2.0, b / (over(b, 2.0) * np.square(over(b, 1.0)))), loc, scale)


moments(stats.pareto, pareto_mean, pareto_var)


@instead_of(stats.pareto.entropy)
def pareto_entropy(b, loc=0, scale=1):
    b = positive(b)
    return stretched(1.0 + 1.0 / b - np.log(b), loc, scale)


def invgamma_mean(a, loc=0, scale=1):
    a = double(a)
    return placed(where_above(a, 1.0, 1.0 / over(a, 1.0)), loc, scale)


def invgamma_var(a, loc=0, scale=1):
    a = double(a)
    return scaled(where_above(a, 2.0, 1.0 / (over(a, 2.0) * np.square(over(a, 1.0)))), loc, scale)


moments(stats.invgamma, invgamma_mean, invgamma_var)


@instead_of(stats.invgamma.entropy)
def invgamma_entropy(a, loc=0, scale=1):
    a = positive(a)
    return stretched(a + special.gammaln(a) - (1.0 + a) * special.digamma(a), loc, scale)


# ---------------------------------------------------------------- medians


def halves(distribution):
    """Enter the median, of a distribution with quantiles."""

    @instead_of(distribution.median)
    def median(*shapes, **options):
        return distribution.ppf(0.5, *shapes, **options)


for _each in (
    stats.norm, stats.cauchy, stats.expon, stats.gamma, stats.beta, stats.lognorm, stats.laplace,
    stats.logistic, stats.chi2, stats.uniform, stats.gumbel_r, stats.gumbel_l, stats.halfnorm, stats.pareto,
    stats.weibull_min, stats.invgamma,
):  # fmt: skip
    halves(_each)


@instead_of(stats.t.median)
def t_median(df, loc=0, scale=1):
    return placed(0.0 * positive(df), loc, scale)
