"""Products of three matrices, in the shorter order."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable


def chained(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """``a @ b @ c``, of matrices or of stacks of one shape, in the order that multiplies fewer numbers.

    >>> chained(np.ones((9, 2)), np.ones((2, 9)), np.ones((9, 1))).shape
    (9, 1)
    """
    return (a @ b) @ c if _from_the_left(a, b, c) else a @ (b @ c)


@register_jitable
def _from_the_left(a, b, c):
    rows, columns = a.shape[-2], c.shape[-1]
    return rows * b.shape[-1] * (b.shape[-2] + columns) <= b.shape[-2] * columns * (b.shape[-1] + rows)


@overload(chained)
def _chained(a, b, c):
    def one(a, b, c):
        first, second, third = np.ascontiguousarray(a), np.ascontiguousarray(b), np.ascontiguousarray(c)
        return (first @ second) @ third if _from_the_left(a, b, c) else first @ (second @ third)

    def each(a, b, c):
        result = np.empty(a.shape[:-1] + c.shape[-1:], a.dtype)
        for place in np.ndindex(a.shape[:-2]):
            result[place] = chained(a[place], b[place], c[place])
        return result

    return one if a.ndim == 2 else each
