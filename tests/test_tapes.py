"""Gradient tapes: what they record, in every arrangement of blocks, and what they refuse."""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import srcad
from srcad import GradientTape, UnsupportedError, Variable, function, gradients

x, w = Variable(3.0), Variable(2.0)
V = Variable([1.0, 2.0])
ROWS, REFUSED = [], []


def gives(expected, *args, cpu=False):
    """Register a function with its arguments and its result; x is 3, w is 2 and V is [1, 2] whenever it is called."""
    def register(f):
        ROWS.append(pytest.param(f, args, expected, cpu, id=f.__name__))
        return f

    return register


def refused(what, message, *args):
    def register(f):
        REFUSED.append(pytest.param(f, args, what, message, id=f.__name__))
        return f

    return register


def same(actual, expected) -> bool:
    if expected is None or actual is None:
        return actual is None and expected is None
    if isinstance(expected, dict):
        return list(actual) == list(expected) and all(same(actual[key], expected[key]) for key in expected)
    if isinstance(expected, (list, tuple)):
        return type(actual) is type(expected) and len(actual) == len(expected) and all(map(same, actual, expected))
    return np.shape(actual) == np.shape(expected) and np.allclose(actual, expected, rtol=1e-12, atol=1e-12)


# ---------------------------------------------------------------- loops and branches


@gives(27.0, 3)
def loop_in_the_block(n):
    with GradientTape() as t:
        y = 1.0
        for _ in range(n):
            y = y * x
    return t.gradient(y, x)


@gives(405.0)
def while_loop_in_the_block():
    with GradientTape() as t:
        y = x * 1.0
        while y < 100.0:
            y = y * x
    return t.gradient(y, x)


@gives(36.0, 3, cpu=True)
def tape_in_a_loop(n):
    s = 0.0
    for i in range(n):
        with GradientTape() as t:
            y = x * x * (i + 1)
        s += t.gradient(y, x)
    return s


@gives(2.0 + 0.8**50, 50, 0.1, cpu=True)
def descent(n, rate):
    for _ in range(n):
        with GradientTape() as t:
            loss = (x - 2.0) ** 2
        x.assign_sub(rate * t.gradient(loss, x))
    return x + 0.0


@gives((6.0, 27.0), 1.0)
def tape_in_each_branch(c):
    if c > 0:
        with GradientTape() as t:
            y = x * x
        g = t.gradient(y, x)
    else:
        with GradientTape() as t:
            y = x * w
        g = t.gradient(y, x)
    if c < 0:
        with GradientTape() as t:
            y = x * w
        h = t.gradient(y, x)
    else:
        with GradientTape() as t:
            y = x * x * x
        h = t.gradient(y, x)
    return g, h


@gives(27.0, -1.0)
def gradient_after_an_early_return(c):
    with GradientTape() as t:
        y = x * x
        if c > 0:
            return t.gradient(y, x)
        y = y * x
    return t.gradient(y, x)


@gives(6.0, 1.0)
def early_return_from_the_block(c):
    with GradientTape() as t:
        y = x * x
        if c > 0:
            return t.gradient(y, x)
        y = y * x
    return t.gradient(y, x)


@gives(6.0, 1.0)
def gradient_in_a_branch_behind(c):
    with GradientTape() as t:
        y = x * x
    if c > 0:
        return t.gradient(y, x)
    return 0.0


@gives(18.0, 3)
def gradients_in_a_loop_behind(n):
    with GradientTape(persistent=True) as t:
        y = x * x
    s = 0.0
    for i in range(n):
        s += t.gradient(y, x) * i
    return s


@gives(14.0, 3)
def one_tape_that_goes_on_in_a_loop(n):
    t = GradientTape()
    s = 0.0
    for i in range(n):
        with t:
            s = s + w * x * i
        x.assign_add(1.0)
    return t.gradient(s, w)


@gives(14.0, 1.0)
def every_reading_counts_across_a_branch(c):
    with GradientTape() as t:
        y = x * w
        if c > 0:
            x.assign_add(1.0)
        z = x * y
    return t.gradient(z, x)


