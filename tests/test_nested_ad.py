"""Derivatives inside of what is differentiated: the nested programs that AD is usually measured by, and identities.

Each program is run with the inner and the outer derivative in forward and in reverse mode, and compared with finite
differences and closed forms.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import srcad
from srcad import function, grad, hessian, hvp, jacobian, jvp


def forward(f):
    """The gradient of a function of a vector or a number, in forward mode."""
    return jacobian(f, mode="forward")


def reverse(f):
    return grad(f)


MODES = {"forward": forward, "reverse": reverse}
FOUR = pytest.mark.parametrize("outer, inner", list(itertools.product(MODES, MODES)))


# ---------------------------------------------------------------- a saddle point: descent in the maximum of an ascent


def height(p, q):
    return p[0] ** 2 + p[1] ** 2 + 0.5 * p[0] * q[1] - (q[0] - 1.0) ** 2 - q[1] ** 2


def saddle(outer, inner):
    def highest(p):
        q = np.array([0.5, -0.5])
        slope = inner(lambda q: height(p, q))
        for _ in range(30):
            q = q + 0.2 * slope(q)
        return height(p, q)

    def lowest(start, steps):
        p = start.copy()
        slope = outer(highest)
        for _ in range(steps):
            p = p - 0.2 * slope(p)
        return p

    return lowest


@FOUR
def test_saddle_point(outer, inner):
    lowest = function(saddle(MODES[outer], MODES[inner]), target="python")
    assert np.allclose(lowest(np.array([1.0, 1.0]), 30), 0.0, atol=1e-5)


# ---------------------------------------------------------------- a charged particle that is to hit a spot


def potential(x, w):
    return 1.0 / np.sqrt((x[0] - 10.0) ** 2 + (x[1] - 10.0 + w) ** 2) + 1.0 / np.sqrt((x[0] - 10.0) ** 2 + x[1] ** 2)


def miss(w, slope):
    """By how much a particle that two charges repel, the first of which w moves, misses the origin of the ground."""
    x, v = np.array([0.0, 8.0]), np.array([0.75, 0.0])
    while x[1] > 0.0:
        a = -slope(x, w)
        x = x + 0.1 * v
        v = v + 0.1 * a
    rest = -x[1] / v[1]
    return (x[0] + rest * v[0]) ** 2


def newton(derivative, slope):
    def solve(w, steps):
        error = lambda w: miss(w, slope)
        first = derivative(error)
        second = derivative(first)
        for _ in range(steps):
            w = w - first(w) / second(w)
        return w

    return solve


def by_differences(w, steps):
    """The same with derivatives of the potential by hand, and of the error by differences."""
    def slope(x, w):
        a, b = x - [10.0, 10.0 - w], x - [10.0, 0.0]
        return -a / (a @ a) ** 1.5 - b / (b @ b) ** 1.5

    h = 1e-4
    for _ in range(steps):
        below, here, above = (miss(w + d, slope) for d in (-h, 0.0, h))
        w -= (above - below) / 2 / ((above - 2 * here + below) / h)
    return w


@pytest.mark.parametrize("outer, inner", [
    pytest.param(outer, inner, marks=() if outer != inner == "reverse" else pytest.mark.slow)
    for outer, inner in itertools.product(MODES, MODES)
])  # fmt: skip
def test_particle(outer, inner):
    slopes = {"forward": jacobian(potential, mode="forward"), "reverse": grad(potential)}
    solve = function(newton(MODES[outer], slopes[inner]), target="python")
    assert solve(0.0, 2) == pytest.approx(by_differences(0.0, 2), rel=1e-5)


# ---------------------------------------------------------------- orders and confusions


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_perturbations_are_not_confused(target):
    """d/dx (x * d/dy (x + y)) is 1, and d/dx (x * d/dy (x * y)) is 2 x."""
    assert grad(lambda x: x * grad(lambda y: x + y)(1.0), target=target)(1.0) == 1.0
    assert grad(lambda x: x * grad(lambda y: x * y)(2.0), target=target)(3.0) == 6.0
    assert jvp(lambda x: x * jvp(lambda y: x * y)(2.0)[1], target=target)(3.0) == (9.0, 6.0)
    assert grad(lambda x: x * jvp(lambda y: x * y**2)(x)[1], target=target)(3.0) == 6.0 * 3.0**2
    assert jvp(lambda x: x * grad(lambda y: x * y**2)(x), target=target)(3.0) == (54.0, 54.0)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_orders_up_to_the_fourth(target):
    f = lambda x: np.sin(x) * x**3
    s, c, x = np.sin(0.7), np.cos(0.7), 0.7
    expected = [
        s * x**3, c * x**3 + 3 * s * x**2, -s * x**3 + 6 * c * x**2 + 6 * s * x,
        -c * x**3 - 9 * s * x**2 + 18 * c * x + 6 * s, s * x**3 - 12 * c * x**2 - 36 * s * x + 24 * c,
    ]  # fmt: skip
    for value in expected[: 5 if target == "python" else 3]:
        assert f(0.7) == pytest.approx(value, rel=1e-12)
        f = grad(f, target=target)


def energy(x):
    e = 0.0
    for i in range(1, len(x)):
        e += np.exp(0.3 * x[i] * x[i - 1]) + (x[i] - x[i - 1]) ** 4
    return e


def differences(f, x, h=1e-5):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


def test_hessians_against_differences_of_gradients():
    x, v = np.array([0.3, -0.7, 1.1, 0.4]), np.array([1.0, 0.5, -2.0, 0.25])
    slope = grad(energy, target="python")
    expected = differences(slope, x)
    assert np.allclose(hessian(energy, target="python")(x), expected, atol=1e-7)
    assert np.allclose(hvp(energy, target="python")(x, tangents=v), expected @ v, atol=1e-7)
    assert np.allclose(jacobian(slope, mode="reverse", target="python")(x), expected, atol=1e-7)
    assert np.allclose(grad(lambda x: slope(x) @ v, target="python")(x), expected @ v, atol=1e-7)


def test_products_with_several_vectors_at_once():
    x = np.array([0.3, -0.7, 1.1, 0.4])
    vs = np.array([[1.0, 0.5, -2.0, 0.25], [0.0, 1.0, 0.0, 3.0], [2.0, 2.0, 0.0, 1.0]])
    whole = hessian(energy, target="python")(x)
    assert np.allclose(hvp(energy, target="python")(x, tangents=vs), vs @ whole)
    value, slopes = jvp(energy, target="python")(x, tangents=vs)
    assert np.isclose(value, energy(x)) and np.allclose(slopes, vs @ grad(energy, target="python")(x))


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_jacobian_of_a_gradient_in_a_function(target):
    slope = grad(energy)

    @function(target=target)
    def newton_step(x):
        return x - np.linalg.solve(jacobian(slope)(x), slope(x))

    x = np.array([0.3, -0.7, 1.1, 0.4])
    plain = grad(energy, target="python")
    assert np.allclose(newton_step(x), x - np.linalg.solve(differences(plain, x), plain(x)), atol=1e-6)


def test_a_gradient_in_what_gradients_differentiates():
    @function(target="python")
    def penalised(x, rate):
        loss = energy(x)
        slope = srcad.gradients(loss, x)[0]
        return srcad.gradients(loss + rate * np.sum(slope**2), x)[0]

    x = np.array([0.3, -0.7, 1.1, 0.4])
    plain = grad(energy, target="python")
    expected = differences(lambda x: energy(x) + 0.1 * np.sum(plain(x) ** 2), x)
    assert np.allclose(penalised(x, 0.1), expected, atol=1e-6)


def test_derivatives_of_lambdas_from_outside():
    slope = grad(lambda x: x**3)
    assert grad(lambda x: slope(x) * x, target="python")(2.0) == 36.0
    srcad.testing.check_grads(lambda x: x * np.exp(x), (0.7,), order=2, target="python")
