"""Calls of SciPy's functions, written as those in `cases`."""

import numpy as np
from scipy import linalg, special

CALLS = [("""
special.logsumexp(x)
special.logsumexp(x, axis=0)
special.logsumexp(x, 1, keepdims=True)
special.logsumexp(x, axis=(0, 1))
special.logsumexp(x, keepdims=True)
special.logsumexp(x, axis=1, b=w)
special.logsumexp(x, b=w[:, :1])
special.logsumexp(1000.0 * x, axis=0)
special.logsumexp(np.where(w > 0.9, -np.inf, x), axis=1)
special.logsumexp(x, axis=1, b=w - 1.0, return_sign=True)
special.logsumexp(x, b=-w, keepdims=True, return_sign=True)[0]
special.logsumexp(x[0, 0], b=-w[0, 0], return_sign=True)[0]
special.softplus(x)
special.softmax(x)
special.softmax(x, axis=1)
special.softmax(x, axis=-2)
special.softmax(100.0 * x, axis=(0, 1))
special.log_softmax(x)
special.log_softmax(x, axis=0)
special.log_softmax(700.0 * x, axis=1)
special.comb(5.0, w)
special.comb(w, 2)
special.comb(w, 1, repetition=True)
special.factorial(w)
special.factorial(x)
special.multigammaln(4.0 + w, 3)
special.sici(w)
special.sici(x)[0]
special.shichi(w)
special.fresnel(x)
special.multigammaln(4.0, 2) * x
""", "x:3,4 w:+3,4"), ("""
special.logsumexp(x)
special.logsumexp(x, axis=0)
special.softmax(x)
special.log_softmax(x, axis=0)
special.zeta(2.5, y)
special.zeta(3, q=y)
special.zeta(2.0) * x
special.polygamma(n=1, x=y)
special.polygamma(np.array([0, 1, 2, 3, 4]), y)
special.sinc(x)
special.psi(y)
special.eval_legendre(0, x) + special.eval_legendre(3, x)
special.eval_chebyt(4, x) + special.eval_chebyt(0, x)
special.eval_chebyu(np.array([0, 1, 2, 3, 4]), x)
special.eval_jacobi(2, 0.5, 0.7, x)
special.eval_laguerre(3, x) + special.eval_genlaguerre(2, 0.5, x)
special.eval_laguerre(40, y) + special.eval_genlaguerre(np.array([0, 1, 2, 3, 4]), 0.5, x)
special.eval_jacobi(np.array([0.0, 1.0, 0.0, 1.0, 0.0]), 0.5, 0.7, x)
special.gammaln(y).sum() + special.loggamma(y[0])
special.jvp(1.5, y)
special.jvp(0, x, 2)
special.yvp(2.0, y, n=3)
special.ivp(0.5, y, 0)
special.kvp(1, y, 3)
special.jve(1.5, y) + special.yve(2, y)
special.hankel1(1.5, y) + special.hankel2(0, y[0])
special.hankel1e(0, y) + special.hankel2e(np.array([0.5, 1.5, 2.5, 0.0, 1.0]), y)
special.h1vp(1, y) + special.h2vp(0.5, y, 2)
special.spherical_jn(2, x)
special.spherical_jn(np.array([0, 1, 2, 3, 4]), y)
special.spherical_jn(0, x, derivative=True)
special.spherical_jn(3, x, True)
special.spherical_in(1, x)
special.spherical_in(2, x, derivative=True)
special.spherical_yn(2, y)
special.spherical_yn(0, y, derivative=True)
special.spherical_kn(2, y)
special.spherical_kn(1, y, derivative=True)
special.airy(x)
special.airye(y)
special.itj0y0(y)
special.iti0k0(y)
special.it2j0y0(y)
special.it2i0k0(y)
special.kelvin(y)
special.ellipj(x, 0.4)
special.ellipj(0.7, np.sin(x) ** 2)
special.eval_hermite(4, x) + special.eval_hermitenorm(0, x)
special.eval_hermitenorm(np.array([0, 1, 2, 3, 4]), x)
special.eval_chebyc(3, x) + special.eval_chebys(2, x)
special.eval_sh_chebyt(3, 0.2 * y) + special.eval_sh_chebyu(2, 0.2 * y)
special.eval_sh_legendre(3, 0.2 * y) + special.eval_sh_jacobi(2, 2.5, 1.5, 0.2 * y)
special.gdtr(y, y + 0.5, 2.0) + special.gdtrc(2.0, y, y)
special.fdtr(3.0, y, y) + special.fdtrc(y, 4.0, y)
""", "x:5 y:+5"), ("""
special.sici(x)
special.shichi(x)
special.fresnel(x)
special.airy(x)
special.jvp(1, x)
special.spherical_jn(2, x)
special.logsumexp(x)
special.multigammaln(x + 2.0, 2)
special.comb(x + 3.0, 2)
special.factorial(x)
""", "x:+")]
"""The calls and their operands; those of functions that this SciPy lacks are left out below."""
if not hasattr(special, "softplus"):
    CALLS[0] = (CALLS[0][0].replace("special.softplus(x)\n", ""), CALLS[0][1])

# ---------------------------------------------------------------- distributions

