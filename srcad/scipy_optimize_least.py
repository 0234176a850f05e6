"""Least squares by `scipy.optimize`, with the derivatives of the solution."""

from __future__ import annotations

import numpy as np
from scipy import optimize

from srcad import implicit
from srcad.functional import jacobian
from srcad.library import instead_of, refuse
from srcad.library.results import Fit
from srcad.library.roots import arguments
from srcad.library.trust import FAR, least
from srcad.runtime import stop_gradient
from srcad.scipy_optimize_several import unmoved


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
