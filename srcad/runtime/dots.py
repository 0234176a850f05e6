"""Sums of products along axes, without an array for the products."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable

from srcad.runtime.reducers import LINE
from srcad.runtime.reductions import Axes, axes_along, blocked_about, shaper, sum_along, summed


def products_along(a: np.ndarray, b: np.ndarray, axis: Axes) -> np.ndarray:
    """``np.sum(a * b, axis)`` of arrays of one shape, along constant axes but not all of them.

    >>> products_along(np.array([[1.0, 3.0], [5.0, 5.0]]), np.array([[2.0, 1.0], [0.0, 1.0]]), 1)
    array([5., 5.])
    """
    return np.sum(a * b, axis=axis)


@overload(products_along, prefer_literal=True)
def _products_along(a, b, axis):
    axes = axes_along(axis, a.ndim)
    if axes is None:
        return None
    if a.layout == b.layout == "F":
        turned = tuple(a.ndim - 1 - k for k in axes)
        return lambda a, b, axis: products_along(a.T, b.T, turned).T
    last = tuple(k for k in axes if axes[-1] - k == len(axes) - 1 - axes.index(k))
    others = axes[: len(axes) - len(last)]
    if others:
        return lambda a, b, axis: sum_along(products_along(a, b, last), others)
    dtype, left, right = summed(a), blocked_about(a, axes), blocked_about(b, axes)
    shaped = shaper(tuple(k for k in range(a.ndim) if k not in axes))

    def along(a, b, axis):
        x, y = left(a), right(b)
        result = np.zeros((x.shape[0], x.shape[2]), dtype)
        if x.shape[2] == 1:
            _rows(x.reshape((x.shape[0], x.shape[1])), y.reshape((x.shape[0], x.shape[1])), result.reshape(-1))
        else:
            _lines(x, y, result)
        return shaped(a, result)

    return along


@register_jitable
def _rows(a, b, result):
    count = a.shape[1]
    fours = count // 4 * 4
    for i in range(a.shape[0]):
        x, y = a[i], b[i]
        zero = result.dtype.type(0)
        # Four totals go on at once, where one would wait for itself.
        first, second, third, fourth = zero, zero, zero, zero
        for k in range(0, fours, 4):
            first, second = first + x[k] * y[k], second + x[k + 1] * y[k + 1]
            third, fourth = third + x[k + 2] * y[k + 2], fourth + x[k + 3] * y[k + 3]
        total = first + second + (third + fourth)
        for k in range(fours, count):
            total += x[k] * y[k]
        result[i] = total


@register_jitable
def _lines(a, b, result):
    before, count, behind = a.shape
    for i in range(before):
        for start in range(0, behind, LINE):
            stop = min(start + LINE, behind)
            total = result[i, start:stop]
            for k in range(count):
                x, y = a[i, k, start:stop], b[i, k, start:stop]
                for j in range(stop - start):
                    total[j] += x[j] * y[j]
