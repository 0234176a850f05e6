"""into: gradients that are made where they belong. After `destination`, only where arrays of the caller's are passed.

Up to here a gradient is an array of its own that is copied into the caller's at the end. Where that is made once, it is
the caller's from the start.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.classes import parts_of
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Store, Var, While
from srcad.lang.types import FLOAT, NONE, Array
from srcad.options import Options
from srcad.transforms.initialise import is_zero

_WHOLE = Const(..., NONE)


def into(fn: Function, options: Options) -> Function:
    """Let gradients be made in the arrays that are passed for them.

    >>> from srcad.lang.ir import Accum, Param, Return
    >>> from srcad.lang.write import write
    >>> x, bar, out = (Var(name, Array("float64", ("n",))) for name in ("x", "bar", "x_bar"))
    >>> made = Let("bar", Call(np.zeros_like, (x,), (), x.type))
    >>> body = (made, Accum(bar, x), Store(out, _WHOLE, bar), Return(out))
    >>> params = (Param("x", x.type), Param("x_bar", x.type))
    >>> print(write(into(Function("f", params, body), Options(out=x.type))).text, end="")
    def f(x, x_bar):
        x_bar[...] = 0.0
        x_bar += x
        return x_bar
    """
    if options.out is None:
        return fn
    for stmt in fn.body:
        match stmt:
            case Store(Var(out), Const(value=value), gradient) if value is ... and out in _passed(fn):
                bar = gradient.args[0] if isinstance(gradient, Call) and gradient.fn is np.conj else gradient
                if isinstance(bar, Var) and bar.name not in _passed(fn) and _made_once(fn.body, bar.name):
                    fn = replace(fn, body=_in_place(fn.body, bar.name, out))
    return fn


def _passed(fn: Function) -> set[str]:
    """The names of the caller's arrays."""
    found = {fn.params[-1].name}
    for stmt in fn.body:
        match stmt:
            case Let(target, Call(operator.getitem, (whole, Const())) as value) if not isinstance(value.type, Array):
                if walk.names(whole) <= found:
                    found.add(target)
            case Let(target, Call(operator.getitem, (whole, Const()), type=Array())):
                if target.endswith("~out") and walk.names(whole) <= found:
                    found.add(target)
    return found


def _made_once(block: Block, name: str) -> bool:
    """Whether a name is given its array once, on each way to the end, and outside of loops."""
    every = list(walk.statements(block))
    moved = any(isinstance(s, Move) and name in s.targets for s in every)
    # what is another name for an array may get its contents later, under that one
    named = any(isinstance(s, Let) and s.target == name and parts_of(s.value) for s in every)
    return not moved and not named and _count(block, name) == 1


def _count(block: Block, name: str) -> int:
    """How many times a name is given an array, 2 standing for more."""
    total = 0
    for stmt in block:
        match stmt:
            case Let(target) if target == name:
                total += 1
            case If(_, then, orelse):
                total += max(_count(then, name), _count(orelse, name))
            case For(body=body) | While(body=body):
                total += 2 * _count(body, name)
    return min(total, 2)


def _in_place(block: Block, bar: str, out: str) -> Block:
    """The statements with one array in the place of another."""

    def renamed(expr: Expr) -> Expr:
        return walk.map_expr(lambda e: replace(e, name=out) if isinstance(e, Var) and e.name == bar else e, expr)

    def changed(block: Block) -> Block:
        return tuple(new for stmt in block for new in statement(stmt))

    def statement(stmt: Stmt) -> list[Stmt]:
        if isinstance(stmt, Let) and stmt.target == bar:
            return _filled(Var(out, getattr(stmt.value, "type", NONE)), stmt)
        match stmt:
            case Store(Var(name=base), value=Var(name=value)) if (base, value) == (out, bar):
                return []
        return [walk.map_stmt(renamed, stmt, changed)]

    return changed(block)


def _filled(out: Var, stmt: Let) -> list[Stmt]:
    """The statements that give the caller's array its first contents."""
    value = stmt.value
    if isinstance(value, Call) and value.fn in (np.empty, np.empty_like):
        return []
    if is_zero(value):
        value = Const(0.0, FLOAT)
    elif isinstance(value, Call) and value.fn is np.full_like:
        value = value.args[1]
    elif isinstance(value, Call) and value.fn is np.copy:
        value = value.args[0]
    return [Store(out, _WHOLE, value, stmt.origin)]
