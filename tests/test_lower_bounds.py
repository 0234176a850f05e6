"""Divisors and roots that stay clear of zero need no test for cotangents that are zero; all others keep theirs."""

import numpy as np
import pytest

import srcad

X = np.array([0.0, 0.4, -1.3, 2.0])


def root_of_square(x):
    return np.maximum(x + x / np.sqrt(1.0 + x * x), 0.0)


def size(x):
    return np.minimum(x + x**2 / (np.abs(x) + 1e-6), 0.5)


def logarithm(x):
    return np.clip(x + np.log(np.abs(x) + 0.1), -1.0, 1.0)


def larger(x):
    return np.maximum(x + 1.0 / np.maximum(x, 0.5), 1.0)


def written_to(x):
    v = x**2 + 1.0
    v[0] = 0.0
    return np.maximum(x - (x - 1.0) / v, 0.0)


def less_than_nothing(x):
    return np.maximum(x + 1.0 / (x**3 + 1.0), 0.3)


def small(x):
    return np.minimum(x + 1.0 / (x**2 + 1e-300), 3.0)


def steps(x):
    v = x**2 + 1.0
    for k in range(2):
        v = v - 0.5 * k
    return np.minimum(x + x / v, 0.7)


def hidden(x):
    return np.where(np.isinf(x), 1.0, x + x / np.sqrt(1.0 + x * x))


def total(f):
    return lambda x: np.sum(f(x))


@pytest.mark.parametrize("f", [root_of_square, size, logarithm, larger])
def test_clear(f):
    assert "!= 0" not in srcad.source(srcad.grad(total(f)), X)


@pytest.mark.parametrize("f", [written_to, less_than_nothing, small, steps, hidden])
def test_not_clear(f):
    assert "!= 0" in srcad.source(srcad.grad(total(f)), X)


@pytest.mark.parametrize("f", [written_to, less_than_nothing, small, steps, hidden, root_of_square, larger])
def test_no_gradient_is_no_number(f):
    with np.errstate(all="ignore"):
        found = srcad.grad(total(f), target="python")(np.append(X, np.inf if f in (hidden, larger) else 0.0))
    assert not np.any(np.isnan(found))


def test_infinite_arguments_in_the_branch_that_is_not_taken():
    np.testing.assert_array_equal(srcad.grad(total(hidden), target="python")(np.array([np.inf, -np.inf])), 0.0)
