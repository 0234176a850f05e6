"""Solutions of differential equations: against closed forms and finite differences, in both modes."""

import numpy as np
import pytest

import srcad
from srcad.ode import odeint
from srcad.testing import check_grads
from tests.turns import one_in

TIMES = np.array([0.0, 0.4, 1.0])


def predators(y, t, p):
    return np.array([p["a"] * y[0] - p["b"] * y[0] * y[1], p["b"] * y[0] * y[1] - y[1] * (1.0 + 0.1 * t)])


def in_steps(method):
    def population(y0, p, ts):
        return odeint(predators, y0, ts, p, method=method, steps=3)

    return population


def adaptive(y0, p, ts):
    return odeint(predators, y0, ts, p, rtol=1e-10, atol=1e-12)


def spring(stiffness, x0):
    def moved(y, t):
        return np.array([y[1], -stiffness * y[0]])

    return odeint(moved, np.array([x0, 0.0]), TIMES, rtol=1e-9)[-1, 0]


def decay(y0, rate):
    return odeint(lambda y, t, rate: -rate * y, y0, TIMES, rate, rtol=1e-9)


def rotating(A):
    return odeint(lambda Y, t, A: A @ Y, np.eye(2), np.array([1.0, 0.0]), A, rtol=1e-9)[-1]


MODEL = {"a": 0.9, "b": 0.7}
START = np.array([1.0, 0.7])


@pytest.mark.parametrize("method", ["euler", "midpoint", "heun", "rk4"])
def test_steps_of_one_size(method):
    check_grads(in_steps(method), (START, MODEL, TIMES), order=1, target="python")


@pytest.mark.parametrize("function, args", [
    (adaptive, (START, MODEL, TIMES)), (spring, (2.0, 1.5)), (decay, (2.0, 0.7)),
    (rotating, (np.array([[0.3, 1.0], [-1.0, 0.1]]),)),
], ids=lambda v: getattr(v, "__name__", None))  # fmt: skip
def test_adaptive_steps(function, args):
    check_grads(function, args, order=1, target="python", atol=1e-5, rtol=1e-5)


def test_second_order():
    hessian = srcad.hessian(spring, wrt=(0, 1), target="python")(2.0, 1.5)
    turn, end = np.sqrt(2.0), TIMES[-1]
    mixed = -end * np.sin(turn * end) / (2.0 * turn)
    twice = -1.5 * (end * turn * np.cos(turn * end) - np.sin(turn * end)) * end / (4.0 * turn**3)
    np.testing.assert_allclose(hessian[0], [twice, mixed], atol=1e-6)


def test_closed_forms():
    stiffness, x0, end = 2.0, 1.5, TIMES[-1]
    value, (by_stiffness, by_start) = srcad.value_and_grad(spring, wrt=(0, 1), target="python")(stiffness, x0)
    turn = np.sqrt(stiffness)
    assert value == pytest.approx(x0 * np.cos(turn * end), abs=1e-8)
    assert by_start == pytest.approx(np.cos(turn * end), abs=1e-8)
    assert by_stiffness == pytest.approx(-x0 * end * np.sin(turn * end) / (2.0 * turn), abs=1e-7)


@pytest.mark.parametrize("method, order", [("euler", 1), ("midpoint", 2), ("heun", 2), ("rk4", 4)])
def test_orders(method, order):
    def error(steps):
        y = odeint(lambda y, t: -y * t, 1.0, np.array([0.0, 1.5]), method=method, steps=steps)[-1]
        return abs(y - np.exp(-1.125))

    assert np.log2(error(16) / error(32)) == pytest.approx(order, abs=0.35)


def test_the_derivative_by_the_times_is_the_equation():
    def last(ts):
        return odeint(lambda y, t: -y * t, 1.0, ts, rtol=1e-9)[-1]

    slope = srcad.grad(last, target="python")(np.array([0.2, 0.7, 1.5]))
    value = np.exp(-0.5 * (1.5**2 - 0.2**2))
    np.testing.assert_allclose(slope, [0.2 * value, 0.0, -1.5 * value], atol=1e-7)


def test_a_single_time_and_equal_times():
    def at(ts):
        return np.sum(odeint(lambda y, t: -y, np.ones(2), ts))

    assert srcad.grad(at, target="python")(np.array([1.0])) == pytest.approx([0.0])
    np.testing.assert_allclose(srcad.grad(at, target="python")(np.array([1.0, 1.0])), [2.0, -2.0])


def test_steps_that_do_not_suffice():
    def stiff(rate):
        return odeint(lambda y, t, rate: -rate * y, 1.0, np.array([0.0, 1.0]), rate, max_steps=5)[-1]

    assert np.isnan(stiff(1e4)) and np.isnan(srcad.grad(stiff, target="python")(1e4))


@pytest.mark.parametrize("y0, ts, options, message", [
    ((1.0, 2.0), TIMES, {}, "an ODE of a structure"), (1.0, 2.0, {}, "odeint at times that are not a vector"),
    (1.0, TIMES, {"method": "bdf"}, "odeint with this method="),
    (1.0, TIMES, {"adjoint": "x"}, "odeint with this adjoint="),
    (1j, TIMES, {"adjoint": "continuous"}, "the continuous adjoint of complex numbers"),
])  # fmt: skip
def test_wrong_use(y0, ts, options, message):
    def wrong(a):
        return odeint(lambda y, t, a: a, y0, ts, a, **options)[-1]

    with pytest.raises((srcad.UnsupportedError, NotImplementedError), match=message):
        srcad.grad(wrong, target="python")(1.0)


