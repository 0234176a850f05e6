"""Special functions."""

import math

import numpy as np

from srcad.rules.rule import constant, lowers, rule
from srcad.runtime import bessel_i, bit_counts, digamma, exponents, mantissas, polygamma, solution, stop_gradient

constant(stop_gradient, solution, exponents)


@rule(mantissas)
def mantissa(y, x):
    y.dot = np.ldexp(x.dot, -exponents(x))
    x.bar += np.ldexp(y.bar, -exponents(x))


@rule(math.erf)
def erf(y, x):
    y.dot = x.dot * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)
    x.bar += y.bar * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)


@rule(math.erfc)
def erfc(y, x):
    y.dot = -x.dot * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)
    x.bar -= y.bar * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)


@rule(math.gamma)
def gamma(y, x):
    y.dot = x.dot * y * digamma(x)
    x.bar += y.bar * y * digamma(x)


@rule(math.lgamma)
def lgamma(y, x):
    y.dot = x.dot * digamma(x)
    x.bar += y.bar * digamma(x)


@rule(digamma)
def _(y, x):
    y.dot = x.dot * polygamma(1, x)
    x.bar += y.bar * polygamma(1, x)


@rule(polygamma)
def _(y, n, x):
    y.dot = x.dot * polygamma(n + 1, x)
    x.bar += y.bar * polygamma(n + 1, x)


@rule(np.i0)
def order_zero(y, x):
    y.dot = x.dot * bessel_i(1, x)
    x.bar += y.bar * bessel_i(1, x)


@rule(bessel_i)
def _(y, n, x):
    rate = 0.5 * (bessel_i(abs(n - 1), x) + bessel_i(n + 1, x))
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@lowers(np.i0)
def compiled_i0(x):
    return bessel_i(0, x)


if hasattr(np, "bitwise_count"):

    @lowers(np.bitwise_count)
    def bitwise_count(x):
        return bit_counts(x)
