"""Short loops through the columns of arrays are written out in machine code."""

import numpy as np
import pytest

from srcad import source, value_and_grad
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


def energy_of_pairs(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            d = 0.1
            for k in range(2):
                d += (x[i, k] - x[j, k]) ** 2
            total += w / d
    return total


def steps_of_bodies(x, w):
    """Elements that are written, and a number that goes from column to column."""
    v = np.zeros_like(x)
    for _ in range(2):
        for i in range(x.shape[0]):
            last = w
            for k in range(3):
                last = last * 0.5 + x[i, k]
                v[i, k] += 0.1 * np.sin(last)
        for i in range(x.shape[0]):
            for k in range(2, -1, -1):
                x[i, k] += v[i, k] * x[i, k]
    return np.sum(x**2)


def kernel(x, w):
    """Windows stay: their loops go along rows."""
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1] - 1):
            s = 0.0
            for k in range(2):
                s += x[i, j + k] * w
            total += np.tanh(s)
    return total


@pytest.mark.parametrize("fn", [energy_of_pairs, steps_of_bodies, kernel], ids=lambda fn: fn.__name__)
def test_equals_differences(fn):
    x, w = np.random.default_rng(4).normal(size=(4, 3)), 0.7
    _, slopes = interpreted(value_and_grad(fn, wrt=(0, 1)), (x.copy(), w))
    for k, found in enumerate(slopes):
        expected = best_gradient(lambda y, v, fn=fn: fn(y.copy(), v), [x, w], k)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


def test_loops_over_columns_alone_are_written_out(x=np.ones((4, 3))):
    assert "range(2)" not in source(value_and_grad(energy_of_pairs), x, 0.7, stage="blocks")
    assert "range(2)" in source(value_and_grad(kernel), x, 0.7, stage="blocks")
