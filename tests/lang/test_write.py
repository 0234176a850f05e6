"""Printed source: what is parsed back is what was meant, in few parentheses and short lines."""

from __future__ import annotations

import ast
import math
import operator
import random

import numpy as np
import pytest

from srcad.lang import ir
from srcad.lang.expressions import load
from srcad.lang.ir import Accum, Call, Const, Effect, For, Function, If, Let, Move, Param, Return, Store, Var
from srcad.lang.origin import Origin
from srcad.lang.types import FLOAT, INT, NONE, Array, Scalar
from srcad.lang.unparse import expression, unparse
from srcad.lang.write import write

x, y, n = Var("x", FLOAT), Var("y", FLOAT), Var("n", INT)
a = Var("a", Array("float64", ("n", "m")))

LINES = [
    "a - (b - c)", "a - b - c", "a / (b * c)", "a / b * c", "-x**2", "(-x) ** 2", "2**-x", "a ** b**c", "(a**b) ** c",
    "u[i] ** 2", "x.real**2", "e * -y[i]", "-(a * b)", "-a * b", "not (a and b) or c", "(a or b) and c", "not a == b",
    "(not a) == b", "a < b < c", "(a < b) < c", "a if b else c", "(a if b else c) + d", "a if b else c if d else e",
    "(a if b else c) if d else e", "f(a if b else c, k=1)", "a[i, ::2]", "a[::2]", "a[1:, None, ...]", "a[i + 1:n - 1]",
    "a[()]", "a[b,]", "(a, b)[0]", "(a,)", "a @ (b @ c)", "(a + b) @ c.T", "~a & b | c ^ d", "a << (b >> c)",
    "a // b % c", "a // (b % c)", "x is not None", "x not in (1, 2)", "(3).real", "-1.5", "(-1.5) ** n", "a - -1",
    "1e-300", "1e+300", "a[-1]", "(a + b).sum()", "+x", "a % -b", "(yield_ or z)(x)",
]  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_an_expression_is_printed_as_a_person_writes_it(line):
    assert expression(ast.parse(line, mode="eval").body) == line


BINARY = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.Mod, ast.FloorDiv, ast.MatMult, ast.BitAnd, ast.LShift]


