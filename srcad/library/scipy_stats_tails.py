"""Distributions of `scipy.stats` with two shapes, and those of extremes, whose shape may be zero."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import densities, held, probabilities, standard
from srcad.library.scipy_stats_bounded import positive
from srcad.library.scipy_stats_lifetimes import above_zero, density, from_zero, share

# ---------------------------------------------------------------- on positive numbers


def f_cdf(x, dfn, dfd, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.betainc(0.5 * dfn, 0.5 * dfd, dfn / (dfn + dfd / above_zero(z)))
    return share(y, z, scale, np.logical_and(dfn > 0, dfd > 0), 0.0)


def f_sf(x, dfn, dfd, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.betainc(0.5 * dfd, 0.5 * dfn, dfd / (dfd + dfn * above_zero(z)))
    return share(y, z, scale, np.logical_and(dfn > 0, dfd > 0), 1.0)


probabilities(stats.f, f_cdf, f_sf)


def burr12_logpdf(x, c, d, loc=0, scale=1):
    z = standard(x, loc, scale)
    logs = np.log(above_zero(z))
    y = special.xlogy(c - 1.0, from_zero(z)) + np.where(z > 0, (d + 1.0) * special.log_expit(-c * logs), 0.0)
    return density(np.log(c) + np.log(d) + y, z, scale, z >= 0, np.logical_and(c > 0, d > 0))


def burr12_cdf(x, c, d, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.expm1(d * special.log_expit(-c * np.log(above_zero(z))))
    return share(y, z, scale, np.logical_and(c > 0, d > 0), 0.0)


def burr12_sf(x, c, d, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.exp(d * special.log_expit(-c * np.log(above_zero(z))))
    return share(y, z, scale, np.logical_and(c > 0, d > 0), 1.0)


densities(stats.burr12, burr12_logpdf, none=True)
probabilities(stats.burr12, burr12_cdf, burr12_sf)


def betaprime_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z)
    y = (a - 1.0) * np.log(at) - (a + b) * np.log1p(at) - special.betaln(a, b)
    return density(y, z, scale, z > 0, np.logical_and(a > 0, b > 0))


def betaprime_cdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.betainc(a, b, 1.0 / (1.0 + 1.0 / above_zero(z))), z, scale, np.logical_and(a > 0, b > 0), 0.0)


def betaprime_sf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.betainc(b, a, 1.0 / (1.0 + above_zero(z))), z, scale, np.logical_and(a > 0, b > 0), 1.0)


densities(stats.betaprime, betaprime_logpdf)
probabilities(stats.betaprime, betaprime_cdf, betaprime_sf)


def exponweib_logpdf(x, a, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = from_zero(z)
    powers = at**c
    y = special.xlogy(a - 1.0, -np.expm1(-powers)) - powers + special.xlogy(c - 1.0, at)
    return density(np.log(a) + np.log(c) + y, z, scale, z >= 0, np.logical_and(a > 0, c > 0))


def exponweib_cdf(x, a, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share((-np.expm1(-(above_zero(z) ** c))) ** a, z, scale, np.logical_and(a > 0, c > 0), 0.0)


def exponweib_sf(x, a, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.expm1(a * np.log1p(-np.exp(-(above_zero(z) ** c))))
    return share(y, z, scale, np.logical_and(a > 0, c > 0), 1.0)


densities(stats.exponweib, exponweib_logpdf, none=True)
probabilities(stats.exponweib, exponweib_cdf, exponweib_sf)


def gengamma_logpdf(x, a, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside = np.logical_or(z > 0, np.logical_and(z == 0, c > 0))
    at = np.where(inside, z, 1.0)
    y = np.log(np.abs(c)) - special.gammaln(a) + special.xlogy(c * a - 1.0, at) - at**c
    return density(y, z, scale, inside, np.logical_and(a > 0, c != 0))


def gengamma_cdf(x, a, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z) ** c
    y = np.where(c > 0, special.gammainc(a, at), special.gammaincc(a, at))
    return share(y, z, scale, np.logical_and(a > 0, c != 0), 0.0)


def gengamma_sf(x, a, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z) ** c
    y = np.where(c > 0, special.gammaincc(a, at), special.gammainc(a, at))
    return share(y, z, scale, np.logical_and(a > 0, c != 0), 1.0)


densities(stats.gengamma, gengamma_logpdf, none=True)
probabilities(stats.gengamma, gengamma_cdf, gengamma_sf)

# ---------------------------------------------------------------- between two shapes


def loguniform_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.log(above_zero(z)) - np.log(np.log(b / a))
    return density(y, z, scale, np.logical_and(z >= a, z <= b), np.logical_and(a > 0, b > a))


def loguniform_cdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(above_zero(z) / a) / np.log(b / a)
    return between(y, z, a, b, np.logical_and(positive(z, scale), np.logical_and(a > 0, b > a)), 0.0)


def loguniform_sf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(b / above_zero(z)) / np.log(b / a)
    return between(y, z, a, b, np.logical_and(positive(z, scale), np.logical_and(a > 0, b > a)), 1.0)


def between(y, z, a, b, possible, below):
    """A probability of numbers between two ends."""
    return held(y, np.logical_and(z >= a, z <= b), possible, np.where(z < a, below, 1.0 - below))


densities(stats.loguniform, loguniform_logpdf)
probabilities(stats.loguniform, loguniform_cdf, loguniform_sf)
densities(stats.reciprocal, loguniform_logpdf)
probabilities(stats.reciprocal, loguniform_cdf, loguniform_sf)

# ---------------------------------------------------------------- of extremes


def log_over(c, z):
    """``log(1 + c z) / c`` and its derivatives, also where the shape is zero; inside the support."""
    product = c * z
    inside = product > -1
    small = np.abs(product) < 1e-3
    series = 1.0 - product * (1 / 2 - product * (1 / 3 - product * (1 / 4 - product * (1 / 5 - product / 6))))
    far = np.where(np.logical_and(inside, ~small), product, 1.0)
    return np.where(small, z * series, np.log1p(far) / np.where(small, 1.0, c))


def genpareto_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return density(-(c + 1.0) * log_over(c, z), z, scale, np.logical_and(z >= 0, c * z > -1), True)


def genpareto_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.expm1(-log_over(c, z))
    return held(y, np.logical_and(z >= 0, c * z > -1), positive(z, scale), np.where(z > 0, 1.0, 0.0))


def genpareto_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.exp(-log_over(c, z))
    return held(y, np.logical_and(z >= 0, c * z > -1), positive(z, scale), np.where(z > 0, 0.0, 1.0))


densities(stats.genpareto, genpareto_logpdf)
probabilities(stats.genpareto, genpareto_cdf, genpareto_sf)


def genextreme_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    t = log_over(-c, z)
    return density(-np.exp(-t) - (1.0 - c) * t, z, scale, c * z < 1, True)


def genextreme_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(np.exp(-np.exp(-log_over(-c, z))), c * z < 1, positive(z, scale), np.where(z > 0, 1.0, 0.0))


def genextreme_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(-np.expm1(-np.exp(-log_over(-c, z))), c * z < 1, positive(z, scale), np.where(z > 0, 0.0, 1.0))


def genextreme_logcdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(-np.exp(-log_over(-c, z)), c * z < 1, positive(z, scale), np.where(z > 0, 0.0, -np.inf))


densities(stats.genextreme, genextreme_logpdf)
probabilities(stats.genextreme, genextreme_cdf, genextreme_sf, genextreme_logcdf)
