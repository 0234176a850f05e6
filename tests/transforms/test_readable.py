"""From final IR to the text that a person would have written: simplify, merge, fold, collect, name, write."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from srcad.lang.ir import Call, Const, Function, Let, Return, Var
from srcad.lang.types import FLOAT, INT, Array, Scalar
from srcad.lang.write import write
from srcad.transforms.collect import collect
from srcad.transforms.fold import fold
from srcad.transforms.merge import merge
from srcad.transforms.name import name
from srcad.transforms.simplify import simplified, simplify
from tests.transforms.notation import function


def printed(text: str, **kinds: str) -> str:
    """The function as it is printed, without imports."""
    fn = function(text, **kinds)
    for each in (simplify, merge, fold, collect, name):
        fn = each(fn)
    source = write(fn).text
    return source[source.index("def ") :]


def expression(text: str, **kinds: str):
    return function(f"def f():\n    return {text}", **kinds).body[0].value


def shown(expr) -> str:
    return write(Function("f", (), (Return(expr),))).text.split("return ")[1].strip()


# ---------------------------------------------------------------- simplify


@pytest.mark.parametrize(
    "before, after",
    [
        ("x * 1.0", "x"),
        ("1.0 * x", "x"),
        ("x / 1.0", "x"),
        ("x + 0.0", "x"),
        ("0.0 - x", "-x"),
        ("-(-x)", "x"),
        ("x + (-y)", "x - y"),
        ("(-x) + y", "y - x"),
        ("x - (-y)", "x + y"),
        ("-(x - y)", "y - x"),
        ("x ** 1.0", "x"),
        ("x ** 0", "1.0"),
        ("2.0 * x ** 1.0", "2.0 * x"),
        ("np.power(x, 1.0)", "x"),
        ("-1.0 * x", "-x"),
        ("2.0 * 3.0 * x", "6.0 * x"),
        ("x * 0.0", "x * 0.0"),
        ("x - x", "x - x"),
        ("x / x", "x / x"),
        ("x + x", "x + x"),
        ("n * 1.0", "n * 1.0"),
        ("n - 1 + 1", "n"),
        ("n - 1 - (0 - 1)", "n"),
        ("(n - 1) // 1", "n - 1"),
        ("0 + (n - 1) * 1", "n - 1"),
        ("2 * n - n", "n"),
        ("n // 2 * 2", "n // 2 * 2"),
        ("1 / 0", "1 / 0"),
        ("a * 1.0 + b", "a + b"),
        ("np.sin(a * 1.0)", "np.sin(a)"),
    ],
)
def test_algebra(before, after):
    expr = expression(before, n="i", a="f1", b="f1")
    assert shown(simplified(expr)) == after


def test_a_fresh_array_stays_fresh():
    array = Array("float64", ("n",))
    copy = Call(operator.mul, (Var("a", array), Const(1.0, FLOAT)), (), array)
    view = Call(np.ravel, (copy,), (), array)
    fn = simplify(Function("f", (), (Let("b", copy), Let("c", view), Return(Var("b", array)))))
    assert fn.body[0].value == copy and fn.body[1].value == view


def test_types_are_kept():
    half = Scalar("float32")
    mixed = Call(operator.mul, (Var("x", half), Const(1.0, Scalar("float64"))), (), Scalar("float64"))
    assert simplified(mixed) == mixed
    assert simplified(Call(operator.add, (Var("n", INT), Const(0.0, FLOAT)), (), FLOAT)).fn is operator.add


# ---------------------------------------------------------------- fold


def test_a_value_does_not_move_over_a_write_to_what_it_reads():
    text = """
def f(u, x):
    _t = u[0]
    u[0] = x
    return _t * x
"""
    assert printed(text, u="f1") == "def f(u, x):\n    u_0 = u[0]\n    u[0] = x\n    return u_0 * x\n"


def test_a_shape_moves_over_writes():
    text = """
def f(u, x):
    _t = u.shape[0]
    u[0] = x
    return _t * x
"""
    assert printed(text, u="f1") == "def f(u, x):\n    u[0] = x\n    return u.shape[0] * x\n"


def test_a_value_does_not_move_into_a_loop():
    text = """
def f(x, y, n):
    _t = np.sin(x)
    for i in range(n):
        y += _t
    return y
"""
    assert printed(text, n="i", i="i") == """def f(x, y, n):
    sin_x = np.sin(x)
    for i in range(n):
        y += sin_x
    return y
"""


def test_a_value_does_not_move_over_a_new_value_of_what_it_reads():
    text = """
