"""The places of extremes along an axis, for compiled code: in rows, calls of NumPy's own C functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload, register_jitable

from srcad.runtime.published import external
from srcad.runtime.reducers import above
from srcad.runtime.reductions import axes_along, blocked_about, shaper


def argmax_along(a: np.ndarray, axis: int) -> Any:
    """`np.argmax` along a constant axis.

    >>> argmax_along(np.array([[3.0, 1.0], [2.0, np.nan]]), 1)
    array([0, 1])
    """
    return np.argmax(a, axis=axis)


def argmin_along(a: np.ndarray, axis: int) -> Any:
    """`np.argmin` along a constant axis."""
    return np.argmin(a, axis=axis)


# ---------------------------------------------------------------- compiled


def _compile_place(public: Callable, better: Callable) -> None:
    """Compile what gives the first place of an extreme, or of what is not a number."""
    better, name = register_jitable(better), public.__name__.partition("_")[0]

    def build(a, axis):
        axes = axes_along(axis, a.ndim)
        if axes is None:
            return None
        blocked, shaped = blocked_about(a, axes), shaper(tuple(k for k in range(a.ndim) if k not in axes))
        found = external(name, a.dtype)

        @register_jitable
        def lines(source, result):
            best = np.empty_like(source[0, 0])
            for i in range(source.shape[0]):
                best[:] = source[i, 0]
                places = result[i]
                places[:] = 0
                for k in range(1, source.shape[1]):
                    row = source[i, k]
                    for j in range(row.size):
                        wins = better(row[j], best[j]) | ((row[j] != row[j]) & (best[j] == best[j]))
                        best[j] = row[j] if wins else best[j]
                        places[j] = k if wins else places[j]

        def along(a, axis):
            source = blocked(a)
            if source.shape[1] == 0 and source.shape[0] * source.shape[2] > 0:
                raise ValueError("the place of an extreme of no elements")
            result = np.empty((source.shape[0], source.shape[2]), np.int64)
            if found is not None and source.shape[2] == 1:
                for i in range(source.shape[0]):
                    row = source[i]
                    found(row.ctypes.data, source.shape[1], result[i].ctypes.data, 0)
            elif result.size > 0:
                lines(source, result)
            return shaped(a, result)

        return along

    overload(public, prefer_literal=True)(build)


_compile_place(argmax_along, lambda x, best: above(x, best))
_compile_place(argmin_along, lambda x, best: above(best, x))
