"""Rows of matrices side by side, on top of each other: put into one array at once."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable


def grid(rows: tuple[tuple[np.ndarray, ...], ...]) -> np.ndarray:
    """The matrices of each row side by side, and the rows on top of each other; or stacks of matrices.

    >>> grid(((np.zeros((1, 2)), np.ones((1, 1))), (np.ones((2, 1)), np.zeros((2, 2)))))
    array([[0., 0., 1.],
           [1., 0., 0.],
           [1., 0., 0.]])
    """
    return np.concatenate([np.concatenate(row, -1) for row in rows], -2)


# ---------------------------------------------------------------- compiled


@overload(grid)
def _grid(rows):
    dtype = np.result_type(*(np.dtype(part.dtype.name) for row in rows for part in row))
    ndim = rows[0][0].ndim
    if ndim == 2:

        def matrix(rows):
            result = np.empty((_height(rows), _width(rows[0])), dtype)
            _put_rows(result, rows, 0)
            return result

        return matrix

    def stack(rows):
        result = np.empty(rows[0][0].shape[:-2] + (_height(rows), _width(rows[0])), dtype)
        _put_rows(result, rows, 0)
        return result

    return stack


def _height(rows: tuple[tuple[np.ndarray, ...], ...]) -> int:
    return sum(row[0].shape[-2] for row in rows)


@overload(_height)
def _height_of_rows(rows):
    if len(rows) == 1:
        return lambda rows: rows[0][0].shape[-2]
    return lambda rows: rows[0][0].shape[-2] + _height(rows[1:])


def _width(row: tuple[np.ndarray, ...]) -> int:
    return sum(part.shape[-1] for part in row)


@overload(_width)
def _width_of_row(row):
    if len(row) == 1:
        return lambda row: row[0].shape[-1]
    return lambda row: row[0].shape[-1] + _width(row[1:])


def _put_rows(result: np.ndarray, rows: tuple[tuple[np.ndarray, ...], ...], top: int) -> None:
    """Put rows into an array, the first of them at `top`."""


@overload(_put_rows)
def _put_each_row(result, rows, top):
    if len(rows) == 1:
        return lambda result, rows, top: _put_row(result, rows[0], top, rows[0][0].shape[-2], 0)

    def first_and_others(result, rows, top):
        height = rows[0][0].shape[-2]
        _put_row(result, rows[0], top, height, 0)
        _put_rows(result, rows[1:], top + height)

    return first_and_others


def _put_row(result: np.ndarray, row: tuple[np.ndarray, ...], top: int, height: int, left: int) -> None:
    """Put the parts of a row into an array, the first of them at `left`."""


@overload(_put_row)
def _put_each_part(result, row, top, height, left):
    if len(row) == 1:

        def last(result, row, top, height, left):
            if left + row[0].shape[-1] != result.shape[-1]:
                raise ValueError("all rows of a grid must have one length")
            _put(result, row[0], top, height, left)

        return last

    def first_and_others(result, row, top, height, left):
        _put(result, row[0], top, height, left)
        _put_row(result, row[1:], top, height, left + row[0].shape[-1])

    return first_and_others


def _put(result: np.ndarray, part: np.ndarray, top: int, height: int, left: int) -> None:
    """Put one part into an array, with its upper left corner at a place."""


@overload(_put)
def _put_part(result, part, top, height, left):
    put = _put_matrix if part.ndim == 2 else _put_stack

    def checked(result, part, top, height, left):
        if part.shape[-2] != height or left + part.shape[-1] > result.shape[-1]:
            raise ValueError("arrays in a grid must agree in all but one length")
        put(result, part, top, left)

    return checked


@register_jitable
def _put_matrix(result, part, top, left):
    for i in range(part.shape[0]):
        row = result[top + i, left:]  # its subscripts are not negative, as LLVM sees
        for j in range(part.shape[1]):
            row[j] = part[i, j]


@register_jitable
def _put_stack(result, part, top, left):
    if part.shape[:-2] != result.shape[:-2]:
        raise ValueError("arrays in a grid must agree in all but one length")
    for place in np.ndindex(part.shape[:-2]):
        _put_matrix(result[place], part[place], top, left)
