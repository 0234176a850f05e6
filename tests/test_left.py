"""Functions that cannot be read are left alone where no derivative goes through them, in both targets."""

# ruff: noqa: C416  (what is refused is meant)

import contextlib
import io
import importlib
import inspect
import json
import logging
import random
import sys
import time
import math
import types
import warnings

import numpy as np
import pytest

import srcad
from srcad.lang.ir import Var
from srcad.lang.types import FLOAT
from srcad.typing.typer import Typer  # before what it imports
from srcad.typing.fallback import observe
from srcad.typing.refusal import Refusal
from srcad.testing import check_grads
from tests.test_lint import check

SORTED = np.array([3.0, 1.0, 2.0])
log = logging.getLogger("srcad.tests")


def digits(n):
    return len({*str(n)}) + len(str(n))


def order(x):
    return np.array(sorted({k for k in np.argsort(x).tolist()}))


def only_by_name(a, *, b):
    return len({each for each in (a, b)})


def twice(x):
    return x * len({k for k in (1.0, 2.0)})  # <- {


class Table:
    def __init__(self):
        self.entries = {"a": 2.0}

    def look_up(self, key):
        try:
            return self.entries[key]
        except KeyError:
            return 0.0


table = Table()


def counted(x, n):
    y = x
    for i in range(n):
        y = np.sin(y) * digits(i)
    return y


def on_a_path_taken(x, n):
    if n > 3:
        k = digits(n)
    else:
        k = digits(n + 100)
    return x**k


def while_counted(x, n):
    y = x
    while n > 0:
        y = y * np.sin(y) + digits(n)
        n //= 2
    return y


def of_elements(x):
    return np.sum(x[order(x)] ** 2 * np.arange(len(x)))


def of_elements_in_a_loop(x):
    s = 0.0
    for t in range(3):
        s += np.sum(x[order(x)] ** 2) * t
    return s


def by_name(x):
    return x * only_by_name(2, b=3)


def from_a_table(x):
    return x * table.look_up("a")


def with_a_list(x):
    return x * largest([1.0, 2.0])


def largest(values):
    return max({value for value in values})


def logged(x):
    log.info("x is %s", x)
    return x * x


def timed(x):
    start = time.perf_counter()
    y = 1.0
    for _ in range(3):
        y = y * x + 0.0 * start
    print(time.perf_counter() - start >= 0.0)
    return y


def warned(x):
    if x > 1.0:
        warnings.warn("x is large")
    return x * x


COUNTED = [
    (counted, (0.3, 4)), (on_a_path_taken, (1.5, 4)), (on_a_path_taken, (1.5, 1)), (while_counted, (0.4, 9)),
    (of_elements, (SORTED,)), (of_elements_in_a_loop, (SORTED,)), (by_name, (2.0,)), (from_a_table, (2.0,)),
    (with_a_list, (2.0,)), (logged, (2.0,)), (timed, (2.0,)),
]  # fmt: skip


@pytest.mark.parametrize("case, target", [
    *((case, "python") for case in COUNTED),
    *(pytest.param(case, "cpu", marks=pytest.mark.slow if turn % 2 else ()) for turn, case in enumerate(COUNTED)),
], ids=lambda v: v if isinstance(v, str) else f"{v[0].__name__}-{v[1][-1]}")  # fmt: skip
def test_gradient(case, target):
    check_grads(*case, target=target)


def test_one_call_an_iteration():
    """What a function gives is recorded, however often the reverse sweep reads it."""
    calls = []

    def noted(n):
        calls.append({k for k in (n,)})
        return n + 1

    def f(x):
        y = x
        for i in range(4):
            y = np.sin(y) * noted(i)
        return y

    df = srcad.grad(f, target="python")
    df(0.3)
    calls.clear()
    df(0.3)
    assert calls == [{0}, {1}, {2}, {3}]


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_statements_take_effect_once(target, caplog):
    caplog.set_level(logging.INFO)
    assert srcad.grad(logged, target=target)(2.0) == 4.0
    assert [record.getMessage() for record in caplog.records] == ["x is 2.0"]
    with pytest.warns(UserWarning, match="x is large") as caught:
        srcad.grad(warned, target=target)(2.0)
    assert len(caught) == 1


