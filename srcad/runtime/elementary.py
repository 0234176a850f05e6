"""exp, log, log1p, expm1, tanh and ldexp without branches and tables: loops over them become vector instructions.

Calls into the system's mathematical library keep a loop scalar. These are written out, and differ from the library's by
two units in the last place at most. Those of single precision are in `elementary_single`; other types are left to
NumPy's functions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types, vectorize
from numba.extending import overload

from srcad.runtime import elementary_single
from srcad.runtime.branchless import bits, clipped, double, inlined, select

LOG2_E = 1.4426950408889634
LN2_HIGH = float.fromhex("0x1.62e42fee00000p-1")  # 32 bits, so that its product with an exponent is exact
LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
ROUND = 1.5 * 2.0**52  # a number plus this one has its nearest integer in the last bits
ROUND_BITS = 0x4338000000000000
ONE_BITS = 1023 << 52
HALF_ROOT_BITS = 0x3FE6A09E667F3BCD  # of sqrt(0.5)
TINY, HUGE = 2.0**-1022, 1.7976931348623157e308


@inlined
def _reduced(x):
    """The integer n next to x / log(2), in bits and as a number, and expm1 of the rest, by its Taylor series."""
    shifted = x * LOG2_E + ROUND
    n = shifted - ROUND
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    r2 = r * r
    r4 = r2 * r2
    low = (1 / 2 + r * (1 / 6)) + (1 / 24 + r * (1 / 120)) * r2
    middle = (1 / 720 + r * (1 / 5040)) + (1 / 40320 + r * (1 / 362880)) * r2
    high = (1 / 3628800 + r * (1 / 39916800)) + (1 / 479001600 + r * (1 / 6227020800)) * r2
    return bits(shifted) - ROUND_BITS, r + r2 * (low + r4 * (middle + r4 * high))


@inlined
def exp_of(x):
    n, rest = _reduced(clipped(x, -760.0, 720.0))
    half = n >> 1  # twice half the power: the whole may be beyond the normal numbers
    return (1.0 + rest) * double((half << 52) + ONE_BITS) * double(((n - half) << 52) + ONE_BITS)


@inlined
def expm1_of(x):
    n, rest = _reduced(clipped(x, -50.0, 710.0))
    half = double(((n - 1) << 52) + ONE_BITS)
    return 2.0 * (rest * half + (half - 0.5))


@inlined
def tanh_of(x):
    e = expm1_of(2.0 * clipped(abs(x), 0.0, 22.0))
    return math.copysign(e / (e + 2.0), x)


@inlined
def _log_of_normal(x):
    """x = 2**n * (1 + f), and log(1 + f) by the series of atanh(s), s = f / (2 + f)."""
    pattern = bits(x)
    power = (pattern - HALF_ROOT_BITS) >> 52
    n = double(ROUND_BITS + power) - ROUND
    f = double(pattern - (power << 52)) - 1.0
    s = f / (2.0 + f)
    z = s * s
    z2 = z * z
    low = (2 / 3 + z * (2 / 5)) + (2 / 7 + z * (2 / 9)) * z2
    middle = (2 / 11 + z * (2 / 13)) + (2 / 15 + z * (2 / 17)) * z2
    tail = z * (low + (z2 * z2) * (middle + (2 / 19 + z * (2 / 21)) * (z2 * z2)))
    square = 0.5 * f * f
    return n * LN2_HIGH - ((square - (s * (square + tail) + n * LN2_LOW)) - f)


@inlined
def _with_limits(x, result):
    """The logarithm of 0, of infinity, of NaN and of what is negative."""
    result = select(x <= HUGE, result, x)
    result = select(x == 0.0, -math.inf, result)
    return select(x < 0.0, math.nan, result)


@inlined
def log_of(x):
    small = x < TINY
    result = _log_of_normal(select(small, x * 2.0**54, x)) - select(small, 54.0 * math.log(2.0), 0.0)
    return _with_limits(x, result)


@inlined
def log1p_of(x):
    u = 1.0 + x
    return _with_limits(u, _log_of_normal(u) + (x - (u - 1.0)) / u)  # and what rounding took from u


@inlined
def ldexp_of(x, n):
    """One product, which is rounded once; where the power is no normal number, exact ones before it."""
    for _ in range(2):
        x *= select(n < -1022, 2.0**-969, select(n > 1023, 2.0**1023, 1.0))
        n += 969 if n < -1022 else -1023 if n > 1023 else 0
    return x * double((min(max(n, -1022), 1023) << 52) + ONE_BITS)


def vectorised(own: Any, ufunc: np.ufunc, single: Any = None) -> Any:
    """A function of numbers and arrays: `own` of doubles, and `ufunc` of what is no real number.

    Of singles it is `single`, or `own`, rounded.
    """

    def any_of(x):
        raise NotImplementedError

    def choose(x):
        if x == types.float64:
            return lambda x: own(x)
        if x == types.float32:
            return (lambda x: np.float32(own(np.float64(x)))) if single is None else lambda x: single(x)
        return lambda x: ufunc(x)

    overload(any_of)(choose)

    def kernel(x):
        return any_of(x)

    kernel.__name__ = kernel.__qualname__ = ufunc.__name__
    return vectorize(kernel)


exp = vectorised(exp_of, np.exp, elementary_single.exp_of)
expm1 = vectorised(expm1_of, np.expm1, elementary_single.expm1_of)
log = vectorised(log_of, np.log, elementary_single.log_of)
log1p = vectorised(log1p_of, np.log1p, elementary_single.log1p_of)
tanh = vectorised(tanh_of, np.tanh, elementary_single.tanh_of)


def _ldexp(x, n):
    raise NotImplementedError


@overload(_ldexp)
def _ldexp_of(x, n):
    if x == types.float64:
        return lambda x, n: ldexp_of(x, np.int64(n))
    return lambda x, n: np.float32(ldexp_of(np.float64(x), np.int64(n)))


@vectorize
def ldexp(x, n):
    """`np.ldexp`"""
    return _ldexp(x, n)
