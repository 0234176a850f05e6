"""What iterations overwrite of an array that they read elsewhere, too, is put back in the reverse loop."""

import numpy as np
import pytest

import srcad
from tests.reference import difference, richardson

RNG = np.random.default_rng(3)
A, B = 0.3 * RNG.normal(size=(4, 4)) + 3.0 * np.eye(4), RNG.normal(size=4)


def gauss_seidel(a, b):
    x = np.zeros_like(b)
    for _ in range(3):
        for i in range(len(b)):
            x[i] += (b[i] - a[i] @ x) / a[i, i]
    return np.sum(x**3)


def read_again(a, b):
    x = b.copy()
    for i in range(len(x)):
        x[i] = np.sin(a[i] @ x)
        x[i] *= np.cos(x @ x)
    return np.sum(x**2)


def through_a_view(a, b):
    x = b.copy()
    for i in range(len(x)):
        y = x[:]
        x[i] = np.sin(a[i] @ y)
        x[i] *= np.cos(y @ y)
    return np.sum(x**2)


def rows(a, b):
    x = a.copy()
    for i in range(x.shape[0]):
        mean = x.mean(axis=0)
        for j in range(len(b)):
            x[i, j] = np.sin(x[i, j] * mean[j]) + b[j] * np.sum(x)
    return np.sum(x)


def backwards_in_a_branch(a, b):
    """An element that may not be there where the test says no is not asked for: all of the array is recorded."""
    x = b.copy()
    for i in range(len(x) - 1, -1, -2):
        if a[0, i] > 0.0:
            x[i] = np.exp(-x @ x) * a[i, i]
    return x @ x


def one_of_two(a, b):
    """Two elements an iteration: all of the array is recorded."""
    x = b.copy()
    for i in range(1, len(x)):
        x[i] = np.sin(x @ a[i])
        x[i - 1] = x[i] * x[0]
    return np.sum(x)


def left_early(a, b):
    x = b.copy()
    for i in range(len(x)):
        x[i] = np.sin(x @ a[i])
        if x[i] > 0.9:
            break
    return np.sum(x)


@pytest.mark.parametrize("f, recorded", [
    (gauss_seidel, "x[i]"), (read_again, "x[i]"), (through_a_view, "x[i]"), (rows, "x[i]"),
    (backwards_in_a_branch, "x"), (one_of_two, "x"), (left_early, "x"),
])  # fmt: skip
@pytest.mark.parametrize("optimize", [False, True])
def test_records(f, recorded, optimize):
    df = srcad.grad(f, wrt=("a", "b"), target="python", optimize=optimize)
    if not optimize:
        text = srcad.source(df, A, B)
        assert any(line.endswith(f"] = {recorded}") and "_tape" in line for line in text.splitlines())
    for position, gradient in enumerate(df(A, B)):
        assert difference(gradient, richardson(f, (A, B), position)[0]) < 1e-8


def test_it_is_what_one_would_write():
    """No array is copied in an iteration, and nothing is stored that is put back at once."""
    reverse = srcad.source(srcad.grad(gauss_seidel, target="python"), A, B).split("range(b.shape[0] - 1, -1, -1)")[1]
    assert reverse.count("x[i] = ") == 1 and "np.copy" not in reverse
