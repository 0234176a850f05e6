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
