"""What iterations record of arrays that they change: the rows, columns or elements that they touch."""

import numpy as np
import pytest

import srcad
from tests.reference import difference, richardson

X, A = np.array([0.7, -0.4, 1.1]), np.linspace(-1.0, 1.0, 12).reshape(4, 3)


def rows(a, x):
    a = a.copy()
    for i in range(a.shape[0]):
        for k in range(3):
            for j in range(1, len(x)):
                a[i, j] = np.sin(a[i, j - 1]) * x[j]
        a[i] /= 2.0 + a[i].sum()
    return np.sum(a**2)


def columns(a, x):
    a = a.copy()
    for j in range(a.shape[1]):
        for k in range(3):
            for i in range(1, a.shape[0]):
                a[i, j] = np.sin(a[i - 1, j]) * x[j]
    return np.sum(a**2)


def elements(a, x):
    y = a[:, 0].copy()
    for i in range(len(y)):
        for j in range(len(x)):
            y[i] = np.sin(y[i]) * x[j]
    return np.sum(y)


def elements_from_the_end(a, x):
    y = a[:, 0].copy()
    for i in range(-1, -3, -1):
        for j in range(len(x)):
            y[i] = np.sin(y[i]) * x[j]
    return np.sum(y)


def rows_that_change(a, x):
    a = a.copy()
    row = 0
    for i in range(a.shape[0] - 1):
        for k in range(2):
            for j in range(len(x)):
                a[row, j] = np.sin(a[row, j]) * x[j]
        row = (2 * row + 1) % a.shape[0]
        for j in range(len(x)):
            a[row, j] *= np.cos(a[row, j])
    return np.sum(a)


def neighbours(a, x):
    a = a.copy()
    for i in range(1, a.shape[0]):
        for j in range(len(x)):
            a[i, j] = np.sin(a[i - 1, j] * a[i, j]) * x[j]
    return np.sum(a**2)


@pytest.mark.parametrize("f, recorded", [
    (rows, "= a[i]"), (columns, "= a[:, j]"), (elements, "= y[i:i + 1]"),
    (elements_from_the_end, "= y[i]"), (rows_that_change, "= a"), (neighbours, "= a[i]"),
])  # fmt: skip
@pytest.mark.parametrize("optimize", [False, True])
def test_records(f, recorded, optimize):
    """The plain derivative shows what is recorded; the optimised one may do without."""
    df = srcad.grad(f, wrt=("a", "x"), target="python", optimize=optimize)
    if not optimize:
        assert f"] {recorded}\n" in srcad.source(df, A, X)
    for position, gradient in enumerate(df(A, X)):
        assert difference(gradient, richardson(f, (A, X), position)[0]) < 1e-8


def test_memory_is_that_of_the_array():
    """Not that of as many arrays as there are rows."""
    text = srcad.source(srcad.grad(rows, wrt=("a", "x"), target="python", optimize=False), A, X)
    assert "a_tape = np.empty((a.shape[0], a.shape[1]))" in text


def beyond_the_end(a, x):
    a = a.copy()
    for i in range(a.shape[0] + 2):
        for j in range(i, a.shape[0]):
            a[i, 0] = np.sin(a[i, 0]) * x[0] + a[i, 1]
        if i < a.shape[0]:
            a[i, 1] *= np.cos(a[i, 1])
    return np.sum(a)


@pytest.mark.parametrize("optimize", [False, True])
def test_rows_that_no_iteration_asks_for_are_not_read(optimize):
    gradient = srcad.grad(beyond_the_end, target="python", optimize=optimize)(A, X)
    assert difference(gradient, richardson(beyond_the_end, (A, X), 0)[0]) < 1e-8
