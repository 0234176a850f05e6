"""More distributions of `scipy.stats`, as `scipy_stats_bounded` has them."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import checked, densities, held, masses, probabilities, scaled, standard
from srcad.library.scipy_stats_bounded import counted, positive, whole

# ---------------------------------------------------------------- on all numbers


def gumbel_r_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return checked(scaled(-z - np.exp(-z), scale), scale)


def gumbel_r_cdf(x, loc=0, scale=1):
    return checked(np.exp(-np.exp(-standard(x, loc, scale))), scale)


def gumbel_r_sf(x, loc=0, scale=1):
    return checked(-np.expm1(-np.exp(-standard(x, loc, scale))), scale)


def gumbel_r_logcdf(x, loc=0, scale=1):
    return checked(-np.exp(-standard(x, loc, scale)), scale)


densities(stats.gumbel_r, gumbel_r_logpdf)
probabilities(stats.gumbel_r, gumbel_r_cdf, gumbel_r_sf, gumbel_r_logcdf)


def gumbel_l_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return checked(scaled(z - np.exp(z), scale), scale)


def gumbel_l_cdf(x, loc=0, scale=1):
    return checked(-np.expm1(-np.exp(standard(x, loc, scale))), scale)


def gumbel_l_sf(x, loc=0, scale=1):
    return checked(np.exp(-np.exp(standard(x, loc, scale))), scale)


def gumbel_l_logsf(x, loc=0, scale=1):
    return checked(-np.exp(standard(x, loc, scale)), scale)


densities(stats.gumbel_l, gumbel_l_logpdf)
probabilities(stats.gumbel_l, gumbel_l_cdf, gumbel_l_sf, None, gumbel_l_logsf)

# ---------------------------------------------------------------- on positive numbers


def chi2_logpdf(x, df, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(z >= 0, z, 1.0)
    y = special.xlogy(0.5 * df - 1.0, at) - 0.5 * at - special.gammaln(0.5 * df) - 0.5 * np.log(2.0) * df
    return held(scaled(y, scale), z >= 0, np.logical_and(positive(z, scale), df > 0), -np.inf)


def chi2_cdf(x, df, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.gammainc(0.5 * df, 0.5 * np.where(z >= 0, z, 1.0))
    return held(y, z >= 0, np.logical_and(positive(z, scale), df > 0), 0.0)


def chi2_sf(x, df, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.gammaincc(0.5 * df, 0.5 * np.where(z >= 0, z, 1.0))
    return held(y, z >= 0, np.logical_and(positive(z, scale), df > 0), 1.0)


densities(stats.chi2, chi2_logpdf, none=True)
probabilities(stats.chi2, chi2_cdf, chi2_sf)


def invgamma_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(z > 0, z, 1.0)
    y = -(a + 1.0) * np.log(at) - special.gammaln(a) - 1.0 / at
    return held(scaled(y, scale), z > 0, np.logical_and(positive(z, scale), a > 0), -np.inf)


def invgamma_cdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.gammaincc(a, 1.0 / np.where(z > 0, z, 1.0))
    return held(y, z > 0, np.logical_and(positive(z, scale), a > 0), 0.0)


def invgamma_sf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.gammainc(a, 1.0 / np.where(z > 0, z, 1.0))
    return held(y, z > 0, np.logical_and(positive(z, scale), a > 0), 1.0)


densities(stats.invgamma, invgamma_logpdf)
probabilities(stats.invgamma, invgamma_cdf, invgamma_sf)


def weibull_min_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(z >= 0, z, 1.0)
    y = np.log(c) + special.xlogy(c - 1.0, at) - at**c
    return held(scaled(y, scale), z >= 0, np.logical_and(positive(z, scale), c > 0), -np.inf)


def weibull_min_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.expm1(-(np.where(z > 0, z, 1.0) ** c))
    return held(y, z > 0, np.logical_and(positive(z, scale), c > 0), 0.0)


def weibull_min_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.exp(-(np.where(z > 0, z, 1.0) ** c))
    return held(y, z > 0, np.logical_and(positive(z, scale), c > 0), 1.0)


def weibull_min_logsf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -(np.where(z > 0, z, 1.0) ** c)
    return held(y, z > 0, np.logical_and(positive(z, scale), c > 0), 0.0)


densities(stats.weibull_min, weibull_min_logpdf, none=True)
probabilities(stats.weibull_min, weibull_min_cdf, weibull_min_sf, None, weibull_min_logsf)


def pareto_logpdf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(b) - (b + 1.0) * np.log(np.where(z >= 1, z, 1.0))
    return held(scaled(y, scale), z >= 1, np.logical_and(positive(z, scale), b > 0), -np.inf)


def pareto_cdf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.expm1(-b * np.log(np.where(z >= 1, z, 1.0)))
    return held(y, z >= 1, np.logical_and(positive(z, scale), b > 0), 0.0)


def pareto_sf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.where(z >= 1, z, 1.0) ** -b
    return held(y, z >= 1, np.logical_and(positive(z, scale), b > 0), 1.0)


densities(stats.pareto, pareto_logpdf)
probabilities(stats.pareto, pareto_cdf, pareto_sf)


def halfnorm_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(scaled(0.5 * np.log(2.0 / np.pi) - 0.5 * np.square(z), scale), z >= 0, positive(z, scale), -np.inf)


def halfnorm_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(special.erf(z / np.sqrt(2.0)), z >= 0, positive(z, scale), 0.0)


def halfnorm_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(special.erfc(z / np.sqrt(2.0)), z >= 0, positive(z, scale), 1.0)


densities(stats.halfnorm, halfnorm_logpdf)
probabilities(stats.halfnorm, halfnorm_cdf, halfnorm_sf)

# ---------------------------------------------------------------- on counts


def bernoulli_logpmf(k, p, loc=0):
    z = counted(k, loc)
    y = np.where(z == 1, special.xlogy(z, p), special.xlog1py(1.0 - z, -p))
    return held(y, whole(z, 1.0), np.logical_and(z == z, np.logical_and(p >= 0, p <= 1)), -np.inf)


def bernoulli_cdf(k, p, loc=0):
    z = np.floor(counted(k, loc))
    y = np.where(z < 0, 0.0, np.where(z < 1, 1.0 - p, 1.0))
    return held(y, z == z, np.logical_and(z == z, np.logical_and(p >= 0, p <= 1)), 0.0)


def bernoulli_sf(k, p, loc=0):
    z = np.floor(counted(k, loc))
    y = np.where(z < 0, 1.0, np.where(z < 1, p, 0.0))
    return held(y, z == z, np.logical_and(z == z, np.logical_and(p >= 0, p <= 1)), 0.0)


def geom_logpmf(k, p, loc=0):
    z = counted(k, loc)
    at = np.where(z >= 1, z, 1.0)
    y = special.xlog1py(at - 1.0, -p) + np.log(p)
    return held(y, whole(z - 1.0, np.inf), np.logical_and(z == z, np.logical_and(p > 0, p <= 1)), -np.inf)


def nbinom_logpmf(k, n, p, loc=0):
    z = counted(k, loc)
    at = np.where(z >= 0, z, 0.0)
    ways = special.gammaln(n + at) - special.gammaln(at + 1.0) - special.gammaln(n)
    y = ways + n * np.log(p) + special.xlog1py(at, -p)
    possible = np.logical_and(np.logical_and(z == z, n > 0), np.logical_and(p > 0, p <= 1))
    return held(y, whole(z, np.inf), possible, -np.inf)


masses(stats.bernoulli, bernoulli_logpmf)
probabilities(stats.bernoulli, bernoulli_cdf, bernoulli_sf)
masses(stats.geom, geom_logpmf)
masses(stats.nbinom, nbinom_logpmf)
