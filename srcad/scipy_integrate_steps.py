"""Ordinary differential equations by `scipy.integrate`.

The steps of `solve_ivp` are SciPy's: the methods "RK45" and "RK23", with its choice of step sizes and its polynomials
between the steps, so that the numbers are SciPy's, too. Derivatives go through the steps, whose sizes are constants for
them, but for the last one, which ends where the interval ends.
"""

from __future__ import annotations

import numpy as np
from scipy import integrate

from srcad import dormand_prince, ode
from srcad.implicit import _read
from srcad.library import instead_of, refuse, static
from srcad.library.results import Trajectory
from srcad.library.roots import arguments
from srcad.runtime import stop_gradient

EPS = float(np.finfo(np.float64).eps)
STIFF = "scipy.integrate.odeint: too many steps, or numbers that overflow; instead: srcad.odeint with more max_steps"
SMALL = "scipy.integrate.solve_ivp: the step that the error allows is smaller than the distance of neighbouring numbers"


@static
def table(method):
    """The weights of the slopes between two times: of each, the coefficients of a polynomial without a constant."""
    return tuple(tuple(map(float, row)) for row in (integrate.RK45 if method == "RK45" else integrate.RK23).P)


@instead_of(integrate.solve_ivp)
def solve_ivp(
    fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None,
    rtol=1e-3, atol=1e-6, max_step=np.inf, first_step=None,
):  # fmt: skip
    if method not in ("RK45", "RK23"):
        return refuse("scipy.integrate.solve_ivp by this method", "method='RK45' or 'RK23', or srcad.odeint")
    if events is not None or dense_output:
        return refuse("scipy.integrate.solve_ivp with events or dense_output=True", "t_eval=, the times to solve for")
    if np.ndim(np.asarray(y0)) != 1:
        raise ValueError("scipy.integrate.solve_ivp: y0 is no vector")
    more, rtol = () if args is None else args, max(rtol, 100.0 * EPS)
    start, slope = 1.0 * np.asarray(y0), lambda t, y: 1.0 * np.asarray(fun(t, y, *more))
    t0, t1 = 1.0 * t_span[0], 1.0 * t_span[1]
    if t0 == t1:
        raise ValueError("scipy.integrate.solve_ivp over an interval without a length")
    if t_eval is None:
        return by_steps(slope, t0, t1, start, method, rtol, atol, max_step, first_step)
    return at_times(slope, t0, t1, start, 1.0 * np.asarray(t_eval), method, rtol, atol, max_step, first_step)


@_read
def tried(f, t, t1, y, k, by, method, rtol, atol, rejected):
    """A step: its end, the state and the slopes there, the size of the next one, and whether it fails."""
    after = t1 if by * (t + by - t1) >= 0.0 else t + by
    new, slopes, error = step(f, t, y, k, after - t, method)
    far = stop_gradient(dormand_prince.distance(error, y, new, rtol, atol))
    return after, new, slopes, resized(abs(stop_gradient(after - t)), far, rejected, method), not far < 1.0


@_read
def by_steps(f, t, t1, y, method, rtol, atol, max_step, first_step):
    """The solution at the end of each step."""
    sign = 1.0 if t1 > t else -1.0
    k, times, states = f(t, y), [t], [y]
    size = first_size(f, t, t1, y, k, sign, 3.0 if method == "RK23" else 5.0, rtol, atol, max_step, first_step)
    rejected = False
    while t != t1:
        size = allowed(t, size, sign, max_step, rejected)
        after, new, slopes, size, rejected = tried(f, t, t1, y, k, sign * size, method, rtol, atol, rejected)
        if not rejected:
            t, y, k = after, new, slopes[-1]
            times.append(t)
            states.append(y)
    return Trajectory(np.array(times), np.transpose(np.array(states)))


@_read
def at_times(f, t, t1, y, ts, method, rtol, atol, max_step, first_step):
    """The solution at given times, by a polynomial within each step."""
    sign = 1.0 if t1 > t else -1.0
    if np.any(sign * np.diff(ts) <= 0.0) or ts.size > 0 and (sign * (ts[0] - t) < 0.0 or sign * (t1 - ts[-1]) < 0.0):
        raise ValueError("scipy.integrate.solve_ivp: t_eval is not in order, or not within t_span")
    k, states, done = f(t, y), np.zeros((y.shape[0], ts.shape[0]), y.dtype), 0
    size = first_size(f, t, t1, y, k, sign, 3.0 if method == "RK23" else 5.0, rtol, atol, max_step, first_step)
    rejected = False
    while t != t1:
        size = allowed(t, size, sign, max_step, rejected)
        after, new, slopes, size, rejected = tried(f, t, t1, y, k, sign * size, method, rtol, atol, rejected)
        if not rejected:
            while done < ts.size and sign * (ts[done] - after) <= 0.0:
                states[:, done] = between(t, after, y, slopes, ts[done], method)
                done += 1
            t, y, k = after, new, slopes[-1]
    return Trajectory(ts, states)


