"""Naming: what was one value stays one value, under the names that the user gave."""

from __future__ import annotations

import numpy as np
import pytest

from srcad.lang.write import write
from srcad.transforms.collect import collect
from srcad.transforms.flatten import flatten
from srcad.transforms.fold import fold
from srcad.transforms.name import name
from srcad.transforms.simplify import simplify
from srcad.transforms.split import split
from tests.interpret import run
from tests.transforms.notation import function
from tests.transforms.random_code import program

KINDS = {"u": "f1", "n": "i", **{f"{letter}{k}": "i" for letter in "iw" for k in range(9)}}
ARGUMENTS = (0.3, -0.2, 0.7, 0.5)


def printed(text: str, *passes, **kinds: str) -> str:
    """The body of the function as it is printed after some passes and naming."""
    fn = function(text, **kinds)
    for each in (*passes, name):
        fn = each(fn)
    source = write(fn).text
    return source[source.index("def ") :]


def execute(fn, *args):
    written = write(fn)
    scope = dict(written.constants)
    exec(written.text, scope)
    return scope[fn.name](*args)


@pytest.mark.parametrize("seed", range(150))
def test_random_programs_keep_their_meaning(seed):
    fn = function(program(seed), **KINDS)
    u = np.array([0.1, -0.4, 0.9, 0.2])
    expected = run(fn, *ARGUMENTS, u.copy(), 3)
    for passes in ([split], [split, flatten], [split, flatten, fold], [split, flatten, simplify, fold, collect]):
        code = fn
        for each in passes:
            code = each(code)
        assert run(code, *ARGUMENTS, u.copy(), 3) == pytest.approx(expected, rel=1e-12), passes
        assert execute(name(code), *ARGUMENTS, u.copy(), 3) == pytest.approx(expected, rel=1e-12), passes


@pytest.mark.parametrize("seed", range(150, 250))
def test_the_reverse_sweep_is_shortened_only_to_rounding(seed):
    text = program(seed).replace("):\n", '):\n    "reverse"\n', 1)
    fn = function(text, **KINDS)
    u = np.array([0.1, -0.4, 0.9, 0.2])
    expected = run(fn, *ARGUMENTS, u.copy(), 3)
    code = collect(fold(simplify(flatten(split(fn)))))
    assert execute(name(code), *ARGUMENTS, u.copy(), 3) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_a_swap_stays_a_swap():
    text = """
def f(u, v, n):
    u.1, v.1 = u, v
    for i in range(n):
        u.1, v.1 = v.1, u.1
    return u.1, v.1
"""
    assert printed(text, n="i", i="i") == """def f(u, v, n):
    for i in range(n):
        u, v = v, u
    return u, v
"""


def test_a_lost_copy_is_kept():
    text = """
def f(x, n):
    x.1, = x,
    for i in range(n):
        x.2 = x.1 * 2.0
        y = x.1
        x.1, = x.2,
    return x.1 + y
"""
    source = printed(text, n="i", i="i")
    scope: dict = {}
    exec(source, scope)
    assert scope["f"](1.0, 3) == 8.0 + 4.0


def test_overlapping_values_of_one_name_are_numbered():
    text = """
def f(x):
    x.1 = np.sin(x)
    x.2 = np.sin(x.1)
    return x.2 * x.1 + x
"""
    assert printed(text) == """def f(x):
    x_1 = np.sin(x)
    x_2 = np.sin(x_1)
    return x_2 * x_1 + x
"""


def test_values_of_different_types_do_not_share_a_name():
    text = """
def f(n):
    k = n + 1
    k.1 = k * 0.5
    return k.1
"""
    assert "k_1 = k * 0.5" in printed(text, n="i", k="i", **{"k.1": "f"})


def test_temporaries_are_called_what_they_are():
    text = """
def f(x, y, u):
    _t = np.exp(x)
    _t.1 = x * x
    _t.2 = np.sin(x * y + x / y)
    _t.3 = u[2]
    return _t * _t + _t.1 * _t.1 + _t.2 * _t.2 + _t.3
"""
    assert printed(text, u="f1") == """def f(x, y, u):
    exp_x = np.exp(x)
    x_sq = x * x
    sin_value = np.sin(x * y + x / y)
    u_2 = u[2]
    return exp_x * exp_x + x_sq * x_sq + sin_value * sin_value + u_2
"""


def test_generated_names_avoid_those_of_the_user():
    text = """
def f(x, x_bar, np_1):
    x~bar = x * x_bar
    x.1 = x * 2.0
    x_1 = np.sin(x.1)
    return x~bar + x.1 * x_1 + x + np_1
"""
    assert printed(text) == """def f(x, x_bar, np_1):
    x_bar_1 = x * x_bar
    x_2 = x * 2.0
    x_1 = np.sin(x_2)
    return x_bar_1 + x_2 * x_1 + x + np_1
"""


def test_a_name_like_a_function_that_is_used_is_numbered():
    text = """
def f(u):
    np = u[0]
    return np * np + np.sin(np)
"""
    assert "np_1 = u[0]" in printed(text.replace("np.sin(np)", "math.sin(np)"), u="f1")


def test_an_index_without_a_name_gets_one_when_it_is_read():
    text = """
def f(x, n, u):
    for _ in range(n):
        u[_] = x
    for _.1 in range(n):
        x += 1.0
    return x
"""
    source = printed(text, u="f1", n="i", _="i")
    assert "for k in range(n):\n        u[k] = x" in source and "for _ in range(n):\n        x += 1.0" in source


def test_a_value_defined_in_one_branch_and_read_under_the_same_condition():
    text = """
def f(x, c):
    if c > 0.0:
        y = x * 2.0
    z = x + 1.0
    if c > 0.0:
        z.1 = y + z
        w, = z.1,
    else:
        w, = z,
    return w
"""
    source = printed(text)
    scope: dict = {}
    exec(source, scope)
    assert scope["f"](1.0, 1.0) == 4.0 and scope["f"](1.0, -1.0) == 2.0