CONTINUOUS = ("logpdf", "pdf", "cdf", "logcdf", "sf", "logsf")
DISCRETE = ("logpmf", "pmf", "cdf", "logcdf", "sf", "logsf")
DENSITY, CDF, QUANTILES = ("logpdf", "pdf"), ("cdf", "logsf"), ("ppf", "isf")
MOMENTS = ("mean", "var", "std")
DISTRIBUTIONS = [
    ("norm", CONTINUOUS, "x; x, w[0], 2.0; 3.0 * x, loc=w, scale=w[:, :1]; x[0, 0], x[0, 1], w[0, 0]"),
    ("t", CONTINUOUS, "x, 2.5; x, 3.0, w[0], w[:, :1]; x[0, 0], 4.0, scale=w[0, 0]"),
    ("cauchy", CONTINUOUS, "x; 9.0 * x, w[0], scale=w[:, :1]; x[0, 0], loc=w[0, 0]"),
    ("laplace", CONTINUOUS, "x; x, w[0], scale=w[:, :1]; x[0, 0], loc=w[0, 0]"),
    ("logistic", CONTINUOUS, "x; 20.0 * x, w[0], scale=w[:, :1]; x[0, 0], loc=w[0, 0]"),
    ("expon", CONTINUOUS, "w; w, loc=-0.5, scale=w[:, :1]; w[0, 0], 0.1"),
    ("gamma", CONTINUOUS, "w, 2.0; w, 1.5, -0.2, scale=w[:, :1]; w[0, 0], 3.0"),
    ("lognorm", CONTINUOUS, "w, w[0]; w, w[0], -0.2, scale=w[:, :1]; w[0, 0], 3.0"),
    ("uniform", CONTINUOUS, "0.2 * w; x, -7.0, scale=50.0 * w[:, :1]; w[0, 0], 0.1, 7.0"),
    ("beta", CONTINUOUS, "0.2 * w, 2.5, 0.7; w, 1.5, 2.0, -0.1, 9.0 * w[:, :1]; w[0, 0], 3.0, 2.0, 0.1, 9.0"),
    ("chi2", CONTINUOUS, "w, 2.5, scale=w[:, :1]"),
    ("invgamma", CONTINUOUS, "w, 2.5, -0.1, w[:, :1]"),
    ("weibull_min", CONTINUOUS, "w, 1.5 * w[0], -0.1, w[:, :1]"),
    ("pareto", CONTINUOUS, "w + 1.0, 2.0 * w[0], -0.1"),
    ("halfnorm", CONTINUOUS, "w, scale=w[:, :1]"),
    ("gumbel_r", CONTINUOUS, "x, w[0], 2.0 * w[:, :1]"),
    ("gumbel_l", CONTINUOUS, "0.5 * x, w[0], 1.0 + w[:, :1]"),
    ("chi2", DENSITY, "w, w[0]"),
    ("bernoulli", ("logpmf", "pmf"), "k % 2, 0.2 * w"),
    ("geom", ("logpmf", "pmf"), "k + 1, 0.2 * w"),
    ("nbinom", ("logpmf", "pmf"), "k, 3.0 * w, 0.2 * w[0]"),
    *((name, ("ppf", "isf"), "0.2 * w; 0.2 * w, w[0], scale=w[:, :1]; 0.2 * w[0, 0]")
      for name in ("norm", "cauchy", "laplace", "logistic", "gumbel_r", "gumbel_l", "uniform", "expon", "halfnorm")),
    *((name, ("ppf", "isf"), "0.2 * w, w[0] + 0.2; 0.2 * w, 2.0, w[0], w[:, :1]; 0.2 * w[0, 0], 1.5")
      for name in ("t", "gamma", "chi2", "invgamma", "lognorm", "weibull_min", "pareto")),
    ("beta", ("ppf", "isf"), "0.2 * w, w[0], 1.5; 0.2 * w, 2.0, w[0], 0.1, w[:, :1]"),
    ("vonmises", DENSITY, "x, w; x, 0.5, w[0], scale=w[:, :1]; x[0, 0], 2.0"),
    ("gennorm", DENSITY, "x, 1.0 + w; 2.0 * x, 1.5, w[0], w[:, :1]; x[0, 0], 2.0"),
    ("skewnorm", DENSITY, "x, w; x, 1.5, w[0], w[:, :1]; x[0, 0], x[0, 1]"),
    ("truncnorm", DENSITY, "x, -4.0 - w, 4.0 + w; 0.2 * w, 0.01, 5.0 + w[0], -0.1, 1.0 + w[:, :1]; "
     "-w - 1.0, -9.0, -0.2 * w; x[0, 0], -3.0, 5.0"),
    ("wrapcauchy", DENSITY, "w, 0.2 * w; w, 0.3, -0.1, 9.0 * w[:, :1]; w[0, 0], 0.5"),
    *((name, DENSITY, "w; w, -0.2, w[:, :1]; w[0, 0]") for name in ("rayleigh", "maxwell", "halfcauchy")),
    ("f", DENSITY, "w, w[0], 3.0; w, 2.5, w[0], -0.1, w[:, :1]; w[0, 0], 2.0, 1.5"),
    *((name, DENSITY, "0.2 * w, w[0]; 0.2 * w, 1.5, -0.1, 1.0 + w[:, :1]; 0.1 * w[0, 0], 1.5")
      for name in ("lomax", "powerlaw")),
    ("betabinom", ("logpmf", "pmf"), "k, 5, w, w[0]; 3, 4, w[0], 2.0; k, 6, 1.5, w, -1"),
    ("gamma", CDF, "w, w[0]"),
    ("beta", CDF, "0.2 * w, w[0], w"),
    ("t", CDF, "x, w; x, w[0], x[0]"),
    ("gamma", DENSITY, "w, a=w[0]"),
    ("beta", DENSITY, "0.2 * w, b=w, a=w[0]"),
    ("t", DENSITY, "x, w; x, df=w[0], loc=x[0]"),
    ("poisson", DISCRETE, "k, w; 3, mu=w[:, 0]; k, w, -1; 2, 1.5 * w[0, 0]"),
    ("binom", DISCRETE, "k, 5, 0.2 * w; 3, n=4, p=0.2 * w[:, 0]; k, 6, 0.1 * w, -1"),
    *((name, (*MOMENTS, "median", "entropy"), "x[0], w; scale=w[0, 0]")
      for name in ("norm", "expon", "laplace", "logistic", "uniform", "gumbel_r", "gumbel_l", "halfnorm")),
    *((name, (*MOMENTS, "median", "entropy"), "w + 0.5, x[0], w; w[0, 0], scale=w[0, 1]")
      for name in ("gamma", "chi2", "lognorm", "weibull_min")),
    *((name, (*MOMENTS, "median", "entropy"), "w + 2.5, x[0], w; 1.5 + w[0, 0]")
      for name in ("t", "pareto", "invgamma")),
    ("beta", (*MOMENTS, "median", "entropy"), "w, w[0], x[0], w; w[0, 0], 1.5"),
    ("cauchy", ("median", "entropy"), "x[0], w"),
    ("rayleigh", (*MOMENTS, "entropy"), "x[0], w; scale=w[0, 0]"),
    ("poisson", MOMENTS, "w, k; w[0, 0]"),
    ("binom", MOMENTS, "k + 1, 0.2 * w; 5, 0.2 * w[0, 0], 2"),
    ("nbinom", MOMENTS, "k + 1, 0.2 * w"),
    ("geom", MOMENTS, "0.2 * w"),
    ("bernoulli", (*MOMENTS, "entropy"), "0.2 * w"),
]
"""A distribution, its methods, and the arguments that all of them are called with."""
for name, methods, arguments in DISTRIBUTIONS:
    lines = (f"stats.{name}.{method}({each})" for method in methods for each in arguments.split("; "))
    CALLS.append(("\n".join(lines), "x:3,4 w:+3,4 k:i5,3,4"))
