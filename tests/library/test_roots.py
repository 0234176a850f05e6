"""Roots by `scipy.optimize`: those that SciPy finds, with derivatives, and what is refused."""

import numpy as np
import pytest
from scipy import optimize

import srcad
from srcad.testing import check_grads


def by_brent(a):
    return optimize.brentq(lambda x: np.sin(a * x), 0.1, 9.0)


def by_halves(a):
    return optimize.bisect(lambda x, k: np.cos(x) - k * x, 0.0, 3.0, args=(a,))


def by_secants(a):
    return optimize.newton(lambda x: np.exp(x) - a * np.cos(5.0 * x), 0.3)


def by_newton(a):
    return optimize.newton(lambda x: x**3 - a, 1.0, fprime=lambda x: 3.0 * x**2)


def in_brackets(a):
    total = 0.0
    for i in range(3):
        total += optimize.root_scalar(lambda x: x**3 - a * (i + 1), bracket=(0.0, 3.0)).root
    return total + optimize.root_scalar(lambda x: x**2 - a, bracket=(0.0, 3.0), method="bisect").root


def from_two_points(a):
    return optimize.root_scalar(lambda x: x**3 - a, x0=1.0, x1=1.3).root


def at_an_end(a):
    return optimize.brentq(lambda x: a * x, 0.0, 1.0) + optimize.bisect(lambda x: a * x, -1.0, 0.0)


def by_hyperbolas(a):
    return optimize.brenth(lambda x: np.cos(x) - a * x, 0.0, 3.0)


def by_ridder(a):
    return optimize.root_scalar(lambda x, k: x**3 - np.cos(k * x), args=(a,), bracket=(0.0, 3.0), method="ridder").root


SLOW = [pytest.param(function, marks=pytest.mark.slow)
        for function in (by_brent, by_halves, by_secants, by_newton, in_brackets, at_an_end, by_hyperbolas,
                         by_ridder)]  # fmt: skip


@pytest.mark.parametrize("function", [from_two_points, *SLOW])
def test_roots(function):
    value = srcad.function(function, target="python")(2.0)
    assert value == pytest.approx(function(2.0), abs=1e-9)
    check_grads(function, (2.0,), order=1, target="python")


@pytest.mark.parametrize("function, message", [
    (lambda a: optimize.brentq(lambda x: x - a, 0.0, 3.0, full_output=True)[0],
     "a root with full_output=True or disp=False"),
    (lambda a: optimize.newton(lambda x: x - a, np.ones(2))[0],
     "scipy.optimize.newton of an array, or with a second derivative"),
    (lambda a: optimize.root_scalar(lambda x: x - a, bracket=(0.0, 3.0), xtol=1e-3).root,
     "scipy.optimize.root_scalar with these options"),
    (lambda a: optimize.root_scalar(lambda x: x - a, bracket=(0.0, 3.0), method="toms748").root,
     "scipy.optimize.root_scalar by this method"),
    (lambda a: optimize.toms748(lambda x: x - a, 0.0, 3.0), "srcad.implicit.root"),
])  # fmt: skip
def test_refused(function, message):
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.function(function, target="python")(2.0)


@pytest.mark.parametrize("function, error, message", [
    (lambda a: optimize.brentq(lambda x: x**2 + a, 0.0, 3.0), ValueError, "f.a. and f.b. must have different signs"),
    (lambda a: optimize.bisect(lambda x: x**2 + a, 0.0, 3.0), ValueError, "f.a. and f.b. must have different signs"),
    (lambda a: optimize.brentq(lambda x: x**3 - a, 0.0, 3.0, maxiter=2), RuntimeError, "in so many iterations"),
    (lambda a: optimize.newton(lambda x: x * 0.0 + a, 0.3), RuntimeError, "a secant that does not meet zero"),
])  # fmt: skip
def test_no_root(function, error, message):
    with pytest.raises(error, match=message):
        srcad.function(function, target="python")(2.0)
