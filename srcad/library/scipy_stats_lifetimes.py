"""Distributions of `scipy.stats` on positive numbers that are fitted more rarely, as `scipy_stats_bounded` has them."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import densities, held, probabilities, scaled, standard
from srcad.library.scipy_stats_bounded import positive

HALF_LOG_TWO_PI = 0.5 * np.log(2.0 * np.pi)


def above_zero(z):
    """The distances that are positive; one takes the place of the others."""
    return np.where(z > 0, z, 1.0)


def from_zero(z):
    """The distances that are not negative, where the density at zero is none or one, too."""
    return np.where(z >= 0, z, 1.0)


def density(y, z, scale, inside, possible):
    """The logarithm of a density, from that of the standard distribution."""
    inside = np.logical_and(inside, np.isfinite(z))
    return held(scaled(y, scale), inside, np.logical_and(positive(z, scale), possible), -np.inf)


def share(y, z, scale, possible, outside):
    """A probability of positive numbers."""
    return held(y, z > 0, np.logical_and(positive(z, scale), possible), outside)


# ---------------------------------------------------------------- without shapes


def levy_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z)
    return density(-HALF_LOG_TWO_PI - 1.5 * np.log(at) - 0.5 / at, z, scale, z > 0, True)


def levy_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.erfc(np.sqrt(0.5 / above_zero(z))), z, scale, True, 0.0)


def levy_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.erf(np.sqrt(0.5 / above_zero(z))), z, scale, True, 1.0)


densities(stats.levy, levy_logpdf)
probabilities(stats.levy, levy_cdf, levy_sf)


def rayleigh_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-np.expm1(-0.5 * np.square(z)), z, scale, True, 0.0)


def rayleigh_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.exp(-0.5 * np.square(z)), z, scale, True, 1.0)


def rayleigh_logsf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-0.5 * np.square(z), z, scale, True, 0.0)


probabilities(stats.rayleigh, rayleigh_cdf, rayleigh_sf, None, rayleigh_logsf)


def maxwell_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammainc(1.5, 0.5 * np.square(above_zero(z))), z, scale, True, 0.0)


def maxwell_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammaincc(1.5, 0.5 * np.square(above_zero(z))), z, scale, True, 1.0)


probabilities(stats.maxwell, maxwell_cdf, maxwell_sf)


def halfcauchy_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(2.0 / np.pi * np.arctan(z), z, scale, True, 0.0)


def halfcauchy_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(2.0 / np.pi * np.arctan2(1.0, z), z, scale, True, 1.0)


probabilities(stats.halfcauchy, halfcauchy_cdf, halfcauchy_sf)

# ---------------------------------------------------------------- with one shape


def invgauss_logpdf(x, mu, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z)
    y = -HALF_LOG_TWO_PI - 1.5 * np.log(at) - 0.5 * np.square(at / mu - 1.0) / at
    return density(y, z, scale, z > 0, mu > 0)


def invgauss_cdf(x, mu, loc=0, scale=1):
    z = standard(x, loc, scale)
    root = np.sqrt(above_zero(z))
    behind = np.exp(2.0 / mu + special.log_ndtr(-root / mu - 1.0 / root))
    return share(special.ndtr(root / mu - 1.0 / root) + behind, z, scale, mu > 0, 0.0)


def invgauss_sf(x, mu, loc=0, scale=1):
    z = standard(x, loc, scale)
    root = np.sqrt(above_zero(z))
    behind = np.exp(2.0 / mu + special.log_ndtr(-root / mu - 1.0 / root))
    return share(special.ndtr(1.0 / root - root / mu) - behind, z, scale, mu > 0, 1.0)


def invgauss_logcdf(x, mu, loc=0, scale=1):
    z = standard(x, loc, scale)
    root = np.sqrt(above_zero(z))
    first = special.log_ndtr(root / mu - 1.0 / root)
    behind = 2.0 / mu + special.log_ndtr(-root / mu - 1.0 / root)
    return share(first + np.log1p(np.exp(behind - first)), z, scale, mu > 0, -np.inf)


def invgauss_logsf(x, mu, loc=0, scale=1):
    z = standard(x, loc, scale)
    root = np.sqrt(above_zero(z))
    first = special.log_ndtr(1.0 / root - root / mu)
    behind = 2.0 / mu + special.log_ndtr(-root / mu - 1.0 / root)
    return share(first + np.log1p(-np.exp(behind - first)), z, scale, mu > 0, 0.0)


densities(stats.invgauss, invgauss_logpdf)
probabilities(stats.invgauss, invgauss_cdf, invgauss_sf, invgauss_logcdf, invgauss_logsf)


def fisk_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    logs = np.log(above_zero(z))
    y = special.xlogy(c - 1.0, from_zero(z)) + np.where(z > 0, 2.0 * special.log_expit(-c * logs), 0.0)
    return density(np.log(c) + y, z, scale, z >= 0, c > 0)


def fisk_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.expit(c * np.log(above_zero(z))), z, scale, c > 0, 0.0)


def fisk_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.expit(-c * np.log(above_zero(z))), z, scale, c > 0, 1.0)


densities(stats.fisk, fisk_logpdf, none=True)
probabilities(stats.fisk, fisk_cdf, fisk_sf)


def lomax_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-np.expm1(-c * np.log1p(above_zero(z))), z, scale, c > 0, 0.0)


def lomax_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.exp(-c * np.log1p(above_zero(z))), z, scale, c > 0, 1.0)


def lomax_logsf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-c * np.log1p(above_zero(z)), z, scale, c > 0, 0.0)


probabilities(stats.lomax, lomax_cdf, lomax_sf, None, lomax_logsf)


def invweibull_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z)
    return density(np.log(c) - (c + 1.0) * np.log(at) - at**-c, z, scale, z > 0, c > 0)


def invweibull_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.exp(-(above_zero(z) ** -c)), z, scale, c > 0, 0.0)


def invweibull_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-np.expm1(-(above_zero(z) ** -c)), z, scale, c > 0, 1.0)


densities(stats.invweibull, invweibull_logpdf)
probabilities(stats.invweibull, invweibull_cdf, invweibull_sf)


def gompertz_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(z >= 0, z, 0.0)
    return density(np.log(c) + at - c * np.expm1(at), z, scale, z >= 0, c > 0)


def gompertz_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(-np.expm1(-c * np.expm1(above_zero(z))), z, scale, c > 0, 0.0)


def gompertz_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(np.exp(-c * np.expm1(above_zero(z))), z, scale, c > 0, 1.0)


densities(stats.gompertz, gompertz_logpdf)
probabilities(stats.gompertz, gompertz_cdf, gompertz_sf)


def nakagami_logpdf(x, nu, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = from_zero(z)
    y = special.xlogy(nu, nu) - special.gammaln(nu) + special.xlogy(2.0 * nu - 1.0, at) - nu * np.square(at)
    return density(np.log(2.0) + y, z, scale, z >= 0, nu > 0)


def nakagami_cdf(x, nu, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammainc(nu, nu * np.square(above_zero(z))), z, scale, nu > 0, 0.0)


def nakagami_sf(x, nu, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammaincc(nu, nu * np.square(above_zero(z))), z, scale, nu > 0, 1.0)


densities(stats.nakagami, nakagami_logpdf, none=True)
probabilities(stats.nakagami, nakagami_cdf, nakagami_sf)


def rice_logpdf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = above_zero(z)
    y = np.log(at) - 0.5 * np.square(at - b) + np.log(special.i0e(at * b))
    return density(y, z, scale, z > 0, b >= 0)


def chi_logpdf(x, df, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(z >= 0, z, 1.0)
    half = 0.5 * df
    y = (1.0 - half) * np.log(2.0) - special.gammaln(half) + special.xlogy(df - 1.0, at) - 0.5 * np.square(at)
    return density(y, z, scale, z >= 0, df > 0)


def chi_cdf(x, df, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammainc(0.5 * df, 0.5 * np.square(above_zero(z))), z, scale, df > 0, 0.0)


def chi_sf(x, df, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.gammaincc(0.5 * df, 0.5 * np.square(above_zero(z))), z, scale, df > 0, 1.0)


densities(stats.rice, rice_logpdf)
densities(stats.chi, chi_logpdf, none=True)
probabilities(stats.chi, chi_cdf, chi_sf)


def foldnorm_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.logaddexp(-0.5 * np.square(z - c), -0.5 * np.square(z + c)) - HALF_LOG_TWO_PI
    return density(y, z, scale, z >= 0, c >= 0)


def foldnorm_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.ndtr(z - c) - special.ndtr(-z - c), z, scale, c >= 0, 0.0)


def foldnorm_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return share(special.ndtr(c - z) + special.ndtr(-z - c), z, scale, c >= 0, 1.0)


densities(stats.foldnorm, foldnorm_logpdf)
probabilities(stats.foldnorm, foldnorm_cdf, foldnorm_sf)
