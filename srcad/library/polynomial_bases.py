"""Values of series of orthogonal polynomials, of `np.polynomial`: C. W. Clenshaw's recurrences, as NumPy has them."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of


def series(c):
    """The coefficients of one series, as numbers that are not whole."""
    if np.ndim(c) > 1:
        return refuse("several series at once", "a loop over them, or one series")
    return array_of(c) * 1.0


def ends(c, x):
    """The last two coefficients, one of each for each value; zero for one that there is not."""
    if len(c) == 1:
        return np.zeros_like(x) + c[0], np.zeros_like(x) + 0.0 * c[0]
    return np.zeros_like(x) + c[-2], np.zeros_like(x) + c[-1]


@instead_of(polynomial.polyval)
def polyval(x, c, tensor=True):
    c, x = series(c), array_of(x)
    y = np.zeros_like(x) + c[-1]
    for k in range(2, len(c) + 1):
        y = c[-k] + y * x
    return y


@instead_of(polynomial.polyvalfromroots)
def polyvalfromroots(x, r, tensor=True):
    if np.ndim(r) != 1:
        return refuse("several polynomials at once", "a loop over them, or one polynomial")
    return np.prod(np.expand_dims(array_of(x), -1) - array_of(r), axis=-1)


@instead_of(chebyshev.chebval)
def chebval(x, c, tensor=True):
    c, x = series(c), array_of(x)
    low, high = ends(c, x)
    for k in range(3, len(c) + 1):
        low, high = c[-k] - high, low + high * 2.0 * x
    return low + high * x


@instead_of(legendre.legval)
def legval(x, c, tensor=True):
    c, x = series(c), array_of(x)
    low, high = ends(c, x)
    for k in range(3, len(c) + 1):
        n = len(c) - k + 2
        low, high = c[-k] - high * ((n - 1) / n), low + high * x * ((2 * n - 1) / n)
    return low + high * x


@instead_of(hermite.hermval)
def hermval(x, c, tensor=True):
    c, x = series(c), array_of(x)
    low, high = ends(c, x)
    for k in range(3, len(c) + 1):
        n = len(c) - k + 2
        low, high = c[-k] - high * (2.0 * (n - 1)), low + high * 2.0 * x
    return low + high * 2.0 * x


@instead_of(hermite_e.hermeval)
def hermeval(x, c, tensor=True):
    c, x = series(c), array_of(x)
    low, high = ends(c, x)
    for k in range(3, len(c) + 1):
        n = len(c) - k + 2
        low, high = c[-k] - high * (n - 1.0), low + high * x
    return low + high * x


@instead_of(laguerre.lagval)
def lagval(x, c, tensor=True):
    c, x = series(c), array_of(x)
    low, high = ends(c, x)
    for k in range(3, len(c) + 1):
        n = len(c) - k + 2
        low, high = c[-k] - high * (n - 1) / n, low + high * ((2 * n - 1) - x) / n
    return low + high * (1.0 - x)


@instead_of(polynomial.polyvander)
def polyvander(x, deg):
    x = array_of(x) * 1.0
    return np.vander(x, deg + 1, increasing=True).astype(x.dtype)


# ---------------------------------------------------------------- arithmetic of power series, lowest power first


@instead_of(polynomial.polyadd)
def polyadd(c1, c2):
    return np.polyadd(array_of(c1)[::-1], array_of(c2)[::-1])[::-1]


@instead_of(polynomial.polysub)
def polysub(c1, c2):
    return np.polysub(array_of(c1)[::-1], array_of(c2)[::-1])[::-1]


@instead_of(polynomial.polymul)
def polymul(c1, c2):
    return np.convolve(array_of(c1), array_of(c2))


@instead_of(polynomial.polyder)
def polyder(c, m=1, scl=1, axis=0):
    c = series(c)
    return scl**m * np.polyder(c[::-1], m)[::-1].astype(c.dtype)
