"""untuple: names for elements instead of names for tuples."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Const, Function, Let, Move, Param, Return, Var
from srcad.lang.types import FLOAT, INT, TupleType
from srcad.transforms.infer import infer
from srcad.transforms.split import split
from srcad.transforms.surface import surface
from srcad.transforms.untuple import untuple
from tests.transforms.follow import follow, signature_of

VECTOR, MATRIX = np.array([1.0, 2.0, 3.0]), np.ones((3, 4))


def prepared(fn, *args):
    return untuple(infer(split(surface(fn)), tuple(map(signature_of, args))))


def named_tuples(fn):
    names = [s.target for s in walk.statements(fn.body) if isinstance(s, Let) and isinstance(s.value.type, TupleType)]
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Move):
            names += [t for t, v in zip(stmt.targets, stmt.values) if isinstance(v.type, TupleType)]
    return names


def pair(x):
    p = (x[0], 2.0)
    q = p
    return q[0] * q[1] + q[-1]


def nested(x):
    p = ((x, x[0]), 3)
    inner, k = p
    y, s = inner
    return y * s + k


def chosen(x, flag):
    p = (x[0], x[1]) if flag > 0 else (x[1], x[2])
    return p[0] - p[1]


def joined(x, flag):
    if flag > 0:
        p = (x, 1.0)
    else:
        p = (x * 2, 2.0)
    return p[0] * p[1]


def carried(x, n):
    p = (x[0], x[1])
    for _ in range(n):
        p = (p[1], p[0] + p[1])
    return p


def shapes(A):
    s = A.shape
    t = s[::-1] + (2,)
    B = np.ones(s)
    C = np.zeros(t)
    n, m = s
    return np.sum(B) + C.size + n * m + len(s)


def index_in_a_name(A, k):
    at = (k, 1)
    return A[at] + A[(0, k)]


def from_a_call(A):
    sign, logarithm = np.linalg.slogdet(A @ A.T + np.eye(3))
    return sign * logarithm


def optional(x):
    p = (x, None)
    return p[0] * 2 if p[1] is None else p[1]


def repeated(x):
    p = (x[0],) * 3
    q = p + (1.0,)
    return sum(q) * (2.0 in (x[0], x[1])) + (p == p)


PROGRAMS = [
    (pair, (VECTOR,)), (nested, (VECTOR,)), (chosen, (VECTOR, 1)), (joined, (VECTOR, 1)), (joined, (VECTOR, -1)),
    (carried, (VECTOR, 4)), (shapes, (MATRIX,)), (index_in_a_name, (MATRIX, 2)), (from_a_call, (MATRIX,)),
    (optional, (VECTOR,)), (repeated, (VECTOR,)),
]  # fmt: skip


@pytest.mark.parametrize("fn, args", PROGRAMS, ids=[fn.__name__ for fn, _ in PROGRAMS])
def test_values_stay_and_tuples_go(fn, args):
    function = prepared(fn, *args)
    np.testing.assert_allclose(np.array(follow(function, *args)), np.array(fn(*args)))
    assert not named_tuples(function)


def test_shapes_stand_only_where_they_may():
    function = prepared(shapes, MATRIX)
    for stmt in walk.statements(function.body):
        for expr in walk.stmt_exprs(stmt):
            for outer in walk.subexprs(expr):
                if isinstance(outer, Call) and any(isinstance(a, Attr) and a.name == "shape" for a in outer.args):
                    assert outer.fn in (operator.getitem, np.ones)


def test_names_of_elements_collide_with_nobody():
    def f(p_0, x):
        p = (x, p_0)
        return p[0] * 2 + p_0

    targets = [s.target for s in prepared(f, 1.0, 2.0).body if isinstance(s, Let)]
    assert targets == ["p_0.1", "p_1"]


def test_tuple_parameters_are_taken_apart():
    p = Var("p")
    body = (Return(Call(operator.mul, (Call(operator.getitem, (p, Const(0))), Call(operator.getitem, (p, Const(1)))))),)
    function = untuple(infer(Function("f", (Param("p"),), body), (TupleType((FLOAT, INT)),)))
    assert [p.name for p in function.params] == ["p_0", "p_1"]
    assert [param.name for param, _ in function.arguments] == ["p"]
    assert follow(function, 1.5, 2) == 3.0


def test_functions_without_tuples_are_returned_as_they_are():
    function = infer(Function("f", (Param("x"),), (Return(Var("x")),)), (FLOAT,))
    assert untuple(function) is function