def test_what_a_derivative_goes_through_is_refused():
    def f(x):
        return x * twice(x)

    with pytest.raises(srcad.UnsupportedError, match="a set comprehension is not supported") as caught:
        srcad.grad(f, target="python")(2.0)
    assert caught.value.problems[0].function == "twice"
    check(srcad.lint(f, 2.0), twice)
    check(srcad.lint(f), twice)


def test_nothing_to_say_of_what_is_left_alone():
    assert not srcad.lint(counted, 0.3, 4) and not srcad.lint(logged)


def test_arrays_are_not_changed_by_it():
    def fills(a):
        a[0] = len({k for k in (1, 2)})
        return 3

    def f(x):
        k = fills(x)
        return np.sum(x) * k

    with pytest.raises(srcad.UnsupportedError, match="a set comprehension is not supported"):
        srcad.grad(f, target="python")(SORTED)


class Counter:
    def __init__(self):
        self.count = 1

    def step(self, n):
        self.count += len({k for k in (n,)})  # <- self.count
        return self.count


def test_what_changes_an_object_is_not_left_alone():
    counter = Counter()

    def f(x, n):
        counter.step(n)
        return x * counter.count

    with pytest.raises(srcad.UnsupportedError):
        srcad.grad(f, target="python")(2.0, 1)
    assert counter.count == 1


def test_a_dict_is_not_handed_over():
    def sized(entries):
        return len({key for key in entries})

    def f(x):
        entries = {"a": 1.0}
        return x * sized(entries)

    with pytest.raises(srcad.UnsupportedError, match="a set comprehension is not supported"):
        srcad.grad(f, target="python")(2.0)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_result_of_another_type(target):
    """A number through which a derivative goes does not pass for an integer."""

    def sometimes(x):
        return len({k for k in (1, 2)}) if x > 0.5 else x / len({k for k in (1, 2)})

    def f(x):
        return x * sometimes(x)

    df = srcad.grad(f, target=target)
    assert df(2.0) == 2.0
    with pytest.raises(TypeError, match="sometimes, called as it is, gave a float64 where it had given a int64"):
        df(0.25)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_tuple_of_another_length(target):
    def sometimes(n):
        return (len({k for k in (n,)}), 2) if n > 0 else (len({k for k in (n,)}), 2, 3)

    def f(x, n):
        a, b = sometimes(n)
        return x * (a + b)

    df = srcad.grad(f, target=target)
    assert df(2.0, 1) == 3.0
    with pytest.raises(TypeError, match="sometimes, called as it is, gave no tuple of 2 values"):
        df(2.0, 0)


def test_random_numbers():
    def noise(n):
        return len({k for k in (1, 2)}) * random.gauss(0.0, 1.0)

    def f(x, n):
        return x * noise(n)

    with pytest.raises(srcad.UnsupportedError, match="a set comprehension is not supported"):
        srcad.grad(f, target="python")(2.0, 1)


@pytest.mark.parametrize("draw", [lambda rng, n: rng.normal(size=n), lambda rng, n: rng.standard_normal(n) * 2.0])
def test_what_a_generator_draws_that_is_made_here_depends_on_the_draws_before(draw):
    def f(x):
        rng = np.random.default_rng(3)
        return np.sum(x * draw(rng, 3)) + x[0] * draw(rng, 2)[1]

    with pytest.raises(srcad.UnsupportedError, match="gives numbers that depend on draws before it"):
        srcad.grad(f, target="python")(SORTED)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_function_with_a_seed_always_draws_the_same_numbers(target):
    def noise(n, seed):
        rng = np.random.default_rng(seed)
        return rng.normal(size=n) + rng.uniform(size=n)

    df = srcad.grad(lambda x: np.sum(x**2 * noise(len(x), 3)), target=target)
    assert np.array_equal(df(SORTED), 2 * SORTED * noise(3, 3)) and np.array_equal(df(SORTED), df(SORTED))


def test_a_function_that_may_have_no_seed():
    def noise(n, seed=None):
        return np.random.default_rng(seed).normal(size=n)

    def nothing(n, seed):
        return np.random.default_rng(seed).normal(size=n)

    def f(x):
        return np.sum(x * noise(3))

    def g(x):
        return np.sum(x * nothing(3, None))

    for each in (f, g):
        with pytest.raises(srcad.UnsupportedError, match="depend on draws before it"):
            srcad.grad(each, target="python")(SORTED)


