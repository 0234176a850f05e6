"""Continuous distributions of `scipy.stats`: densities and distribution functions.

As SciPy has it: double precision; NaN for parameters that the distribution does not have; outside the support a density
of zero, whose derivative is zero.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of, number, refuse
from srcad.library.axes import double


def real(x):
    """Real numbers as they are: SciPy drops the imaginary part of others."""
    if np.iscomplexobj(x):
        return refuse("a distribution of complex numbers", "np.real of them")
    return x


def standard(x, loc, scale):
    """How far values are from the location, in units of the scale."""
    if np.iscomplexobj(x) or np.iscomplexobj(loc) or np.iscomplexobj(scale):
        return refuse("a distribution of complex numbers", "np.real of them")
    if number(scale) and scale == 1:
        return double(x) if number(loc) and loc == 0 else double(x) - loc
    if number(loc) and loc == 0:
        return double(x) / scale
    return (double(x) - loc) / scale


def scaled(y, scale):
    """The logarithm of a density of such distances as one of values."""
    return real(y) if number(scale) and scale == 1 else real(y) - np.log(scale)


def checked(y, scale):
    """NaN for a scale that is not positive."""
    return real(y) if number(scale) and scale > 0 else np.where(scale > 0, real(y), np.nan)


def held(y, inside, possible, outside):
    """What there is inside the support and outside; NaN where there is no distribution, or no value."""
    return np.where(np.logical_and(inside, possible), real(y), np.where(possible, outside, np.nan))


def logarithm(p):
    """The logarithm of a probability; that of zero has a derivative of zero."""
    return np.where(p > 0, np.log(np.where(p > 0, p, 1.0)), np.where(p == 0, -np.inf, np.nan))


def densities(distribution, log_density, none=False):
    """Enter the density and its logarithm; `none`: there may be none where the logarithm has no derivative."""
    instead_of(distribution.logpdf)(log_density)

    def pdf(x, *shapes, **options):
        return np.exp(log_density(x, *shapes, **options))

    def pdf_or_none(x, *shapes, **options):
        y = log_density(x, *shapes, **options)
        return np.where(y == -np.inf, 0.0, np.exp(y))

    instead_of(distribution.pdf)(pdf_or_none if none else pdf)


def masses(distribution, log_mass):
    """Enter the probability of a number and its logarithm."""
    instead_of(distribution.logpmf)(log_mass)

    @instead_of(distribution.pmf)
    def pmf(k, *shapes, **options):
        return np.exp(log_mass(k, *shapes, **options))


def probabilities(distribution, below, above, log_below=None, log_above=None):
    """Enter the distribution function, what it leaves, and their logarithms."""
    instead_of(distribution.cdf)(below)
    instead_of(distribution.sf)(above)

    @instead_of(distribution.logcdf)
    def logcdf(x, *shapes, **options):
        return logarithm(below(x, *shapes, **options))

    @instead_of(distribution.logsf)
    def logsf(x, *shapes, **options):
        return logarithm(above(x, *shapes, **options))

    if log_below is not None:
        instead_of(distribution.logcdf)(log_below)
    if log_above is not None:
        instead_of(distribution.logsf)(log_above)


# ---------------------------------------------------------------- on all numbers


def norm_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    if number(scale) and scale == 1:
        return -0.5 * np.square(z) - 0.5 * np.log(2.0 * np.pi)
    return -0.5 * np.square(z) - (0.5 * np.log(2.0 * np.pi) + np.log(scale))


def norm_cdf(x, loc=0, scale=1):
    return checked(special.ndtr(standard(x, loc, scale)), scale)


def norm_sf(x, loc=0, scale=1):
    return checked(special.ndtr(-standard(x, loc, scale)), scale)


def norm_logcdf(x, loc=0, scale=1):
    return checked(special.log_ndtr(standard(x, loc, scale)), scale)


def norm_logsf(x, loc=0, scale=1):
    return checked(special.log_ndtr(-standard(x, loc, scale)), scale)


densities(stats.norm, norm_logpdf)
probabilities(stats.norm, norm_cdf, norm_sf, norm_logcdf, norm_logsf)


def t_logpdf(x, df, loc=0, scale=1):
    z = standard(x, loc, scale)
    constant = np.log(special.poch(0.5 * df, 0.5)) - 0.5 * np.log(np.pi * df)
    return scaled(constant - 0.5 * (df + 1.0) * np.log1p(z * z / df), scale)


def t_cdf(x, df, loc=0, scale=1):
    return checked(special.stdtr(df, standard(x, loc, scale)), scale)


def t_sf(x, df, loc=0, scale=1):
    return checked(special.stdtr(df, -standard(x, loc, scale)), scale)


densities(stats.t, t_logpdf)
probabilities(stats.t, t_cdf, t_sf)


def cauchy_logpdf(x, loc=0, scale=1):
    return scaled(-np.log(np.pi) - 2.0 * np.log(np.hypot(1.0, standard(x, loc, scale))), scale)


def cauchy_cdf(x, loc=0, scale=1):
    return checked(np.arctan2(1.0, -standard(x, loc, scale)) / np.pi, scale)


def cauchy_sf(x, loc=0, scale=1):
    return checked(np.arctan2(1.0, standard(x, loc, scale)) / np.pi, scale)


densities(stats.cauchy, cauchy_logpdf)
probabilities(stats.cauchy, cauchy_cdf, cauchy_sf)


def laplace_logpdf(x, loc=0, scale=1):
    return scaled(-np.log(2.0) - np.abs(standard(x, loc, scale)), scale)


def laplace_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    tail = 0.5 * np.exp(-np.abs(z))
    return checked(np.where(z > 0, 1.0 - tail, tail), scale)


def laplace_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    tail = 0.5 * np.exp(-np.abs(z))
    return checked(np.where(z < 0, 1.0 - tail, tail), scale)


densities(stats.laplace, laplace_logpdf)
probabilities(stats.laplace, laplace_cdf, laplace_sf)


def logistic_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return scaled(special.log_expit(z) + special.log_expit(-z), scale)


def logistic_cdf(x, loc=0, scale=1):
    return checked(special.expit(standard(x, loc, scale)), scale)


def logistic_sf(x, loc=0, scale=1):
    return checked(special.expit(-standard(x, loc, scale)), scale)


def logistic_logcdf(x, loc=0, scale=1):
    return checked(special.log_expit(standard(x, loc, scale)), scale)


def logistic_logsf(x, loc=0, scale=1):
    return checked(special.log_expit(-standard(x, loc, scale)), scale)


densities(stats.logistic, logistic_logpdf)
probabilities(stats.logistic, logistic_cdf, logistic_sf, logistic_logcdf, logistic_logsf)
