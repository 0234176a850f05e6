"""Products of matrices and vectors without the signs, numbers and copies that stand around their factors."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import interpreted

RANDOM = np.random.default_rng(0)
A, B, C = RANDOM.normal(size=(5, 3)), RANDOM.normal(size=3), RANDOM.normal(size=5)


def scaled(a, b, c):
    return -np.sum(((0.1 * a.T) @ c) * b)


def negated(a, b, c):
    return np.sum((-a @ b) * c) + np.sum(((2.0 * -a.T).T @ -b) ** 2)


def of_matrices(a, b, c):
    return np.sum((-a.T @ (0.5 * a)) ** 2) + b @ b + c @ c


def transposed(a, b, c):
    return np.sum(np.sin(a @ (a[:3] * b).T) ** 2 @ b) + c @ c + np.sum((a.T @ np.outer(c, b)).T ** 3)


@pytest.mark.parametrize("f", [scaled, negated, of_matrices, transposed])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_gradients_of_products(f, dtype):
    expected = srcad.grad(f, wrt=(0, 1, 2), target="python")(A, B, C)
    found = interpreted(srcad.grad(f, wrt=(0, 1, 2)), tuple(x.astype(dtype) for x in (A, B, C)))
    for one, other in zip(found, expected):
        assert one.dtype == dtype
        np.testing.assert_allclose(one, other, rtol=1e-12 if dtype is np.float64 else 1e-4)


def test_numbers_go_to_the_vector():
    text = srcad.source(srcad.grad(scaled, wrt=2), A, B, C)
    assert "c_bar = a @ (-grad_ys * b * 0.1)\n" in text


def test_factors_are_transposed_and_not_their_product():
    text = srcad.source(srcad.grad(lambda a, w: np.sum(np.sin(a @ w.T)), wrt=1), A, A)
    assert "w_bar = (grad_ys * np.cos(a @ w.T)).T @ a\n" in text
