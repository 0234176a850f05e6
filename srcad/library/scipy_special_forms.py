"""Functions of `scipy.special` that are others at other arguments: scaled, shifted, their derivatives.

Formulas: NIST Digital Library of Mathematical Functions, chapters 9, 10 and 18.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from srcad.library import instead_of, known, refuse
from srcad.library.axes import chosen, double
from srcad.runtime import airy_a, airy_a_slope, airy_b, airy_b_slope
from srcad.runtime.scipy_special_results import (
    amplitude, integral_of_i0, integral_of_i0_by_x, integral_of_j0, integral_of_j0_by_x, integral_of_k0,
    integral_of_k0_by_x, integral_of_y0, integral_of_y0_by_x, scaled_airy_a, scaled_airy_a_slope, scaled_airy_b,
    scaled_airy_b_slope,
)  # fmt: skip

# ---------------------------------------------------------------- derivatives of Bessel functions by their order


def derivative(function, v, z, n, sign):
    """The n-th derivative, for functions with ``2 L' = L(v - 1) + sign * L(v + 1)``."""
    if not known(n):
        return refuse("a derivative of a Bessel function whose order is no constant", "a number")
    if n == 0:
        return function(v, z)
    v = v if np.ndim(v) else np.float64(v)  # SciPy makes an array of it, which counts in the precision
    total, share = 1.0 * function(v - n, z), 1.0
    for i in range(n):
        share = sign * share * (n - i) / (i + 1)
        total = total + share * function(v - n + 2 * i + 2, z)
    return total / 2.0**n


@instead_of(special.jvp)
def jvp(v, z, n=1):
    return derivative(special.jv, v, z, n, -1.0)


@instead_of(special.yvp)
def yvp(v, z, n=1):
    return derivative(special.yv, v, z, n, -1.0)


@instead_of(special.ivp)
def ivp(v, z, n=1):
    return derivative(special.iv, v, z, n, 1.0)


@instead_of(special.kvp)
def kvp(v, z, n=1):
    return (-1.0) ** n * derivative(special.kv, v, z, n, 1.0)


@instead_of(special.jve)
def jve(v, z):
    return special.jv(v, real(z))


@instead_of(special.yve)
def yve(v, z):
    return special.yv(v, real(z))


def real(z):
    """Real numbers, for which the scaled functions are the others."""
    if np.iscomplexobj(z):
        return refuse("a Bessel function of complex numbers", "real ones")
    return z


# ---------------------------------------------------------------- Hankel's functions


def positive(z):
    """Positive numbers: those below zero lie on the cut of Hankel's functions, and at zero there is a pole."""
    z = real(z)
    if np.any(z <= 0):
        raise ValueError("Hankel's functions have a derivative for positive numbers here")
    return z


@instead_of(special.hankel1)
def hankel1(v, z):
    at = positive(z)
    return special.jv(v, at) + 1j * special.yv(v, at)


@instead_of(special.hankel2)
def hankel2(v, z):
    at = positive(z)
    return special.jv(v, at) - 1j * special.yv(v, at)


@instead_of(special.hankel1e)
def hankel1e(v, z):
    return special.hankel1(v, z) * np.exp(-1j * z)


@instead_of(special.hankel2e)
def hankel2e(v, z):
    return special.hankel2(v, z) * np.exp(1j * z)


@instead_of(special.h1vp)
def h1vp(v, z, n=1):
    return derivative(special.hankel1, v, z, n, -1.0)


@instead_of(special.h2vp)
def h2vp(v, z, n=1):
    return derivative(special.hankel2, v, z, n, -1.0)


# ---------------------------------------------------------------- spherical Bessel functions


def power_series(n, z, sign):
    """Of `jn` and `in`, smooth at zero: ``z^n / (2 n + 1)!!`` times a hypergeometric function of ``z^2``."""
    scale = np.sqrt(np.pi) * 0.5 ** (n + 1.0) * special.rgamma(n + 1.5)
    return scale * z**n * special.hyp0f1(n + 1.5, 0.25 * sign * z * z)


@instead_of(special.spherical_jn)
def spherical_jn(n, z, derivative=False):
    if derivative:
        below = power_series(np.maximum(n - 1, 0), z, -1.0)
        return (n * below - (n + 1) * power_series(n + 1, z, -1.0)) / (2 * n + 1)
    return power_series(n, z, -1.0)


@instead_of(special.spherical_in)
def spherical_in(n, z, derivative=False):
    if derivative:
        below = power_series(np.maximum(n - 1, 0), z, 1.0)
        return (n * below + (n + 1) * power_series(n + 1, z, 1.0)) / (2 * n + 1)
    return power_series(n, z, 1.0)


