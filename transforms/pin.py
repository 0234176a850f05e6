"""pin: values with respect to which a function itself takes gradients stay values of their own; part of `infer`.

``a = 0.0; b = 2 * a`` would become two constants, and nothing would depend on `a` any more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Function, If, Let, Move, Stmt, Tuple, Var, While
from srcad.runtime.marks import TAPED, pin


def expands(fn: Any) -> bool:
    """Whether a primitive stands for a derivative that is taken where it is called, such as ``srcad.gradients``."""
    return bool(getattr(fn, "is_expanded", False))


def pinned(fn: Function) -> Function:
    """Mark the values that calls of ``gradients`` name.

    >>> from srcad.lang.ir import Const, Return
    >>> from srcad.compiled import gradients
    >>> asked = Let("g", Call(gradients, (Var("y"), Var("a"))))
    >>> body = (Let("a", Const(0.0)), Let("y", Var("a")), asked, Return(Var("g")))
    >>> [s.target for s in pinned(Function("f", (), body)).body[:-1]]
    ['a.raw', 'a', 'y.raw', 'y', 'g']
    """
    calls = [s.value for s in walk.statements(fn.body) if isinstance(s, Let) and isinstance(s.value, Call)]
    named = {v for call in calls if expands(call.fn) for arg in (*call.args, *dict(call.kwargs).values())
             for v in _names(arg)}  # fmt: skip
    return replace(fn, body=_block(fn.body, named)) if named else fn


def unpinned(fn: Function) -> Function:
    """Take the marks away, once no derivative is asked for any more."""
    def node(expr: Expr) -> Expr:
        return expr.args[0] if isinstance(expr, Call) and expr.fn in (pin, *TAPED) else expr

    return replace(fn, body=walk.map_block(node, fn.body))


def _names(expr: Expr) -> set[str]:
    if isinstance(expr, Tuple):
        return {name for item in expr.items for name in _names(item)}
    return {expr.name} if isinstance(expr, Var) else set()


def _block(block: Block, names: set[str]) -> Block:
    return tuple(new for stmt in block for new in _statement(stmt, names))


def _statement(stmt: Stmt, names: set[str]) -> list[Stmt]:
    match stmt:
        case Let(target, value) if target in names and not (isinstance(value, Call) and expands(value.fn)):
            raw = f"{target}.raw"
            return [replace(stmt, target=raw), replace(stmt, value=Call(pin, (Var(raw),)))]
        case Move(targets, values):
            values = tuple(Call(pin, (v,)) if t in names else v for t, v in zip(targets, values))
            return [replace(stmt, values=values)]
        case If(_, then, orelse):
            return [replace(stmt, then=_block(then, names), orelse=_block(orelse, names))]
        case For(body=body) | While(body=body):
            return [replace(stmt, body=_block(body, names))]
    return [stmt]
