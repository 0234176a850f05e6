"""Splines of a basis: their derivatives are those of the next order."""

import numpy as np

from srcad.rules.operands import unknown
from srcad.rules.rule import rule
from srcad.runtime.scipy_interpolate_knots import knot_splines


@rule(knot_splines)
def splines(y, t, k, x, order):
    rates = knot_splines(t, k, x, order + 1)
    y.dot = x.dot * rates + unknown(t.dot, "its knots")
    x.bar += np.sum(y.bar * rates, axis=0)
    t.bar += unknown(y.bar, "its knots")
