"""Special functions."""

import math

import numpy as np

from srcad.rules.rule import constant, rule
from srcad.runtime import digamma, polygamma, stop_gradient

constant(stop_gradient)


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