def test_source():
    text = srcad.source(srcad.grad(counted), 0.3, 4)
    lines = [line for line in text.splitlines() if "#" not in line]
    assert sum("digits(i)" in line for line in lines) == 1 and "_tape[i]" in text


def test_views_of_functions_that_nobody_knows():
    def read(x, c):
        windows = np.lib.stride_tricks.sliding_window_view(c, 2)
        return np.sum(windows) * np.sum(x)

    def written(x, c):
        y = x * 1.0
        np.lib.stride_tricks.as_strided(y, (2,), (8,))[0] = 1.0
        return np.sum(y * c)

    x, c = np.arange(4.0), np.arange(1.0, 5.0)
    np.testing.assert_array_equal(srcad.grad(read, target="python")(x, c), np.full(4, 15.0))
    with pytest.raises(srcad.UnsupportedError, match="this may be a view of an array that is written to"):
        srcad.grad(written, target="python")(x, c)


def nodes_and_weights(x, n):
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return sum(w * np.exp(x * t) for t, w in zip(nodes, weights))


def ranked(v):
    order = np.lexsort((v, v > 0.0))
    return v[order[0]] * v[order[1]] ** 2


@pytest.mark.parametrize("f, args", [(nodes_and_weights, (0.5, 5)), (ranked, (np.array([0.3, -0.2, 0.7]),))])
def test_functions_of_libraries_that_numba_lacks(f, args):
    """No derivative goes through them, so that machine code may call them as they are."""
    value, gradient = srcad.value_and_grad(f)(*args)
    expected, expected_gradient = srcad.value_and_grad(f, target="python")(*args)
    assert value == pytest.approx(expected, rel=1e-14) and value == pytest.approx(f(*args), rel=1e-14)
    np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-13)


def written(x):
    np.set_printoptions(precision=4)
    for k in range(2):
        sys.stdout.write(f"{k}: {x[k]}\n")
    sys.stdout.flush()
    return np.sum(x * x)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_standard_output_is_what_it_is_at_the_call(target):
    x = np.array([1.0, 2.0])
    gradient = srcad.grad(written, target=target)
    with np.printoptions():
        gradient(x)
        with contextlib.redirect_stdout(io.StringIO()) as text:
            np.testing.assert_array_equal(gradient(x), 2.0 * x)
        assert np.get_printoptions()["precision"] == 4
    assert text.getvalue() == "0: 1.0\n1: 2.0\n"


def saved(x):
    np.save("x.npy", x)
    return np.sum(x * x)


def test_statement_that_a_function_of_ones_own_may_hold(tmp_path):
    def save(x):
        np.save(tmp_path / "x.npy", x)

    def saved_apart(x):
        save(x)
        return np.sum(x * x)

    x = np.array([1.0, 2.0])
    with pytest.raises(srcad.UnsupportedError, match=r"save\(\.\.\.\) in a function of your own"):
        srcad.grad(saved)(x)
    np.testing.assert_array_equal(srcad.grad(saved_apart, target="python")(x), 2.0 * x)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), x)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_call_through_the_interpreter_inside_another_one(target):
    assert srcad.grad(lambda x: np.sum(np.lexsort((x,))) * x[0], target=target)(SORTED)[0] == 3.0


