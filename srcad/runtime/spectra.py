"""Half spectra: what the Fourier transform of a real signal is kept as."""

from __future__ import annotations


import numpy as np
from numba import types
from numba.extending import overload


def scaled_pairs(a: np.ndarray, n: int, axis: int, factor: float) -> np.ndarray:
    """A half spectrum of a signal of n numbers, with a factor wherever a frequency has a mirror image.

    >>> scaled_pairs(np.ones(3), 4, 0, 2.0), scaled_pairs(np.ones(3), 5, 0, 2.0)
    (array([1., 2., 1.]), array([1., 2., 2.]))
    """
    result = a.copy()
    np.moveaxis(result, axis, -1)[..., 1 : (n + 1) // 2] *= factor
    return result


@overload(scaled_pairs, prefer_literal=True)
def _scaled_pairs(a, n, axis, factor):
    if not isinstance(axis, types.IntegerLiteral):
        return None
    k = axis.literal_value % a.ndim
    order = (k, *range(k), *range(k + 1, a.ndim))

    def along(a, n, axis, factor):
        result = a.copy()
        rows = np.transpose(result, order)
        for i in range(1, (n + 1) // 2):
            rows[i] *= factor
        return result

    def whole(a, n, axis, factor):
        result = a.copy()
        for i in range(1, (n + 1) // 2):
            result[i] *= factor
        return result

    return whole if a.ndim == 1 else along


def scaled_ends(a: np.ndarray, axis: int, first: float, last: float) -> np.ndarray:
    """An array whose first and last elements along an axis have factors.

    >>> scaled_ends(np.ones(3), 0, 2.0, 1.0)
    array([2., 1., 1.])
    """
    result = a.copy()
    rows = np.moveaxis(result, axis, 0)
    rows[:1] *= first
    rows[-1:] *= last
    return result


@overload(scaled_ends, prefer_literal=True)
def _scaled_ends(a, axis, first, last):
    if not isinstance(axis, types.IntegerLiteral):
        return None
    k = axis.literal_value % a.ndim
    order = (k, *range(k), *range(k + 1, a.ndim))

    def along(a, axis, first, last):
        result = a.copy()
        rows = np.transpose(result, order)
        rows[:1] *= result.dtype.type(first)
        rows[-1:] *= result.dtype.type(last)
        return result

    return along
