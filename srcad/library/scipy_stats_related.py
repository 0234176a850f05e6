"""Distributions of `scipy.stats` that others give: turned round, on both sides of zero, with a shape that is one."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import densities, held, probabilities, scaled, standard
from srcad.library.scipy_stats_bounded import (
    gamma_cdf, gamma_logpdf, gamma_sf, lognorm_cdf, lognorm_logcdf, lognorm_logpdf, lognorm_logsf, lognorm_sf, positive,
)  # fmt: skip
from srcad.library.scipy_stats_lifetimes import (
    above_zero, density, from_zero, invgauss_cdf, invgauss_logcdf, invgauss_logpdf, invgauss_logsf, invgauss_sf, share,
)  # fmt: skip

# ---------------------------------------------------------------- of others, with a shape that is known

densities(stats.erlang, gamma_logpdf, none=True)
probabilities(stats.erlang, gamma_cdf, gamma_sf)


def gibrat_logpdf(x, loc=0, scale=1):
    return lognorm_logpdf(x, 1.0, loc, scale)


def gibrat_cdf(x, loc=0, scale=1):
    return lognorm_cdf(x, 1.0, loc, scale)


def gibrat_sf(x, loc=0, scale=1):
    return lognorm_sf(x, 1.0, loc, scale)


def gibrat_logcdf(x, loc=0, scale=1):
    return lognorm_logcdf(x, 1.0, loc, scale)


def gibrat_logsf(x, loc=0, scale=1):
    return lognorm_logsf(x, 1.0, loc, scale)


densities(stats.gibrat, gibrat_logpdf)
probabilities(stats.gibrat, gibrat_cdf, gibrat_sf, gibrat_logcdf, gibrat_logsf)


def wald_logpdf(x, loc=0, scale=1):
    return invgauss_logpdf(x, 1.0, loc, scale)


def wald_cdf(x, loc=0, scale=1):
    return invgauss_cdf(x, 1.0, loc, scale)


def wald_sf(x, loc=0, scale=1):
    return invgauss_sf(x, 1.0, loc, scale)


def wald_logcdf(x, loc=0, scale=1):
    return invgauss_logcdf(x, 1.0, loc, scale)


def wald_logsf(x, loc=0, scale=1):
    return invgauss_logsf(x, 1.0, loc, scale)


densities(stats.wald, wald_logpdf)
probabilities(stats.wald, wald_cdf, wald_sf, wald_logcdf, wald_logsf)

# ---------------------------------------------------------------- on negative numbers


def weibull_max_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = from_zero(-z)
    return density(np.log(c) + special.xlogy(c - 1.0, at) - at**c, z, scale, z <= 0, c > 0)


def weibull_max_logcdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return held(-(above_zero(-z) ** c), z < 0, np.logical_and(positive(z, scale), c > 0), 0.0)


def weibull_max_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.exp(-(above_zero(-z) ** c)), -z, scale, c > 0, 1.0)


def weibull_max_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-np.expm1(-(above_zero(-z) ** c)), -z, scale, c > 0, 0.0)


densities(stats.weibull_max, weibull_max_logpdf, none=True)
probabilities(stats.weibull_max, weibull_max_cdf, weibull_max_sf, weibull_max_logcdf)

# ---------------------------------------------------------------- on both sides


def dweibull_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.abs(z)
    y = np.log(0.5 * c) + special.xlogy(c - 1.0, at) - at**c
    return held(scaled(y, scale), np.isfinite(z), np.logical_and(positive(z, scale), c > 0), -np.inf)


def dweibull_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    half = 0.5 * np.exp(-(np.abs(z) ** c))
    return held(np.where(z > 0, 1.0 - half, half), True, np.logical_and(positive(z, scale), c > 0), np.nan)


def dweibull_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    half = 0.5 * np.exp(-(np.abs(z) ** c))
    return held(np.where(z > 0, half, 1.0 - half), True, np.logical_and(positive(z, scale), c > 0), np.nan)


densities(stats.dweibull, dweibull_logpdf, none=True)
probabilities(stats.dweibull, dweibull_cdf, dweibull_sf)


def dgamma_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.abs(z)
    y = special.xlogy(a - 1.0, at) - at - np.log(2.0) - special.gammaln(a)
    return held(scaled(y, scale), np.isfinite(z), np.logical_and(positive(z, scale), a > 0), -np.inf)


def dgamma_cdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    half = 0.5 * special.gammaincc(a, np.abs(z))
    return held(np.where(z > 0, 1.0 - half, half), True, np.logical_and(positive(z, scale), a > 0), np.nan)


def dgamma_sf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    half = 0.5 * special.gammaincc(a, np.abs(z))
    return held(np.where(z > 0, half, 1.0 - half), True, np.logical_and(positive(z, scale), a > 0), np.nan)


densities(stats.dgamma, dgamma_logpdf, none=True)
probabilities(stats.dgamma, dgamma_cdf, dgamma_sf)

# ---------------------------------------------------------------- on positive numbers


def burr_logpdf(x, c, d, loc=0, scale=1):
    z = standard(x, loc, scale)
    logs = np.log(above_zero(z))
    y = special.xlogy(c * d - 1.0, from_zero(z)) + np.where(z > 0, (d + 1.0) * special.log_expit(-c * logs), 0.0)
    return density(np.log(c) + np.log(d) + y, z, scale, z >= 0, np.logical_and(c > 0, d > 0))


def burr_logcdf(x, c, d, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = d * special.log_expit(c * np.log(above_zero(z)))
    return share(y, z, scale, np.logical_and(c > 0, d > 0), -np.inf)


def burr_cdf(x, c, d, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.exp(d * special.log_expit(c * np.log(above_zero(z))))
    return share(y, z, scale, np.logical_and(c > 0, d > 0), 0.0)


def burr_sf(x, c, d, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.expm1(d * special.log_expit(c * np.log(above_zero(z))))
    return share(y, z, scale, np.logical_and(c > 0, d > 0), 1.0)


densities(stats.burr, burr_logpdf, none=True)
probabilities(stats.burr, burr_cdf, burr_sf, burr_logcdf)


def loglaplace_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    near, far = np.where(np.logical_and(z >= 0, z < 1), z, 1.0), np.where(z >= 1, z, 1.0)
    return density(np.log(0.5 * c) + special.xlogy(c - 1.0, near) - (c + 1.0) * np.log(far), z, scale, z >= 0, c > 0)


def loglaplace_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    half = 0.5 * np.exp(-c * np.abs(np.log(above_zero(z))))
    return share(np.where(z < 1, half, 1.0 - half), z, scale, c > 0, 0.0)


def loglaplace_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    half = 0.5 * np.exp(-c * np.abs(np.log(above_zero(z))))
    return share(np.where(z < 1, 1.0 - half, half), z, scale, c > 0, 1.0)


densities(stats.loglaplace, loglaplace_logpdf, none=True)
probabilities(stats.loglaplace, loglaplace_cdf, loglaplace_sf)


def fatiguelife_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z)
    y = np.log(at + 1.0) - np.square(at - 1.0) / (2.0 * at * c**2) - np.log(2.0 * c) - 0.5 * np.log(2.0 * np.pi)
    return density(y - 1.5 * np.log(at), z, scale, z > 0, c > 0)


def fatiguelife_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    root = np.sqrt(above_zero(z))
    return share(special.ndtr((root - 1.0 / root) / c), z, scale, c > 0, 0.0)


def fatiguelife_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    root = np.sqrt(above_zero(z))
    return share(special.ndtr((1.0 / root - root) / c), z, scale, c > 0, 1.0)


densities(stats.fatiguelife, fatiguelife_logpdf)
probabilities(stats.fatiguelife, fatiguelife_cdf, fatiguelife_sf)
