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
from srcad.runtime import sum_to
from srcad.transforms.context import mentioned

if TYPE_CHECKING:
    from srcad.transforms.context import Context


def initialise(ctx: Context, reverse: list[Stmt], names: list[str], views: list[Let]) -> list[Stmt]:
    """`reverse` with each cotangent in `names` set to its first contribution or to zero, and the `views` bound."""
    bound = _bind(ctx, reverse, names, views)
    begun = {ctx.bar(name).name for name in names}
    uses = _uses(ctx, bound)
    merged: list[Stmt | None] = list(bound)
    for position, stmt in enumerate(bound):
        if isinstance(stmt, Let) and is_zero(stmt.value):
            _merge(merged, position, next((i for i in uses[stmt.target] if i > position), None), begun, ctx)
    return [stmt for stmt in merged if stmt is not None]


def _bind(ctx: Context, reverse: list[Stmt], names: list[str], views: list[Let]) -> list[Stmt]:
    """Insert what must stand before the first use of a cotangent: the view that it is, or its zero."""
    first = {name: positions[0] for name, positions in _uses(ctx, reverse).items()}
    openings: dict[int, list[Stmt]] = {}
    for view in reversed(views):
        position = first.get(view.target)
        if position is not None:
            openings.setdefault(position, []).insert(0, view)
            for name in walk.names(view.value):
                first[name] = min(first.get(name, position), position)
    for name in names:
        bar = ctx.bar(name).name
        if bar in first:
            start = Let(bar, zero(name, ctx.types[name]))
            openings.setdefault(first[bar], []).insert(0, start)
    return [s for position, stmt in enumerate(reverse) for s in (*openings.get(position, ()), stmt)]


def _uses(ctx: Context, stmts: list[Stmt]) -> dict[str, list[int]]:
    """The positions of the statements that read or assign each name, in them or inside them."""
    result: dict[str, list[int]] = {}
    for position, stmt in enumerate(stmts):
        for name in ctx.mentioned(stmt):
            result.setdefault(name, []).append(position)
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


def _merge(
    stmts: list[Stmt | None], position: int, use: int | None, begun: set[str], ctx: Context
) -> None:
    """``b = 0; ...; b += e`` becomes ``...; b = e``."""
    start = stmts[position]
    assert isinstance(start, Let)
    stmt = stmts[use] if use is not None else None
    if not (isinstance(stmt, Accum) and isinstance(stmt.target, Var) and stmt.target.name == start.target):
        return
    if start.target in walk.names(stmt.value):
        return
    assert use is not None
    rest = [s for s in stmts[use + 1 :] if s is not None] if is_array(stmt.target.type) else []
    like = start.value.args[0] if isinstance(start.value, Call) else start.value
    value = _initial_value(stmt.target, stmt.value, like, rest, begun, ctx)
    if value is not None:
        stmts[use] = Let(start.target, value, stmt.origin)
        stmts[position] = None


def _initial_value(
    target: Var, value: Expr, like: Expr, rest: list[Stmt], begun: set[str], ctx: Context
) -> Expr | None:
    """What may be assigned where `value` is added to zero; None where the sum must stay."""
    if not isinstance(target.type, Array):
        return value if not is_array(getattr(value, "type", None)) else None
    kind = getattr(value, "type", None)
    if isinstance(kind, Scalar) and kind.dtype == target.type.dtype == "float64":
        return Call(np.full_like, (like, value), (), target.type)
    exact = isinstance(kind, Array) and kind.shape == target.type.shape and kind.dtype == target.type.dtype
    if not exact or kind.dtype not in ("float64", "complex128"):
        return None
    if owns_memory(value):
        return value
    source = value.args[0] if isinstance(value, Call) and value.fn is sum_to else value
    if isinstance(source, Var):
        ours = begun - ctx.returned
        viewed = _viewed(ctx, source.name) | _viewed(ctx, target.name)
        if not any(ctx.mentioned(s) & viewed for s in rest):
            if _spent(source.name, rest, source.name in ours):
                return value
            if target.name in ours and all(_only_read(n, rest, begun) for n in (target.name, source.name)):
                return value
    return Call(np.copy, (value,), (), target.type)


def _viewed(ctx: Context, name: str) -> set[str]:
    """The cotangents that are views of another one."""
    views = ctx.view_bars()
    found: set[str] = set()
    work = [name]
    while work:
        base = work.pop()
        inner = {view for view, of in views.items() if of == base} - found
        found |= inner
        work.extend(inner)
    return found


def owns_memory(value: Expr) -> bool:
    """Whether evaluating `value` makes a new array that nothing else refers to."""
    if not isinstance(value, Call):
        return False
    if value.fn is sum_to:
        return _loses_axes(value) or owns_memory(value.args[0])
    return view_of(value) is None and value.fn is not operator.getitem


def _passed_on(value: Expr) -> Expr | None:
    """The array that `value` may be, in whole or in part."""
    if isinstance(value, Call) and value.fn is sum_to:
        return None if _loses_axes(value) else value.args[0]
    return view_of(value)


def _loses_axes(value: Call) -> bool:
    """Whether a sum back to a shape surely sums, and so makes a new array."""
    before, after = getattr(value.args[0], "type", None), value.type
    return isinstance(before, Array) and isinstance(after, Array) and before.ndim > after.ndim


def _spent(name: str, rest: list[Stmt], local: bool) -> bool:
    """Whether a cotangent is not used again before it is assigned anew: its memory can be handed on."""
    stmt = next((s for s in rest if name in mentioned(s)), None)
    if stmt is None:
        return local
    return isinstance(stmt, Let) and stmt.target == name and (is_zero(stmt.value) or name not in walk.names(stmt.value))


def _only_read(name: str, rest: list[Stmt], begun: set[str]) -> bool:
    """Whether a name is only read from, and never handed on under another name.

    What is added to a cotangent that begins here, in `begun`, may become that cotangent.
    """
    for stmt in walk.statements(tuple(rest)):
        match stmt:
            case Let(target, value):
                base = value if isinstance(value, Var) else _passed_on(value)
                if target == name or (isinstance(base, Var) and base.name == name):
                    return False
            case Move(targets, values):
                if name in targets or any(name in walk.names(v) for v in values):
                    return False
            case Store(base) if name in walk.names(base):
                return False
            case Accum(target, value):
                base = value if isinstance(value, Var) else _passed_on(value)
                handed_on = isinstance(base, Var) and base.name == name and is_array(base.type)
                if (handed_on and walk.names(target) & begun) or name in walk.names(target):
                    return False
    return True
