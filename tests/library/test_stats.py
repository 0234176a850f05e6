"""Distributions outside their support, at its ends, with parameters that they do not have, and compiled."""

import numpy as np
import pytest
from scipy import stats

import srcad

X = np.array([-2.0, -1e-9, 0.0, 0.4, 1.0, 1.5, 7.0, np.nan])
CALLS = {
    "expon": lambda method, x, p: method(x, scale=p),
    "gamma": lambda method, x, p: method(x, 2.5, scale=p),
    "lognorm": lambda method, x, p: method(x, p),
    "uniform": lambda method, x, p: method(x, scale=p),
    "beta": lambda method, x, p: method(x, 2.5, 1.5, scale=p),
    "poisson": lambda method, x, p: method(x, p),
    "binom": lambda method, x, p: method(x, 5, p / 3.0),
    "norm": lambda method, x, p: method(x, scale=p),
    "t": lambda method, x, p: method(x, 2.5, scale=p),
    "cauchy": lambda method, x, p: method(x, scale=p),
    "laplace": lambda method, x, p: method(x, scale=p),
    "logistic": lambda method, x, p: method(x, scale=p),
}


def methods(name):
    density = "pmf" if hasattr(getattr(stats, name), "pmf") else "pdf"
    return [density, f"log{density}", "cdf", "logcdf", "sf", "logsf"]


NAMES = [(name, method) for name in CALLS for method in methods(name)]
each = pytest.mark.parametrize("name, method", NAMES)


@each
@pytest.mark.parametrize("p", [0.7, 1.9, -1.0, 0.0])
def test_values(name, method, p):
    function, call = getattr(getattr(stats, name), method), CALLS[name]
    with np.errstate(all="ignore"):
        expected = call(function, X, p) if p >= 0.0 else np.full(X.shape, np.nan)
    found, _ = srcad.jvp(lambda x, p: call(function, x, p), target="python", wrt="p")(X, p, tangents=1.0)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@each
def test_no_derivative_outside_the_support(name, method):
    """Nothing but zeros where the density is zero, and numbers inside."""
    function, call = getattr(getattr(stats, name), method), CALLS[name]
    points = np.array([-2.0, -0.5, 0.3, 0.6, 3.0, 9.5]) if "pmf" not in methods(name)[0] else np.arange(-2.0, 9.0, 0.5)
    p = np.full(points.shape, 1.3)
    with np.errstate(all="ignore"):
        outside = ~np.isfinite(call(getattr(getattr(stats, name), methods(name)[1]), points, 1.3))
    gradient = srcad.grad(lambda x, p: np.sum(call(function, x, p)), wrt="p", target="python")(points, p)
    forward = srcad.jvp(lambda x, p: call(function, x, p), wrt="p", target="python")
    _, tangent = forward(points, p, tangents=np.ones_like(p))
    assert np.all(np.isfinite(gradient)) and np.all(np.isfinite(tangent))
    np.testing.assert_allclose(tangent, gradient, rtol=1e-12, atol=1e-14)
    if "pmf" in method or "pdf" in method:
        assert not np.any(gradient[outside])
        assert np.all(gradient[~outside] != 0.0)
