"""Reading: source, origins, names; and expressions by themselves."""

from __future__ import annotations

import functools
import linecache
import operator

import gast
import numba
import numpy as np
import pytest

from srcad.lang import ir
from srcad.lang.errors import UnsupportedError
from srcad.lang.read import Unbound, read, read_expression
from tests.interpret import evaluate

SCALE = 2.0


def decorator(*options):
    return lambda fn: fn


@decorator(
    1,  # the source starts here
    2,
)
def decorated(x):
    y = (x +  # first
         SCALE)
    for i in range(
        3
    ):
        y = y + i  # why
    return y


def test_origin_of_statements():
    source = read(decorated)
    first, loop, last = (source.origin(node) for node in source.tree.body)
    start = decorated.__code__.co_firstlineno
    assert (first.line, first.column, first.text) == (start + 5, 4, "y = (x + SCALE)")
    assert (loop.line, loop.text) == (start + 7, "for i in range( 3 ):")
    assert last.text == "return y" and last.function == "decorated" and last.filename == __file__


def test_decorators_and_wrappers():
    assert read(numba.njit(decorated)).tree.name == "decorated"
    assert read(functools.lru_cache(decorated)).tree.name == "decorated"


def test_place_counts_characters():
    def f(x):
        é = x; y = é  # noqa: E702
        return y

    source = read(f)
    assert source.place(source.tree.body[1]).column == 15
    assert source.place(source.tree.body[1]).text == "        é = x; y = é  # noqa: E702"


def test_lookup():
    weight = 3.0

    def f(x):
        return weight * x + SCALE + len(x) + later

    source = read(f)
    assert source.lookup("weight") == 3.0
    assert source.lookup("SCALE") == 2.0
    assert source.lookup("len") is len
    with pytest.raises(Unbound, match="no value yet"):
        source.lookup("later")
    with pytest.raises(Unbound, match="not defined"):
        source.lookup("nowhere")
    later = 1.0
    assert source.lookup("later") == 1.0


def test_lambdas():
    two = [lambda x: x + 1, lambda x: x + 2, lambda y: y + 1]
    texts = [gast.dump(read(f).tree.body) for f in two]
    assert len(set(texts)) == 3
    scale = 3.0
    first, other = (lambda x: scale * x), (lambda x: SCALE * x)
    assert "scale" in gast.dump(read(first).tree.body)
    assert "SCALE" in gast.dump(read(other).tree.body)
    same = [lambda x: x * 2, lambda x: x * 2]
    assert read(same[1]).tree.args.args[0].id == "x"
    called = [lambda x: linecache.getline(x, 1), lambda x: linecache.getline(x, 2)]  # by a name that is imported
    assert "value=2" in gast.dump(read(called[1]).tree.body)
    nested = (lambda a: lambda b: a + b)(1.0)
    assert read(nested).lookup("a") == 1.0


def test_multiline_lambda():
    f = (
        lambda x, y=(
            1.0
        ): x
        * y
    )
    assert read(f).origin(read(f).tree.body).text == "x * y"


def test_source_in_linecache_only():
    text = "def g(x):\n    return x * 2\n"
    linecache.cache["<srcad g>"] = (len(text), None, text.splitlines(keepends=True), "<srcad g>")
    space: dict = {}
    exec(compile(text, "<srcad g>", "exec"), space)
    assert read(space["g"]).tree.name == "g"


def test_file_changed(tmp_path):
    file = tmp_path / "changing.py"
    file.write_text("def h(x):\n    return x\n")
    space: dict = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    file.write_text("def h(x, y):\n    return x\n")
    linecache.clearcache()
    with pytest.raises(UnsupportedError, match="changed"):
        read(space["h"])


def expression(text, **names):
    table = {name: ir.Var(name) for name in names} | {"np": ir.Const(np)}
    return read_expression(gast.parse(text, mode="eval").body, table.__getitem__, ir.NOWHERE)


@pytest.mark.parametrize("text", [
    "x * y + np.cos(x)", "-x ** 2 // 3 @ 1 if False else x", "x[0:2, ..., None][::-1]", "x.sum(axis=-1)", "x.T @ x",
    "1 < 2 <= 3", "not (x is None) and 2 in (1, 2)", "np.array([[1, 2], [3, y]])", "np.linalg.norm(x, ord=2)",
    "x[[0, 1]]", "(x, (y,))", "~3 | 4 ^ 1 & 7 << 2 >> 1", "1.5j", "'text'", "x.shape[0] % 2", "1 < y < 3 == 3.0",
])  # fmt: skip
def test_expressions(text):
    values = {"x": np.arange(6.0).reshape(2, 3), "y": 2.0}
    if "@ 1" not in text and "< y <" not in text:
        np.testing.assert_equal(evaluate(expression(text, x=1, y=1), dict(values)), eval(text, {"np": np}, values))
    else:
        expression(text, x=1, y=1)


def test_negative_numbers_are_constants():
    assert expression("-1") == ir.Const(-1)
    assert expression("x[-1]", x=1) == ir.Call(operator.getitem, (ir.Var("x"), ir.Const(-1)))


def test_unknown_name_in_expression():
    with pytest.raises(UnsupportedError, match="'z' is not defined"):
        expression("x + z", x=1)
