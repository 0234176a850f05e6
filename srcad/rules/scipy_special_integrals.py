"""Integrals of Bessel and Struve functions of `scipy.special`, Kelvin, scaled Airy, and Legendre functions.

Formulas: NIST Digital Library of Mathematical Functions, chapters 9 to 11 and 14.
"""

import numpy as np
from scipy import special

from srcad.rules.dtypes import is_complex
from srcad.rules.operands import unknown
from srcad.rules.rule import rule
from srcad.runtime.scipy_special_results import (
    integral_of_i0, integral_of_i0_by_x, integral_of_j0, integral_of_j0_by_x, integral_of_k0, integral_of_k0_by_x,
    integral_of_y0, integral_of_y0_by_x, scaled_airy_a, scaled_airy_a_slope, scaled_airy_b, scaled_airy_b_slope,
)  # fmt: skip

# ---------------------------------------------------------------- integrals from zero


@rule(integral_of_j0)
def _(y, x):
    y.dot = x.dot * special.j0(x)
    x.bar += y.bar * special.j0(x)


@rule(integral_of_y0)
def _(y, x):
    y.dot = x.dot * special.y0(x)
    x.bar += y.bar * special.y0(x)


@rule(integral_of_i0)
def _(y, x):
    y.dot = x.dot * special.i0(x)
    x.bar += y.bar * special.i0(x)


@rule(integral_of_k0)
def _(y, x):
    y.dot = x.dot * special.k0(x)
    x.bar += y.bar * special.k0(x)


@rule(special.itstruve0)
def itstruve0(y, x):
    y.dot = x.dot * special.struve(0.0, x)
    x.bar += y.bar * special.struve(0.0, x)


@rule(special.itmodstruve0)
def itmodstruve0(y, x):
    y.dot = x.dot * special.modstruve(0.0, x)
    x.bar += y.bar * special.modstruve(0.0, x)


# ---------------------------------------------------------------- integrals of quotients, with a pole at zero from x


@rule(integral_of_j0_by_x)
def _(y, x):
    rate = 0.25 * x if x == 0.0 else (1.0 - special.j0(x)) / (1.0 if x == 0.0 else x)
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(integral_of_y0_by_x)
def _(y, x):
    y.dot = -x.dot * special.y0(x) / x
    x.bar -= y.bar * special.y0(x) / x


@rule(integral_of_i0_by_x)
def _(y, x):
    rate = 0.25 * x if x == 0.0 else (special.i0(x) - 1.0) / (1.0 if x == 0.0 else x)
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(integral_of_k0_by_x)
def _(y, x):
    y.dot = -x.dot * special.k0(x) / x
    x.bar -= y.bar * special.k0(x) / x


@rule(special.it2struve0)
def it2struve0(y, x):
    y.dot = -x.dot * special.struve(0.0, x) / x
    x.bar -= y.bar * special.struve(0.0, x) / x


# ---------------------------------------------------------------- Kelvin functions


@rule(special.ber)
def ber(y, x):
    y.dot = x.dot * special.berp(x)
    x.bar += y.bar * special.berp(x)


@rule(special.bei)
def bei(y, x):
    y.dot = x.dot * special.beip(x)
    x.bar += y.bar * special.beip(x)


@rule(special.ker)
def ker(y, x):
    y.dot = x.dot * special.kerp(x)
    x.bar += y.bar * special.kerp(x)


@rule(special.kei)
def kei(y, x):
    y.dot = x.dot * special.keip(x)
    x.bar += y.bar * special.keip(x)


@rule(special.berp)
def berp(y, x):
    rate = -special.bei(x) - (-0.0625 * x * x if x == 0.0 else y / (1.0 if x == 0.0 else x))
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(special.beip)
def beip(y, x):
    rate = special.ber(x) - (0.5 if x == 0.0 else y / (1.0 if x == 0.0 else x))
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(special.kerp)
def kerp(y, x):
    rate = -special.kei(x) - y / x
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(special.keip)
def keip(y, x):
    rate = special.ker(x) - y / x
    y.dot = x.dot * rate
    x.bar += y.bar * rate


# ---------------------------------------------------------------- Airy functions, scaled by what they grow or fall like


@rule(scaled_airy_a)
def _(y, x):
    rate = scaled_airy_a_slope(x) + np.sqrt(x) * y
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(scaled_airy_a_slope)
def _(y, x):
    rate = x * scaled_airy_a(x) + np.sqrt(x) * y
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(scaled_airy_b)
def _(y, x):
    if is_complex(x):
        raise NotImplementedError("the derivative of scipy.special.airye at complex numbers")
    # Below zero, where it waves, it is not scaled.
    rate = scaled_airy_b_slope(x) - np.sqrt(np.maximum(x, 0.0)) * y
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(scaled_airy_b_slope)
def _(y, x):
    if is_complex(x):
        raise NotImplementedError("the derivative of scipy.special.airye at complex numbers")
    rate = x * scaled_airy_b(x) - np.sqrt(np.maximum(x, 0.0)) * y
    y.dot = x.dot * rate
    x.bar += y.bar * rate


# ---------------------------------------------------------------- Legendre functions


@rule(special.lpmv)
def lpmv(y, m, v, x):
    rate = (v * x * y - (v + m) * special.lpmv(m, v - 1.0, x)) / (x * x - 1.0)
    y.dot = x.dot * rate + unknown(m.dot, "its order") + unknown(v.dot, "its degree")
    x.bar += y.bar * rate
    m.bar += unknown(y.bar, "its order")
    v.bar += unknown(y.bar, "its degree")
