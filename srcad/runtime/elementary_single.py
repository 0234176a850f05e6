"""exp, log, log1p, expm1 and tanh of single precision, in single precision: twice as many numbers in a vector.

As in `elementary`, without branches and tables, and right to two units in the last place, `tanh` to three.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from srcad.runtime.branchless import clipped, inlined, select

INTEGER, NUMBER = ir.IntType(32), ir.FloatType()
ROUND_BITS = 0x4B400000
ONE_BITS = 127 << 23
HALF_ROOT_BITS = 0x3F3504F3  # of sqrt(0.5)

# Constants of Python's own would be doubles.
HALF, ONE, TWO, ZERO = map(np.float32, (0.5, 1.0, 2.0, 0.0))
ROUND = np.float32(1.5 * 2.0**23)  # a number plus this one has its nearest integer in the last bits
LOG2_E = np.float32(math.log2(math.e))
LN2_HIGH = np.float32(0.693359375)  # 9 bits, so that its product with an exponent is exact
LN2_LOW = np.float32(math.log(2.0) - 0.693359375)
E2, E3, E4, E5, E6, E7 = (np.float32(1 / math.factorial(k)) for k in range(2, 8))
L3, L5, L7, L9 = (np.float32(2 / k) for k in (3, 5, 7, 9))
LEAST, MOST = np.float32(-104.0), np.float32(89.0)  # where exp is 0 and infinity
LEAST_LESS_ONE, LARGEST_ANGLE = np.float32(-25.0), np.float32(10.0)
TINY, HUGE = np.float32(2.0**-126), np.float32(np.finfo(np.float32).max)
LIFT, LIFTED = np.float32(2.0**25), np.float32(25.0 * math.log(2.0))
INFINITY, NAN = np.float32(math.inf), np.float32(math.nan)


def _of_bits(build: Callable[[Any, Any], Any]) -> Any:
    """A function of a single that computes with its bits, as 32-bit integers."""

    @intrinsic
    def function(context, x):
        def generate(_, builder, __, args):
            return build(builder, builder.bitcast(args[0], INTEGER))

        return types.float32(types.float32), generate

    return function


def _power(builder: Any, n: Any) -> Any:
    """Two to the power of an integer."""
    return builder.bitcast(builder.add(builder.shl(n, INTEGER(23)), INTEGER(ONE_BITS)), NUMBER)


def _exponent(builder: Any, bits: Any) -> Any:
    """The n of x = 2**n * (1 + f)."""
    return builder.ashr(builder.sub(bits, INTEGER(HALF_ROOT_BITS)), INTEGER(23))


def _rounded(builder: Any, bits: Any) -> tuple[Any, Any]:
    """The integer in the last bits of a number to which `ROUND` was added, and half of it."""
    n = builder.sub(bits, INTEGER(ROUND_BITS))
    return n, builder.ashr(n, INTEGER(1))


def _second(builder: Any, bits: Any) -> Any:
    n, half = _rounded(builder, bits)
    return _power(builder, builder.sub(n, half))


def _fraction(builder: Any, bits: Any) -> Any:
    whole = builder.shl(_exponent(builder, bits), INTEGER(23))
    return builder.bitcast(builder.sub(bits, whole), NUMBER)


_first_factor = _of_bits(lambda builder, bits: _power(builder, _rounded(builder, bits)[1]))
_second_factor = _of_bits(_second)  # twice half the power: the whole may be beyond the normal numbers
_half_of_power = _of_bits(lambda builder, bits: _power(builder, builder.sub(_rounded(builder, bits)[0], INTEGER(1))))
_power_in = _of_bits(lambda builder, bits: builder.sitofp(_exponent(builder, bits), NUMBER))
_one_and_f = _of_bits(_fraction)


@inlined
def _reduced(x):
    """What has the integer n next to x / log(2) in its last bits, and expm1 of the rest, by its Taylor series."""
    shifted = x * LOG2_E + ROUND
    n = shifted - ROUND
    r = (x - n * LN2_HIGH) - n * LN2_LOW
    r2 = r * r
    low, middle, high = E2 + r * E3, E4 + r * E5, E6 + r * E7
    return shifted, r + r2 * (low + r2 * (middle + r2 * high))


@inlined
def exp_of(x):
    shifted, rest = _reduced(clipped(x, LEAST, MOST))
    return (ONE + rest) * _first_factor(shifted) * _second_factor(shifted)


@inlined
def expm1_of(x):
    shifted, rest = _reduced(clipped(x, LEAST_LESS_ONE, MOST))
    half = _half_of_power(shifted)
    return TWO * (rest * half + (half - HALF))


@inlined
def tanh_of(x):
    e = expm1_of(TWO * clipped(abs(x), ZERO, LARGEST_ANGLE))
    return math.copysign(e / (e + TWO), x)


@inlined
def _log_of_normal(x):
    """x = 2**n * (1 + f), and log(1 + f) by the series of atanh(s), s = f / (2 + f)."""
    n = _power_in(x)
    f = _one_and_f(x) - ONE
    s = f / (TWO + f)
    z = s * s
    tail = z * ((L3 + z * L5) + (L7 + z * L9) * (z * z))
    square = HALF * f * f
    return n * LN2_HIGH - ((square - (s * (square + tail) + n * LN2_LOW)) - f)


@inlined
def _with_limits(x, result):
    """The logarithm of 0, of infinity, of NaN and of what is negative."""
    result = select(x <= HUGE, result, x)
    result = select(x == ZERO, -INFINITY, result)
    return select(x < ZERO, NAN, result)


@inlined
def log_of(x):
    small = x < TINY
    result = _log_of_normal(select(small, x * LIFT, x)) - select(small, LIFTED, ZERO)
    return _with_limits(x, result)


@inlined
def log1p_of(x):
    u = ONE + x
    return _with_limits(u, _log_of_normal(u) + (x - (u - ONE)) / u)  # and what rounding took from u
