"""Roots of zero whose seed, weight or tangent is zero: they add nothing; and those where only a limit could tell."""

import math

import numpy as np
import pytest

import srcad

X, W = np.array([0.0, 4.0]), np.array([0.0, 1.0])


def roots(x):
    return np.sqrt(x)


def powers_of_arrays(x):
    return x**0.5


def looped(x):
    y = np.empty_like(x)
    for i in range(len(x)):
        y[i] = math.sqrt(x[i])
    return y


def powers(x):
    y = np.empty_like(x)
    for i in range(len(x)):
        y[i] = 3.0 * x[i] ** 0.5
    return y


def displayed(x):
    return np.sum(np.sqrt(x) * np.array([0.0, 1.0]))


def weighted(x, w):
    return np.sum(np.sqrt(x) * w)


def weighted_in_a_loop(x, w):
    total = 0.0
    for i in range(len(x)):
        total += w[i] * (1.0 + x[i] ** 0.5)
    return total


def in_a_product_of_vectors(x, w):
    return np.dot(np.sqrt(x), w) + np.sum(np.outer(w, w) @ x**0.5)


def root(x, w):
    return w * math.sqrt(x)


def square_of_root(x, w):
    return w * np.sqrt(x) ** 2


@pytest.mark.parametrize("function", [roots, powers_of_arrays, looped, powers])
def test_seeds_and_tangents_of_arrays(function):
    slope = 0.75 if function is powers else 0.25
    _, gradient = srcad.vjp(function, target="python")(X, grad_ys=W)
    np.testing.assert_array_equal(gradient, [0.0, slope])
    _, tangent = srcad.jvp(function, target="python")(X, tangents=W)
    np.testing.assert_array_equal(tangent, [0.0, slope])


def test_diagonal_of_a_jacobian_in_forward_mode():
    jacobian = srcad.jacobian(looped, mode="forward", target="python")(np.array([1.0, 0.0]))
    np.testing.assert_array_equal(jacobian, [[0.5, 0.0], [0.0, np.inf]])


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_weights(target):
    np.testing.assert_array_equal(srcad.grad(displayed, target=target)(X), [0.0, 0.25])
    np.testing.assert_array_equal(srcad.grad(weighted, target=target)(X, W), [0.0, 0.25])
    np.testing.assert_array_equal(srcad.grad(weighted_in_a_loop, target=target)(X, W), [0.0, 0.25])
    np.testing.assert_array_equal(srcad.grad(in_a_product_of_vectors, target=target)(X, W), [0.0, 0.5])
    assert srcad.grad(root, target=target)(0.0, 0.0) == 0.0


def test_numbers():
    assert srcad.vjp(root, target="python")(0.0, 1.0, grad_ys=0.0) == (0.0, 0.0)
    assert srcad.jvp(root, target="python")(0.0, 1.0, tangents=0.0) == (0.0, 0.0)
    assert srcad.grad(root, target="python")(0.0, 2.0) == np.inf


def test_weight_with_a_gradient_of_its_own():
    gradient = srcad.grad(root, wrt=("x", "w"), target="python")
    assert gradient(4.0, 0.0) == (0.0, 2.0)


def test_moving_exponent():
    def power(x, p):
        return x**p

    value, tangent = srcad.jvp(power, wrt=(0, 1), target="python")(4.0, 0.5, tangents=(0.0, 1.0))
    assert tangent == pytest.approx(2.0 * math.log(4.0))


def test_cotangent_that_the_root_makes_zero():
    """The slope is that of `x`, 1; zero would be wrong."""
    with np.errstate(all="ignore"):
        assert not srcad.grad(square_of_root, target="python")(np.float64(0.0), np.float64(3.0)) == 0.0


def scaled_roots(x):
    return np.array([1.0, 2.0]) * np.sqrt(x)


def roots_of_each(x):
    return np.array([np.sqrt(x[0]) * x[1], x[0] * x[1]])


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("function", [scaled_roots, roots_of_each, looped])
def test_derivative_by_the_seed_where_it_is_zero(function, target):
    """What multiplies the seed: the other derivative, along the other direction."""
    x, w, d = np.array([2.0, 3.0]), np.array([0.3, 0.0]), np.array([0.7, 0.2])
    gradient = srcad.grad(function, target="python")
    tangent = srcad.jvp(function, target="python")

    def back(x, w):
        return gradient(x, grad_ys=w)

    def along(x, w):
        return tangent(x, tangents=w)[1]

    if target == "python":
        np.testing.assert_allclose(srcad.grad(along, wrt="w", target=target)(x, w, grad_ys=d), gradient(x, grad_ys=d))
    np.testing.assert_allclose(srcad.grad(back, wrt="w", target=target)(x, w, grad_ys=d), tangent(x, tangents=d)[1])


