"""Reductions along axes that Numba has for whole arrays only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype

Axes = Union[int, tuple[int, ...]]


def max_along(a: np.ndarray, axis: Axes) -> np.ndarray:
    """`np.max` along constant axes."""
    return np.max(a, axis=axis)


def min_along(a: np.ndarray, axis: Axes) -> np.ndarray:
    """`np.min` along constant axes."""
    return np.min(a, axis=axis)


def prod_along(a: np.ndarray, axis: Axes) -> np.ndarray:
    """`np.prod` along constant axes."""
    return np.prod(a, axis=axis)


def any_along(a: np.ndarray, axis: Axes) -> np.ndarray:
    """`np.any` along constant axes."""
    return np.any(a, axis=axis)


def all_along(a: np.ndarray, axis: Axes) -> np.ndarray:
    """`np.all` along constant axes."""
    return np.all(a, axis=axis)


def mean_along(a: np.ndarray, axis: Axes) -> np.ndarray:
    """`np.mean` along constant axes."""
    return np.mean(a, axis=axis)


def var_along(a: np.ndarray, axis: Axes, ddof: float) -> np.ndarray:
    """`np.var` along constant axes.

    >>> var_along(np.array([[1.0, 3.0], [5.0, 5.0]]), 1, 0)
    array([1., 0.])
    """
    return np.var(a, axis=axis, ddof=ddof)


# ---------------------------------------------------------------- compiled


@register_jitable
def _variance(v, ddof):
    mean = np.mean(v)
    total = 0.0
    for x in v:
        total += (x - mean) ** 2
    return total / (v.size - ddof)


def _axes(axis: Any, ndim: int) -> tuple[int, ...] | None:
    """The axes that a Numba type stands for, counted from the front."""
    literals: Any = axis if isinstance(axis, types.BaseTuple) else (axis,)
    if not all(isinstance(literal, types.IntegerLiteral) for literal in literals):
        return None
    return tuple(literal.literal_value % ndim for literal in literals)


def _own(a: types.Array) -> np.dtype:
    return as_dtype(a.dtype)


def _summed(a: types.Array) -> np.dtype:
    return np.prod(np.ones(1, as_dtype(a.dtype))).dtype


def _fractional(a: types.Array) -> np.dtype:
    return np.mean(np.ones(1, as_dtype(a.dtype))).dtype


def _compile_along(public: Callable, reduce: Callable, dtype_of: Callable) -> None:
    """Give a function the compiled form that reduces the vector of all elements along the axes, place by place."""

    def build(a, axis, *options):
        axes = _axes(axis, a.ndim)
        if axes is None:
            return None
        dtype = dtype_of(a)
        kept = tuple(k for k in range(a.ndim) if k not in axes)
        rank, order = len(kept), kept + axes
        if not kept:
            return lambda a, axis, *options: reduce(np.ravel(a), *options)

        def along(a, axis, *options):
            front = np.transpose(a, order)
            shape = front.shape[:rank]
            result = np.empty(shape, dtype)
            for place in np.ndindex(shape):
                result[place] = reduce(np.ravel(front[place]), *options)
            return result

        return along

    overload(public, prefer_literal=True)(build)


_compile_along(max_along, register_jitable(lambda v: np.max(v)), _own)
_compile_along(min_along, register_jitable(lambda v: np.min(v)), _own)
_compile_along(prod_along, register_jitable(lambda v: np.prod(v)), _summed)
_compile_along(any_along, register_jitable(lambda v: np.any(v)), lambda a: np.dtype(bool))
_compile_along(all_along, register_jitable(lambda v: np.all(v)), lambda a: np.dtype(bool))
_compile_along(mean_along, register_jitable(lambda v: np.mean(v)), _fractional)
_compile_along(var_along, _variance, _fractional)
