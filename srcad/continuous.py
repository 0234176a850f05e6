"""The continuous adjoint of a differential equation: an equation of its own, solved backwards in time.

With ``y' = f(y, t, p)`` and the cotangents of `y` at some times, the adjoint `a` solves ``a' = -a df/dy`` backwards,
grows by a cotangent at each of these times, and that of `p` is the integral of ``a df/dp``: L. Pontryagin et al., The
Mathematical Theory of Optimal Processes (1962); R. Chen et al., Neural Ordinary Differential Equations (2018). `y` is
solved backwards beside it, from each of the times anew, so that no step is kept.

The integral is written as a sum of ``a * f`` at the stages of the steps, in which `a` and `y` are held: the derivative
of this sum with respect to `p`, a structure or not, is the integral of the cotangents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.api import grad
from srcad.dormand_prince import distance, excess, fifth, fourth, sixth, third, whole
from srcad.library import instead_of
from srcad.runtime.marks import hold

def _read(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Let derivatives read a function of ours as if the user had written it."""
    return instead_of(fn)(fn)


@_read
def backwards(params, f, ys, ts, dys, method, rtol, atol, steps, max_steps):
    """A number whose derivative is the cotangent of `params`; beside it those of the start and of the times."""
    total, a, h, ts_bar = 0.0, 0.0 * dys[0], -1.0, np.zeros_like(ts)
    for i in range(ts.size - 1, 0, -1):
        y = 1.0 * ys[i]
        ts_bar[i] += np.sum(dys[i] * hold(f(y, ts[i], *params)))
        a = a + dys[i]
        if method == "dopri5":
            a, h, gain = by_itself(f, y, a, ts[i], ts[i - 1], h, rtol, atol, max_steps, params)
        else:
            a, gain = of_one_size(f, y, a, ts[i], ts[i - 1], method, steps, params)
        total -= gain
    ts_bar[0] -= np.sum(a * hold(f(ys[0], ts[0], *params)))
    return total, (a + dys[0], ts_bar)


@_read
def of_one_size(f, y, a, start, end, method, steps, params):
    """The adjoint at the end of an interval, and the sum over it, in steps of one size."""
    h, total = (end - start) / steps, 0.0
    for k in range(steps):
        y, a, gain = step(f, y, a, start + k * h, h, method, params)
        total += gain
    return a, total


@_read
def by_itself(f, y, a, start, end, h, rtol, atol, max_steps, params):
    """The same in steps whose sizes an estimate of the error chooses, beginning with `h` if it is positive."""
    t, tried, total = start, 0, 0.0
    h = h if h > 0.0 else 0.1 * abs(end - start)
    while (t != end or tried == 0) and tried < max_steps:
        last = h >= abs(end - t)
        size = end - t if last else h if end > t else -h
        y_new, a_new, y_error, a_error, y_stages, a_stages = dormand_prince(f, y, a, t, size, params)
        far = max(distance(y_error, y, y_new, rtol, atol), distance(a_error, a, a_new, rtol, atol))
        if far <= 1.0:
            total += integral(f, y, a, t, size, y_stages, a_stages, params)
            y, a, t = y_new, a_new, end if last else t + size
        if not (far <= 1.0 and last):
            h = abs(size) * min(10.0, max(0.2, 0.9 * max(far, 1e-10) ** -0.2))
        tried += 1
        if tried == max_steps and t != end:  # said in the loop: what comes behind it would need a record of it
            total += np.nan * np.sum(f(y, t, *params))
    return (a if t == end else a * np.nan), h, total


@_read
def slopes(f, y, a, t, params):
    """How fast the solution and the adjoint move, and what is summed."""
    back = grad(f, wrt=0, unconnected_gradients="zero", target="python")
    return hold(f(y, t, *params)), -hold(back(y, t, *params, grad_ys=a)), np.sum(a * f(y, t, *params))


@_read
def step(f, y, a, t, h, method, params):
    """A step of the solution and of the adjoint together, and the sum over its stages."""
    y1, a1, gain1 = slopes(f, y, a, t, params)
    if method == "euler":
        return y + h * y1, a + h * a1, h * gain1
    if method == "heun":
        y2, a2, gain2 = slopes(f, y + h * y1, a + h * a1, t + h, params)
        return y + 0.5 * h * (y1 + y2), a + 0.5 * h * (a1 + a2), 0.5 * h * (gain1 + gain2)
    y2, a2, gain2 = slopes(f, y + 0.5 * h * y1, a + 0.5 * h * a1, t + 0.5 * h, params)
    if method == "midpoint":
        return y + h * y2, a + h * a2, h * gain2
    y3, a3, gain3 = slopes(f, y + 0.5 * h * y2, a + 0.5 * h * a2, t + 0.5 * h, params)
    y4, a4, gain4 = slopes(f, y + h * y3, a + h * a3, t + h, params)
    y_new, a_new = y + h / 6.0 * (y1 + 2.0 * y2 + 2.0 * y3 + y4), a + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return y_new, a_new, h / 6.0 * (gain1 + 2.0 * gain2 + 2.0 * gain3 + gain4)


@_read
def dormand_prince(f, y, a, t, h, params):
    """A step of order 5 of both, the estimates of the errors, and the stages that are summed."""
    y1, a1, _ = slopes(f, y, a, t, params)
    y2, a2, _ = slopes(f, y + h * (1 / 5) * y1, a + h * (1 / 5) * a1, t + h * (1 / 5), params)
    y_third, a_third = y + h * third(y1, y2), a + h * third(a1, a2)
    y3, a3, _ = slopes(f, y_third, a_third, t + h * (3 / 10), params)
    y_fourth, a_fourth = y + h * fourth(y1, y2, y3), a + h * fourth(a1, a2, a3)
    y4, a4, _ = slopes(f, y_fourth, a_fourth, t + h * (4 / 5), params)
    y_fifth, a_fifth = y + h * fifth(y1, y2, y3, y4), a + h * fifth(a1, a2, a3, a4)
    y5, a5, _ = slopes(f, y_fifth, a_fifth, t + h * (8 / 9), params)
    y_sixth, a_sixth = y + h * sixth(y1, y2, y3, y4, y5), a + h * sixth(a1, a2, a3, a4, a5)
    y6, a6, _ = slopes(f, y_sixth, a_sixth, t + h, params)
    y_new, a_new = y + h * whole(y1, y3, y4, y5, y6), a + h * whole(a1, a3, a4, a5, a6)
    y7, a7, _ = slopes(f, y_new, a_new, t + h, params)
    y_error, a_error = h * excess(y1, y3, y4, y5, y6, y7), h * excess(a1, a3, a4, a5, a6, a7)
    return y_new, a_new, y_error, a_error, (y_third, y_fourth, y_fifth, y_sixth), (a_third, a_fourth, a_fifth, a_sixth)


@_read
def integral(f, y, a, t, h, y_stages, a_stages, params):
    """The sum over the stages of a step; only of one that is taken, as others may have gone to infinity."""
    gain1, gain3 = np.sum(a * f(y, t, *params)), np.sum(a_stages[0] * f(y_stages[0], t + h * (3 / 10), *params))
    gain4 = np.sum(a_stages[1] * f(y_stages[1], t + h * (4 / 5), *params))
    gain5 = np.sum(a_stages[2] * f(y_stages[2], t + h * (8 / 9), *params))
    gain6 = np.sum(a_stages[3] * f(y_stages[3], t + h, *params))
    return h * whole(gain1, gain3, gain4, gain5, gain6)
