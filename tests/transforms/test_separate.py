"""What a derivative changes in place is not another name's array: derivatives of gradients, against formulas."""

import numpy as np
import pytest

import srcad

X, C, D = np.array([1.0, 2.0]), np.array([0.5, 0.75]), np.array([0.5, 0.25])


def quotients(x, c):
    t = 1.5 * x
    s = np.sum(t**3)
    return np.sum((t / c) ** 2) + s


def along(x, c):
    gradient = srcad.grad(quotients, wrt="x")(x, c)
    return np.sum(gradient * D)


SLOPES = D * (4.5 / C**2 + 20.25 * X), D * -9.0 * X / C**3


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_gradient_of_a_gradient(target):
    """The quotient's derivative reads the quotient, whose array was the cotangent that changes."""
    found = srcad.grad(along, wrt=("x", "c"), target=target)(X, C)
    np.testing.assert_allclose(found, SLOPES)


@pytest.mark.parametrize("k", [0, 1])
def test_jacobian_of_a_second_derivative_in_forward_mode(k):
    """The loop over directions runs a change in place again, which begins with what stands before the loop."""

    def twice(x, c):
        return np.sum(srcad.hvp(quotients, wrt=("x", "c"))(x, c, tangents=(D, D))[1])

    forward = srcad.jacobian(twice, wrt=k, mode="forward", target="python")(X, C)
    formulas = D * (27.0 * X / C**4 - 9.0 / C**3), D * (27.0 * X / C**4 - 54.0 * X**2 / C**5)
    np.testing.assert_allclose(forward, formulas[k])