def f(x, y):
    _t = x * y
    x = y
    return _t + x
"""
    assert printed(text) == "def f(x, y):\n    x_y = x * y\n    x = y\n    return x_y + x\n"


def test_what_writes_reads_first():
    text = """
def f(u, x):
    _t = u[0]
    _t.1 = _t * x
    u[0] = _t.1
    return x
"""
    assert printed(text, u="f1") == "def f(u, x):\n    u[0] *= x\n    return x\n"


def test_a_choice_of_a_temporary_is_one_line():
    text = """
def f(x, y):
    if x < y:
        _t, = x,
    else:
        _t, = y * 2.0,
    return _t + 1.0
"""
    assert printed(text) == "def f(x, y):\n    return (x if x < y else y * 2.0) + 1.0\n"


def test_the_users_values_stay():
    text = """
def f(x):
    y = x * 2.0
    return y + 1.0
"""
    assert printed(text) == text.lstrip()


def test_flags_and_tests_of_while_loops_keep_their_names():
    text = """
def f(x, n):
    _c.1 = x > 0.0
    while _c.1:
        x = x - 1.0
        _c.1 = x > 0.0
    for i in range(n):
        x = x + 1.0
        _c = x > 3.0
        if _c:
            break
    return x
"""
    source = printed(text, n="i", i="i", _c="b")
    scope: dict = {}
    exec(source, scope)
    assert scope["f"](2.5, 10) == 3.5 and "break" in source


# ---------------------------------------------------------------- merge


def test_branches_on_one_test_are_joined():
    text = """
def f(x, y):
    _c = x > 0.0
    if _c:
        _t = np.exp(x)
        z = _t * 2.0
    else:
        z = x
    y~bar = 0.0
    if _c:
        "z = np.exp(x) * 2.0"
        y~bar += _t * z
        ""
    return y~bar + z
"""
    assert printed(text, _c="b") == """def f(x, y):
    y_bar = 0.0
    if x > 0.0:
        exp_x = np.exp(x)
        z = exp_x * 2.0
        # adjoint of  z = np.exp(x) * 2.0
        y_bar += exp_x * z
    else:
        z = x
    return y_bar + z
"""


def test_branches_stay_apart_where_the_first_changes_the_test():
    text = """
def f(x, y):
    if x > 0.0:
        x = y
    if x > 0.0:
        y = 2.0
    return x + y
"""
    assert printed(text) == text.lstrip()


# ---------------------------------------------------------------- collect


def reverse(*lines: str) -> str:
    body = "\n    ".join(lines)
    source = printed(f'def f(g, x, y, r, u, i):\n    "primal"\n    {body}\n    return x~bar', u="f1", i="i")
    return "\n".join(line.strip() for line in source.splitlines()[1:-1] if "adjoint of" not in line)


@pytest.mark.parametrize(
    "lines, after",
    [
        (["x~bar = g * (1.0 - x) * r - g * (r * x)"], "x_bar = g * r * (1.0 - 2.0 * x)"),
        (["x~bar = g * x", "x~bar += g * x"], "x_bar = 2.0 * g * x"),
        (["x~bar = g * x", "x~bar += y * r"], "x_bar = g * x\nx_bar += y * r"),
        (["x~bar = g / r + y / r"], "x_bar = (g + y) / r"),
        (["x~bar = g", "x~bar += -(g * x)"], "x_bar = g * (1.0 - x)"),
        (["x~bar = g - g"], "x_bar = g - g"),
        (["x~bar = y", "x~bar += -g * x"], "x_bar = y\nx_bar -= g * x"),
        (["x~bar = g / (1.0 + x) * x * -y"], "x_bar = g / (1.0 + x) * x * -y"),
        (["_t~bar = g * (1.0 - x)", "r~bar = _t~bar * x", "x~bar = _t~bar * r - g * (r * x)"],
         "r_bar = g * x * (1.0 - x)\nx_bar = r * g * (1.0 - 2.0 * x)"),
        (["u[i] += g", "u[i - 1] += x", "u[i] += -(g * y)", "x~bar = y"],
         "u[i - 1] += x\nu[i] += g * (1.0 - y)"),
        (["u[1] += g * y", "u[1] += u[1]", "x~bar = y"], "u[1] += g * y\nu[1] += u[1]"),
        (["r~bar = g * x", "r~bar += g * x", "x~bar = y", "u[i] = r~bar"], "u[i] = 2.0 * g * x"),
        (["r~bar = g * x", "g = 2.0", "u[i] = r~bar", "x~bar = y"], "r_bar = g * x\ng = 2.0\nu[i] = r_bar"),
        (["r~bar = g * x", "u[i] = r~bar", "x~bar = r~bar"], "r_bar = g * x\nu[i] = r_bar"),
        (["u[1] += g", "u[0] = y", "u[1] += g", "x~bar = y"], "u[1] += g\nu[0] = y\nu[1] += g"),
    ],
)  # fmt: skip
def test_contributions(lines, after):
    assert reverse(*lines) == after


def test_the_primal_keeps_its_rounding():
    text = """
