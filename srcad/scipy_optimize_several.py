"""Roots and minima of functions of several numbers by `scipy.optimize`, with the derivatives of the solution.

The iterations are SciPy's, so that of several solutions it is the same one. No derivative goes through them:
`srcad.implicit` begins where they end, and sees that it stays there.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize

from srcad import implicit
from srcad.api import grad
from srcad.implicit import _read
from srcad.library import instead_of, refuse
from srcad.library.descent import descent
from srcad.library.hybrid import STUCK, hybrid
from srcad.library.results import Solution
from srcad.library.roots import arguments
from srcad.library.valleys import NOWHERE, bracketed, lowest
from srcad.runtime import stop_gradient

FLAT = "scipy.optimize.minimize: the function is not smooth at its minimum, or the minimum is not found"
VECTOR = "scipy.optimize.minimize of a function that gives more than one number"
AT_A_BOUND = "scipy.optimize.minimize_scalar: the lowest value is at a bound, where the slope is not zero"


@instead_of(optimize.fsolve)
def fsolve(
    func, x0, args=(), fprime=None, full_output=0, col_deriv=0, xtol=1.49012e-8, maxfev=0, band=None, epsfcn=None,
    factor=100, diag=None,
):  # fmt: skip
    if full_output or band is not None or factor != 100 or diag is not None:
        return refuse("scipy.optimize.fsolve with these options", "srcad.implicit.root")
    return zero_of(func, x0, arguments(args), xtol, maxfev)


@instead_of(optimize.root)
def root(fun, x0, args=(), method="hybr", jac=None, tol=None, callback=None, options=None):
    if method != "hybr" or callback is not None or options is not None or isinstance(jac, bool):
        return refuse("scipy.optimize.root by this method, or with options or jac=True", "srcad.implicit.root")
    x = zero_of(fun, x0, arguments(args), 1.49012e-8 if tol is None else tol, 0)
    return Solution(x, np.asarray(fun(x, *arguments(args))))


@_read
def zero_of(func, x0, args, tol, most):
    """A root, with its derivatives."""
    start = np.ravel(1.0 * np.asarray(x0))
    residual = lambda x: np.ravel(1.0 * np.asarray(func(x, *args)))
    slope_at = lambda x: stop_gradient(1.0 * implicit.slope_of(residual, x, False))
    found = hybrid(residual, slope_at, stop_gradient(start), tol, most or 200 * (start.size + 1))
    return unmoved(implicit.root(residual, found), found, STUCK)


@_read
def unmoved(x, found, message):
    """A solution, which is where the iterations have ended."""
    if not np.max(np.abs(stop_gradient(x) - found)) <= 1e-2 * (1.0 + np.max(np.abs(found))):
        raise RuntimeError(message)
    return x


@instead_of(optimize.minimize)
def minimize(
    fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None,
    callback=None, options=None,
):  # fmt: skip
    if bounds is not None or constraints != ():
        return refuse("scipy.optimize.minimize with bounds or constraints", "srcad.implicit.minimize of what is free")
    if method is not None and method != "BFGS" or callback is not None or options is not None:
        instead = "method='BFGS' without options, or srcad.implicit.minimize from what another method has found"
        return refuse("scipy.optimize.minimize by this method, or with options or a callback", instead)
    more, start = arguments(args), np.ravel(1.0 * np.asarray(x0))
    cost = lambda x: the_cost(fun, jac, x, more)
    slope_at = lambda x: stop_gradient(grad(cost, target="python")(x))
    found = descent(cost, slope_at, stop_gradient(start), 1e-5 if tol is None else tol, 200 * start.size)
    x = unmoved(implicit.minimize(cost, found), found, FLAT)
    return Solution(x, cost(x))


@_read
def the_cost(fun, jac, x, args):
    """What is to be small: a number, or the first of a pair with its slope."""
    value = fun(x, *args)[0] if isinstance(jac, bool) and jac else fun(x, *args)
    if np.ndim(value) == 0:
        return 1.0 * value
    if np.size(value) != 1:
        raise ValueError(VECTOR)
    return 1.0 * np.ravel(value)[0]


@instead_of(optimize.minimize_scalar)
def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    if options is not None or bracket is not None and len(bracket) != 2:
        return refuse("scipy.optimize.minimize_scalar with options or three points", "bracket=(a, b), or bounds=")
    bounded = bounds is not None
    if method is not None and method.lower() != ("bounded" if bounded else "brent"):
        return refuse("scipy.optimize.minimize_scalar by this method", "method='brent', or bounds= and 'bounded'")
    more = arguments(args)
    if bounded:
        low, high = stop_gradient(1.0 * bounds[0]), stop_gradient(1.0 * bounds[1])
        x = low + 0.5 * (3.0 - np.sqrt(5.0)) * (high - low)
        absolute = (1e-5 if tol is None else tol) / 3.0
        found = lowest(fun, more, low, x, high, stop_gradient(1.0 * fun(x, *more)), np.sqrt(2.2e-16), absolute)
    else:
        low, high = (0.0, 1.0) if bracket is None else (1.0 * bracket[0], 1.0 * bracket[1])
        low, x, high, at_x = bracketed(fun, more, stop_gradient(low), stop_gradient(high))
        if not (np.isfinite(low + high) and np.isfinite(at_x)):
            raise RuntimeError(NOWHERE)
        found = lowest(fun, more, low, x, high, at_x, 1.48e-8 if tol is None else tol, 1e-11)
    x = unmoved(implicit.minimize(fun, found, *more), found, AT_A_BOUND)
    if bounded and not low < x < high:
        raise RuntimeError(AT_A_BOUND)
    return Solution(x, fun(x, *more))
