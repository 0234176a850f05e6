"""rename: put printed names in, and drop the copies that have become idle; part of `name`."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang.ir import Block, Call, Expr, For, Function, If, Let, Move, Stmt, Var
from srcad.lang.types import BOOL
from srcad.lang.walk import map_expr, map_stmt, names

Names = dict[str, str]


def renamed(fn: Function, new: Names) -> Function:
    """A function with its names replaced.

    >>> from srcad.lang.ir import Return
    >>> renamed(Function("f", (), (Let("a.1", Var("a")), Return(Var("a.1")))), {"a": "a", "a.1": "a"}).body
    (Return(value=Var(name='a', ...
    """
    return replace(fn, body=_block(fn.body, new))


def _expr(expr: Expr, new: Names) -> Expr:
    return map_expr(lambda e: Var(new[e.name], e.type) if isinstance(e, Var) and new[e.name] != e.name else e, expr)


def _block(block: Block, new: Names) -> Block:
    return tuple(s for stmt in block for s in _statement(stmt, new))


def _statement(stmt: Stmt, new: Names) -> list[Stmt]:
    stmt = map_stmt(lambda e: _expr(e, new), stmt, lambda block: _block(block, new))
    match stmt:
        case Let(target, value):
            return _moves(((new[target], value),), stmt)
        case Move(targets, values):
            return _moves(tuple(zip((new[t] for t in targets), values)), stmt)
        case For(index, flag=flag):
            return [replace(stmt, index=new[index], flag=None if flag is None else new[flag])]
        case If(_, (), ()):
            return []
        case If(test, (), orelse):
            return [replace(stmt, test=Call(operator.not_, (test,), (), BOOL), then=orelse, orelse=())]
    return [stmt]


def _moves(pairs: tuple[tuple[str, Expr], ...], stmt: Stmt) -> list[Stmt]:
    """Parallel assignments one after the other, as far as none overwrites what a later one reads."""
    left = [(t, v) for t, v in pairs if not (isinstance(v, Var) and v.name == t)]
    result: list[Stmt] = []
    while left:
        free = next((p for p in left if not any(p[0] in names(v) for q, v in left if q != p[0])), None)
        if free is None:
            return [*result, Move(tuple(t for t, _ in left), tuple(v for _, v in left), stmt.origin)]
        left.remove(free)
        result.append(Let(*free, stmt.origin))
    return result
