"""The gamma function and its relatives in `scipy.special`.

Formulas: NIST Digital Library of Mathematical Functions, chapters 5 and 8. Derivatives are written in functions that
have rules themselves, in a form that keeps its digits where the textbook's cancels.
"""

import numpy as np
from scipy import special

from srcad.rules.dtypes import is_complex
from srcad.rules.operands import unknown
from srcad.rules.rule import constant, rule

constant(special.gammasgn, special.round)


# ---------------------------------------------------------------- the gamma function


@rule(special.gammaln, special.loggamma)
def gammaln(y, x):
    y.dot = x.dot * special.digamma(x)
    x.bar += y.bar * special.digamma(x)


@rule(special.gamma)
def gamma(y, x):
    y.dot = x.dot * y * special.digamma(x)
    x.bar += y.bar * y * special.digamma(x)


@rule(special.rgamma)
def rgamma(y, x):
    y.dot = -x.dot * y * special.digamma(x)
    x.bar -= y.bar * y * special.digamma(x)


@rule(special.digamma)
def digamma(y, x):
    if is_complex(x):
        raise NotImplementedError("the derivative of scipy.special.digamma at complex numbers")
    y.dot = x.dot * special.polygamma(1, x)
    x.bar += y.bar * special.polygamma(1, x)


@rule(special.polygamma)
def polygamma(y, n, x):
    y.dot = x.dot * special.polygamma(n + 1, x) + unknown(n.dot, "its order")
    x.bar += y.bar * special.polygamma(n + 1, x)
    n.bar += unknown(y.bar, "its order")


@rule(special.zeta)
def zeta(y, x, q=None):
    x.bar += unknown(y.bar, "x")
    if q is None:
        y.dot = unknown(x.dot, "x")
    else:
        y.dot = -q.dot * x * special.zeta(x + 1.0, q) + unknown(x.dot, "x")
        q.bar -= y.bar * x * special.zeta(x + 1.0, q)


@rule(special.beta)
def beta(y, a, b):
    total = special.digamma(a + b)
    y.dot = (a.dot * (special.digamma(a) - total) + b.dot * (special.digamma(b) - total)) * y
    a.bar += y.bar * y * (special.digamma(a) - total)
    b.bar += y.bar * y * (special.digamma(b) - total)


@rule(special.betaln)
def betaln(y, a, b):
    total = special.digamma(a + b)
    y.dot = a.dot * (special.digamma(a) - total) + b.dot * (special.digamma(b) - total)
    a.bar += y.bar * (special.digamma(a) - total)
    b.bar += y.bar * (special.digamma(b) - total)


@rule(special.binom)
def binom(y, n, k):
    rest = special.digamma(n - k + 1.0)
    y.dot = (n.dot * (special.digamma(n + 1.0) - rest) + k.dot * (rest - special.digamma(k + 1.0))) * y
    n.bar += y.bar * y * (special.digamma(n + 1.0) - rest)
    k.bar += y.bar * y * (rest - special.digamma(k + 1.0))


@rule(special.poch)
def poch(y, z, m):
    end = special.digamma(z + m)
    y.dot = (z.dot * (end - special.digamma(z)) + m.dot * end) * y
    z.bar += y.bar * y * (end - special.digamma(z))
    m.bar += y.bar * y * end


# ---------------------------------------------------------------- incomplete gamma and beta functions


@rule(special.gammainc)
def gammainc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    y.dot = x.dot * density + unknown(a.dot, "a")
    x.bar += y.bar * density
    a.bar += unknown(y.bar, "a")


@rule(special.gammaincc)
def gammaincc(y, a, x):
    density = np.exp(special.xlogy(a - 1.0, x) - x - special.gammaln(a))
    y.dot = -x.dot * density + unknown(a.dot, "a")
    x.bar -= y.bar * density
    a.bar += unknown(y.bar, "a")


@rule(special.gammaincinv)
def gammaincinv(x, a, y):
    rate = np.exp(x + special.gammaln(a) - special.xlogy(a - 1.0, x))
    x.dot = y.dot * rate + unknown(a.dot, "a")
    y.bar += x.bar * rate
    a.bar += unknown(x.bar, "a")


@rule(special.gammainccinv)
def gammainccinv(x, a, y):
    rate = np.exp(x + special.gammaln(a) - special.xlogy(a - 1.0, x))
    x.dot = -y.dot * rate + unknown(a.dot, "a")
    y.bar -= x.bar * rate
    a.bar += unknown(x.bar, "a")


@rule(special.betainc)
def betainc(y, a, b, x):
    density = np.exp(special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b))
    y.dot = x.dot * density + unknown(a.dot, "a") + unknown(b.dot, "b")
    x.bar += y.bar * density
    a.bar += unknown(y.bar, "a")
    b.bar += unknown(y.bar, "b")


@rule(special.betaincc)
def betaincc(y, a, b, x):
    density = np.exp(special.xlogy(a - 1.0, x) + special.xlog1py(b - 1.0, -x) - special.betaln(a, b))
    y.dot = -x.dot * density + unknown(a.dot, "a") + unknown(b.dot, "b")
    x.bar -= y.bar * density
    a.bar += unknown(y.bar, "a")
    b.bar += unknown(y.bar, "b")


@rule(special.betaincinv)
def betaincinv(x, a, b, y):
    rate = np.exp(special.betaln(a, b) - special.xlogy(a - 1.0, x) - special.xlog1py(b - 1.0, -x))
    x.dot = y.dot * rate + unknown(a.dot, "a") + unknown(b.dot, "b")
    y.bar += x.bar * rate
    a.bar += unknown(x.bar, "a")
    b.bar += unknown(x.bar, "b")
