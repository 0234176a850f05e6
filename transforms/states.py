"""states: text that a program changes on its way, such as the state of a machine, as whole numbers; part of
`surface`.

What is known of text is decided before; what is left are names that hold one text or another, depending on the path,
and comparisons with them. Each text gets a number.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

from srcad.lang import walk
from srcad.lang.ir import Attr, Block, Call, Const, Expr, Function, Let, Slice, Stmt, Tuple, Var, select

_EQUAL = (operator.eq, operator.ne)


def states(fn: Function) -> Function:
    """A surface function with numbers for the text that names hold, where all that is done with it is to compare it.

    >>> a, b = Let("s", Const("on")), Let("s", Const("off"))
    >>> test = Let("t", Call(operator.eq, (Var("s"), Const("off"))))
    >>> [stmt.value for stmt in states(Function("f", (), (a, b, test))).body][:2]
    [Const(value=0, ...), Const(value=1, ...)]
    """
    names = _texts(fn)
    if not names:
        return fn
    codes: dict[str, int] = {}

    def code(expr: Expr) -> Expr:
        match expr:
            case Const(value=str() as text):
                return Const(codes.setdefault(text, len(codes)))
            case Const(value=tuple() | list() as texts):
                return Tuple(tuple(code(Const(text)) for text in texts))
            case Tuple(items):
                return Tuple(tuple(map(code, items)))
            case Call(fn, (test, then, orelse)) if fn is select:
                return Call(select, (walk.map_expr(node, test), code(then), code(orelse)))
        return expr

    def node(expr: Expr) -> Expr:
        return replace(expr, args=tuple(map(code, expr.args))) if _compares(expr, names) else expr  # type: ignore

    def statement(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Let) and stmt.target in names:
            return replace(stmt, value=code(stmt.value))
        return walk.map_stmt(lambda expr: walk.map_expr(node, expr), stmt, block)

    def block(body: Block) -> Block:
        return tuple(map(statement, body))

    return replace(fn, body=block(fn.body))


def _texts(fn: Function) -> set[str]:
    """The names that hold more than one text, one after the other, and are only compared with text and copied."""
    values: dict[str, list[Expr]] = {}
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Let):
            values.setdefault(stmt.target, []).append(stmt.value)
    names: set[str] = set()
    while more := {name for name, held in values.items() if any(is_state(value, names) for value in held)} - names:
        names |= more
    names -= {param.name for param in fn.params}
    while True:
        wrong = {name for name in names if not all(is_state(value, names) for value in values[name])}
        wrong |= _used(fn.body, names)
        if not wrong:
            break
        names -= wrong
    return names if any(len(set(values[name])) > 1 for name in names) else set()


def is_text(expr: Any) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, str)


def is_state(expr: Expr, names: set[str]) -> bool:
    """Whether an expression is one text or another."""
    match expr:
        case Var(name):
            return name in names
        case Call(fn, (_, then, orelse)) if fn is select:
            return is_state(then, names) and is_state(orelse, names)
    return is_text(expr)


def _used(body: Block, names: set[str]) -> set[str]:
    """The names with which something else is done."""
    found: set[str] = set()

    def look(expr: Expr) -> None:
        match expr:
            case Var(name):
                found.add(name)
            case Call(_, args, kwargs) if not _compares(expr, names):
                for part in (*args, *(value for _, value in kwargs)):
                    look(part)
            case Attr(value):
                look(value)
            case Tuple(items):
                for item in items:
                    look(item)
            case Slice(lower, upper, step):
                for bound in (lower, upper, step):
                    look(bound) if bound is not None else None

    def given(expr: Expr) -> None:
        if isinstance(expr, Call) and expr.fn is select:
            look(expr.args[0])
            given(expr.args[1])
            given(expr.args[2])

    for stmt in walk.statements(body):
        if isinstance(stmt, Let) and stmt.target in names:
            given(stmt.value)
            continue
        for expr in walk.stmt_exprs(stmt):
            look(expr)
    return found & names


def _compares(expr: Expr, names: set[str]) -> bool:
    """Whether an expression compares one of the names with text, or with another of them."""
    match expr:
        case Call(fn, (left, right)) if fn in _EQUAL:
            known = [is_text(side) or isinstance(side, Var) and side.name in names for side in (left, right)]
            return all(known)
        case Call(operator.contains, (within, Var(name))) if name in names:
            items = within.items if isinstance(within, Tuple) else ()
            held = within.value if isinstance(within, Const) else ()
            parts = (*items, *held) if isinstance(held, (tuple, list)) else (None,)
            return all(isinstance(part, str) or is_text(part) for part in parts)
    return False
