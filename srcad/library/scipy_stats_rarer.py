"""Distributions of `scipy.stats` made of powers, tails and ratios of others, as `scipy_stats_tails` has them."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of
from srcad.library.scipy_stats import densities, probabilities, standard
from srcad.library.scipy_stats_curves import anywhere, log_density
from srcad.library.scipy_stats_lifetimes import HALF_LOG_TWO_PI, above_zero, density, from_zero, share

# ---------------------------------------------------------------- on all numbers


def powernorm_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(c) - 0.5 * np.square(z) - HALF_LOG_TWO_PI + (c - 1.0) * special.log_ndtr(-z)
    return log_density(y, z, scale, c > 0)


def powernorm_logsf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(c * special.log_ndtr(-z), z, scale, c > 0)


def powernorm_cdf(x, c, loc=0, scale=1):
    return -np.expm1(powernorm_logsf(x, c, loc, scale))


def powernorm_sf(x, c, loc=0, scale=1):
    return np.exp(powernorm_logsf(x, c, loc, scale))


densities(stats.powernorm, powernorm_logpdf)
probabilities(stats.powernorm, powernorm_cdf, powernorm_sf, None, powernorm_logsf)


def jf_skew_t_ratio(z, both):
    """Where a distance is between the ends, minus one and one; what is infinite is as good as at them."""
    at = np.clip(z, -1e100, 1e100)
    return at / np.sqrt(both + np.square(at))


def jf_skew_t_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    ratio = jf_skew_t_ratio(z, a + b)
    y = (a + 0.5) * np.log1p(ratio) + (b + 0.5) * np.log1p(-ratio)
    y = y - (a + b - 1.0) * np.log(2.0) - special.betaln(a, b) - 0.5 * np.log(a + b)
    return log_density(y, z, scale, np.logical_and(a > 0, b > 0))


def jf_skew_t_cdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.betainc(a, b, 0.5 + 0.5 * jf_skew_t_ratio(z, a + b))
    return anywhere(y, z, scale, np.logical_and(a > 0, b > 0))


def jf_skew_t_sf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.betainc(b, a, 0.5 - 0.5 * jf_skew_t_ratio(z, a + b))
    return anywhere(y, z, scale, np.logical_and(a > 0, b > 0))


densities(stats.jf_skew_t, jf_skew_t_logpdf)
probabilities(stats.jf_skew_t, jf_skew_t_cdf, jf_skew_t_sf)


def crystalball_logpdf(x, beta, m, loc=0, scale=1):
    z = standard(x, loc, scale)
    tail = z <= -beta
    far = m * np.log(m / beta / (m / beta - beta - np.where(tail, z, -beta)))
    y = np.where(tail, far - 0.5 * np.square(beta), -0.5 * np.square(z))
    return log_density(y - np.log(sum(crystalball_parts(beta, m))), z, scale, np.logical_and(m > 1, beta > 0))


def crystalball_parts(beta, m):
    """The integrals over the tail and over what is of a normal distribution, before they are made one in all."""
    return m / beta / (m - 1.0) * np.exp(-0.5 * np.square(beta)), np.sqrt(2.0 * np.pi) * special.ndtr(beta)


def crystalball_shares(x, beta, m, loc, scale):
    """The probabilities below and above."""
    z = standard(x, loc, scale)
    tail = z <= -beta
    below, above = crystalball_parts(beta, m)
    far = below * ((m / beta - beta - np.where(tail, z, -beta)) * beta / m) ** (1.0 - m) / (below + above)
    beyond = np.sqrt(2.0 * np.pi) * special.ndtr(-np.where(tail, -beta, z)) / (below + above)
    possible = np.logical_and(m > 1, beta > 0)
    low, high = np.where(tail, far, 1.0 - beyond), np.where(tail, 1.0 - far, beyond)
    return anywhere(low, z, scale, possible), anywhere(high, z, scale, possible)


def crystalball_cdf(x, beta, m, loc=0, scale=1):
    return crystalball_shares(x, beta, m, loc, scale)[0]


def crystalball_sf(x, beta, m, loc=0, scale=1):
    return crystalball_shares(x, beta, m, loc, scale)[1]


densities(stats.crystalball, crystalball_logpdf)
probabilities(stats.crystalball, crystalball_cdf, crystalball_sf)


# The logarithms of both would lose the tail: it is a difference of numbers that are nearly the same.
@instead_of(stats.skewnorm.cdf)
def skewnorm_cdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.ndtr(z) - 2.0 * special.owens_t(z, a), z, scale, True)


@instead_of(stats.skewnorm.sf)
def skewnorm_sf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.ndtr(-z) + 2.0 * special.owens_t(z, a), z, scale, True)


# ---------------------------------------------------------------- on positive numbers


def halflogistic_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return density(np.log(2.0) - z + 2.0 * special.log_expit(z), z, scale, z >= 0, True)


def halflogistic_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.tanh(0.5 * z), z, scale, True, 0.0)


def halflogistic_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(2.0 * special.expit(-z), z, scale, True, 1.0)


def halflogistic_logsf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.log(2.0) + special.log_expit(-z), z, scale, True, 0.0)


densities(stats.halflogistic, halflogistic_logpdf)
probabilities(stats.halflogistic, halflogistic_cdf, halflogistic_sf, None, halflogistic_logsf)


def powerlognorm_logpdf(x, c, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    logs = np.log(above_zero(z))
    y = np.log(c) - np.log(s) - logs - 0.5 * np.square(logs / s) - HALF_LOG_TWO_PI
    y = y + (c - 1.0) * special.log_ndtr(-logs / s)
    return density(y, z, scale, z > 0, np.logical_and(c > 0, s > 0))


def powerlognorm_logsf(x, c, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(c * special.log_ndtr(-np.log(above_zero(z)) / s), z, scale, np.logical_and(c > 0, s > 0), 0.0)


def powerlognorm_cdf(x, c, s, loc=0, scale=1):
    return -np.expm1(powerlognorm_logsf(x, c, s, loc, scale))


def powerlognorm_sf(x, c, s, loc=0, scale=1):
    return np.exp(powerlognorm_logsf(x, c, s, loc, scale))


densities(stats.powerlognorm, powerlognorm_logpdf)
probabilities(stats.powerlognorm, powerlognorm_cdf, powerlognorm_sf, None, powerlognorm_logsf)


def kappa3_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.where(z > 0, np.log1p(above_zero(z) ** a / a), 0.0)
    return density(-np.log(a) / a - (1.0 / a + 1.0) * y, z, scale, z >= 0, a > 0)


def kappa3_cdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.exp(-np.log1p(a * above_zero(z) ** -a) / a), z, scale, a > 0, 0.0)


def kappa3_sf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-np.expm1(-np.log1p(a * above_zero(z) ** -a) / a), z, scale, a > 0, 1.0)


densities(stats.kappa3, kappa3_logpdf)
probabilities(stats.kappa3, kappa3_cdf, kappa3_sf)


def mielke_logpdf(x, k, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    log_ratio = special.log_expit(-s * np.log(above_zero(z)))
    y = np.log(k) + special.xlogy(k - 1.0, from_zero(z)) + np.where(z > 0, (1.0 + k / s) * log_ratio, 0.0)
    return density(y, z, scale, z >= 0, np.logical_and(k > 0, s > 0))


def mielke_logcdf(x, k, s, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = k / s * special.log_expit(s * np.log(above_zero(z)))
    return share(y, z, scale, np.logical_and(k > 0, s > 0), -np.inf)


def mielke_cdf(x, k, s, loc=0, scale=1):
    return np.exp(mielke_logcdf(x, k, s, loc, scale))


def mielke_sf(x, k, s, loc=0, scale=1):
    return -np.expm1(mielke_logcdf(x, k, s, loc, scale))


densities(stats.mielke, mielke_logpdf, none=True)
probabilities(stats.mielke, mielke_cdf, mielke_sf, mielke_logcdf)


def alpha_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z)
    y = -2.0 * np.log(at) - 0.5 * np.square(a - 1.0 / at) - HALF_LOG_TWO_PI - special.log_ndtr(a)
    return density(y, z, scale, z > 0, a > 0)


def alpha_cdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.ndtr(a - 1.0 / above_zero(z)) / special.ndtr(a), z, scale, a > 0, 0.0)


def alpha_sf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = 1.0 - special.ndtr(a - 1.0 / above_zero(z)) / special.ndtr(a)
    return share(y, z, scale, a > 0, 1.0)


densities(stats.alpha, alpha_logpdf)
probabilities(stats.alpha, alpha_cdf, alpha_sf)


def exponpow_logpdf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = from_zero(z)
    powers = np.where(z > 0, above_zero(z) ** b, 0.0)
    y = np.log(b) + special.xlogy(b - 1.0, at) + powers - np.expm1(powers)
    return density(y, z, scale, z >= 0, b > 0)


def exponpow_logsf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-np.expm1(above_zero(z) ** b), z, scale, b > 0, 0.0)


def exponpow_cdf(x, b, loc=0, scale=1):
    return -np.expm1(exponpow_logsf(x, b, loc, scale))


def exponpow_sf(x, b, loc=0, scale=1):
    return np.exp(exponpow_logsf(x, b, loc, scale))


densities(stats.exponpow, exponpow_logpdf, none=True)
probabilities(stats.exponpow, exponpow_cdf, exponpow_sf, None, exponpow_logsf)


def foldcauchy_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(1.0 / (1.0 + np.square(z - c)) + 1.0 / (1.0 + np.square(z + c))) - np.log(np.pi)
    return density(y, z, scale, z >= 0, c >= 0)


def foldcauchy_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share((np.arctan(z - c) + np.arctan(z + c)) / np.pi, z, scale, c >= 0, 0.0)


def foldcauchy_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share((np.arctan2(1.0, z - c) + np.arctan2(1.0, z + c)) / np.pi, z, scale, c >= 0, 1.0)


densities(stats.foldcauchy, foldcauchy_logpdf)
probabilities(stats.foldcauchy, foldcauchy_cdf, foldcauchy_sf)


def halfgennorm_logpdf(x, beta, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(beta) - special.gammaln(1.0 / beta) - np.where(z > 0, above_zero(z) ** beta, 0.0)
    return density(y, z, scale, z >= 0, beta > 0)


def halfgennorm_cdf(x, beta, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammainc(1.0 / beta, above_zero(z) ** beta), z, scale, beta > 0, 0.0)


def halfgennorm_sf(x, beta, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammaincc(1.0 / beta, above_zero(z) ** beta), z, scale, beta > 0, 1.0)


densities(stats.halfgennorm, halfgennorm_logpdf)
probabilities(stats.halfgennorm, halfgennorm_cdf, halfgennorm_sf)
