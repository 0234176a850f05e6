"""Reductions along axes that Numba has for whole arrays only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype

from srcad.runtime.reducers import above, reducer

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


def sum_along(a: np.ndarray, axis: Axes) -> np.ndarray:
    """`np.sum` along constant axes.

    >>> sum_along(np.array([[1.0, 3.0], [5.0, 5.0]]), 0)
    array([6., 8.])
    """
    return np.sum(a, axis=axis)


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
#
# An array is seen as one with three axes, of which the middle one is reduced: those before it and those behind it lie
# together in memory. Where something is behind, whole lines are reduced at once, in the order of memory.


def axes_along(axis: Any, ndim: int) -> tuple[int, ...] | None:
    """The axes that a Numba type stands for, counted from the front."""
    literals: Any = axis if isinstance(axis, types.BaseTuple) else (axis,)
    if not all(isinstance(literal, types.IntegerLiteral) for literal in literals):
        return None
    return tuple(sorted(literal.literal_value % ndim for literal in literals))


def _own(a: types.Array) -> np.dtype:
    return as_dtype(a.dtype)


def summed(a: types.Array) -> np.dtype:
    return np.prod(np.ones(1, as_dtype(a.dtype))).dtype


def _fractional(a: types.Array) -> np.dtype:
    return np.mean(np.ones(1, as_dtype(a.dtype))).dtype


def blocked_about(a: types.Array, axes: tuple[int, ...]) -> Callable:
    """What gives an array three axes: before, reduced, behind; behind are none if the reduced ones are apart."""
    n = a.ndim
    first, last = (axes[0], axes[-1] + 1) if axes else (n, n)
    order = (*(k for k in range(n) if k not in axes), *axes)
    together = last - first == len(axes)
    start, stop = (first, last) if together else (n - len(axes), n)
    lain = register_jitable(
        (lambda a: np.ascontiguousarray(a)) if together else lambda a: np.ascontiguousarray(np.transpose(a, order))
    )

    @register_jitable
    def blocked(a):
        source = lain(a)
        before, middle, behind = 1, 1, 1
        for k in range(n):
            length = source.shape[k]
            before = before * length if k < start else before
            middle = middle * length if start <= k < stop else middle
            behind = behind * length if k >= stop else behind
        return source.reshape((before, middle, behind))

    return blocked


@register_jitable
def _divided(result, count):
    result /= count


@register_jitable
def _left(result, count):
    pass


def _compile_along(
    public: Callable, begin: Callable, step: Callable, dtype_of: Callable, empty: Any = None, mean: bool = False,
    join: Callable | None = None, several: bool = False, logical: bool = False, rest: Callable | None = None,
) -> None:
    """Compile a reduction; of no elements it gives `empty`, or raises an error. `rest` reduces totals, if given."""
    joined = join and register_jitable(join)
    beginning, stepping = register_jitable(begin), register_jitable(step)
    by_last = {last: reducer(beginning, stepping, joined, several, logical, last) for last in (False, True)}
    nothing = 0 if empty is None else empty
    finish, others_of = _divided if mean else _left, rest or public

    def build(a, axis):
        axes = axes_along(axis, a.ndim)
        if axes is None:
            return None
        turned = tuple(a.ndim - 1 - k for k in axes)
        if a.layout == "F" and len(axes) < a.ndim:
            return lambda a, axis: public(a.T, turned).T
        first = tuple(k for place, k in enumerate(axes) if k - place == axes[0])  # lines, which vector instructions add
        others = tuple(k - len(first) for k in axes[len(first) :])
        if others:
            return lambda a, axis: others_of(public(a, first), others)
        dtype, blocked = dtype_of(a), blocked_about(a, axes)
        shaped = shaper(tuple(k for k in range(a.ndim) if k not in axes))
        reduced = by_last[not axes or axes[-1] == a.ndim - 1]

        def along(a, axis):
            source = blocked(a)
            result = np.empty((source.shape[0], source.shape[2]), dtype)
            if source.shape[1] > 0:
                reduced(source, result)
            elif empty is None and result.size > 0:
                raise ValueError("a reduction of no elements")
            else:
                result[:] = nothing
            finish(result, source.shape[1])
            return shaped(a, result)

        return along

    overload(public, prefer_literal=True)(build)


def shaper(kept: tuple[int, ...]) -> Callable:
    """What gives a result the axes of an array that were kept; a number where there are none."""
    if not kept:
        return register_jitable(lambda a, result: result[0, 0])
    if len(kept) == 1:
        return register_jitable(lambda a, result: result.reshape(-1))
    from numba.cpython.unsafe.tuple import tuple_setitem

    blank = (0,) * len(kept)

    @register_jitable
    def shaped(a, result):
        shape = blank
        for k in range(len(blank)):
            shape = tuple_setitem(shape, k, a.shape[kept[k]])
        return result.reshape(shape)

    return shaped


@overload(var_along, prefer_literal=True)
def _var_along(a, axis, ddof):
    axes = axes_along(axis, a.ndim)
    if axes is None:
        return None
    dtype, blocked = _fractional(a), blocked_about(a, axes)
    real = np.zeros(0, dtype).real.dtype
    shaped = shaper(tuple(k for k in range(a.ndim) if k not in axes))
    square = _of_complex if isinstance(a.dtype, types.Complex) else _of_real

    def along(a, axis, ddof):
        source = blocked(a)
        before, count, behind = source.shape
        means = np.zeros((before, behind), dtype)
        result = np.zeros((before, behind), real)
        _SUM(source, means)
        means /= count
        for i in range(before):
            if behind == 1:
                mean, total = means[i, 0], result.dtype.type(0)
                for k in range(count):
                    total += square(source[i, k, 0] - mean)
                result[i, 0] = total
            else:
                for k in range(count):
                    for j in range(behind):
                        result[i, j] += square(source[i, k, j] - means[i, j])
        result /= max(count - ddof, 0)
        return shaped(a, result)

    return along


_of_real = register_jitable(lambda x: x * x)
_of_complex = register_jitable(lambda x: x.real * x.real + x.imag * x.imag)
_SUM = reducer(register_jitable(lambda x: x), register_jitable(lambda total, x: total + x))
_compile_along(sum_along, lambda x: x, lambda total, x: total + x, summed, 0, several=True)
_compile_along(mean_along, lambda x: x, lambda total, x: total + x, _fractional, np.nan, mean=True, several=True)
_compile_along(prod_along, lambda x: x, lambda total, x: total * x, summed, 1, several=True)
_compile_along(max_along, lambda x: x, lambda total, x: x if above(x, total) or x != x else total, _own, several=True)
_compile_along(min_along, lambda x: x, lambda total, x: x if above(total, x) or x != x else total, _own, several=True)
_compile_along(any_along, lambda x: x != 0, lambda total, x: total | (x != 0), lambda a: np.dtype(bool), False,
               logical=True)  # fmt: skip
_compile_along(all_along, lambda x: x != 0, lambda total, x: total & (x != 0), lambda a: np.dtype(bool), True,
               logical=True)  # fmt: skip
