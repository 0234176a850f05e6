"""sayings: texts that depend on the path taken, where they are printed or stand in messages; part of `surface`.

``print(status)``, where `status` is "on" on one path and "off" on another, becomes
``print("on" if status == "on" else "off")``, and where the path is known, ``print("on")``. All that is left to do with
such a name is to compare it, which `states` does by numbers.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Effect, Expr, For, Function, If, Let, Stmt, Tuple, Var, While, select
from srcad.transforms.states import is_state, is_text

_MOST = 12  # texts under one name


def sayings(fn: Function) -> Function:
    """A surface function whose messages have texts, or choices between texts, in the place of names.

    >>> branch = If(Var("x"), (Let("s", Const("on")),), (Let("s", Const("off")),))
    >>> said = sayings(Function("f", (), (branch, Effect(Call(print, (Var("s"),)))))).body[1].call.args[0]
    >>> said.fn.__name__, [arg.value for arg in said.args[1:]]
    ('select', ['on', 'off'])
    """
    texts = _held(fn)
    return replace(fn, body=_Sayer(texts).block(fn.body)) if texts else fn


def _held(fn: Function) -> dict[str, list[str]]:
    """The texts of each name that holds nothing but texts, more than one in all."""
    values: dict[str, list[Expr]] = {}
    for stmt in walk.statements(fn.body):
        for target in walk.targets(stmt):
            values.setdefault(target, []).append(stmt.value if isinstance(stmt, Let) else Const(None))
    names = set(values) - {param.name for param in fn.params}
    while wrong := {name for name in names if not all(is_state(value, names) for value in values[name])}:
        names -= wrong
    held: dict[str, list[str]] = {name: [] for name in names}
    more = True
    while more:
        more = False
        for name in names:
            for text in [text for value in values[name] for text in _texts(value, held) if text not in held[name]]:
                held[name].append(text)
                more = True
    return {name: texts for name, texts in held.items() if 1 < len(texts) <= _MOST}


def _texts(value: Expr, held: dict[str, list[str]]) -> list[str]:
    """The texts that a value may be."""
    match value:
        case Const(value=str() as text):
            return [text]
        case Var(name):
            return held[name]
        case Call(_, (_, then, orelse)):
            return [*_texts(then, held), *_texts(orelse, held)]
    return []


class _Sayer:
    """Goes through statements, and knows which name holds which text."""

    def __init__(self, texts: dict[str, list[str]]):
        self.texts = texts
        self.known: dict[str, Const] = {}

    def block(self, body: Block) -> Block:
        return tuple(map(self.statement, body))

    def statement(self, stmt: Stmt) -> Stmt:
        match stmt:
            case If():
                test, before = walk.map_expr(self.node, stmt.test), dict(self.known)
                then, after, self.known = self.block(stmt.then), self.known, before
                # the paths meet
                orelse, after = self.block(stmt.orelse), _both(after, self.known)
                self.known = after
                return replace(stmt, test=test, then=then, orelse=orelse)
            case For() | While():
                self.forget(stmt.body)
                before = dict(self.known)
                stmt = walk.map_stmt(lambda expr: walk.map_expr(self.node, expr), stmt, self.block)
                self.known = before
                return stmt
            case Effect(call):
                said = walk.map_expr(self.node, call)
                assert isinstance(said, Call)
                return replace(stmt, call=replace(said, args=tuple(map(self.said, said.args))))
        changed = walk.map_stmt(lambda expr: walk.map_expr(self.node, expr), stmt, self.block)
        if isinstance(stmt, Let) and stmt.target in self.texts:
            value = self.known.get(stmt.value.name) if isinstance(stmt.value, Var) else stmt.value
            self.known.pop(stmt.target, None)
            if value is not None and is_text(value):
                self.known[stmt.target] = value  # type: ignore[assignment]
        return changed

    def forget(self, body: Block) -> None:
        for name in walk.assigned(body):
            self.known.pop(name, None)

    def node(self, expr: Expr) -> Expr:
        """An expression that makes text of others."""
        match expr:
            case Call(operator.mod, (Const(value=str()) as pattern, Tuple(items) as values)):
                return replace(expr, args=(pattern, replace(values, items=tuple(map(self.said, items)))))
            case Call(operator.mod, (Const(value=str()), _)) | Call(operator.add, _):
                return replace(expr, args=tuple(map(self.said, expr.args)))
            case Call(fn) if fn is str.format or fn is str:
                return replace(expr, args=tuple(map(self.said, expr.args)))
        return expr

    def said(self, expr: Expr) -> Expr:
        """What stands in a message."""
        if not isinstance(expr, Var) or expr.name not in self.texts:
            return expr
        if expr.name in self.known:
            return self.known[expr.name]
        *others, last = self.texts[expr.name]
        chosen: Expr = Const(last)
        for text in reversed(others):
            chosen = Call(select, (Call(operator.eq, (expr, Const(text))), Const(text), chosen))
        return chosen


def _both(one: dict[str, Const], other: dict[str, Const]) -> dict[str, Const]:
    """What is known on both of two paths."""
    return {name: text for name, text in one.items() if other.get(name) == text}
