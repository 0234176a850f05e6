"""Distribution functions of `scipy.stats` of the distributions whose densities `scipy_stats_curves` has."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import held, probabilities, standard
from srcad.library.scipy_stats_bounded import positive
from srcad.library.scipy_stats_curves import anywhere

ROOT_HALF = np.sqrt(0.5)

# ---------------------------------------------------------------- of any number


def hypsecant_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(2.0 / np.pi * np.arctan(np.exp(z)), z, scale, True)


def hypsecant_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(2.0 / np.pi * np.arctan(np.exp(-z)), z, scale, True)


probabilities(stats.hypsecant, hypsecant_cdf, hypsecant_sf)


def moyal_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.erfc(ROOT_HALF * np.exp(-0.5 * z)), z, scale, True)


def moyal_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.erf(ROOT_HALF * np.exp(-0.5 * z)), z, scale, True)


probabilities(stats.moyal, moyal_cdf, moyal_sf)


def genlogistic_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(np.exp(c * special.log_expit(z)), z, scale, c > 0)


def genlogistic_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(-np.expm1(c * special.log_expit(z)), z, scale, c > 0)


def genlogistic_logcdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(c * special.log_expit(z), z, scale, c > 0)


probabilities(stats.genlogistic, genlogistic_cdf, genlogistic_sf, genlogistic_logcdf)


def loggamma_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.gammainc(c, np.exp(z)), z, scale, c > 0)


def loggamma_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    return anywhere(special.gammaincc(c, np.exp(z)), z, scale, c > 0)


probabilities(stats.loggamma, loggamma_cdf, loggamma_sf)


def laplace_asymmetric_cdf(x, kappa, loc=0, scale=1):
    z = standard(x, loc, scale)
    left = np.exp(np.minimum(z, 0.0) / kappa) * kappa * kappa / (1.0 + kappa * kappa)
    right = np.exp(-kappa * np.maximum(z, 0.0)) / (1.0 + kappa * kappa)
    return anywhere(np.where(z >= 0, 1.0 - right, left), z, scale, kappa > 0)


def laplace_asymmetric_sf(x, kappa, loc=0, scale=1):
    z = standard(x, loc, scale)
    left = np.exp(np.minimum(z, 0.0) / kappa) * kappa * kappa / (1.0 + kappa * kappa)
    right = np.exp(-kappa * np.maximum(z, 0.0)) / (1.0 + kappa * kappa)
    return anywhere(np.where(z >= 0, right, 1.0 - left), z, scale, kappa > 0)


probabilities(stats.laplace_asymmetric, laplace_asymmetric_cdf, laplace_asymmetric_sf)

# ---------------------------------------------------------------- between two ends


def inside(z, low, high):
    """The distances between two ends; the middle takes the place of the others."""
    return np.where(np.logical_and(z > low, z < high), z, 0.5 * (low + high))


def between(y, z, low, high, possible, below):
    """A probability of numbers between two ends."""
    return held(y, np.logical_and(z > low, z < high), possible, np.where(z <= low, below, 1.0 - below))


def arcsine_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = 2.0 / np.pi * np.arcsin(np.sqrt(inside(z, 0.0, 1.0)))
    return between(y, z, 0.0, 1.0, positive(z, scale), 0.0)


def arcsine_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = 2.0 / np.pi * np.arccos(np.sqrt(inside(z, 0.0, 1.0)))
    return between(y, z, 0.0, 1.0, positive(z, scale), 1.0)


probabilities(stats.arcsine, arcsine_cdf, arcsine_sf)


def semicircular_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = inside(z, -1.0, 1.0)
    y = 0.5 + (at * np.sqrt(1.0 - at * at) + np.arcsin(at)) / np.pi
    return between(y, z, -1.0, 1.0, positive(z, scale), 0.0)


def semicircular_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    at = inside(z, -1.0, 1.0)
    y = 0.5 - (at * np.sqrt(1.0 - at * at) + np.arcsin(at)) / np.pi
    return between(y, z, -1.0, 1.0, positive(z, scale), 1.0)


probabilities(stats.semicircular, semicircular_cdf, semicircular_sf)


def johnsonsb_cdf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.ndtr(a + b * special.logit(inside(z, 0.0, 1.0)))
    return between(y, z, 0.0, 1.0, np.logical_and(positive(z, scale), b > 0), 0.0)


def johnsonsb_sf(x, a, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = special.ndtr(-a - b * special.logit(inside(z, 0.0, 1.0)))
    return between(y, z, 0.0, 1.0, np.logical_and(positive(z, scale), b > 0), 1.0)


probabilities(stats.johnsonsb, johnsonsb_cdf, johnsonsb_sf)


def truncexpon_cdf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.expm1(-inside(z, 0.0, b)) / np.expm1(-b)
    return between(y, z, 0.0, b, np.logical_and(positive(z, scale), b > 0), 0.0)


def truncexpon_sf(x, b, loc=0, scale=1):
    z = standard(x, loc, scale)
    y = np.exp(-b) * np.expm1(b - inside(z, 0.0, b)) / -np.expm1(-b)
    return between(y, z, 0.0, b, np.logical_and(positive(z, scale), b > 0), 1.0)


probabilities(stats.truncexpon, truncexpon_cdf, truncexpon_sf)
