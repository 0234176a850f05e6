"""Functions for which no iteration waits are computed in loops of their own, before and behind, for machine code."""

import numpy as np
import pytest

from srcad import grad, source, value_and_grad
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


def variances(r):
    """The variance of each day from that of the last, and the logarithm of each."""
    h, total = 0.3, 0.0
    for t in range(r.shape[0]):
        e = r[t] - 0.1
        total += 0.5 * (np.log(h) + e * e / h)
        h = 0.2 + 0.1 * e * e + 0.7 * h
    return total


def between(r):
    """A name that changes twice an iteration, and is read between."""
    h, total, last = 0.3, 0.0, 0.0
    for t in range(1, r.shape[0]):
        if r[t] > 0.0:
            h = 0.5 * h + r[t - 1] ** 2
        last = np.exp(-h)
        total += last * np.sin(h)
        h = h + 0.1 * np.tanh(r[t])
    return total + last * h


def downwards(r):
    """From the last to the first; what is read behind the loop is that of the last iteration."""
    h, total, e = 0.3, 0.0, 1.0
    for t in range(r.shape[0] - 1, -1, -1):
        e = np.exp(0.1 * r[t])
        h = 0.5 * h + e * np.cos(h)
        total += np.log(1.0 + h * h)
    return total * e + h


def changed(r):
    """An array that the loop changes is read where it is."""
    w, total = r.copy(), 0.0
    for t in range(1, r.shape[0]):
        total += np.exp(w[t - 1])
        w[t] = 0.5 * w[t] + 0.3 * w[t - 1] * np.sin(w[t])
    return total


def left_out(r):
    """A function that is not always computed, and once more in any case."""
    h, total = 0.3, 0.0
    for t in range(r.shape[0]):
        a = np.sqrt(r[t]) if r[t] > 0.0 else 0.5
        b = np.exp(a) if a > 0.6 else 1.0
        h = 0.5 * h + b * np.exp(a)
        total += h**2
    return total


def while_it_is_small(r):
    """The reverse of it begins with the number of iterations, under the name of its index."""
    y, k = r[0], 0
    while k < r.shape[0]:
        y = np.cos(y) * r[k]
        k += 1
    return y


FUNCTIONS = [variances, between, downwards, changed, left_out, while_it_is_small]


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("n", [1, 20])
def test_equals_differences(fn, n):
    r = np.random.default_rng(n).normal(size=n)
    expected = best_gradient(lambda u: fn(u.copy()), [r], 0)
    np.testing.assert_allclose(interpreted(grad(fn), (r.copy(),)), expected, rtol=1e-6, atol=1e-8)


def test_what_is_kept_already_is_not_kept_twice():
    text = source(value_and_grad(variances), np.ones(3), stage="blocks")
    assert "np.log(h_tape[t])" in text and "_each" not in text


@pytest.mark.parametrize("fn", [between, downwards], ids=lambda fn: fn.__name__)
def test_functions_of_what_is_known_come_first(fn):
    assert "early[t] = " in source(grad(fn), np.ones(3), stage="blocks")