# ---------------------------------------------------------------- what is recorded


@gives(None)
def what_comes_after_the_block():
    with GradientTape() as t:
        y = x * x
    z = y * 2.0
    return t.gradient(z, x)


@gives((0.0, None, np.zeros(2)), np.ones(2))
def zeros_for_what_is_not_connected(a):
    with GradientTape(persistent=True) as t:
        y = x * x
    z = y * 2.0
    return t.gradient(z, x, unconnected_gradients="zero"), t.gradient(y, a), t.gradient(y, a, None, "zero")


@gives(6.0)
def what_comes_before_the_block():
    a = x * 2.0
    with GradientTape() as t:
        y = x * a
    return t.gradient(y, x)


@gives([108.0, 18.0])
def source_on_the_way():
    with GradientTape() as t:
        y = x * x
        z = y * y
    return t.gradient(z, [x, y])


@gives(None, 3.0)
def source_on_the_way_from_what_nobody_watches(a):
    with GradientTape() as t:
        s = a * 2.0
        y = s * s
    return t.gradient(y, s)


@gives(9.0, 3.0)
def what_comes_before_watch(a):
    with GradientTape() as t:
        y = a * a
        t.watch(a)
        z = a * y
    return t.gradient(z, a)


@gives(1.0, 3.0)
def target_that_is_its_own_source(a):
    with GradientTape() as t:
        b = a
    return t.gradient(b, a)


@gives([None, 5.0], 3.0)
def source_under_two_names(a):
    b = a
    with GradientTape() as t:
        t.watch(a)
        y = b * 5.0
        c = 2.0
    return t.gradient(y, [c, b])


@gives(54.0)
def block_that_goes_on():
    t = GradientTape()
    with t:
        y = x * x
    z = y * x
    with t:
        u = z * x + y * x
    return t.gradient(u, x)


@gives((6.0, 9.0))
def block_that_goes_on_behind_a_gradient():
    t = GradientTape()
    with t:
        y = x * x
    g = t.gradient(y, x)
    with t:
        z = y * x
    return g, t.gradient(z, x)


@gives(0.0)
def values_held_from_several_tapes():
    with GradientTape() as outer:
        with GradientTape() as inner:
            y = x * w
        z = np.sin(y)
    u = w * z
    g = inner.gradient(u, [y], unconnected_gradients="zero")[0]
    outer.gradient(g, [z])
    return g


@gives((np.array([0.0, 4.0]), 3.0), 3)
def arrays_that_are_filled(n):
    with GradientTape(persistent=True) as t:
        u = np.zeros(n - 1)
        for i in range(n - 1):
            u[i] = x * i
        s = np.sum(u**2)
    v = t.gradient(s, u) * 2.0 / x
    u[0] = x * 5.0
    return v, t.gradient(u, x) + 2.0


# ---------------------------------------------------------------- several tapes, several functions


@gives(72.0)
def three_tapes():
    with GradientTape() as a:
        with GradientTape() as b:
            with GradientTape() as c:
                y = x**4
            g = c.gradient(y, x)
        h = b.gradient(g, x)
    return a.gradient(h, x)


@gives(18.0)
def two_tapes_in_one_line():
    with GradientTape() as a, GradientTape() as b:
        y = x**3
        g = b.gradient(y, x)
    return a.gradient(g, x)


@gives((27.0, None, 27.0))
def inner_gradient_behind_the_outer_block():
    with GradientTape(persistent=True) as a:
        with GradientTape() as b:
            y = x**3
    g = b.gradient(y, x)
    return g, a.gradient(g, x), a.gradient(y, x)


@gives((27.0, 18.0, 6.0, None))
def persistent_tape_records_its_own_gradients():
    with GradientTape(persistent=True) as t:
        y = x**3
        g = t.gradient(y, x)
        h = t.gradient(g, x)
    i = t.gradient(h, x)
    return g, h, i, t.gradient(i, x)


