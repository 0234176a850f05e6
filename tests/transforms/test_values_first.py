"""Layers of networks as an expert would write their adjoints: one loop over the rows, no test for zero."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import interpreted
from tests.reference import difference, richardson

RANDOM = np.random.default_rng(0)
X, W, G, B = (RANDOM.normal(size=size) for size in ((5, 4), (4, 4), 4, 4))


def normalized(x, w, g, b):
    h = x + x @ w
    mean = h.mean(-1, keepdims=True)
    var = h.var(-1, keepdims=True)
    h = g * (h - mean) / np.sqrt(var + 1e-5) + b
    return np.sum(np.maximum(h, 0) ** 2)


def weighed(x, w, g, b):
    q = np.tanh(x @ w)
    return np.mean(np.sin(q * g) ** 2) + 2.0 * np.sum(q[:, ::-1] * b) - np.max(q)


def changed_behind(x, w, g, b):
    h = x @ w
    total = np.sum(h * g)
    h[0] = b
    return total * np.sum(np.cos(h))


@pytest.mark.parametrize("f", [normalized, weighed, changed_behind])
@pytest.mark.parametrize("wrt", [0, 1, 2, 3])
def test_gradients(f, wrt):
    args = (X, W, G, B)
    value, gradient = interpreted(srcad.value_and_grad(f, wrt=wrt), args)
    assert value == pytest.approx(f(*args), rel=1e-13)
    assert difference(gradient, richardson(f, args, wrt)[0]) < 1e-7


def test_one_loop_has_the_value_and_its_adjoint():
    text = srcad.source(srcad.value_and_grad(normalized, wrt=(0, 1, 2, 3)), X, W, G, B)
    assert text.count("for i in range") == 1
    assert "!= 0.0" not in text
    own = [line.split("=")[0].strip() for line in text.splitlines() if "_bar_1[j] = " in line]
    assert len(own) == 1  # the cotangent of a row is stored for the second loop over its elements, not behind that
