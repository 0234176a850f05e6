"""Differential equations by `scipy.integrate`: SciPy's numbers, their derivatives, and what is refused."""

import numpy as np
import pytest
from scipy import integrate

import srcad
from srcad.library.results import Trajectory
from srcad.scipy_integrate_steps import solve_ivp


def predators(t, z, a, b):
    x, y = z
    return [a * x - b * x * y, b * x * y - y]


CALLS = [
    {"t_span": (0, 5), "y0": [10, 5], "args": (1.5, 1.0)},
    {"t_span": (0, 5), "y0": [10.0, 5.0], "args": (1.5, 1.0), "method": "RK23", "rtol": 1e-6, "max_step": 0.2},
    {"t_span": [3.0, 0.0], "y0": [1.0, 2.0], "args": (1.5, 1.0), "t_eval": np.linspace(2.5, 0.0, 6), "first_step": 0.1},
    {"t_span": (0.0, 2.0), "y0": [1.0, 2.0], "args": (1.5, 1.0), "t_eval": [0.0, 0.1, 2.0], "method": "RK23"},
    {"t_span": (0.0, 2.0), "y0": [0.0, 0.0], "args": (1.5, 1.0)},
    {"t_span": (0.0, 2.0), "y0": [1.0 + 1j, 2.0], "args": (1.5, 1.0), "atol": [1e-9, 1e-6]},
]


@pytest.mark.parametrize("call", CALLS)
def test_the_numbers_are_those_of_scipy(call):
    ours, theirs = solve_ivp(predators, **call), integrate.solve_ivp(predators, **call)
    assert isinstance(ours, Trajectory) and ours.success and ours.status == theirs.status
    np.testing.assert_allclose(ours.t, theirs.t, rtol=1e-10)
    np.testing.assert_allclose(ours.y, theirs.y, rtol=1e-10)


def at_the_end(a):
    return integrate.solve_ivp(predators, (0.0, 1.0), [2.0, 1.0], args=(a, 0.5), rtol=1e-10, atol=1e-12).y[0, -1]


def at_times(a):
    times = np.linspace(0.0, a, 3)
    found = integrate.solve_ivp(lambda t, y: -a * t * y, (0.0, a), [2.0, a], t_eval=times, rtol=1e-10, atol=1e-12)
    return np.sum(found.y**2) + found.t[1]


def backwards(a):
    found = integrate.solve_ivp(lambda t, y: a * np.cos(t) * y, (a, 0.5), [1.0], method="RK23", rtol=1e-8)
    return found.y[0, -1] if found.success else 0.0


def of_a_pendulum(a):
    def pendulum(y, t, b, c):
        theta, omega = y
        return [omega, -b * omega - c * np.sin(theta)]

    return integrate.odeint(pendulum, [1.0, 0.0], np.linspace(0, 2, 4), args=(a, 5.0))[-1, 0]


def time_first(a):
    return np.sum(integrate.odeint(lambda t, y: -a * t * y, 2.0, [0, 1.0, 2.0], tfirst=True))


FUNCTIONS = [
    at_the_end, *[pytest.param(function, marks=pytest.mark.slow)
                  for function in (at_times, backwards, of_a_pendulum, time_first)],
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivatives(function):
    assert srcad.function(function, target="python")(1.3) == pytest.approx(function(1.3), rel=1e-6)
    slope = (function(1.3 + 1e-4) - function(1.3 - 1e-4)) / 2e-4
    assert srcad.grad(function, target="python")(1.3) == pytest.approx(slope, rel=1e-4)
    reverse, (_, forward) = srcad.grad(function, target="python")(1.3), srcad.jvp(function, target="python")(1.3)
    assert forward == pytest.approx(reverse, rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("function", [at_the_end, at_times, of_a_pendulum])
def test_compiled(function):
    assert srcad.grad(function)(1.3) == pytest.approx(srcad.grad(function, target="python")(1.3), rel=1e-10)



@pytest.mark.parametrize("function, message", [
    (lambda a: integrate.solve_ivp(lambda t, y: -a * y, (0.0, 1.0), [1.0], method="BDF").y[0, -1],
     "scipy.integrate.solve_ivp by this method"),
    (lambda a: integrate.solve_ivp(lambda t, y: -a * y, (0, 1), [1.0], dense_output=True).y[0, -1],
     "scipy.integrate.solve_ivp with events or dense_output=True"),
    (lambda a: integrate.odeint(lambda y, t: -a * y, 1.0, [0.0, 1.0], full_output=True)[0][-1, 0],
     "scipy.integrate.odeint with full_output="),
])  # fmt: skip
def test_refused(function, message):
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.function(function, target="python")(2.0)


@pytest.mark.parametrize("function, error, message", [
    (lambda a: integrate.solve_ivp(lambda t, y: a * y**2, (0.0, 10.0), [1.0]).y[0, -1], RuntimeError, "the step that"),
    (lambda a: integrate.solve_ivp(lambda t, y: -a * y, (a, a), [1.0]).y[0, -1], ValueError,
     "scipy.integrate.solve_ivp over an interval without a length"),
    (lambda a: integrate.solve_ivp(lambda t, y: -a * y, (0, 1), 1.0).y[-1], ValueError,
     "scipy.integrate.solve_ivp: y0 is no vector"),
    (lambda a: integrate.solve_ivp(lambda t, y: -a * y, (0, 1), [1.0], t_eval=[0.5, 0.2]).y, ValueError,
     "scipy.integrate.solve_ivp: t_eval is not in order, or not within t_span"),
    (lambda a: integrate.odeint(lambda y, t: a * y**2, 1.0, [0.0, 10.0])[-1, 0], RuntimeError, "too many steps"),
])  # fmt: skip
def test_no_solution(function, error, message):
    with pytest.raises((error, srcad.UnsupportedError), match=message):
        srcad.function(function, target="python")(2.0)
