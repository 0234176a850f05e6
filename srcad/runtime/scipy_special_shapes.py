"""Derivatives of the incomplete gamma and beta functions with respect to their shapes; of zeta, to its exponent;
and of elliptic integrals, to their parameter.

The first are integrals over the density times a polynomial in logarithms, which has the mean zero: what lies below `x`
is minus what lies above, and the shorter side is integrated. Points that are twice exponentially close to both ends
(Takahasi and Mori 1974) give them to about twelve digits.

>>> round(float(gammainc_by_shape(1, 2.0, 1.0)), 10), round(float(betainc_by_shapes(1, 0, 2.0, 3.0, 0.4)), 10)
(-0.2761960457, -0.2408693761)
>>> round(float(zeta_by_exponent(1, 2.0, 1.0)), 10)
-0.9375482543
>>> round(float(elliptic_integral(1, 3, 1.0, 0.5)), 10)  # twice the derivative of ellipkinc with respect to m
0.4115228028
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable
from scipy import special

_U = np.linspace(-4.5, 4.2, 175)
POINTS = np.exp(_U - np.exp(-_U))
WEIGHTS = (1.0 + np.exp(-_U)) * POINTS * (_U[1] - _U[0])


def gammainc_by_shape(order: Any, a: Any, x: Any) -> Any:
    """The derivative of an order of 1 or 2 of `scipy.special.gammainc` with respect to `a`."""
    return _each(gamma_slope, order, a, x)


def betainc_by_shapes(i: Any, j: Any, a: Any, b: Any, x: Any) -> Any:
    """The derivative of `scipy.special.betainc`, i times by `a` and j times by `b`, 1 <= i + j <= 2."""
    return _each(beta_slope, i, j, a, b, x)


def zeta_by_exponent(order: Any, x: Any, q: Any) -> Any:
    """The derivative of an order of 1 or 2 of `scipy.special.zeta(x, q)` with respect to `x`; NaN below zero."""
    return _each(zeta_slope, order, x, q)


def elliptic_integral(k: Any, p: Any, phi: Any, m: Any) -> Any:
    """The integral of ``sin(t)**(2 * k) * (1 - m * sin(t)**2)**(-p / 2)`` over t from 0 to `phi`."""
    return _each(elliptic, k, p, phi, m)


def _each(function: Any, *operands: Any) -> Any:
    """A function of numbers at the elements of arrays, in their precision."""
    arrays = [x.dtype for x in map(np.asarray, operands) if x.ndim] or [np.dtype(np.float64)]
    dtype = np.float32 if all(kind.itemsize <= 4 for kind in arrays) else np.float64
    with np.errstate(all="ignore"):
        return np.vectorize(function, otypes=[np.float64])(*operands).astype(dtype)[()]


@register_jitable
def gamma_slope(order, a, x):
    if not (a > 0.0 and x >= 0.0):
        return np.nan
    if x == 0.0 or x == np.inf:
        return 0.0
    center, spread = special.digamma(a), special.zeta(2.0, a)
    below = x <= max(a, 1.0)
    rate = abs(a - x) + np.sqrt(x) if x > 1.0 else a
    v = POINTS / rate
    logs = np.log(x) - v if below else np.log(x) + v
    apart = logs - center
    weight = apart if order == 1.0 else apart * apart - spread
    density = np.exp(a * logs - np.exp(logs) - special.gammaln(a))
    total = np.sum(WEIGHTS * weight * density) / rate
    return total if below else -total


@register_jitable
def beta_slope(i, j, a, b, x):
    if not (a > 0.0 and b > 0.0 and 0.0 <= x <= 1.0):
        return np.nan
    if x == 0.0 or x == 1.0:
        return 0.0
    odds, both = np.log(x) - np.log1p(-x), max(a + b, 2.0)
    low, high = x * both <= max(a, 1.0), (1.0 - x) * both <= max(b, 1.0)
    if low and not (high and x > 0.5):
        return _beta_below(i, j, a, b, odds)
    return -_beta_below(j, i, b, a, -odds)


@register_jitable
def _beta_below(i, j, a, b, odds):
    """What lies below, at logarithms of odds of `odds - v`."""
    total, both = special.digamma(a + b), special.zeta(2.0, a + b)
    t = 1.0 / (1.0 + np.exp(-odds))
    bend = (a + b) * t * (1.0 - t)
    rate = max(a - (a + b) * t, 0.0) + np.sqrt(bend) if bend > 1.0 else a
    w = odds - POINTS / rate
    log_t, log_rest = -np.logaddexp(0.0, -w), -np.logaddexp(0.0, w)
    by_a, by_b = log_t - special.digamma(a) + total, log_rest - special.digamma(b) + total
    if i == 1.0 and j == 1.0:
        weight = by_a * by_b + both
    elif j == 0.0:
        weight = by_a if i == 1.0 else by_a * by_a - special.zeta(2.0, a) + both
    else:
        weight = by_b if j == 1.0 else by_b * by_b - special.zeta(2.0, b) + both
    density = np.exp(a * log_t + b * log_rest - special.betaln(a, b))
    return np.sum(WEIGHTS * weight * density) / rate


_NUMBERS = np.array([1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510])  # Bernoulli's


@register_jitable
def zeta_slope(order, x, q):
    """The sum of Euler and Maclaurin, term by term: twelve terms, then the integral and its corrections."""
    if not (x >= 0.0 and x != 1.0 and q > 0.0):
        return np.nan
    logs = np.log(q + np.arange(12.0))
    total = np.sum((-logs) ** order * np.exp(-x * logs))
    end, log_end = q + 12.0, np.log(q + 12.0)
    value, first, second = end / (x - 1.0) + 0.5, -end / (x - 1.0) ** 2, 2.0 * end / (x - 1.0) ** 3
    p0, p1, p2, factor = x, 1.0, 0.0, 0.5 / end
    for k in range(1, 9):
        value += _NUMBERS[k - 1] * factor * p0
        first += _NUMBERS[k - 1] * factor * p1
        second += _NUMBERS[k - 1] * factor * p2
        for j in (2 * k - 1, 2 * k):
            p0, p1, p2 = p0 * (x + j), p1 * (x + j) + p0, p2 * (x + j) + 2.0 * p1
        factor /= (2 * k + 1) * (2 * k + 2) * end * end
    tail = first - log_end * value if order == 1.0 else second - 2.0 * log_end * first + log_end * log_end * value
    return total + np.exp(-x * log_end) * tail


def polygamma_of_complex(n: Any, z: Any) -> Any:
    """`scipy.special.polygamma` of an order from one on, of complex numbers."""
    kind = np.asarray(z).dtype
    return np.vectorize(sum_of_powers, otypes=[np.complex128])(n, z).astype(kind)[()]


@register_jitable
def sum_of_powers(n, z):
    """The sum of ``(-1)**(n + 1) * n! / (z + k)**(n + 1)`` by Euler's and Maclaurin's; far to the left, NaN."""
    if not z.real > -1e5:
        return np.nan + 0.0j
    start = max(np.ceil(16.0 - z.real), 0.0)
    total, w = 0.0j, z + start
    for k in range(int(start)):
        total += (z + k) ** (-n - 1.0)
    tail, factor, rising = w ** (-n) / n + 0.5 * w ** (-n - 1.0), 0.5 * w ** (-n - 2.0), n + 1.0
    for k in range(1, 9):
        tail += _NUMBERS[k - 1] * factor * rising
        rising *= (n + 2.0 * k) * (n + 2.0 * k + 1.0)
        factor /= (2 * k + 1) * (2 * k + 2) * w * w
    sign = 1.0 if n % 2.0 == 1.0 else -1.0
    return sign * special.gamma(n + 1.0) * (total + tail)


_T = np.linspace(-3.2, 3.2, 129)
NODES = 1.0 / (1.0 + np.exp(-np.pi * np.sinh(_T)))
SHARES = np.pi * np.cosh(_T) * NODES * (1.0 - NODES) * (_T[1] - _T[0])


@register_jitable
def elliptic(k, p, phi, m):
    """Of whole half turns, and of the rest; points twice exponentially close to both ends."""
    turns = np.round(phi / np.pi)
    rest = _elliptic_of_quarter(k, p, phi - turns * np.pi, m)
    return rest if turns == 0.0 else rest + 2.0 * turns * _elliptic_of_quarter(k, p, 0.5 * np.pi, m)


@register_jitable
def _elliptic_of_quarter(k, p, phi, m):
    squares = np.square(np.sin(phi * NODES))
    roots = (1.0 - m) + m * np.square(np.cos(phi * NODES))
    if not m <= 1.0:  # where SciPy has no value
        return np.nan
    return phi * np.sum(SHARES * squares**k * roots ** (-0.5 * p))
