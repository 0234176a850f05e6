"""Quantiles of distributions of `scipy.stats` that are fitted more rarely, from below (`ppf`) and from above (`isf`).

Each function says both: `upper` is a constant.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of
from srcad.library.scipy_stats_quantiles import placed, within


def quantiles(distribution, at):
    """Enter the quantiles from below and from above."""

    @instead_of(distribution.ppf)
    def ppf(q, *shapes, **options):
        return at(q, False, *shapes, **options)

    @instead_of(distribution.isf)
    def isf(q, *shapes, **options):
        return at(q, True, *shapes, **options)


def log_below(q, upper):
    """The logarithm of the probability below a quantile."""
    return np.log1p(-within(q)) if upper else np.log(within(q))


def log_above(q, upper):
    """The logarithm of the probability above a quantile."""
    return np.log(within(q)) if upper else np.log1p(-within(q))


def turned(z, q, upper, loc, scale, low, high):
    """Quantiles of the standard distribution moved to a location, from one side or from the other."""
    return placed(z, q, loc, scale, high, low) if upper else placed(z, q, loc, scale, low, high)


def found(z, q, upper, loc, scale, possible, low, high):
    """The same; NaN for shapes that there are not."""
    z, low, high = np.where(possible, z, np.nan), np.where(possible, low, np.nan), np.where(possible, high, np.nan)
    return turned(z, q, upper, loc, scale, low, high)


# ---------------------------------------------------------------- without shapes


def rayleigh_at(q, upper, loc=0, scale=1):
    return turned(np.sqrt(-2.0 * log_above(q, upper)), q, upper, loc, scale, 0.0, np.inf)


def maxwell_at(q, upper, loc=0, scale=1):
    half = special.gammainccinv(1.5, within(q)) if upper else special.gammaincinv(1.5, within(q))
    return turned(np.sqrt(2.0 * half), q, upper, loc, scale, 0.0, np.inf)


def levy_at(q, upper, loc=0, scale=1):
    root = special.erfinv(within(q)) if upper else special.erfcinv(within(q))
    return turned(0.5 / np.square(root), q, upper, loc, scale, 0.0, np.inf)


def halfcauchy_at(q, upper, loc=0, scale=1):
    angle = np.tan(0.5 * np.pi * within(q))
    return turned(1.0 / angle if upper else angle, q, upper, loc, scale, 0.0, np.inf)


def hypsecant_at(q, upper, loc=0, scale=1):
    z = np.log(np.tan(0.5 * np.pi * within(q)))
    return turned(-z if upper else z, q, upper, loc, scale, -np.inf, np.inf)


def moyal_at(q, upper, loc=0, scale=1):
    root = special.erfinv(within(q)) if upper else special.erfcinv(within(q))
    return turned(-np.log(2.0 * np.square(root)), q, upper, loc, scale, -np.inf, np.inf)


def arcsine_at(q, upper, loc=0, scale=1):
    root = np.cos(0.5 * np.pi * within(q)) if upper else np.sin(0.5 * np.pi * within(q))
    return turned(np.square(root), q, upper, loc, scale, 0.0, 1.0)


for each, plain in (
    (stats.rayleigh, rayleigh_at), (stats.maxwell, maxwell_at), (stats.levy, levy_at), (stats.moyal, moyal_at),
    (stats.halfcauchy, halfcauchy_at), (stats.hypsecant, hypsecant_at), (stats.arcsine, arcsine_at),
):  # fmt: skip
    quantiles(each, plain)

# ---------------------------------------------------------------- with one shape


def genextreme_at(q, upper, c, loc=0, scale=1):
    t = -np.log(-log_below(q, upper))
    end = 1.0 / np.where(c == 0, 1.0, c)
    low, high = np.where(c < 0, end, -np.inf), np.where(c > 0, end, np.inf)
    return found(t * special.exprel(-c * t), q, upper, loc, scale, np.isfinite(c), low, high)


def genpareto_at(q, upper, c, loc=0, scale=1):
    t = -log_above(q, upper)
    high = np.where(c < 0, -1.0 / np.where(c == 0, 1.0, c), np.inf)
    return found(t * special.exprel(c * t), q, upper, loc, scale, np.isfinite(c), 0.0, high)


def invweibull_at(q, upper, c, loc=0, scale=1):
    return found((-log_below(q, upper)) ** (-1.0 / c), q, upper, loc, scale, c > 0, 0.0, np.inf)


def lomax_at(q, upper, c, loc=0, scale=1):
    return found(np.expm1(-log_above(q, upper) / c), q, upper, loc, scale, c > 0, 0.0, np.inf)


def powerlaw_at(q, upper, a, loc=0, scale=1):
    return found(np.exp(log_below(q, upper) / a), q, upper, loc, scale, a > 0, 0.0, 1.0)


def fisk_at(q, upper, c, loc=0, scale=1):
    odds = special.logit(within(q))
    return found(np.exp((-odds if upper else odds) / c), q, upper, loc, scale, c > 0, 0.0, np.inf)


def gompertz_at(q, upper, c, loc=0, scale=1):
    return found(np.log1p(-log_above(q, upper) / c), q, upper, loc, scale, c > 0, 0.0, np.inf)


def nakagami_at(q, upper, nu, loc=0, scale=1):
    square = special.gammainccinv(nu, within(q)) if upper else special.gammaincinv(nu, within(q))
    return found(np.sqrt(square / nu), q, upper, loc, scale, nu > 0, 0.0, np.inf)


def genlogistic_at(q, upper, c, loc=0, scale=1):
    z = -np.log(np.expm1(-log_below(q, upper) / c))
    return found(z, q, upper, loc, scale, c > 0, -np.inf, np.inf)


def triang_at(q, upper, c, loc=0, scale=1):
    below = 1.0 - within(q) if upper else within(q)
    above = within(q) if upper else 1.0 - within(q)
    first = below < c
    left = np.sqrt(np.where(first, c * below, 1.0))
    right = np.sqrt(np.where(first, 1.0, (1.0 - c) * above))
    z = np.where(first, left, 1.0 - right)
    return found(z, q, upper, loc, scale, np.logical_and(c >= 0, c <= 1), 0.0, 1.0)


def gennorm_at(q, upper, beta, loc=0, scale=1):
    tail = np.minimum(within(q), 1.0 - within(q))
    z = np.where(tail < 0.5, special.gammainccinv(1.0 / beta, 2.0 * np.where(tail < 0.5, tail, 0.25)), 0.0)
    far = np.where(z > 0, z, 1.0) ** (1.0 / beta)
    z = np.where(z > 0, np.where((within(q) < 0.5) == upper, far, -far), 0.0)
    return found(z, q, upper, loc, scale, beta > 0, -np.inf, np.inf)


for each, shaped in (
    (stats.genextreme, genextreme_at), (stats.genpareto, genpareto_at), (stats.invweibull, invweibull_at),
    (stats.lomax, lomax_at), (stats.powerlaw, powerlaw_at), (stats.fisk, fisk_at), (stats.gompertz, gompertz_at),
    (stats.nakagami, nakagami_at), (stats.genlogistic, genlogistic_at), (stats.triang, triang_at),
    (stats.gennorm, gennorm_at),
):  # fmt: skip
    quantiles(each, shaped)

# ---------------------------------------------------------------- with two shapes


def f_at(q, upper, dfn, dfd, loc=0, scale=1):
    # The share of the first sum of squares, and what it leaves: each to full precision.
    a, b = 0.5 * dfn, 0.5 * dfd
    share = special.betainccinv(a, b, within(q)) if upper else special.betaincinv(a, b, within(q))
    rest = special.betaincinv(b, a, within(q)) if upper else special.betainccinv(b, a, within(q))
    return found(dfd * share / (dfn * rest), q, upper, loc, scale, np.logical_and(dfn > 0, dfd > 0), 0.0, np.inf)


def betaprime_at(q, upper, a, b, loc=0, scale=1):
    share = special.betainccinv(a, b, within(q)) if upper else special.betaincinv(a, b, within(q))
    rest = special.betaincinv(b, a, within(q)) if upper else special.betainccinv(b, a, within(q))
    return found(share / rest, q, upper, loc, scale, np.logical_and(a > 0, b > 0), 0.0, np.inf)


def burr12_at(q, upper, c, d, loc=0, scale=1):
    z = np.expm1(-log_above(q, upper) / d) ** (1.0 / c)
    return found(z, q, upper, loc, scale, np.logical_and(c > 0, d > 0), 0.0, np.inf)


def exponweib_at(q, upper, a, c, loc=0, scale=1):
    z = (-np.log(-np.expm1(log_below(q, upper) / a))) ** (1.0 / c)
    return found(z, q, upper, loc, scale, np.logical_and(a > 0, c > 0), 0.0, np.inf)


def gengamma_at(q, upper, a, c, loc=0, scale=1):
    below, above = special.gammaincinv(a, within(q)), special.gammainccinv(a, within(q))
    z = np.where((c > 0) == upper, above, below) ** (1.0 / c)
    return found(z, q, upper, loc, scale, np.logical_and(a > 0, c != 0), 0.0, np.inf)


def johnsonsu_at(q, upper, a, b, loc=0, scale=1):
    z = -special.ndtri(within(q)) if upper else special.ndtri(within(q))
    return found(np.sinh((z - a) / b), q, upper, loc, scale, b > 0, -np.inf, np.inf)


def johnsonsb_at(q, upper, a, b, loc=0, scale=1):
    z = -special.ndtri(within(q)) if upper else special.ndtri(within(q))
    return found(special.expit((z - a) / b), q, upper, loc, scale, b > 0, 0.0, 1.0)


def loguniform_at(q, upper, a, b, loc=0, scale=1):
    z = b * np.exp(-within(q) * np.log(b / a)) if upper else a * np.exp(within(q) * np.log(b / a))
    return found(z, q, upper, loc, scale, np.logical_and(a > 0, b > a), a, b)


for each, twice_shaped in (
    (stats.f, f_at), (stats.betaprime, betaprime_at), (stats.burr12, burr12_at), (stats.exponweib, exponweib_at),
    (stats.gengamma, gengamma_at), (stats.johnsonsu, johnsonsu_at), (stats.johnsonsb, johnsonsb_at),
    (stats.loguniform, loguniform_at), (stats.reciprocal, loguniform_at),
):  # fmt: skip
    quantiles(each, twice_shaped)
