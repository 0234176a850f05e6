"""Integrals of functions by `scipy.integrate`: those of sharp and of singular functions, and what is refused."""

import numpy as np
import pytest
from scipy import integrate

import srcad


def around_a_kink(k):
    return integrate.quad(lambda x: abs(x - k), 0.0, 2.0)[0]


def across_a_peak(k):
    return integrate.quad(lambda x: 1.0 / (k + (x - 0.3) ** 2), 0.0, 1.0)[0]


def from_a_singular_end(b):
    return integrate.quad(lambda x: np.log(x), 0.0, b)[0]


def over_a_plane(k):
    return integrate.dblquad(lambda y, x: np.exp(-k * (x * x + y * y)), -np.inf, np.inf, 0.0, np.inf)[0]


@pytest.mark.parametrize("function, at, expected", [
    (around_a_kink, 0.7, -0.6),
    (across_a_peak, 1e-4, -0.5 * (100.0 * np.sum(np.arctan([70.0, 30.0])) + 0.7 / 0.4901 + 0.3 / 0.0901) / 1e-4),
    (from_a_singular_end, 0.7, np.log(0.7)),
    (over_a_plane, 1.2, -0.5 * np.pi / 1.44),
])  # fmt: skip
def test_derivative(function, at, expected):
    """As close as the integral itself, though the parts are those that the integral needs."""
    value, gradient = srcad.value_and_grad(function, target="python")(at)
    assert value == pytest.approx(function(at), rel=1e-9)
    assert gradient == pytest.approx(expected, rel=2e-8)


def test_an_infinite_end_is_written_in_the_call():
    df = srcad.grad(lambda b: integrate.quad(lambda x: np.exp(-x), 0.0, b)[0], target="python")
    assert df(0.7) == pytest.approx(np.exp(-0.7))
    with pytest.raises(ValueError, match="an integral up to infinity, where the end is an argument; instead: np.inf"):
        df(np.inf)


@pytest.mark.parametrize("function, message", [
    (lambda k: integrate.nquad(lambda x: k * x, [(0.0, 1.0)], opts={"limit": 9})[0],
     "scipy.integrate.nquad with these options"),
    (lambda k: integrate.nquad(lambda x, y, z, u: k * x, [(0.0, 1.0)] * 4)[0],
     "scipy.integrate.nquad of more than three variables"),
])  # fmt: skip
def test_refused_of_several(function, message):
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.grad(function, target="python")(1.0)


def test_samples_of_romb():
    df = srcad.grad(lambda y: integrate.romb(y), target="python")
    np.testing.assert_allclose(df(np.ones(3)), [1 / 3, 4 / 3, 1 / 3])
    with pytest.raises(ValueError, match="romb of samples whose number is not one more than a power of two"):
        df(np.ones(4))
