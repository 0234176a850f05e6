"""Slices that begin or end at the index of a loop, and overlap or do not."""

import numpy as np

from tests.corpus import normal, program, spd, uniform


@program(spd(4))
def lu_by_outer_products_in_place(A):
    A = A.copy()
    for k in range(A.shape[0] - 1):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return np.sum(np.log(np.diag(A))) + A[-1, 0]


@program(spd(4))
def lu_by_columns_and_rows_in_place(A):
    A = A.copy()
    for k in range(A.shape[0] - 1):
        A[k + 1 :, k : k + 1] /= A[k, k]
        A[k + 1 :, k + 1 :] -= A[k + 1 :, k : k + 1] * A[k : k + 1, k + 1 :]
    return np.sum(np.log(np.diag(A))) + A[-1, 0]


@program(uniform(0.5, 1.5, 5))
def element_for_all_in_place(x):
    """The one element that is repeated is overwritten on the way."""
    y = x.copy()
    y[:-1] *= y[1:2]
    y[:-1] += y[1:2] * 2.0
    return np.sum(y * y)


@program(normal(5))
def slices_in_step_overlap(x):
    """What is written lies behind what is read by more with each iteration, or before it."""
    y = x.copy()
    n = len(y)
    for k in range(n - 1):
        y[k + 1 :] += 0.5 * np.sin(y[: n - k - 1])
    for k in range(n - 1, 0, -1):
        y[: n - k] += 0.5 * y[k] * y[k:]
    return np.sum(y * y)


@program(normal(4, 3))
def gram_schmidt_by_outer_products_in_place(A):
    Q = A.copy()
    for k in range(Q.shape[1]):
        Q[:, k] /= np.sqrt(np.sum(Q[:, k] ** 2))
        Q[:, k + 1 :] -= np.outer(Q[:, k], Q[:, k] @ Q[:, k + 1 :])
    return np.sum(Q * np.arange(1.0, 4.0)) + Q[0, 2] ** 2
