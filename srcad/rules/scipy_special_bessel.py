"""Bessel, Airy, Struve and hypergeometric functions of `scipy.special`.

Formulas: NIST Digital Library of Mathematical Functions, chapters 9 to 11, 13 and 15.
"""

import numpy as np
from scipy import special

from srcad.rules.dtypes import is_complex
from srcad.rules.operands import unknown
from srcad.rules.rule import rule
from srcad.runtime import airy_a, airy_a_slope, airy_b, airy_b_slope

# ---------------------------------------------------------------- Bessel functions


@rule(special.j0)
def j0(y, x):
    y.dot = -x.dot * special.j1(x)
    x.bar -= y.bar * special.j1(x)


@rule(special.j1)
def j1(y, x):
    y.dot = x.dot * 0.5 * (special.j0(x) - special.jv(2.0, x))
    x.bar += y.bar * 0.5 * (special.j0(x) - special.jv(2.0, x))


@rule(special.jv)
def jv(y, v, x):
    rate = 0.5 * (special.jv(v - 1.0, x) - special.jv(v + 1.0, x))
    y.dot = x.dot * rate + unknown(v.dot, "its order")
    x.bar += y.bar * rate
    v.bar += unknown(y.bar, "its order")


@rule(special.y0)
def y0(y, x):
    y.dot = -x.dot * special.y1(x)
    x.bar -= y.bar * special.y1(x)


@rule(special.y1)
def y1(y, x):
    y.dot = x.dot * 0.5 * (special.y0(x) - special.yv(2.0, x))
    x.bar += y.bar * 0.5 * (special.y0(x) - special.yv(2.0, x))


@rule(special.yv)
def yv(y, v, x):
    rate = 0.5 * (special.yv(v - 1.0, x) - special.yv(v + 1.0, x))
    y.dot = x.dot * rate + unknown(v.dot, "its order")
    x.bar += y.bar * rate
    v.bar += unknown(y.bar, "its order")


@rule(special.yn)
def yn(y, n, x):
    rate = 0.5 * (special.yn(n - 1, x) - special.yn(n + 1, x))
    y.dot = x.dot * rate + unknown(n.dot, "its order")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its order")


@rule(special.i0)
def i0(y, x):
    y.dot = x.dot * special.i1(x)
    x.bar += y.bar * special.i1(x)


@rule(special.i1)
def i1(y, x):
    y.dot = x.dot * 0.5 * (special.i0(x) + special.iv(2.0, x))
    x.bar += y.bar * 0.5 * (special.i0(x) + special.iv(2.0, x))


@rule(special.iv)
def iv(y, v, x):
    rate = 0.5 * (special.iv(v - 1.0, x) + special.iv(v + 1.0, x))
    y.dot = x.dot * rate + unknown(v.dot, "its order")
    x.bar += y.bar * rate
    v.bar += unknown(y.bar, "its order")


@rule(special.i0e)
def i0e(y, x):
    y.dot = x.dot * (special.i1e(x) - np.sign(x) * y)
    x.bar += y.bar * (special.i1e(x) - np.sign(x) * y)


@rule(special.i1e)
def i1e(y, x):
    y.dot = x.dot * (0.5 * (special.i0e(x) + special.ive(2.0, x)) - np.sign(x) * y)
    x.bar += y.bar * (0.5 * (special.i0e(x) + special.ive(2.0, x)) - np.sign(x) * y)


@rule(special.ive)
def ive(y, v, x):
    if is_complex(x):
        raise NotImplementedError("the derivative of scipy.special.ive at complex numbers")
    rate = 0.5 * (special.ive(v - 1.0, x) + special.ive(v + 1.0, x)) - np.sign(x) * y
    y.dot = x.dot * rate + unknown(v.dot, "its order")
    x.bar += y.bar * rate
    v.bar += unknown(y.bar, "its order")


@rule(special.k0)
def k0(y, x):
    y.dot = -x.dot * special.k1(x)
    x.bar -= y.bar * special.k1(x)


@rule(special.k1)
def k1(y, x):
    y.dot = -x.dot * 0.5 * (special.k0(x) + special.kv(2.0, x))
    x.bar -= y.bar * 0.5 * (special.k0(x) + special.kv(2.0, x))


@rule(special.kv)
def kv(y, v, x):
    rate = 0.5 * (special.kv(v - 1.0, x) + special.kv(v + 1.0, x))
    y.dot = -x.dot * rate + unknown(v.dot, "its order")
    x.bar -= y.bar * rate
    v.bar += unknown(y.bar, "its order")


