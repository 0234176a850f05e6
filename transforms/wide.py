"""Arrays that get margins: which ones can have them, and their elements with them; part of `margins`."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace

import numpy as np

from srcad.lang.arrays import index_of, items_of, lengths_in
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var
from srcad.lang.types import INT, REAL, Array
from srcad.lang.walk import map_expr, map_stmt, names, statements, stmt_exprs, subexprs, targets
from srcad.transforms.simplify import plus


def widening(value: Expr, counts: dict[str, Expr], beside: Block, everything: Block) -> str | None:
    """The array whose elements a value is, one after the other, if it may as well be made with margins.

    `counts` tells how far the indices of the loops go, `beside` are the statements among which the outermost loop is.
    """
    counters = index_of([Var(index, INT) for index in counts]) if counts else None
    match value:
        case Call(operator.getitem, (Var(name), index)) if index == counters:
            made = [s for s in statements(everything) if isinstance(s, (Let, Move)) and name in targets(s)]
            lengths = tuple(counts.values())
            known = tuple(Call(max, (length, Const(0, INT)), (), INT) for length in lengths)
            if len(made) == 1 and any(made[0] is s for s in beside) and _shape(made[0]) in (known, lengths):
                return name if _only_counted(name, everything) else None
    return None


def spelled_out(fn: Function) -> Block:
    """A body with loops over ``a.shape[k]``, of an array made here, that go as far as its length was given."""
    every = list(statements(fn.body))
    assigned = [name for s in every if not isinstance(s, Accum) for name in targets(s)]
    definitions = Counter([p.name for p in fn.params] + assigned)
    lengths: dict[tuple[str, int], Expr] = {}
    for stmt in every:
        shape = _shape(stmt) or ()
        if all(definitions[n] == 1 for item in shape for n in (*names(item), *targets(stmt))):
            for axis, item in enumerate(shape):
                whole = item.args[0] if isinstance(item, Call) and item.fn is max else item
                lengths[targets(stmt)[0], axis] = whole

    def length(expr: Expr) -> Expr:
        match expr:
            case Call(operator.getitem, (Attr(Var(name), "shape"), Const(int() as axis))):
                return lengths.get((name, axis), expr)
        return expr

    def inside(block: Block) -> Block:
        stmts = (map_stmt(lambda e: e, stmt, inside) for stmt in block)
        return tuple(replace(s, stop=length(s.stop)) if isinstance(s, For) else s for s in stmts)

    return inside(fn.body)


def _shape(stmt: Stmt) -> tuple[Expr, ...] | None:
    """The lengths of a new array of doubles that nothing is in yet, if that is what a statement makes."""
    match stmt:
        case Let(_, Call(np.empty, (shape, *_), (), Array(dtype))) if dtype in REAL:
            return lengths_in(shape)
    return None


def _only_counted(array: str, block: Block) -> bool:
    """Whether all that is done with an array is to take its elements by the indices of loops that begin at zero."""
    loops = [s for s in statements(block) if isinstance(s, For)]
    others = {s.index for s in loops if (s.start, s.step) != (Const(0, INT), Const(1, INT))}
    counters = {s.index for s in loops} - others
    for stmt in statements(block):
        every = [e for expr in stmt_exprs(stmt) for e in subexprs(expr)]
        taken = [e for e in every if isinstance(e, Call) and e.fn is operator.getitem]
        places = [e.args[1] for e in taken if _is(e.args[0], array)]
        places += [stmt.index] if isinstance(stmt, Store) and _is(stmt.base, array) else []
        mentions = sum(_is(e, array) for e in every)
        items = [item for place in places for item in items_of(place)]
        if len(places) < mentions or not all(isinstance(item, Var) and item.name in counters for item in items):
            return False
    return True


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Var) and expr.name == name


def widened(block: Block, arrays: dict[str, tuple[Var, tuple[int, ...]]]) -> Block:
    """A block with arrays that have margins in the place of those that have none."""

    def moved(index: Expr, width: tuple[int, ...]) -> Expr:
        items = items_of(index)
        return index_of([plus(item, more) for item, more in zip(items, width)])

    def element(expr: Expr) -> Expr:
        match expr:
            case Call(operator.getitem, (Var(name), index)) if name in arrays:
                array, width = arrays[name]
                return replace(expr, args=(array, moved(index, width)))
        return expr

    def statement(stmt: Stmt) -> Stmt:
        stmt = map_stmt(lambda e: map_expr(element, e), stmt, inside)
        match stmt:
            case Store(Var(name), index) if name in arrays:
                array, width = arrays[name]
                return replace(stmt, base=array, index=moved(index, width))
        return stmt

    def inside(inner: Block) -> Block:
        return tuple(statement(s) for s in inner if not (isinstance(s, Let) and s.target in arrays))

    return inside(block)
