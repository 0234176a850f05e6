"""Functions that say what their gradient is: where they are called, what they return, and what is refused."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import srcad
from srcad import UnsupportedError, Variable, custom_gradient, function, gradients, implicit_gradients

TARGETS = pytest.mark.parametrize("target", ["python", "cpu"])


@custom_gradient
def hundredfold(x):
    y = x * x

    def pullback(dy):
        return 100 * dy

    return y, pullback


@custom_gradient
def log1pexp(x):
    e = np.exp(x)
    return np.log(1 + e), lambda dy: dy * (1 - 1 / (1 + e))


@custom_gradient
def clipped(x):
    """The identity, of which the cotangent is clipped."""
    return x, lambda dy: np.clip(dy, -1.0, 1.0)


@custom_gradient
def swapped(a, b):
    """The product, with the two derivatives the wrong way round."""
    return a * b, lambda dy: (dy * a, dy * b)


@custom_gradient
def sum_and_product(a, b):
    def pullback(ds, dp):
        return ds + 10.0 * dp, ds + 1000.0 * dp

    return (a + b, a * b), pullback


@custom_gradient
def of_structure(p, scale):
    y = scale * (p["w"] * p["b"])
    return y, lambda dy: ({"w": dy * 2.0, "b": dy * 3.0}, None)


@custom_gradient
def by_loops(x):
    """The sum of squares, and a pullback with a loop, an array and a branch in it."""
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] ** 2

    def pullback(ds):
        bar = np.zeros_like(x)
        for i in range(x.shape[0]):
            if x[i] > 0.0:
                bar[i] = 2.0 * ds * x[i]
            else:
                bar[i] = -ds
        return bar

    return s, pullback


@custom_gradient
def writes_into_cotangent(x):
    def pullback(dy):
        dy[0] = 0.0
        dy *= 2.0
        return dy

    return x + 1.0, pullback


class Gate:
    def __init__(self, factor):
        self.factor = factor

    @custom_gradient
    def __call__(self, x):
        return x * self.factor, lambda dy: 7.0 * dy * self.factor

    @custom_gradient
    def method(self, x, n=2):
        return x**n, lambda dy: (dy * n, None)


gate = Gate(2.0)
x3 = np.array([1.0, -2.0, 3.0])
PROGRAMS = []


def gives(expected, *args, wrt=0):
    def register(f):
        PROGRAMS.append(pytest.param(f, args, expected, wrt, id=f.__name__))
        return f

    return register


@gives(300.0, 3.0)
def called_once(x):
    return 3.0 * hundredfold(x)


@gives(100.0 + 2 * 9.0 * 100.0, 3.0)
def called_twice(x):
    y = hundredfold(x)
    return y + hundredfold(x) ** 2


@gives(10000.0, 3.0)
def one_in_the_other(x):
    return hundredfold(hundredfold(x))


@gives(1.0, 100.0)
def without_overflow(x):
    return log1pexp(x * 1.0)


@gives(np.array([1.0, -1.0, 0.5]), x3)
def identity_of_an_array(x):
    y = clipped(x)
    return np.sum(y * np.array([3.0, -4.0, 0.5]))


@gives((2.0, 5.0), 2.0, 5.0, wrt=(0, 1))
def several_arguments(a, b):
    return swapped(a, b)


@gives((2.0, 5.0), 2.0, 5.0, wrt=(0, 1))
def keywords_in_another_order(a, b):
    return swapped(b=a, a=b)


@gives((1.0 + 20.0, 1.0 + 2000.0), 2.0, 5.0, wrt=(0, 1))
def several_results(a, b):
    s, p = sum_and_product(a, b)
    return s + 2.0 * p


@gives((20.0, 2000.0), 2.0, 5.0, wrt=(0, 1))
def the_second_result_alone(a, b):
    return 2.0 * sum_and_product(a, b)[1]


@gives((1.0, 1.0), 2.0, 5.0, wrt=(0, 1))
def the_first_result_alone(a, b):
    s, p = sum_and_product(a, b)
    return s


@gives(({"w": 6.0, "b": 9.0}, 2.0), {"w": 1.5, "b": -2.0}, 2.0, wrt=(0, 1))
def structures(p, s):
    return 3.0 * of_structure(p, 4.0) + s**2 / 2.0


@gives(np.array([2.0, -1.0, 6.0]) * 3.0, x3)
def a_pullback_with_loops(x):
    return 3.0 * by_loops(x)


@gives(2.0 * x3 * (0 + 100.0 + 200.0), x3)
def in_a_loop(x):
    s = 0.0
    for i in range(3):
        s += hundredfold(np.sum(x * x)) * i
    return s


@gives(0.5 * 100.0**3, 0.5)
def in_a_recurrence(x):
    y = x
    for _ in range(3):
        y = hundredfold(y)
    return y * 0.5


@gives(2 * 0.9 * 0.9, 0.9)
def residuals_of_an_iteration(x):
    y = x
    for _ in range(2):
        y = residual(y)
    return y


@custom_gradient
def residual(x):
    return 2.0 * x, lambda dy: dy * x


@gives(np.array([100.0, 2.0, 100.0]), np.array([1.0, 1.0, 2.0]))
def in_a_branch_of_a_loop(x):
    s = 0.0
    for i in range(len(x)):
        if i % 2 == 0:
            s += hundredfold(x[i])
        else:
            s += x[i] ** 2
    return s


@gives(np.array([0.0, 6.0, 6.0]), x3)
def the_cotangent_is_the_pullbacks_own(x):
    return np.sum(3.0 * writes_into_cotangent(x))


@gives(np.array([0.0, 0.5, 0.5]), x3)
def the_result_is_written_to(x):
    y = clipped(x)
    y[0] = 2.0
    return np.sum(0.5 * y) + 0.0 * x[0]


@gives(14.0, 3.0)
def objects_that_are_called(x):
    return gate(x)


@gives(6.0, 3.0)
def methods_and_defaults(x):
    return gate.method(x) + gate.method(n=4, x=x)


@gives(77.0, 3.0)
def made_inside(x):
    g = custom_gradient(lambda z: (z, lambda dy: 7.0 * dy))

    @custom_gradient
    def h(z):
        return z * z, lambda dy: 11.0 * dy

    return g(h(x))


@gives(21.0, 3.0)
def a_partial_pullback(x):
    return partial_pullback(x)


def scaled(factor, dy):
    return factor * dy


@custom_gradient
def partial_pullback(x):
    return x, functools.partial(scaled, 7.0 * x)


@gives(-4.0, -2.0)
def two_pullbacks(x):
    return chosen(x)


@custom_gradient
def chosen(x):
    if x > 0.0:
        return x, lambda dy: 3.0 * dy
    return -x, lambda dy: 2.0 * dy * x


@gives(np.array([5.0, 5.0, 5.0]), np.ones(3, dtype=np.float32))
def single_precision(x):
    return np.sum(swapped(x, np.float32(3.0) * x)) * np.float32(0.5) + 0 * np.sum(x)


@TARGETS
@pytest.mark.parametrize("f, args, expected, wrt", PROGRAMS)
def test_gradients(f, args, expected, wrt, target):
    result = srcad.grad(f, wrt=wrt, target=target)(*args)
    flat = [expected] if not isinstance(expected, tuple) else list(expected)
    for actual, wanted in zip(result if isinstance(wrt, tuple) else [result], flat):
        if isinstance(wanted, dict):
            assert actual == pytest.approx(wanted)
        else:
            np.testing.assert_allclose(actual, wanted, rtol=1e-6)
            assert np.shape(actual) == np.shape(wanted)


def test_values_are_those_of_the_function():
    assert hundredfold(3.0) == 9.0 and sum_and_product(2.0, 5.0) == (7.0, 10.0)
    result = clipped(x3)
    assert result is not x3 and not np.shares_memory(result, x3)
    assert srcad.value_and_grad(called_once, target="python")(3.0) == (27.0, 300.0)
    assert repr(hundredfold).startswith("<custom gradient of hundredfold") and hundredfold.__name__ == "hundredfold"


@TARGETS
def test_row_of_the_page(target):
    @function(target=target)
    def f(x):
        return gradients(hundredfold(x), x)[0]

    assert f(3.0) == 300.0 / 3.0


@TARGETS
def test_gradients_inside_of_functions(target):
    @function(target=target)
    def f(x):
        y = log1pexp(x)
        z = clipped(5.0 * y)
        return gradients(z, [x, y])

    slope = 1.0 / (1.0 + np.exp(-0.3))
    assert np.allclose(f(0.3), [5.0 * slope, 5.0])

    @function(target=target)
    def second(x):
        g = gradients(log1pexp(x) ** 2, x)[0]
        return gradients(g, x)[0]

    value, slope = np.log1p(np.exp(0.3)), 1.0 / (1.0 + np.exp(-0.3))
    assert np.isclose(second(0.3), 2 * slope**2 + 2 * value * slope * (1 - slope), rtol=1e-12)


@TARGETS
def test_variables(target):
    w, b = Variable(3.0), Variable(2.0)
    pairs = implicit_gradients(lambda x: hundredfold(w) * x + b, target=target)(5.0)
    assert [(g, v is w) for g, v in sorted(pairs, key=lambda pair: pair[0])] == [(1.0, False), (500.0, True)]

    @custom_gradient
    def scaled(x):
        return x, lambda dx: dx * b  # read as a number

    assert (10.0, w) in implicit_gradients(lambda x: scaled(w * x), target=target)(5.0)


@TARGETS
def test_the_next_order_keeps_the_pullback(target):
    """The second derivative of f(x)**2 is 2 p(x)**2 + 2 f(x) p'(x), with the pullback p in the place of the slope."""
    def squared(x):
        return log1pexp(x) ** 2

    def of_hundredfold(x):
        return hundredfold(x) ** 2

    value, slope = np.log1p(np.exp(0.3)), 1.0 / (1.0 + np.exp(-0.3))
    expected = 2 * slope**2 + 2 * value * slope * (1 - slope)
    assert np.isclose(srcad.grad(srcad.grad(squared, target=target), target=target)(0.3), expected, rtol=1e-12)
    assert srcad.grad(srcad.grad(of_hundredfold, target=target), target=target)(3.0) == 2 * 100.0**2
    assert srcad.grad(lambda x: srcad.grad(of_hundredfold)(x) * x, target=target)(3.0) == 2 * 100.0**2 * 3 + 2 * 9 * 100
    twice = srcad.jacobian(srcad.grad(lambda v: np.sum(log1pexp(v)), target=target), mode="reverse", target=target)
    slopes = 1.0 / (1.0 + np.exp(-x3))
    assert np.allclose(twice(x3), np.diag(slopes * (1 - slopes)))