@rule(special.kn)
def kn(y, n, x):
    rate = 0.5 * (special.kn(n - 1, x) + special.kn(n + 1, x))
    y.dot = -x.dot * rate + unknown(n.dot, "its order")
    x.bar -= y.bar * rate
    n.bar += unknown(y.bar, "its order")


@rule(special.k0e)
def k0e(y, x):
    y.dot = x.dot * (y - special.k1e(x))
    x.bar += y.bar * (y - special.k1e(x))


@rule(special.k1e)
def k1e(y, x):
    y.dot = x.dot * (y - 0.5 * (special.k0e(x) + special.kve(2.0, x)))
    x.bar += y.bar * (y - 0.5 * (special.k0e(x) + special.kve(2.0, x)))


@rule(special.kve)
def kve(y, v, x):
    rate = y - 0.5 * (special.kve(v - 1.0, x) + special.kve(v + 1.0, x))
    y.dot = x.dot * rate + unknown(v.dot, "its order")
    x.bar += y.bar * rate
    v.bar += unknown(y.bar, "its order")


# ---------------------------------------------------------------- Airy and Struve functions


@rule(airy_a)
def _(y, x):
    y.dot = x.dot * airy_a_slope(x)
    x.bar += y.bar * airy_a_slope(x)


@rule(airy_a_slope)
def _(y, x):
    y.dot = x.dot * x * airy_a(x)
    x.bar += y.bar * x * airy_a(x)


@rule(airy_b)
def _(y, x):
    y.dot = x.dot * airy_b_slope(x)
    x.bar += y.bar * airy_b_slope(x)


@rule(airy_b_slope)
def _(y, x):
    y.dot = x.dot * x * airy_b(x)
    x.bar += y.bar * x * airy_b(x)


@rule(special.struve)
def struve(y, v, x):
    power = (0.5 * x) ** v * special.rgamma(v + 1.5) / np.sqrt(np.pi)
    rate = 0.5 * (special.struve(v - 1.0, x) - special.struve(v + 1.0, x) + power)
    y.dot = x.dot * rate + unknown(v.dot, "its order")
    x.bar += y.bar * rate
    v.bar += unknown(y.bar, "its order")


@rule(special.modstruve)
def modstruve(y, v, x):
    power = (0.5 * x) ** v * special.rgamma(v + 1.5) / np.sqrt(np.pi)
    rate = 0.5 * (special.modstruve(v - 1.0, x) + special.modstruve(v + 1.0, x) + power)
    y.dot = x.dot * rate + unknown(v.dot, "its order")
    x.bar += y.bar * rate
    v.bar += unknown(y.bar, "its order")


# ---------------------------------------------------------------- hypergeometric functions


@rule(special.hyp2f1)
def hyp2f1(y, a, b, c, x):
    rate = a * b / c * special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, x)
    y.dot = x.dot * rate + unknown(a.dot, "a") + unknown(b.dot, "b") + unknown(c.dot, "c")
    x.bar += y.bar * rate
    a.bar += unknown(y.bar, "a")
    b.bar += unknown(y.bar, "b")
    c.bar += unknown(y.bar, "c")


@rule(special.hyp1f1)
def hyp1f1(y, a, b, x):
    rate = a / b * special.hyp1f1(a + 1.0, b + 1.0, x)
    y.dot = x.dot * rate + unknown(a.dot, "a") + unknown(b.dot, "b")
    x.bar += y.bar * rate
    a.bar += unknown(y.bar, "a")
    b.bar += unknown(y.bar, "b")


@rule(special.hyp0f1)
def hyp0f1(y, v, x):
    y.dot = x.dot * special.hyp0f1(v + 1.0, x) / v + unknown(v.dot, "its parameter v")
    x.bar += y.bar * special.hyp0f1(v + 1.0, x) / v
    v.bar += unknown(y.bar, "its parameter v")


@rule(special.hyperu)
def hyperu(y, a, b, x):
    y.dot = -x.dot * a * special.hyperu(a + 1.0, b + 1.0, x) + unknown(a.dot, "a") + unknown(b.dot, "b")
    x.bar -= y.bar * a * special.hyperu(a + 1.0, b + 1.0, x)
    a.bar += unknown(y.bar, "a")
    b.bar += unknown(y.bar, "b")
