"""The derivatives of the cardinal sine, at zero too, where they are not the quotients that they are elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable


def sinc_slope(x: Any, order: int) -> Any:
    """The derivative of `np.sinc` of an order of at least 1, of real and of complex numbers.

    >>> sinc_slope(np.array([0.0, 1.0]), 1), bool(abs(sinc_slope(0.0, 2) + np.pi**2 / 3) < 1e-15)
    (array([ 0., -1.]), True)
    """
    given = np.asarray(x)
    wide = np.complex128 if given.dtype.kind == "c" else np.float64
    result = np.vectorize(_slope, otypes=[wide])(given.astype(wide), order)
    return result.astype(np.result_type(given.dtype, np.float32) if given.real.itemsize < 8 else result.dtype)[()]


@register_jitable
def _slope(x, order):
    """With t = pi x: ``S_k = (sin^(k)(t) - k S_(k - 1)) / t``, and for small t the power series of ``sin(t) / t``."""
    t = np.pi * x
    if abs(t) <= order + 1.0:
        return np.pi**order * _series(t, order)
    sine, cosine = np.sin(t), np.cos(t)
    slope = sine / t
    for k in range(1, order + 1):
        turned = sine if k % 2 == 0 else cosine  # sin, cos, -sin, -cos
        slope = ((turned if k % 4 < 2 else -turned) - k * slope) / t
    return np.pi**order * slope


@register_jitable
def _series(t, order):
    """The sum of ``(-1)^j t^(2 j - k) / ((2 j + 1) (2 j - k)!)`` over j of at least k / 2."""
    j = (order + 1) // 2
    power = 2 * j - order
    term = (1.0 if j % 2 == 0 else -1.0) * (t if power == 1 else 1.0 + 0.0 * t)
    total = term / (2 * j + 1)
    while abs(term) > 1e-18 * abs(total) and j < 60:
        term = term * -(t * t) / ((power + 1) * (power + 2))
        power, j = power + 2, j + 1
        total = total + term / (2 * j + 1)
    return total + 0.0


@overload(sinc_slope)
def _sinc_slope(x, order):
    if not isinstance(x, types.Array):
        return (
            (lambda x, order: _slope(x, order))
            if isinstance(x, types.Complex)
            else (lambda x, order: _slope(float(x), order))
        )

    dtype = x.dtype if isinstance(x.dtype, (types.Float, types.Complex)) else types.float64

    def each(x, order):
        result = np.empty(x.shape, dtype)
        flat = result.reshape(-1)
        for k, element in enumerate(x.flat):
            flat[k] = _slope(element, order)
        return result

    return each
