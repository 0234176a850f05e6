"""Error, exponential and logistic functions of `scipy.special`, and integrals of exponentials.

Formulas: NIST Digital Library of Mathematical Functions, chapters 4, 6 and 7.
"""

import numpy as np
from scipy import special

from srcad.rules.dtypes import is_complex
from srcad.rules.operands import unknown
from srcad.rules.rule import known, rule
from srcad.runtime import (
    cosine_integral, fresnel_cosine, fresnel_sine, hyperbolic_cosine_integral, hyperbolic_sine_integral, sine_integral,
)  # fmt: skip

# ---------------------------------------------------------------- the error function


@rule(special.erf)
def erf(y, x):
    y.dot = x.dot * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)
    x.bar += y.bar * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)


@rule(special.erfc)
def erfc(y, x):
    y.dot = -x.dot * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)
    x.bar -= y.bar * (2.0 / np.sqrt(np.pi)) * np.exp(-x * x)


@rule(special.erfcx)
def erfcx(y, x):
    y.dot = x.dot * (2.0 * x * y - 2.0 / np.sqrt(np.pi))
    x.bar += y.bar * (2.0 * x * y - 2.0 / np.sqrt(np.pi))


@rule(special.erfi)
def erfi(y, x):
    y.dot = x.dot * (2.0 / np.sqrt(np.pi)) * np.exp(x * x)
    x.bar += y.bar * (2.0 / np.sqrt(np.pi)) * np.exp(x * x)


@rule(special.erfinv)
def erfinv(y, x):
    y.dot = x.dot * (np.sqrt(np.pi) / 2.0) * np.exp(y * y)
    x.bar += y.bar * (np.sqrt(np.pi) / 2.0) * np.exp(y * y)


@rule(special.erfcinv)
def erfcinv(y, x):
    y.dot = -x.dot * (np.sqrt(np.pi) / 2.0) * np.exp(y * y)
    x.bar -= y.bar * (np.sqrt(np.pi) / 2.0) * np.exp(y * y)


@rule(special.wofz)
def wofz(y, z):
    y.dot = z.dot * (2.0j / np.sqrt(np.pi) - 2.0 * z * y)
    z.bar += y.bar * (2.0j / np.sqrt(np.pi) - 2.0 * z * y)


@rule(special.voigt_profile)
def voigt_profile(y, x, sigma, gamma):
    # The real part of wofz at z, whose derivative is that of wofz.
    width = np.sqrt(2.0) * sigma
    z = (x + 1j * gamma) / width
    slope = (2.0j / np.sqrt(np.pi) - 2.0 * z * special.wofz(z)) / (np.sqrt(np.pi) * width * width)
    by_sigma = -(y + np.real(slope * (x + 1j * gamma))) / sigma
    y.dot = x.dot * np.real(slope) - gamma.dot * np.imag(slope) + sigma.dot * by_sigma
    x.bar += y.bar * np.real(slope)
    sigma.bar += y.bar * by_sigma
    gamma.bar -= y.bar * np.imag(slope)


@rule(special.dawsn)
def dawsn(y, x):
    y.dot = x.dot * (1.0 - 2.0 * x * y)
    x.bar += y.bar * (1.0 - 2.0 * x * y)


@rule(special.ndtr)
def ndtr(y, x):
    y.dot = x.dot * np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)
    x.bar += y.bar * np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi)


@rule(special.log_ndtr)
def log_ndtr(y, x):
    # The density over the distribution function, both scaled; beyond 37, what it is scaled by is too large.
    within = special.erfcx(-np.sqrt(0.5) * (x if is_complex(x) else np.minimum(x, 37.0)))
    scaled = within if is_complex(x) else np.where(x > 37.0, np.inf, within)
    y.dot = x.dot * np.sqrt(2.0 / np.pi) / scaled
    x.bar += y.bar * np.sqrt(2.0 / np.pi) / scaled


@rule(special.ndtri)
def ndtri(y, x):
    y.dot = x.dot * np.sqrt(2.0 * np.pi) * np.exp(0.5 * y * y)
    x.bar += y.bar * np.sqrt(2.0 * np.pi) * np.exp(0.5 * y * y)


@rule(special.ndtri_exp)
def ndtri_exp(y, x):
    y.dot = x.dot * np.sqrt(np.pi / 2.0) * special.erfcx(-np.sqrt(0.5) * y)
    x.bar += y.bar * np.sqrt(np.pi / 2.0) * special.erfcx(-np.sqrt(0.5) * y)


@rule(special.owens_t)
def owens_t(y, h, a):
    by_h = -0.5 * np.exp(-0.5 * h * h) * special.erf(np.sqrt(0.5) * a * h) / np.sqrt(2.0 * np.pi)
    by_a = np.exp(-0.5 * h * h * (1.0 + a * a)) / (2.0 * np.pi * (1.0 + a * a))
    y.dot = h.dot * by_h + a.dot * by_a
    h.bar += y.bar * by_h
    a.bar += y.bar * by_a


# ---------------------------------------------------------------- exponentials, logarithms, logistic functions


@rule(special.expit)
def expit(y, x):
    y.dot = x.dot * y * special.expit(-x)
    x.bar += y.bar * y * special.expit(-x)