ALL_OF_THEM = [
    *((name, CONTINUOUS, "w, -0.2, w[:, :1]") for name in ("levy", "rayleigh", "maxwell", "halfcauchy")),
    *((name, CONTINUOUS, "w, w[0] + 0.2, -0.1, w[:, :1]")
      for name in ("invgauss", "fisk", "lomax", "invweibull", "gompertz", "nakagami", "chi", "foldnorm")),
    *((name, CONTINUOUS, "w, w[0] + 0.2, 1.5, -0.1, w[:, :1]") for name in ("f", "burr12", "betaprime", "exponweib")),
    ("gengamma", CONTINUOUS, "w, w[0] + 0.2, np.array([1.5, -0.8, 0.7, 1.2]), -0.1"),
    *((name, CONTINUOUS, "w, 0.01, 9.0 + w[0], -0.1, w[:, :1]") for name in ("loguniform", "reciprocal")),
    ("genpareto", CONTINUOUS, "w, 0.1 * x[0], -0.1, 5.0 * w[:, :1]"),
    ("genextreme", CONTINUOUS, "x, 0.1 * x[0], -0.1, 5.0 + w[:, :1]"),
    ("exponnorm", CONTINUOUS, "x, w[0] + 0.5, -0.1, w[:, :1]"),
    ("johnsonsu", CONTINUOUS, "x, x[0], w[0], -0.1, w[:, :1]"),
    ("gennorm", CONTINUOUS[2:], "x, 1.0 + w[0], -0.1, w[:, :1]"),
    ("triang", CONTINUOUS, "w, 0.2 * w[0], -0.1, 9.0 * w[:, :1]"),
    ("powerlaw", CONTINUOUS[2:], "w, w[0], -0.1, 9.0 * w[:, :1]"),
    ("truncnorm", CONTINUOUS[2:], "w, 0.01, 5.0 + w[0], -0.1, 1.0 + w[:, :1]"),
    *((name, CONTINUOUS, "x, -0.2, w[:, :1]") for name in ("moyal", "hypsecant")),
    *((name, CONTINUOUS, "x, w[0], -0.1, w[:, :1]") for name in ("genlogistic", "loggamma", "laplace_asymmetric")),
    *((name, QUANTILES, "0.2 * w, w[0], w[:, :1]")
      for name in ("rayleigh", "maxwell", "levy", "moyal", "halfcauchy", "hypsecant", "arcsine")),
    *((name, QUANTILES, "0.2 * w, w[0] + 0.2, -0.1, w[:, :1]")
      for name in ("invweibull", "lomax", "powerlaw", "fisk", "gompertz", "nakagami", "genlogistic", "gennorm")),
    *((name, QUANTILES, "0.2 * w, 0.1 * x[0], -0.1, w[:, :1]")
      for name in ("genextreme", "genpareto")),
    ("triang", QUANTILES, "0.2 * w, 0.2 * w[0], -0.1, w[:, :1]"),
    *((name, QUANTILES, "0.2 * w, w[0] + 0.2, 1.5, -0.1, w[:, :1]")
      for name in ("f", "burr12", "betaprime", "exponweib", "johnsonsu", "johnsonsb")),
    ("gengamma", QUANTILES, "0.2 * w, w[0] + 0.2, np.array([1.5, -0.8, 0.7, 1.2]), -0.1"),
    *((name, QUANTILES, "0.2 * w, 0.01, 9.0 + w[0], -0.1, w[:, :1]") for name in ("loguniform", "reciprocal")),
    *((name, CONTINUOUS, "w, -0.2, w[:, :1]") for name in ("gibrat", "wald")),
    *((name, CONTINUOUS, "w, w[0] + 0.2, -0.1, w[:, :1]") for name in ("loglaplace", "fatiguelife")),
    ("erlang", CONTINUOUS, "w, 2.0, -0.1, w[:, :1]"),
    ("burr", CONTINUOUS, "w, w[0] + 0.2, 1.5, -0.1, w[:, :1]"),
    ("weibull_max", CONTINUOUS, "x, w[0] + 0.2, 5.0, w[:, :1]"),
    *((name, CONTINUOUS, "x, w[0] + 0.2, -0.1, w[:, :1]") for name in ("dweibull",)),
    ("dgamma", CONTINUOUS, "x, 1.7, -0.1, w[:, :1]"),
    ("skewcauchy", DENSITY, "x, 0.2 * w[0], -0.1, w[:, :1]"),
    ("norminvgauss", DENSITY, "x, 3.0 + w, x[0], -0.1, w[:, :1]"),
    ("rice", DENSITY, "w, w[0], -0.1, w[:, :1]"),
    ("arcsine", CONTINUOUS, "w, -0.1, 9.0 * w[:, :1]"),
    ("semicircular", CONTINUOUS, "x, -0.1, 9.0 + w[:, :1]"),
    ("johnsonsb", CONTINUOUS, "w, x[0], w[0], -0.1, 9.0 * w[:, :1]"),
    ("truncexpon", CONTINUOUS, "w, 9.0 + w[0], -0.1, 2.0 * w[:, :1]"),
    *((name, CONTINUOUS, "w, -0.1, 9.0 * w[:, :1]") for name in ("halflogistic", "anglit", "cosine")),
    *((name, CONTINUOUS, "w, w[0] + 0.2, -0.1, w[:, :1]")
      for name in ("kappa3", "alpha", "foldcauchy", "halfgennorm")),
    *((name, CONTINUOUS, "0.2 * w, w[0] + 0.2, -0.1, 1.0 + w[:, :1]")
      for name in ("bradford", "argus", "exponpow", "rdist")),
    ("genhalflogistic", CONTINUOUS, "0.2 * w, 0.2 * w[0], -0.1, 1.0 + w[:, :1]"),
    *((name, CONTINUOUS, "w, w[0] + 0.2, 1.5, -0.1, w[:, :1]") for name in ("mielke", "powerlognorm")),
    ("truncpareto", CONTINUOUS, "w, w[0] - 3.0, 9.0, -1.5, 1.0 + w[:, :1]"),
    ("powernorm", CONTINUOUS, "x, w[0], -0.1, w[:, :1]"),
    ("jf_skew_t", CONTINUOUS, "x, w[0], 1.5, -0.1, w[:, :1]"),
    ("crystalball", CONTINUOUS, "x, 0.5 * w[0], 1.5 + w[:, :1], -0.1, 1.0 + w[:, :1]"),
    ("skewnorm", ("cdf", "sf"), "x, w[0] - 1.0, -0.1, w[:, :1]"),
    ("wrapcauchy", CONTINUOUS[2:], "w, 0.2 * w[0], -0.1, 3.0 * w[:, :1]"),
    ("geom", DISCRETE[2:], "k + 1, 0.2 * w"),
    ("nbinom", DISCRETE[2:], "k, 3.0 * w, 0.2 * w[0]"),
    ("bernoulli", DISCRETE[2:], "k % 3 - 1, 0.2 * w"),
    ("logser", DISCRETE[:2], "k + 1, 0.2 * w"),
    ("planck", DISCRETE[:2], "k, w"),
]
"""Distributions whose methods are called in one line each."""
for name, methods, arguments in ALL_OF_THEM:
    CALLS.append((" + ".join(f"stats.{name}.{method}({arguments})" for method in methods), "x:3,4 w:+3,4 k:i5,3,4"))
