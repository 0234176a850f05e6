"""Special functions that NumPy and math do not have."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype

from srcad.runtime.branchless import bits, double


@register_jitable
def digamma(x: float) -> float:
    """The derivative of ``lgamma``.

    Reflection and recurrence (Abramowitz and Stegun, 6.3.7 and 6.3.5) lead to an argument of at least 10, where eight
    terms of the asymptotic series (6.3.18) are exact to double precision.

    >>> round(digamma(1.0), 12)
    -0.577215664902
    """
    x = float(x)
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
    x = float(x)
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


def exponents(x: Any) -> Any:
    """The powers of two of `np.frexp`.

    >>> exponents(np.array([0.5, 3.0, 0.0]))
    array([0, 2, 0], dtype=int32)
    """
    return np.frexp(x)[1]


@overload(exponents)
def _exponents(x):
    if not isinstance(x, types.Array):
        return lambda x: np.int32(math.frexp(x)[1])

    def each(x):
        result = np.empty(x.shape, np.int32)
        flat = result.reshape(-1)
        for k, element in enumerate(x.flat):
            flat[k] = math.frexp(element)[1]
        return result

    def by_bits(x):
        result = np.empty(x.shape, np.int32)
        flat, source = result.reshape(-1), np.ascontiguousarray(x).reshape(-1)
        for k in range(flat.size):
            biased = (bits(source[k]) >> 52) & 2047
            # Zero and what is close to it have no exponents: a multiple's is read. What is not finite has none either.
            above = (bits(source[k] * 2.0**64) >> 52) & 2047
            near = above - 1086 if above > 0 else 0
            flat[k] = near if biased == 0 else biased - 1022 if biased < 2047 else 0
        return result

    return by_bits if x.dtype == types.float64 else each


def mantissas(x: Any) -> Any:
    """The fractions of `np.frexp`, from 0.5 to 1.

    >>> mantissas(np.array([0.5, -3.0, 0.0]))
    array([ 0.5 , -0.75,  0.  ])
    """
    return np.frexp(x)[0]


@overload(mantissas)
def _mantissas(x):
    if not isinstance(x, types.Array):
        return lambda x: math.frexp(x)[0]
    dtype = as_dtype(x.dtype) if isinstance(x.dtype, types.Float) else np.dtype(float)

    def each(x):
        result = np.empty(x.shape, dtype)
        flat = result.reshape(-1)
        for k, element in enumerate(x.flat):
            flat[k] = math.frexp(element)[0]
        return result

    def by_bits(x):
        result = np.empty(x.shape)
        flat, source = result.reshape(-1), np.ascontiguousarray(x).reshape(-1)
        for k in range(flat.size):
            own, multiple = bits(source[k]), bits(source[k] * 2.0**64)
            biased, above = (own >> 52) & 2047, (multiple >> 52) & 2047
            pattern = multiple if biased == 0 else own
            fraction = double((pattern & ~(2047 << 52)) | (1022 << 52))
            flat[k] = source[k] if biased == 2047 or above == 0 else fraction
        return result

    return by_bits if x.dtype == types.float64 else each


def bessel_i(n: int, x: Any) -> Any:
    """The modified Bessel function of the first kind, of a whole order of at least 0.

    >>> bool(abs(bessel_i(0, 1.0) - 1.2660658777520084) < 1e-15)
    True
    >>> bessel_i(1, np.array([0.0, -2.0])).round(12)
    array([ 0.        , -1.59063685])
    """
    single = np.ndim(x) > 0 and np.asarray(x).dtype == np.float32
    return np.vectorize(_bessel, otypes=[np.float32 if single else np.float64])(n, x)[()]


@register_jitable
def _bessel(n, given):
    """The power series (Abramowitz and Stegun, 9.6.10), for large arguments the asymptotic series (9.7.1)."""
    x = abs(given)
    sign = -1.0 if given < 0.0 and n % 2 == 1 else 1.0
    if x < 30.0 + n * n:
        term, k = sign, 1
        for order in range(1, n + 1):
            term *= 0.5 * x / order
        total = term
        while abs(term) > 1e-17 * abs(total):
            term *= 0.25 * x * x / (k * (k + n))
            total += term
            k += 1
        return total
    term, total, k = sign, sign, 1
    while abs(term) > 1e-17 and k < 40:
        term *= ((2 * k - 1) ** 2 - 4.0 * n * n) / (8.0 * k * x)
        total += term
        k += 1
    return total * math.exp(x) / math.sqrt(2.0 * math.pi * x)


@overload(bessel_i)
def _bessel_i(n, x):
    if not isinstance(x, types.Array):
        return lambda n, x: _bessel(n, float(x))
    dtype = np.float32 if x.dtype == types.float32 else np.float64

    def each(n, x):
        result = np.empty(x.shape, dtype)
        flat = result.reshape(-1)
        for k, element in enumerate(x.flat):
            flat[k] = _bessel(n, float(element))
        return result

    return each