KEPT, DIVISORS = np.array([False, True, True]), np.array([np.nan, 0.5, -2.0])


def kept(x, c):
    t = x / c
    return np.sum(np.where(KEPT, t, 0.0) ** 2)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_second_derivative_where_nothing_is_kept(target):
    """A tangent of zero, too, is kept from what is no number."""
    found = srcad.hvp(kept, target=target)(np.array([1.0, 0.0, 3.0]), DIVISORS, tangents=np.ones(3))
    np.testing.assert_array_equal(found, [0.0, 8.0, 0.5])


def test_other_derivatives_where_nothing_is_kept():
    x, c = np.array([1.0, 0.0, 3.0]), DIVISORS
    rows = srcad.jacobian(srcad.grad(kept), mode="forward", target="python")(x, c)
    np.testing.assert_array_equal(rows, np.diag([0.0, 8.0, 0.5]))


def test_third_derivative_where_the_tangent_is_zero():
    """Where `x` and its tangent are zero, the cotangent of the quotient and its tangent are; the next one is not."""
    x, c, by_x, by_c = np.array([1.0, 0.0, 3.0]), DIVISORS, np.array([0.3, 0.0, 0.5]), np.array([0.1, 0.7, 0.2])

    def twice(x, c):
        moved = srcad.hvp(kept, wrt=("x", "c"))(x, c, tangents=(by_x, by_c))
        return np.sum(moved[0]) + np.sum(moved[1])

    _, slope = srcad.jvp(twice, wrt=("x", "c"), target="python")(x, c, tangents=(np.ones(3), np.ones(3)))
    x, c, by_x, by_c = x[1:], c[1:], by_x[1:], by_c[1:]
    xxc, xcc, ccc = -4.0 / c**3, 12.0 * x / c**4, -24.0 * x**2 / c**5
    assert slope == pytest.approx(np.sum(by_x * (2.0 * xxc + xcc) + by_c * (xxc + 2.0 * xcc + ccc)))


def test_second_derivative_of_variances_without_degrees_of_freedom():
    def variances(x):
        return np.sum(np.where(np.array([False, True]), np.nanvar(x, axis=1, ddof=2), 0.0) ** 2)

    x, v = np.array([[np.nan, 1.0, 2.0], [0.0, 1.0, 5.0]]), np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]])
    found = srcad.hvp(variances, target="python")(x, tangents=v)
    # With u = x - mean(x): the variance is u @ u, its gradient 2 u, and its tangent 2 u @ v.
    (_, u), (_, moved) = (each - np.mean(each, axis=1, keepdims=True) for each in (x, v))
    np.testing.assert_allclose(found, [np.zeros(3), 8.0 * u * (u @ moved) + 4.0 * (u @ u) * moved])


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_second_derivative_keeps_the_test_of_a_cotangent_that_is_zero(target):
    """The cotangent of the quotient is a factor in a tangent: it has to be zero as well."""

    def squares(x, c):
        t = x * x / c
        return np.sum(np.where(KEPT, t, 0.0) ** 2 + 0.5 * np.where(KEPT, t, 0.0))

    found = srcad.hvp(squares, target=target)(np.array([3.0, 1.0, 2.0]), DIVISORS, tangents=np.ones(3))
    np.testing.assert_array_equal(found, [0.0, 50.0, 11.5])


def test_second_derivative_keeps_the_weights_that_it_does_not_move():
    found = srcad.hvp(weighted, target="python")(X, W, tangents=np.ones(2))
    np.testing.assert_array_equal(found, [0.0, -0.03125])


def test_the_users_own_branch_is_the_one_taken():
    def weighed(p):
        slopes = srcad.grad(weighted, wrt="w")(np.ones(2), p)
        return np.sum(slopes) + np.sum(np.where(p != 0.0, p * np.array([2.0, 3.0]), 0.0))

    np.testing.assert_array_equal(srcad.grad(weighed, target="python")(np.array([0.0, 1.0])), [0.0, 3.0])
