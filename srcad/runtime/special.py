"""Special functions that NumPy and math do not have."""

from __future__ import annotations

import math

from numba.extending import register_jitable


@register_jitable
def digamma(x: float) -> float:
    """The derivative of ``lgamma``.

    Reflection and recurrence (Abramowitz and Stegun, 6.3.7 and 6.3.5) lead to an argument of at least 10, where eight
    terms of the asymptotic series (6.3.18) are exact to double precision.

    >>> round(digamma(1.0), 12)
    -0.577215664902
    """
    if x == 0.0:
        return -math.copysign(math.inf, x)
    shift = 0.0
    if x < 0.0:
        if x == math.floor(x):
            return math.nan
        fraction = x - math.floor(x + 0.5)
        shift = -math.pi / math.tan(math.pi * fraction)
        x = 1.0 - x
    while x < 10.0:
        shift -= 1.0 / x
        x += 1.0
    r = 1.0 / (x * x)
    tail = r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * (
        691 / 32760 - r * (1 / 12 - r * (3617 / 8160))))))))
    return shift + math.log(x) - 0.5 / x - tail


@register_jitable
def polygamma(n: int, x: float) -> float:
    """The n-th derivative of `digamma`, for n of at least 1.

    The recurrence (Abramowitz and Stegun, 6.4.6) leads to an argument where the asymptotic series (6.4.11) is exact to
    double precision.

    >>> round(polygamma(1, 1.0) - math.pi**2 / 6, 12)
    0.0
    """
    if x <= 0.0 and x == math.floor(x):
        return math.inf if n % 2 else math.nan
    factorial = 1.0
    for k in range(1, n + 1):
        factorial *= k
    total = 0.0
    while x < 12.0 + n:
        total += factorial / x ** (n + 1)
        x += 1.0
    total += factorial / n / x**n + 0.5 * factorial / x ** (n + 1)
    term = 0.5 * factorial * (n + 1) / x ** (n + 2)  # (2 k + n - 1)! / (2 k)! / x ** (2 k + n)
    for k, bernoulli in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510), 1):
        total += bernoulli * term
        term *= (2 * k + n + 1) * (2 * k + n) / ((2 * k + 2) * (2 * k + 1) * x * x)
    return total if n % 2 else -total
