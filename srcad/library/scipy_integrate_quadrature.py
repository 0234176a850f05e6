"""Integrals of functions by `scipy.integrate`, adaptively.

How the interval is divided does not move. Where it is settled, the integral is a sum over fixed shares of the interval,
and so is its derivative: with respect to the ends, to the arguments, and to what the function takes from its
surroundings.
"""

from __future__ import annotations

import numpy as np
from scipy import integrate

from srcad.library import instead_of, known, refuse, static
from srcad.library.roots import arguments
from srcad.runtime import stop_gradient

INFINITE = "an integral up to infinity, where the end is an argument; instead: np.inf in the call"


ROUNDING = 50.0 * float(np.finfo(np.float64).eps)


@static
def rule():
    """The rule of Gauss and Kronrod with 21 places between zero and one: they, their weights, and Gauss's own."""
    half = (0.9956571630258081, 0.9739065285171717, 0.9301574913557082,
            0.8650633666889845, 0.7808177265864169, 0.6794095682990244,
            0.5627571346686047, 0.4333953941292472, 0.2943928627014602,
            0.14887433898163122)  # fmt: skip
    weights = (0.011694638867371874, 0.032558162307964725, 0.054755896574351995,
               0.07503967481091996, 0.0931254545836976, 0.10938715880229764,
               0.12349197626206584, 0.13470921731147334, 0.14277593857706009,
               0.14773910490133849, 0.1494455540029169)  # fmt: skip
    gauss = np.zeros(21)
    gauss[1::2] = 0.5 * np.polynomial.legendre.leggauss(10)[1]
    places = tuple(0.5 - 0.5 * x for x in half) + (0.5,) + tuple(0.5 + 0.5 * x for x in half[::-1])
    both = tuple(0.5 * w for w in weights + weights[-2::-1])
    return places, both, tuple(map(float, gauss))


@instead_of(integrate.quad)
def quad(
    func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None,
    complex_func=False,
):  # fmt: skip
    if full_output or points is not None or weight is not None or complex_func:
        return refuse("scipy.integrate.quad with these options", "the sum of integrals between the points")
    more = arguments(args)
    if known(b) and b == np.inf:
        if known(a) and a == -np.inf:
            return divided(lambda t: on_both_sides(func, t, more), 0.0, 1.0, epsabs, epsrel, limit)
        return divided(lambda t: beyond(func, a, 1.0, t, more), 0.0, 1.0, epsabs, epsrel, limit)
    if known(a) and a == -np.inf:
        return divided(lambda t: beyond(func, b, -1.0, t, more), 0.0, 1.0, epsabs, epsrel, limit)
    if not np.isfinite(b - a):
        raise ValueError(INFINITE)
    return divided(lambda x: func(x, *more), a, b, epsabs, epsrel, limit)


@instead_of(integrate.romb)
def romb(y, dx=1.0, axis=-1, show=False):
    values = np.moveaxis(y, axis, -1)
    n = values.shape[-1] - 1
    if n < 1 or n & (n - 1) != 0:
        raise ValueError("romb of samples whose number is not one more than a power of two")
    return dx * np.sum(values * romberg(n), axis=-1)


def romberg(n):
    """The weights of Romberg's rule: those of trapezoids of every width, as their squares are extrapolated to zero."""
    weights = np.zeros(n + 1)
    width = n
    while width > 0:
        share, other = 1.0 * width, n
        while other > 0:
            if other != width:
                share = share * other**2 / (other**2 - width**2)
            other = other // 2
        weights[::width] += share
        width = width // 2
    weights[0], weights[-1] = 0.5 * weights[0], 0.5 * weights[-1]
    return weights


@instead_of(integrate.dblquad)
def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    more = arguments(args)

    def along(x):
        return integrate.quad(func, end(gfun, x), end(hfun, x), (x,) + more, epsabs=epsabs, epsrel=epsrel)[0]

    return integrate.quad(along, a, b, epsabs=epsabs, epsrel=epsrel)


