"""Roots of functions of one number, found as `scipy.optimize` finds them; nothing of the iterations moves."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from srcad.runtime import stop_gradient

SIDES = "f(a) and f(b) must have different signs"
MORE = "a root is not found in so many iterations: give maxiter="


class Root(NamedTuple):
    """What `root_scalar` says of a root."""

    root: Any
    converged: bool = True


def arguments(args):
    """What the function takes beside the unknown."""
    return args if isinstance(args, tuple) else (args,)


def value(f, x, args):
    """What is to be zero, a number that does not move."""
    return stop_gradient(1.0 * f(x, *args))


def bracket(f, a, b, args):
    """The ends of an interval, which do not move, and the values there, which have different signs or are zero."""
    low, high = stop_gradient(1.0 * a), stop_gradient(1.0 * b)
    at_low, at_high = value(f, low, args), value(f, high, args)
    if at_low * at_high > 0.0:
        raise ValueError(SIDES)
    return low, high, at_low, at_high


def halved(f, a, b, args, xtol, rtol, maxiter):
    """A root between two points, by halves."""
    low, high, first, last = bracket(f, a, b, args)
    if first == 0.0 or last == 0.0:
        return low if first == 0.0 else high
    step = high - low
    for _ in range(maxiter):
        step = 0.5 * step
        middle = low + step
        there = value(f, middle, args)
        if (there > 0.0) == (first > 0.0):
            low = middle
        if there == 0.0 or abs(step) < xtol + rtol * abs(middle):
            return middle
    raise RuntimeError(MORE)


def between(f, a, b, args, xtol, rtol, maxiter, hyperbolic=False):
    """A root between two points: Brent, Algorithms for Minimization Without Derivatives, chapter 4."""
    last, x, at_last, at_x = bracket(f, a, b, args)
    if at_last == 0.0 or at_x == 0.0:
        return last if at_last == 0.0 else x
    other, at_other, step, step_before = last, at_last, x - last, x - last  # `other` is on the other side of the root
    for _ in range(maxiter):
        if at_last != 0.0 and (at_last > 0.0) != (at_x > 0.0):
            other, at_other, step, step_before = last, at_last, x - last, x - last
        if abs(at_other) < abs(at_x):
            last, x, other = x, other, x
            at_last, at_x, at_other = at_x, at_other, at_x
        least, half = 0.5 * (xtol + rtol * abs(x)), 0.5 * (other - x)
        if at_x == 0.0 or abs(half) < least:
            return x
        tried = half
        if abs(step_before) > least and abs(at_x) < abs(at_last):
            tried = extrapolated(last, x, other, at_last, at_x, at_other, hyperbolic)
        if 2.0 * abs(tried) < min(abs(step_before), 3.0 * abs(half) - least):
            step_before, step = step, tried
        else:
            step_before, step = half, half
        last, at_last = x, at_x
        x = x + (step if abs(step) > least else least if half > 0.0 else -least)
        at_x = value(f, x, args)
    raise RuntimeError(MORE)


def extrapolated(last, x, other, at_last, at_x, at_other, hyperbolic):
    """The step to where a line, an inverse parabola, or a hyperbola is zero."""
    if last == other:
        return -at_x * (x - last) / (at_x - at_last)
    slope, slope_other = (at_last - at_x) / (last - x), (at_other - at_x) / (other - x)
    if hyperbolic:
        return -at_x * (at_other - at_last) / (at_other * slope - at_last * slope_other)
    return -at_x * (at_other * slope_other - at_last * slope) / (slope_other * slope * (at_other - at_last))


def by_ridder(f, a, b, args, xtol, rtol, maxiter):
    """A root between two points: C. Ridders, IEEE Trans. Circuits Systems 26 (1979)."""
    last, x, at_last, at_x = bracket(f, a, b, args)
    if at_last == 0.0 or at_x == 0.0:
        return last if at_last == 0.0 else x
    tol = xtol + rtol * min(abs(last), abs(x))
    for _ in range(maxiter):
        half = 0.5 * (x - last)
        middle = last + half
        there = value(f, middle, args)
        away = (half if at_x > at_last else -half) * there / np.sqrt(there * there - at_last * at_x)
        most = min(abs(away), abs(half) - 0.5 * tol)
        tried = middle - (most if away >= 0.0 else -most)
        at_tried = value(f, tried, args)
        if (at_tried < 0.0) != (there < 0.0):
            last, x, at_last, at_x = tried, middle, at_tried, there
        elif (at_tried < 0.0) != (at_last < 0.0):
            x, at_x = tried, at_tried
        else:
            last, at_last = tried, at_tried
        tol = xtol + rtol * abs(tried)
        if at_tried == 0.0 or abs(x - last) < tol:
            return tried
    raise RuntimeError(MORE)


def by_secants(f, x0, x1, args, tol, rtol, maxiter):
    """A root near two points, by lines through the last two."""
    last = stop_gradient(1.0 * x0)
    away = last * (1.0 + 1e-4)
    x = (away + (1e-4 if away >= 0.0 else -1e-4)) if x1 is None else stop_gradient(1.0 * x1)
    at_last, at_x = value(f, last, args), value(f, x, args)
    if abs(at_x) < abs(at_last):
        last, x, at_last, at_x = x, last, at_x, at_last
    for _ in range(maxiter):
        if at_x == at_last:
            if x != last:
                raise RuntimeError("a secant that does not meet zero: start closer to the root")
            return x
        after = x - at_x * (x - last) / (at_x - at_last)
        if abs(after - x) <= tol + rtol * abs(x):
            return after
        last, at_last, x = x, at_x, after
        at_x = value(f, x, args)
    raise RuntimeError(MORE)
