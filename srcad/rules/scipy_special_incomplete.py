"""The incomplete gamma and beta functions of `scipy.special`, their inverses, and the distributions that are such.

Formulas: NIST Digital Library of Mathematical Functions, sections 8.2 and 8.17. The derivatives with respect to the
shapes, which have no closed form, are the integrals of `srcad.runtime.scipy_special_shapes`.
"""

import numpy as np
from scipy import special

from srcad.rules.operands import unknown
from srcad.rules.rule import rule
from srcad.runtime.scipy_special_shapes import betainc_by_shapes, gammainc_by_shape

# ---------------------------------------------------------------- gamma


@rule(special.gammainc)
def gammainc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    y.dot = x.dot * density + a.dot * gammainc_by_shape(1, a, x)
    x.bar += y.bar * density
    a.bar += y.bar * gammainc_by_shape(1, a, x)


@rule(special.gammaincc)
def gammaincc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    y.dot = -x.dot * density - a.dot * gammainc_by_shape(1, a, x)
    x.bar -= y.bar * density
    a.bar -= y.bar * gammainc_by_shape(1, a, x)


@rule(gammainc_by_shape)
def _(y, order, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    apart = special.xlogy(density, x) - density * special.digamma(a)
    if order == 1:
        y.dot = x.dot * apart + a.dot * gammainc_by_shape(2, a, x)
        x.bar += y.bar * apart
        a.bar += y.bar * gammainc_by_shape(2, a, x)
    else:
        rate = special.xlogy(apart, x) - apart * special.digamma(a) - density * special.polygamma(1, a)
        y.dot = x.dot * rate + unknown(a.dot, "a a third time")
        x.bar += y.bar * rate
        a.bar += unknown(y.bar, "a a third time")


@rule(special.gammaincinv)
def gammaincinv(x, a, y):
    rate = np.exp(x + special.gammaln(a) - special.xlogy(a - 1.0, x))
    x.dot = (y.dot - a.dot * gammainc_by_shape(1, a, x)) * rate
    y.bar += x.bar * rate
    a.bar -= x.bar * rate * gammainc_by_shape(1, a, x)


@rule(special.gammainccinv)
def gammainccinv(x, a, y):
    rate = np.exp(x + special.gammaln(a) - special.xlogy(a - 1.0, x))
    x.dot = -(y.dot + a.dot * gammainc_by_shape(1, a, x)) * rate
    y.bar -= x.bar * rate
    a.bar -= x.bar * rate * gammainc_by_shape(1, a, x)


# ---------------------------------------------------------------- beta


@rule(special.betainc)
def betainc(y, a, b, x):
    density = np.exp(special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b))
    by_a, by_b = betainc_by_shapes(1, 0, a, b, x), betainc_by_shapes(0, 1, a, b, x)
    y.dot = x.dot * density + a.dot * by_a + b.dot * by_b
    x.bar += y.bar * density
    a.bar += y.bar * by_a
    b.bar += y.bar * by_b


@rule(special.betaincc)
def betaincc(y, a, b, x):
    density = np.exp(special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b))
    by_a, by_b = betainc_by_shapes(1, 0, a, b, x), betainc_by_shapes(0, 1, a, b, x)
    y.dot = -x.dot * density - a.dot * by_a - b.dot * by_b
    x.bar -= y.bar * density
    a.bar -= y.bar * by_a
    b.bar -= y.bar * by_b


@rule(betainc_by_shapes)
def _(y, i, j, a, b, x):
    density = np.exp(special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b))
    total = special.digamma(a + b)
    by_a = special.xlogy(density, x) - density * (special.digamma(a) - total)
    by_b = special.xlog1py(density, -x) - density * (special.digamma(b) - total)
    if i + j == 1:
        y.dot = (
            x.dot * (by_a if i == 1 else by_b)
            + a.dot * betainc_by_shapes(i + 1, j, a, b, x) + b.dot * betainc_by_shapes(i, j + 1, a, b, x)
        )
        x.bar += y.bar * (by_a if i == 1 else by_b)
        a.bar += y.bar * betainc_by_shapes(i + 1, j, a, b, x)
        b.bar += y.bar * betainc_by_shapes(i, j + 1, a, b, x)
    else:
        both = density * special.polygamma(1, a + b)
        if i == 2:
            own = density * special.polygamma(1, a)
            rate = special.xlogy(by_a, x) - by_a * (special.digamma(a) - total) + both - own
        elif j == 2:
            own = density * special.polygamma(1, b)
            rate = special.xlog1py(by_b, -x) - by_b * (special.digamma(b) - total) + both - own
        else:
            rate = special.xlog1py(by_a, -x) - by_a * (special.digamma(b) - total) + both
        y.dot = x.dot * rate + unknown(a.dot, "a a third time") + unknown(b.dot, "b a third time")
        x.bar += y.bar * rate
        a.bar += unknown(y.bar, "a a third time")
        b.bar += unknown(y.bar, "b a third time")


