"""Distributions of `scipy.stats` between two ends that are fitted more rarely, as `scipy_stats_tails` has them."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library.scipy_stats import densities, probabilities, standard
from srcad.library.scipy_stats_bounded import positive
from srcad.library.scipy_stats_lifetimes import density
from srcad.library.scipy_stats_tails import between

QUARTER_PI = 0.25 * np.pi


def inside_of(z, a, b):
    """Whether distances are between two ends, and those that are; the middle takes the place of the others."""
    inside = np.logical_and(z >= a, z <= b)
    return inside, np.where(inside, z, 0.5 * (a + b))


def bradford_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside, at = inside_of(z, 0.0, 1.0)
    return density(np.log(c) - np.log1p(c * at) - np.log(np.log1p(c)), z, scale, inside, c > 0)


def bradford_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    _, at = inside_of(z, 0.0, 1.0)
    return between(np.log1p(c * at) / np.log1p(c), z, 0.0, 1.0, np.logical_and(positive(z, scale), c > 0), 0.0)


def bradford_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    _, at = inside_of(z, 0.0, 1.0)
    y = np.log1p(c * (1.0 - at) / (1.0 + c * at)) / np.log1p(c)
    return between(y, z, 0.0, 1.0, np.logical_and(positive(z, scale), c > 0), 1.0)


densities(stats.bradford, bradford_logpdf)
probabilities(stats.bradford, bradford_cdf, bradford_sf)


def anglit_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside, at = inside_of(z, -QUARTER_PI, QUARTER_PI)
    return density(np.log(np.cos(2.0 * at)), z, scale, inside, True)


def anglit_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return between(np.square(np.sin(z + QUARTER_PI)), z, -QUARTER_PI, QUARTER_PI, positive(z, scale), 0.0)


def anglit_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return between(np.square(np.cos(z + QUARTER_PI)), z, -QUARTER_PI, QUARTER_PI, positive(z, scale), 1.0)


densities(stats.anglit, anglit_logpdf)
probabilities(stats.anglit, anglit_cdf, anglit_sf)


def cosine_logpdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside = np.logical_and(np.abs(z) <= np.pi, np.cos(z) != -1)
    return density(np.log1p(np.cos(np.where(inside, z, 0.0))) - np.log(2.0 * np.pi), z, scale, inside, True)


def cosine_cdf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return between(arc(z + np.pi) / (2.0 * np.pi), z, -np.pi, np.pi, positive(z, scale), 0.0)


def cosine_sf(x, loc=0, scale=1):
    z = standard(x, loc, scale)
    return between(arc(np.pi - z) / (2.0 * np.pi), z, -np.pi, np.pi, positive(z, scale), 1.0)


def arc(t):
    """``t - sin(t)``, also where both are nearly the same."""
    small = np.abs(t) < 1
    square = np.square(np.where(small, t, 0.0))
    series = 1.0
    for n in (16, 14, 12, 10, 8, 6, 4):
        series = 1.0 - square / (n * (n + 1)) * series
    return np.where(small, t * square / 6.0 * series, t - np.sin(t))


densities(stats.cosine, cosine_logpdf)
probabilities(stats.cosine, cosine_cdf, cosine_sf)


def rdist_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside, at = inside_of(z, -1.0, 1.0)
    half = 0.5 * c
    y = special.xlogy(half - 1.0, 0.25 * (1.0 + at) * (1.0 - at)) - special.betaln(half, half) - np.log(2.0)
    return density(y, z, scale, inside, c > 0)


def rdist_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    _, at = inside_of(z, -1.0, 1.0)
    y = special.betainc(0.5 * c, 0.5 * c, 0.5 + 0.5 * at)
    return between(y, z, -1.0, 1.0, np.logical_and(positive(z, scale), c > 0), 0.0)


def rdist_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    _, at = inside_of(z, -1.0, 1.0)
    y = special.betainc(0.5 * c, 0.5 * c, 0.5 - 0.5 * at)
    return between(y, z, -1.0, 1.0, np.logical_and(positive(z, scale), c > 0), 1.0)


densities(stats.rdist, rdist_logpdf, none=True)
probabilities(stats.rdist, rdist_cdf, rdist_sf)


def argus_logpdf(x, chi, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside = np.logical_and(z > 0, z < 1)
    at = np.where(inside, z, 0.5)
    left = (1.0 - at) * (1.0 + at)
    constant = 3.0 * np.log(chi) - 0.5 * np.log(2.0 * np.pi) - np.log(argus_part(chi))
    y = constant + np.log(at) + 0.5 * np.log(left) - 0.5 * np.square(chi) * left
    return density(y, z, scale, inside, chi > 0)


def argus_part(chi):
    """The integral of the density up to a constant: a normal one less its tangent, with nothing lost to rounding."""
    return 0.5 * special.gammainc(1.5, 0.5 * np.square(chi))


def argus_sf(x, chi, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside = np.logical_and(z > 0, z < 1)
    at = np.where(inside, z, 0.5)
    y = argus_part(chi * np.sqrt((1.0 - at) * (1.0 + at))) / argus_part(chi)
    y = np.where(inside, y, np.where(z > 0, 0.0, 1.0))
    return between(y, z, 0.0, 1.0, np.logical_and(positive(z, scale), chi > 0), 1.0)


def argus_cdf(x, chi, loc=0, scale=1):
    return 1.0 - argus_sf(x, chi, loc, scale)


densities(stats.argus, argus_logpdf)
probabilities(stats.argus, argus_cdf, argus_sf)


def genhalflogistic_power(z, c):
    """Whether distances are below the upper end, and ``(1 - c z) ** (1 / c)`` of those that are, as a logarithm."""
    inside = np.logical_and(z >= 0, c * z < 1)
    return inside, np.log1p(-c * np.where(inside, z, 0.0)) / c


def genhalflogistic_logpdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside, power = genhalflogistic_power(z, c)
    at_the_end = np.where(c < 1, -np.inf, np.where(c == 1, np.log(2.0), np.inf))
    y = np.where(inside, np.log(2.0) + (1.0 - c) * power - 2.0 * np.log1p(np.exp(power)), at_the_end)
    return density(y, z, scale, np.logical_and(z >= 0, z <= 1.0 / c), c > 0)


def genhalflogistic_cdf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside, power = genhalflogistic_power(z, c)
    y = np.where(inside, -np.tanh(0.5 * power), 1.0)
    return between(y, z, 0.0, 1.0 / c, np.logical_and(positive(z, scale), c > 0), 0.0)


def genhalflogistic_sf(x, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside, power = genhalflogistic_power(z, c)
    y = np.where(inside, 2.0 * special.expit(power), 0.0)
    return between(y, z, 0.0, 1.0 / c, np.logical_and(positive(z, scale), c > 0), 1.0)


densities(stats.genhalflogistic, genhalflogistic_logpdf)
probabilities(stats.genhalflogistic, genhalflogistic_cdf, genhalflogistic_sf)


def truncpareto_logpdf(x, b, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    inside, at = inside_of(z, 1.0, c)
    y = np.log(b / -np.expm1(-b * np.log(c))) - (b + 1.0) * np.log(at)
    return density(y, z, scale, inside, np.logical_and(b != 0, c > 1))


def truncpareto_cdf(x, b, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    _, at = inside_of(z, 1.0, c)
    y = np.expm1(-b * np.log(at)) / np.expm1(-b * np.log(c))
    possible = np.logical_and(positive(z, scale), np.logical_and(b != 0, c > 1))
    return between(y, z, 1.0, c, possible, 0.0)


def truncpareto_sf(x, b, c, loc=0, scale=1):
    z = standard(x, loc, scale)
    _, at = inside_of(z, 1.0, c)
    y = np.exp(-b * np.log(at)) * np.expm1(-b * np.log(c / at)) / np.expm1(-b * np.log(c))
    possible = np.logical_and(positive(z, scale), np.logical_and(b != 0, c > 1))
    return between(y, z, 1.0, c, possible, 1.0)


densities(stats.truncpareto, truncpareto_logpdf)
probabilities(stats.truncpareto, truncpareto_cdf, truncpareto_sf)


def wrapcauchy_shares(x, c, loc, scale, below):
    """The probability below or above; the angle from the middle of a turn goes on through it."""
    z = standard(x, loc, scale)
    half = 0.5 * inside_of(z, 0.0, 2.0 * np.pi)[1]
    side = np.cos(half) if below else -np.cos(half)
    y = np.arctan2((1.0 + c) / (1.0 - c) * np.sin(half), side) / np.pi
    possible = np.logical_and(positive(z, scale), np.logical_and(c > 0, c < 1))
    return between(y, z, 0.0, 2.0 * np.pi, possible, 0.0 if below else 1.0)


def wrapcauchy_cdf(x, c, loc=0, scale=1):
    return wrapcauchy_shares(x, c, loc, scale, True)


def wrapcauchy_sf(x, c, loc=0, scale=1):
    return wrapcauchy_shares(x, c, loc, scale, False)


probabilities(stats.wrapcauchy, wrapcauchy_cdf, wrapcauchy_sf)
