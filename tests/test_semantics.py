"""The gradient API, row by row: what TensorFlow gives for the same programs."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from srcad import AggregationMethod, GradientTape, UnsupportedError, Variable, function, gradients, stop_gradient
from tests import ruleless

TARGETS = pytest.mark.parametrize("target", ["python", "cpu"])


def same(actual, expected) -> bool:
    """Equal up to rounding, None only where None is expected."""
    if expected is None or actual is None:
        return actual is None and expected is None
    if isinstance(expected, (list, tuple)):
        alike = type(actual) is type(expected) or isinstance(actual, np.ndarray)
        return alike and len(actual) == len(expected) and all(map(same, actual, expected))
    return np.shape(actual) == np.shape(expected) and np.allclose(actual, expected, rtol=1e-12, atol=1e-12)


# ---------------------------------------------------------------- gradients inside a compiled function

ROWS = []


def gives(expected, *args):
    """Register a function with its arguments and what it returns once it is compiled."""
    def register(f):
        ROWS.append(pytest.param(f, args, expected, id=f.__name__))
        return f

    return register


@gives([1.0, 1.0])
def partial_derivatives():
    a = 0.0
    b = 2 * a
    return gradients(a + b, [a, b], stop_gradients=[a, b])


@gives([3.0, 1.0])
def total_derivatives():
    a = 0.0
    b = 2 * a
    return gradients(a + b, [a, b])


@gives([1.0, 1.0])
def stopped_values():
    a = stop_gradient(0.0)
    b = stop_gradient(2 * a)
    return gradients(a + b, [a, b])


@gives([None])
def unconnected():
    a = np.ones((1, 2))
    b = np.ones((3, 1))
    return gradients([b], [a])


@gives([np.zeros((1, 2))])
def unconnected_zero():
    a = np.ones((1, 2))
    b = np.ones((3, 1))
    return gradients([b], [a], unconnected_gradients="zero")


@gives([3.0, 1.0])
def through_an_intermediate():
    W = 0.0
    b = 2 * W
    cost = W + b
    return gradients(cost, [W, b])


@gives([np.array([2 + np.cos(1.0), np.cos(2.0), 12 + np.cos(3.0)])], np.array([1.0, 2.0, 3.0]))
def seeds_and_none(x):
    return gradients([x * x, np.sin(x)], [x], grad_ys=[[1.0, 0.0, 2.0], None])


@gives([6.0, 6.0, 1.0])
def repeated_xs():
    x = 3.0
    y = x * x
    return gradients(y, [x, x, y])


@gives([18.0])
def second_derivative():
    x = 3.0
    y = x**3
    g = gradients(y, [x])[0]
    return gradients(g, [x])


@gives([6.0], 3.0)
def one_x(x):
    return gradients(x * x, x)


@gives([], 3.0)
def no_x(x):
    return gradients(x * x, [])


@gives([None], np.array([1, 2]))
def integers(x):
    return gradients(x * x, [x])


@gives([None], 2.7)
def through_an_integer(x):
    return gradients(int(x) * 2.0, [x])


@gives([0.0], 1.5)
def rounded(x):
    return gradients(np.round(x) + np.floor(x) + np.sign(x), [x])


@gives([None, None], 1.0, 2.0)
def stopped_result(a, b):
    x = a * b
    return gradients([x, np.exp(x)], [a, b], stop_gradients=[x])


@gives(([2.0], [4 * np.exp(2.0)]), 1.0, 2.0)
def a_stop_holds_for_one_call(a, b):
    x = a * b
    y = np.exp(x)
    held = gradients(y + x * b, b, stop_gradients=[x])
    return held, gradients(y, a, grad_ys=[2.0])


@gives((162.0, 27.0, 18.0), 3.0)
def third_parties(x):
    y = x * x
    z = y * x
    g = gradients(z, [x])[0]
    return gradients(g * z, [x, y, z])[0] / 7.5, z, gradients(g, x)[0]


@gives(0.192, 1.0, 3)
def descent_in_a_loop(x, n):
    for i in range(n):
        y = x * x * (i + 1)
        x = x - 0.1 * gradients(y, x)[0]
    return x


@gives(24.0, 2.0)
def path_from_outside_of_the_branch(x):
    y = x * x
    if x > 0:
        g = gradients(y * x, [x, y])
        r = g[0] * g[1]
    else:
        r = 0.0
    return r


@gives(([1.0, 1.0, 1.0, 1.0], [17.0, 49.0, 52.0, 18.0]), np.array([1.0, 2.0, 3.0, 4.0]), 2)
def arrays_written_in_a_loop(x, n):
    u = x.copy()
    for _ in range(n):
        u[1:] = u[1:] * u[:-1]
    return gradients(np.sum(u), u)[0], gradients(np.sum(u), x)[0]


@gives([100.0], 3.0)
def custom_pullback(x):
    @srcad.custom_gradient
    def f(z):
        return z * z, lambda dy: 100.0 * dy

    return gradients(f(x), x)


# ---------------------------------------------------------------- other orders, shapes, seeds and stops


@gives([np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]), np.array([[3.0, 3.0]])], np.ones((3, 2)), np.ones((1, 2)))
def repeated_by_broadcasting(a, b):
    return gradients(a + b, [a, b])


@gives([None, 2.0, None], 3.0, 4.0)
def some_unconnected(x, y):
    w = x * x
    z = 2.0 * y
    return gradients(z, [x, y, w])


@gives([0.0, np.zeros(2), 2.0], 3.0, np.array([1.0, 2.0]), 4.0)
def zeros_for_unconnected(x, v, y):
    return gradients(2.0 * y, [x, v, y], unconnected_gradients=srcad.UnconnectedGradients.ZERO)


@gives([np.array([1.0, 2.0, 3.0]) + 4.0, 6.0], np.array([1.0, 2.0, 3.0]), 2.0)
def seeds_of_several_shapes(x, c):
    y1 = x * x / 2.0
    y2 = 4.0 * np.sum(x)
    y3 = c * c * 1.5
    return gradients([y1, y2, y3], [x, c], grad_ys=[None, None, 1.0])


@gives(([np.array([4 * c for c in np.cos([1.0, 4.0])]) * [1.0, 2.0]], [np.array([2.0, 16.0])]), np.array([1.0, 2.0]))
def seeds_from_what_is_differentiated(x):
    y = x * x
    seed = 2.0 * np.cos(y)
    slope = gradients(y, x)[0]
    return gradients(y, x, grad_ys=[seed]), gradients(y, x, grad_ys=[slope * slope / 4.0])[:1]


@gives([np.array([6.0, 0.0, 0.0]), np.array([0.0, 0.0, 3.0])], np.array([1.0, 2.0, 3.0]))
def seeds_by_name(x):
    seed = np.array([3.0, 0.0, 0.0])
    a = gradients(x * x, x, grad_ys=[seed])[0]
    b = gradients([x * x, 3.0 * x], x, grad_ys=[np.zeros(3), np.array([0.0, 0.0, 1.0])])[0]
    return [a, b]


@gives(([9.0, 1.0], [2.0, 1.0], [2.0, None]), 1.0)
def stops_at_several_places(x):
    a = 2.0 * x
    b = 3.0 * a + x
    c = a + b
    return gradients(c, [x, b]), gradients(c, [x, b], stop_gradients=[b]), gradients(a, [x, b], stop_gradients=[b])


@gives([0.0, 11.0, 100.0], 3.0)
def stops_in_a_chain(x):
    a = 1.0 * x
    b = 10.0 * a
    return gradients([a, 10.0 * a, 100.0 * b], [x, a, b], stop_gradients=[a, b], unconnected_gradients="zero")


@gives(([2.0, 1.0], [0.0, 1.0]), 5.0)
def stop_gradients_and_stop_gradient(x):
    a = x * 2.0
    b = stop_gradient(a) * 1.0
    return gradients(a + b, [x, b]), gradients(b + stop_gradient(x), [x, b], unconnected_gradients="zero")


@gives([24.0, 12.0], 2.0)
def second_derivatives_by_an_intermediate(x):
    y = x * x
    z = y * y
    gx, gy = gradients(z, [x, y])
    return [gradients(gx, x)[0] / 2.0, gradients(gy, x)[0] * 1.5]


@gives(([120.0], 24.0), 1.0)
def fifth_derivative(x):
    y = x**5
    for_each = gradients(y, x)[0]
    second = gradients(for_each, x)[0]
    third = gradients(second, x)[0]
    fourth = gradients(third, x)[0]
    return gradients(fourth, x), fourth / 5.0


@gives([np.float32(4.0)], np.float32(2.0))
def single_precision_number(x):
    return gradients(x * x, [x])


@gives([np.array([[0.5, 0.0], [0.0, 0.25]], dtype=np.float32)], np.array([[2.0, 0.0], [0.0, 4.0]], dtype=np.float32))
def single_precision_matrix(A):
    return gradients(np.log(np.linalg.det(A)), A)


@gives([1.0 + 2.0j], 1.0 + 2.0j)
def complex_number(z):
    return gradients(np.abs(z) ** 2 / 2.0, [z])


@gives([1.0, 0.0], 2.0, 2.0)
def ties_go_to_the_first(a, b):
    return gradients(np.maximum(a, b), [a, b])


@gives([np.array([0.5, 0.5, 0.0])], np.array([2.0, 2.0, 1.0]))
def ties_share(x):
    return gradients(np.max(x), x)


@gives([0.0], 0.0)
def the_absolute_value_at_zero(x):
    return gradients(abs(x), x)


@gives(54.0, 3.0, 3)
def what_an_iteration_adds(x, n):
    total = 0.0
    slopes = 0.0
    for i in range(n):
        before = total
        total = before + x * x * (i + 1) / 2.0
        slopes += gradients(total, [x], stop_gradients=[before])[0] * 3.0
    return slopes


@TARGETS
@pytest.mark.parametrize("f, args, expected", ROWS)
def test_gradients(f, args, expected, target):
    assert same(function(f, target=target)(*args), expected)


@pytest.mark.parametrize("method", AggregationMethod)
def test_aggregation_methods_agree(method):
    def f(x):
        return gradients(x * x + np.sin(x) * x + np.exp(x), x, aggregation_method=method, name="slope")

    assert same(function(f, target="python")(0.5), [1.0 + np.sin(0.5) + 0.5 * np.cos(0.5) + np.exp(0.5)])


FORMS = {
    AggregationMethod.ADD_N: "    x_bar = 3.0 * x**2 + exp_x + sin_x + x * np.cos(x)\n",
    AggregationMethod.EXPERIMENTAL_TREE: "    x_bar = 3.0 * x**2 + exp_x + (sin_x + x * np.cos(x))\n",
    AggregationMethod.EXPERIMENTAL_ACCUMULATE_N:
        "    x_bar = 3.0 * x**2\n    x_bar += exp_x\n    x_bar += sin_x\n    x_bar += x * np.cos(x)\n",
}  # fmt: skip


@pytest.mark.parametrize("method", FORMS)
def test_aggregation_methods_are_forms_of_the_source(method):
    def f(x):
        return gradients(np.sin(x) * x + np.exp(x) + x**3, x, aggregation_method=method)[0]

    compiled = function(f, target="python")
    assert compiled(0.5) == pytest.approx(np.sin(0.5) + 0.5 * np.cos(0.5) + np.exp(0.5) + 0.75, rel=1e-14)
    assert FORMS[method] in compiled.source()


@TARGETS
@pytest.mark.parametrize("method", AggregationMethod)
def test_aggregation_of_arrays_and_in_loops(method, target):
    @function(target=target)
    def f(x, y, n):
        h = x * y
        u = h.copy()
        for _ in range(n):
            u[1:] = u[1:] * u[:-1] + np.sin(u[1:])
        s = np.sum(h * u) + np.sum(np.exp(h)) + h[0] + np.sum(h[:, None] * u[None, :])
        return gradients(s, [x, h, y], aggregation_method=method)

    def plain(x, y):
        h = x * y
        u = h.copy()
        for _ in range(2):
            u[1:] = u[1:] * u[:-1] + np.sin(u[1:])
        return np.sum(h * u) + np.sum(np.exp(h)) + h[0] + np.sum(h[:, None] * u[None, :])

    x, y = np.array([0.3, -0.4, 0.5]), 1.5
    gx, gh, gy = f(x, y, 2)
    shifted = [(plain(x + 1e-6 * e, y) - plain(x - 1e-6 * e, y)) / 2e-6 for e in np.eye(3)]
    assert np.allclose(gx, shifted, atol=1e-7) and np.allclose(gx, gh * y)
    assert np.isclose(gy, (plain(x, y + 1e-6) - plain(x, y - 1e-6)) / 2e-6, atol=1e-7)


def test_gradients_outside_of_a_function():
    with pytest.raises(RuntimeError, match="compiled by srcad.function"):
        gradients(1.0, [2.0])


def wrong(what, message, *args):
    def register(f):
        WRONG.append(pytest.param(f, args, what, message, id=f.__name__))
        return f

    return register


WRONG: list = []


@wrong(ValueError, "grad_ys has 2 seeds for 1 ys", 1.0)
def too_many_seeds(x):
    return gradients(x * x, x, grad_ys=[1.0, 2.0])


@wrong(ValueError, "grad_ys must have the shape", np.ones(3), np.ones(2))
def seed_of_another_shape(x, s):
    return gradients(x * x, x, grad_ys=[s])


@wrong(ValueError, "unconnected_gradients must be 'none' or 'zero', not 'zeros'", 1.0)
def unknown_unconnected(x):
    return gradients(x * x, x, unconnected_gradients="zeros")


@wrong(ValueError, "aggregation_method must be one of", 1.0)
def unknown_aggregation(x):
    return gradients(x * x, x, aggregation_method="sum")


@wrong(LookupError, "no derivative rule for scipy.special.elliprc", 1.0)
def no_rule(x):
    return gradients(ruleless.one(x, 2.0), x)


@wrong(UnsupportedError, "which comes from outside of the loop, of what depends on s, which the loop carries", 1.0, 3)
def across_iterations(x, n):
    s = 0.0
    for _ in range(n):
        s += x * x
        x2 = gradients(s, x)[0]
        s += x2
    return s


@TARGETS
@pytest.mark.parametrize("f, args, what, message", WRONG)
def test_wrong_uses(f, args, what, message, target):
    with pytest.raises(what, match=message):
        function(f, target=target)(*args)


def test_function_is_inlined_in_others_and_differentiated():
    slope = function(one_x, target="python")

    def twice(x):
        return slope(x)[0] * x

    assert srcad.grad(twice, target="python")(3.0) == 12.0
    assert function(target="python")(twice)(3.0) == 18.0


def test_source_of_a_function_is_readable():
    def f(x, w):
        h = np.tanh(w * x)
        return gradients(h * h, [w, h])

    assert function(f, target="python").source(float, float) == '''\
import numpy as np


def f(x, w):
    h = np.tanh(w * x)
    h_bar = 2.0 * h
    w_bar = h_bar * x * (1.0 - h * h)
    return w_bar, h_bar
'''


# ---------------------------------------------------------------- tapes inside a compiled function

x0 = Variable(3.0)
held = Variable(3.0, trainable=False)
whole = Variable(3)
TAPES = []


def tapes(expected, *args):
    """Register a function with a tape; its variable is 3 whenever it is called."""
    def register(f):
        TAPES.append(pytest.param(f, args, expected, id=f.__name__))
        return f

    return register


@tapes(6.0)
def tape_of_a_square():
    with GradientTape() as t:
        y = x0 * x0
    return t.gradient(y, x0)


@tapes((108.0, 6.0))
def persistent_tape():
    with GradientTape(persistent=True) as t:
        y = x0 * x0
        z = y * y
    return t.gradient(z, x0), t.gradient(y, x0)


@tapes(None)
def constant_that_is_not_watched():
    x = 3.0
    with GradientTape() as t:
        y = x * x
    return t.gradient(y, x)


@tapes(6.0)
def constant_that_is_watched():
    x = 3.0
    with GradientTape() as t:
        t.watch(x)
        y = x * x
    return t.gradient(y, x)


@tapes(None)
def nothing_is_watched():
    with GradientTape(watch_accessed_variables=False) as t:
        y = x0 * x0
    return t.gradient(y, x0)


@tapes(None)
def variable_that_is_not_trainable():
    with GradientTape() as t:
        y = held * held
    return t.gradient(y, held)


@tapes(27.0)
def paused_tape():
    with GradientTape() as t:
        y = x0 * x0
        with t.stop_recording():
            z = y * x0
        u = z * x0
    return t.gradient(u, x0)


@tapes(5.0)
def tape_that_is_reset():
    with GradientTape() as t:
        loss = x0 * x0
        t.reset()
        loss += 5 * x0
    return t.gradient(loss, x0)


@tapes(5.0)
def second_tape():
    with GradientTape() as t:
        loss = x0 * x0
    with GradientTape() as t:
        loss += 5 * x0
    return t.gradient(loss, x0)


@tapes(np.array([2.0, 40.0]), np.array([1.0, 2.0]))
def tape_with_seeds(x):
    with GradientTape() as t:
        t.watch(x)
        y = x * x
    return t.gradient(y, x, output_gradients=[1.0, 10.0])


@tapes(np.array([[2.0, 0.0], [0.0, 4.0]]), np.array([1.0, 2.0]))
def jacobian_by_tape(x):
    with GradientTape() as t:
        t.watch(x)
        y = x * x
    return t.jacobian(y, x)


@tapes(np.array([[[2.0, 0.0], [0.0, 4.0]], [[6.0, 0.0], [0.0, 8.0]]]), np.array([[1.0, 2.0], [3.0, 4.0]]))
def jacobian_of_a_batch(x):
    with GradientTape() as t:
        t.watch(x)
        y = x * x
    return t.batch_jacobian(y, x)


@tapes(6.0)
def gradient_inside_of_the_block():
    with GradientTape() as t:
        y = x0 * x0
        g = t.gradient(y, x0)
    return g


@tapes(18.0)
def nested_tapes():
    with GradientTape() as outer:
        with GradientTape() as inner:
            y = x0 * x0 * x0
        g = inner.gradient(y, x0)
    return outer.gradient(g, x0)


@tapes({"a": 6.0, "b": [6.0]})
def structure_of_sources():
    with GradientTape() as t:
        y = x0 * x0
    return t.gradient(y, {"a": x0, "b": [x0]})


@tapes(None)
def integer_variable():
    with GradientTape() as t:
        y = whole * whole * 1.0
    return t.gradient(y, whole)


@tapes(33.0)
def variable_that_is_assigned():
    with GradientTape() as t:
        y = x0 * x0
        x0.assign_add(1.0)
        z = x0 * y
    return t.gradient(z, x0)


@tapes(2 * 3 * 2.0 + 5 * np.cos(3.0))
def several_targets():
    with GradientTape() as t:
        y1 = x0 * x0
        y2 = np.sin(x0)
    return t.gradient([y1, y2], x0, output_gradients=[2.0, 5.0])


@tapes(1.0)
def larger_of_equal_ones():
    with GradientTape() as t:
        y = np.maximum(x0, x0)
    return t.gradient(y, x0)


@tapes((np.array([1.0]), np.array([0.0])), np.array([2.0]), np.array([2.0]))
def larger_of_two(a, b):
    with GradientTape() as t:
        t.watch((a, b))
        y = np.maximum(a, b)
    return t.gradient(y, (a, b))


@tapes(np.array([0.5, 0.5, 0.0]), np.array([2.0, 2.0, 1.0]))
def largest_of_three(x):
    with GradientTape() as t:
        t.watch(x)
        y = np.max(x)
    return t.gradient(y, x)


@tapes(0.0, 0.0)
def absolute_value_at_zero(x):
    with GradientTape() as t:
        t.watch(x)
        y = abs(x)
    return t.gradient(y, x)


@TARGETS
@pytest.mark.parametrize("f, args, expected", TAPES)
def test_tapes(f, args, expected, target):
    x0.assign(3.0)
    result = function(f, target=target)(*args)
    if isinstance(expected, dict):
        assert list(result) == list(expected) and all(same(result[key], expected[key]) for key in expected)
    else:
        assert same(result, expected)


# ---------------------------------------------------------------- the four transforms of functions

w1, w2 = Variable(2.0), Variable(3.0)
fixed = Variable(2.0, trainable=False)


def weighted_sum(x1, x2):
    return w1 * x1 + w2 * x2


def of_parameters(w1, x1, w2, x2):
    return w1 * x1 + w2 * x2


def pairs_of(pairs):
    """Gradients with the very variables, as one can compare them."""
    return [(gradient, id(variable)) for gradient, variable in pairs]


@TARGETS
def test_the_four_transforms(target):
    both = [(5.0, id(w1)), (7.0, id(w2))]
    assert weighted_sum(5.0, 7.0) == 31
    assert srcad.gradients_function(weighted_sum, target=target)(5.0, 7.0) == [2.0, 3.0]
    params = {"params": ["w1", "w2"], "target": target}
    assert srcad.gradients_function(of_parameters, **params)(w1, 5.0, w2, 7.0) == [5.0, 7.0]
    assert srcad.value_and_gradients_function(of_parameters, **params)(w1, 5.0, w2, 7.0) == (31.0, [5.0, 7.0])
    assert pairs_of(srcad.implicit_gradients(weighted_sum, target=target)(5.0, 7.0)) == both
    value, pairs = srcad.implicit_value_and_gradients(weighted_sum, target=target)(5.0, 7.0)
    assert value == 31 and pairs_of(pairs) == both


@TARGETS
def test_what_is_not_trainable_has_no_pair(target):
    pairs = srcad.implicit_gradients(lambda x1, x2: fixed * x1 + w2 * x2, target=target)(5.0, 7.0)
    assert pairs_of(pairs) == [(7.0, id(w2))]


def test_pairs_come_in_the_order_in_which_variables_are_read():
    z, a = Variable(2.0), Variable(3.0)
    assert pairs_of(srcad.implicit_gradients(lambda x: z * x + a, target="python")(5.0)) == [(5.0, id(z)), (1.0, id(a))]
    assert pairs_of(srcad.implicit_gradients(lambda x: a * x + z, target="python")(5.0)) == [(5.0, id(a)), (1.0, id(z))]


@pytest.mark.parametrize("make", [
    srcad.gradients_function, srcad.value_and_gradients_function, srcad.implicit_gradients,
    srcad.implicit_value_and_gradients,
], ids=lambda make: make.__name__)  # fmt: skip
def test_wrong_options_of_the_four(make):
    with pytest.raises(TypeError, match="unexpected keyword argument 'mode'"):
        make(weighted_sum, mode="forward")
    with pytest.raises(ValueError, match="target must be 'cpu' or 'python', not 'gpu'"):
        make(weighted_sum, target="gpu")
    with pytest.raises(TypeError, match="takes a Python function, not 3.0"):
        make(3.0)
