"""Densities of distributions of `scipy.stats` that are fitted more rarely, as `scipy_stats_bounded` has them."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import checked, densities, held, masses, scaled, standard
from srcad.library.scipy_stats_bounded import counted, positive, whole

# ---------------------------------------------------------------- on all numbers


def vonmises_logpdf(x, kappa, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = kappa * special.cosm1(z) - np.log(2.0 * np.pi) - np.log(special.i0e(kappa))
    return held(scaled(y, scale), kappa >= 0, positive(z, scale), np.nan)


def gennorm_logpdf(x, beta, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(0.5 * beta) - special.gammaln(1.0 / beta) - np.abs(z) ** beta
    return held(scaled(y, scale), beta > 0, positive(z, scale), np.nan)


def skewnorm_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(2.0) - 0.5 * np.square(z) - 0.5 * np.log(2.0 * np.pi) + special.log_ndtr(a * z)
    return checked(scaled(y, scale), scale)


def truncnorm_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -0.5 * np.square(z) - 0.5 * np.log(2.0 * np.pi) - log_mass(a, b)
    inside = np.logical_and(z >= a, z <= b)
    return held(scaled(y, scale), inside, np.logical_and(positive(z, scale), a < b), -np.inf)


def log_mass(a, b):
    """The logarithm of the probability that a normal variable is between two numbers: in the tail, from there."""
    low, high = np.where(a > 0, -b, a), np.where(a > 0, -a, b)
    tail = high <= 0
    near, far = special.log_ndtr(np.where(tail, high, -1.0)), special.log_ndtr(np.where(tail, low, -2.0))
    beside = special.ndtr(np.where(tail, -1.0, low)) + special.ndtr(np.where(tail, -1.0, -high))
    return np.where(tail, near + np.log1p(-np.exp(far - near)), np.log1p(-beside))


densities(stats.vonmises, vonmises_logpdf)
densities(stats.gennorm, gennorm_logpdf)
densities(stats.skewnorm, skewnorm_logpdf)
densities(stats.truncnorm, truncnorm_logpdf)

# ---------------------------------------------------------------- on a part of the numbers


def wrapcauchy_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(1.0 - c * c) - np.log(2.0 * np.pi * (1.0 + c * c - 2.0 * c * np.cos(z)))
    possible = np.logical_and(positive(z, scale), np.logical_and(c > 0, c < 1))
    return held(scaled(y, scale), np.logical_and(z >= 0, z <= 2.0 * np.pi), possible, -np.inf)


def rayleigh_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(scaled(np.log(np.where(z > 0, z, 1.0)) - 0.5 * np.square(z), scale), z > 0, positive(z, scale), -np.inf)


def maxwell_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = 0.5 * np.log(2.0 / np.pi) + 2.0 * np.log(np.where(z > 0, z, 1.0)) - 0.5 * np.square(z)
    return held(scaled(y, scale), z > 0, positive(z, scale), -np.inf)


def halfcauchy_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(scaled(np.log(2.0 / np.pi) - np.log1p(z * z), scale), z >= 0, positive(z, scale), -np.inf)


def f_logpdf(x, dfn, dfd, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(z >= 0, z, 1.0)
    n, m = 0.5 * dfn, 0.5 * dfd
    y = m * np.log(dfd) + n * np.log(dfn) + special.xlogy(n - 1.0, at)
    y = y - (n + m) * np.log(dfd + dfn * at) - special.betaln(n, m)
    possible = np.logical_and(positive(z, scale), np.logical_and(dfn > 0, dfd > 0))
    return held(scaled(y, scale), z >= 0, possible, -np.inf)


def lomax_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(c) - (c + 1.0) * np.log1p(np.where(z >= 0, z, 0.0))
    return held(scaled(y, scale), z >= 0, np.logical_and(positive(z, scale), c > 0), -np.inf)


def powerlaw_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside = np.logical_and(np.logical_or(z > 0, np.logical_and(z == 0, a >= 1)), z <= 1)
    y = np.log(a) + special.xlogy(a - 1.0, np.where(inside, z, 1.0))
    return held(scaled(y, scale), inside, np.logical_and(positive(z, scale), a > 0), -np.inf)


densities(stats.wrapcauchy, wrapcauchy_logpdf)
densities(stats.rayleigh, rayleigh_logpdf)
densities(stats.maxwell, maxwell_logpdf)
densities(stats.halfcauchy, halfcauchy_logpdf)
densities(stats.f, f_logpdf, none=True)
densities(stats.lomax, lomax_logpdf)
densities(stats.powerlaw, powerlaw_logpdf, none=True)

# ---------------------------------------------------------------- on counts


def betabinom_logpmf(k, n, a, b, loc=0):
    z = counted(k, loc)
    at = np.where(whole(z, n), z, 0.0)
    ways = special.betaln(n - at + 1.0, at + 1.0)
    y = -np.log(n + 1.0) - ways + special.betaln(at + a, n - at + b) - special.betaln(a, b)
    possible = np.logical_and(np.logical_and(z == z, whole(n, np.inf)), np.logical_and(a > 0, b > 0))
    return held(y, whole(z, n), possible, -np.inf)


masses(stats.betabinom, betabinom_logpmf)
