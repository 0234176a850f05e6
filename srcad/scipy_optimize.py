"""Roots by `scipy.optimize`, with the derivatives that the implicit function theorem gives them.

The iterations are SciPy's, so that of several roots it is the same one. No derivative goes through them:
`implicit.root` begins where they end.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize

from srcad import implicit
from srcad.implicit import _read
from srcad.library import instead_of, refuse
from srcad.library.roots import Root, arguments, between, by_ridder, by_secants, halved

CLOSE = 4.0 * np.finfo(np.float64).eps


@instead_of(optimize.brentq)
def brentq(f, a, b, args=(), xtol=2e-12, rtol=CLOSE, maxiter=100, full_output=False, disp=True):
    return told(f, between(f, a, b, arguments(args), xtol, rtol, maxiter), arguments(args), full_output or not disp)


@instead_of(optimize.bisect)
def bisect(f, a, b, args=(), xtol=2e-12, rtol=CLOSE, maxiter=100, full_output=False, disp=True):
    return told(f, halved(f, a, b, arguments(args), xtol, rtol, maxiter), arguments(args), full_output or not disp)


@instead_of(optimize.brenth)
def brenth(f, a, b, args=(), xtol=2e-12, rtol=CLOSE, maxiter=100, full_output=False, disp=True):
    found = between(f, a, b, arguments(args), xtol, rtol, maxiter, hyperbolic=True)
    return told(f, found, arguments(args), full_output or not disp)


@instead_of(optimize.ridder)
def ridder(f, a, b, args=(), xtol=2e-12, rtol=CLOSE, maxiter=100, full_output=False, disp=True):
    return told(f, by_ridder(f, a, b, arguments(args), xtol, rtol, maxiter), arguments(args), full_output or not disp)


@instead_of(optimize.newton)
def newton(
    func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None, x1=None, rtol=0.0, full_output=False,
    disp=True,
):  # fmt: skip
    if np.ndim(x0) > 0 or fprime2 is not None:
        return refuse("scipy.optimize.newton of an array, or with a second derivative", "srcad.implicit.root")
    start = x0 if fprime is not None else by_secants(func, x0, x1, arguments(args), tol, rtol, maxiter)
    return told(func, start, arguments(args), full_output or not disp)


@instead_of(optimize.root_scalar)
def root_scalar(
    f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None,
    maxiter=None, options=None,
):  # fmt: skip
    if xtol is not None or rtol is not None or maxiter is not None or options is not None or fprime2 is not None:
        return refuse("scipy.optimize.root_scalar with these options", "srcad.implicit.root")
    if bracket is not None and (method is None or method == "brentq"):
        return Root(optimize.brentq(f, bracket[0], bracket[1], args))
    if bracket is not None and method == "bisect":
        return Root(optimize.bisect(f, bracket[0], bracket[1], args))
    if bracket is not None and method == "brenth":
        return Root(optimize.brenth(f, bracket[0], bracket[1], args))
    if bracket is not None and method == "ridder":
        return Root(optimize.ridder(f, bracket[0], bracket[1], args))
    if bracket is None and method is None and x0 is not None and (fprime is not None or x1 is not None):
        return Root(optimize.newton(f, x0, fprime, args, x1=x1))
    return refuse("scipy.optimize.root_scalar by this method", "srcad.implicit.root, or bracket= alone")


@_read
def told(f, x, args, more):
    """The root with its derivatives."""
    if more:
        return refuse("a root with full_output=True or disp=False", "srcad.implicit.root, which raises RuntimeError")
    return implicit.root(f, x, *args)
