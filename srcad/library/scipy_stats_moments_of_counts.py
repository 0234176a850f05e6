"""Means and variances of the distributions of counts of `scipy.stats`."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of
from srcad.library.axes import double
from srcad.library.scipy_stats_moments import moments


def poisson_mean(mu, loc=0):
    return loc + np.where(mu >= 0, double(mu), np.nan)


def poisson_var(mu, loc=0):
    return np.where(mu >= 0, double(mu), np.nan) + 0.0 * loc


moments(stats.poisson, poisson_mean, poisson_var)


def probability(p):
    """A parameter between zero and one."""
    return np.where(np.logical_and(p >= 0, p <= 1), double(p), np.nan)


def binom_mean(n, p, loc=0):
    return loc + n * probability(p)


def binom_var(n, p, loc=0):
    return n * probability(p) * (1.0 - probability(p)) + 0.0 * loc


moments(stats.binom, binom_mean, binom_var)


def bernoulli_mean(p, loc=0):
    return loc + probability(p)


def bernoulli_var(p, loc=0):
    return probability(p) * (1.0 - probability(p)) + 0.0 * loc


moments(stats.bernoulli, bernoulli_mean, bernoulli_var)


@instead_of(stats.bernoulli.entropy)
def bernoulli_entropy(p, loc=0):
    return special.entr(probability(p)) + special.entr(1.0 - probability(p)) + 0.0 * loc


def geom_mean(p, loc=0):
    return loc + 1.0 / probability(p)


def geom_var(p, loc=0):
    return (1.0 - probability(p)) / np.square(probability(p)) + 0.0 * loc


moments(stats.geom, geom_mean, geom_var)


def nbinom_mean(n, p, loc=0):
    return loc + n * (1.0 - probability(p)) / probability(p)


def nbinom_var(n, p, loc=0):
    return n * (1.0 - probability(p)) / np.square(probability(p)) + 0.0 * loc


moments(stats.nbinom, nbinom_mean, nbinom_var)
