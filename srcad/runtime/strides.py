"""How the elements of an array lie in memory: whether another shape of them is a view."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload, register_jitable
from numpy.lib.stride_tricks import as_strided


def in_c_order(a: np.ndarray) -> bool:
    """Whether the elements lie one behind the other in the order of the indices, so that `np.ravel` is a view.

    >>> a = np.zeros((4, 3))
    >>> in_c_order(a[1:3]), in_c_order(a.T), in_c_order(a[:, :1])
    (True, False, False)
    """
    return bool(a.flags.c_contiguous)


@overload(in_c_order)
def _in_c_order(a):
    return lambda a: a.flags.c_contiguous


def transposed(a: np.ndarray) -> np.ndarray:
    """The transpose of a matrix, in memory of its own.

    >>> transposed(np.array([[1.0, 2.0]])).flags.c_contiguous
    True
    """
    return np.array(a.T, order="C")


@overload(transposed)
def _transposed(a):
    def turned(a):
        result = np.empty((a.shape[1], a.shape[0]), a.dtype)
        for i in range(a.shape[1]):
            for j in range(a.shape[0]):
                result[i, j] = a[j, i]
        return result

    return turned


def reshapes_in_place(a: np.ndarray, shape: Any) -> bool:
    """Whether ``np.reshape(a, shape)`` is a view: axes are taken apart, and joined only where they follow evenly.

    >>> a = np.zeros((4, 6))
    >>> reshapes_in_place(a[:, ::2], 12), reshapes_in_place(a[:, :3], (-1,)), reshapes_in_place(a.T, (2, 3, 4))
    (True, False, True)
    """
    return bool(_steps(a, _lengths(a.size, shape if isinstance(shape, tuple) else (shape,)))[0] >= 0)


@overload(reshapes_in_place)
def _reshapes_in_place(a, shape):
    if isinstance(shape, types.Integer):
        return lambda a, shape: _steps(a, _lengths(a.size, (shape,)))[0] >= 0
    return lambda a, shape: _steps(a, _lengths(a.size, shape))[0] >= 0


def reshaped(a: np.ndarray, shape: Any) -> np.ndarray:
    """``np.reshape(a, shape)`` if that is a view, else an array without elements.

    >>> x = np.zeros(8)
    >>> reshaped(x[::2], (2, -1))[1, 0] = 1.0
    >>> x
    array([0., 0., 0., 0., 1., 0., 0., 0.])
    >>> reshaped(np.zeros((2, 3)).T, 6)
    array([], dtype=float64)
    """
    if reshapes_in_place(a, shape):
        return np.reshape(a, shape)
    return np.empty((0,) * (len(shape) if isinstance(shape, tuple) else 1), a.dtype)


@overload(reshaped)
def _reshaped(a, shape):
    if isinstance(shape, types.Integer):
        return lambda a, shape: reshaped(a, (shape,))
    rank = len(shape)
    if rank == 0:
        return lambda a, shape: as_strided(a, shape, shape)

    def view(a, shape):
        lengths = _lengths(a.size, shape)
        steps = _steps(a, lengths)
        dims = strides = shape
        for k in range(rank):
            dims = tuple_setitem(dims, k, lengths[k] if steps[0] >= 0 else 0)
            strides = tuple_setitem(strides, k, steps[k + 1])
        return as_strided(a, dims, strides)

    return view


def zeros_as(a: np.ndarray) -> np.ndarray:
    """Zeros that lie in memory as the elements of `a` do: the axes in the same order, and backwards where they are.

    >>> zeros_as(np.ones((2, 3)).T[::-1]).strides
    (-8, 24)
    """
    steps, first = _dense(a)
    return as_strided(np.zeros(a.size, a.dtype)[first:], a.shape, tuple(steps))


@overload(zeros_as)
def _zeros_as(a):
    rank = a.ndim

    def made(a):
        steps, first = _dense(a)
        strides = a.strides
        for k in range(rank):
            strides = tuple_setitem(strides, k, steps[k])
        return as_strided(np.zeros(a.size, a.dtype)[first:], a.shape, strides)

    return made


@register_jitable
def _dense(a):
    """The strides of an array without gaps that lies as `a` does, and the place of its first element in memory."""
    steps = np.zeros(a.ndim, np.int64)
    step, first = a.itemsize, 0
    for _ in range(a.ndim):
        axis = -1  # of those left, the one whose elements are nearest to each other
        for k in range(a.ndim - 1, -1, -1):
            if steps[k] == 0 and (axis < 0 or abs(a.strides[k]) < abs(a.strides[axis])):
                axis = k
        steps[axis] = step
        if a.strides[axis] < 0:
            steps[axis] = -step
            first += (a.shape[axis] - 1) * step // a.itemsize
        step *= max(a.shape[axis], 1)
    return steps, max(first, 0)


@register_jitable
def _lengths(size, shape):
    """The lengths of a shape, one of which may be -1 for what remains."""
    lengths = np.ones(len(shape), np.int64)
    rest = size
    for k, length in enumerate(shape):
        lengths[k] = length
        if length > 0:
            rest //= length
    return np.where(lengths < 0, rest, lengths)


@register_jitable
def _steps(a, lengths):
    """The strides of an array in another shape, behind a number that is negative if it cannot be a view."""
    steps = np.zeros(len(lengths) + 1, np.int64)
    old = 0  # the next axis of the array
    left = 1  # elements of the axes before it that are still to be dealt out, `step` bytes apart
    step = 0
    for new in range(len(lengths) if a.size else 0):
        while left % lengths[new] != 0:
            while old < a.ndim and a.shape[old] == 1:
                old += 1
            if old == a.ndim or left > 1 and step != a.shape[old] * a.strides[old]:
                steps[0] = -1
                return steps
            left *= a.shape[old]
            step = a.strides[old]
            old += 1
        left //= lengths[new]
        steps[new + 1] = step * left
    return steps