def tree_of(rng: random.Random, depth: int) -> ast.expr:
    """A random expression."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice([load(rng.choice("abc")), ast.Constant(rng.randrange(4)), ast.Constant(rng.random())])

    def sub():
        return tree_of(rng, depth - 1)

    return rng.choice(
        [
            lambda: ast.BinOp(sub(), rng.choice(BINARY)(), sub()),
            lambda: ast.BinOp(sub(), rng.choice(BINARY)(), sub()),
            lambda: ast.UnaryOp(rng.choice([ast.USub, ast.Not, ast.Invert])(), sub()),
            lambda: ast.BoolOp(rng.choice([ast.And, ast.Or])(), [sub(), sub()]),
            lambda: ast.Compare(sub(), [ast.Lt(), ast.NotIn()], [sub(), sub()]),
            lambda: ast.IfExp(sub(), sub(), sub()),
            lambda: ast.Subscript(sub(), ast.Tuple([sub(), ast.Slice(None, None, sub())], ast.Load()), ast.Load()),
            lambda: ast.Subscript(sub(), sub(), ast.Load()),
            lambda: ast.Call(load("f"), [sub(), sub()], [ast.keyword("k", sub())]),
            lambda: ast.Attribute(sub(), "real", ast.Load()),
        ]
    )()


@pytest.mark.parametrize("seed", range(200))
def test_random_expressions_parse_back(seed):
    tree = tree_of(random.Random(seed), 4)
    assert ast.dump(ast.parse(expression(tree), mode="eval").body) == ast.dump(tree)


@pytest.mark.parametrize("seed", range(100))
def test_long_statements_parse_back(seed):
    rng = random.Random(seed)
    tree = tree_of(rng, 6)
    text, _ = unparse(ast.Module([ast.Assign([ast.Name("x", ast.Store())], tree)], []))
    (statement,) = ast.parse(text).body
    assert ast.dump(statement.value) == ast.dump(tree)


@pytest.mark.parametrize("value", [-1, -0.0, -2.5])
def test_a_negative_constant_is_one_number(value):
    power = ast.BinOp(ast.Constant(value), ast.Pow(), ast.Name("n", ast.Load()))
    assert expression(power) == f"({value}) ** n"


def body_of(*stmts, params=(), **options) -> str:
    text = write(Function("f", tuple(Param(p) for p in params), (*stmts, Return(x)), **options)).text
    return "\n".join(line[4:] for line in text[text.index("def f") :].splitlines()[1:-1])


def call(fn, *args, type=FLOAT, **kwargs):
    return Call(fn, args, tuple(kwargs.items()), type)


@pytest.mark.parametrize(
    "expr, text",
    [
        (call(np.sin, x), "np.sin(x)"),
        (call(np.linalg.norm, a, axis=Const(0)), "np.linalg.norm(a, axis=0)"),
        (call(math.gamma, x), "math.gamma(x)"),
        (call(abs, x), "abs(x)"),
        (call(np.abs, x), "np.abs(x)"),
        (call(np.max, a), "np.max(a)"),
        (call(ir.Method("sum"), a), "a.sum()"),
        (call(ir.select, x, y, n), "y if x else n"),
        (call(ir.and_, call(operator.lt, x, y), call(operator.lt, y, n)), "x < y < n"),
        (call(ir.and_, call(operator.lt, x, y), call(operator.lt, x, n)), "x < y and x < n"),
        (call(operator.not_, call(operator.contains, a, x)), "x not in a"),
        (call(operator.not_, call(operator.is_, a, Const(None))), "a is not None"),
        (Const(math.inf), "np.inf"),
        (Const(-math.inf), "-np.inf"),
        (Const(math.nan), "np.nan"),
        (Const(math.pi), "np.pi"),
        (Const(0.1, Scalar("float32")), "np.float32(0.1)"),
        (Const(np.float64(0.1)), "np.float64(0.1)"),
        (Const(np.dtype("float32")), "np.float32"),
        (Const((0, 1)), "(0, 1)"),
        (Const("it's"), '"it\'s"'),
        (Const(2j), "2j"),
    ],
)
def test_primitives_and_literals(expr, text):
    assert body_of(Let("z", expr)) == f"z = {text}"


def test_assignments():
    element = call(operator.getitem, a, n)
    everything = Const(..., NONE)
    assert body_of(Let("x", call(operator.add, x, y))) == "x += y"
    assert body_of(Let("x", call(operator.sub, y, x))) == "x = y - x"
    assert body_of(Let("a", Call(operator.add, (a, x), (), a.type))) == "a = a + x"
    assert body_of(Store(a, everything, Const(0.0))) == "a[:] = 0.0"
    assert body_of(Store(Var("a"), everything, Const(0.0))) == "a[...] = 0.0"
    assert body_of(Store(a, n, call(operator.mul, element, x))) == "a[n] *= x"
    assert body_of(Store(a, everything, Call(operator.mul, (a, x), (), a.type))) == "a *= x"
    assert body_of(Store(a, everything, Call(operator.add, (a, a), (), a.type))) == "a[:] = a + a"
    assert body_of(Accum(element, call(operator.neg, x))) == "a[n] -= x"
    assert body_of(Move(("u", "v"), (Var("v"), Var("u")))) == "u, v = v, u"


def test_a_sum_over_a_slice_is_not_written_in_place():
    row = Array("float64", ("m",))
    place = call(operator.getitem, a, n, type=row)
    assert body_of(Store(a, n, call(operator.add, place, Var("v", row), type=row))) == "a[n] = a[n] + v"


def test_control_flow():
    zero, one = Const(0), Const(1)
    assert body_of(For("i", zero, n, one, ())) == "for i in range(n):\n    pass"
    assert body_of(For("i", one, n, one, (), flag="done")) == "for i in range(1, n):\n    if done:\n        break"
    assert body_of(For("i", n, Const(-1), Const(-1), ())) == "for i in range(n, -1, -1):\n    pass"
    chain = If(x, (Let("x", y),), (If(y, (), (Let("x", n),)),))
    assert body_of(chain) == "if x:\n    x = y\nelif y:\n    pass\nelse:\n    x = n"
    assert body_of(Effect(Call(ir.raise_, (Const(ValueError), Const("no"))))) == 'raise ValueError("no")'
    assert body_of(Effect(Call(ir.assert_, (x, Const(None))))) == "assert x"


def test_globals_avoid_local_names():
    weights = np.eye(2)
    stmts = (Let("W", Const(weights, name="W")), For("i", Const(0), n, Const(1), ()), Let("z", call(np.sin, x)))
    written = write(Function("f", (Param("range"), Param("np"), Param("x"), Param("n")), (*stmts, Return(x))))
    assert written.constants == {"W_1": weights, "range_1": range}
    assert "W = W_1" in written.text and "in range_1(n)" in written.text and "np_1.sin(x)" in written.text
    assert written.imports == ("import numpy as np_1",)


def test_comments_stand_above_what_shares_a_line():
    first = Origin("f.py", 1, 0, "f", "z = x * y", True)
    second = Origin("f.py", 2, 0, "f", "return z", True)
    loop = For("i", Const(0), n, Const(1), (Let("p", x, first), Let("q", y, first)))
    assert body_of(Let("r", x, second), Let("s", x, second), loop, Let("u", y, first)).splitlines() == [
        "# adjoint of  return z",
        "r = x",
        "s = x",
        "# adjoint of  z = x * y",
        "for i in range(n):",
        "    p = x",
        "    q = y",
        "u = y",
    ]
    mixed = For("i", Const(0), n, Const(1), (Let("p", x, first), Let("q", y)), origin=first)
    assert body_of(mixed).splitlines()[1] == "    # adjoint of  z = x * y"


def test_lines_lead_back_to_the_user():
    here = Origin("f.py", 7, 0, "f", "y = np.sin(x)")
    written = write(Function("f", (Param("x"),), (Let("y", call(np.sin, x), here), Return(y)), doc="One.\n\n    Two."))
    (line,) = (number for number, origin in written.lines.items() if origin is here)
    assert written.text.splitlines()[line - 1] == "    y = np.sin(x)"


def test_long_lines_are_broken_at_sums():
    total = x
    for _ in range(40):
        total = call(operator.add, total, call(operator.mul, x, y))
    lines = body_of(Let("z", total)).splitlines()
    assert all(len(line) <= 96 for line in lines) and all(line.startswith("     + x * y") for line in lines[1:])
