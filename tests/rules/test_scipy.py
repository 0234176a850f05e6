"""Second derivatives of SciPy's functions: of each, the derivative of the gradient against its differences."""

import numpy as np
import pytest
from scipy import special

import srcad
from tests.rules.scipy_cases import DOMAINS


def moving(function):
    """The places of the operands that have a derivative."""
    return [k for k, domain in enumerate(DOMAINS[function]) if not domain[2:] and not isinstance(domain[0], int)]


ONCE = (special.elliprf,)
"""Those whose rule is in terms of a function that has none."""


@pytest.mark.parametrize("function", [f for f in DOMAINS if f not in ONCE], ids=lambda f: f.__name__)
def test_second_derivative(function):
    rng = np.random.default_rng(3)
    drawn = [rng.integers(*d, 4) if isinstance(d[0], int) else rng.uniform(*d[:2], 4) for d in DOMAINS[function]]
    wrt = tuple(moving(function))
    losses = (
        lambda a: np.sum(function(a)), lambda a, b: np.sum(function(a, b)),
        lambda a, b, c: np.sum(function(a, b, c)), lambda a, b, c, d: np.sum(function(a, b, c, d)),
    )  # fmt: skip
    loss = losses[function.nin - 1]
    gradient = srcad.grad(loss, wrt=wrt, target="python")
    directions = tuple(rng.normal(size=4) for _ in wrt)
    found = srcad.hvp(loss, wrt=wrt, target="python")(*drawn, tangents=directions)

    def at(step):
        values = list(drawn)
        for k, direction in zip(wrt, directions):
            values[k] = drawn[k] + step * direction
        return gradient(*values)

    for row, above, below in zip(found, at(1e-5), at(-1e-5)):
        np.testing.assert_allclose(row, (above - below) / 2e-5, rtol=2e-5, atol=2e-6)


def symmetric_integral(x, y, z):
    return special.elliprf(x, y, z)


@pytest.mark.parametrize("second", [
    lambda *at: srcad.hessian(symmetric_integral, target="python")(*at),
    lambda *at: srcad.hvp(symmetric_integral, wrt=(0, 1, 2), target="python")(*at, tangents=(1.0, 1.0, 1.0)),
], ids=["hessian", "hvp"])  # fmt: skip
def test_second_derivative_in_terms_of_a_function_without_a_rule(second):
    with pytest.raises(srcad.NoGradientError, match="no derivative rule for scipy.special.elliprd in") as caught:
        second(0.5, 1.2, 2.0)
    assert "return special.elliprf(x, y, z)" in str(caught.value)
    assert "@srcad.rule(scipy.special.elliprd)" in str(caught.value)


def of_digamma(x):
    return special.digamma(x)


def of_polygamma(x):
    return special.polygamma(2, x)


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("function", [of_digamma, of_polygamma])
def test_polygamma_is_double_and_its_gradient_is_as_precise_as_the_argument(function, target):
    x = np.array([0.5, 1.5], np.float32)
    value, gradient = srcad.value_and_grad(function, target=target)(x)
    assert (value.dtype, gradient.dtype) == (function(x).dtype, np.float32)
    exact = srcad.grad(function, target="python")(x.astype(np.float64))
    np.testing.assert_allclose(gradient, exact, rtol=1e-5)
