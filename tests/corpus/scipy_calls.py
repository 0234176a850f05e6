"""Statistics and mathematics with SciPy: likelihoods, posteriors, mixtures, Gaussian processes, special functions."""

import numpy as np
import scipy.special
from scipy import linalg, special, stats
from scipy.special import gammaln
from scipy.stats import norm

from tests.corpus import normal, program, uniform

PRIOR = stats.norm(0.5, scale=2.0)


@program(uniform(0.3, 2.0, 6), 1.5, 0.7, tags="nojit core")
def gamma_likelihood(x, a, b):
    return np.sum(stats.gamma.logpdf(x, a, scale=b))


@program(uniform(0.3, 2.0, 5), 2.0, tags="nojit")
def likelihood_by_hand(x, a):
    total = 0.0
    for value in x:
        total += (a - 1.0) * np.log(value) - value - gammaln(a)
    return total


@program(normal(4), 0.3, 0.2, tags="nojit")
def posterior_with_scipy(x, mu, log_scale):
    scale = np.exp(log_scale)
    return norm.logpdf(x, loc=mu, scale=scale).sum() + PRIOR.logpdf(mu) + stats.expon.logpdf(scale)


@program(normal(5), normal(3), uniform(0.3, 2.0, 3), normal(3), tags="nojit")
def mixture_by_logsumexp(x, means, scales, logits):
    weights = special.log_softmax(logits)
    terms = weights + stats.norm.logpdf(x[:, None], means, scales)
    return np.sum(special.logsumexp(terms, axis=1))


@program(normal(4, 2), uniform(0.3, 2.0, 2), 0.4, tags="nojit")
def gaussian_process_by_cho_solve(x, lengths, noise):
    scaled = x / lengths
    apart = scaled[:, None, :] - scaled[None, :, :]
    kernel = np.exp(-0.5 * np.sum(apart**2, axis=-1)) + (0.1 + noise**2) * np.eye(4)
    factor = linalg.cho_factor(kernel, lower=True)
    y = np.sin(x[:, 0])
    return 0.5 * y @ linalg.cho_solve(factor, y) + np.sum(np.log(np.diag(factor[0])))


@program(normal(3, 4), normal(4), tags="nojit")
def regression_with_expit(X, w):
    y = np.array([1.0, 0.0, 1.0])
    p = special.expit(X @ w)
    return -np.sum(special.xlogy(y, p) + special.xlog1py(1.0 - y, -p))


@program(normal(3), normal(3), tags="nojit")
def regression_with_counts(w, x):
    counts = np.array([0, 2, 5])
    model = lambda rates: stats.poisson(rates).logpmf(counts)
    return model(np.exp(w * x)).sum()


@program(0.7, tags="nojit")
def special_functions_in_branches(x):
    if x > 0.5:
        y = scipy.special.j0(x) + special.iv(1.5, x)
    else:
        y = scipy.special.erfcx(x)
    while y < 3.0:
        y = y + special.ndtr(y) * x
    return y


@program(normal(3, 3), normal(3), tags="nojit")
def flow_of_a_linear_system(A, x):
    states = []
    for t in (0.5, 1.0, 2.0):
        states.append(linalg.expm(0.3 * t * A) @ x)
    return sum(np.sum(s**2) for s in states)


@program(uniform(0.3, 2.0, 4), 0.5, tags="nojit")
def distribution_held_in_a_loop(x, m):
    total = 0.0
    for k in range(x.shape[0]):
        now = stats.lognorm(0.8, scale=m + x[k])
        total = total + now.logpdf(x[k]) * now.cdf(1.5)
    return total


@program(normal(3, 2), normal(2), normal(2, 2), tags="nojit")
def correlated_normals(x, mean, factor):
    cov = factor @ factor.T + np.eye(2)
    return stats.multivariate_normal.logpdf(x, mean=mean, cov=cov).sum()


@program(uniform(0.3, 2.0, 3), 0.5, tags="nojit complex")
def diode_by_lambert(currents, r):
    """A diode behind a resistor, and a complex gamma function in a loop, compiled as SciPy's own."""
    total = np.sum(special.lambertw(r * np.exp(currents)).real / r)
    for k in range(currents.shape[0]):
        total += np.abs(special.gamma(currents[k] + 0.5j * r))
    return total