def test_why_a_function_of_a_package_cannot_be_read(monkeypatch, tmp_path):
    """Who calls it learns what is wrong with its source."""
    (tmp_path / "a_package.py").write_text("def scaled(x, table):\n    return x * eval('2.0') * len(table)\n\n\n"
                                         "def checked(x):\n    return eval('x / (x - x)')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("srcad.lang.left.is_installed", lambda filename: filename.startswith(str(tmp_path)))
    for name in ("scaled", "checked"):
        monkeypatch.setattr(package, name, getattr(importlib.import_module("a_package"), name))
    with pytest.raises(srcad.NoGradientError, match=r"no derivative rule for a_package.scaled \(in its source, a_pack"):
        srcad.grad(through_a_package, target="python")(2.0, 3)
    with pytest.raises(srcad.UnsupportedError, match=r"dict or object \(in its source, a_package.py:2: eval\(\)"):
        srcad.grad(with_a_dict, target="python")(2.0, 3)
    with pytest.raises(srcad.UnsupportedError, match=r"cannot be read \(in its source, a_package.py:6: eval\(\)"):
        srcad.grad(through_what_raises, target="python")(2.0)


package = types.SimpleNamespace(scaled=None, checked=None)


def through_a_package(x, n):
    return package.scaled(x, (n,)) * x


def through_what_raises(x):
    return package.checked(x) * x


def with_a_dict(x, n):
    return package.scaled(n, {"n": n}) * x


def halvings(n):
    """Ends for even numbers only."""
    count = {k for k in range(1)}
    while n != 0:
        n -= 2
        count.add(n)
    return len(count)


def of_an_argument(x, n):
    return x ** halvings(n)


def of_what_is_computed(x, n):
    m = 2 * n + 2
    return x ** halvings(m + len("ab"))


def in_a_loop(x, n):
    y = 0.0
    for k in range(4, 8, 2):
        y = y + x ** halvings(2 * n + k)
    return y


def carried_by_a_loop(x, n):
    y = 0.0
    while n > 0:
        y = y + x ** halvings(n)
        n -= 2
    return y


def of_what_the_loop_sums(x, v):
    y, total = x, 0.0
    for each in v:
        y = y * halvings(total)
        total = total + each
    return y


ONLY_FOR_THESE = [(of_an_argument, 6), (of_what_is_computed, 2), (in_a_loop, 2), (carried_by_a_loop, 6),
                  (of_what_the_loop_sums, np.array([4.0, 2.0]))]  # fmt: skip


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("fn, given", ONLY_FOR_THESE, ids=lambda value: getattr(value, "__name__", ""))
def test_a_function_that_never_ends_for_ones(fn, given, target, monkeypatch):
    """It is tried on what the call passes."""
    monkeypatch.setattr("srcad.typing.samples._FIRST", 0.05)
    got = srcad.grad(fn, target=target)(1.3, given)
    assert np.isclose(got, (fn(1.3 + 1e-6, given) - fn(1.3 - 1e-6, given)) / 2e-6)


def never_ending(x):
    count = {k for k in range(1)}
    while x != 0:
        count.add(x)
    return len(count)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_function_that_never_ends(target, monkeypatch):
    """It does not stop the compiler; not called, it does not matter."""
    monkeypatch.setattr("srcad.typing.samples._FIRST", 0.05)
    monkeypatch.setattr("srcad.typing.samples._AT_MOST", 0.2)
    with pytest.raises(srcad.SrcadError, match="set comprehension"):
        srcad.grad(lambda x, n: x * never_ending(n), target=target)(2.0, 3)
    assert srcad.grad(lambda x, n: x * never_ending(n), target=target)(2.0, 0) == 1.0


def test_what_is_said_of_a_function_that_never_ends(monkeypatch):
    monkeypatch.setattr("srcad.typing.samples._FIRST", 0.05)
    with pytest.raises(Refusal, match=r"of never_ending, which was tried to see what it returns") as info:
        observe(Typer(), never_ending, (Var("x", FLOAT),), {})
    assert info.value.remedy == "its result, passed as an argument"


def changed_and_failed(x):
    a = np.ones(3)
    try:
        y = changing(a, x)
    except ValueError:
        y = 1.0
    return y * np.sum(a)


def changing(a, x):
    a += x
    return math.log(x)


class Counting:
    def __init__(self, scale):
        self.scale = scale
        self.calls = 0

    def log(self, x):
        self.calls += 1
        return math.log(x) * self.scale


def counted_and_failed(x):
    counting = Counting(x)
    try:
        y = counting.log(x)
    except ValueError:
        y = 1.0
    return y * counting.calls


def noted_and_failed(x):
    notes = []

    def log(z):
        notes.append(z)
        return math.log(z)

    try:
        y = log(x)
    except ValueError:
        y = 1.0
    return y * sum(notes)


def divided_in_a_list(x, n):
    xs = []
    for k in range(n):
        xs.append(x * k)
    try:
        y = x / xs[0]
    except ZeroDivisionError:
        y = x
    return y


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("fn", [counted_and_failed, noted_and_failed])
def test_a_body_of_try_that_changes_an_object_before_it_fails(fn, target):
    f = srcad.grad(fn, target=target)
    np.testing.assert_allclose(f(2.0), 1.0 + np.log(2.0), rtol=1e-12)
    with pytest.raises(RuntimeError, match="changes an object before it fails"):
        f(-2.0)


def of_a_default(x):
    bound = x

    def log(z, least=bound):
        if least > 3.0:
            raise ValueError
        return math.log(z)

    bound = 5.0
    try:
        y = log(x)
    except ValueError:
        y = bound
    return y


def test_functions_with_defaults_of_then_are_not_made_once_more():
    """With the bound of the call, the other handler would be taken."""
    with pytest.raises(srcad.UnsupportedError, match="reads a function made here"):
        srcad.grad(of_a_default, target="python")(2.0)


def test_numbers_in_lists_that_fail_as_pythons_only():
    with pytest.raises(RuntimeError, match="may be NumPy's or Python's"):
        srcad.grad(divided_in_a_list, target="python")(2.0, 3)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_body_of_try_that_changes_an_array_before_it_fails(target):
    """The handler would see the change, which is not done again: no gradient rather than a wrong one."""
    f = srcad.grad(changed_and_failed, target=target)
    np.testing.assert_allclose(f(2.0), (3 * 3.0) / 2.0 + 3 * np.log(2.0), rtol=1e-12)
    with pytest.raises(RuntimeError, match="changes an array before it fails"):
        f(-2.0)


def divided_by_a_sum(v, n):
    s = 0.0
    for k in range(n):
        s += v[k]
    try:
        y = v[0] / v[1] + 1.0 / s
    except ZeroDivisionError:
        y = 7.0 * v[0]
    return y


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_body_of_try_that_fails_for_pythons_numbers_only(target):
    """Whether a sum is Python's depends on whether anything was added: no gradient rather than a wrong one."""
    f, v = srcad.grad(divided_by_a_sum, target=target), np.array([1.0, 2.0])
    np.testing.assert_allclose(f(v, 2), [0.5 - 1 / 9, -0.25 - 1 / 9], rtol=1e-12)
    with pytest.raises(RuntimeError, match=r"write float\(...\) of it"):
        f(v, 0)


def test_warnings_that_are_errors_elsewhere():
    """A filter for other warnings says nothing of those that NumPy gives of numbers."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        with pytest.raises(RuntimeError, match=r"write float\(...\) of it"):
            srcad.grad(divided_by_a_sum, target="python")(np.array([1.0, 2.0]), 0)


def log_or_square(x):
    try:
        return np.log(x)
    except RuntimeWarning:
        return x * x


def test_warnings_that_are_errors_reach_their_handlers():
    f = srcad.value_and_grad(log_or_square, target="python")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f(-0.5) == (0.25, -1.0)
    assert np.isnan(f(-0.5)[0])


class Square:
    def value(self, x):
        return x * x


class Tried(Square):
    def value(self, x):
        try:
            return super().value(x)
        except Exception:
            return x


def value_of_tried(x):
    return Tried().value(x)


def test_a_body_of_try_that_means_something_in_its_class_only():
    with pytest.raises(srcad.UnsupportedError, match=r"super\(\) or has a private name"):
        srcad.grad(value_of_tried, target="python")(2.0)


def divided_by_elements(v):
    try:
        y = v[0] / v[1]
    except ZeroDivisionError:
        y = 7.0 * v[0]
    return np.minimum(y, 5.0)


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_body_of_try_fails_as_python_says(target):
    """Numbers of NumPy's are divided by zero without an error, also in machine code."""
    f = srcad.value_and_grad(divided_by_elements, target=target)
    with np.errstate(all="ignore"):
        assert f(np.array([1.0, 0.0]))[0] == divided_by_elements(np.array([1.0, 0.0])) == 5.0


def with_as_many_as_it_takes(x):
    return np.sum(x**2) * len(inspect.signature(digits).parameters)


def with_what_a_text_says(x):
    log.debug("at %s", json.dumps([1, 2]))
    return np.sum(x**2) * json.loads("2.5")


def test_functions_of_python_that_look_at_programs_are_not_read():
    """They are called as they are: in the place of `inspect.signature` there would be all of its module."""
    with pytest.raises(srcad.UnsupportedError, match="a call of inspect.signature, which is not supported"):
        srcad.grad(with_as_many_as_it_takes, target="python")(np.ones(2))
    np.testing.assert_allclose(srcad.grad(with_what_a_text_says, target="python")(np.ones(2)), [5.0, 5.0])
