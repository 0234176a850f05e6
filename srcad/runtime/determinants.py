"""How determinants move: products of pivots, with none left out where a pivot is zero."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable

from srcad.runtime.small_matrices import inverse_and_determinant, is_small


def cofactors(a: np.ndarray) -> np.ndarray:
    """How `np.linalg.det` moves with each element of a matrix, or of every matrix of a stack.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]]))
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    if a.ndim == 2:
        return _cofactors(a)
    result = np.empty_like(a)
    for place in np.ndindex(a.shape[:-2]):
        result[place] = _cofactors(a[place])
    return result


def cofactors_dot(a: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """How `cofactors` moves when `a` moves along `moved`.

    >>> cofactors_dot(np.zeros((2, 2)), np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[ 4., -3.],
           [-2.,  1.]])
    """
    if a.shape != moved.shape or a.dtype != moved.dtype:
        raise ValueError("cofactors_dot() takes a direction of the shape and dtype of the matrix")
    if a.ndim == 2:
        return _cofactors_dot(a, moved)
    result = np.empty_like(a)
    for place in np.ndindex(a.shape[:-2]):
        result[place] = _cofactors_dot(a[place], moved[place])
    return result


@register_jitable
def _length(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            total += abs(a[i, j]) ** 2
    return np.sqrt(total)


@register_jitable
def _inverse(m):
    """The determinant, the inverse, and whether this has enough digits for how it moves."""
    if is_small(m):
        inverse, det = inverse_and_determinant(m)
    else:
        inverse, det = m, np.linalg.det(m)
    if det == 0.0:
        return det, m, False
    if not is_small(m):
        inverse = np.ascontiguousarray(np.linalg.inv(m))
    single = m.itemsize == (8 if np.iscomplexobj(m) else 4)
    return det, inverse, not _length(m) * _length(inverse) > (1e3 if single else 1e7)


@register_jitable
def _cofactors(a):
    m = np.ascontiguousarray(a)
    det, inverse, regular = _inverse(m)
    result = np.zeros_like(m)
    if regular:
        for i in range(m.shape[0]):
            for j in range(m.shape[0]):
                result[i, j] = det * inverse[j, i]
        return result
    factors, rows, columns, sign = _pivoted(m)
    others = _products_without(factors)
    for i in range(m.shape[0]):
        result[i, i] = others[i, i]
    return _turned_back(factors, rows, columns, sign, result)


@register_jitable
def _cofactors_dot(a, moved):
    m = np.ascontiguousarray(a)
    det, inverse, regular = _inverse(m)
    if regular:
        rate = inverse @ np.ascontiguousarray(moved)
        return det * (np.trace(rate) * inverse - rate @ inverse).T
    factors, rows, columns, sign = _pivoted(m)
    others, moves = _products_without(factors), _turned(factors, rows, columns, moved)
    result = np.zeros_like(others)
    for i in range(m.shape[0]):
        for j in range(m.shape[0]):
            if i != j:
                result[i, j] = -moves[j, i] * others[i, j]
                result[i, i] += moves[j, j] * others[i, j]
    return _turned_back(factors, rows, columns, sign, result)


@register_jitable
def _pivoted(a):
    """Lower and upper triangles of ones, and pivots between them, with complete pivoting, in one array.

    Where all pivots that are left are zero, so is what is left of the triangles.
    """
    f, n, sign = a.copy(), a.shape[0], 1.0
    rows, columns = np.arange(n), np.arange(n)
    for k in range(n):
        largest, p, q = abs(f[k, k]), k, k
        for i in range(k, n):
            for j in range(k, n):
                if abs(f[i, j]) > largest:
                    largest, p, q = abs(f[i, j]), i, j
        if p != k:
            rows[k], rows[p], sign = rows[p], rows[k], -sign
            for j in range(n):
                f[k, j], f[p, j] = f[p, j], f[k, j]
        if q != k:
            columns[k], columns[q], sign = columns[q], columns[k], -sign
            for i in range(n):
                f[i, k], f[i, q] = f[i, q], f[i, k]
        if largest > 0.0:
            for i in range(k + 1, n):
                f[i, k] /= f[k, k]
                for j in range(k + 1, n):
                    f[i, j] -= f[i, k] * f[k, j]
            for j in range(k + 1, n):
                f[k, j] /= f[k, k]
    return f, rows, columns, sign


@register_jitable
def _products_without(factors):
    """The products of all pivots but the i-th and the j-th."""
    n = factors.shape[0]
    result = np.ones_like(factors)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if k != i and k != j:
                    result[i, j] *= factors[k, k]
    return result


@register_jitable
def _turned(factors, rows, columns, moved):
    """How the pivots' matrix moves: the triangles are taken off."""
    n = factors.shape[0]
    result = np.empty_like(factors)
    for i in range(n):
        for j in range(n):
            value = moved[rows[i], columns[j]]
            for k in range(i):
                value -= factors[i, k] * result[k, j]
            result[i, j] = value
    for j in range(n):
        for k in range(j):
            for i in range(n):
                result[i, j] -= result[i, k] * factors[k, j]
    return result


@register_jitable
def _turned_back(factors, rows, columns, sign, result):
    """From cofactors of the pivots' matrix to those of the matrix itself."""
    n = factors.shape[0]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            for j in range(n):
                result[i, j] -= factors[k, i] * result[k, j]
    back = np.empty_like(result)
    for j in range(n - 1, -1, -1):
        for i in range(n):
            for k in range(j + 1, n):
                result[i, j] -= factors[j, k] * result[i, k]
            back[rows[i], columns[j]] = sign * result[i, j]
    return back


@overload(cofactors)
def _cofactors_of(a):
    def each(a):
        result = np.empty_like(a)
        for place in np.ndindex(a.shape[:-2]):
            result[place] = _cofactors(a[place])
        return result

    return _cofactors if a.ndim == 2 else each


@overload(cofactors_dot)
def _cofactors_dot_of(a, moved):
    def each(a, moved):
        result = np.empty_like(a)
        for place in np.ndindex(a.shape[:-2]):
            result[place] = _cofactors_dot(a[place], moved[place])
        return result

    return _cofactors_dot if a.ndim == 2 else each
