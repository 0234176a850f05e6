"""Solutions of equations: their derivatives in both modes, of second order, and what is no solution."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest

import srcad
from srcad import implicit
from srcad.testing import check_grads


def residual(x, a, b):
    return np.array([x[0] ** 2 + x[1] - a, x[1] ** 3 - b * x[0]])


def of_a_system(a, b):
    return implicit.root(residual, np.ones(2), a, b)


def of_a_number(a):
    return implicit.root(lambda x, a: x**3 + x - a, 1.0, a)


def fixed_number(a):
    return implicit.fixed_point(lambda x, a: np.cos(a * x), 0.7, a)


def fixed_vector(A, b):
    return implicit.fixed_point(lambda x, A, b: np.tanh(A @ x + b), np.zeros(2), 0.5 * A, b)


def least(w):
    return implicit.minimize(lambda x, w: np.sum((x - w) ** 2) + 0.1 * np.sum(x**4), np.zeros(3), w)


def in_a_loop(a):
    total = 0.0
    for k in range(3):
        total += implicit.root(lambda x, c: x * np.exp(x) - c, 0.5, a + k)
    return total


def of_what_is_around(w):
    b = w * w
    return np.sum(implicit.fixed_point(lambda x: np.tanh(0.3 * x + b), np.zeros(2)) * w)


def square_root(A):
    return implicit.root(lambda X, A: X @ X - A, np.eye(2), A)


def of_structures(model):
    x = implicit.root(lambda x, m, k: m["a"] * x + m["b"][0] * x**3 - m["b"][1] * k, 1.0, model, 2.0)
    return x * model["a"]


def from_a_solver(a, b):
    found = np.array([a, b]) / (1.0 + np.exp(-a))  # whatever it is, it is close
    return implicit.root(residual, found, a, b)


class Pair(NamedTuple):
    a: float
    b: np.ndarray


@dataclasses.dataclass
class Settings:
    rate: float
    parts: tuple
    kind: str = "settled"


def of_tuples(a):
    start = (1.0, np.ones((2, 2)))
    x, y = implicit.root(lambda s, a: (s[0] ** 3 + s[0] - a * s[1][0, 0], s[1] ** 3 + s[1] - s[0]), start, a)
    return x * y


def of_dicts_in_any_order(a):
    start = {"x": 0.0, "y": np.zeros(2)}
    s = implicit.fixed_point(
        lambda s, a: {"y": 0.3 * np.cos(s["x"] * a) + s["y"] / 5, "x": np.sin(s["y"][1])}, start, a
    )
    return s["x"] + 3.0 * s["y"]


def of_named_tuples(w):
    s = implicit.minimize(lambda s, w: (s.a - w[0]) ** 2 + np.sum((s.b - s.a) ** 4 + w * s.b**2), Pair(0.3, w), w)
    return s.a * s.b


def of_dataclasses(a):
    start = Settings(0.5, (np.ones(3), 0.2))
    s = implicit.fixed_point(
        lambda s, a: Settings(np.cos(s.rate * a), (0.5 * np.sin(s.parts[0] + s.rate), s.rate / 2)), start, a
    )
    return s.parts[0] * s.parts[1]


PROGRAMS = [
    (square_root, (np.array([[2.0, 0.3], [0.1, 1.5]]),)), (from_a_solver, (2.0, 1.5)),
    (of_structures, ({"a": 1.5, "b": (0.4, 1.2)},)),
    (of_what_is_around, (np.array([0.4, -0.7]),)),
    (of_a_system, (2.0, 1.5)), (of_a_number, (2.0,)), (fixed_number, (1.0,)), (in_a_loop, (1.2,)),
    (fixed_vector, (np.array([[0.4, -0.2], [0.1, 0.6]]), np.array([0.3, -0.5]))), (least, (np.array([0.2, 0.5, 1.0]),)),
]  # fmt: skip


QUICK = {square_root: 1, of_structures: 2, of_a_system: 1, in_a_loop: 1, fixed_vector: 2}  # the orders of quick runs


@pytest.mark.parametrize("function, args, order", [
    pytest.param(f, args, order, marks=() if QUICK.get(f) == order else pytest.mark.slow)
    for f, args in PROGRAMS for order in (1, 2)
], ids=lambda v: getattr(v, "__name__", None))  # fmt: skip
def test_derivatives(function, args, order):
    check_grads(function, args, order=order, target="python")


@pytest.mark.parametrize("function, args", [
    (of_dicts_in_any_order, (0.9,)), (of_named_tuples, (np.array([0.4, 1.2]),)),
    pytest.param(of_tuples, (1.3,), marks=pytest.mark.slow),
    pytest.param(of_dataclasses, (1.1,), marks=pytest.mark.slow),
], ids=lambda v: getattr(v, "__name__", None))  # fmt: skip
def test_unknowns_in_structures(function, args):
    check_grads(function, args, order=1, target="python")


def test_the_third_derivative():
    # x**3 + x == a: derivatives of the inverse function.
    third = srcad.grad(srcad.grad(srcad.grad(of_a_number, target="python"), target="python"), target="python")
    x = of_a_number(2.0)
    s = 3.0 * x**2 + 1.0
    assert third(2.0) == pytest.approx((3.0 * (6.0 * x) ** 2 - 6.0 * s) / s**5, rel=1e-10)


def derivative(fn, order):
    for _ in range(order):
        fn = srcad.grad(fn, target="python")
    return fn


def test_orders():
    def exponential(a):
        return implicit.root(lambda x, a: np.log(x) - a, 1.5, a, order=5)

    for order in (4, 5):
        assert derivative(exponential, order)(0.3) == pytest.approx(np.exp(0.3), rel=1e-8)
    with pytest.raises(srcad.UnsupportedError, match="order=n, the highest of all"):
        derivative(of_a_number, 4)(2.0)


def inner(y):
    return implicit.root(lambda x, y: x**3 + x - y, 1.0, y)


def nested(a):
    return implicit.fixed_point(lambda y, a: 0.2 * inner(y) + a, 1.0, a)


def nested_vectors(a):
    def residual(y, a):
        x = implicit.root(lambda x, y: x**3 + x - y, np.ones(2), y)
        return y + 0.3 * x[::-1] - a

    return implicit.root(residual, np.ones(2), a)


def best(a):
    return implicit.minimize(lambda y, a: (y - a) ** 2 + 0.1 * inner(y) ** 2, 1.0, a)


@pytest.mark.parametrize("function, args, order", [
    pytest.param(nested, (0.7,), 2, marks=pytest.mark.slow), pytest.param(best, (0.7,), 1, marks=pytest.mark.slow),
    (nested_vectors, (np.array([1.0, 2.0]),), 1),
], ids=lambda v: getattr(v, "__name__", None))  # fmt: skip
def test_equations_in_equations(function, args, order):
    check_grads(function, args, order=order, target="python")


def test_an_unknown_has_numbers():
    def wrong(a):
        return implicit.root(lambda x, a: x, ("a", ()), a)[0]

    with pytest.raises(srcad.UnsupportedError, match="an unknown without numbers"):
        srcad.grad(wrong, target="python")(1.0)


def test_plain_calls_have_equations_of_their_own():
    """The functions that the library makes for two equations are not taken for one."""
    for _ in range(2):
        s = implicit.root(lambda s, a: [s[0] ** 3 + s[0] - a, s[1] - s[0] * a], [1.0, 2.0], 2.0)
        assert s == pytest.approx([1.0, 2.0])
        x, y = implicit.root(lambda s, a: (s[0] - a, s[1] - s[0]), (1.0, np.ones(2)), 2.0)
        assert x == pytest.approx(2.0) and y == pytest.approx(2.0)


@pytest.mark.parametrize("function, args", [
    (of_a_system, (2.0, 1.5)), pytest.param(of_tuples, (1.3,), marks=pytest.mark.slow)
])  # fmt: skip
def test_compiled(function, args):
    loss = {of_a_system: lambda a, b: np.sum(of_a_system(a, b)), of_tuples: lambda a: np.sum(of_tuples(a))}[function]
    expected = srcad.grad(loss, target="python")(*args)
    assert srcad.grad(loss)(*args) == pytest.approx(expected, rel=1e-12)


def test_nothing_goes_back_through_the_iterations():
    assert "tape" not in srcad.source(srcad.grad(of_a_number), 2.0)


def test_no_solution():
    def none(a):
        return implicit.root(lambda x, a: x * x + a, 1.0, a)

    with np.errstate(all="ignore"):
        for solve in (none, srcad.value_and_grad(none, target="python"), srcad.grad(none)):
            with pytest.raises(RuntimeError, match="Newton's method has not converged in 50 steps"):
                solve(1.0)


def test_single_precision_converges():
    def total(a):
        start = np.zeros(3, np.float32)
        return np.sum(implicit.root(lambda x, a: np.exp(x) * a + np.sin(3 * x) - 2.0 + 0.3 * np.sum(x * x), start, a))

    a = np.array([0.6, 1.1, 1.9], np.float32)
    value, slope = srcad.value_and_grad(total, target="python")(a)
    again, exact = srcad.value_and_grad(total, target="python")(a.astype(np.float64))
    assert slope.dtype == np.float32
    np.testing.assert_allclose(value, again, rtol=1e-5)
    np.testing.assert_allclose(slope, exact, rtol=1e-4)