@gives(np.array([[6.0, 1.0], [1.0, 12.0]]), np.array([1.0, 2.0]), cpu=True)
def hessian_by_two_tapes(a):
    with GradientTape() as outer:
        outer.watch(a)
        with GradientTape() as inner:
            inner.watch(a)
            y = np.sum(a**3) + a[0] * a[1]
        g = inner.gradient(y, a)
    return outer.jacobian(g, a)


def in_block(tape, v):
    with tape:
        return v * v


def slope(v):
    with GradientTape() as t:
        t.watch(v)
        y = v**3
    return t.gradient(y, v)


@gives(6.0)
def tape_that_is_passed_on():
    t = GradientTape()
    y = in_block(t, x)
    return t.gradient(y, x)


@gives(18.0, 3.0)
def tape_of_a_function_that_is_called(v):
    with GradientTape() as t:
        t.watch(v)
        g = slope(v)
    return t.gradient(g, v)


@gives(18.0, 3.0)
def derivative_in_the_block(v):
    with GradientTape() as t:
        t.watch(v)
        g = srcad.grad(lambda u: u**3)(v)
    return t.gradient(g, v)


@gives(18.0, 3.0)
def gradients_in_the_block(v):
    with GradientTape() as t:
        t.watch(v)
        y = v**3
        g = gradients(y, v)[0]
    return t.gradient(g, v)


class Layer:
    def __init__(self, scale):
        self.w, self.b = Variable([[scale, 0.0], [0.0, 1.0]]), Variable([0.0, 0.0])

    def __call__(self, v):
        return self.w @ v + self.b


first, second = Layer(1.0), Layer(2.0)


@gives(([np.array([[2.0, 4.0], [4.0, 8.0]]), None], {"b": (np.array([5.0, 5.0]),)}), np.array([1.0, 2.0]))
def two_models(v):
    with GradientTape() as t, GradientTape() as u:
        a = np.sum(first(v) ** 2)
        b = np.sum(second(v)) * a
    return t.gradient(a, [first.w, second.w]), u.gradient(b, {"b": (second.b,)})


@gives((2, 2.0, 9.0), np.array([1.0, 2.0]))
def variables_that_were_read(v):
    with GradientTape() as t:
        a = np.sum(second(v))
        with t.stop_recording():
            b = first(v)
    watched = t.watched_variables()
    sums = [np.sum(variable + g) for variable, g in zip(watched, t.gradient(a, watched))]
    return len(watched), sums[1], sums[0] + 0.0 * np.sum(b)


@gives({"a": [8.0, (9.0,)], "b": 2.0}, {"a": [2.0, (3.0,)], "b": 1.0})
def structures_as_arguments(p):
    with GradientTape() as t:
        t.watch(p)
        y = p["a"][0] ** 2 * 2.0 + p["a"][1][0] ** 2 * 1.5 + 2.0 * p["b"]
    return t.gradient(y, p)


@gives(12.0, 3.0)
def structures_of_targets(a):
    with GradientTape() as t:
        t.watch(a)
        y = a * a
    return t.gradient({"l": y, "m": [y]}, a, output_gradients={"l": 1.0, "m": [None]})


@gives(np.array([2.0, 16.0]), np.array([1.0, 2.0]), cpu=True)
def seed_from_the_block(a):
    with GradientTape() as t:
        t.watch(a)
        y = a * a
    return t.gradient(y, a, output_gradients=y)


# ---------------------------------------------------------------- Jacobians


@gives({"a": np.diag([3.0, 4.0]), "b": (np.diag([1.0, 2.0]),)}, np.array([1.0, 2.0]), np.array([3.0, 4.0]))
def jacobian_in_a_structure(a, b):
    with GradientTape() as t:
        t.watch([a, b])
        y = a * b
    return t.jacobian(y, {"a": a, "b": (b,)})


@gives((6.0, np.array([2.0, 4.0]), np.array([2.0, 0.0])), 3.0, np.array([1.0, 2.0]))
def jacobians_of_numbers(a, b):
    with GradientTape(persistent=True) as t:
        t.watch((a, b))
        y = a * a
        z = np.sum(b * b)
        u = b[0] * np.array([1.0, 0.0]) * 2.0
        v = a * u
    return t.jacobian(y, a), t.jacobian(z, b), t.jacobian(v, a)


