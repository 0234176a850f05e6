"""Products of all elements but one, and diagonals."""

from __future__ import annotations

from typing import Union

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

Axes = Union[int, tuple[int, ...], None]


def product_of_others(a: np.ndarray, axis: Axes = None) -> np.ndarray:
    """For each element, the product of the others along the axes: the derivative of `np.prod`, zeros included.

    >>> product_of_others(np.array([2.0, 0.0, 5.0]))
    array([ 0., 10.,  0.])
    """
    axes = range(a.ndim) if axis is None else np.atleast_1d(axis) % a.ndim
    order = [*(n for n in range(a.ndim) if n not in axes), *axes]
    if not a.size:
        return np.empty_like(a)
    rows = a.transpose(order).reshape(-1, int(np.prod([a.shape[n] for n in axes])))
    result = np.empty_like(rows)
    for row in range(rows.shape[0]):
        result[row, :1] = 1.0
        result[row, 1:] = np.cumprod(rows[row, :-1])
        result[row, :-1] *= np.cumprod(rows[row, :0:-1])[::-1]
    return result.reshape([a.shape[n] for n in order]).transpose(np.argsort(order))


@overload(product_of_others)
def _product_of_others(a, axis=None):
    if isinstance(axis, types.Integer):
        return lambda a, axis=None: _others_along(a, axis)
    if isinstance(axis, types.BaseTuple):
        if len(axis) == 0:
            return lambda a, axis=None: np.ones(a.shape, a.dtype)
        return lambda a, axis=None: _others(a, axis)
    return lambda a, axis=None: _others_of_all(a)


@register_jitable
def _others_of_all(a):
    """One pass forward collects the products before each element, one back multiplies by those behind it."""
    result = np.empty(a.shape, a.dtype)
    before = 1.0
    for place, element in np.ndenumerate(a):
        result[place] = before
        before *= element
    behind = 1.0
    source, flat = a.ravel(), result.reshape(-1)
    for k in range(flat.size - 1, -1, -1):
        flat[k] *= behind
        behind *= source[k]
    return result


@register_jitable
def _others_along(a, axis):
    """As `_others_of_all`, with the running products of all lines side by side."""
    result, behind = np.empty(a.shape, a.dtype), 1
    if a.size == 0:
        return result
    axis %= a.ndim
    for k in range(axis + 1, a.ndim):
        behind *= a.shape[k]
    lines = (a.size // (a.shape[axis] * behind), a.shape[axis], behind)
    source, flat = np.ascontiguousarray(a).reshape(lines), result.reshape(lines)
    if behind == 1:
        _others_of_rows(source[:, :, 0], flat[:, :, 0])
        return result
    product = np.ones(behind, a.dtype)
    for i in range(lines[0]):
        product[:] = 1.0
        for j in range(lines[1]):
            for k in range(behind):
                flat[i, j, k] = product[k]
                product[k] *= source[i, j, k]
        product[:] = 1.0
        for j in range(lines[1] - 1, -1, -1):
            for k in range(behind):
                flat[i, j, k] *= product[k]
                product[k] *= source[i, j, k]
    return result


@register_jitable
def _others_of_rows(rows, result):
    for i in range(rows.shape[0]):
        before = behind = rows.dtype.type(1)
        for j in range(rows.shape[1]):
            result[i, j] = before
            before *= rows[i, j]
        for j in range(rows.shape[1] - 1, -1, -1):
            result[i, j] *= behind
            behind *= rows[i, j]


@register_jitable
def _others(a, axes):
    """As `_others_of_all`, with one running product for each group of elements that differ in `axes` only."""
    group, groups = _groups(a, axes)
    source, result = a.ravel(), np.empty(a.shape, a.dtype)
    flat, product = result.reshape(-1), np.ones(groups, a.dtype)
    for k in range(a.size):
        flat[k] = product[group[k]]
        product[group[k]] *= source[k]
    product[:] = 1.0
    for k in range(a.size - 1, -1, -1):
        flat[k] *= product[group[k]]
        product[group[k]] *= source[k]
    return result


@register_jitable
def _groups(a, axes):
    """For each element the number of its group, those that differ in `axes` only; and the number of groups."""
    strides = np.ones(a.ndim, np.intp)
    for axis in axes:
        strides[axis] = 0
    groups = 1
    for axis in range(a.ndim - 1, -1, -1):
        if strides[axis]:
            strides[axis] = groups
            groups *= a.shape[axis]
    group = np.zeros(a.size, np.intp)
    for k, (place, _) in enumerate(np.ndenumerate(a)):
        for axis in range(a.ndim):
            group[k] += place[axis] * strides[axis]
    return group, groups


def products_of_others_dot(a: np.ndarray, moved: np.ndarray, axis: Axes = None) -> np.ndarray:
    """How `product_of_others` moves when `a` moves along `moved`: products of all elements but two, zeros included.

    >>> products_of_others_dot(np.array([2.0, 0.0, 5.0]), np.array([0.0, 1.0, 0.0]))
    array([5., 0., 2.])
    """
    axes = tuple(range(a.ndim)) if axis is None else tuple(int(n) for n in np.atleast_1d(axis) % a.ndim)
    return _others_dot(a, np.broadcast_to(moved, a.shape), axes)


@overload(products_of_others_dot)
def _products_of_others_dot(a, moved, axis=None):
    if isinstance(axis, types.Integer):
        return lambda a, moved, axis=None: _others_dot(a, np.broadcast_to(moved, a.shape), (axis,))
    if isinstance(axis, types.BaseTuple):
        if len(axis) == 0:
            return lambda a, moved, axis=None: np.zeros(a.shape, a.dtype)
        return lambda a, moved, axis=None: _others_dot(a, np.broadcast_to(moved, a.shape), axis)
    every = tuple(range(a.ndim))
    return lambda a, moved, axis=None: _others_dot(a, np.broadcast_to(moved, a.shape), every)


@register_jitable
def _others_dot(a, moved, axes):
    """As `_others`, with how each running product moves beside it."""
    group, groups = _groups(a, axes)
    source, moves, result = a.ravel(), moved.ravel(), np.empty(a.shape, a.dtype)
    before, flat = np.empty(a.size, a.dtype), result.reshape(-1)
    product, product_dot = np.ones(groups, a.dtype), np.zeros(groups, a.dtype)
    for k in range(a.size):
        before[k], flat[k] = product[group[k]], product_dot[group[k]]
        product_dot[group[k]] = product_dot[group[k]] * source[k] + product[group[k]] * moves[k]
        product[group[k]] *= source[k]
    product[:], product_dot[:] = 1.0, 0.0
    for k in range(a.size - 1, -1, -1):
        flat[k] = flat[k] * product[group[k]] + before[k] * product_dot[group[k]]
        product_dot[group[k]] = product_dot[group[k]] * source[k] + product[group[k]] * moves[k]
        product[group[k]] *= source[k]
    return result


@register_jitable
def on_diagonal(values: np.ndarray, like: np.ndarray, k: int = 0) -> np.ndarray:
    """A matrix of the shape of `like` with `values` on its k-th diagonal and zeros elsewhere.

    >>> on_diagonal(np.array([1.0, 2.0]), np.zeros((2, 3)), 1)
    array([[0., 1., 0.],
           [0., 0., 2.]])
    """
    result = np.zeros(like.shape, values.dtype)
    for i in range(values.shape[0]):
        result[i - min(k, 0), i + max(k, 0)] = values[i]
    return result
