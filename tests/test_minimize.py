"""Derivatives as SciPy's minimisers take them: ``jac=True``, each call gives value and gradient."""

import numpy as np
import pytest

import srcad

optimize = pytest.importorskip("scipy.optimize")


def rosenbrock(x):
    total = 0.0
    for i in range(x.shape[0] - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def bowl(x, centre, width):
    return np.sum((x - centre) ** 2) / width


@pytest.mark.parametrize("target", ["cpu", "python"])
@pytest.mark.parametrize("method", ["BFGS", "L-BFGS-B", "CG", "Newton-CG"])
def test_minimisers_take_value_and_gradient_from_one_call(method, target):
    found = optimize.minimize(srcad.value_and_grad(rosenbrock, target=target), np.full(4, 1.3), jac=True, method=method)
    np.testing.assert_allclose(found.x, 1.0, atol=1e-3)


def test_minimisers_pass_further_arguments():
    arguments = (np.array([1.0, -2.0]), 3.0)
    found = optimize.minimize(srcad.value_and_grad(bowl), np.zeros(2), args=arguments, jac=True)
    np.testing.assert_allclose(found.x, arguments[0], atol=1e-5)


def test_minimisers_take_gradient_and_hessian_apart():
    start = np.full(3, 1.2)
    derivatives = {"jac": srcad.grad(rosenbrock), "hess": srcad.hessian(rosenbrock)}
    found = optimize.minimize(rosenbrock, start, **derivatives, method="trust-exact")
    np.testing.assert_allclose(found.x, 1.0, atol=1e-5)


def test_least_squares_takes_a_jacobian():
    def residuals(p, t, y):
        return p[0] * np.exp(-p[1] * t) - y

    t = np.linspace(0.0, 1.0, 20)
    data = (t, 2.0 * np.exp(-3.0 * t))
    found = optimize.least_squares(residuals, np.ones(2), jac=srcad.jacobian(residuals), args=data)
    np.testing.assert_allclose(found.x, [2.0, 3.0], atol=1e-6)
