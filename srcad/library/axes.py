"""Parts and forms of arrays, for the other files of the library."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, refuse

LAST = ((), (-1,), (-2, -1), (-3, -2, -1), (-4, -3, -2, -1), (-5, -4, -3, -2, -1))
"""The last axes, by their number."""


def after(a, axis):
    """All but the first along an axis."""
    return a[(slice(None),) * axis + (slice(1, None),)]


def before(a, axis):
    """All but the last along an axis."""
    return a[(slice(None),) * axis + (slice(None, -1),)]


def part(a, axis, start, stop):
    """Some of an array, along an axis."""
    return a[(slice(None),) * axis + (slice(start, stop),)]


def along(v, axis, ndim):
    """A vector that lies along one axis of an array."""
    return v[(None,) * axis + (slice(None),) + (None,) * (ndim - axis - 1)]


def edge(value, a, axis):
    """A number as an array of length one along an axis, otherwise of the shape of `a`."""
    if np.ndim(value) == 0:
        return np.full(a.shape[:axis] + (1,) + a.shape[axis + 1 :], value)
    return value


def row(value, like):
    """Something as a vector of the dtype of another."""
    return np.ravel(array_of(value)).astype(like.dtype)


def array_of(x):
    """A tuple of numbers as an array; anything else as it is."""
    return np.array(x) if isinstance(x, (tuple, list)) else x


def chosen(test, a, b):
    """``a`` where the test is true, else ``b``; for numbers and for arrays."""
    if np.ndim(test) == 0:
        return a if test else b
    return np.where(test, a, b)


def size_of(shape):
    """How many elements an array of a shape has."""
    if len(shape) == 0:
        return 1
    return shape[0] if len(shape) == 1 else shape[0] * size_of(shape[1:])


def last(a, axis):
    """An array with the elements of a reduction along its last axis."""
    if axis is None:
        return np.ravel(a)
    if isinstance(axis, (tuple, list)):
        moved = np.moveaxis(a, axis, LAST[len(axis)])
        lead = a.ndim - len(axis)
        return np.reshape(moved, moved.shape[:lead] + (size_of(moved.shape[lead:]),))
    return a if axis_of(axis, a.ndim) == a.ndim - 1 else np.moveaxis(a, axis, -1)


def kept(y, a, axis, keepdims):
    """The result of a reduction of `a`, with its axes if they are to be kept."""
    if not keepdims:
        return y
    return np.reshape(y, (1,) * a.ndim) if axis is None else np.expand_dims(y, axis)


def double(x):
    """Numbers in double precision."""
    return x if np.ndim(x) == 0 or x.dtype == np.float64 or x.dtype == np.complex128 else wide(x)


def wide(x):
    """Real or complex numbers in double precision."""
    return x.astype(np.complex128) if np.iscomplexobj(x) else x.astype(np.float64)


def cast(x, dtype, casting="same_kind"):
    """An array in another dtype; an imaginary part is dropped only where the call says so."""
    if np.iscomplexobj(x) and not np.iscomplexobj(np.zeros(1, dtype)) and casting != "unsafe":
        return refuse("a real dtype= for complex numbers", "np.real(z)")
    return x.astype(dtype)


def beside(a, number):
    """An array in the precision of a number beside it, where NumPy makes an array of 64 bits of that, too."""
    if np.ndim(number) > 0 or not (number.dtype == np.float64 or number.dtype == np.int64):
        return a
    if a.dtype == np.float32:
        return a.astype(np.float64)
    return a.astype(np.complex128) if a.dtype == np.complex64 else a


def conjugate(x):
    """The conjugate of complex numbers; real ones as they are."""
    return np.conj(x) if np.iscomplexobj(x) else x


def squared(x):
    """The squares of the absolute values."""
    return np.real(x) ** 2 + np.imag(x) ** 2 if np.iscomplexobj(x) else np.square(x)
