"""Ordinary differential equations, with derivatives through the steps that a solver takes.

The solvers are plain functions that derivatives read as if the user had written them: the derivative is that of the
numbers that come out, the discrete adjoint. The sizes of the steps are constants for it, but for the last one of an
interval, which ends where the interval ends. Tables: E. Hairer, S. Norsett, G. Wanner, Solving Ordinary Differential
Equations I (1993), sections II.1 and II.5 (J. Dormand, P. Prince, J. Comput. Appl. Math. 6, 1980).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.api import grad
from srcad.continuous import backwards
from srcad.dormand_prince import distance, excess, fifth, fourth, sixth, third, whole
from srcad.library import instead_of, refuse
from srcad.runtime import stop_gradient
from srcad.runtime.custom import custom_reverse

__all__ = ["odeint"]


def _read(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Let derivatives read a function of ours as if the user had written it."""
    return instead_of(fn)(fn)


@_read
def odeint(f, y0, ts, *params, method="dopri5", rtol=1e-6, atol=1e-9, steps=1, max_steps=10000, adjoint="discrete"):
    """The solution of ``dy/dt = f(y, t, *params)`` with ``y(ts[0]) == y0`` at the times `ts`.

    It may be called in functions that are differentiated and compiled, and has derivatives with respect to `y0`, `ts`,
    `params`, and what a function that is defined on the spot reads from around it, in both modes and of every order.

    Parameters
    ----------
    f : callable
        A function of `y`, the time, and `params` that gives an array of the shape of `y`, or a number if `y` is one.
    y0 : float or numpy.ndarray
        Where it starts.
    ts : numpy.ndarray
        The times, a vector of floats, rising or falling.
    *params : Any
        The parameters of `f`, structures too.
    method : {"dopri5", "rk4", "heun", "midpoint", "euler"}
        The method of Dormand and Prince, of order 5 with an estimate of the error, which chooses its steps; or a method
        with steps of one size, of orders 4, 2, 2 and 1. A constant.
    rtol, atol : float
        Of each step of ``"dopri5"``, the error that is allowed: ``atol + rtol * abs(y)``.
    steps : int
        For the other methods: how many steps there are between two neighbours in `ts`.
    max_steps : int
        For ``"dopri5"``: how many steps may be tried between two neighbours; where they do not suffice, the solution is
        NaN from there on.
    adjoint : {"discrete", "continuous"}
        How reverse mode goes back: through the steps that were taken, exactly, with a record of them; or by solving the
        adjoint equation backwards with the same method, which keeps no step, and is as exact as the solutions are. A
        constant.

    Returns
    -------
    numpy.ndarray
        An array of the shape ``(ts.size, *y0.shape)``.

    Examples
    --------
    >>> import numpy as np, srcad
    >>> def at_one(rate):
    ...     return srcad.odeint(lambda y, t, rate: -rate * y, 2.0, np.array([0.0, 1.0]), rate)[-1]
    >>> value, slope = srcad.value_and_grad(at_one, target="python")(0.5)
    >>> round(float(value), 5), round(float(slope), 5)  # 2 exp(-rate) and its derivative
    (1.21306, -1.21306)
    """
    if isinstance(y0, (tuple, list, dict)):
        return refuse("an ODE of a structure", "one array of all unknowns, np.concatenate or np.stack of them")
    if np.ndim(ts) != 1:
        return refuse("odeint at times that are not a vector", "np.array([t0, t1])")
    if method not in ("dopri5", "rk4", "heun", "midpoint", "euler"):
        return refuse("odeint with this method=", "'dopri5', 'rk4', 'heun', 'midpoint' or 'euler'")
    if adjoint == "continuous":
        return with_adjoint(f, y0, ts, method, rtol, atol, steps, max_steps, *params)
    if adjoint != "discrete":
        return refuse("odeint with this adjoint=", "'discrete' or 'continuous'")
    return solve(f, 1.0 * y0, ts, method, rtol, atol, steps, max_steps, *params)