@gives([np.diag([2.0, 4.0]), None], np.array([1.0, 2.0]), np.ones((3, 1)))
def jacobian_without_connection(a, b):
    with GradientTape() as t:
        t.watch(a)
        y = a * a
    return t.jacobian(y, [a, b])


@gives([np.diag([2.0, 4.0]), np.zeros((2, 3, 1))], np.array([1.0, 2.0]), np.ones((3, 1)))
def jacobian_with_zeros(a, b):
    with GradientTape() as t:
        t.watch(a)
        y = a * a
    return t.jacobian(y, [a, b], unconnected_gradients="zero")


@gives(np.array([[[2.0, 0.0], [2.0, 1.0]], [[2.0, 1.0], [0.0, 4.0]]]))
def jacobian_by_a_variable():
    with GradientTape() as t:
        y = np.outer(V, V)
    return t.jacobian(y, V)


@gives(np.ones((3, 1, 1)) * np.array([[[5.0, 7.0]]]), np.ones((3, 2)), np.array([[5.0], [7.0]]), cpu=True)
def batch_of_products(a, b):
    with GradientTape() as t:
        t.watch(a)
        y = a @ b
    return t.batch_jacobian(y, a)


@pytest.mark.parametrize("f, args, expected, cpu", ROWS)
def test_tapes(f, args, expected, cpu):
    for target in ("python", "cpu") if cpu else ("python",):
        x.assign(3.0), w.assign(2.0), V.assign([1.0, 2.0])
        assert same(function(f, target=target)(*args), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradients_have_the_dtype_of_their_sources(dtype):
    def f(a):
        with GradientTape(persistent=True) as t:
            t.watch(a)
            y = np.sum(a * a)
        return t.gradient(y, a), t.jacobian(y, a)

    for g in function(f, target="python")(np.array([1.0, 2.0], dtype)):
        assert g.dtype == dtype and g.tolist() == [2.0, 4.0]


def test_functions_with_tapes_are_differentiated():
    second_derivative = srcad.grad(slope, target="python")
    assert second_derivative(3.0) == 18.0 and srcad.grad(second_derivative, target="python")(3.0) == 6.0


def test_the_source_has_no_tape():
    @function(target="python")
    def f(a, b):
        with GradientTape() as t:
            t.watch([a, b])
            h = np.tanh(a * b)
            with t.stop_recording():
                scale = h * h
            y = h * h
        g = t.gradient(y, [a, h])
        return g, scale

    assert f.source(float, float) == '''\
import numpy as np


def f(a, b):
    h = np.tanh(a * b)
    scale = h * h
    h_bar = 2.0 * h
    a_bar = h_bar * b * (1.0 - h * h)
    return (a_bar, h_bar), scale
'''


# ---------------------------------------------------------------- what TensorFlow gives for other programs

PROGRAMS = json.loads((Path(__file__).parent / "tensorflow_tapes.json").read_text(encoding="utf-8"))
HEAD = "from numpy import sin\nfrom srcad import GradientTape, Variable\n\nx, w = Variable(0.7), Variable(-0.4)\n\n\n"


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_as_tensorflow(number, tmp_path):
    """Random programs of nested, paused, reset and persistent tapes; the results are those of TensorFlow 2.21."""
    path = tmp_path / f"tape_program_{number}.py"
    path.write_text(HEAD + PROGRAMS[number]["source"], encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    f = function(module.f, target="python")
    for sign, expected in zip((1.0, -1.0), PROGRAMS[number]["results"]):
        module.x.assign(0.7), module.w.assign(-0.4)
        assert alike(f(0.9, 1.3, sign, 1.0), expected)


def alike(actual, expected) -> bool:
    if isinstance(expected, list):
        return len(actual) == len(expected) and all(map(alike, actual, expected))
    if expected is None or actual is None:
        return expected is None and actual is None
    return math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-11)


# ---------------------------------------------------------------- refusals


@refused(RuntimeError, "a tape that is not persistent gives one gradient or Jacobian only")
def second_gradient():
    with GradientTape() as t:
        y = x * x
    return t.gradient(y, x) + t.gradient(y, x)


@refused(RuntimeError, "a tape that is not persistent gives one gradient or Jacobian only", 1.0)
def jacobian_of_a_used_tape(a):
    with GradientTape() as t:
        y = x * x
    return t.gradient(y, x) + t.jacobian(y, x)


@refused(RuntimeError, "a tape that is not persistent gives one gradient only, and here it is asked in a loop", 3)
def gradient_in_a_loop_behind(n):
    with GradientTape() as t:
        y = x * x
    s = 0.0
    for _ in range(n):
        s += t.gradient(y, x)
    return s


@refused(RuntimeError, "of a tape that has recorded nothing")
def tape_without_a_block():
    t = GradientTape()
    return t.gradient(x * x, x)


@refused(UnsupportedError, "watch of n, which holds integers", 3)
def watch_of_an_integer(n):
    with GradientTape() as t:
        t.watch(n)
        y = n * 2.0
    return t.gradient(y, n)


@refused(UnsupportedError, "watch of a value without a name", 3.0)
def watch_of_an_expression(a):
    with GradientTape() as t:
        t.watch(a * 2.0)
        y = a * 2.0
    return t.gradient(y, a)


@refused(UnsupportedError, "watch of a tape that does not record", 3.0)
def watch_before_the_block(a):
    t = GradientTape()
    t.watch(a)
    with t:
        y = a * 2.0
    return t.gradient(y, a)


@refused(UnsupportedError, "watch of a in a branch or loop that the tape is made outside of", 3.0, 2)
def watch_in_a_loop(a, n):
    with GradientTape() as t:
        for _ in range(n):
            t.watch(a)
        y = a * a
    return t.gradient(y, a)


@refused(UnsupportedError, "watch of a behind what the tape has recorded of it", 3.0)
def watch_too_late(a):
    with GradientTape() as t:
        y = a * x
        t.watch(a)
        z = a * y
    return t.gradient(z, a)


@refused(UnsupportedError, "a tape that watches a, an array that is written to later", np.ones(3))
def write_behind_watch(a):
    with GradientTape() as t:
        t.watch(a)
        a[0] = 5.0
        y = np.sum(a * a)
    return t.gradient(y, a)


@refused(UnsupportedError, "a gradient with respect to 'a' that has no name", 3.0)
def source_that_is_text(a):
    with GradientTape() as t:
        y = a * x
    return t.gradient(y, "a")


@refused(UnsupportedError, "a gradient with respect to a number that has no name", 3.0)
def source_that_is_a_number(a):
    with GradientTape() as t:
        y = a * x
    return t.gradient(y, [x, 2.0])


@refused(UnsupportedError, "a gradient with respect to an expression", 3.0)
def source_that_is_an_expression(a):
    with GradientTape() as t:
        y = a * x
    return t.gradient(y, x * 2.0)


@refused(ValueError, "output_gradients have another structure than the targets, which are 2")
def too_few_seeds():
    with GradientTape() as t:
        y = x * x
    return t.gradient([y, y], x, output_gradients=[1.0])


@refused(ValueError, "output_gradients has 0 dimensions, the result has 1", np.ones(3))
def seed_of_another_rank(a):
    with GradientTape() as t:
        t.watch(a)
        y = a * a
    return t.gradient(y, a, output_gradients=1.0)


@refused(ValueError, "unconnected_gradients must be 'none' or 'zero', not 'zeros'")
def unknown_unconnected():
    with GradientTape() as t:
        y = x * x
    return t.gradient(y, x, unconnected_gradients="zeros")


@refused(ValueError, "the target of batch_jacobian has 1 axes", np.ones(3))
def batch_without_rows(a):
    with GradientTape() as t:
        t.watch(a)
        y = a * a
    return t.batch_jacobian(y, a)


@refused(UnsupportedError, "the Jacobian of several targets", np.ones(3))
def jacobian_of_several(a):
    with GradientTape() as t:
        t.watch(a)
        y = a * a
    return t.jacobian([y, y], a)


@refused(UnsupportedError, "stop_recording of a tape that does not record")
def pause_outside_of_the_block():
    with GradientTape() as t:
        y = x * x
    with t.stop_recording():
        z = y * y
    return t.gradient(z, x)


@refused(UnsupportedError, "reset of a tape that does not record")
def reset_outside_of_the_block():
    with GradientTape() as t:
        y = x * x
    t.reset()
    return t.gradient(y, x)


@refused(UnsupportedError, "a tape that begins while it records")
def block_in_its_own_block():
    with GradientTape() as t:
        with t:
            y = x * x
    return t.gradient(y, x)


@refused(UnsupportedError, "a tape that is returned")
def tape_that_is_returned():
    with GradientTape() as t:
        x * x
    return t


@refused(UnsupportedError, "a list of objects or functions, tapes, that becomes longer in a loop", 3)
def tapes_in_a_list(n):
    tapes = []
    for _ in range(n):
        with GradientTape() as t:
            y = x * x
        tapes.append(t)
    return tapes[0].gradient(y, x)


@refused(UnsupportedError, "outside of the branch, the loop or the function in which it was made", 3)
def tape_behind_its_loop(n):
    for _ in range(n):
        with GradientTape() as t:
            y = x * 2.0
    return t.gradient(y, x)


@refused(UnsupportedError, "a tape that records or was reset on some paths only", 3.0)
def tape_reset_in_a_branch(c):
    with GradientTape() as t:
        y = x * x
        if c > 0:
            t.reset()
        z = y * x
    return t.gradient(z, x)


@refused(UnsupportedError, "which comes from outside of the loop, of what depends on y, which the loop carries", 3)
def gradient_across_iterations(n):
    s = 0.0
    with GradientTape(persistent=True) as t:
        y = x * x
        for _ in range(n):
            y = y * x
            s += t.gradient(y, x)
    return s


@refused(UnsupportedError, "unexpected keyword argument 'persist'")
def unknown_argument():
    with GradientTape(persist=True) as t:
        y = x * x
    return t.gradient(y, x)


@refused(UnsupportedError, "the arguments of GradientTape must be known when this is compiled", True)
def argument_that_is_not_known(p):
    with GradientTape(persistent=p) as t:
        y = x * x
    return t.gradient(y, x)


@refused(UnsupportedError, "a gradient of v with respect to a, which is the same on some paths", 3.0)
def same_on_some_paths(a):
    v = a
    with GradientTape() as t:
        if a > 0:
            v = a * x
    return t.gradient(v, a)


@pytest.mark.parametrize("f, args, what, message", REFUSED)
def test_refusals(f, args, what, message):
    with pytest.raises(UnsupportedError, match=message) as caught:
        function(f, target="python")(*args)
    assert isinstance(caught.value, what) and caught.value.problems[0].filename == __file__
    first = f.__code__.co_firstlineno
    assert first < caught.value.problems[0].line <= first + 12


def test_seeds_of_other_shapes_are_refused_at_the_call():
    def f(a, s):
        with GradientTape() as t:
            t.watch(a)
            y = a * a
        return t.gradient(y, a, output_gradients=s)

    with pytest.raises(ValueError, match="output_gradients must have the shape of the result"):
        function(f, target="python")(np.ones(3), np.ones(2))


def test_rows_are_counted_at_the_call():
    def f(a, b):
        with GradientTape() as t:
            t.watch(a)
            y = b @ a
        return t.batch_jacobian(y, a)

    with pytest.raises(ValueError, match="target and source of batch_jacobian have different numbers of rows"):
        function(f, target="python")(np.ones((3, 2)), np.ones((2, 3)))


def test_outside_of_compiled_functions():
    with pytest.raises(RuntimeError, match="can only be used in a function that is compiled by srcad.function"):
        GradientTape()
    with pytest.raises(RuntimeError, match="can only be used in a function that is compiled by srcad.function"):
        slope(3.0)