def test_third_order():
    def cube(x):
        return own_cube(x) + 0.0

    third = cube
    for _ in range(3):
        third = srcad.grad(third, target="python")
    assert third(2.0) == 6.0


@custom_gradient
def own_cube(x):
    return x**3, lambda dy: dy * own_square(x) * 3.0


@custom_gradient
def own_square(x):
    return x**2, lambda dy: dy * 2.0 * x


@pytest.mark.parametrize("transform", [srcad.jvp, srcad.hvp, srcad.hessian])
def test_forward_mode_is_refused(transform):
    with pytest.raises(UnsupportedError, match="hundredfold has a custom gradient, a pullback, which forward"):
        transform(called_twice, target="python")(3.0)


# ---------------------------------------------------------------- what is refused

WRONG = []


def wrong(what, message, *args):
    def register(f):
        WRONG.append(pytest.param(f, args, what, message, id=f.__name__))
        return f

    return register


def no_pullback(x):
    return x * x


@wrong(UnsupportedError, "no_pullback has a custom gradient and does not return a function beside its value", 2.0)
def without_a_pullback(x):
    return custom_gradient(no_pullback)(x)


@custom_gradient
def one_for_two(a, b):
    return a * b, lambda dy: dy * b


@wrong(UnsupportedError, "the pullback of one_for_two returns 1 cotangents for the 2 arguments a, b", 2.0)
def too_few_cotangents(x):
    return one_for_two(x, x)