CALLS.append(("""
stats.wishart.logpdf(s + np.eye(3), 4.5, s) + stats.wishart.pdf(s, 2.0 + v[0], s + np.eye(3))
stats.invwishart.logpdf(s + np.eye(3), 4.5, s) + stats.invwishart.pdf(s, 2.0 + v[0], s + np.eye(3))
stats.matrix_normal.logpdf(x, colcov=s, rowcov=s) + stats.matrix_normal.pdf(x, m + 0.1 * x, s, s)
stats.multivariate_t.logpdf(x, m, s, v[0]) + stats.multivariate_t.pdf(m, None, s, 2.5)
""", "x:3,3 m:3 s:s3,3 v:+3"))
CALLS.append(("""
stats.multivariate_normal.logpdf(x, m, c)
stats.multivariate_normal.logpdf(x[0], m, c)
stats.multivariate_normal.logpdf(x, cov=c)
stats.multivariate_normal.logpdf(x, m, 2.0)
stats.multivariate_normal.logpdf(x, m, v)
stats.multivariate_normal.logpdf(x.reshape(2, 2, 3), mean=m, cov=c)
stats.multivariate_normal.pdf(x, m, c)
stats.multivariate_normal.logpdf(x[0], m[0], v[0])
stats.multivariate_normal.pdf(x[:, :1], cov=v[0])
stats.multivariate_normal.logpdf(m[1], m[0])
stats.multivariate_normal.entropy(m[0], v[0])
stats.multivariate_normal.entropy(m, c)
stats.multivariate_normal.logpdf(x, m, c, allow_singular=True)
stats.multivariate_normal.logpdf([1.0, 1.0, 0.0] * x[0], 0.0 * m, np.diag([1.0, 2.0, 0.0]), allow_singular=True)
stats.t.cdf(x, np.array([2.0, 3.0, 5.0]), m, np.array([1.0, 0.5, 2.0]))
""", "x:4,3 m:3 c:s3,3 v:+3"))
CALLS.append(("""
stats.dirichlet.logpdf(np.array([0.2, 0.3, 0.5]), a)
stats.dirichlet.logpdf(np.array([[0.2, 0.1], [0.3, 0.8], [0.5, 0.1]]), a)
stats.dirichlet.pdf(np.array([0.2, 0.3, 0.5]), alpha=a)
stats.dirichlet.logpdf([0.2, 0.3, 0.5], a)
stats.dirichlet.logpdf(0.1 * a[1:], a)
stats.dirichlet.pdf([0.2, 0.3] + 0.1 * a[:1], a)
stats.dirichlet.mean(a) * a
stats.dirichlet.var(a)
stats.dirichlet.cov(a)
stats.dirichlet.entropy(a)
stats.dirichlet.logpdf(np.array([[0.2, 0.1], [0.3, 0.8]]) * a[0], a)
stats.multinomial.logpmf([2, 3, 1], 6, a / np.sum(a))
stats.multinomial.pmf(np.array([[2, 3, 1], [0, 5, 1]]), n=6, p=a / np.sum(a))
""", "a:+3"))

# ---------------------------------------------------------------- matrices

