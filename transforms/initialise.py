"""Where cotangents begin: at zero, or better at the first thing that is added to them.

Also where the cotangent of a view is bound: before it is first used.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from srcad.analysis.buffers import view_of
from srcad.lang import walk
from srcad.lang.ir import Accum, Call, Const, Expr, Let, Move, Stmt, Store, Var
from srcad.lang.types import Array, Scalar, Type, is_array

if TYPE_CHECKING:
    from srcad.transforms.adjoint import Context


def initialise(ctx: Context, reverse: list[Stmt], names: list[str], views: list[Let]) -> list[Stmt]:
    """`reverse` with each cotangent in `names` set to its first contribution or to zero, and the `views` bound."""
    result = list(reverse)
    for view in reversed(views):
        _before_first_use(result, view.target, view)
    owned = {ctx.bar(name).name for name in names}
    for name in names:
        bar = ctx.bar(name)
        position = _first_use(result, bar.name, 0)
        if position is not None:
            origin = result[position].origin
            result.insert(position, Let(bar.name, zero(name, ctx.types[name]), origin))
    position = 0
    while position < len(result):
        stmt = result[position]
        if isinstance(stmt, Let) and is_zero(stmt.value):
            _merge(result, position, owned)
        position += 1
    return result


def zero(name: str, kind: Type) -> Expr:
    """The zero cotangent of a name."""
    if isinstance(kind, Array):
        return Call(np.zeros_like, (Var(name, kind),), (), kind)
    assert isinstance(kind, Scalar)
    return Const(0j if kind.dtype.startswith("complex") else 0.0, replace(kind, weak=False))


def is_zero(value: Expr) -> bool:
    """Whether an expression is a zero cotangent."""
    if isinstance(value, Call):
        return value.fn is np.zeros_like
    return isinstance(value, Const) and type(value.value) in (float, complex) and value.value == 0


def mentions(stmt: Stmt, name: str) -> bool:
    """Whether a statement, or one inside it, reads or assigns a name."""
    return any(
        name in walk.targets(inner) or any(name in walk.names(e) for e in walk.stmt_exprs(inner))
        for inner in walk.statements((stmt,))
    )


def _first_use(stmts: list[Stmt], name: str, start: int) -> int | None:
    return next((i for i in range(start, len(stmts)) if mentions(stmts[i], name)), None)


def _before_first_use(stmts: list[Stmt], name: str, binding: Stmt) -> None:
    position = _first_use(stmts, name, 0)
    if position is not None:
        stmts.insert(position, binding)


def _merge(stmts: list[Stmt], position: int, owned: set[str]) -> None:
    """``b = 0; ...; b += e`` becomes ``...; b = e``."""
    start = stmts[position]
    assert isinstance(start, Let)
    name = start.target
    use = _first_use(stmts, name, position + 1)
    if use is None:
        return
    stmt = stmts[use]
    if not (isinstance(stmt, Accum) and isinstance(stmt.target, Var)) or name in walk.names(stmt.value):
        return
    value = _initial_value(stmt.target, stmt.value, stmts[use + 1 :], owned)
    if value is not None:
        stmts[use] = Let(name, value, stmt.origin)
        del stmts[position]


def _initial_value(target: Var, value: Expr, rest: list[Stmt], owned: set[str]) -> Expr | None:
    """What may be assigned where `value` is added to zero; None where the sum must stay."""
    if not isinstance(target.type, Array):
        return value if not is_array(getattr(value, "type", None)) else None
    kind = getattr(value, "type", None)
    exact = isinstance(kind, Array) and kind.shape == target.type.shape and kind.dtype == target.type.dtype
    if not exact or kind.dtype not in ("float64", "complex128"):
        return None
    if owns_memory(value):
        return value
    if isinstance(value, Var):
        if _spent(value.name, rest, value.name in owned):
            return value
        if target.name in owned and _only_read(target.name, rest) and _only_read(value.name, rest):
            return value
    return Call(np.copy, (value,), (), target.type)


def owns_memory(value: Expr) -> bool:
    """Whether evaluating `value` makes a new array that nothing else refers to."""
    from srcad.runtime import sum_to

    if not isinstance(value, Call):
        return False
    if value.fn is sum_to:
        return owns_memory(value.args[0])
    return view_of(value) is None and value.fn is not operator.getitem


def _spent(name: str, rest: list[Stmt], local: bool) -> bool:
    """Whether a cotangent is not used again before it is assigned anew: its memory can be handed on."""
    position = _first_use(rest, name, 0)
    if position is None:
        return local
    stmt = rest[position]
    return isinstance(stmt, Let) and stmt.target == name and name not in walk.names(stmt.value)


def _only_read(name: str, rest: list[Stmt]) -> bool:
    """Whether a name is only read from, and never handed on under another name."""
    for stmt in walk.statements(tuple(rest)):
        match stmt:
            case Let(target, value):
                base = value if isinstance(value, Var) else view_of(value)
                if target == name or (isinstance(base, Var) and base.name == name):
                    return False
            case Move(targets, values):
                if name in targets or any(name in walk.names(v) for v in values):
                    return False
            case Store(base) if name in walk.names(base):
                return False
            case Accum(target, value):
                if name in walk.names(target) or (isinstance(value, Var) and value.name == name and is_array(value.type)):
                    return False
    return True
