"""spent: no stores into a record, or an array of an iteration's own, that nobody reads any more. For machine code only.

A reverse iteration replays on its own row of a record. What it writes there last, at the end of the replay, is read by
no one: no other iteration knows this row, and the reverse itself needs what stood there before. The same goes for the
last loop that knows an array which has been made in the same block.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import stored_name
from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names, reads
from srcad.lang.arrays import items_of
from srcad.lang.ir import (
    Accum, Block, Call, Expr, For, Function, If, Let, Move, Stmt, Store, Var, While,
)  # fmt: skip
from srcad.lang.types import Array, Scalar
from srcad.lang.walk import blocks, map_stmt, names, statements, stmt_exprs, subexprs, targets, without
from srcad.transforms.elements import is_arithmetic


def spent(fn: Function) -> Function:
    """Drop the stores into a row of a record, or into an array of a block's own, that are not read behind them.

    >>> from srcad.lang.ir import Const, Return
    >>> from srcad.lang.types import FLOAT, INT, NONE
    >>> tape, k = Var("x~tape", Array("float64", ("n", "m"), "C")), Var("k", INT)
    >>> row = Var("x", Array("float64", ("m",), "C"))
    >>> store = Store(row, Const(..., NONE), Const(0.0, FLOAT))
    >>> body = (Let("x", Call(operator.getitem, (tape, k), (), row.type)), store)
    >>> made = Let("x~tape", Call(np.empty, (Const((3, 4)),), (), tape.type))
    >>> loop = For("k", Const(0, INT), Const(3, INT), Const(1, INT), body)
    >>> [type(s).__name__ for s in spent(Function("f", (), (made, loop, Return(Const(0.0))))).body]
    ['Let', 'Return']
    """
    classes = Classes.of(fn.body)
    shared = classes.leader.keys() | set(classes.leader.values())
    return replace(fn, body=_needed(_own(_block(fn.body, frozenset()), classes, frozenset(shared))))


def _needed(block: Block) -> Block:
    """A block without values that nobody reads any more."""
    read = {n for s in statements(block) for e in stmt_exprs(s) for n in names(e)}
    read |= {s.flag for s in statements(block) if isinstance(s, For) and s.flag is not None}
    shorter = without(block, lambda s: isinstance(s, Let) and s.target not in read and is_arithmetic(s.value))
    return block if shorter == block else _needed(shorter)


def _block(block: Block, after: frozenset[str]) -> Block:
    """A block; `after` are the names that are read or written elsewhere in a round of the loops around it."""
    made = {s.target for s in block if isinstance(s, Let) and isinstance(s.value, Call) and s.value.fn is np.empty}
    result: list[Stmt] = []
    behind: set[str] = set()
    for stmt in reversed(block):
        mentions = _mentions(stmt)
        match stmt:
            case For(body=body):
                for name in sorted(made & mentions - behind - after):
                    body = _row(stmt, body, name)
                stmt = replace(stmt, body=_block(body, after | behind))
            case While(body=body):
                stmt = replace(stmt, body=_block(body, after | behind))
            case If(_, then, orelse):
                stmt = replace(stmt, then=_block(then, after | behind), orelse=_block(orelse, after | behind))
        behind |= mentions
        result.append(stmt)
    return tuple(reversed(result))


def _own(block: Block, classes: Classes, known: frozenset[str]) -> Block:
    """A block whose own arrays get nothing that no one reads; `known` are those outside of it, or by two names."""
    mentions = [_mentions(stmt) for stmt in block]
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for position, found in enumerate(mentions):
        first = dict.fromkeys(found, position) | first
        last.update(dict.fromkeys(found, position))
    result = list(block)
    for name in sorted(first.keys() - known):
        match block[first[name]], result[last[name]]:
            case Let(target, Call(np.empty)), For() as loop if target == name:
                (result[last[name]],) = _unread((loop,), classes, name)
    for position, stmt in enumerate(result):
        elsewhere = known | {name for name in mentions[position] if first[name] != last[name]} | _own_names(stmt)
        result[position] = map_stmt(lambda e: e, stmt, lambda body: _own(body, classes, elsewhere))  # noqa: B023
    return tuple(result)


def _own_names(stmt: Stmt) -> frozenset[str]:
    """The names in the head of a statement, and those in both branches of one that has two."""
    bodies = [frozenset[str]().union(*map(_mentions, body)) for body in blocks(stmt)]
    both = frozenset.intersection(*bodies) if len(bodies) > 1 else frozenset[str]()
    return both.union(targets(stmt), *map(names, stmt_exprs(stmt)))


def _mentions(stmt: Stmt) -> frozenset[str]:
    found = set(targets(stmt)).union(*map(names, stmt_exprs(stmt)))
    return frozenset(found).union(*(_mentions(inner) for body in blocks(stmt) for inner in body))


def _row(loop: For, body: Block, record: str) -> Block:
    """An iteration that knows one row of a record, its own, without stores that nobody reads."""
    uses = [stmt for stmt in body if record in _mentions(stmt)]
    match uses:
        case [Let(_, Call(operator.getitem, (Var(), Var(index)), type=Array()))] if index == loop.index:
            if not any(index in targets(s) for s in statements(body)):
                classes = Classes.of(body)
                carried = {classes.find(n) for s in statements(body) if isinstance(s, Move) for n in targets(s)}
                if classes.find(record) not in carried:
                    return _unread(body, classes, classes.find(record))
    return body


def _unread(body: Block, classes: Classes, record: str) -> Block:
    result: list[Stmt] = []
    read = False
    for stmt in reversed(body):
        if _is_in(stmt, classes, record) and not read and not isinstance(stmt, Accum):
            continue
        if isinstance(stmt, For) and not read:
            inner = tuple(s for s in stmt.body if not _is_dead(s, stmt, classes, record))
            if not any(_reads(s, classes, record) for s in statements((stmt,))):
                inner = without(stmt.body, lambda s: isinstance(s, Store) and _is_in(s, classes, record))
            stmt = replace(stmt, body=inner) if inner else stmt
        read = read or any(_reads(s, classes, record) for s in statements((stmt,)))
        result.append(stmt)
    return tuple(reversed(result))


def _is_in(stmt: Stmt, classes: Classes, record: str) -> bool:
    """Whether a statement writes to a record."""
    written = stored_name(stmt)
    return written is not None and classes.find(written) == record


def _is_dead(stmt: Stmt, loop: For, classes: Classes, record: str) -> bool:
    """Whether an inner loop stores what it does not read: each iteration knows its own elements, and reads them before.
    """
    if not isinstance(stmt, Store) or not _is_in(stmt, classes, record):
        return False
    axes = [k for k, item in enumerate(items_of(stmt.index)) if isinstance(item, Var) and item.name == loop.index]
    behind = False
    for other in loop.body:
        behind = behind or other is stmt
        if not any(_reads(inner, classes, record) for inner in statements((other,))):
            continue
        elements = [e for x in stmt_exprs(other) for e in subexprs(x) if _is_of(e, classes, record)]
        alike = all(any(items_of(e.args[1])[k : k + 1] == items_of(stmt.index)[k : k + 1] for k in axes)
                    and e.args[0] == stmt.base for e in elements)  # fmt: skip
        if behind or blocks(other) or not elements or not alike or _others(other, elements, classes, record):
            return False
    return True


def _is_of(expr: Expr, classes: Classes, record: str) -> bool:
    """Whether an expression is an element of a record."""
    match expr:
        case Call(operator.getitem, (Var(name), _), type=Scalar()):
            return classes.find(name) == record
    return False


def _others(stmt: Stmt, elements: list[Expr], classes: Classes, record: str) -> bool:
    """Whether a statement knows a record by more than some of its elements."""
    mentioned = [e.name for x in stmt_exprs(stmt) for e in subexprs(x) if isinstance(e, Var)]
    return sum(classes.find(name) == record for name in mentioned) != len(elements)


def _reads(stmt: Stmt, classes: Classes, record: str) -> bool:
    """Whether a statement reads elements of a record."""
    whole = set().union(*map(content_names, stmt_exprs(stmt)))
    found = reads(stmt) if isinstance(stmt, (Let, Store)) else whole
    return record in map(classes.find, found)
