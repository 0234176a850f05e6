"""messages: texts, which machine code cannot make of numbers; part of `lower`.

An exception gets the text with its gaps, and the numbers as further arguments; ``print`` gets both by turns.
"""

from __future__ import annotations

import operator
import re
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Effect, Expr, If, Let, Stmt, Tuple, assert_, raise_, select
from srcad.lang.types import BOOL, NONE, Array, Scalar
from srcad.typing.table import TEXT, constant

_GAP = re.compile(r"\{\{|\}\}|\{[^{}]*\}|%[-+ #0-9.]*[a-zA-Z]")
Texts = dict[str, Expr]


def messages(block: Block, texts: Texts | None = None) -> Block:
    """A block in which nothing formats text; names of texts are replaced by what they stand for."""
    texts = {} if texts is None else texts
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Let) and getattr(stmt.value, "type", None) == TEXT:
            texts[stmt.target] = walk.substitute(stmt.value, texts)
            continue
        stmt = walk.map_stmt(lambda e: walk.substitute(e, texts), stmt, lambda inner: messages(inner, texts))
        out.append(_effect(stmt) if isinstance(stmt, Effect) else stmt)
    return tuple(out)


def _effect(stmt: Effect) -> Stmt:
    fn, args = stmt.call.fn, stmt.call.args
    if fn is print:
        parts = tuple(part for arg in args for part in _parts(arg) if not walk.is_const(part, ""))
        return replace(stmt, call=replace(stmt.call, args=parts, kwargs=()))
    if fn is raise_:
        return replace(stmt, call=replace(stmt.call, args=(args[0], *_message(args[1:]))))
    if fn is assert_ and len(args) > 1 and not isinstance(args[1], Const):
        failure = Call(raise_, (constant(AssertionError), *_message(args[1:])), (), NONE)
        return If(Call(operator.not_, (args[0],), (), BOOL), (Effect(failure, stmt.origin),), (), stmt.origin)
    return stmt


def _message(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of an exception: a text, and the numbers that belong into its gaps."""
    if not any(getattr(arg, "type", None) == TEXT for arg in args):
        return args
    parts = [part for arg in args for part in _parts(arg)]
    text = "".join(part.value if isinstance(part, Const) and _is_text(part) else "{}" for part in parts)
    return constant(text), *(part for part in parts if not _is_text(part))


def _is_text(part: Expr) -> bool:
    return isinstance(part, Const) and isinstance(part.value, str)


def _parts(expr: Expr) -> list[Expr]:
    """The texts and the numbers of a formatted text, in their order."""
    match expr:
        case Call(operator.mod, (Const(value=str() as pattern), values)):
            return _filled(pattern, values.items if isinstance(values, Tuple) else (values,))
        case Call(fn, (Const(value=str() as pattern), *values)) if fn is str.format:
            return _filled(pattern, tuple(values))
        case Call(operator.add, (left, right)) if expr.type == TEXT:
            return _parts(left) + _parts(right)
        case Call(fn, (value,)) if fn is str or fn is repr:
            return _parts(value)
        case Call(fn) if fn is select:
            return [expr]
    if _is_text(expr) or isinstance(getattr(expr, "type", None), (Scalar, Array)):
        return [expr]
    return [constant(str(expr.value))] if isinstance(expr, Const) else [constant("...")]


def _filled(pattern: str, values: tuple[Expr, ...]) -> list[Expr]:
    """A pattern by its gaps."""
    parts: list[Expr] = []
    position, left = 0, list(values)
    text = ""
    for gap in _GAP.finditer(pattern):
        text += pattern[position:gap.start()]
        position = gap.end()
        if gap[0] in ("{{", "}}"):
            text += gap[0][0]
        elif left:
            parts += [constant(text), *_parts(left.pop(0))]
            text = ""
    return [*parts, constant(text + pattern[position:])]