@instead_of(integrate.tplquad)
def tplquad(func, a, b, gfun, hfun, qfun, rfun, args=(), epsabs=1.49e-8, epsrel=1.49e-8):
    more = arguments(args)

    def in_plane(y, x):
        low = qfun(x, y) if callable(qfun) else qfun
        high = rfun(x, y) if callable(rfun) else rfun
        return integrate.quad(func, low, high, (y, x) + more, epsabs=epsabs, epsrel=epsrel)[0]

    return integrate.dblquad(in_plane, a, b, gfun, hfun, epsabs=epsabs, epsrel=epsrel)


@instead_of(integrate.nquad)
def nquad(func, ranges, args=None, opts=None, full_output=False):
    if opts is not None or full_output:
        return refuse("scipy.integrate.nquad with these options", "scipy.integrate.quad of each variable")
    more = () if args is None else arguments(args)
    if len(ranges) == 1:
        return within(func, ranges[0], more)
    if len(ranges) == 2:
        low, high = ends(ranges[1], more)
        return integrate.quad(lambda y: within(func, ranges[0], (y,) + more)[0], low, high)
    if len(ranges) == 3:
        low, high = ends(ranges[2], more)
        return integrate.quad(lambda z: over_two(func, ranges, (z,) + more), low, high)
    return refuse("scipy.integrate.nquad of more than three variables", "scipy.integrate.quad of each variable")


def over_two(func, ranges, outer):
    """The integral over the first two variables."""
    low, high = ends(ranges[1], outer)
    return integrate.quad(lambda y: within(func, ranges[0], (y,) + outer)[0], low, high)[0]


def within(func, bounds, outer):
    """The integral over one variable, and how far it may be off."""
    low, high = ends(bounds, outer)
    return integrate.quad(func, low, high, outer)


def ends(bounds, outer):
    """Two numbers, or what a function says of them where the variables around it are these."""
    return bounds(*outer) if callable(bounds) else bounds


def end(bound, x):
    """An end of an inner integral: a number, or a function of the outer place."""
    return bound(x) if callable(bound) else bound


def beyond(func, end, sign, t, more):
    """A function from a number on, up to infinity, as one between zero and one."""
    return func(end + sign * (1.0 - t) / t, *more) / (t * t)


def on_both_sides(func, t, more):
    """A function of all numbers as one between zero and one."""
    x = (1.0 - t) / t
    return (func(x, *more) + func(-x, *more)) / (t * t)


def divided(f, a, b, epsabs, epsrel, limit):
    """An integral, and how far it may be off.

    At a kink, a sum is off by the square of the width of the part there, and its derivative by the width: so that
    derivatives are as close as the caller asks for, the sum is to be off by the squares of that.
    """
    low, high = stop_gradient(1.0 * a), stop_gradient(1.0 * b)
    places, weights, gauss = np.array(rule()[0]), np.array(rule()[1]), np.array(rule()[2])
    starts, widths, sums, errors = np.zeros(limit), np.ones(limit), np.zeros(limit), np.zeros(limit)
    count, worst, unsettled = 1, 0, True
    while unsettled:
        for turn in range(min(count, 2)):
            k = worst if turn == 0 else count - 1
            start, width = low + (high - low) * starts[k], (high - low) * widths[k]
            values = np.zeros(places.shape[0])
            for i in range(places.shape[0]):
                values[i] = stop_gradient(1.0 * f(start + width * places[i]))
            sums[k], errors[k] = width * np.dot(weights, values), abs(width) * distance(values, weights, gauss)
        whole = abs(np.sum(sums))
        unsettled = count < limit and np.sum(errors) > max(epsabs**2, epsrel**2 * whole, ROUNDING * whole)
        if unsettled:
            worst = np.argmax(errors)
            widths[worst] = 0.5 * widths[worst]
            starts[count], widths[count] = starts[worst] + widths[worst], widths[worst]
            count += 1
    total = 0.0
    for k in range(count):
        for i in range(places.shape[0]):
            total += widths[k] * weights[i] * f(a + (b - a) * (starts[k] + widths[k] * places[i]))
    return (b - a) * total, np.sum(errors)


def distance(values, weights, gauss):
    """How far the mean of values may be off: the distance from Gauss's, scaled as QUADPACK scales it."""
    mean = np.dot(weights, values)
    spread = np.dot(weights, np.abs(values - mean))
    apart = abs(mean - np.dot(gauss, values))
    if apart > 0.0 and spread > 0.0:
        apart = spread * min(1.0, (200.0 * apart / spread) ** 1.5)
    return apart
