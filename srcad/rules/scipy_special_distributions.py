"""Distribution functions of `scipy.special`, in the value of the variable or the probability of success."""

import numpy as np
from scipy import special

from srcad.rules.operands import unknown
from srcad.rules.rule import rule


@rule(special.pdtr)
def pdtr(y, k, m):
    count = np.floor(k)
    y.dot = -m.dot * np.exp(special.xlogy(count, m) - m - special.gammaln(count + 1.0))
    m.bar -= y.bar * np.exp(special.xlogy(count, m) - m - special.gammaln(count + 1.0))


@rule(special.pdtrc)
def pdtrc(y, k, m):
    count = np.floor(k)
    y.dot = m.dot * np.exp(special.xlogy(count, m) - m - special.gammaln(count + 1.0))
    m.bar += y.bar * np.exp(special.xlogy(count, m) - m - special.gammaln(count + 1.0))


@rule(special.bdtr)
def bdtr(y, k, n, p):
    count = np.floor(k)
    rest = n - count
    density = np.exp(special.xlogy(count, p) + special.xlog1py(rest - 1.0, -p) - special.betaln(count + 1.0, rest))
    y.dot = -p.dot * density + unknown(n.dot, "the number of trials")
    p.bar -= y.bar * density
    n.bar += unknown(y.bar, "the number of trials")


@rule(special.bdtrc)
def bdtrc(y, k, n, p):
    count = np.floor(k)
    rest = n - count
    density = np.exp(special.xlogy(count, p) + special.xlog1py(rest - 1.0, -p) - special.betaln(count + 1.0, rest))
    y.dot = p.dot * density + unknown(n.dot, "the number of trials")
    p.bar += y.bar * density
    n.bar += unknown(y.bar, "the number of trials")


@rule(special.nbdtr)
def nbdtr(y, k, n, p):
    count = np.floor(k)
    density = np.exp(special.xlogy(n - 1.0, p) + special.xlog1py(count, -p) - special.betaln(n, count + 1.0))
    y.dot = p.dot * density + unknown(n.dot, "the number of successes")
    p.bar += y.bar * density
    n.bar += unknown(y.bar, "the number of successes")


@rule(special.nbdtrc)
def nbdtrc(y, k, n, p):
    count = np.floor(k)
    density = np.exp(special.xlogy(n - 1.0, p) + special.xlog1py(count, -p) - special.betaln(n, count + 1.0))
    y.dot = -p.dot * density + unknown(n.dot, "the number of successes")
    p.bar -= y.bar * density
    n.bar += unknown(y.bar, "the number of successes")
