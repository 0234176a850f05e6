"""Arrays without elements: the value that NumPy gives, and a gradient of the shape of the argument."""

import numpy as np
import pytest

import srcad


def diagonals(x, y): return np.sum(np.diagonal(x, axis1=-2, axis2=-1) ** 2) + 0.0 * np.sum(y)
def inner(x, y): return np.sum(np.inner(x, y) ** 2)
def dot(x, y): return np.sum(np.dot(x, np.swapaxes(y, -1, -2)) ** 2)
def median(x, y): return np.sum(np.sum(x * x, axis=(1, 2))) + np.sum(np.linalg.norm(y, axis=(1, 2)))
def largest(x, y): return np.sum(np.max(x, axis=2, initial=0.5)) + np.sum(np.min(y, axis=1, initial=0.5))


@pytest.mark.parametrize("shapes", [((2, 3, 0), (4, 5, 0)), ((0, 3, 2), (4, 5, 2)), ((2, 3, 2), (4, 0, 2))], ids=str)
@pytest.mark.parametrize("f", [diagonals, inner, dot, median, largest])
def test_of_no_elements(f, shapes):
    x, y = map(np.ones, shapes)
    value, gradients = srcad.value_and_grad(f, wrt=(0, 1), target="python")(x, y)
    assert value == f(x, y)
    assert [g.shape for g in gradients] == list(shapes)