CALLS.append(("""
linalg.inv(x)
linalg.det(x)
linalg.norm(x)
linalg.norm(x, 1)
linalg.norm(x, ord=2, axis=(0, 1))
linalg.pinv(x)
linalg.solve(x, y)
linalg.solve(x, y[:, 0])
linalg.solve(s, y, assume_a="pos")
linalg.solve(s, y, assume_a="sym", lower=True)
linalg.solve(s, y, assume_a="tridiagonal")
linalg.solve(s, y, assume_a="hermitian")
linalg.solve(x, y, transposed=True)
linalg.solve(s, y, assume_a="lower triangular")
linalg.solve(s, y, assume_a="diagonal")
linalg.solve_triangular(s, y)
linalg.solve_triangular(s, y[:, 1], lower=True)
linalg.solve_triangular(s, y, trans=1, lower=True)
linalg.solve_triangular(s, y, "T")
linalg.solve_triangular(s, y, lower=True, unit_diagonal=True)
linalg.solve_continuous_lyapunov(s, x)
linalg.solve_sylvester(s, x + 3.0 * np.eye(3), x)
linalg.cholesky(s)
linalg.cholesky(s, lower=True)
linalg.cho_solve(linalg.cho_factor(s), y)
linalg.cho_solve((linalg.cholesky(s), x[0, 0] > 90.0), y)
linalg.cho_solve(linalg.cho_factor(s, lower=True), y[:, 0])
linalg.qr(x, mode="economic")
linalg.rq(x)
linalg.rq(x[1:], mode="economic")
linalg.rq(x, mode="r")
linalg.lu_factor(x)[0]
linalg.lu_solve(linalg.lu_factor(x), y)
linalg.lu_solve(linalg.lu_factor(x), y[:, 0], trans=1)
linalg.lu(x)[1]
linalg.lu(x)
linalg.lu(x, permute_l=True)
linalg.lu(x, p_indices=True)[2]
linalg.eigvalsh(s)
linalg.eigvalsh(s, lower=False)
linalg.eigh(s, eigvals_only=True)
np.abs(linalg.eigh(s)[1])
linalg.svd(x, full_matrices=False)
linalg.svdvals(y)
linalg.expm(x)
linalg.expm(4.0 * x)
linalg.expm(0.01 * s)
linalg.toeplitz(y[:, 0])
linalg.toeplitz(y[:, 0], x[0])
linalg.toeplitz(y[:, 0], y[0])
linalg.circulant(y[:, 0])
linalg.hankel(y[:, 0])
linalg.hankel(y[:, 0], x[0] * 0.0 + y[2, 0])
linalg.block_diag(x, y, s)
linalg.block_diag(x, y[0])
""", "x:3,3 y:3,2 s:s3,3"))
CALLS.append(("""
linalg.expm(x)
linalg.inv(x)
linalg.det(x)
linalg.svdvals(x)
linalg.pinv(x)
linalg.solve(x, y)
linalg.cholesky(s)
linalg.eigvalsh(s)
linalg.lstsq(y[0], x[0])[0]
linalg.lstsq(y[0], x[0], cond=0.7)[0]
linalg.inv(x[0], assume_a="lower triangular")
linalg.inv(x[0] @ x[0].T + np.eye(3), assume_a="pos")
linalg.inv(x[0], assume_a="sym", lower=True)
linalg.solve_triangular(s, y, lower=True)
linalg.solve_triangular(s, x[0, 0], "T")
linalg.cho_solve((linalg.cholesky(s), False), y)
linalg.lu_factor(x)[0]
linalg.lu_solve(linalg.lu_factor(x), y)
linalg.lu_solve(linalg.lu_factor(x), y[0], trans=1)
linalg.lu(x)
linalg.lu(x, permute_l=True)
linalg.solve_sylvester(s, s, x)
linalg.rq(x)
linalg.eigh(s, subset_by_index=[0, 1])[0]
linalg.polar(x)
linalg.orthogonal_procrustes(x, x)[0]
linalg.expm_frechet(0.3 * x, y @ np.swapaxes(y, -1, -2))
linalg.solve_discrete_lyapunov(0.3 * x, s)
linalg.companion(x[0])
linalg.fiedler(x[0])
linalg.leslie(x[0], y[0, :, :1] * np.ones((3, 2)))
linalg.khatri_rao(x, s)
linalg.convolution_matrix(x[0], 4)
linalg.diagsvd(x[0], 3, 4)
""", "x:2,3,3 y:2,3,2 s:s2,3,3"))
if linalg.toeplitz(np.eye(2)).ndim > 2:  # since version 1.17
    CALLS.append(("linalg.toeplitz(x, y)\nlinalg.circulant(x)", "x:2,3 y:2,4"))

CALLS.append(("""
linalg.solve(x @ x.conj().T, y, assume_a="pos")
linalg.solve(x @ x.conj().T, y, assume_a="her", lower=True)
linalg.solve(x + x.T, y, assume_a="sym")
linalg.cho_solve(linalg.cho_factor(x @ x.conj().T), y)
linalg.cho_solve(linalg.cho_factor(x @ x.conj().T, lower=True), y)
linalg.solve_triangular(x, y, trans=2)
linalg.lu_solve(linalg.lu_factor(x), y, trans=2)
linalg.solve_continuous_lyapunov(x + 3.0 * np.eye(3), x)
np.real(linalg.lstsq(np.concatenate((x, y.T)), np.ones(5))[1])
linalg.toeplitz(y[:, 0])
""", "x:z3,3 y:z3,2"))

# ---------------------------------------------------------------- signals

CALLS.append(("""
signal.convolve(x, y)
signal.convolve(y, x, "valid")
signal.fftconvolve(x, y, mode="same")
signal.fftconvolve(a, b[:, :1], mode="same", axes=0)
signal.correlate(x, y, "same")
signal.convolve(a, b, mode="same")
signal.convolve(b, a, "valid")
signal.correlate(a[:, None], b[:, None])
signal.convolve2d(a, b, "same", boundary="wrap")
signal.convolve2d(a, b, boundary="symm")
signal.convolve2d(a, b, fillvalue=2.0)
signal.correlate2d(a, b, "same")
signal.oaconvolve(a, b)
signal.oaconvolve(a, b[:1], axes=1)
signal.detrend(x)
signal.detrend(a, axis=0, type="constant")
signal.detrend(a, 0)
signal.hilbert(x)
signal.hilbert(a, axis=0)
signal.hilbert(x, 8)
signal.sosfilt(np.array([[0.2, 0.3, 0.1, 1.0, -0.5, 0.1], [1.0, 0.2, 0.0, 1.0, 0.3, 0.0]]), x)
signal.sosfilt(np.array([[0.2, 0.3, 0.1, 1.0, -0.5, 0.1], [1.0, 0.2, 0.0, 1.0, 0.3, 0.0]]), x, zi=b)[1]
signal.lfilter([1.0, 0.5], [2.0, -0.3, 0.1], x, zi=b[0])[0]
signal.lfilter([1.0, 0.5], [2.0, -0.3, 0.1, 0.2], a[:2], axis=0, zi=a[:3])[1]
signal.lfilter_zi([1.0, 0.5, 0.2], [2.0, 0.3])
signal.lfilter_zi(b[0], b[0] ** 2 + 1.0)
signal.savgol_filter(x, 3, 1)
signal.savgol_filter(a, 3, 2, deriv=1, delta=0.5, axis=0)
signal.savgol_filter(x, 5, 2, mode="nearest")
signal.savgol_filter(a, 3, 1, axis=1, mode="constant", cval=0.2)
""", "x:5 y:3 a:4,5 b:2,2"))

