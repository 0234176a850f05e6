"""What the frontend refuses: the right line and column, a reason, and something to write instead."""

import functools
import math
import types

import numpy as np
import pytest

import srcad
from srcad.lang.errors import UnsupportedError
from srcad.transforms.surface import surface

TABLE = np.array([1.0, 2.0])
CASES = []


def refused(*marks):
    """Register a function; each mark is text of the line that is refused, with a word of the reason."""

    def register(fn):
        CASES.append((fn, marks))
        return fn

    return register


@refused(("with np.errstate", "with"), ("import os", "import"), ("try:", "try"), ("class A", "class"))
def statements(x):
    with np.errstate() as state:
        x = x + 1
    import os
    x, os = x * os.pi, x
    try:
        x = x / 0
    except ValueError as error:
        x = x * len(error.args)
    class A:
        pass
    return x


@refused(("global TABLE", "global"))
def assigns_global(x):
    global TABLE
    TABLE = x
    return x


@refused(("TABLE[0] = x", "TABLE"), ("TABLE[1] += x", "TABLE"))
def writes_outside(x):
    TABLE[0] = x
    TABLE[1] += x
    return x


@refused(
    ("for x in y)", "generator"), ("yield c", "yield"), ("f'{a:{b}}'", "format"),
)  # fmt: skip
def expressions(y):
    a = (x for x in y)
    b = {1: 2}
    c = [1, 2]
    yield c
    d = f'{a:{b}}'
    return a, b, d


@refused(
    ("undefined_name", "not defined"), ("np.no_such", "no attribute"),
    ("a, *b, c = (y,)", "1 values for 2 names and a rest"), ("a, b = 1, 2, 3", "3 values for 2"),
    ("np.random.seed(1)", "seed"), ("vars(", "vars"),
)  # fmt: skip
def names_and_calls(y):
    a = undefined_name + 1
    a = np.no_such(y)
    a, *b, c = (y,)
    a, b = 1, 2, 3
    np.random.seed(1)
    a = vars(y)
    return a


@refused(
    ("y.append", "append"), ("np.sum(*y)", "behind *"), ("np.sin(**y)", "behind **"),
    ("math.sin(y, 1).x = 2", "attribute 'x'"),
    ("Settings.number = y", "attribute 'number'"),
    ("np.vectorize(whole)", "whole numbers"), ("functools.reduce(OBJECT", "cannot be told"),
)  # fmt: skip
def stars_and_attributes(y):
    y.append(3)
    a = np.sum(*y)
    a = np.sin(**y)
    math.sin(y, 1).x = 2
    Settings.number = y
    return a + np.vectorize(whole)(y) + functools.reduce(OBJECT.number, y)


@refused(("super().x", "super()"))
def super_outside(x):
    return super().x * x


def whole(x):
    return x if x > 0 else 0


OBJECT = types.SimpleNamespace(number=1.0)


class Settings:
    number = 1.0


def recursive(x, n):
    if n == 0:
        return x
    return recursive(x, n - 1)


@refused(("return f(x)", "depends on the path"))
def function_of_path(x):
    f = math.sin
    if x > 0:
        f = x
    return f(x)


@refused(("return f(x)", "depends on the path"))
def function_of_iteration(x):
    f = math.sin
    for _ in range(3):
        f = math.cos
    return f(x)


@refused(("return f(x)", "cannot be told"))
def function_as_argument(f, x):
    return f(x)


def broken(x):
    return x + {1}


@refused(("return x + {1}", "set"))
def problems_of_callees(x):
    y = broken(x)
    return recursive(x, 3) + broken(x) + y


@refused(("return recursive(x)", "without 'n'"), ("y = recursive(x, 1, 2)", "takes 2"), ("m=3", "no parameter 'm'"))
def wrong_arguments(x):
    y = recursive(x, 1, 2)
    y = recursive(x, m=3)
    return recursive(x)


@refused(("for k in math", "module"), ("m in zip", "step"))
def loops(x):
    s = 0.0
    for k in math:
        s += k
    for a, b in zip(x, (1, 2)):
        s += a * b
    for i in (1, 2):
        if s > i:
            break
    for v, m in zip(x, range(0, 9, i)):
        s += v * m
    return s


CONFIG = {"a": 1}


def decorate(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return 2 * fn(*args, **kwargs)

    return wrapper


@refused(("def wrapper", "**kwargs"), ("def wrapper", "*args"))
@decorate
def decorated(x):
    return x


def make(n):
    def inner(x):
        return x * later

    result = inner
    if n:
        later = 1.0
    return result


refused(("return x * later", "no value yet"))(make(0))


@pytest.mark.parametrize(("fn", "marks"), CASES, ids=[fn.__name__ for fn, _ in CASES])
def test_refusal(fn, marks):
    with pytest.raises(UnsupportedError) as caught:
        surface(fn)
    found = caught.value.problems
    for text, word in marks:
        assert any(_line(p, text) and word in p.reason for p in found), (text, word, [str(p) for p in found])
    assert caught.value.filename == __file__
    assert caught.value.text.rstrip() in open(__file__).read().splitlines()


def _line(problem, text):
    with open(__file__) as file:
        lines = file.readlines()
    return text in lines[problem.origin.line - 1]


def test_all_problems_at_once():
    with pytest.raises(UnsupportedError) as caught:
        surface(names_and_calls)
    assert len(caught.value.problems) == 6


def test_caret_stands_under_the_construct():
    with pytest.raises(UnsupportedError) as caught:
        surface(assigns_nothing)
    error = caught.value
    assert error.text[error.offset - 1:].startswith("{é for é in x}")


def assigns_nothing(x):
    é = "é"; return {é for é in x}  # noqa: E702


def test_a_derivative_of_unknown_parameters():
    with pytest.raises(UnsupportedError, match="arguments of grad must be known when this is compiled; instead: const"):
        surface(differentiates_in_unknown)
    with pytest.raises(UnsupportedError, match="wrt: lambda_ has no parameter 'z'; it has y"):
        surface(differentiates_in_nothing)
    with pytest.raises(UnsupportedError, match=r"missing a required argument: 'y'"):
        surface(forgets_an_argument)


def differentiates_in_unknown(x, n):
    return srcad.grad(lambda y: x * y, wrt=n)(x)


def differentiates_in_nothing(x):
    return srcad.grad(lambda y: x * y, wrt="z")(x)


def forgets_an_argument(x):
    return srcad.grad(lambda y: x * y)()


def test_source_not_found():
    space = {}
    exec("def f(x):\n    return x", space)
    with pytest.raises(UnsupportedError, match="in a file"):
        surface(space["f"])


def test_not_a_function():
    with pytest.raises(TypeError):
        surface(np.sin)
