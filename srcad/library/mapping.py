"""Functions of numbers on every element of arrays, and functions of vectors on every row."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import last


def first_of(x):
    return x if np.ndim(x) == 0 else np.ravel(x)[0]


def map_one(function, x):
    if np.ndim(x) == 0:
        return function(x)
    flat = np.ravel(x)
    mapped = np.zeros_like(1.0 * flat)
    for i in range(flat.size):
        mapped[i] = function(flat[i])
    return mapped.reshape(x.shape)


def map_two(function, x, y):
    if np.ndim(x) == 0 and np.ndim(y) == 0:
        return function(x, y)
    if np.ndim(y) == 0:
        return map_one(lambda element: function(element, y), x)
    if np.ndim(x) == 0:
        return map_one(lambda element: function(x, element), y)
    shape = np.broadcast_shapes(x.shape, y.shape)
    first, second = np.ravel(np.broadcast_to(x, shape)), np.ravel(np.broadcast_to(y, shape))
    mapped = np.zeros_like(1.0 * (first + second))
    for i in range(mapped.size):
        mapped[i] = function(first[i], second[i])
    return mapped.reshape(shape)


def map_three(function, x, y, z):
    if np.ndim(z) == 0:
        return map_two(lambda first, second: function(first, second, z), x, y)
    if np.ndim(y) == 0:
        return map_two(lambda first, third: function(first, y, third), x, z)
    if np.ndim(x) == 0:
        return map_two(lambda second, third: function(x, second, third), y, z)
    shape = np.broadcast_shapes(x.shape, y.shape, z.shape)
    first, second = np.ravel(np.broadcast_to(x, shape)), np.ravel(np.broadcast_to(y, shape))
    third = np.ravel(np.broadcast_to(z, shape))
    mapped = np.zeros_like(1.0 * (first + second + third))
    for i in range(mapped.size):
        mapped[i] = function(first[i], second[i], third[i])
    return mapped.reshape(shape)


MAPS = (map_one, map_two, map_three)
"""What a function of numbers does with one, two and three arrays, as `np.vectorize` has it."""


@instead_of(np.apply_along_axis)
def apply_along_axis(func1d, axis, arr, *args):
    if arr.ndim == 1:
        return func1d(arr, *args)
    ends = last(arr, axis)
    lead = ends.shape[:-1]
    rows = ends if arr.ndim == 2 else np.reshape(ends, (-1, ends.shape[-1]))
    first = func1d(rows[0], *args)
    if np.ndim(first) == 0:
        reduced = np.zeros_like(1.0 * rows[:, 0])
        for i in range(rows.shape[0]):
            reduced[i] = func1d(rows[i], *args)
        return reduced if arr.ndim == 2 else np.reshape(reduced, lead)
    mapped = np.zeros((rows.shape[0],) + first.shape, first.dtype)
    for i in range(rows.shape[0]):
        mapped[i] = func1d(rows[i], *args)
    if arr.ndim > 2:
        mapped = np.reshape(mapped, lead + first.shape)
    if axis == -1 or axis == arr.ndim - 1:
        return mapped
    if np.ndim(first) == 1:
        return np.moveaxis(mapped, -1, axis_of(axis, arr.ndim))
    if np.ndim(first) == 2:
        return np.moveaxis(mapped, (-2, -1), (axis_of(axis, arr.ndim), axis_of(axis, arr.ndim) + 1))
    return refuse("np.apply_along_axis of a function that returns more than a matrix", "a loop")
