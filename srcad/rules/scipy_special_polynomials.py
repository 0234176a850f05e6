"""Values of orthogonal polynomials: NIST Digital Library of Mathematical Functions, section 18.9.

Formulas hold for every degree but negative whole ones, where some are NaN.
"""

from scipy import special

from srcad.rules.operands import unknown
from srcad.rules.rule import rule


@rule(special.eval_chebyt)
def chebyshev_of_first_kind(y, n, x):
    rate = n * special.eval_chebyu(n - 1.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_chebyu)
def chebyshev_of_second_kind(y, n, x):
    rate = 2.0 * special.eval_gegenbauer(n - 1.0, 2.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_legendre)
def legendre(y, n, x):
    rate = special.eval_gegenbauer(n - 1.0, 1.5, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_gegenbauer)
def gegenbauer(y, n, alpha, x):
    rate = 2.0 * alpha * special.eval_gegenbauer(n - 1.0, alpha + 1.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree") + unknown(alpha.dot, "alpha")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")
    alpha.bar += unknown(y.bar, "alpha")


@rule(special.eval_jacobi)
def jacobi(y, n, alpha, beta, x):
    lower = special.eval_jacobi(n - 1.0, alpha + 1.0, beta + 1.0, x)
    rate = 0.5 * (n + alpha + beta + 1.0) * lower
    y.dot = x.dot * rate + unknown(n.dot, "its degree") + unknown(alpha.dot, "alpha") + unknown(beta.dot, "beta")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")
    alpha.bar += unknown(y.bar, "alpha")
    beta.bar += unknown(y.bar, "beta")


@rule(special.eval_laguerre)
def laguerre(y, n, x):
    rate = -special.eval_genlaguerre(n - 1.0, 1.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_genlaguerre)
def general_laguerre(y, n, alpha, x):
    rate = -special.eval_genlaguerre(n - 1.0, alpha + 1.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree") + unknown(alpha.dot, "alpha")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")
    alpha.bar += unknown(y.bar, "alpha")
