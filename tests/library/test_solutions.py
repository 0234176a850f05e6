"""Roots and minima of several numbers by `scipy.optimize`: SciPy's own, with derivatives, and what is refused."""

import numpy as np
import pytest
from scipy import optimize

import srcad
from srcad.library.descent import descent
from srcad.library.hybrid import STUCK, hybrid
from srcad.library.marquardt import marquardt
from srcad.library.trust import least

SYSTEMS = [
    lambda x: np.array([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]]),
    lambda x: np.array([x[0] * np.cos(x[1]) - 4.0, x[1] * x[0] - x[1] - 5.0]),
    lambda x: np.sin(x) + 0.1 * x[::-1],
    lambda x: np.array([x[0] + 10 * x[1], (x[1] - 2 * x[0]) ** 2]),
]
COSTS = [
    optimize.rosen,
    lambda x: np.sum((x - 1.0) ** 2 + np.sin(3.0 * x)),
    lambda x: np.sum(x**4 - 3.0 * x**2 + 0.3 * x * np.roll(x, 1)),
    lambda x: (x[0] ** 2 + x[1] - 11.0) ** 2 + (x[0] + x[1] ** 2 - 7.0) ** 2,
]


TIMES = np.linspace(0.0, 3.0, 20)
DATA = 2.0 * np.exp(-1.3 * TIMES) + 0.5 + 0.05 * np.cos(9.0 * TIMES)
RESIDUALS = [
    lambda x: np.array([10.0 * (x[1] - x[0] ** 2), 1.0 - x[0]]),
    lambda x: np.sin(x[0] * TIMES) + x[1] * TIMES - DATA,
    lambda x: np.array([x[0] ** 2 + x[1] - 11.0, x[0] + x[1] ** 2 - 7.0, 0.1 * x[0]]),
    lambda x: np.array([x[0] + x[1] - 1.0]),
]


def slopes(f, x):
    steps = np.diag(1e-7 * np.maximum(np.abs(x), 1.0))
    return np.stack([(f(x + step) - f(x - step)) / (2.0 * np.sum(step)) for step in steps], axis=-1)


@pytest.mark.parametrize("f", SYSTEMS)
def test_the_root_is_the_one_that_scipy_finds(f):
    for start in np.random.default_rng(0).normal(size=(20, 2)) * 3.0:
        theirs = optimize.root(f, start)
        if theirs.success:
            np.testing.assert_allclose(hybrid(f, lambda x: slopes(f, x), start, 1.49012e-8, 600), theirs.x, atol=1e-5)
        else:
            with pytest.raises(RuntimeError, match=STUCK):
                hybrid(f, lambda x: slopes(f, x), start, 1.49012e-8, 600)


@pytest.mark.parametrize("f", COSTS)
def test_the_minimum_is_the_one_that_scipy_finds(f):
    for start in np.random.default_rng(0).normal(size=(20, 2)) * 3.0:
        found = descent(f, lambda x: slopes(f, x), start, 1e-5, 400)
        np.testing.assert_allclose(found, optimize.minimize(f, start).x, atol=1e-4)


@pytest.mark.parametrize("f", RESIDUALS)
def test_the_least_squares_are_those_that_scipy_finds(f):
    for start in np.random.default_rng(0).normal(size=(20, 2)) * 2.0:
        found = least(f, lambda x: slopes(f, x), start, 1e-8, 1e-8, 1e-8, 200)
        np.testing.assert_allclose(found, optimize.least_squares(f, start).x, atol=1e-4)


@pytest.mark.parametrize("f", [f for f in RESIDUALS if f(np.zeros(2)).size > 1])
def test_steps_of_minpack(f):
    for start in np.random.default_rng(0).normal(size=(20, 2)) * 2.0:
        found = marquardt(f, lambda x: slopes(f, x), start, 1.49012e-8, 1.49012e-8, 0.0, 600)
        np.testing.assert_allclose(found, optimize.leastsq(f, start)[0], atol=1e-4)


def test_least_squares_of_too_few_numbers():
    with pytest.raises(TypeError, match="the least squares of fewer numbers than there are unknowns"):
        srcad.function(lambda a: optimize.leastsq(lambda x: x[:1] - a, np.zeros(2))[0][0], target="python")(2.0)


def test_a_fit_of_as_many_numbers_as_parameters():
    f = lambda a: optimize.curve_fit(decay, TIMES[:2], a * DATA[:2], (1.0, 1.0))[0][0]
    with pytest.raises(ValueError, match="curve_fit of as many numbers as parameters: their covariances are infinite"):
        srcad.function(f, target="python")(2.0)


def of_two(a):
    def zero(x, k):
        return [x[0] * np.cos(x[1]) - 4.0 * k, x[1] * x[0] - x[1] - 5.0]

    return np.sum(optimize.fsolve(zero, [1, 1], args=(a,)))


def of_one(a):
    found = optimize.root(lambda x: np.exp(x) - a * x - 3.0, 1.0)
    return found.x[0] + np.sum(found.fun) if found.success else 0.0


def in_a_valley(a):
    def rosenbrock(x, k):
        return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (k - x[:-1]) ** 2)

    found = optimize.minimize(rosenbrock, [1.3, 0.7], (a,))
    return found.x[1] + found.fun


def with_slopes(a):
    def cost(x):
        return (x[0] - a) ** 2 + x[0] ** 4, np.array([2.0 * (x[0] - a) + 4.0 * x[0] ** 3])

    return optimize.minimize(cost, np.zeros(1), jac=True, method="BFGS").x[0]


def of_a_curve(a):
    return optimize.minimize_scalar(lambda x: (x - a) ** 2 + np.sin(3.0 * x)).x


