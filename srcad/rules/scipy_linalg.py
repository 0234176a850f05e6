"""Functions of matrices of `scipy.linalg`, and Sylvester's equation.

The derivative of a function of a matrix along a direction is a block of this function of a block matrix: N. Higham,
Functions of Matrices (2008), section 3.2.
"""

import numpy as np
from scipy import linalg

from srcad.rules.axes import flipped
from srcad.rules.rule import constant, rule
from srcad.runtime.scipy_linalg_functions import logarithm, square_root
from srcad.runtime.scipy_linalg_riccati import continuous_riccati, discrete_riccati
from srcad.runtime.scipy_linalg_triangles import lu_parts, order_of_pivots, row_order, solve_triangle

constant(order_of_pivots, row_order, continuous_riccati, discrete_riccati)


@rule(linalg.expm)
def expm(y, A):
    n = A.shape[-1]
    above = np.concatenate((A, A.dot), axis=-1)
    below = np.concatenate((np.zeros_like(A), A), axis=-1)
    y.dot = linalg.expm(np.concatenate((above, below), axis=-2))[..., :n, n:]
    left = np.concatenate((flipped(A), y.bar), axis=-1)
    right = np.concatenate((np.zeros_like(A), flipped(A)), axis=-1)
    A.bar += linalg.expm(np.concatenate((left, right), axis=-2))[..., :n, n:]


@rule(square_root)
def root(y, A):
    n = A.shape[-1]
    above = np.concatenate((A, A.dot), axis=-1)
    below = np.concatenate((np.zeros_like(A), A), axis=-1)
    y.dot = square_root(np.concatenate((above, below), axis=-2))[..., :n, n:]
    left = np.concatenate((flipped(A), y.bar), axis=-1)
    right = np.concatenate((np.zeros_like(A), flipped(A)), axis=-1)
    A.bar += square_root(np.concatenate((left, right), axis=-2))[..., :n, n:]


@rule(logarithm)
def log(y, A):
    n = A.shape[-1]
    above = np.concatenate((A, A.dot), axis=-1)
    below = np.concatenate((np.zeros_like(A), A), axis=-1)
    y.dot = logarithm(np.concatenate((above, below), axis=-2))[..., :n, n:]
    left = np.concatenate((flipped(A), y.bar), axis=-1)
    right = np.concatenate((np.zeros_like(A), flipped(A)), axis=-1)
    A.bar += logarithm(np.concatenate((left, right), axis=-2))[..., :n, n:]


@rule(linalg.solve_sylvester)
def solve_sylvester(x, a, b, q):
    x.dot = linalg.solve_sylvester(a, b, q.dot - a.dot @ x - x @ b.dot)
    turned = linalg.solve_sylvester(flipped(a), flipped(b), x.bar)
    q.bar += turned
    a.bar -= turned @ flipped(x)
    b.bar -= flipped(x) @ turned


@rule(solve_triangle)
def triangular_solution(x, a, b, lower, unit):
    k = 1 if unit else 0
    turned = solve_triangle(flipped(a), x.bar, not lower, unit)
    x.dot = solve_triangle(a, b.dot - (np.tril(a.dot, -k) if lower else np.triu(a.dot, k)) @ x, lower, unit)
    b.bar += turned
    if b.ndim == 1:
        a.bar -= np.tril(np.outer(turned, x), -k) if lower else np.triu(np.outer(turned, x), k)
    else:
        a.bar -= np.tril(turned @ flipped(x), -k) if lower else np.triu(turned @ flipped(x), k)


@rule(lu_parts)
def triangles(y, a):
    order = order_of_pivots(y[..., 0, :])
    packed = y[..., 1:, :]
    lower = np.tril(packed, -1) + np.eye(packed.shape[-1])
    upper = np.triu(packed)
    swapped = a.dot[order] if a.ndim == 2 else np.take_along_axis(a.dot, order[..., None], -2)
    divided = flipped(solve_triangle(packed, swapped, True, True))
    inner = flipped(solve_triangle(flipped(packed), divided, True, False))
    y.dot = np.concatenate((np.zeros_like(y[..., :1, :]), lower @ np.tril(inner, -1) + np.triu(inner) @ upper), axis=-2)
    bar = y.bar[..., 1:, :]
    middle = np.tril(flipped(lower) @ np.tril(bar, -1), -1) + np.triu(np.triu(bar) @ flipped(upper))
    columns = solve_triangle(packed, flipped(middle), False, False)
    rows = solve_triangle(flipped(packed), flipped(columns), False, True)
    back = np.argsort(order)
    a.bar += rows[back] if a.ndim == 2 else np.take_along_axis(rows, back[..., None], -2)
