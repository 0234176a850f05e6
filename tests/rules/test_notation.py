"""What a rule may say, what it becomes, and where its mistakes are reported."""

import inspect
import math
import operator

import numpy as np
import pytest

from srcad.lang.errors import UnsupportedError
from srcad.lang.ir import Call, Const, Function, Let, Return, Var, select
from srcad.lang.types import FLOAT, Array
from srcad.lang.write import write
from srcad.rules.rule import FormError, Rule, constant, find, known, lowerings, rule, static, table
from tests.rules.cases import CASES

VECTOR = Array("float64", ("n",), "C")
MATRIX = Array("float64", ("n", "m"), "C")


def text(expr):
    return write(Function("f", (), (Return(expr),))).text.split("return ")[1].strip()


def reverse(found, call, kind, *wanted):
    terms = found.reverse(Var("y", kind), call, Var("y_bar", kind), set(wanted), lambda hint: hint)
    return [f"{t.target} = {text(t.value)}" if isinstance(t, Let) else f"{t[0].name} += {text(t[1])}" for t in terms]


def of(fn, kind, *names, **named):
    args = tuple(Var(n, kind) if isinstance(n, str) else Const(n) for n in names)
    call = Call(fn, args, tuple((k, Const(v)) for k, v in named.items()))
    return reverse(find(fn), call, kind, *(n for n in names if isinstance(n, str)))


def test_source_as_an_expert_writes_it():
    assert of(np.sin, FLOAT, "x") == ["x += y_bar * np.cos(x)"]
    assert of(math.sin, FLOAT, "x") == ["x += y_bar * math.cos(x)"]
    assert of(np.exp, VECTOR, "x") == ["x += y_bar * y"]
    assert of(operator.pow, FLOAT, "x", 2) == ["x += y_bar * 2.0 * x"]
    assert of(operator.pow, FLOAT, "x", 1) == ["x += y_bar"]
    assert of(operator.pow, FLOAT, "x", 0) == []
    assert of(operator.pow, VECTOR, "x", 3) == ["x += y_bar * 3 * x**2"]
    assert of(np.mean, MATRIX, "x", axis=0) == ["x += y_bar / x.shape[0]"]
    assert of(np.sum, MATRIX, "x", axis=1) == ["x += y_bar[:, None]"]


def test_numbers_get_conditional_expressions_and_arrays_where():
    assert of(np.maximum, FLOAT, "a", "b")[0] == "a += y_bar if a >= b else 0.0"
    assert of(np.maximum, VECTOR, "a", "b")[0] == "a += np.where(a >= b, y_bar, 0.0)"
    assert of(np.clip, VECTOR, "a", -1.0, 1.0) == ["a += np.where(np.logical_and(-1.0 <= a, a <= 1.0), y_bar, 0.0)"]


def test_a_temporary_that_is_read_twice_gets_a_name():
    assert of(np.hypot, FLOAT, "a", "b") == [
        "r = y if y > 0.0 else 1.0", "a += y_bar * a / r", "b += y_bar * b / r",
    ]  # fmt: skip


def test_only_what_is_wanted():
    call = Call(operator.mul, (Var("a", FLOAT), Var("b", FLOAT)))
    assert reverse(find(operator.mul), call, FLOAT, "b") == ["b += y_bar * a"]


def test_terms_that_do_not_move_vanish_from_the_tangent():
    call = Call(operator.mul, (Var("a", FLOAT), Var("b", FLOAT)))
    tangent, before = find(operator.mul).forward(Var("y", FLOAT), call, {"b": Var("b_dot", FLOAT)}, str)
    assert text(tangent) == "a * b_dot" and before == []
    assert find(operator.mul).forward(Var("y", FLOAT), call, {}, str) == (None, [])


def test_decided_when_written():
    @static
    def twice(n):
        return 2 * n

    def body(y, x, n=3):
        if x.ndim == 0 and known(n):
            factor = twice(n) - 1
            for i in range(2):
                x.bar += y.bar * factor * i
        elif n is None:
            raise NotImplementedError("no n")
        else:
            x.bar += y.bar if x.dtype == np.float64 else 0.0

    unrolled = ["x += y_bar * 5 * 0", "x += y_bar * 5 * 1"]
    assert reverse(Rule(body), Call(body, (Var("x", FLOAT),)), FLOAT, "x") == unrolled
    assert reverse(Rule(body), Call(body, (Var("x", VECTOR),)), VECTOR, "x") == ["x += y_bar"]
    with pytest.raises(FormError, match="no n"):
        reverse(Rule(body), Call(body, (Var("x", VECTOR), Const(None))), VECTOR, "x")


def test_a_test_that_the_call_does_not_decide():
    def body(y, x):
        x.bar += y.bar if x > 0.0 else 0.0

    terms = Rule(body).reverse(Var("y", FLOAT), Call(body, (Var("x", FLOAT),)), Var("b", FLOAT), {"x"}, str)
    assert terms[0][1].fn is select

    def unclear(y, x):
        if x > 0.0:
            x.bar += y.bar

    with pytest.raises(FormError, match="tests what is not known at compile time"):
        Rule(unclear).reverse(Var("y", FLOAT), Call(body, (Var("x", FLOAT),)), Var("b", FLOAT), {"x"}, str)


def test_mistakes_are_reported_where_they_stand():
    def misspelt(y, x):
        x.bar += y.bar * np.cos(z)  # noqa: F821

    def loops(y, x):
        while x.ndim:
            x.bar += y.bar

    for body, offset in ((misspelt, 1), (loops, 1)):
        with pytest.raises(UnsupportedError) as caught:
            Rule(body).body
        assert caught.value.filename == __file__
        assert caught.value.lineno == inspect.getsourcelines(body)[1] + offset


def test_arguments_that_a_rule_does_not_know():
    with pytest.raises(FormError, match="order"):
        of(np.sin, FLOAT, "x", order="K")


def test_registering():
    def cube(x):
        return x * x * x

    @rule(cube)
    def _(y, x):
        x.bar += y.bar * 3.0 * x**2

    assert of(cube, FLOAT, "x") == ["x += y_bar * 3.0 * x**2"]
    constant(cube)
    assert find(cube).zero
    assert find([]) is None
    del table[cube]


def test_every_lowering_is_tried():
    from tests.transforms.test_lower import CALLS

    find(np.sin)
    tried = {primitive for primitive, _, _ in CASES} | {primitive for primitive, _, _ in CALLS}
    assert not [p for p in lowerings if p not in tried]