def f(g, x, r):
    y = g * (1.0 - x) * r - g * (r * x)
    return y
"""
    assert printed(text) == text.lstrip()


# ---------------------------------------------------------------- whole functions


def test_a_fused_loop():
    text = """
def loss_value_and_grad(w, X, y, grad_ys=1.0):
    w~bar = np.zeros_like(w)
    "return s / X.shape[0]"
    s.1~bar = grad_ys / X.shape[0]
    ""
    s = 0.0
    s.1, = s,
    for i in range(X.shape[0]):
        z = 0.0
        z.1, = z,
        for j in range(X.shape[1]):
            _t = X[i, j]
            _t.1 = w[j]
            _t.2 = _t * _t.1
            z.2 = z.1 + _t.2
            z.1, = z.2,
        _t.3 = y[i]
        _t.4 = -_t.3
        _t.5 = _t.4 * z.1
        _t.6 = np.exp(_t.5)
        _t.7 = np.log1p(_t.6)
        s.2 = s.1 + _t.7
        s.1, = s.2,
        "s += np.log1p(np.exp(-y[i] * z))"
        _t.7~bar = s.1~bar
        _t.6~bar = _t.7~bar / (1.0 + _t.6)
        _t.5~bar = _t.6~bar * _t.6
        z.1~bar = _t.5~bar * _t.4
        "z += X[i, j] * w[j]"
        for j in range(X.shape[1]):
            _t.8 = X[i, j]
            _t.2~bar = z.1~bar
            _t.1~bar = _t.2~bar * _t.8
            w~bar[j] += _t.1~bar
        ""
    _t.9 = s.1 / X.shape[0]
    return _t.9, w~bar
"""
    assert printed(text, w="f1", X="f2", y="f1", i="i", j="i", **{"w~bar": "f1"}) == """\
def loss_value_and_grad(w, X, y, grad_ys=1.0):
    w_bar = np.zeros_like(w)
    s_bar = grad_ys / X.shape[0]
    s = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        e = np.exp(-y[i] * z)
        s += np.log1p(e)
        # adjoint of  s += np.log1p(np.exp(-y[i] * z))
        z_bar = s_bar / (1.0 + e) * e * -y[i]
        # adjoint of  z += X[i, j] * w[j]
        for j in range(X.shape[1]):
            w_bar[j] += z_bar * X[i, j]
    return s / X.shape[0], w_bar
"""


def test_a_recurrence():
    text = """
def logistic_map_grad(r, x0, n, grad_ys=1.0):
    x = x0
    x.1, = x,
    x.3~tape = np.empty(n)
    for _ in range(n):
        x.3~tape[_ - 0] = x.1
        _t = r * x.1
        _t.1 = 1.0 - x.1
        x.2 = _t * _t.1
        x.1, = x.2,
    "return x"
    x.1~bar = grad_ys
    "x = r * x * (1.0 - x)"
    r~bar = 0.0
    for _ in range(n - 1, -1, -1):
        x.3 = x.3~tape[_]
        _t.2 = r * x.3
        _t.3 = 1.0 - x.3
        x.2~bar = x.1~bar
        _t~bar = x.2~bar * _t.3
        _t.1~bar = x.2~bar * _t.2
        x.1~bar = -_t.1~bar
        r~bar += _t~bar * x.3
        x.1~bar += _t~bar * r
    x0~bar = x.1~bar
    return r~bar, x0~bar
"""
    assert printed(text, n="i", _="i") == """\
def logistic_map_grad(r, x0, n, grad_ys=1.0):
    x = x0
    x_tape = np.empty(n)
    for k in range(n):
        x_tape[k] = x
        x = r * x * (1.0 - x)
    x_bar = grad_ys
    r_bar = 0.0
    # adjoint of  x = r * x * (1.0 - x)
    for k in range(n - 1, -1, -1):
        x = x_tape[k]
        r_bar += x_bar * x * (1.0 - x)
        x_bar = x_bar * r * (1.0 - 2.0 * x)
    return r_bar, x_bar
"""
