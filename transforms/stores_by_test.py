"""Stores into arrays without axes by a test, ``y[x > 0] = np.log(x[x > 0])`` where `x` is a number; part of `infer`."""

from __future__ import annotations

import operator

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import axis_length, number
from srcad.lang.expressions import BINARY, UNARY
from srcad.lang.ir import Call, Const, Effect, Expr, If, Stmt, Store, Var, raise_
from srcad.lang.types import BOOL, NONE
from srcad.typing import one
from srcad.typing.table import Refusal, constant, describe, shape_of
from srcad.typing.typer import IN_PLACE, Typer

_WRONG = "NumPy boolean array indexing assignment cannot assign other than one value to an array without axes"


def store(typer: Typer, stmt: Store, array: Var, index: Expr) -> list[Stmt]:
    """An `If`, in which the one element is stored; a number stands there for ``x[test]``, of which it is made."""
    test, before = number(typer.by_name(index)), list[Stmt]()
    value = stmt.value
    match value:
        case Call(fn, (Call(operator.getitem, (old, at)) as place, right), ()) if (
            fn.__hash__ is not None and fn in IN_PLACE and old == stmt.base and at == stmt.index
        ):
            value = Call(IN_PLACE[fn], (place, right))
    value = _value(typer, value, stmt.index)
    rank = len(shape_of(value.type))  # type: ignore[arg-type]
    if rank > 1:
        raise Refusal(f"a store of {describe(value.type)} by a truth value", "a number, in an if")
    if rank:
        value = typer.by_name(value)
        failure = Effect(Call(raise_, (constant(ValueError), constant(_WRONG)), (), NONE), stmt.origin)
        before = [If(Call(operator.ne, (axis_length(value, 0), constant(1)), (), BOOL), (failure,), (), stmt.origin)]
        value = typer.apply(operator.getitem, (value, constant(0)))
    change = Store(array, one.NO_AXES, number(value), stmt.origin)
    return [If(test, (*before, change), (), stmt.origin)]


def _value(typer: Typer, value: Expr, index: Expr) -> Expr:
    """What is stored; of what is computed element by element, with numbers in the place of what the index picks."""

    def of_number(e: Expr) -> Expr:
        picked = isinstance(e, Call) and e.fn is operator.getitem and e.args[1] == index
        return e.args[0] if picked and one.is_one(typer.expr(e.args[0])) else e  # type: ignore[union-attr]

    numbers = walk.map_expr(of_number, value)
    if all(map(_is_elementwise, walk.subexprs(numbers))) and one.is_one(typed := typer.expr(numbers)):
        return typed
    return typer.expr(value)


def _is_elementwise(expr: Expr) -> bool:
    if not isinstance(expr, Call):
        return isinstance(expr, (Var, Const))
    known = isinstance(expr.fn, np.ufunc) or expr.fn.__hash__ is not None and expr.fn in (*BINARY, *UNARY, *IN_PLACE)
    return known and not expr.kwargs
