"""recorded_once: what an iteration leaves is what the next one finds, and is recorded under one of the two; part of
`derive`.

The derivative of ``h = np.tanh(W @ h)`` reads `h` as it was and as it has become. A record of either, with a place more
for the last, has both: the one that iteration `t` leaves is in place `t + 1`.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.arrays import index_of, lengths_in
from srcad.lang.ir import Block, Call, Expr, For, If, Let, Stmt, Store, Tuple, Var, While
from srcad.lang.types import INT, Array, Scalar, is_array
from srcad.transforms.context import Context
from srcad.transforms.simplify import plus
from srcad.transforms.slots import turn


def recorded_once(ctx: Context, block: Block, elsewhere: frozenset[str] = frozenset()) -> Block:
    """A block, and all blocks inside, whose loops record no value under two names.

    The records that are read `elsewhere`, behind the branch that a block is, stay as they are.
    """
    tapes = [frozenset(filter(_tape_or_bar, ctx.mentioned(stmt))) for stmt in block]

    def inside(stmt: Stmt, place: int) -> Stmt:
        beside = elsewhere.union(*tapes[:place], *tapes[place + 1 :])
        return walk.map_stmt(lambda e: e, stmt, lambda inner: recorded_once(ctx, inner, beside))

    block = tuple(inside(stmt, k) if isinstance(stmt, (For, If, While)) else stmt for k, stmt in enumerate(block))
    for place, stmt in enumerate(block):
        if isinstance(stmt, For) and stmt.flag is None:
            for name, value in walk.moves_of(stmt.body):
                if isinstance(value, Var) and (code := _joined(ctx, block, place, name, value, elsewhere)) is not None:
                    return recorded_once(ctx, code, elsewhere)
    return block


def _joined(
    ctx: Context, block: Block, place: int, name: str, value: Var, elsewhere: frozenset[str]
) -> Block | None:
    """The block where the records of what a loop carries under `name`, before and behind an iteration, are one."""
    loop, before, after = block[place], block[:place], block[place + 1 :]
    assert isinstance(loop, For)
    found, left = (_record(loop, each) for each in (name, value.name))
    if found is None or left is None:
        return None
    (first, one), (last, other) = found, left
    if one.name == other.name or {one.name, other.name} & elsewhere:  # what no iteration changes
        return None
    sizes, same = (_sizes(before, each.name) for each in (one, other))
    if sizes is None or same is None or sizes[0] != same[0] or not _alike(one, other, value, ctx.types[name]):
        return None
    if _written(ctx, loop.body[:first], name) or _written(ctx, loop.body[last:], value.name):
        return None
    classes = Classes.of(after)
    changed = {classes.find(each) for each in stored_names(after)}
    if {classes.find(one.name), classes.find(other.name)} & changed or not _is_of_rows(after, other.name):
        return None
    larger = (plus(sizes[0], 1), *sizes[1:])
    opening = tuple(_larger(stmt, one.name, larger) for stmt in before if other.name not in walk.targets(stmt))
    body = tuple(stmt for k, stmt in enumerate(loop.body) if k != last)
    end = Store(one, sizes[0], replace(value, name=name), loop.body[first].origin)
    reads = walk.map_block(lambda e: walk.map_expr(lambda each: _next(each, one, other.name), e), after)
    if one.name in ctx.decisions.records:
        ctx.decisions.keep(replace(ctx.decisions.records[one.name], trips=larger[0]))
    return (*opening, replace(loop, body=body), end, *reads)


def _record(loop: For, name: str) -> tuple[int, Var] | None:
    """The place of the statement of an iteration that records a name, and the record."""
    found = []
    for k, stmt in enumerate(loop.body):
        match stmt:
            case Store(Var(tape) as base, index, Var(value)) if value == name and tape.endswith("~tape"):
                found += [(k, base)] if index == turn(loop.index, loop.start, loop.step) else []
    return found[0] if len(found) == 1 else None


def _sizes(before: Block, tape: str) -> tuple[Expr, ...] | None:
    """The lengths of a record of fixed shape, if it is made in this block."""
    for stmt in before:
        match stmt:
            case Let(target, Call(np.empty, (shape, *_))) if target == tape:
                return lengths_in(shape)
    return None


def _alike(one: Var, other: Var, value: Var, kind: object) -> bool:
    """Whether two records have places for values of one type."""
    if not (isinstance(one.type, Array) and isinstance(other.type, Array) and one.type.dtype == other.type.dtype):
        return False
    if isinstance(kind, Array) and isinstance(value.type, Array):
        return kind.shape == value.type.shape
    return isinstance(kind, Scalar) and isinstance(value.type, Scalar)


def _written(ctx: Context, block: Block, name: str) -> bool:
    """Whether statements may write to what a name holds."""
    return is_array(ctx.types[name]) and any(
        other == name or ctx.buffers.may_share(other, name) for other in stored_names(block) if not _tape_or_bar(other)
    )


def _tape_or_bar(name: str) -> bool:
    return name.endswith(("~tape", "~bar"))


def _is_of_rows(block: Block, tape: str) -> bool:
    """Whether statements read a record by the row, and do nothing else with it."""
    return all(_reads_rows(expr, tape) for stmt in walk.statements(block) for expr in walk.stmt_exprs(stmt))


def _reads_rows(expr: Expr, tape: str) -> bool:
    rows = sum(_row(e, tape) is not None for e in walk.subexprs(expr))
    return rows == sum(isinstance(e, Var) and e.name == tape for e in walk.subexprs(expr))


def _row(expr: Expr, tape: str) -> Expr | None:
    """The row that an expression reads of a record."""
    match expr:
        case Call(operator.getitem, (Var(name), index)) if name == tape:
            first = index.items[0] if isinstance(index, Tuple) else index
            return first if getattr(first, "type", None) == INT else None
    return None


def _next(expr: Expr, one: Var, other: str) -> Expr:
    row = _row(expr, other)
    if row is None:
        return expr
    assert isinstance(expr, Call)
    index = expr.args[1]
    rest = index.items[1:] if isinstance(index, Tuple) else ()
    return replace(expr, args=(one, index_of((plus(row, 1), *rest))))


def _larger(stmt: Stmt, tape: str, sizes: tuple[Expr, ...]) -> Stmt:
    match stmt:
        case Let(target, Call(_, (_, *named)) as value) if target == tape:
            return replace(stmt, value=replace(value, args=(index_of(sizes), *named)))
    return stmt