@_read
def between(t, after, y, slopes, at, method):
    """The solution within a step."""
    x, moved = (at - t) / (after - t), np.zeros_like(y)
    for row, slope in zip(table(method), slopes):
        weight = 0.0
        for coefficient in row[::-1]:
            weight = (weight + coefficient) * x
        moved = moved + weight * slope
    return y + (after - t) * moved


@_read
def allowed(t, size, sign, max_step, rejected):
    """The size of the next step: after one that was too long, no shorter than numbers are apart."""
    least = 10.0 * abs(stop_gradient(np.nextafter(t, sign * np.inf) - t))
    if rejected and size < least:
        raise RuntimeError(SMALL)
    return size if rejected else max_step if size > max_step else max(size, least)


@_read
def resized(size, far, rejected, method):
    """The size to try next, from how far the step was off."""
    power = -1.0 / 3.0 if method == "RK23" else -0.2
    if far < 1.0:
        factor = 10.0 if far == 0.0 else min(10.0, 0.9 * far**power)
        return size * (min(1.0, factor) if rejected else factor)
    return size * (max(0.2, 0.9 * far**power) if far == far else 0.2)


@_read
def step(f, t, y, k1, h, method):
    """A step, the slopes in it, and how far it may be off."""
    if method == "RK45":
        return dormand_prince_step(f, t, y, k1, h)
    k2 = f(t + 0.5 * h, y + 0.5 * h * k1)
    k3 = f(t + 0.75 * h, y + 0.75 * h * k2)
    new = y + h * (2 / 9 * k1 + 1 / 3 * k2 + 4 / 9 * k3)
    k4 = f(t + h, new)
    return new, (k1, k2, k3, k4), h * (5 / 72 * k1 - 1 / 12 * k2 - 1 / 9 * k3 + 1 / 8 * k4)


@_read
def dormand_prince_step(f, t, y, k1, h):
    """A step of order 5, with an estimate of order 4."""
    k2 = f(t + h / 5, y + h / 5 * k1)
    k3 = f(t + 3 / 10 * h, y + h * dormand_prince.third(k1, k2))
    k4 = f(t + 4 / 5 * h, y + h * dormand_prince.fourth(k1, k2, k3))
    k5 = f(t + 8 / 9 * h, y + h * dormand_prince.fifth(k1, k2, k3, k4))
    k6 = f(t + h, y + h * dormand_prince.sixth(k1, k2, k3, k4, k5))
    new = y + h * dormand_prince.whole(k1, k3, k4, k5, k6)
    k7 = f(t + h, new)
    return new, (k1, k2, k3, k4, k5, k6, k7), h * dormand_prince.excess(k1, k3, k4, k5, k6, k7)


@_read
def first_size(f, t, t1, y, k, sign, order, rtol, atol, max_step, first_step):
    """The size of the first step: Hairer, Norsett, Wanner, section II.4."""
    if first_step is not None:
        return stop_gradient(1.0 * first_step)
    scale, length = stop_gradient(atol + rtol * np.abs(y)), abs(stop_gradient(t1 - t))
    far, fast = norm(stop_gradient(y) / scale), norm(stop_gradient(k) / scale)
    tried = min(1e-6 if far < 1e-5 or fast < 1e-5 else 0.01 * far / fast, length)
    bent = norm(stop_gradient(f(t + tried * sign, y + tried * sign * k) - k) / scale) / tried
    small = fast <= 1e-15 and bent <= 1e-15
    size = max(1e-6, 1e-3 * tried) if small else (0.01 / max(fast, bent)) ** (1.0 / order)
    return min(min(100.0 * tried, size), min(length, max_step))


@_read
def norm(x):
    """The root of the mean of squares."""
    return np.sqrt(np.mean(np.abs(x) ** 2))


@instead_of(integrate.odeint)
def odeint(
    func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=1.49012e-8, atol=1.49012e-8,
    tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0,
    tfirst=False,
):  # fmt: skip
    if full_output:
        return refuse("scipy.integrate.odeint with full_output=", "the solution alone, or scipy.integrate.solve_ivp")
    more, start, times = arguments(args), np.atleast_1d(np.asarray(y0, np.float64)), np.asarray(t, np.float64)
    slope = lambda y, s: np.asarray(func(s, y, *more) if tfirst else func(y, s, *more), np.float64)
    states = ode.odeint(slope, start, times, rtol=rtol, atol=atol)
    if not np.all(np.isfinite(states[-1])):
        raise RuntimeError(STIFF)
    return states
