"""Loops over triangles: which elements are overwritten is decided by what the loops say of their indices."""

import numpy as np
import pytest
import scipy.linalg

import srcad
from tests.reference import difference, richardson


def cholesky(A):
    L = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, j] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return np.sum(L * np.cos(A))


def substitution(A):
    x = np.zeros(A.shape[0])
    for i in range(A.shape[0] - 1, -1, -1):
        s = A[0, i]
        for j in range(i + 1, A.shape[0]):
            s -= A[i, j] * x[j] ** 2
        x[i] = s / A[i, i]
    return np.sum(x * x)


def overwritten_on_the_diagonal(A):
    L = A * 1.0
    for i in range(A.shape[0]):
        for j in range(i + 1):
            L[i, j] = L[j, j] * L[i, j] + L[j, i]
    return np.sum(L * A)


def written_a_second_time(A):
    L = A * 1.0
    for i in range(1, A.shape[0]):
        for j in range(i):
            L[i, j] *= L[i - 1, j]
        for j in range(i):
            L[i, j] += L[i, j] ** 2 * L[j, i]
    return np.sum(L * A)


def told_by_a_test(A):
    x = A[0] * 1.0
    for i in range(A.shape[0]):
        for j in range(A.shape[0]):
            if j < i:
                x[i] += x[j] * A[i, j] * x[i]
            elif j > i + 1:
                x[j] *= x[i]
    return np.sum(x * x)


def told_by_numbers_that_are_not_whole(A):
    x = A[0] * 1.0
    low, high = 0.2 * A[0, 0] / A[0, 0], 0.7
    for i in range(A.shape[0]):
        for j in range(2):
            if low < high:
                x[j] = np.sin(x[j]) * A[i, j]
            if high < low + 1:
                x[j] = x[j] ** 2 + A[j, i]
    return np.sum(x * x)


def negative_from_the_end(A):
    x = A[0] * 1.0
    for i in range(A.shape[0]):
        for j in range(i - 2, i):
            x[j] = x[j] * x[i] + A[i, j]
    return np.sum(x * x)


def named_after_its_loop(A):
    x = A[0] * 1.0
    for i in range(1, A.shape[0]):
        j = 0
        for j in range(i):
            x[i] += x[j] * A[i, j]
        x[j] = np.sin(x[j]) * x[i]
    return np.sum(x * x)


def elimination_by_outer_products(A):
    A = A.copy()
    for k in range(A.shape[0]):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
    return np.sum(A * np.cos(A))


def elimination_by_slices(A):
    A = A.copy()
    for k in range(A.shape[0]):
        A[k + 1 :, k] = A[k + 1 :, k] / A[k, k]
        A[k + 1 :, k + 1 :] -= A[k + 1 :, k : k + 1] * A[k : k + 1, k + 1 :]
    return np.sum(A * np.cos(A))


def changed_before_it_is_stored(A):
    A, total = A.copy(), 0.0
    for k in range(1, A.shape[0]):
        row = A[k] / A[k - 1, 0]
        total += np.sum(row**2)
        row[0] = row[0] * 3.0
        A[k] = row
    return total + np.sum(np.sin(A))


def changed_by_a_view_when_it_is_stored(A):
    A, total = A.copy(), 0.0
    for k in range(1, A.shape[0]):
        row = np.exp(0.1 * A[k])
        view = row[1:]
        A[k] = row
        view[0] = view[0] * 2.0
        total += np.sum(row * A[k])
    return total


def stored_and_overwritten(A):
    A, total = A.copy(), 0.0
    for k in range(1, A.shape[0]):
        A[k] = A[k] / A[k - 1, 0]
        total += np.sum(np.sin(A[k]))
        if k % 2 == 0:
            A[k - 1] = A[k] * A[k - 1]
    return total + np.sum(A**2)


FREE = (cholesky, substitution, elimination_by_outer_products, elimination_by_slices)
OTHERS = (overwritten_on_the_diagonal, written_a_second_time, told_by_a_test, told_by_numbers_that_are_not_whole,
          negative_from_the_end, named_after_its_loop, changed_before_it_is_stored, changed_by_a_view_when_it_is_stored,
          stored_and_overwritten)  # fmt: skip
random = np.random.default_rng(7)
A = (lambda B: B @ B.T + 4.0 * np.eye(5))(random.normal(size=(5, 5)))


@pytest.mark.parametrize("function", (*FREE, *OTHERS))
def test_gradient(function):
    exact, _ = richardson(function, (A.copy(),), 0)
    assert difference(srcad.grad(function, target="python")(A.copy()), exact) < 1e-7


@pytest.mark.parametrize("function", FREE)
def test_nothing_is_recorded_where_each_element_is_written_once(function):
    assert srcad.explain(srcad.grad(function, target="python"), args=(A,)).bytes == 0


def solved(a, b):
    return np.sum(scipy.linalg.solve_triangular(a, b))


def factored(a, b):
    return np.sum(scipy.linalg.lu_factor(a)[0]) + np.sum(b)


def balanced(a, b):
    return np.sum(scipy.linalg.solve_sylvester(a, a, b))


@pytest.mark.parametrize("fn, shape, message", [
    (solved, (3, 3), "solve_triangular: the shapes of a and b are incompatible"),
    pytest.param(factored, (2, 3), "scipy.linalg.lu: the matrix is not square", marks=pytest.mark.slow),
    pytest.param(balanced, (2, 2), "solve_sylvester: the shapes of a, b and q are incompatible",
                 marks=pytest.mark.slow),
])  # fmt: skip
def test_shapes_that_do_not_fit_raise_in_machine_code(fn, shape, message):
    with pytest.raises(ValueError, match=message):
        srcad.grad(fn)(np.ones(shape) + np.eye(*shape), np.ones((5, 1)))
