"""Distributions of `scipy.stats` on all numbers and on intervals that are fitted more rarely, and on counts."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import densities, held, masses, probabilities, scaled, standard
from srcad.library.scipy_stats_bounded import counted, positive, whole, within
from srcad.library.scipy_stats_lifetimes import HALF_LOG_TWO_PI, density
from srcad.library.scipy_stats_shaped import log_mass
from srcad.library.scipy_stats_tails import between

# ---------------------------------------------------------------- on all numbers


def anywhere(y, z, scale, possible):
    """A probability, or the logarithm of a density, of any number."""
    return held(y, possible, positive(z, scale), np.nan)


def log_density(y, z, scale, possible):
    """The logarithm of a density that is positive for all numbers."""
    return held(scaled(y, scale), np.isfinite(z), np.logical_and(positive(z, scale), possible), -np.inf)


def exponnorm_logpdf(x, K, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = (0.5 / K - z) / K + special.log_ndtr(z - 1.0 / K) - np.log(K)
    return log_density(y, z, scale, K > 0)


def exponnorm_cdf(x, K, loc=0, scale=1):
    z = standard(x, loc, scale)
    behind = np.exp((0.5 / K - np.maximum(z, -1e8)) / K + special.log_ndtr(z - 1.0 / K))
    return anywhere(special.ndtr(z) - behind, z, scale, K > 0)


def exponnorm_sf(x, K, loc=0, scale=1):
    z = standard(x, loc, scale)
    behind = np.exp((0.5 / K - np.maximum(z, -1e8)) / K + special.log_ndtr(z - 1.0 / K))
    return anywhere(special.ndtr(-z) + behind, z, scale, K > 0)


densities(stats.exponnorm, exponnorm_logpdf)
probabilities(stats.exponnorm, exponnorm_cdf, exponnorm_sf)


def johnsonsu_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.log(b) - np.log(np.hypot(1.0, z)) - 0.5 * np.square(a + b * np.arcsinh(z)) - HALF_LOG_TWO_PI
    return log_density(y, z, scale, b > 0)


def johnsonsu_cdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.ndtr(a + b * np.arcsinh(z)), z, scale, b > 0)


def johnsonsu_sf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.ndtr(-a - b * np.arcsinh(z)), z, scale, b > 0)


densities(stats.johnsonsu, johnsonsu_logpdf)
probabilities(stats.johnsonsu, johnsonsu_cdf, johnsonsu_sf)


def gennorm_cdf(x, beta, loc=0, scale=1):
    z = standard(x, loc, scale)
    tail = 0.5 * special.gammaincc(1.0 / beta, np.abs(z) ** beta)
    return anywhere(np.where(z > 0, 1.0 - tail, tail), z, scale, beta > 0)


def gennorm_sf(x, beta, loc=0, scale=1):
    z = standard(x, loc, scale)
    tail = 0.5 * special.gammaincc(1.0 / beta, np.abs(z) ** beta)
    return anywhere(np.where(z > 0, tail, 1.0 - tail), z, scale, beta > 0)


probabilities(stats.gennorm, gennorm_cdf, gennorm_sf)


def moyal_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return log_density(-0.5 * (z + np.exp(-z)) - HALF_LOG_TWO_PI, z, scale, True)


def hypsecant_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return log_density(np.log(2.0 / np.pi) - np.abs(z) + special.log_expit(2.0 * np.abs(z)), z, scale, True)


def genlogistic_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return log_density(np.log(c) - z + (c + 1.0) * special.log_expit(z), z, scale, c > 0)


def loggamma_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return log_density(c * z - np.exp(z) - special.gammaln(c), z, scale, c > 0)


def skewcauchy_logpdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.log(np.pi) - np.log1p(np.square(z / (a * np.sign(z) + 1.0)))
    return log_density(y, z, scale, np.abs(a) < 1)


def laplace_asymmetric_logpdf(x, kappa, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.where(z >= 0, -z * kappa, z / kappa) - np.log(kappa + 1.0 / kappa)
    return log_density(y, z, scale, kappa > 0)


def norminvgauss_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    far = np.hypot(1.0, z)
    y = np.sqrt(np.where(np.abs(b) < a, a**2 - b**2, 1.0)) + np.log(a / np.pi) + b * z - a * far
    return log_density(y + np.log(special.k1e(a * far) / far), z, scale, np.abs(b) < a)


for each, logarithm in (
    (stats.moyal, moyal_logpdf), (stats.hypsecant, hypsecant_logpdf), (stats.genlogistic, genlogistic_logpdf),
    (stats.loggamma, loggamma_logpdf), (stats.skewcauchy, skewcauchy_logpdf),
    (stats.laplace_asymmetric, laplace_asymmetric_logpdf), (stats.norminvgauss, norminvgauss_logpdf),
):  # fmt: skip
    densities(each, logarithm)

# ---------------------------------------------------------------- on an interval


def triang_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    rising = np.logical_or(z < c, c == 1)
    y = np.log(2.0) + np.log(np.where(rising, z, 1.0 - z)) - np.log(np.where(rising, c, 1.0 - c))
    return density(y, z, scale, np.logical_and(z >= 0, z <= 1), np.logical_and(c >= 0, c <= 1))


def triang_shares(x, c, loc, scale):
    """The part of a triangle on the near side of a number, whether it is the part below, and whether there is one."""
    z = standard(x, loc, scale)
    rising = np.logical_or(z < c, c == 1)
    share = np.square(np.where(rising, z, 1.0 - z)) / np.where(rising, c, 1.0 - c)
    return z, rising, share, np.logical_and(positive(z, scale), np.logical_and(c >= 0, c <= 1))


def triang_cdf(x, c, loc=0, scale=1):
    z, rising, share, possible = triang_shares(x, c, loc, scale)
    return between(np.where(rising, share, 1.0 - share), z, 0.0, 1.0, possible, 0.0)


def triang_sf(x, c, loc=0, scale=1):
    z, rising, share, possible = triang_shares(x, c, loc, scale)
    return between(np.where(rising, 1.0 - share, share), z, 0.0, 1.0, possible, 1.0)


densities(stats.triang, triang_logpdf, none=True)
probabilities(stats.triang, triang_cdf, triang_sf)


def arcsine_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside = np.logical_and(z >= 0, z <= 1)
    at = np.where(inside, z, 0.5)
    return density(-np.log(np.pi) - 0.5 * np.log(at * (1.0 - at)), z, scale, inside, True)


def semicircular_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(np.abs(z) < 1, z, 0.0)
    return density(np.log(2.0 / np.pi) + 0.5 * np.log1p(-at * at), z, scale, np.abs(z) < 1, True)


def johnsonsb_logpdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = np.where(np.logical_and(z > 0, z < 1), z, 0.5)
    y = np.log(b) - np.log(at * (1.0 - at)) - 0.5 * np.square(a + b * special.logit(at)) - HALF_LOG_TWO_PI
    return density(y, z, scale, np.logical_and(z > 0, z < 1), b > 0)


def truncexpon_logpdf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    return density(-z - np.log(-np.expm1(-b)), z, scale, np.logical_and(z >= 0, z <= b), b > 0)


for each, logarithm in (
    (stats.arcsine, arcsine_logpdf), (stats.semicircular, semicircular_logpdf),
    (stats.johnsonsb, johnsonsb_logpdf), (stats.truncexpon, truncexpon_logpdf),
):  # fmt: skip
    densities(each, logarithm)


def powerlaw_cdf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.where(within(z), z, 1.0) ** a
    return between(y, z, 0.0, 1.0, np.logical_and(positive(z, scale), a > 0), 0.0)


def powerlaw_sf(x, a, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = -np.expm1(a * np.log(np.where(np.logical_and(z > 0, z <= 1), z, 1.0)))
    inside = np.logical_and(z > 0, z <= 1)
    return held(y, inside, np.logical_and(positive(z, scale), a > 0), np.where(z > 1, 0.0, 1.0))


probabilities(stats.powerlaw, powerlaw_cdf, powerlaw_sf)


def truncnorm_logcdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = log_mass(a, np.where(np.logical_and(z > a, z < b), z, b)) - log_mass(a, b)
    inside = np.logical_and(z > a, z < b)
    return held(y, inside, np.logical_and(positive(z, scale), a < b), np.where(z <= a, -np.inf, 0.0))


def truncnorm_logsf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = log_mass(np.where(np.logical_and(z > a, z < b), z, a), b) - log_mass(a, b)
    inside = np.logical_and(z > a, z < b)
    return held(y, inside, np.logical_and(positive(z, scale), a < b), np.where(z <= a, 0.0, -np.inf))


def truncnorm_cdf(x, a, b, loc=0, scale=1):
    return np.exp(truncnorm_logcdf(x, a, b, loc, scale))


def truncnorm_sf(x, a, b, loc=0, scale=1):
    return np.exp(truncnorm_logsf(x, a, b, loc, scale))


probabilities(stats.truncnorm, truncnorm_cdf, truncnorm_sf, truncnorm_logcdf, truncnorm_logsf)

# ---------------------------------------------------------------- on counts


def geom_cdf(k, p, loc=0):
    z = np.floor(counted(k, loc))
    y = -np.expm1(special.xlog1py(np.where(z >= 1, z, 1.0), -p))
    return held(y, z >= 1, np.logical_and(z == z, np.logical_and(p > 0, p <= 1)), 0.0)


def geom_sf(k, p, loc=0):
    z = np.floor(counted(k, loc))
    y = np.exp(special.xlog1py(np.where(z >= 1, z, 1.0), -p))
    return held(y, z >= 1, np.logical_and(z == z, np.logical_and(p > 0, p <= 1)), 1.0)


probabilities(stats.geom, geom_cdf, geom_sf)


def nbinom_cdf(k, n, p, loc=0):
    z = np.floor(counted(k, loc))
    possible = np.logical_and(np.logical_and(z == z, n > 0), np.logical_and(p > 0, p <= 1))
    return held(special.betainc(n, np.where(z >= 0, z, 0.0) + 1.0, p), z >= 0, possible, 0.0)


def nbinom_sf(k, n, p, loc=0):
    z = np.floor(counted(k, loc))
    possible = np.logical_and(np.logical_and(z == z, n > 0), np.logical_and(p > 0, p <= 1))
    return held(special.betaincc(n, np.where(z >= 0, z, 0.0) + 1.0, p), z >= 0, possible, 1.0)


probabilities(stats.nbinom, nbinom_cdf, nbinom_sf)


def logser_logpmf(k, p, loc=0):
    z = counted(k, loc)
    at = np.where(z >= 1, z, 1.0)
    y = at * np.log(p) - np.log(at) - np.log(-np.log1p(-p))
    return held(y, whole(z - 1.0, np.inf), np.logical_and(z == z, np.logical_and(p > 0, p < 1)), -np.inf)


def planck_logpmf(k, lambda_, loc=0):
    z = counted(k, loc)
    y = np.log(-np.expm1(-lambda_)) - lambda_ * np.where(z >= 0, z, 0.0)
    return held(y, whole(z, np.inf), np.logical_and(z == z, lambda_ > 0), -np.inf)


masses(stats.logser, logser_logpmf)
masses(stats.planck, planck_logpmf)