@rule(special.logit)
def logit(y, x):
    y.dot = x.dot / (x * (1.0 - x))
    x.bar += y.bar / (x * (1.0 - x))


@rule(special.log_expit)
def log_expit(y, x):
    y.dot = x.dot * special.expit(-x)
    x.bar += y.bar * special.expit(-x)


@rule(special.xlogy)
def xlogy(r, x, y):
    # Where x is zero, it is zero whatever y is.
    r.dot = x.dot * np.log(y) + y.dot * x / (y if x != 0.0 else 1.0)
    x.bar += r.bar * np.log(y)
    y.bar += r.bar * x / (y if x != 0.0 else 1.0)


@rule(special.xlog1py)
def xlog1py(r, x, y):
    r.dot = x.dot * np.log1p(y) + y.dot * x / (1.0 + y if x != 0.0 else 1.0)
    x.bar += r.bar * np.log1p(y)
    y.bar += r.bar * x / (1.0 + y if x != 0.0 else 1.0)


@rule(special.expm1)
def expm1(y, x):
    y.dot = x.dot * np.exp(x)
    x.bar += y.bar * np.exp(x)


@rule(special.log1p)
def log1p(y, x):
    y.dot = x.dot / (1.0 + x)
    x.bar += y.bar / (1.0 + x)


@rule(special.exp2)
def exp2(y, x):
    y.dot = x.dot * y * np.log(2.0)
    x.bar += y.bar * y * np.log(2.0)


@rule(special.exp10)
def exp10(y, x):
    y.dot = x.dot * y * np.log(10.0)
    x.bar += y.bar * y * np.log(10.0)


@rule(special.exprel)
def exprel(y, x):
    # Close to zero, the difference cancels; far from it, the series takes long.
    far = np.abs(x) > 1.0
    series = 0.5 * special.hyp1f1(2.0, 3.0, np.clip(x, -1.0, 1.0))
    rate = (np.exp(x) - y) / (x if far else 1.0) if far else series
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(special.powm1)
def powm1(r, x, y):
    r.dot = x.dot * y * x ** (y - 1.0) + y.dot * (r + 1.0) * np.log(1.0 if x == 0.0 and y > 0.0 else x)
    x.bar += r.bar * y * x ** (y - 1.0)
    y.bar += r.bar * (r + 1.0) * np.log(1.0 if x == 0.0 and y > 0.0 else x)


@rule(special.lambertw)
def lambertw(w, z, k=0, tol=1e-8):
    # z is w * exp(w): no quotient of two zeros at zero.
    w.dot = z.dot / (z + np.exp(w))
    z.bar += w.bar / (z + np.exp(w))


@rule(special.wrightomega)
def wrightomega(y, x):
    y.dot = x.dot * y / (1.0 + y)
    x.bar += y.bar * y / (1.0 + y)


@rule(special.expi)
def expi(y, x):
    y.dot = x.dot * np.exp(x) / x
    x.bar += y.bar * np.exp(x) / x


@rule(special.exp1)
def exp1(y, x):
    y.dot = -x.dot * np.exp(-x) / x
    x.bar -= y.bar * np.exp(-x) / x


@rule(special.expn)
def expn(y, n, x):
    if not known(n):
        below = y * (1.0 + 1.0 / x) if n == 0 else special.expn(np.maximum(n - 1, 0), x)
    elif n == 0:
        below = y * (1.0 + 1.0 / x)
    else:
        below = special.expn(n - 1, x)
    y.dot = -x.dot * below + unknown(n.dot, "its order")
    x.bar -= y.bar * below
    n.bar += unknown(y.bar, "its order")


@rule(special.spence)
def spence(y, x):
    # log(x) / (1 - x), as functions that are smooth at one.
    rate = -special.hyp2f1(1.0, 1.0, 2.0, 1.0 - x) if is_complex(x) else -1.0 / special.exprel(np.log(x))
    y.dot = x.dot * rate
    x.bar += y.bar * rate


# ---------------------------------------------------------------- integrals that SciPy gives in pairs


@rule(sine_integral)
def _(y, x):
    y.dot = x.dot * np.sinc(x / np.pi)
    x.bar += y.bar * np.sinc(x / np.pi)


@rule(cosine_integral)
def _(y, x):
    y.dot = x.dot * np.cos(x) / x
    x.bar += y.bar * np.cos(x) / x


@rule(hyperbolic_sine_integral)
def _(y, x):
    rate = np.sinc(1j * x / np.pi) if is_complex(x) else special.exprel(2.0 * x) * np.exp(-x)
    y.dot = x.dot * rate
    x.bar += y.bar * rate


@rule(hyperbolic_cosine_integral)
def _(y, x):
    y.dot = x.dot * np.cosh(x) / x
    x.bar += y.bar * np.cosh(x) / x


@rule(fresnel_sine)
def _(y, x):
    y.dot = x.dot * np.sin(0.5 * np.pi * x * x)
    x.bar += y.bar * np.sin(0.5 * np.pi * x * x)


@rule(fresnel_cosine)
def _(y, x):
    y.dot = x.dot * np.cos(0.5 * np.pi * x * x)
    x.bar += y.bar * np.cos(0.5 * np.pi * x * x)
