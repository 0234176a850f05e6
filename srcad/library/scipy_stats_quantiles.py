"""Quantiles of distributions of `scipy.stats`: the inverses of their distribution functions.

At the probabilities zero and one they are the ends of the support, whose derivative is that of the location and the
scale alone; beside them they are NaN.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of
from srcad.library.axes import double
from srcad.library.scipy_stats import real


def within(q):
    """Probabilities at which there is a quantile; one half takes the place of the others."""
    q = double(real(q))
    return np.where(np.logical_and(q > 0, q < 1), q, 0.5)


def placed(z, q, loc, scale, low, high):
    """Quantiles of the standard distribution moved to a location; the ends of the support where they belong."""
    possible = np.logical_and(np.logical_and(q >= 0, q <= 1), scale > 0)
    at = np.where(q == 0, low, np.where(q == 1, high, z))
    return np.where(possible, real(at * scale + loc), np.nan)


@instead_of(stats.norm.ppf)
def norm_ppf(q, loc=0, scale=1):
    return placed(special.ndtri(within(q)), q, loc, scale, -np.inf, np.inf)


@instead_of(stats.norm.isf)
def norm_isf(q, loc=0, scale=1):
    return placed(-special.ndtri(within(q)), q, loc, scale, np.inf, -np.inf)


@instead_of(stats.t.ppf)
def t_ppf(q, df, loc=0, scale=1):
    return placed(special.stdtrit(df, within(q)), q, loc, scale, -np.inf, np.inf)


@instead_of(stats.t.isf)
def t_isf(q, df, loc=0, scale=1):
    return placed(-special.stdtrit(df, within(q)), q, loc, scale, np.inf, -np.inf)


@instead_of(stats.cauchy.ppf)
def cauchy_ppf(q, loc=0, scale=1):
    return placed(np.tan(np.pi * (within(q) - 0.5)), q, loc, scale, -np.inf, np.inf)


@instead_of(stats.cauchy.isf)
def cauchy_isf(q, loc=0, scale=1):
    return placed(np.tan(np.pi * (0.5 - within(q))), q, loc, scale, np.inf, -np.inf)


def laplace_quantile(q):
    lower = np.log(2.0 * np.minimum(q, 0.5))
    return np.where(q > 0.5, -np.log(2.0 * (1.0 - np.maximum(q, 0.5))), lower)


@instead_of(stats.laplace.ppf)
def laplace_ppf(q, loc=0, scale=1):
    return placed(laplace_quantile(within(q)), q, loc, scale, -np.inf, np.inf)


@instead_of(stats.laplace.isf)
def laplace_isf(q, loc=0, scale=1):
    return placed(-laplace_quantile(within(q)), q, loc, scale, np.inf, -np.inf)


@instead_of(stats.logistic.ppf)
def logistic_ppf(q, loc=0, scale=1):
    return placed(special.logit(within(q)), q, loc, scale, -np.inf, np.inf)


@instead_of(stats.logistic.isf)
def logistic_isf(q, loc=0, scale=1):
    return placed(-special.logit(within(q)), q, loc, scale, np.inf, -np.inf)


@instead_of(stats.gumbel_r.ppf)
def gumbel_r_ppf(q, loc=0, scale=1):
    return placed(-np.log(-np.log(within(q))), q, loc, scale, -np.inf, np.inf)


@instead_of(stats.gumbel_r.isf)
def gumbel_r_isf(q, loc=0, scale=1):
    return placed(-np.log(-np.log1p(-within(q))), q, loc, scale, np.inf, -np.inf)


@instead_of(stats.gumbel_l.ppf)
def gumbel_l_ppf(q, loc=0, scale=1):
    return placed(np.log(-np.log1p(-within(q))), q, loc, scale, -np.inf, np.inf)


@instead_of(stats.gumbel_l.isf)
def gumbel_l_isf(q, loc=0, scale=1):
    return placed(np.log(-np.log(within(q))), q, loc, scale, np.inf, -np.inf)


# ---------------------------------------------------------------- on a part of the numbers


@instead_of(stats.uniform.ppf)
def uniform_ppf(q, loc=0, scale=1):
    return placed(within(q), q, loc, scale, 0.0, 1.0)


@instead_of(stats.uniform.isf)
def uniform_isf(q, loc=0, scale=1):
    return placed(1.0 - within(q), q, loc, scale, 1.0, 0.0)


@instead_of(stats.expon.ppf)
def expon_ppf(q, loc=0, scale=1):
    return placed(-np.log1p(-within(q)), q, loc, scale, 0.0, np.inf)


@instead_of(stats.expon.isf)
def expon_isf(q, loc=0, scale=1):
    return placed(-np.log(within(q)), q, loc, scale, np.inf, 0.0)


@instead_of(stats.gamma.ppf)
def gamma_ppf(q, a, loc=0, scale=1):
    return placed(special.gammaincinv(a, within(q)), q, loc, scale, 0.0, np.inf)


@instead_of(stats.gamma.isf)
def gamma_isf(q, a, loc=0, scale=1):
    return placed(special.gammainccinv(a, within(q)), q, loc, scale, np.inf, 0.0)


@instead_of(stats.chi2.ppf)
def chi2_ppf(q, df, loc=0, scale=1):
    return placed(2.0 * special.gammaincinv(0.5 * df, within(q)), q, loc, scale, 0.0, np.inf)


@instead_of(stats.chi2.isf)
def chi2_isf(q, df, loc=0, scale=1):
    return placed(2.0 * special.gammainccinv(0.5 * df, within(q)), q, loc, scale, np.inf, 0.0)


@instead_of(stats.invgamma.ppf)
def invgamma_ppf(q, a, loc=0, scale=1):
    return placed(1.0 / special.gammainccinv(a, within(q)), q, loc, scale, 0.0, np.inf)


@instead_of(stats.invgamma.isf)
def invgamma_isf(q, a, loc=0, scale=1):
    return placed(1.0 / special.gammaincinv(a, within(q)), q, loc, scale, np.inf, 0.0)


@instead_of(stats.beta.ppf)
def beta_ppf(q, a, b, loc=0, scale=1):
    return placed(special.betaincinv(a, b, within(q)), q, loc, scale, 0.0, 1.0)


@instead_of(stats.beta.isf)
def beta_isf(q, a, b, loc=0, scale=1):
    return placed(special.betainccinv(a, b, within(q)), q, loc, scale, 1.0, 0.0)


@instead_of(stats.lognorm.ppf)
def lognorm_ppf(q, s, loc=0, scale=1):
    return placed(np.exp(s * special.ndtri(within(q))), q, loc, scale, 0.0, np.inf)


@instead_of(stats.lognorm.isf)
def lognorm_isf(q, s, loc=0, scale=1):
    return placed(np.exp(-s * special.ndtri(within(q))), q, loc, scale, np.inf, 0.0)


@instead_of(stats.halfnorm.ppf)
def halfnorm_ppf(q, loc=0, scale=1):
    return placed(special.ndtri(0.5 * (1.0 + within(q))), q, loc, scale, 0.0, np.inf)


@instead_of(stats.halfnorm.isf)
def halfnorm_isf(q, loc=0, scale=1):
    return placed(-special.ndtri(0.5 * within(q)), q, loc, scale, np.inf, 0.0)


@instead_of(stats.weibull_min.ppf)
def weibull_min_ppf(q, c, loc=0, scale=1):
    return placed((-np.log1p(-within(q))) ** (1.0 / c), q, loc, scale, 0.0, np.inf)


@instead_of(stats.weibull_min.isf)
def weibull_min_isf(q, c, loc=0, scale=1):
    return placed((-np.log(within(q))) ** (1.0 / c), q, loc, scale, np.inf, 0.0)


@instead_of(stats.pareto.ppf)
def pareto_ppf(q, b, loc=0, scale=1):
    return placed((1.0 - within(q)) ** (-1.0 / b), q, loc, scale, 1.0, np.inf)


@instead_of(stats.pareto.isf)
def pareto_isf(q, b, loc=0, scale=1):
    return placed(within(q) ** (-1.0 / b), q, loc, scale, np.inf, 1.0)
