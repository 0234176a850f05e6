"""Where cotangents begin: at zero, or better at the first thing that is added to them; part of `adjoint`.

Also where the cotangent of a view is bound: before it is first used.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from srcad.analysis.buffers import views_of
from srcad.lang import walk
from srcad.lang.ir import Accum, Call, Const, Expr, If, Let, Move, Stmt, Store, Var
from srcad.lang.types import Array, Scalar, Type, is_complex
from srcad.runtime import sum_to, zeros_as
from srcad.transforms.indexed import Indexed

if TYPE_CHECKING:
    from srcad.transforms.context import Context

DOUBLE, SINGLE = ("float64", "complex128"), ("float32", "complex64")

Rest = Callable[[str], Iterator[Stmt]]  # the statements that are still to come and mention a name


def initialise(ctx: Context, reverse: Indexed, names: list[str], views: list[Let]) -> list[Stmt]:
    """`reverse` with each cotangent in `names` set to its first contribution or to zero, and the `views` bound."""
    bound = _bind(ctx, reverse, names, views)
    begun = {ctx.bar(name).name for name in names}
    laid = {ctx.bar(name).name for name in names if name in ctx.laid}
    merged = Indexed(ctx.mentioned, bound)
    for position, stmt in enumerate(bound):
        if isinstance(stmt, Let) and is_zero(stmt.value) and stmt.target not in laid:
            _merge(merged, position, begun, ctx)
    return [stmt for stmt in merged.stmts if stmt is not None]


def _bind(ctx: Context, reverse: Indexed, names: list[str], views: list[Let]) -> list[Stmt]:
    """Insert what must stand before the first use of a cotangent: the view that it is, or its zero."""
    first = {name: positions[0] for name, positions in reverse.positions.items()}
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
            openings.setdefault(first[bar], []).insert(0, _start(ctx, name))
    code = enumerate(reverse.stmts)
    return [s for position, stmt in code for s in (*openings.get(position, ()), stmt) if s is not None]


def _start(ctx: Context, name: str) -> Stmt:
    """The zero cotangent of a name, where it has a value."""
    start = Let(ctx.bar(name).name, begun(ctx, name))
    if name not in ctx.halves:
        return start
    test, holds = ctx.halves[name]
    own = Let(ctx.fresh(start.target), start.value)
    branch = (own, Move((start.target,), (Var(own.target, start.value.type),)))  # type: ignore[union-attr]
    return If(test, branch, ()) if holds else If(test, (), branch)


def begun(ctx: Context, name: str) -> Expr:
    """The zero cotangent or tangent of a name, in the order of its elements in memory where views depend on that."""
    kind = ctx.types[name]
    if name in ctx.laid and isinstance(kind, Array) and kind.layout != "C" and kind.ndim > 1:
        return Call(zeros_as, (Var(name, kind),), (), kind)
    return zero(name, kind)


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


def _merge(code: Indexed, position: int, begun: set[str], ctx: Context) -> None:
    """``b = 0; ...; b += e`` becomes ``...; b = e``."""
    start = code.stmts[position]
    assert isinstance(start, Let)
    use = code.next_use(start.target, position)
    stmt = code.stmts[use] if use is not None else None
    if not (isinstance(stmt, Accum) and isinstance(stmt.target, Var) and stmt.target.name == start.target):
        return
    if start.target in walk.names(stmt.value):
        return
    assert use is not None
    like = start.value.args[0] if isinstance(start.value, Call) else start.value
    value = _initial_value(stmt.target, stmt.value, like, lambda name: code.behind(name, use), begun, ctx)
    if value is not None:
        code.stmts[use] = Let(start.target, value, stmt.origin)
        code.stmts[position] = None


def _initial_value(
    target: Var, value: Expr, like: Expr, rest: Rest, begun: set[str], ctx: Context
) -> Expr | None:
    """What may be assigned where `value` is added to zero; None where the sum must stay."""
    kind = getattr(value, "type", None)
    if not isinstance(target.type, Array):
        # A real number for a complex cotangent would make real arrays, to which complex ones are added later.
        return value if isinstance(kind, Scalar) and is_complex(kind) >= is_complex(target.type) else None
    if isinstance(kind, Scalar) and kind.dtype == target.type.dtype in DOUBLE + SINGLE:
        return Call(np.full_like, (like, value), (), target.type)
    exact = isinstance(kind, Array) and kind.shape == target.type.shape and kind.dtype == target.type.dtype
    if not exact or not (kind.dtype in DOUBLE or kind.dtype in SINGLE and is_single(value, ctx.narrowing)):
        return None
    if owns_memory(value):
        return value
    source = value.args[0] if isinstance(value, Call) and value.fn is sum_to else value
    if isinstance(source, Var) and source.name not in ctx.view_bars():  # a view's memory is another's, too
        ours = {name for name in (source.name, target.name) if name in begun and name not in ctx.returned}
        viewed = _viewed(ctx, source.name) | _viewed(ctx, target.name)
        if not any(True for name in viewed for _ in rest(name)):
            if _spent(source.name, rest, source.name in ours):
                return value
            if target.name in ours and all(_only_read(n, rest, begun) for n in (target.name, source.name)):
                return value
    return Call(np.copy, (value,), (), target.type)


def is_single(value: Expr, narrowing: bool = False) -> bool:
    """Whether an array is of single precision whatever numbers of Python's stand for: one of NumPy's would widen it.

    Not where numbers are told to be single, `narrowing`, as in machine code.

    >>> from srcad.lang.types import FLOAT
    >>> x = Var("x", Array("float32", ("n",)))
    >>> [is_single(Call(operator.mul, (e, x), (), x.type)) for e in (x, Const(2.0, FLOAT), Var("s", FLOAT))]
    [True, True, False]
    """
    waiting = [value]
    while waiting:
        expr = waiting.pop()
        kind = getattr(expr, "type", None)
        if isinstance(kind, (Array, Scalar)) and kind.dtype not in SINGLE + ("bool",) and not isinstance(expr, Const):
            if not (narrowing and isinstance(kind, Scalar) and kind.weak):
                return False
        if isinstance(expr, Call) and expr.fn is np.where and all(isinstance(e.type, Scalar) for e in expr.args[1:]):
            if not narrowing:
                return False  # of numbers alone, NumPy makes an array of doubles
        waiting += expr.args[:1] if isinstance(expr, Call) and expr.fn is operator.getitem else walk.children(expr)
    return True


def _viewed(ctx: Context, name: str) -> set[str]:
    """The cotangents that are views of another one."""
    views = ctx.views_of_bars()
    found: set[str] = set()
    work = [name]
    while work:
        inner = views.get(work.pop(), set()) - found
        found |= inner
        work.extend(inner)
    return found


def owns_memory(value: Expr) -> bool:
    """Whether evaluating `value` makes a new array that nothing else refers to."""
    if not isinstance(value, Call):
        return False
    if value.fn is sum_to:
        return _loses_axes(value) or owns_memory(value.args[0])
    return not views_of(value) and value.fn is not operator.getitem


def _passes_on(value: Expr, name: str) -> bool:
    """Whether `value` may be an array, in whole or in part."""
    bases = views_of(value)
    if isinstance(value, Call) and value.fn is sum_to:
        bases = () if _loses_axes(value) else value.args[:1]
    return any(isinstance(base, Var) and base.name == name for base in bases)


def _loses_axes(value: Call) -> bool:
    """Whether a sum back to a shape surely sums, and so makes a new array."""
    before, after = getattr(value.args[0], "type", None), value.type
    return isinstance(before, Array) and isinstance(after, Array) and before.ndim > after.ndim


def _spent(name: str, rest: Rest, local: bool) -> bool:
    """Whether a cotangent is not used again before it is assigned anew: its memory can be handed on."""
    stmt = next(rest(name), None)
    if stmt is None:
        return local
    return isinstance(stmt, Let) and stmt.target == name and (is_zero(stmt.value) or name not in walk.names(stmt.value))


def _only_read(name: str, rest: Rest, begun: set[str]) -> bool:
    """Whether a name is only read from, and never handed on under another name.

    What is added to a cotangent that begins here, in `begun`, may become that cotangent.
    """
    for stmt in walk.statements(tuple(rest(name))):
        match stmt:
            case Let(target, value):
                if target == name or _passes_on(value, name) or isinstance(value, Var) and value.name == name:
                    return False
            case Move(targets, values):
                if name in targets or any(name in walk.names(v) for v in values):
                    return False
            case Store(base) if name in walk.names(base):
                return False
            case Accum(target, value):
                handed_on = _passes_on(value, name)
                if (handed_on and walk.names(target) & begun) or name in walk.names(target):
                    return False
    return True
