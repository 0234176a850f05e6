"""specialize: dead branches, and joined names that join nothing."""

from __future__ import annotations

import operator

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Effect, For, Function, If, Let, Move, Param, Return, Var, While, assert_
from srcad.lang.types import BOOL, FLOAT, INT
from srcad.transforms.specialize import specialize
from tests import interpret

X, Y, N, C = Var("x", FLOAT), Var("y", FLOAT), Var("n", INT), Var("c", BOOL)
ZERO, ONE, TWO = Const(0, INT), Const(1, INT), Const(2.0, FLOAT)
PARAMS = (Param("x", FLOAT), Param("y", FLOAT), Param("n", INT), Param("c", BOOL))


def v(name):
    return Var(name, FLOAT)


def times(a, b):
    return Call(operator.mul, (a, b), (), FLOAT)


def run(*body):
    function = Function("f", PARAMS, body)
    result = specialize(function)
    for args in ((2.0, 3.0, 2, True), (2.0, 3.0, 0, False)):
        assert interpret.run(function, *args) == interpret.run(result, *args)
    return result.body


def moves(body):
    return [s for s in walk.statements(body) if isinstance(s, Move)]


def test_known_conditions_leave_one_branch():
    then, orelse = (Let("a", TWO), Move(("z",), (v("a"),))), (Move(("z",), (X,)),)
    assert run(If(Const(True, BOOL), then, orelse), Return(v("z"))) == (Let("a", TWO), Let("z", v("a")), Return(v("z")))
    assert run(If(Const(False, BOOL), then, orelse), Return(v("z"))) == (Let("z", X), Return(v("z")))


def test_empty_statements_go():
    asserted = Effect(Call(assert_, (Const(True, BOOL),)))
    assert run(If(C, (), ()), While(Const(False, BOOL), (Let("a", X),)), asserted, Return(X)) == (Return(X),)


def test_a_name_that_both_branches_give_the_same_value():
    assert run(If(C, (Move(("z",), (X,)),), (Move(("z",), (X,)),)), Return(v("z"))) == (Return(X),)
    constant = run(If(C, (Move(("z",), (TWO,)),), (Move(("z",), (TWO,)),)), Return(v("z")))
    assert constant == (Return(TWO),)


def test_a_name_that_branches_give_different_values_stays():
    body = (If(C, (Move(("z",), (X,)),), (Move(("z",), (Y,)),)), Return(v("z")))
    assert run(*body) == body


def test_a_value_made_in_a_branch_is_not_moved_out_of_it():
    then = (Let("a", times(X, X)), Move(("z",), (v("a"),)))
    body = (Let("b", TWO), If(C, then, (Move(("z",), (v("b"),)),)), Return(v("z")))
    assert run(*body) == body


def loop(*body):
    return For("i", ZERO, N, ONE, body)


def test_what_a_loop_does_not_change():
    body = run(Move(("z", "s"), (X, ONE)), loop(Let("t", times(v("s"), v("z"))), Move(("z", "s"), (v("z"), v("t")))),
               Return(v("s")))  # fmt: skip
    assert [m.targets for m in moves(body)] == [("s",), ("s",)]


def test_chains_through_nested_loops():
    inner = (Move(("z.2",), (v("z.1"),)), loop(Let("t", v("z.2")), Move(("z.2",), (v("z.2"),))))
    body = run(Move(("z.1",), (X,)), loop(*inner, Move(("z.1",), (v("z.2"),))), Return(v("z.1")))
    assert not moves(body) and body[-1] == Return(X)


def test_names_that_exchange_their_values_stay():
    swap = Move(("a", "b"), (v("b"), v("a")))
    body = (Move(("a", "b"), (X, Y)), loop(swap), Return(v("a")))
    assert run(*body) == body


def test_the_flag_of_a_loop_keeps_a_name():
    flag = Var("done", BOOL)
    body = (Move(("done",), (Const(False, BOOL),)),
            For("i", ZERO, N, ONE, (Move(("done",), (Const(False, BOOL),)),), flag="done"), Return(X))  # fmt: skip
    result = run(*body)
    assert any(isinstance(s, Move) and flag.name in s.targets for s in result)