# ---------------------------------------------------------------- transforms and integrals
CALLS.append(("""
np.abs(fft.fft(x, 4, axis=0))
fft.irfft(fft.rfft(x), n=6)
fft.fftshift(np.abs(fft.fft2(x)))
fft.irfftn(fft.rfftn(x, norm="ortho"), s=(3, 6))
np.real(fft.ifftn(fft.fftn(x), axes=(0,)))
np.real(fft.ihfft(x))
fft.dct(x)
fft.dct(x, norm="ortho")
fft.dct(x, 3, axis=0)
fft.dct(x, 3, norm="forward")
fft.idct(x, norm="ortho")
fft.idct(x, axis=0)
fft.dst(x)
fft.dst(x, 3, norm="ortho")
fft.idst(x, norm="ortho", axis=0)
fft.dct(x, n=4)
fft.dct(x, 1)
fft.dct(x, 1, norm="ortho", axis=0)
fft.dct(x, 4, norm="forward")
fft.dct(x, orthogonalize=True)
fft.dct(x, 1, norm="ortho", axis=0, orthogonalize=False)
fft.idct(x, norm="ortho", orthogonalize=False)
fft.dst(x, norm="ortho", orthogonalize=False)
fft.idstn(x, orthogonalize=True)
fft.idct(x, 1)
fft.dst(x, 1)
fft.dst(x, 4, axis=0)
fft.idst(x, 1, norm="ortho")
fft.dctn(x)
fft.dctn(x, 3, s=(2, 4), axes=(1, 0), norm="ortho")
fft.idctn(x, axes=1)
fft.dstn(x, axes=[0])
fft.idstn(x, norm="ortho")
fft.hfft2(x + 0j)
fft.hfftn(fft.ihfftn(x), s=(3, 6))
np.abs(fft.ihfft2(x))
integrate.trapezoid(x, dx=0.5, axis=0)
integrate.fixed_quad(lambda t, k: np.exp(-k * t), x[0, 0], 2.0, args=(x[0, 1],), n=6)[0]
integrate.fixed_quad(np.cos, 0.0, x[0, 0])[0]
integrate.quad(lambda t: np.exp(-x[0, 0] ** 2 * t) * np.sin(t), x[0, 1], 2.0)[0]
integrate.quad(lambda t, k: np.exp(-k * t * t), -np.inf, np.inf, args=(2.0 + x[0, 1] ** 2,))[0]
integrate.quad(lambda t: 1.0 / (1.0 + t * t), x[0, 0], np.inf)[0] * integrate.quad(np.exp, -np.inf, x[0, 1])[0]
integrate.dblquad(lambda t, u: t * u * x[0, 0], 0.0, 2.0, x[0, 1], lambda u: u * x[0, 2])[0]
integrate.tplquad(lambda t, u, v: t * u * v * x[0, 0], 0.0, 1.0, 0.0, lambda v: v, 0.0, lambda v, u: u * x[0, 1])[0]
integrate.nquad(lambda t, u, k: np.exp(-k * t * u), [lambda u, k: (0.0, u), (0.5, x[0, 0])], args=(x[0, 1],))[0]
integrate.solve_ivp(lambda t, y: [-x[0, 0] * y[1], y[0]], (0.0, 1.0), x[0, :2], t_eval=[0.2, 1], rtol=1e-8, atol=1e-8).y
integrate.solve_ivp(lambda t, y, k: -k * y, (0.0, 1.0), x[0], "RK23", args=(x[1, 0],), rtol=1e-8, atol=1e-8).y[:, -1]
integrate.odeint(lambda y, t: [-x[0, 0] * y[1], y[0]], x[0, :2], [0.0, 0.5, 1.0])
integrate.romb(x[:, :5], dx=0.5)
integrate.cumulative_trapezoid(x)
integrate.cumulative_trapezoid(x, axis=0, initial=0)
integrate.cumulative_trapezoid(x, np.cumsum(x[0] * x[0] + 0.5), initial=0)
integrate.simpson(x)
integrate.cumulative_simpson(x)
integrate.cumulative_simpson(x[:2], x=np.cumsum(x[:2] * x[:2] + 0.5, axis=1), initial=0.5)
integrate.cumulative_simpson(x[:, :5], dx=0.5, axis=1)
integrate.cumulative_simpson(x[:2], axis=0)
integrate.simpson(x, axis=0, dx=0.5)
integrate.simpson(x, x=np.cumsum(x[0] * x[0] + 0.5))
integrate.simpson(x[:, :5], x=np.cumsum(x * x + 0.5, axis=1)[:, :5])
integrate.simpson(x[:2], axis=0)
signal.lfilter([1.0, 0.5], [2.0, -0.3, 0.1], x)
signal.lfilter(x[0, :3], x[0] * x[0] + 1.0, x, axis=0)
signal.lfilter(x[0], x[1] * x[1] + 1.0, x[2])
""", "x:3,6"))
CALLS.append(("""
ndimage.correlate1d(x, [1.0, 2.0, 0.5, 0.3], axis=1, mode="mirror", origin=-1)
ndimage.correlate1d(x, x[0, :3], axis=0)
ndimage.correlate1d(x, x[0], mode="wrap", origin=1)
ndimage.convolve1d(x, x[1, :2], axis=0, mode="nearest")
ndimage.convolve1d(x, x[0], mode="constant", cval=0.7, origin=-1)
ndimage.uniform_filter1d(x, 4)
ndimage.uniform_filter(x, (2, 3), mode="wrap")
ndimage.gaussian_filter1d(x[0], 0.6, order=3)
ndimage.gaussian_filter1d(x, np.abs(x[0, 0]) + 0.2, axis=0, order=1)
ndimage.gaussian_filter(x, 0.7)
ndimage.gaussian_filter(x, (0.0, 0.8))
ndimage.gaussian_filter(x, (0.7, 0.5), order=(0, 2), mode="constant")
ndimage.gaussian_filter(x[0], 3.0, radius=2)
ndimage.sobel(x)
ndimage.prewitt(x, axis=0, mode="nearest")
ndimage.laplace(x, mode="constant", cval=0.2)
ndimage.correlate(x, x[:2, :3], mode="mirror", origin=(0, 1))
ndimage.correlate(x[0], x[1, :3])
ndimage.convolve(x, x[:, :2], mode="constant", cval=0.4)
ndimage.convolve(x, x[:, 1:], origin=1)
ndimage.map_coordinates(x, [[0.5, 1.2, 1.6, 5.0], [0.3, 2.1, 0.4, 0.1]], order=1)
ndimage.map_coordinates(x, np.array([[0.5, 1.2], [0.4, 2.1]]) + 0.01 * x[0, 0], order=1, mode="nearest")
ndimage.map_coordinates(x[0], np.array([[0.4, 1.3, 2.2]]), order=0, mode="nearest")
distance.cdist(x, x[::-1] + 1.0)
distance.cdist(x, x + 1.0, "sqeuclidean")
distance.cdist(x, x + 1.0, metric="minkowski", p=3.0)
distance.cdist(x, 2.0 * x, "chebyshev")
distance.pdist(x)
distance.pdist(x, "cityblock")
distance.pdist(x, "cosine")
distance.pdist(x, "correlation")
distance.pdist(x, "seuclidean")
distance.pdist(x, "seuclidean", V=x[0] ** 2)
distance.pdist(x, "canberra")
distance.pdist(x, metric="mahalanobis", VI=np.diag(x[2] ** 2))
distance.cdist(x, x[::-1] + 1.0, "cosine")
distance.cdist(x, x[::-1] + 1.0, "correlation")
distance.cdist(x, x[::-1] + 1.0, "seuclidean")
distance.cdist(x, x[:, ::-1] + 1.0, "canberra")
distance.cdist(x, x[::-1] + 4.0, "braycurtis")
distance.cdist(x, 2.0 * x + 1.0, "mahalanobis", VI=np.diag(x[2] ** 2))
distance.cdist(x, x[::-1] + 1.0, "minkowski", p=3.0, w=x[2] ** 2)
distance.cdist(x, x[::-1] + 1.0, "cityblock", w=x[2] ** 2)
distance.pdist(x, w=x[2] ** 2)
distance.jensenshannon(x[0] ** 2, x[1] ** 2)
distance.jensenshannon(x ** 2, x[::-1] ** 2, 2.0, axis=1, keepdims=True)[:2]
distance_matrix(x, x + 1.0)
distance_matrix(x, x[::-1] + 1.0, p=3)
minkowski_distance(x, x[::-1] + 1.0, 3)
distance.squareform(distance.pdist(x))
distance.squareform(x[0, :3], checks=False)
distance.squareform(x[:3, :3], force="tovector", checks=False)
distance.euclidean(x[0], x[1])
distance.euclidean(x[0], x[1], x[2] ** 2)
distance.sqeuclidean(x[0], x[1])
distance.cityblock(x[0], x[1])
distance.minkowski(x[0], x[1], 3.0)
distance.minkowski(x[0], x[1], 3.0, x[2] ** 2)
distance.chebyshev(x[0], x[1])
distance.mahalanobis(x[0], x[1], np.diag(x[2] ** 2))
distance.cosine(x[0], x[1], x[2] ** 2)
distance.correlation(x[0], x[1])
distance.correlation(x[0], x[1], x[2] ** 2, centered=False)
distance.correlation(x[0], x[1], w=x[2] ** 2)
distance.seuclidean(x[0], x[1], x[2] ** 2)
distance.canberra(x[0], x[1], x[2] ** 2)
distance.braycurtis(x[0], x[1] + 4.0)
""", "x:3,4"))
CALLS.append(("""
ndimage.gaussian_filter(x, 0.4, truncate=3.0)
ndimage.uniform_filter(x, 2)
ndimage.sobel(x, axis=0, mode="nearest")
ndimage.laplace(x)
ndimage.convolve(x, x[:, :2, :2])
""", "x:2,3,3"))
CALLS.append(("""
signal.welch(t)[1]
signal.welch(t, 2.0, nperseg=8)[1]
signal.welch(m, 2.0, "hamming", 5, 2, 9, "linear", axis=0, scaling="spectrum", average="median")[1]
signal.welch(t, window=np.array([1.0, 2.0, 3.0, 1.0]), detrend=False, return_onesided=False)[1]
signal.periodogram(t)[1]
signal.periodogram(m, axis=0, nfft=10)[1]
signal.periodogram(m, axis=0, nfft=30, window="hann", scaling="spectrum")[1]
signal.csd(t, t[::-1], nperseg=8)[1]
signal.csd(t, t[:12], nperseg=6, average="median", detrend=False)[1]
signal.coherence(t, t**2, nperseg=6)[1]
signal.spectrogram(t, nperseg=8)[2]
signal.spectrogram(m, axis=0, nperseg=6, mode="magnitude")[2]
signal.spectrogram(m, axis=0, nperseg=6, mode="complex")[2]
np.cos(signal.spectrogram(t + 2.0, nperseg=8, mode="phase", detrend=False)[2][:4])
signal.spectrogram(t + 2.0, nperseg=8, mode="phase", detrend=False)[2]
signal.stft(t, nperseg=6)[2]
signal.stft(m, axis=0, nperseg=5, boundary="even", padded=False, noverlap=1)[2]
signal.stft(t, nperseg=6, boundary="odd", scaling="psd", detrend="constant")[2]
signal.stft(t, nperseg=6, boundary=None)[2]
signal.stft(t, nperseg=7, boundary="constant", nfft=9)[2]
signal.istft(signal.stft(t, nperseg=6)[2] ** 2, nperseg=6)[1]
signal.istft(np.transpose(signal.stft(m, axis=0, nperseg=6)[2], (2, 0, 1)), nperseg=6, time_axis=0, freq_axis=1)[1]
signal.filtfilt([1.0, 0.5], [2.0, -0.3, 0.1], t)
signal.filtfilt(m[0], m[1] ** 2 + 1.0, m, axis=0, padtype="even", padlen=4)
signal.filtfilt([1.0, 0.5], 1.0, t, padtype=None)
signal.filtfilt([0.3], [2.0, -0.3], t, padtype="constant")
signal.sosfiltfilt(np.array([[0.2, 0.3, 0.1, 1.0, -0.5, 0.1], [1.0, 0.2, 0.0, 1.0, 0.3, 0.0]]), t)
signal.sosfiltfilt(np.array([[0.2, 0.3, 0.1, 1.0, -0.5, 0.1]]), m, axis=0, padlen=2)
""", "t:17 m:17,2"))
CALLS.append(("""
signal.welch(z, nperseg=8)[1]
signal.csd(z, z * z, nperseg=8)[1]
signal.stft(z, nperseg=6)[2]
signal.istft(signal.stft(z, nperseg=6)[2], nperseg=6, input_onesided=False)[1]
""", "z:z17"))

