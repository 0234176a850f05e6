"""Which part of a line an expression of the IR was: where the caret of an error goes."""

from __future__ import annotations

import ast
import functools
import linecache
import operator
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Expr, Method, and_, hint, or_, select
from srcad.lang.nodes import nodes
from srcad.lang.origin import Origin

_OPERATORS: dict[Any, type] = {
    operator.add: ast.Add, operator.sub: ast.Sub, operator.mul: ast.Mult, operator.truediv: ast.Div,
    operator.floordiv: ast.FloorDiv, operator.mod: ast.Mod, operator.pow: ast.Pow, operator.matmul: ast.MatMult,
    operator.lshift: ast.LShift, operator.rshift: ast.RShift, operator.and_: ast.BitAnd, operator.or_: ast.BitOr,
    operator.xor: ast.BitXor, operator.neg: ast.USub, operator.pos: ast.UAdd, operator.invert: ast.Invert,
    operator.not_: ast.Not, operator.lt: ast.Lt, operator.le: ast.LtE, operator.gt: ast.Gt, operator.ge: ast.GtE,
    operator.eq: ast.Eq, operator.ne: ast.NotEq, operator.is_: ast.Is, operator.is_not: ast.IsNot,
    operator.contains: ast.In, and_: ast.And, or_: ast.Or,
}  # fmt: skip

_OWN = {"result": "the result", **dict.fromkeys(("t", "value", "values", "items", "item"), "a value")}
"""Names that the compiler gives to what has none in the user's function."""


def pinpoint(origin: Origin, expr: Expr | None) -> Origin:
    """The place of the part of a statement that an expression was; that of the statement where this cannot be told."""
    if expr is None or not origin.line:
        return origin
    lines = linecache.getlines(origin.filename)
    statement = _node_at("".join(lines), origin.line, len(_line(lines, origin.line)[: origin.column].encode()))
    found = [node for node in _parts(statement) if _means(node, expr)] if statement is not None else []
    if not found:
        return origin
    wanted = {hint(name) for name in walk.names(expr)}
    node = max(found, key=lambda node: -len(wanted ^ _names(node)))
    text = _line(lines, node.lineno)
    column = len(text.encode()[: node.col_offset].decode(errors="replace"))
    return replace(origin, line=node.lineno, column=column, text=text)


def spoken(name: str, origin: Origin) -> str:
    """What a message about a place calls a name: what the user's function calls it, or else what it stands for.

    >>> spoken("result.1", Origin("no_such_file.py", 3))
    'the result'
    """
    word = hint(name)
    if word not in _OWN:
        return word
    text = "".join(linecache.getlines(origin.filename))
    return word if any(word in _words(node) for node in _around(text, origin.line)) else _OWN[word]


def _around(text: str, line: int) -> list[Any]:
    """The functions that a line is in."""
    found = _starts(text).values()
    kinds = (ast.FunctionDef, ast.Lambda)
    return [node for node in found if isinstance(node, kinds) and node.lineno <= line <= (node.end_lineno or 0)]


def _words(node: ast.AST) -> set[str]:
    return _names(node) | {part.arg for part in nodes(node) if isinstance(part, ast.arg)}


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1].rstrip("\n") if number <= len(lines) else ""


def _node_at(text: str, line: int, column: int) -> ast.AST | None:
    """The outermost statement or lambda that starts at a place."""
    return _starts(text).get((line, column))


@functools.lru_cache(maxsize=4)
def _starts(text: str) -> dict[tuple[int, int], Any]:
    found: dict[tuple[int, int], Any] = {}
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return found
    for node in nodes(tree):  # from the outside in
        if isinstance(node, (ast.stmt, ast.Lambda)) or isinstance(node, ast.expr):
            found.setdefault((node.lineno, node.col_offset), node)
    return found


def _parts(node: ast.AST) -> Iterator[Any]:
    """The expressions of a statement, without those of the statements inside it; the innermost first."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):
            yield from _parts(child)
    yield node


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in nodes(node) if isinstance(part, ast.Name)}


def _means(node: ast.AST, expr: Expr) -> bool:
    """Whether a node of Python's tree may have become an expression."""
    if isinstance(expr, Attr):
        return isinstance(node, ast.Attribute) and node.attr == expr.name
    if not isinstance(expr, Call):
        return False
    fn = expr.fn
    if fn is operator.getitem:
        return isinstance(node, ast.Subscript)
    if fn is select:
        return isinstance(node, ast.IfExp)
    if isinstance(node, ast.Call):
        name = fn.name if isinstance(fn, Method) else getattr(fn, "__name__", "")
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return called == name
    symbols = node.ops if isinstance(node, ast.Compare) else [getattr(node, "op", None)]
    kind = _OPERATORS.get(fn) if getattr(fn, "__hash__", None) is not None else None
    return kind is not None and any(isinstance(symbol, kind) for symbol in symbols)
