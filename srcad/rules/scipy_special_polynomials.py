"""Values of orthogonal polynomials: NIST Digital Library of Mathematical Functions, section 18.9.

Formulas hold for every degree but negative whole ones, where some are NaN. Those of degree 0 are constant: what the
formulas have below it is not computed, it is NaN at some x. A whole degree stays an integer, of which SciPy computes
the values by recurrence: the series that it sums for other degrees loses all digits of large ones.
"""

from scipy import special

from srcad.rules.operands import unknown
from srcad.rules.rule import rule


@rule(special.eval_chebyt)
def chebyshev_of_first_kind(y, n, x):
    lower = 0 if n == 0 else n - 1
    rate = n * special.eval_chebyu(lower, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_chebyu)
def chebyshev_of_second_kind(y, n, x):
    lower = 0 if n == 0 else n - 1
    rate = 0.0 if n == 0 else 2.0 * special.eval_gegenbauer(lower, 2.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_legendre)
def legendre(y, n, x):
    lower = 0 if n == 0 else n - 1
    rate = 0.0 if n == 0 else special.eval_gegenbauer(lower, 1.5, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_gegenbauer)
def gegenbauer(y, n, alpha, x):
    lower = 0 if n == 0 else n - 1
    rate = 0.0 if n == 0 else 2.0 * alpha * special.eval_gegenbauer(lower, alpha + 1.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree") + unknown(alpha.dot, "alpha")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")
    alpha.bar += unknown(y.bar, "alpha")


@rule(special.eval_jacobi)
def jacobi(y, n, alpha, beta, x):
    lower = 0 if n == 0 else n - 1
    other = special.eval_jacobi(lower, alpha + 1.0, beta + 1.0, x)
    rate = 0.0 if n == 0 else 0.5 * (n + alpha + beta + 1.0) * other
    y.dot = x.dot * rate + unknown(n.dot, "its degree") + unknown(alpha.dot, "alpha") + unknown(beta.dot, "beta")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")
    alpha.bar += unknown(y.bar, "alpha")
    beta.bar += unknown(y.bar, "beta")


@rule(special.eval_laguerre)
def laguerre(y, n, x):
    lower = 0 if n == 0 else n - 1
    rate = 0.0 if n == 0 else -special.eval_genlaguerre(lower, 1.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")


@rule(special.eval_genlaguerre)
def general_laguerre(y, n, alpha, x):
    lower = 0 if n == 0 else n - 1
    rate = 0.0 if n == 0 else -special.eval_genlaguerre(lower, alpha + 1.0, x)
    y.dot = x.dot * rate + unknown(n.dot, "its degree") + unknown(alpha.dot, "alpha")
    x.bar += y.bar * rate
    n.bar += unknown(y.bar, "its degree")
    alpha.bar += unknown(y.bar, "alpha")


@rule(special.eval_hermite)
def hermite(y, n, x):
    lower = 0 if n == 0 else n - 1
    y.dot = x.dot * 2.0 * n * special.eval_hermite(lower, x)
    x.bar += y.bar * 2.0 * n * special.eval_hermite(lower, x)


@rule(special.eval_hermitenorm)
def hermite_of_probability(y, n, x):
    lower = 0 if n == 0 else n - 1
    y.dot = x.dot * n * special.eval_hermitenorm(lower, x)
    x.bar += y.bar * n * special.eval_hermitenorm(lower, x)