# ---------------------------------------------------------------- samples

CALLS.append(("""
stats.gmean(w)
stats.gmean(w, axis=1, weights=w[0])
stats.gmean(w, axis=None, keepdims=True)
stats.hmean(w, axis=1)
stats.hmean(w, weights=w)
stats.pmean(w, 1.5)
stats.pmean(w, 2.0, axis=1, weights=w[0])
stats.pmean(w, 0)
stats.trim_mean(x, 0.3, axis=1)
stats.trim_mean(x, 0.3, axis=None)
stats.moment(x, 3)
stats.moment(x, 2, axis=None, center=0.3)
stats.skew(x, axis=1)
stats.skew(x, axis=None, bias=False)
stats.kurtosis(x, axis=1)
stats.kurtosis(x, axis=1, fisher=False, bias=False, keepdims=True)
stats.variation(w)
stats.variation(w, axis=1, ddof=1)
stats.sem(x)
stats.sem(x, axis=None, ddof=0)
stats.gstd(w, axis=1)
stats.iqr(x)
stats.iqr(x, axis=1, rng=(10, 80), scale="normal", keepdims=True)
stats.zscore(x)
stats.zscore(x, axis=None, ddof=1)
stats.zmap(x[0], x[1])
stats.gzscore(w, axis=1)
stats.entropy(w)
stats.entropy(w, w[:, ::-1], base=2, axis=1)
stats.boxcox_llf(0.3, w[0])
stats.boxcox_llf(w[0, 0], w[0])
stats.pearsonr(x[0], w[1])[0]
stats.pearsonr(x[0], w[1]).pvalue
stats.pearsonr(x, w, axis=1, alternative="less").statistic
stats.linregress(x[0], w[1]).slope
stats.linregress(x[0], w[1])[1] + stats.linregress(x[0], w[1]).rvalue
stats.linregress(x[0], w[1]).pvalue
stats.linregress(x[0], w[1], alternative="less").pvalue + stats.linregress(x[0], w[1]).stderr
""", "x:3,4 w:+3,4"))