@custom_gradient
def summed(x):
    return np.sum(x), lambda dy: dy


@wrong(UnsupportedError, "the pullback of summed returns a cotangent with 0 axes for an argument with 1", x3)
def cotangent_of_another_rank(x):
    return summed(x)


@custom_gradient
def first(x):
    return x[1:], lambda dy: dy


@wrong(ValueError, "the pullback of first returns a cotangent of another shape than x", x3)
def cotangent_of_another_shape(x):
    return np.sum(first(x))


@wrong(UnsupportedError, r"inner has a custom gradient and reads x from around it, which is differentiated", 2.0)
def reads_from_around(x):
    @custom_gradient
    def inner(z):
        return x * z, lambda dy: dy

    return inner(2.0 * x)


@wrong(UnsupportedError, r"inner has a custom gradient and reads x from around it, which is differentiated", 2.0)
def reads_from_around_for_a_constant(x):
    @custom_gradient
    def inner(z):
        return x * z, lambda dy: dy

    return inner(2.0)


weight = Variable(2.0)


@custom_gradient
def of_variable(x):
    return weight * x, lambda dy: dy


@wrong(UnsupportedError, r"of_variable has a custom gradient and reads Variable\(2.0\)", 2.0)
def reads_a_variable(x):
    return of_variable(x)


@custom_gradient
def takes_none(x):
    return x, lambda: 1.0


@wrong(UnsupportedError, r"takes 0 arguments, not 1", 2.0)
def pullback_of_no_argument(x):
    return takes_none(x)


@custom_gradient
def cannot(x):
    def pullback(dy):
        return np.nextafter(dy, x.undefined)

    return x, pullback


@wrong(UnsupportedError, "undefined", 2.0)
def mistakes_in_the_pullback(x):
    return cannot(x)


@pytest.mark.parametrize("f, args, what, message", WRONG)
def test_wrong_uses(f, args, what, message):
    with pytest.raises(what, match=message):
        srcad.grad(f, target="python")(*args)


def test_wrong_uses_in_plain_python():
    with pytest.raises(TypeError, match=r"no_pullback has a custom gradient and must return \(y, pullback\), not 4.0"):
        custom_gradient(no_pullback)(2.0)
    with pytest.raises(TypeError, match="custom_gradient takes a function, not 3"):
        custom_gradient(3)