@rule(special.betaincinv)
def betaincinv(x, a, b, y):
    rate = np.exp(special.betaln(a, b) - special.xlogy(a - 1.0, x) - special.xlog1py(b - 1.0, -x))
    by_a, by_b = betainc_by_shapes(1, 0, a, b, x), betainc_by_shapes(0, 1, a, b, x)
    x.dot = (y.dot - a.dot * by_a - b.dot * by_b) * rate
    y.bar += x.bar * rate
    a.bar -= x.bar * rate * by_a
    b.bar -= x.bar * rate * by_b


@rule(special.betainccinv)
def betainccinv(x, a, b, y):
    rate = np.exp(special.betaln(a, b) - special.xlogy(a - 1.0, x) - special.xlog1py(b - 1.0, -x))
    by_a, by_b = betainc_by_shapes(1, 0, a, b, x), betainc_by_shapes(0, 1, a, b, x)
    x.dot = -(y.dot + a.dot * by_a + b.dot * by_b) * rate
    y.bar -= x.bar * rate
    a.bar -= x.bar * rate * by_a
    b.bar -= x.bar * rate * by_b


# ---------------------------------------------------------------- distributions


@rule(special.chdtr)
def chdtr(y, v, x):
    density = 0.5 * np.exp(special.xlogy(0.5 * v - 1.0, 0.5 * x) - 0.5 * x - special.gammaln(0.5 * v))
    y.dot = x.dot * density + v.dot * 0.5 * gammainc_by_shape(1, 0.5 * v, 0.5 * x)
    x.bar += y.bar * density
    v.bar += y.bar * 0.5 * gammainc_by_shape(1, 0.5 * v, 0.5 * x)


@rule(special.chdtrc)
def chdtrc(y, v, x):
    density = 0.5 * np.exp(special.xlogy(0.5 * v - 1.0, 0.5 * x) - 0.5 * x - special.gammaln(0.5 * v))
    y.dot = -x.dot * density - v.dot * 0.5 * gammainc_by_shape(1, 0.5 * v, 0.5 * x)
    x.bar -= y.bar * density
    v.bar -= y.bar * 0.5 * gammainc_by_shape(1, 0.5 * v, 0.5 * x)


@rule(special.chdtri)
def chdtri(x, v, p):
    rate = 2.0 * np.exp(0.5 * x + special.gammaln(0.5 * v) - special.xlogy(0.5 * v - 1.0, 0.5 * x))
    x.dot = -(p.dot + v.dot * 0.5 * gammainc_by_shape(1, 0.5 * v, 0.5 * x)) * rate
    p.bar -= x.bar * rate
    v.bar -= x.bar * rate * 0.5 * gammainc_by_shape(1, 0.5 * v, 0.5 * x)


@rule(special.stdtr)
def stdtr(y, df, t):
    logs, scale = np.log1p(t * t / df), special.betaln(0.5, 0.5 * df)
    density = np.exp(-0.5 * (df + 1.0) * logs - scale) / np.sqrt(df)
    # The function is (1 + sign(t) betainc(1 / 2, df / 2, t^2 / (df + t^2))) / 2, whose terms have no slopes at zero.
    u = np.where(t == 0.0, t + 1e-60, t)
    by_shape = 0.25 * np.sign(u) * betainc_by_shapes(0, 1, 0.5, 0.5 * df, u * u / (df + u * u))
    by_df = by_shape - 0.5 * density * t / df
    y.dot = t.dot * density + df.dot * by_df
    t.bar += y.bar * density
    df.bar += y.bar * by_df


@rule(special.stdtrit)
def stdtrit(t, df, p):
    logs, scale = np.log1p(t * t / df), special.betaln(0.5, 0.5 * df)
    rate = np.exp(0.5 * (df + 1.0) * logs + scale) * np.sqrt(df)
    u = np.where(t == 0.0, t + 1e-60, t)
    by_shape = 0.25 * np.sign(u) * betainc_by_shapes(0, 1, 0.5, 0.5 * df, u * u / (df + u * u))
    t.dot = (p.dot - df.dot * by_shape) * rate + df.dot * 0.5 * t / df
    p.bar += t.bar * rate
    df.bar += t.bar * (0.5 * t / df - rate * by_shape)
