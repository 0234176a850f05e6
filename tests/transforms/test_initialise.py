"""Cotangents begin with what is first added to them, if that is of their dtype whatever numbers stand for."""

import numpy as np
import pytest

import srcad


def layer(W, X):
    hidden = np.tanh(X @ W)
    return np.sum(hidden * hidden * X)


def chosen(W, X):
    return np.sum(np.where(X > 0.0, X @ W, 0.5) * W)


def single(function):
    W, X = (np.linspace(-1.0, 2.0, 9, dtype=np.float32).reshape(3, 3) for _ in range(2))
    return srcad.grad(function, wrt=("W", "X"), target="python"), W, X


def test_products_of_arrays_in_single_precision_are_not_added_to_zeros():
    derivative, W, X = single(layer)
    text = srcad.source(derivative, W, X)
    assert "zeros" not in text and "W_bar = X.T @ " in text


@pytest.mark.parametrize("function", [layer, chosen])
@pytest.mark.parametrize("seed", [2.0, np.float64(2.0), np.float32(2.0)])
def test_gradients_in_single_precision_stay_so(function, seed):
    derivative, W, X = single(function)
    wide = srcad.grad(function, wrt=("W", "X"), target="python")(W.astype(float), X.astype(float), grad_ys=2.0)
    for found, expected in zip(derivative(W, X, grad_ys=seed), wide):
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
