"""Layouts that machine code finds where a cotangent was assigned what is in another order; part of `lower`.

A cotangent has the type of its primal value. Where one of a transposed matrix is assigned a product, the order of its
elements in memory is that of the product, though, and what is reshaped must be in the order of its indices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Function, Let, Move, Var
from srcad.lang.types import Array
from srcad.transforms.infer import typed
from srcad.typing.table import Refusal

_RESHAPES = (np.reshape, np.ravel)


def with_true_layouts(fn: Function) -> Function:
    """A function in which what is reshaped has a type that tells how it lies in memory."""
    exprs = (e for stmt in walk.statements(fn.body) for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr))
    if not any(isinstance(e, Call) and _reshapes(e) for e in exprs):
        return fn
    found: dict[str, str] = {}
    for _ in range(2):  # an assignment behind another one, in a loop
        for target, value in _assignments(fn.body):
            if _is_matrix(value):
                layout = _true(value, found).type.layout  # type: ignore[union-attr]
                found[target] = layout if found.get(target, layout) == layout else "A"

    def seen(expr: Expr) -> Expr:
        if isinstance(expr, Call) and _reshapes(expr):
            return replace(expr, args=(_true(expr.args[0], found), *expr.args[1:]))
        return expr

    return replace(fn, body=walk.map_block(seen, fn.body))


def _assignments(block: Block) -> Iterator[tuple[str, Expr]]:
    for stmt in walk.statements(block):
        if isinstance(stmt, Let):
            yield stmt.target, stmt.value
        elif isinstance(stmt, Move):
            yield from zip(stmt.targets, stmt.values)


def _true(expr: Expr, found: dict[str, str]) -> Expr:
    """An expression typed anew, with the layouts that were found."""
    def laid(e: Expr) -> Expr:
        if isinstance(e, Var) and isinstance(e.type, Array) and e.name in found:
            return replace(e, type=replace(e.type, layout=found[e.name]))
        return e

    new = walk.map_expr(laid, expr)
    try:
        return new if isinstance(new, Var) else typed(new)
    except Refusal:  # a call that only the compiler makes
        return expr


def _reshapes(call: Call) -> bool:
    return any(call.fn is fn for fn in _RESHAPES) and _is_matrix(call.args[0])


def _is_matrix(expr: Expr) -> bool:
    kind = getattr(expr, "type", None)
    return isinstance(kind, Array) and kind.ndim > 1
