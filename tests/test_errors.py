"""Wrong use and refusals: the user's line, the caret under the construct, and what to write instead."""

import inspect
import linecache
import math
import pickle
import traceback

import numpy as np
import pytest

import srcad
from tests import refused, ruleless
from tests.reference import difference, richardson


def product(x, y, n):
    return x**n * y


def squares(x):
    return x * x


def two(x):
    return x * x, math.sin(x)


def no_rule(x, c):
    y = x * 2
    return ruleless.one(c, y)


def no_rule_for_several_results(x):
    ai, slope, bi, _ = ruleless.several(x)
    return ai * slope + bi


def no_rule_for_the_result(x):
    return ruleless.several(x)


def no_rule_for_one_of_several_results(x):
    return 2 * ruleless.several(x)[0]


def no_rule_off_the_path(x, c):
    return ruleless.one(1, c) * x


def raises_and_asserts(x, n):
    if n > 3:
        raise ValueError("n is too large")
    assert n > 0, "n is too small"
    return x**n


def raises_with_numbers(x, n):
    name = f"x is {x:.2f}"
    if x > 1:
        raise ValueError(name + f", n is {n}")
    return x * n


def marked_lines(fn) -> list[tuple[int, str]]:
    """The lines of a function marked ``# <- word``, and the word."""
    lines, first = inspect.getsourcelines(fn)
    return [(first + k, line.split("# <-")[1].strip()) for k, line in enumerate(lines) if "# <-" in line]


def refusal(fn, *args) -> srcad.UnsupportedError:
    with pytest.raises(srcad.UnsupportedError) as caught:
        srcad.grad(fn, target="python")(*args)
    return caught.value


def check_place(error, filename: str, line: int, word: str) -> None:
    assert error.filename == filename
    assert error.lineno == line
    text = linecache.getline(filename, line).rstrip("\n")
    assert error.text.strip() and error.text.strip() in text
    assert 1 <= error.offset <= len(error.text)
    if word:
        assert error.text[error.offset - 1 :].startswith(word), f"the caret is under {error.text[error.offset - 1 :]!r}"


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize("fn", refused.REFUSED, ids=lambda fn: fn.__name__)
def test_refusal_names_the_line_and_the_remedy(fn):
    error = refusal(fn, 0.5)
    [(line, word)] = marked_lines(fn)
    check_place(error, refused.__file__, line, word)
    assert isinstance(error, srcad.SrcadError) and isinstance(error, SyntaxError)
    assert all(problem.reason and problem.remedy for problem in error.problems)
    shown = "".join(traceback.format_exception_only(error))
    assert "^" in shown and f"line {line}" in shown and error.problems[0].remedy.splitlines()[0] in shown


@pytest.mark.parametrize("fn", refused.RIGHT_OR_REFUSED, ids=lambda fn: fn.__name__)
def test_language_to_come_is_right_or_refused(fn):
    expected, _ = richardson(fn, [0.7], 0)
    try:
        value, gradient = srcad.value_and_grad(fn, target="python")(0.7)
    except srcad.UnsupportedError as error:
        assert error.filename == refused.__file__
        assert error.problems[0].remedy
        return
    except srcad.NoGradientError:
        return
    assert difference(value, fn(0.7)) < 1e-12
    assert difference(gradient, expected) < 1e-7


def test_coroutines_are_refused():
    error = refusal(refused.asynchronous, 0.5)
    assert error.filename == refused.__file__


def test_refusal_inside_a_helper_names_the_line_of_the_helper():
    error = refusal(refused.calls_refused_helper, 0.5)
    [(line, word)] = marked_lines(refused.helper_with_try)
    check_place(error, refused.__file__, line, word)


def test_all_problems_come_at_once():
    error = refusal(refused.three_problems, 0.5)
    expected = [line for line, _ in marked_lines(refused.three_problems)]
    assert [problem.origin.line for problem in error.problems] == expected
    assert all(str(line) in str(error) for line in expected[1:])


def test_refusal_is_pickled_with_its_problems():
    error = refusal(refused.three_problems, 0.5)
    other = pickle.loads(pickle.dumps(error))
    assert type(other) is type(error)
    assert other.problems == error.problems and str(other) == str(error)


def test_every_call_refuses_again():
    for _ in range(2):
        refusal(refused.uses_try, 0.5)


def test_source_that_cannot_be_found_says_what_to_do():
    namespace = {}
    exec("def hidden(x):\n    return x * x\n", namespace)
    with pytest.raises(srcad.SrcadError) as caught:
        srcad.grad(namespace["hidden"], target="python")(1.0)
    assert "hidden" in str(caught.value)
    assert "file" in str(caught.value)


# ---------------------------------------------------------------- no rule


def test_no_rule_on_the_path():
    with pytest.raises(srcad.NoGradientError) as caught:
        srcad.grad(no_rule, target="python")(0.5, 2.0)
    error = caught.value
    assert isinstance(error, LookupError) and isinstance(error, srcad.SrcadError)
    line = inspect.getsourcelines(no_rule)[1] + 2
    assert ruleless.one.__name__ in str(error) and f"{__file__}:{line}" in str(error)
    assert "@srcad.rule" in str(error)


