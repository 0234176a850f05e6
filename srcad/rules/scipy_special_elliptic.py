"""Elliptic integrals of `scipy.special`: NIST Digital Library of Mathematical Functions, chapter 19."""

import numpy as np
from scipy import special

from srcad.rules.rule import rule
from srcad.runtime.scipy_special_results import amplitude
from srcad.runtime.scipy_special_shapes import elliptic_integral


@rule(special.ellipk)
def ellipk(y, m):
    y.dot = m.dot * (np.pi / 8.0) * special.hyp2f1(1.5, 1.5, 2.0, m)
    m.bar += y.bar * (np.pi / 8.0) * special.hyp2f1(1.5, 1.5, 2.0, m)


@rule(special.ellipe)
def ellipe(y, m):
    y.dot = -m.dot * (np.pi / 8.0) * special.hyp2f1(0.5, 1.5, 2.0, m)
    m.bar -= y.bar * (np.pi / 8.0) * special.hyp2f1(0.5, 1.5, 2.0, m)


@rule(special.ellipkm1)
def ellipkm1(y, p):
    # Where p is close to one, the difference cancels; close to zero, the series sees 1 - p only.
    near = p < 0.5
    quotient = (special.ellipe(1.0 - p) - p * y) / (2.0 * (1.0 - p) * p if near else 1.0)
    rate = -quotient if near else -(np.pi / 8.0) * special.hyp2f1(1.5, 1.5, 2.0, 1.0 - p)
    y.dot = p.dot * rate
    p.bar += y.bar * rate


@rule(special.elliprf)
def elliprf(r, x, y, z):
    by_x, by_y, by_z = special.elliprd(y, z, x), special.elliprd(x, z, y), special.elliprd(x, y, z)
    r.dot = -(x.dot * by_x + y.dot * by_y + z.dot * by_z) / 6.0
    x.bar -= r.bar * by_x / 6.0
    y.bar -= r.bar * by_y / 6.0
    z.bar -= r.bar * by_z / 6.0


@rule(special.ellipkinc)
def ellipkinc(y, phi, m):
    rate = 1.0 / np.sqrt(1.0 - m * np.sin(phi) ** 2)
    y.dot = phi.dot * rate + m.dot * 0.5 * elliptic_integral(1, 3, phi, m)
    phi.bar += y.bar * rate
    m.bar += y.bar * 0.5 * elliptic_integral(1, 3, phi, m)


@rule(special.ellipeinc)
def ellipeinc(y, phi, m):
    rate = np.sqrt(1.0 - m * np.sin(phi) ** 2)
    y.dot = phi.dot * rate - m.dot * 0.5 * elliptic_integral(1, 1, phi, m)
    phi.bar += y.bar * rate
    m.bar -= y.bar * 0.5 * elliptic_integral(1, 1, phi, m)


@rule(elliptic_integral)
def _(y, k, p, phi, m):
    rate = np.sin(phi) ** (2 * k) * (1.0 - m * np.sin(phi) ** 2) ** (-0.5 * p)
    y.dot = phi.dot * rate + m.dot * 0.5 * p * elliptic_integral(k + 1, p + 2, phi, m)
    phi.bar += y.bar * rate
    m.bar += y.bar * 0.5 * p * elliptic_integral(k + 1, p + 2, phi, m)


@rule(amplitude)
def _(y, u, m):
    # The inverse of ellipkinc in its first argument.
    rate = np.sqrt(np.cos(y) ** 2 + (1.0 - m) * np.sin(y) ** 2)
    y.dot = rate * (u.dot - m.dot * 0.5 * elliptic_integral(1, 3, y, m))
    u.bar += y.bar * rate
    m.bar -= y.bar * rate * 0.5 * elliptic_integral(1, 3, y, m)