@instead_of(special.spherical_yn)
def spherical_yn(n, z, derivative=False):
    z = double(z)
    if np.ndim(n) == 0 and not np.iscomplexobj(z):
        below, y = upwards(n, z)
    else:
        scale = np.sqrt(0.5 * np.pi / z)
        below, y = scale * special.yv(n - 0.5, z), scale * special.yv(n + 0.5, z)
    return below - (n + 1) / z * y if derivative else y


def upwards(n, z):
    """Two orders of `yn` of real numbers, the last the n-th, from those before: the others grow, this one fastest."""
    below, y = np.sin(z) / z, -np.cos(z) / z
    for k in range(n):
        above = (2 * k + 1) / z * y - below
        below, y = y, chosen(np.isinf(y), y, above)
    y = chosen(z == 0.0, -np.inf, chosen(np.isinf(z), 0.0, y))
    return below, y if n >= 0 else np.nan * z


@instead_of(special.spherical_kn)
def spherical_kn(n, z, derivative=False):
    y = np.sqrt(0.5 * np.pi / z) * special.kv(n + 0.5, z)
    if derivative:
        return -np.sqrt(0.5 * np.pi / z) * special.kv(n - 0.5, z) - (n + 1) / z * y
    return y


@instead_of(special.airy)
def airy(z):
    return airy_a(z), airy_a_slope(z), airy_b(z), airy_b_slope(z)


@instead_of(special.airye)
def airye(z):
    return scaled_airy_a(z), scaled_airy_a_slope(z), scaled_airy_b(z), scaled_airy_b_slope(z)


# ---------------------------------------------------------------- several results


@instead_of(special.itj0y0)
def itj0y0(x):
    return integral_of_j0(x), integral_of_y0(x)


@instead_of(special.iti0k0)
def iti0k0(x):
    return integral_of_i0(x), integral_of_k0(x)


@instead_of(special.it2j0y0)
def it2j0y0(x):
    return integral_of_j0_by_x(x), integral_of_y0_by_x(x)


@instead_of(special.it2i0k0)
def it2i0k0(x):
    return integral_of_i0_by_x(x), integral_of_k0_by_x(x)


@instead_of(special.kelvin)
def kelvin(x):
    value, other = special.ber(x) + 1j * special.bei(x), special.ker(x) + 1j * special.kei(x)
    return value, other, special.berp(x) + 1j * special.beip(x), special.kerp(x) + 1j * special.keip(x)


@instead_of(special.ellipj)
def ellipj(u, m):
    angle = amplitude(u, m)
    sn, cn = np.sin(angle), np.cos(angle)
    return sn, cn, np.sqrt(np.square(cn) + (1 - m) * np.square(sn)), angle


# ---------------------------------------------------------------- orthogonal polynomials


@instead_of(special.eval_chebyc)
def eval_chebyc(n, x):
    return 2.0 * special.eval_chebyt(n, 0.5 * x)


@instead_of(special.eval_chebys)
def eval_chebys(n, x):
    return special.eval_chebyu(n, 0.5 * x)


@instead_of(special.eval_sh_chebyt)
def eval_sh_chebyt(n, x):
    return special.eval_chebyt(n, 2.0 * x - 1.0)


@instead_of(special.eval_sh_chebyu)
def eval_sh_chebyu(n, x):
    return special.eval_chebyu(n, 2.0 * x - 1.0)


@instead_of(special.eval_sh_legendre)
def eval_sh_legendre(n, x):
    return special.eval_legendre(n, 2.0 * x - 1.0)


@instead_of(special.eval_sh_jacobi)
def eval_sh_jacobi(n, p, q, x):
    return special.eval_jacobi(n, p - q, q - 1.0, 2.0 * x - 1.0) / special.binom(2.0 * n + p - 1.0, n)


# ---------------------------------------------------------------- distribution functions


@instead_of(special.gdtr)
def gdtr(a, b, x):
    return special.gammainc(b, a * x)


@instead_of(special.gdtrc)
def gdtrc(a, b, x):
    return special.gammaincc(b, a * x)


@instead_of(special.fdtr)
def fdtr(dfn, dfd, x):
    return special.betainc(0.5 * dfn, 0.5 * dfd, dfn * x / (dfd + dfn * x))


@instead_of(special.fdtrc)
def fdtrc(dfn, dfd, x):
    return special.betainc(0.5 * dfd, 0.5 * dfn, dfd / (dfd + dfn * x))
