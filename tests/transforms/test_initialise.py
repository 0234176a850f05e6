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


MIXED = {
    "a number of an array of doubles": lambda v, w: np.sum(v * v) * w[0],
    "a dot product": lambda v, w: np.dot(v, w),
    "a number of NumPy's": lambda v, w: np.sum(v * v) * np.float64(w[1]) + np.sum(w),
    "loops": lambda v, w: sum(v[k] * w[k] for k in range(3)),
    "elements": lambda v, w: np.sum(np.outer(v, w) ** 2) + np.sum(v * w),
}


@pytest.mark.parametrize("name", MIXED)
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_gradients_have_the_dtypes_of_their_arguments(name, target):
    v, w = np.linspace(0.5, 1.5, 3), np.linspace(-1.0, 2.0, 3)
    expected = srcad.grad(MIXED[name], wrt=(0, 1), target="python")(v, w)
    for dtypes in [(np.float32, np.float64), (np.float64, np.float32)]:
        given = v.astype(dtypes[0]), w.astype(dtypes[1])
        found = srcad.grad(MIXED[name], wrt=(0, 1), target=target)(*given)
        assert tuple(each.dtype for each in found) == dtypes
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-5)
