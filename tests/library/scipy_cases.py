"""Calls of SciPy's functions, written as those in `cases`."""

from scipy import special

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
special.gammaln(y).sum() + special.loggamma(y[0])
""", "x:5 y:+5"), ("""
special.logsumexp(x)
special.multigammaln(x + 2.0, 2)
special.comb(x + 3.0, 2)
special.factorial(x)
""", "x:+")]
"""The calls and their operands; those of functions that this SciPy lacks are left out below."""
if not hasattr(special, "softplus"):
    CALLS[0] = (CALLS[0][0].replace("special.softplus(x)\n", ""), CALLS[0][1])
