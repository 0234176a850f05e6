"""Reductions along axes that leave out what is not a number, for compiled code."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.extending import overload

from srcad.runtime.reducers import above
from srcad.runtime.reductions import Axes, _compile_along, _fractional, _own, sum_along, summed


def nansum_along(a: np.ndarray, axis: Axes) -> Any:
    """`np.nansum` along constant axes.

    >>> nansum_along(np.array([[1.0, np.nan], [5.0, 5.0]]), 0)
    array([6., 5.])
    """
    return np.nansum(a, axis=axis)


def numbers_along(a: np.ndarray, axis: Axes) -> Any:
    """How many are numbers, along constant axes.

    >>> numbers_along(np.array([[1.0, np.nan], [5.0, 5.0]]), 0)
    array([2., 1.])
    """
    return np.sum(np.where(np.isnan(a), np.zeros_like(a), np.ones_like(a)), axis=axis)


def nanmean_along(a: np.ndarray, axis: Axes) -> Any:
    """`np.nanmean` along constant axes."""
    return np.nanmean(a, axis=axis)


def nanmax_along(a: np.ndarray, axis: Axes) -> Any:
    """`np.nanmax` along constant axes."""
    return np.nanmax(a, axis=axis)


def nanmin_along(a: np.ndarray, axis: Axes) -> Any:
    """`np.nanmin` along constant axes."""
    return np.nanmin(a, axis=axis)


_compile_along(nansum_along, lambda x: x if x == x else 0, lambda total, x: total + (x if x == x else 0), summed, 0,
               join=operator.add, rest=sum_along)  # fmt: skip
_compile_along(numbers_along, lambda x: 1.0 if x == x else 0.0, lambda total, x: total + (1.0 if x == x else 0.0),
               _fractional, 0, join=operator.add, rest=sum_along)  # fmt: skip
_compile_along(nanmax_along, lambda x: x, lambda total, x: x if above(x, total) or total != total else total, _own,
               several=True)  # fmt: skip
_compile_along(nanmin_along, lambda x: x, lambda total, x: x if above(total, x) or total != total else total, _own,
               several=True)  # fmt: skip


@overload(nanmean_along, prefer_literal=True)
def _nanmean_along(a, axis):
    return lambda a, axis: np.divide(nansum_along(a, axis), numbers_along(a, axis))
