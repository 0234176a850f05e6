"""Products of computed vectors are sums over elements, in one loop with what computes them."""

import numpy as np
import pytest

from srcad import source, value_and_grad
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


def energy_of_pairs(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            r = x[i] - x[j]
            total += 1.0 / (0.1 + r @ r)
    return total


def lengths_of_pairs(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(i):
            total += np.log(np.linalg.norm(x[i] - x[j])) * np.dot(np.tanh(x[i]), x[j])
    return total


@pytest.mark.parametrize("fn", [energy_of_pairs, lengths_of_pairs], ids=lambda fn: fn.__name__)
def test_no_array_is_made_for_a_number(fn, x=np.random.default_rng(3).normal(size=(4, 3))):
    derivative = value_and_grad(fn)
    text = "".join(line for line in source(derivative, x, stage="blocks").splitlines(True) if "#" not in line)
    assert not any(word in text for word in (" @ ", "dot(", "norm("))
    value, slopes = interpreted(derivative, (x,))
    np.testing.assert_allclose(value, fn(x), rtol=1e-12)
    np.testing.assert_allclose(slopes, best_gradient(fn, [x], 0), rtol=1e-6)


def test_vectors_that_are_there_anyway_are_left(x=np.ones(3)):
    assert "x @ y" in source(value_and_grad(lambda x, y: (x @ y) ** 2), x, x, stage="blocks")


def test_where_lengths_may_differ_there_is_a_product(x=np.ones(3)):
    derivative = value_and_grad(lambda x, y: (np.exp(x) @ y) ** 2)
    assert " @ y" in source(derivative, x, x, stage="blocks")
    with pytest.raises(ValueError, match="mismatch"):
        interpreted(derivative, (x, np.ones(1)))
