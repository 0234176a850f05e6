"""The gamma function and its relatives in `scipy.special`.

Formulas: NIST Digital Library of Mathematical Functions, chapters 5 and 8. Derivatives are written in functions that
have rules themselves, in a form that keeps its digits where the textbook's cancels.
"""

import numpy as np
from scipy import special

from srcad.rules.dtypes import is_complex
from srcad.rules.operands import unknown
from srcad.rules.rule import constant, rule
from srcad.runtime.scipy_special_shapes import polygamma_of_complex, zeta_by_exponent

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
    if is_complex(x):
        rate = -y * special.digamma(x)
    else:
        # On the left, where the digamma function has poles, it is sin(pi * x) * gamma(1 - x) / pi.
        left = x < 0.5
        m = x if left else 0.5
        mirrored = np.cos(np.pi * m) - np.sin(np.pi * m) * special.digamma(1.0 - m) / np.pi
        rate = special.gamma(1.0 - m) * mirrored if left else -y * special.digamma(0.5 if left else x)
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(special.digamma)
def digamma(y, x):
    rate = polygamma_of_complex(1, x) if is_complex(x) else special.polygamma(1, x)
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(polygamma_of_complex)
def _(y, n, x):
    y.dot = x.dot * polygamma_of_complex(n + 1, x)
    x.bar += y.bar * polygamma_of_complex(n + 1, x)


@rule(special.polygamma)
def polygamma(y, n, x):
    y.dot = x.dot * special.polygamma(n + 1, x) + unknown(n.dot, "its order")
    x.bar += y.bar * special.polygamma(n + 1, x)
    n.bar += unknown(y.bar, "its order")


@rule(special.zeta)
def zeta(y, x, q=None):
    if is_complex(x):
        raise NotImplementedError("the derivative of scipy.special.zeta at complex numbers")
    if q is None:
        y.dot = x.dot * zeta_by_exponent(1, x, 1.0)
        x.bar += y.bar * zeta_by_exponent(1, x, 1.0)
    else:
        y.dot = x.dot * zeta_by_exponent(1, x, q) - q.dot * x * special.zeta(x + 1.0, q)
        x.bar += y.bar * zeta_by_exponent(1, x, q)
        q.bar -= y.bar * x * special.zeta(x + 1.0, q)


@rule(special.zetac)
def zetac(y, x):
    y.dot = x.dot * zeta_by_exponent(1, x, 1.0)
    x.bar += y.bar * zeta_by_exponent(1, x, 1.0)


@rule(zeta_by_exponent)
def _(y, order, x, q):
    if order == 1:
        by_q = -special.zeta(x + 1.0, q) - x * zeta_by_exponent(1, x + 1.0, q)
        y.dot = x.dot * zeta_by_exponent(2, x, q) + q.dot * by_q
        x.bar += y.bar * zeta_by_exponent(2, x, q)
    else:
        by_q = -2.0 * zeta_by_exponent(1, x + 1.0, q) - x * zeta_by_exponent(2, x + 1.0, q)
        y.dot = q.dot * by_q + unknown(x.dot, "x a third time")
        x.bar += unknown(y.bar, "x a third time")
    q.bar += y.bar * by_q


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
