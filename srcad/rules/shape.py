"""Functions that rearrange elements."""

import numpy as np

from srcad.rules.axes import inverse, item, length, moved, one_axis, piece, piece_of, swapped
from srcad.rules.grids import is_grid, rows_of
from srcad.rules.joining import as_rows, as_vectors, has_numbers, mixed_ranks
from srcad.rules.rule import lowers, rule
from srcad.runtime import grid, reshaped


@rule(np.copy, np.asarray, np.asanyarray, np.asarray_chkfinite, np.ascontiguousarray, np.asfortranarray)
def copy(y, a, *options):
    y.dot = np.copy(a.dot) if a.ndim > 0 else a.dot
    a.bar += y.bar


@rule(np.transpose)
def transpose(y, a, axes=None):
    y.dot = np.transpose(a.dot, axes=axes)
    a.bar += y.bar.T if axes is None else np.transpose(y.bar, inverse(axes))


@rule(np.swapaxes)
def swapaxes(y, a, axis1, axis2):
    y.dot = np.transpose(a.dot, swapped(a.ndim, axis1, axis2))
    a.bar += np.transpose(y.bar, swapped(a.ndim, axis1, axis2))


@rule(np.moveaxis)
def moveaxis(y, a, source, destination):
    y.dot = np.transpose(a.dot, moved(a.ndim, source, destination))
    a.bar += np.transpose(y.bar, inverse(moved(a.ndim, source, destination)))


@rule(np.reshape)
def reshape(y, a, shape, order="C"):
    if order != "C":
        raise AssertionError("np.reshape has a rule for order='C' only")
    y.dot = np.reshape(a.dot, shape)
    a.bar += np.reshape(y.bar, a.shape)


@rule(reshaped)
def _(y, a, shape):
    y.dot = np.reshape(a.dot, shape)
    a.bar += np.reshape(y.bar, a.shape)


@rule(np.ravel, np.ndarray.flatten)
def ravel(y, a, order="C"):
    if order != "C":
        raise AssertionError("np.ravel has a rule for order='C' only")
    y.dot = np.ravel(a.dot)
    a.bar += np.reshape(y.bar, a.shape) if a.ndim != 1 else y.bar


@rule(np.squeeze)
def squeeze(y, a, axis=None):
    y.dot = np.squeeze(a.dot, axis=axis)
    a.bar += np.reshape(y.bar, a.shape)


@rule(np.expand_dims)
def expand_dims(y, a, axis):
    y.dot = np.expand_dims(a.dot, axis)
    a.bar += np.reshape(y.bar, a.shape)


@rule(np.atleast_1d, np.atleast_2d, np.atleast_3d)
def atleast(y, a):
    y.dot = np.reshape(a.dot, y.shape)
    a.bar += np.reshape(y.bar, a.shape) if y.ndim > a.ndim else y.bar


@rule(np.broadcast_to)
def broadcast_to(y, array, shape):
    y.dot = np.broadcast_to(array.dot, shape)
    array.bar += y.bar


@rule(np.flip)
def flip(y, m, axis=None):
    y.dot = np.flip(m.dot, axis=axis)
    m.bar += np.flip(y.bar, axis=axis)


@rule(np.flipud)
def flipud(y, m):
    y.dot = np.flipud(m.dot)
    m.bar += np.flipud(y.bar)


@rule(np.fliplr)
def fliplr(y, m):
    y.dot = np.fliplr(m.dot)
    m.bar += np.fliplr(y.bar)


@rule(np.tril)
def tril(y, m, k=0):
    y.dot = np.tril(m.dot, k=k)
    m.bar += np.tril(y.bar, k=k)


@rule(np.triu)
def triu(y, m, k=0):
    y.dot = np.triu(m.dot, k=k)
    m.bar += np.triu(y.bar, k=k)


# ---------------------------------------------------------------- joining


@rule(np.concatenate)
def concatenate(y, arrays, axis=0):
    if axis is None:
        raise AssertionError("the library makes vectors of the arrays")
    y.dot = np.concatenate(arrays.dot, axis=axis)
    for k, x in enumerate(arrays):
        x.bar += piece_of(y.bar, one_axis(axis, x.ndim), arrays, k)


@rule(np.stack)
def stack(y, arrays, axis=0):
    y.dot = np.stack(arrays.dot, axis=axis)
    for i, x in enumerate(arrays):
        x.bar += item(y.bar, one_axis(axis, x.ndim + 1), i)


@rule(np.hstack)
def hstack(y, tup):
    y.dot = np.hstack(tup.dot)
    start = 0
    for x in tup:
        along = 0 if x.ndim < 2 else 1
        stop = start + (1 if x.ndim == 0 else length(x, along))
        x.bar += y.bar[start] if x.ndim == 0 else piece(y.bar, along, start, stop)
        start = stop


@rule(np.vstack)
def vstack(y, tup):
    y.dot = np.vstack(tup.dot)
    start = 0
    for x in tup:
        stop = start + (1 if x.ndim < 2 else length(x, 0))
        x.bar += y.bar[start] if x.ndim < 2 else piece(y.bar, 0, start, stop)
        start = stop


@rule(np.column_stack)
def column_stack(y, tup):
    y.dot = np.column_stack(tup.dot)
    start = 0
    for x in tup:
        stop = start + (1 if x.ndim < 2 else length(x, 1))
        x.bar += y.bar[:, start] if x.ndim < 2 else piece(y.bar, 1, start, stop)
        start = stop


# ---------------------------------------------------------------- how Numba compiles them


@lowers(np.concatenate)
def compiled_concatenate(arrays, axis=0):
    if is_grid(arrays, axis):
        return grid(rows_of(arrays))


@lowers(np.vstack)
def compiled_vstack(tup):
    if is_grid(tup, 0):
        return grid(rows_of(tup))
    if mixed_ranks(tup):
        return np.concatenate(as_rows(tup))


@lowers(np.hstack)
def compiled_hstack(tup):
    if has_numbers(tup):
        return np.concatenate(as_vectors(tup))


@lowers(np.stack)
def compiled_stack(arrays, axis=0):
    if has_numbers(arrays):
        return np.concatenate(as_vectors(arrays))