def between_bounds(a):
    found = optimize.minimize_scalar(lambda x, k: np.cos(k * x) + 0.1 * x, bounds=(0.0, 5.0), args=(a,))
    return found.x * found.fun


def from_a_bracket(a):
    return optimize.minimize_scalar(lambda x: (x - a) ** 4 + (x - 2.0 * a) ** 2, bracket=(1, 2)).fun


def of_a_decay(a):
    def off(x, k):
        return x[0] * np.exp(-x[1] * TIMES) + 0.5 * k - DATA

    found = optimize.least_squares(off, [1.0, 1.0], args=(a,))
    return found.x[0] * found.x[1] + found.cost + found.fun[2]


def decay(t, height, rate):
    return height * np.exp(-rate * t)


def of_a_fit(a):
    found, covariances = optimize.curve_fit(decay, TIMES, DATA + a)
    return found[0] * found[1] + np.sqrt(covariances[1, 1])


def of_a_fit_with_errors(a):
    errors = np.linspace(0.5, 1.5, TIMES.size) * a
    found, covariances = optimize.curve_fit(lambda t, b, c: decay(t, b, c), TIMES, DATA, [1.0, 1.0], errors, True)
    return found[1] + covariances[0, 1]


def of_a_fit_with_covariances(a):
    errors = np.diag(np.linspace(0.5, 1.5, TIMES.size)) + 0.1 * a
    return optimize.curve_fit(decay, TIMES, DATA, (1.0, 1.0), sigma=errors)[0][1]


def by_leastsq(a):
    return optimize.leastsq(lambda p, k: decay(TIMES, p[0], k * p[1]) - DATA, np.ones(2), args=(a,))[0][1]


FUNCTIONS = [
    of_one, of_a_fit, *[pytest.param(function, marks=pytest.mark.slow)
              for function in (of_two, in_a_valley, with_slopes, of_a_curve, between_bounds, from_a_bracket,
                               of_a_decay, of_a_fit_with_errors, of_a_fit_with_covariances, by_leastsq)],
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivatives(function):
    value = srcad.function(function, target="python")(1.3)
    assert value == pytest.approx(function(1.3), abs=1e-4)
    exact, slope = srcad.function(function, target="python"), srcad.grad(function, target="python")(1.3)
    assert slope == pytest.approx((exact(1.3 + 1e-4) - exact(1.3 - 1e-4)) / 2e-4, rel=1e-6)
    assert srcad.jvp(function, target="python")(1.3)[1] == pytest.approx(slope, rel=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("function", [of_two, in_a_valley, of_a_curve, of_a_decay, of_a_fit, by_leastsq])
def test_compiled(function):
    assert srcad.grad(function)(1.3) == pytest.approx(srcad.grad(function, target="python")(1.3), rel=1e-8)


@pytest.mark.parametrize("function, message", [
    (lambda a: optimize.fsolve(lambda x: x - a, 1.0, full_output=True)[0][0],
     "scipy.optimize.fsolve with these options"),
    (lambda a: optimize.root(lambda x: x - a, 1.0, method="lm").x[0],
     "scipy.optimize.root by this method, or with options or jac=True"),
    (lambda a: optimize.minimize(lambda x: (x[0] - a) ** 2, [0.0], bounds=[(0, 1)]).fun,
     "scipy.optimize.minimize with bounds or constraints"),
    (lambda a: optimize.minimize(lambda x: (x[0] - a) ** 2, [0.0], method="CG").fun,
     "scipy.optimize.minimize by this method, or with options or a callback"),
    (lambda a: optimize.minimize(lambda x: (x[0] - a) ** 2, [0.0]).nit, "the attribute nit of a Solution"),
    (lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, options={}).x,
     "scipy.optimize.minimize_scalar with options or three points"),
    (lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, method="golden").x,
     "scipy.optimize.minimize_scalar by this method"),
    (lambda a: optimize.least_squares(lambda x: x - a, np.zeros(1), loss="soft_l1").x[0],
     "scipy.optimize.least_squares with bounds, by another method or with another loss"),
    (lambda a: optimize.least_squares(lambda x: x - a, np.zeros(1), x_scale="jac").x[0],
     "scipy.optimize.least_squares with these options"),
    (lambda a: optimize.leastsq(lambda x: x - a, np.zeros(1), full_output=True)[0][0],
     "scipy.optimize.leastsq with these options"),
    (lambda a: optimize.curve_fit(lambda t, b: a * b * t, TIMES, DATA)[0][0],
     "scipy.optimize.curve_fit of a function made here, without p0= is not supported; instead: p0=np.ones"),
    (lambda a: optimize.curve_fit(decay, TIMES, a * DATA, bounds=(0.0, 9.0))[0][0],
     "scipy.optimize.curve_fit with these options is not supported; instead: scipy.optimize.least_squares"),
])  # fmt: skip
def test_refused(function, message):
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.function(function, target="python")(2.0)


def test_a_cost_is_a_number():
    with pytest.raises(ValueError, match="scipy.optimize.minimize of a function that gives more than one number"):
        srcad.function(lambda a: optimize.minimize(lambda x: (x - a) ** 2, np.zeros(2)).fun, target="python")(2.0)


@pytest.mark.parametrize("function, message", [
    (lambda a: optimize.fsolve(lambda x: x**2 + a, 1.0)[0], "finds no root from this start"),
    (lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(0.0, 1.0)).x, "the lowest value is at a bound"),
    (lambda a: optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(0.0, 1.999)).x, "value is at a bound"),
    (lambda a: optimize.minimize_scalar(lambda x: -a * x * x).x, "no three points of which the one in the middle"),
])  # fmt: skip
def test_nothing_is_found(function, message):
    with pytest.raises(RuntimeError, match=message):
        srcad.function(function, target="python")(2.0)
