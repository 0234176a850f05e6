"""states: text that a program changes on its way, such as the state of a machine, as whole numbers; part of
`surface`.

What is known of text is decided before; what is left are names that hold one text or another, depending on the path,
and comparisons with them. Each text gets a number.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from srcad.analysis.spelling import COPYING
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Effect, Expr, Function, Let, Slice, Stmt, Store, Tuple, Var, raise_, select,
)  # fmt: skip
from srcad.lang.lists import list_buffer, list_pop, one_of, traded
from srcad.lang.types import TupleType
from srcad.transforms.kept import root

_COMPARED = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
_SAYING, _FORMATTING = (raise_, print), (str, str.format)


def states(fn: Function) -> Function:
    """A surface function with numbers for the text that names and lists hold, which is compared and copied at most.

    >>> a, b = Let("s", Const("on")), Let("s", Const("off"))
    >>> test = Let("t", Call(operator.eq, (Var("s"), Const("off"))))
    >>> [stmt.value for stmt in states(Function("f", (), (a, b, test))).body][:2]
    [Const(value=1, ...), Const(value=0, ...)]
    """
    names = _texts(fn)
    if not names:
        return fn
    codes: dict[str, int] = {}
    _numbered(fn, names, codes)
    return _numbered(fn, names, {text: k for k, text in enumerate(sorted(codes))})  # in their order, to compare them


def _numbered(fn: Function, names: set[str], codes: dict[str, int]) -> Function:
    """A function with the numbers of texts; those that have none get one."""

    def code(expr: Expr) -> Expr:
        match expr:
            case Const(value=str() as text):
                return Const(codes.setdefault(text, len(codes)))
            case Const(value=tuple() | list() as texts):
                return Tuple(tuple(code(Const(text)) for text in texts))
            case Tuple(items):
                return replace(expr, items=tuple(map(code, items)))
            case Call(fn, (test, then, orelse)) if fn is select:
                return Call(select, (walk.map_expr(node, test), code(then), code(orelse)))
            case Call(operator.add, (one, other)):
                return replace(expr, args=(code(one), code(other)))
            case Call(fn, (first, *others)) if fn in COPYING or fn in (operator.mul, operator.getitem, one_of):
                return replace(expr, args=(code(first), *(walk.map_expr(node, other) for other in others)))
        return walk.map_expr(node, expr)

    def node(expr: Expr) -> Expr:
        return replace(expr, args=tuple(map(code, expr.args))) if _compares(expr, names) else expr  # type: ignore

    def said(expr: Expr) -> Expr:
        """The text that a message has in the place of its number."""
        if isinstance(expr, Call) and expr.fn in _FORMATTING:
            return replace(expr, args=tuple(map(said, expr.args)))
        if not is_state(expr, names) or is_text(expr):
            return walk.map_expr(node, expr)
        chosen: Expr = Const("")
        for text, number in codes.items():
            is_it = Call(operator.eq, (expr, Const(number)))
            chosen = Call(select, (is_it, Const(text), chosen)) if number else Const(text)
        return chosen

    def statement(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Let) and stmt.target in names:
            return replace(stmt, value=code(stmt.value))
        if isinstance(stmt, Effect) and stmt.call.fn in _SAYING:
            return replace(stmt, call=replace(stmt.call, args=tuple(map(said, stmt.call.args))))
        if isinstance(stmt, Store) and root(stmt.base) in names:
            return replace(stmt, index=walk.map_expr(node, stmt.index), value=code(stmt.value))
        return walk.map_stmt(lambda expr: walk.map_expr(node, expr), stmt, block)

    def block(body: Block) -> Block:
        return tuple(map(statement, body))

    return replace(fn, body=block(fn.body))


def _texts(fn: Function) -> set[str]:
    """The names that hold more than one text, or lists of texts, which are only compared with text and copied."""
    values: dict[str, list[Expr]] = {}
    put: dict[str, list[Expr]] = {}
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Let):
            values.setdefault(stmt.target, []).append(stmt.value)
        elif isinstance(stmt, Store) and (name := root(stmt.base)) is not None:
            put.setdefault(name, []).append(stmt.value)
    names: set[str] = set()
    while more := _found(values, put, names) - names:
        names |= more
    names -= {param.name for param in fn.params}
    while True:
        held = {name: [*(each for each in values.get(name, ()) if not _is_empty(each)), *put.get(name, ())]
                for name in names}  # fmt: skip
        wrong = {name for name in names if not all(is_state(value, names) for value in held[name])}
        wrong |= _used(fn.body, names)
        if not wrong:
            break
        names -= wrong
    several = any(len(set(held[name])) > 1 or name in put or any(map(_is_one_of, held[name])) for name in names)
    return names if several else set()


def _found(values: dict[str, list[Expr]], put: dict[str, list[Expr]], names: set[str]) -> set[str]:
    """The names of texts and of lists of texts, as far as others are known."""
    given = [(name, held) for some in (values, put) for name, held in some.items()]
    found = {name for name, held in given if any(is_state(each, names) for each in held)}
    rows = [root(each) for name in names for each in values.get(name, ()) if not isinstance(each, Var)]
    return found | {row for row in rows if row is not None}


def _is_empty(value: Expr) -> bool:
    """Whether a name gets a list without elements, or room for one."""
    return value == Tuple(()) or isinstance(value, Tuple) and not value.items or (
        isinstance(value, Call) and value.fn is list_buffer)  # fmt: skip


def _is_one_of(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn is one_of


def is_text(expr: Any) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, str)


def is_state(expr: Expr, names: set[str]) -> bool:
    """Whether an expression is one text or another, or a list of such."""
    match expr:
        case Var(name):
            return name in names
        case Call(fn, (_, then, orelse)) if fn is select:
            return is_state(then, names) and is_state(orelse, names)
        case Call(fn, (base, _)) if fn in (operator.getitem, list_pop, one_of, traded):
            return not isinstance(base, Const) and is_state(base, names)
        case Call(operator.mul, (Tuple() as whole, _)):
            return is_state(whole, names)
        case Call(operator.add, (one, other)) if isinstance(one, Tuple) or isinstance(other, Tuple):
            return is_state(one, names) and is_state(other, names)
        case Call(fn, (whole, *_)) if fn in COPYING:
            return not isinstance(whole, Const) and is_state(whole, names)
        case Tuple(items):
            return bool(items) and all(is_state(item, names) for item in items)
    return is_text(expr)


def _used(body: Block, names: set[str]) -> set[str]:
    """The names with which something else is done."""
    uses = _Uses(names)
    for stmt in walk.statements(body):
        uses.statement(stmt)
    return uses.found & names


class _Uses:
    """Finds the names of which something else is asked than what texts and lists of them are asked here."""

    def __init__(self, names: set[str]):
        self.names = names
        self.found: set[str] = set()

    def statement(self, stmt: Stmt) -> None:
        match stmt:
            case Let(target, value) if target in self.names:
                self.given(value)
            case Effect(Call(fn) as call) if fn in _SAYING:
                for part in _said(call):
                    self.given(part)
            case Store(base, index, value) if root(base) in self.names:
                self.given(value)
                self.given(base)
                self.look(index)
            case _:
                for expr in walk.stmt_exprs(stmt):
                    self.look(expr)

    def look(self, expr: Expr) -> None:
        match expr:
            case Var(name):
                self.found.add(name)
            case Call(_, args) if _compares(expr, self.names):
                for part in args:
                    self.given(part)
            case Call(fn, (whole,)) if fn is len:
                self.given(whole)
            case Call(_, args, kwargs):
                for part in (*args, *(value for _, value in kwargs)):
                    self.look(part)
            case Attr(value):
                self.look(value)
            case Tuple(items):
                for item in items:
                    self.look(item)
            case Slice(lower, upper, step):
                for bound in (lower, upper, step):
                    self.look(bound) if bound is not None else None

    def given(self, expr: Expr) -> None:
        """What is one text or another, or a list of such, for all that is not."""
        match expr:
            case Call(fn, (test, then, orelse)) if fn is select:
                self.look(test)
                self.given(then)
                self.given(orelse)
            case Tuple(items):
                for item in items:
                    self.given(item)
            case Call(operator.add, (one, other)) if is_state(expr, self.names):
                self.given(one)
                self.given(other)
            case Call(_, (base, *others)) if is_state(expr, self.names):
                self.given(base)
                for other in others:
                    self.look(other)
            case Var() if is_state(expr, self.names):
                pass
            case _:
                self.look(expr)


def _said(call: Call) -> Iterator[Expr]:
    """What a message is made of."""
    for arg in call.args:
        if isinstance(arg, Call) and arg.fn in _FORMATTING:
            yield from _said(arg)
        else:
            yield arg


def _compares(expr: Expr, names: set[str]) -> bool:
    """Whether an expression compares one of the names with text, or with another of them."""
    match expr:
        case Call(fn, (left, right)) if fn in _COMPARED:
            return is_state(left, names) and is_state(right, names)
        case Call(operator.contains, (within, item)) if is_state(item, names) and not is_text(item):
            if not isinstance(within, (Tuple, Const)):
                return is_state(within, names)
            parts = within.items if isinstance(within, Tuple) else within.value
            if not isinstance(parts, (tuple, list)) or isinstance(within.type, TupleType) and within.type.form.keys:
                return False
            return all(isinstance(part, str) or is_text(part) for part in parts)
    return False
