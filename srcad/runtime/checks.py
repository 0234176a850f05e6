"""What `debug` and `nan_check` check while a derivative runs: indices, shapes, and that numbers are finite."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable


def check_index(array: np.ndarray, axis: int, index: Any, what: str, where: str) -> None:
    """Raise an `IndexError` unless an index, or each of an array of them, is within an axis.

    >>> check_index(np.zeros(3), 0, -4, "x", "in line 1")
    Traceback (most recent call last):
    IndexError: index -4 is out of bounds for axis 0 of x, which has size 3, in line 1
    """
    for one in np.ravel(index):
        _check_one(array.shape[axis], axis, int(one), what, where)


@register_jitable
def _check_one(size, axis, index, what, where):
    if index < -size or index >= size:
        message = "index " + str(index) + " is out of bounds for axis " + str(axis) + " of " + what
        raise IndexError(message + ", which has size " + str(size) + ", " + where)


@overload(check_index)
def _check_index(array, axis, index, what, where):
    if isinstance(index, types.Array):

        def each(array, axis, index, what, where):
            for one in index.flat:
                _check_one(array.shape[axis], axis, one, what, where)

        return each
    return lambda array, axis, index, what, where: _check_one(array.shape[axis], axis, index, what, where)


@register_jitable
def check_mask(shape: tuple[int, ...], axis: int, mask: tuple[int, ...], where: str) -> None:
    """Raise an `IndexError` unless a mask of one shape fits the axes of an array, from `axis` on.

    >>> check_mask((3, 2), 0, (2,), "in line 1")
    Traceback (most recent call last):
    IndexError: boolean index did not match: axis 0 has size 3, that of the mask 2, in line 1
    """
    for k in range(len(mask)):
        if shape[axis + k] != mask[k]:
            sizes = " has size " + str(shape[axis + k]) + ", that of the mask " + str(mask[k])
            raise IndexError("boolean index did not match: axis " + str(axis + k) + sizes + ", " + where)


@register_jitable
def check_shapes(a: tuple[int, ...], b: tuple[int, ...], where: str) -> None:
    """Raise a `ValueError` unless two shapes broadcast together.

    >>> check_shapes((2, 3), (2,), "in line 1")
    Traceback (most recent call last):
    ValueError: shapes (2, 3) and (2,) do not broadcast together, in line 1
    """
    for k in range(1, min(len(a), len(b)) + 1):
        if a[len(a) - k] != b[len(b) - k] and a[len(a) - k] != 1 and b[len(b) - k] != 1:
            raise ValueError("shapes " + _text(a) + " and " + _text(b) + " do not broadcast together, " + where)


@register_jitable
def check_product(a: tuple[int, ...], b: tuple[int, ...], where: str) -> None:
    """Raise a `ValueError` unless arrays of these shapes have a matrix product.

    >>> check_product((2, 3), (2,), "in line 1")
    Traceback (most recent call last):
    ValueError: shapes (2, 3) and (2,) have no matrix product, in line 1
    """
    if a[len(a) - 1] != b[max(len(b) - 2, 0)]:
        raise ValueError("shapes " + _text(a) + " and " + _text(b) + " have no matrix product, " + where)


@register_jitable
def _text(shape):
    text = ""
    for n in shape:
        text += (", " if text else "") + str(n)
    return "(" + text + (",)" if len(shape) == 1 else ")")


def check_finite(value: Any, what: str, where: str) -> None:
    """Raise a `FloatingPointError` at NaN and infinities.

    >>> check_finite(np.array([1.0, np.inf]), "y", "in line 1")
    Traceback (most recent call last):
    FloatingPointError: y is infinite, in line 1
    """
    check_nan(value, what, where)
    if np.any(np.isinf(value)):
        raise FloatingPointError(what + " is infinite, " + where)


def check_nan(value: Any, what: str, where: str) -> None:
    """Raise a `FloatingPointError` at NaN.

    >>> check_nan(np.nan, "y", "in line 1")
    Traceback (most recent call last):
    FloatingPointError: y is nan, in line 1
    """
    if np.any(np.isnan(value)):
        raise FloatingPointError(what + " is nan, " + where)


@register_jitable
def _finite(one, what, where):
    _no_nan(one, what, where)
    if np.isinf(one):
        raise FloatingPointError(what + " is infinite, " + where)


@register_jitable
def _no_nan(one, what, where):
    if np.isnan(one):
        raise FloatingPointError(what + " is nan, " + where)


def _compile(public, check_one):
    def build(value, what, where):
        if not isinstance(value, types.Array):
            return lambda value, what, where: check_one(value, what, where)

        def each(value, what, where):
            for one in value.flat:
                check_one(one, what, where)

        return each

    overload(public)(build)


_compile(check_finite, _finite)
_compile(check_nan, _no_nan)
