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
