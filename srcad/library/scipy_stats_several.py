"""Distributions of `scipy.stats` of several variables.

The covariance is symmetric; its lower triangle is read, and has the gradient.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of
from srcad.library.scipy_stats import real
from srcad.runtime import stop_gradient


@instead_of(stats.multivariate_normal.logpdf)
def multivariate_normal_logpdf(x, mean=None, cov=1, allow_singular=False):
    if np.ndim(cov) == 0 and (mean is None or np.ndim(mean) == 0):
        return real(one_variable(x if np.ndim(x) < 2 else x[..., 0], 0.0 if mean is None else mean, cov))
    if np.ndim(x) == 0:
        return refuse("scipy.stats.multivariate_normal of a number and several variables", "an array of the variables")
    apart, cov = real(x if mean is None else x - mean), real(cov)
    constant = apart.shape[-1] * np.log(2.0 * np.pi)
    if np.ndim(cov) < 2:
        determinant = apart.shape[-1] * np.log(cov) if np.ndim(cov) == 0 else np.sum(np.log(cov))
        return -0.5 * (constant + determinant + np.sum(np.square(apart) / cov, axis=-1))
    if allow_singular:
        return singular(apart, cov)
    factor = np.linalg.cholesky(cov)
    rows = np.reshape(apart, (-1, apart.shape[-1]))
    squares = np.sum(np.square(np.linalg.solve(factor, rows.T)), axis=0)
    y = -0.5 * (constant + squares) - np.sum(np.log(np.diag(factor)))
    return y[0] if apart.ndim == 1 else np.reshape(y, apart.shape[:-1])


def one_variable(x, mean, cov):
    """The logarithm of the density of one variable at each number."""
    return -0.5 * (np.log(2.0 * np.pi) + np.log(cov) + np.square(x - mean) / cov)


def singular(apart, cov):
    """The logarithm of a density on the subspace in which a covariance has its variance."""
    cov = np.tril(cov) + np.tril(cov, -1).T
    variances = np.linalg.eigvalsh(cov)
    limit = smallest(variances)
    there = variances > limit
    solved = apart @ np.linalg.pinv(cov, SMALLEST)
    beside = np.sqrt(np.sum(np.square(stop_gradient(apart - solved @ cov)), axis=-1))
    logarithms = np.sum(np.log(np.where(there, variances, 1.0)))
    y = -0.5 * (np.sum(there) * np.log(2.0 * np.pi) + logarithms + np.sum(apart * solved, axis=-1))
    return np.where(beside < 1e3 * limit, y, -np.inf)


SMALLEST = 1e6 * np.finfo(np.float64).eps


def smallest(variances):
    """The variance up to which there is none, of rounding errors."""
    return SMALLEST * stop_gradient(np.max(np.abs(variances)))


@instead_of(stats.multivariate_normal.entropy)
def multivariate_normal_entropy(mean=None, cov=1):
    cov = real(cov)
    if np.ndim(cov) == 0 and (mean is None or np.ndim(mean) == 0):
        return 0.5 * (np.log(2.0 * np.pi * np.e) + np.log(cov))
    if np.ndim(cov) != 2:
        return refuse("the entropy of scipy.stats.multivariate_normal of several numbers", "a matrix for cov=")
    variances = np.linalg.eigvalsh(cov)
    logarithms = np.sum(np.log(np.where(variances > smallest(variances), variances, 1.0)))
    return 0.5 * (cov.shape[-1] * np.log(2.0 * np.pi * np.e) + logarithms)


@instead_of(stats.multivariate_normal.pdf)
def multivariate_normal_pdf(x, mean=None, cov=1, allow_singular=False):
    return np.exp(multivariate_normal_logpdf(x, mean, cov, allow_singular))


@instead_of(stats.dirichlet.logpdf)
def dirichlet_logpdf(x, alpha):
    x, alpha = real(array_of(x)), real(array_of(alpha))
    if len(x) < len(alpha):  # the last one is what is left of one
        x = np.concatenate((x, 1.0 - np.sum(x, axis=0, keepdims=True)))
    constant = special.gammaln(np.sum(alpha)) - np.sum(special.gammaln(alpha))
    powers = alpha - 1.0 if np.ndim(x) == 1 else np.expand_dims(alpha - 1.0, 1)
    return constant + np.sum(special.xlogy(powers, x), axis=0)


@instead_of(stats.dirichlet.pdf)
def dirichlet_pdf(x, alpha):
    return np.exp(dirichlet_logpdf(x, alpha))


@instead_of(stats.dirichlet.mean)
def dirichlet_mean(alpha):
    alpha = real(array_of(alpha))
    return alpha / np.sum(alpha)


@instead_of(stats.dirichlet.var)
def dirichlet_var(alpha):
    alpha = real(array_of(alpha))
    total = np.sum(alpha)
    return alpha * (total - alpha) / (total * total * (total + 1.0))


@instead_of(stats.dirichlet.cov)
def dirichlet_cov(alpha):
    alpha = real(array_of(alpha))
    total = np.sum(alpha)
    parts = alpha / total
    return (np.diag(parts) - np.outer(parts, parts)) / (total + 1.0)


@instead_of(stats.dirichlet.entropy)
def dirichlet_entropy(alpha):
    alpha = real(array_of(alpha))
    total, n = np.sum(alpha), len(alpha)
    constant = np.sum(special.gammaln(alpha)) - special.gammaln(total)
    return constant + (total - n) * special.digamma(total) - np.sum((alpha - 1.0) * special.digamma(alpha))


@instead_of(stats.multinomial.logpmf)
def multinomial_logpmf(x, n, p):
    counts, p = stop_gradient(1.0 * real(array_of(x))), real(array_of(p))
    y = special.gammaln(n + 1.0) + np.sum(special.xlogy(counts, p) - special.gammaln(counts + 1.0), axis=-1)
    return np.where(np.sum(counts, axis=-1) == n, y, -np.inf)


@instead_of(stats.multinomial.pmf)
def multinomial_pmf(x, n, p):
    return np.exp(multinomial_logpmf(x, n, p))
