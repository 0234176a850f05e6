"""Long arrays: a gradient needs memory in the order of its arguments, where the function itself does."""

from __future__ import annotations

import numpy as np
import pytest

import srcad

LENGTH = 200_000
RNG = np.random.default_rng(3)


def line(x, y):
    return np.sum(np.polyfit(x, y, 1))


def solved(A, y):
    return np.sum(np.linalg.lstsq(A, y)[0])


def inverted(A, y):
    return np.sum(np.linalg.pinv(A.T).T @ y)


@pytest.mark.parametrize("function", [line, solved, inverted])
def test_no_square_of_the_length(function):
    x = RNG.normal(size=LENGTH if function is line else (LENGTH, 2))
    y, along = RNG.normal(size=LENGTH), RNG.normal(size=x.shape)
    gradient = srcad.grad(function, target="python")(x, y)
    step = 1e-6
    expected = (function(x + step * along, y) - function(x - step * along, y)) / (2 * step)
    np.testing.assert_allclose(np.sum(gradient * along), expected, rtol=1e-5, atol=1e-8)
