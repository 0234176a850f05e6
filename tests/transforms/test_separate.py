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


def pairs_in_order(x):
    pairs = [(a * a, 2.0) for a in x]
    for _ in range(3):
        pairs = sorted(pairs, key=lambda pair: pair[0])
        pairs[-1] = (pairs[0][0] * 0.3, 1.0)
    return sum(a for a, _ in pairs)


def test_hessian_of_what_is_put_into_an_array_that_changes():
    """The cotangent of the array is summed to the shape of what was put in, and cleared: no direction changes it."""
    hessian = srcad.hessian(pairs_in_order, target="python")(np.array([1.0, 2.0, 0.5]))
    # 0.25, 1 and 4 lose the largest for 0.3 times the smallest, three times: all that is left is of 0.5
    np.testing.assert_allclose(hessian, np.diag([0.0, 0.0, 2.0 * (0.3 + 0.3**2 + 0.3**3)]))
