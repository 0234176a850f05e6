"""Views that are written to: the diagonal of a matrix whose columns lie one behind the other."""

import numpy as np
import pytest

import srcad


def with_diagonal(a, x):
    np.einsum("ii->i", a)[...] = 2.0 * x
    return np.sum(a**3)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_diagonal_of_columns(target):
    a, x = np.asfortranarray(np.arange(9.0).reshape(3, 3)), np.array([1.0, 2.0, 3.0])
    gradient = srcad.grad(with_diagonal, wrt=("a", "x"), target=target)
    by_a, by_x = gradient(a, x)
    np.testing.assert_array_equal(np.diag(a), 2.0 * x)
    np.testing.assert_allclose(by_a, 3.0 * (a - np.diag(np.diag(a))) ** 2)
    np.testing.assert_allclose(by_x, 24.0 * x**2)


def of_a_copy_by_columns(x):
    a = np.array(np.outer(x, x), order="F")
    np.einsum("ii->i", a)[...] = 2.0
    return np.sum(a**2)


@pytest.mark.parametrize("take", [
    lambda x: srcad.function(of_a_copy_by_columns)(x),
    lambda x: srcad.function(of_a_copy_by_columns, target="python")(x),
    lambda x: srcad.grad(of_a_copy_by_columns)(x),
    lambda x: srcad.jvp(of_a_copy_by_columns)(x, tangents=(x,)),
])  # fmt: skip
def test_a_diagonal_that_machine_code_would_copy_is_refused_in_every_mode(take):
    x = np.array([1.0, 2.0, 3.0])
    with pytest.raises(srcad.UnsupportedError, match="a diagonal that is written to"):
        take(x)