# ---------------------------------------------------------------- the continuous adjoint


def by_adjoint(y0, p, ts, method="dopri5"):
    return odeint(predators, y0, ts, p, method=method, steps=40, rtol=1e-9, atol=1e-11, adjoint="continuous")


def neural(y0, w):
    def slope(y, t, w):
        return np.tanh(w["inner"] @ y + w["bias"]) * w["outer"][0]

    return odeint(slope, y0, TIMES[::-1], w, method="rk4", steps=40, adjoint="continuous")


def number_and_power(y0, a):
    return odeint(lambda y, t, a, n: -a * y**n + t, y0, TIMES, a, 2, rtol=1e-9, adjoint="continuous")


WEIGHTS = {"inner": np.array([[0.3, 1.0], [-1.0, 0.1]]), "bias": START, "outer": (0.7, 0.1)}


@pytest.mark.slow
@pytest.mark.parametrize("function, args", [
    (by_adjoint, (START, MODEL, TIMES)), (neural, (START, WEIGHTS)), (number_and_power, (1.3, 0.5)),
], ids=lambda v: getattr(v, "__name__", None))  # fmt: skip
def test_continuous_adjoint(function, args):
    check_grads(function, args, order=2, target="python", atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("method, near", [
    ("euler", 0.1), ("rk4", 1e-7), pytest.param("midpoint", 1e-3, marks=pytest.mark.slow),
    pytest.param("heun", 1e-3, marks=pytest.mark.slow), pytest.param("dopri5", 1e-3, marks=pytest.mark.slow),
])  # fmt: skip
def test_continuous_and_discrete_adjoint(method, near):
    def loss(y0, p, ts, adjoint):
        return np.sum(odeint(predators, y0, ts, p, method=method, steps=20, adjoint=adjoint) ** 2)

    gradient = srcad.grad(loss, wrt=(0, 1, 2), target="python")
    (y0, p, ts), (y0_, p_, ts_) = (gradient(START, MODEL, TIMES, a) for a in ("continuous", "discrete"))
    np.testing.assert_allclose([*y0, *p.values(), *ts], [*y0_, *p_.values(), *ts_], atol=near)


@pytest.mark.parametrize("method", ["midpoint", pytest.param("dopri5", marks=pytest.mark.slow)])
def test_continuous_adjoint_records_nothing(method):
    def loss(y0, p, ts):
        return np.sum(by_adjoint(y0, p, ts, method) ** 2)

    text = srcad.source(srcad.grad(loss, wrt=(0, 1, 2), target="python"), START, MODEL, TIMES)
    assert "_tape" not in text and "hold" not in text
    assert "_tape" in srcad.source(srcad.grad(lambda y0: np.sum(adaptive(y0, MODEL, TIMES)), target="python"), START)


def test_continuous_adjoint_with_too_few_steps():
    def stiff(rate):
        steps = {"max_steps": 5, "adjoint": "continuous"}
        return odeint(lambda y, t, rate: -rate * y, 1.0, np.array([0.0, 1.0]), rate, **steps)[-1]

    assert np.isnan(srcad.grad(stiff, target="python")(1e4))


def test_continuous_adjoint_of_what_is_around():
    def around(w):
        b = w * w
        return np.sum(odeint(lambda y, t: -b * y, np.ones(2), TIMES, adjoint="continuous"))

    with pytest.raises(srcad.UnsupportedError, match="reads b from around it"):
        srcad.grad(around, target="python")(0.5)


@pytest.mark.slow
def test_continuous_adjoint_compiled():
    def loss(y0, a, b, ts):
        return np.sum(by_adjoint(y0, {"a": a, "b": b}, ts) ** 2)

    gradient = srcad.grad(loss, wrt=(0, 1, 2, 3))(START, 0.9, 0.7, TIMES)
    interpreted = srcad.grad(loss, wrt=(0, 1, 2, 3), target="python")(START, 0.9, 0.7, TIMES)
    for one, other in zip(gradient, interpreted):
        np.testing.assert_allclose(one, other, rtol=1e-8)


@pytest.mark.slow
def test_compiled():
    def loss(y0, a, b):
        ys = odeint(predators, y0, TIMES, {"a": a, "b": b}, rtol=1e-8)
        zs = odeint(predators, y0, TIMES, {"a": a, "b": b}, method="rk4", steps=4)
        return np.sum(ys**2) + np.sum(zs)

    compiled = srcad.grad(loss, wrt=(0, 1, 2))(START, 0.9, 0.7)
    interpreted = srcad.grad(loss, wrt=(0, 1, 2), target="python")(START, 0.9, 0.7)
    for one, other in zip(compiled, interpreted):
        np.testing.assert_allclose(one, other, rtol=1e-10)


def damped(y0, damping, method):
    def moved(y, t, damping):
        return np.array([y[1], -y[0] - damping * y[1]])

    return np.sum(odeint(moved, y0, TIMES, damping, method=method, steps=2, rtol=1e-9) ** 2)


@pytest.mark.parametrize("method", one_in(2, ["rk4", "dopri5"]))
def test_reverse_over_reverse_where_slopes_are_a_list_of_numbers(method):
    """How many unknowns there are is known from the slopes, and so the states have one shape."""
    def loss(y0, damping):
        return damped(y0, damping, method)

    check_grads(loss, (START, 0.3), order=2, modes=("rev",), target="python", atol=1e-5, rtol=1e-5)
