"""Least squares by `scipy.optimize`, with the derivatives of the solution."""

from __future__ import annotations

import numpy as np
from scipy import linalg, optimize

from srcad import implicit
from srcad.functional import jacobian
from srcad.implicit import _read
from srcad.library import instead_of, refuse
from srcad.library.marquardt import FAR as UNFOUND
from srcad.library.marquardt import marquardt
from srcad.library.results import Fit
from srcad.library.roots import arguments
from srcad.library.trust import FAR, least
from srcad.runtime import stop_gradient
from srcad.scipy_optimize_several import unmoved

EXACT = "scipy.optimize.curve_fit of as many numbers as parameters: their covariances are infinite"


@instead_of(optimize.least_squares)
def least_squares(
    fun, x0, jac="2-point", bounds=None, method="trf", ftol=1e-8, xtol=1e-8, gtol=1e-8, x_scale=None, loss="linear",
    f_scale=1.0, diff_step=None, tr_solver=None, tr_options=None, jac_sparsity=None, max_nfev=None, verbose=0,
    args=(), kwargs=None,
):  # fmt: skip
    if bounds is not None or method != "trf" or loss != "linear":
        instead = "srcad.implicit.minimize of the sum that is meant"
        return refuse("scipy.optimize.least_squares with bounds, by another method or with another loss", instead)
    if x_scale is not None or tr_solver == "lsmr" or kwargs is not None or max_nfev is not None:
        return refuse("scipy.optimize.least_squares with these options", "args=, and numbers of one scale")
    more, start = arguments(args), np.ravel(1.0 * np.asarray(x0))
    residual = lambda x: np.ravel(1.0 * np.asarray(fun(x, *more)))
    slope_at = lambda x: stop_gradient(1.0 * jacobian(residual, target="python")(x))
    found = least(residual, slope_at, stop_gradient(start), ftol, xtol, gtol, 100 * start.size)
    x = unmoved(implicit.minimize(lambda x: 0.5 * np.sum(residual(x) ** 2), found), found, FAR)
    rest = residual(x)
    return Fit(x, 0.5 * np.sum(rest**2), rest)


@instead_of(optimize.leastsq)
def leastsq(
    func, x0, args=(), Dfun=None, full_output=False, col_deriv=False, ftol=1.49012e-8, xtol=1.49012e-8, gtol=0.0,
    maxfev=0, epsfcn=None, factor=100, diag=None,
):  # fmt: skip
    if full_output or factor != 100 or diag is not None:
        return refuse("scipy.optimize.leastsq with these options", "scipy.optimize.curve_fit, for the covariances")
    more = arguments(args)
    return nearest(lambda x: np.ravel(1.0 * np.asarray(func(x, *more))), x0, ftol, xtol, gtol, maxfev), 1


@instead_of(optimize.curve_fit)
def curve_fit(
    f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=None, bounds=None, method=None, jac=None,
    *, full_output=False, nan_policy=None,
):  # fmt: skip
    if bounds is not None or method is not None and method != "lm" or full_output or nan_policy is not None:
        return refuse("scipy.optimize.curve_fit with these options", "scipy.optimize.least_squares")
    if p0 is None and not hasattr(f, "__code__"):
        instead = "p0=np.ones(n), of as many parameters as the function has"
        return refuse("scipy.optimize.curve_fit of a function made here, without p0=", instead)
    start = np.ones(f.__code__.co_argcount - 1) if p0 is None else p0
    residual = lambda p: weighed(np.ravel(f(xdata, *p) - np.asarray(ydata)), sigma)
    p = nearest(residual, start, 1.49012e-8, 1.49012e-8, 0.0, 0)
    slopes, cost = jacobian(residual, target="python")(p), np.sum(residual(p) ** 2)
    spare = slopes.shape[0] - slopes.shape[1]
    if not absolute_sigma and spare == 0:
        raise ValueError(EXACT)
    covariances = np.linalg.inv(slopes.T @ slopes)
    return p, covariances if absolute_sigma else covariances * (cost / spare)


@_read
def weighed(rest, sigma):
    """What a curve leaves, in units of its errors."""
    if sigma is None:
        return rest
    if np.ndim(sigma) == 2:
        return linalg.solve_triangular(np.linalg.cholesky(sigma), rest, lower=True)
    return rest / sigma


@_read
def nearest(residual, x0, ftol, xtol, gtol, most):
    """The least squares by MINPACK's steps, with their derivatives."""
    start = np.ravel(1.0 * np.asarray(x0))
    slope_at = lambda x: stop_gradient(1.0 * jacobian(residual, target="python")(x))
    most = most or 200 * (start.size + 1)
    found = marquardt(residual, slope_at, stop_gradient(start), ftol, xtol, gtol, most)
    return unmoved(implicit.minimize(lambda x: 0.5 * np.sum(residual(x) ** 2), found), found, UNFOUND)