@pytest.mark.parametrize("fn", [
    no_rule_for_several_results, no_rule_for_the_result, no_rule_for_one_of_several_results,
])  # fmt: skip
def test_no_rule_for_a_primitive_with_several_results(fn):
    with pytest.raises(srcad.NoGradientError, match=f"scipy.special.{ruleless.several.__name__}"):
        srcad.grad(fn, target="python")(0.5)


def test_no_rule_for_a_primitive_with_several_results_in_forward_mode():
    with pytest.raises(srcad.NoGradientError, match=f"scipy.special.{ruleless.several.__name__}"):
        srcad.jvp(no_rule_for_one_of_several_results, target="python")(0.5, 1.0)


def test_no_rule_off_the_path_is_no_error():
    assert srcad.grad(no_rule_off_the_path, target="python")(0.5, 1.0) == ruleless.one(1, 1.0)


# ---------------------------------------------------------------- wrong use


@pytest.mark.parametrize("transform", ["grad", "value_and_grad"])
@pytest.mark.parametrize("wrt, error, said", [
    ("z", ValueError, "z"),
    (("x", "z"), ValueError, "z"),
    (3, ValueError, "3"),
    (-4, ValueError, "-4"),
    ((0, 7), ValueError, "7"),
    (1.5, TypeError, "wrt"),
    (None, TypeError, "wrt"),
    (("x", 2.0), TypeError, "wrt"),
])  # fmt: skip
def test_wrong_wrt(transform, wrt, error, said):
    with pytest.raises(error, match=said):
        getattr(srcad, transform)(product, wrt=wrt, target="python")(0.5, 1.5, 2)


@pytest.mark.parametrize("options, said", [
    ({"unconnected_gradients": "nothing"}, "unconnected_gradients"),
    ({"target": "abacus"}, "target"),
    ({"stop_gradients": ("nobody",)}, "nobody"),
])  # fmt: skip
def test_wrong_options(options, said):
    with pytest.raises(ValueError, match=said):
        srcad.grad(product, **{"target": "python", **options})(0.5, 1.5, 2)


@pytest.mark.parametrize("nothing", [3, "product", None, [product]])
def test_what_is_no_function(nothing):
    with pytest.raises(TypeError):
        srcad.grad(nothing, wrt="x")


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_wrong_number_of_arguments(target):
    df = srcad.grad(product, target=target)
    with pytest.raises(TypeError):
        df(0.5, 1.5)
    with pytest.raises(TypeError):
        df(0.5, 1.5, 2, 3.0, 4)
    with pytest.raises(TypeError):
        df(0.5, 1.5, m=2)


@pytest.mark.parametrize("wrong", [{frozenset(): 1.0}, {1.0, 2.0}, object(), np.array(["a", "b"])])
def test_arguments_of_types_that_are_no_numbers_are_named(wrong):
    with pytest.raises((TypeError, ValueError), match="x"):
        srcad.grad(squares, target="python")(wrong)


@pytest.mark.parametrize("seed", [np.ones(4), np.ones((3, 1)), np.ones((1, 3))])
def test_seed_of_another_shape(seed):
    with pytest.raises(ValueError, match="grad_ys"):
        srcad.grad(squares, target="python")(np.ones(3), grad_ys=seed)


@pytest.mark.parametrize("seeds", [(1.0,), (1.0, None, 2.0), ()])
def test_seeds_of_another_number(seeds):
    with pytest.raises(ValueError, match="grad_ys"):
        srcad.grad(two, target="python")(0.5, grad_ys=seeds)


def test_seed_that_is_no_number():
    with pytest.raises((TypeError, ValueError), match="grad_ys"):
        srcad.grad(squares, target="python")(np.ones(3), grad_ys="ones")


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_errors_of_the_program_itself_come_through(target):
    df = srcad.grad(raises_and_asserts, target=target)
    assert difference(df(0.5, 2), 1.0) < 1e-12
    with pytest.raises(ValueError, match="n is too large"):
        df(0.5, 4)
    with pytest.raises(AssertionError, match="n is too small"):
        df(0.5, 0)


@pytest.mark.parametrize("target, message", [("python", "x is 2.00, n is 7"), ("cpu", r"x is {}, n is {}', 2.0, 7")])
def test_messages_with_numbers(target, message):
    df = srcad.grad(raises_with_numbers, target=target)
    assert difference(df(0.5, 2), 2.0) < 1e-12
    with pytest.raises(ValueError, match=message):
        df(2.0, 7)


@pytest.mark.parametrize("wrong", [2, np.arange(3), True])
def test_integers_are_constants(wrong):
    assert srcad.grad(squares, target="python")(wrong) is None
    zeros = srcad.grad(squares, target="python", unconnected_gradients="zero")(wrong)
    assert np.shape(zeros) == np.shape(wrong) and not np.any(zeros)