# ---------------------------------------------------------------- interpolation

CALLS.append(("""
interpolate.CubicSpline(np.cumsum(d), y)(x)
interpolate.CubicSpline(np.cumsum(d), y, bc_type="natural")(x[0, 0], 1)
interpolate.CubicSpline(np.cumsum(d), y, bc_type=("clamped", (2, 0.3)))(x)
interpolate.CubicSpline(np.cumsum(d), a)(x)
interpolate.CubicSpline(np.cumsum(d), y).integrate(x[0, 0], 2.0)
interpolate.CubicSpline(np.cumsum(d), y, extrapolate=False).derivative()(np.cumsum(d)[1:3] + 0.1)
interpolate.CubicSpline(np.cumsum(d), y).antiderivative()(x)
interpolate.PchipInterpolator(np.cumsum(d), y)(x)
interpolate.interp1d(np.cumsum(d), y)(np.cumsum(d)[1:3] + 0.1)
interpolate.interp1d(np.cumsum(d), a.T, kind="nearest", fill_value="extrapolate")(x[0])
interpolate.interp1d(np.cumsum(d), a, axis=0, bounds_error=False, fill_value=(0.5, 0.0))(x[0])
interpolate.interp1d(np.cumsum(d), y, kind="cubic", fill_value="extrapolate")(x)
interpolate.interp1d(np.cumsum(d), y, "next")(d[0] + 1.0) * interpolate.interp1d(np.cumsum(d), y, "previous")(d[0])
interpolate.CubicHermiteSpline(np.cumsum(d), y, d)(x)
interpolate.Akima1DInterpolator(np.cumsum(d), y, extrapolate=True)(x)
interpolate.Akima1DInterpolator(np.cumsum(d), y, method="makima")(d[:2] + 1.0)
interpolate.InterpolatedUnivariateSpline(np.cumsum(d), y)(x) * 2.0
interpolate.make_interp_spline(np.cumsum(d), y)(x) + interpolate.splev(x, interpolate.splrep(np.cumsum(d), y), der=1)
interpolate.PPoly(a[:, :2], np.array([0.0, 1.0, 2.5]))(x, 1)
interpolate.interpn((np.cumsum(d), np.arange(3.0)), a, x[:, :2], bounds_error=False, fill_value=None)
interpolate.interpn((np.cumsum(d),), a, x[0] + d[0] + 2.0, bounds_error=False, fill_value=0.5)
interpolate.RegularGridInterpolator((np.cumsum(d), np.arange(3.0)), a)((d[0] + d[1:3] / 2.0, np.array([0.3, 1.6])))
""", "d:+5 y:5 a:5,3 x:2,3"))
