"""Distributions of `scipy.stats` on a part of the numbers."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import densities, held, masses, probabilities, scaled, standard
from srcad.runtime import stop_gradient

# ---------------------------------------------------------------- on positive numbers


def positive(z, scale):
    """Whether there is a value, and a scale."""
    return np.logical_and(z == z, scale > 0)


def expon_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(scaled(-z, scale), z >= 0, positive(z, scale), -np.inf)


def expon_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(-np.expm1(-np.where(z >= 0, z, 0.0)), z >= 0, positive(z, scale), 0.0)


def expon_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(np.exp(-np.where(z >= 0, z, 0.0)), z >= 0, positive(z, scale), 1.0)


def expon_logsf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(-z, z >= 0, positive(z, scale), 0.0)


densities(stats.expon, expon_logpdf)
probabilities(stats.expon, expon_cdf, expon_sf, None, expon_logsf)


def gamma_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(z >= 0, z, 1.0)
    y = special.xlogy(a - 1.0, at) - at - special.gammaln(a)
    return held(scaled(y, scale), z >= 0, np.logical_and(positive(z, scale), a > 0), -np.inf)


def gamma_cdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.gammainc(a, np.where(z >= 0, z, 1.0))
    return held(y, z >= 0, np.logical_and(positive(z, scale), a > 0), 0.0)


def gamma_sf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.gammaincc(a, np.where(z >= 0, z, 1.0))
    return held(y, z >= 0, np.logical_and(positive(z, scale), a > 0), 1.0)


densities(stats.gamma, gamma_logpdf, none=True)
probabilities(stats.gamma, gamma_cdf, gamma_sf)


def lognorm_logpdf(x, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    logs = np.log(np.where(z > 0, z, 1.0))
    y = -0.5 * np.square(logs / s) - logs - np.log(s) - 0.5 * np.log(2.0 * np.pi)
    return held(scaled(y, scale), z > 0, np.logical_and(positive(z, scale), s > 0), -np.inf)


def lognorm_cdf(x, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.ndtr(np.log(np.where(z > 0, z, 1.0)) / s)
    return held(y, z > 0, np.logical_and(positive(z, scale), s > 0), 0.0)


def lognorm_sf(x, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.ndtr(-np.log(np.where(z > 0, z, 1.0)) / s)
    return held(y, z > 0, np.logical_and(positive(z, scale), s > 0), 1.0)


def lognorm_logcdf(x, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.log_ndtr(np.log(np.where(z > 0, z, 1.0)) / s)
    return held(y, z > 0, np.logical_and(positive(z, scale), s > 0), -np.inf)


def lognorm_logsf(x, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.log_ndtr(-np.log(np.where(z > 0, z, 1.0)) / s)
    return held(y, z > 0, np.logical_and(positive(z, scale), s > 0), 0.0)


densities(stats.lognorm, lognorm_logpdf)
probabilities(stats.lognorm, lognorm_cdf, lognorm_sf, lognorm_logcdf, lognorm_logsf)

# ---------------------------------------------------------------- on an interval


def within(z):
    """Whether a value lies between zero and one."""
    return np.logical_and(z >= 0, z <= 1)


def uniform_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(scaled(0.0, scale), within(z), positive(z, scale), -np.inf)


def uniform_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(z, within(z), positive(z, scale), np.where(z > 1, 1.0, 0.0))


def uniform_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(1.0 - z, within(z), positive(z, scale), np.where(z > 1, 0.0, 1.0))


densities(stats.uniform, uniform_logpdf)
probabilities(stats.uniform, uniform_cdf, uniform_sf)


def beta_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(within(z), z, 0.5)
    y = special.xlogy(a - 1.0, at) + special.xlog1py(b - 1.0, -at) - special.betaln(a, b)
    possible = np.logical_and(positive(z, scale), np.logical_and(a > 0, b > 0))
    return held(scaled(y, scale), within(z), possible, -np.inf)


def beta_cdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.betainc(a, b, np.where(within(z), z, 0.5))
    possible = np.logical_and(positive(z, scale), np.logical_and(a > 0, b > 0))
    return held(y, within(z), possible, np.where(z > 1, 1.0, 0.0))


def beta_sf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.betaincc(a, b, np.where(within(z), z, 0.5))
    possible = np.logical_and(positive(z, scale), np.logical_and(a > 0, b > 0))
    return held(y, within(z), possible, np.where(z > 1, 0.0, 1.0))


densities(stats.beta, beta_logpdf, none=True)
probabilities(stats.beta, beta_cdf, beta_sf)

# ---------------------------------------------------------------- on counts


def counted(k, loc):
    """How far counts are from the location; a probability is one of whole numbers, and has no derivative there."""
    return stop_gradient(standard(k, loc, 1))


def whole(z, last):
    """Whether a value is a whole number from zero to the last one."""
    return np.logical_and(np.floor(z) == z, np.logical_and(z >= 0, z <= last))


def poisson_logpmf(k, mu, loc=0):
    z = counted(k, loc)
    at = np.where(z >= 0, z, 0.0)
    y = special.xlogy(at, mu) - special.gammaln(at + 1.0) - mu
    return held(y, whole(z, np.inf), np.logical_and(z == z, mu >= 0), -np.inf)


def poisson_cdf(k, mu, loc=0):
    z = np.floor(counted(k, loc))
    return held(special.pdtr(np.where(z >= 0, z, 0.0), mu), z >= 0, np.logical_and(z == z, mu >= 0), 0.0)


def poisson_sf(k, mu, loc=0):
    z = np.floor(counted(k, loc))
    return held(special.pdtrc(np.where(z >= 0, z, 0.0), mu), z >= 0, np.logical_and(z == z, mu >= 0), 1.0)


masses(stats.poisson, poisson_logpmf)
probabilities(stats.poisson, poisson_cdf, poisson_sf)


def trials(z, n, p):
    """Whether there is a value, a number of trials and a probability."""
    return np.logical_and(np.logical_and(z == z, whole(n, np.inf)), np.logical_and(p >= 0, p <= 1))


def binom_logpmf(k, n, p, loc=0):
    z = counted(k, loc)
    at = np.where(whole(z, n), z, 0.0)
    ways = special.gammaln(n + 1.0) - special.gammaln(at + 1.0) - special.gammaln(n - at + 1.0)
    y = ways + special.xlogy(at, p) + special.xlog1py(n - at, -p)
    return held(y, whole(z, n), trials(z, n, p), -np.inf)


def binom_cdf(k, n, p, loc=0):
    z = np.floor(counted(k, loc))
    inside = np.logical_and(z >= 0, z < n)
    return held(special.bdtr(np.where(inside, z, 0.0), n, p), inside, trials(z, n, p), np.where(z >= n, 1.0, 0.0))


def binom_sf(k, n, p, loc=0):
    z = np.floor(counted(k, loc))
    inside = np.logical_and(z >= 0, z < n)
    return held(special.bdtrc(np.where(inside, z, 0.0), n, p), inside, trials(z, n, p), np.where(z >= n, 0.0, 1.0))


masses(stats.binom, binom_logpmf)
probabilities(stats.binom, binom_cdf, binom_sf)
