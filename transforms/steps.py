"""Time steps that are loops: whether they read what they have written, and where they record; part of `next_row`."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.analysis.affine import linear
from srcad.lang import walk
from srcad.lang.ir import Call, Expr, For, Let, Stmt, Store, Var
from srcad.lang.types import INT


def counts(slot: Expr, loop: For) -> bool:
    """Whether the places of a record are those of the iterations, in their order: `t`, or ``n - 1 - t`` downwards."""
    downwards = walk.is_const(loop.step, -1) and slot == Call(operator.sub, (loop.start, Var(loop.index, INT)), (), INT)
    return linear(slot) is not None or downwards


def goes_ahead(loop: For, state: Var) -> bool:
    """Whether a loop upwards stores one element an iteration, and reads elements that none before it has stored to."""
    stores = [s for s in loop.body if not isinstance(s, Let)]
    match stores:
        case [Store(base, Var(name), _)] if base == state and name == loop.index:
            exprs = [e for s in loop.body for e in walk.stmt_exprs(s) if e is not base]
            return all(_is_ahead(e, loop, state) for e in exprs) and loop.body[-1] is stores[0]
    return False


def _is_ahead(expr: Expr, loop: For, state: Var) -> bool:
    match expr:
        case Call(operator.getitem, (base, index)) if base == state:
            place = linear(index)
            return place is not None and place[0] == loop.index and place[1] >= 0
        case Call(_, args, ()):
            return all(_is_ahead(arg, loop, state) for arg in args)
    return state.name not in walk.names(expr)


def from_old(stmt: Stmt, state: Var, old: Var) -> Stmt:
    """A statement that reads from the row before."""
    changed = walk.map_stmt(lambda e: walk.substitute(e, {state.name: old}), stmt)
    return replace(changed, base=state) if isinstance(changed, Store) else changed


def upwards(record: Stmt) -> Stmt:
    """What records at ``n - 1 - t``, as if it did at `t`."""
    match record:
        case Store(index=Call(operator.sub, (_, Var() as place))):
            return replace(record, index=place)
    return record
