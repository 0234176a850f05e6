"""columns: what iterations read and write here and there in memory goes through columns; part of `blocks`.

Of ``cameras[seen[n], 3]`` the numbers that a vector needs lie far apart, and so do the elements of ``result[n, 3]``
that it has. A loop that computes has them beside each other: one before it fetches them, one behind puts them there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from srcad.analysis.affine import linear
from srcad.analysis.contents import member
from srcad.analysis.uniform import Uniformity, values, written_array
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Let, Move, Stmt, Store, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.side_by_side import LAZY

FEWEST = 4  # elements that are worth a loop
PLAIN = (Let, Move, Store, Accum)


@dataclass
class Columns:
    """The statements of an iteration in three parts, and the numbers that are handed from one to the next."""

    opening: Block = ()
    body: Block = ()
    closing: Block = ()
    given: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)


def columns(body: Block, facts: Uniformity, fresh: Callable[[str], str]) -> Columns:
    """The parts of an iteration: what fetches numbers, what computes, and what puts numbers in their places.

    >>> from srcad.lang.ir import For, Tuple
    >>> from srcad.lang.types import FLOAT, INT
    >>> i, s, table = Var("i", INT), Var("s", FLOAT), Var("table", Array("float64", ("n", 4), "C"))
    >>> place = lambda k: Tuple((i, Const(k, INT)))
    >>> stores = tuple(Store(table, place(k), Call(operator.mul, (s, s), (), FLOAT)) for k in range(4))
    >>> body = (Let("s", Call(float, (i,), (), FLOAT)), *stores)
    >>> facts = Uniformity.of(For("i", Const(0, INT), Var("n", INT), Const(1, INT), body))
    >>> parts = columns(body, facts, str)
    >>> [type(stmt).__name__ for part in (parts.opening, parts.body, parts.closing) for stmt in part]
    ['Let', 'Let', 'Let', 'Let', 'Let', 'Store', 'Store', 'Store', 'Store']
    """
    made = Columns(body=body)
    _put_behind(made, facts, fresh)
    _fetched_before(made, facts, fresh)
    facts.own.update(made.given, made.found)
    facts.varying.update(made.given, made.found)
    return made


# ---------------------------------------------------------------- stores


def _put_behind(made: Columns, facts: Uniformity, fresh: Callable[[str], str]) -> None:
    read = {name for s in walk.statements(made.body) for e in _read(s) for name in values(e)}
    steady = {facts.loop.index} | _given_once(made.body)
    later: set[str] = set()  # the arrays to which something writes that stays where it is
    body: list[Stmt] = []
    for stmt in reversed(made.body):
        match stmt:
            case Store(Var(name), index, value) if (
                name not in facts.own | read | later and _is_number(value) and _lies_apart(index, facts)
                and walk.names(index) & facts.own <= steady
            ):  # fmt: skip
                if not isinstance(value, Const):
                    made.found.insert(0, target := fresh("found"))
                    body.append(Let(target, value, stmt.origin))
                    stmt = replace(stmt, value=Var(target, value.type))  # type: ignore[union-attr]
                made.closing = (stmt, *made.closing)
            case _:
                body.append(stmt)
                later |= {base.name for s in walk.statements((stmt,)) if (base := written_array(s)) is not None}
    if len(made.closing) < FEWEST:
        made.closing, made.found = (), []
    else:
        made.body = tuple(reversed(body))


def _read(stmt: Stmt) -> tuple[Expr, ...]:
    return (stmt.index, stmt.value) if isinstance(stmt, Store) else walk.stmt_exprs(stmt)


def _is_number(value: Expr) -> bool:
    return isinstance(value, Const) or getattr(getattr(value, "type", None), "dtype", None) == "float64"


def _lies_apart(index: Expr, facts: Uniformity) -> bool:
    """Whether elements of neighbouring iterations do not lie side by side."""
    items = items_of(index)
    if not facts.varies(*items):
        return False
    return facts.varies(*items[:-1]) or (linear(items[-1]) or ("", 0))[0] != facts.loop.index


def _given_once(body: Block) -> set[str]:
    """The names that the iteration itself gives once, in no loop or branch."""
    times: dict[str, int] = {}
    for stmt in walk.statements(body):
        for name in walk.targets(stmt):
            times[name] = times.get(name, 0) + 1
    return {stmt.target for stmt in body if isinstance(stmt, Let) and times[stmt.target] == 1}


# ---------------------------------------------------------------- loads


def _fetched_before(made: Columns, facts: Uniformity, fresh: Callable[[str], str]) -> None:
    early = _early(made.body, facts)
    elements: dict[Call, str] = {}
    rows = facts.rows(made.body)  # which have copies already
    for stmt in made.body:
        if isinstance(stmt, PLAIN) and not (isinstance(stmt, Let) and stmt.target in early):
            for expr in _read(stmt):
                for element in _unconditional(expr):
                    if element in elements or not _is_apart(element, facts, early):
                        continue
                    if not (walk.names(element.args[0]) & rows.keys() and facts.is_row(element)):
                        elements[element] = fresh("given")
    if len(elements) < FEWEST:
        return
    needed = {name for e in elements for name in walk.names(e)}
    opening: list[Stmt] = []
    for stmt in reversed(made.body):
        if isinstance(stmt, Let) and stmt.target in needed & early:
            opening.insert(0, stmt)
            needed |= walk.names(stmt.value)
    origin = facts.loop.origin
    fetched = [Let(name, element, replace(origin, adjoint=False)) for element, name in elements.items()]
    made.given = list(elements.values())
    made.opening = (*opening, *fetched)
    gone = {stmt.target for stmt in opening if isinstance(stmt, Let)}
    names: dict[Expr, Var] = {e: Var(name, e.type) for e, name in elements.items()}
    kept = (s for s in made.body if not (isinstance(s, Let) and s.target in gone))
    made.body = tuple(_with_names(stmt, names) if isinstance(stmt, PLAIN) else stmt for stmt in kept)


def _with_names(stmt: Stmt, names: dict[Expr, Var]) -> Stmt:
    return walk.map_stmt(lambda whole: walk.map_expr(lambda e: names.get(e, e) if type(e) is Call else e, whole), stmt)


def _early(body: Block, facts: Uniformity) -> set[str]:
    """The names of integers that can be had before anything else of an iteration."""
    once, found = _given_once(body), {facts.loop.index}
    for stmt in body:
        kind = getattr(stmt.value, "type", None) if isinstance(stmt, Let) and stmt.target in once else None
        if isinstance(stmt, Let) and isinstance(kind, Scalar) and kind.dtype == "int64":
            read = walk.names(stmt.value)
            if not read & facts.written and read & facts.own <= found:
                found.add(stmt.target)
    return found


def _unconditional(expr: Expr) -> list[Call]:
    """The elements that an expression reads in any case."""
    if isinstance(expr, Call) and member(expr.fn, LAZY):
        return _unconditional(expr.args[0])
    found = [e for part in walk.children(expr) for e in _unconditional(part)]
    return [*found, expr] if isinstance(expr, Call) and expr.fn is operator.getitem else found


def _is_apart(element: Call, facts: Uniformity, early: set[str]) -> bool:
    """Whether a number is one of an array that the loop does not write, far from that of the next iteration."""
    match element:
        case Call(operator.getitem, (Var(name, Array("float64", shape)), index), (), Scalar()):
            outside = name not in facts.own | facts.written and len(items_of(index)) == len(shape)
            return outside and _lies_apart(index, facts) and walk.names(index) & facts.own <= early
    return False