@_read
def with_adjoint(f, y0, ts, method, rtol, atol, steps, max_steps, *params):
    """The solution, whose cotangents go back through the adjoint equation."""
    if np.iscomplexobj(y0):
        return refuse("the continuous adjoint of complex numbers", "adjoint='discrete'")

    def odeint(y0, ts, params):  # under this name messages speak of it
        ys = solve(f, 1.0 * y0, ts, method, rtol, atol, steps, max_steps, *params)  # no reverse: y0 itself has one

        def pullback(dys):
            back = grad(backwards, wrt=0, has_aux=True, target="python")
            params_bar, (y0_bar, ts_bar) = back(params, f, ys, ts, dys, method, rtol, atol, steps, max_steps)
            return y0_bar, ts_bar, params_bar

        return ys, pullback

    return custom_reverse(odeint)(y0, ts, params)


@_read
def solve(f, y, ts, method, rtol, atol, steps, max_steps, *params):
    """The solution, by one of the methods; its states have the shape of the slopes, which may tell it."""
    if np.ndim(y) > 0:
        y = y + np.zeros(np.shape(f(y, ts[0], *params)), y.dtype)
    if method == "dopri5":
        return adaptive(f, y, ts, rtol, atol, max_steps, *params)
    return in_steps(f, y, ts, method, steps, *params)


@_read
def in_steps(f, y, ts, method, steps, *params):
    """Steps of one size between two times."""
    ys = np.empty((ts.size,) + np.shape(y), y.dtype if np.ndim(y) > 0 else np.float64)
    ys[0] = y
    for i in range(ts.size - 1):
        h = (ts[i + 1] - ts[i]) / steps
        for k in range(steps):
            y = step(f, y, ts[i] + k * h, h, method, *params)
        ys[i + 1] = y
    return ys


@_read
def step(f, y, t, h, method, *params):
    """One step of a method without an estimate of the error."""
    k1 = f(y, t, *params)
    if method == "euler":
        return y + h * k1
    if method == "heun":
        return y + 0.5 * h * (k1 + f(y + h * k1, t + h, *params))
    k2 = f(y + 0.5 * h * k1, t + 0.5 * h, *params)
    if method == "midpoint":
        return y + h * k2
    k3 = f(y + 0.5 * h * k2, t + 0.5 * h, *params)
    k4 = f(y + h * k3, t + h, *params)
    return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


@_read
def adaptive(f, y, ts, rtol, atol, max_steps, *params):
    """Steps whose sizes an estimate of the error chooses."""
    ys = np.empty((ts.size,) + np.shape(y), y.dtype if np.ndim(y) > 0 else np.float64)
    ys[0] = y
    h = stop_gradient(first_step(f, y, ts[0], rtol, atol, *params))
    for i in range(ts.size - 1):
        t, end = ts[i], ts[i + 1]
        tried = 0
        while (t != end or tried == 0) and tried < max_steps:
            last = h >= abs(end - t)
            size = end - t if last else h if end > t else -h
            new, error = dormand_prince(f, y, t, size, *params)
            far = stop_gradient(distance(error, y, new, rtol, atol))
            if far <= 1.0:
                y = new
                t = end if last else t + size
            if not (far <= 1.0 and last):
                h = abs(stop_gradient(size)) * min(10.0, max(0.2, 0.9 * max(far, 1e-10) ** -0.2))
            tried += 1
        if t != end:
            y = y * np.nan
        ys[i + 1] = y
    return ys


@_read
def first_step(f, y, t, rtol, atol, *params):
    """A step that is small for the values and for the slope at the start."""
    return 0.01 * distance(y, y, y, rtol, atol) / max(distance(f(y, t, *params), y, y, rtol, atol), 1e-10) + 1e-10


@_read
def dormand_prince(f, y, t, h, *params):
    """One step of order 5, and the estimate of its error from the one of order 4 in it."""
    k1 = f(y, t, *params)
    k2 = f(y + h * (1 / 5) * k1, t + h * (1 / 5), *params)
    k3 = f(y + h * third(k1, k2), t + h * (3 / 10), *params)
    k4 = f(y + h * fourth(k1, k2, k3), t + h * (4 / 5), *params)
    k5 = f(y + h * fifth(k1, k2, k3, k4), t + h * (8 / 9), *params)
    k6 = f(y + h * sixth(k1, k2, k3, k4, k5), t + h, *params)
    new = y + h * whole(k1, k3, k4, k5, k6)
    k7 = f(new, t + h, *params)
    return new, h * excess(k1, k3, k4, k5, k6, k7)
