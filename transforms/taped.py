"""taped: the part of a region that a tape has recorded; part of `infer`.

What was computed while the tape did not record is marked `unrecorded`; here it is held constant. A watched value is
marked where it is watched, and gets its shift there: see `expand`. So the region's derivative is that of what the tape
has recorded.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from srcad.analysis.activity import carried, reach
from srcad.analysis.buffers import Buffers, buffers, stored_name, stored_names, view_of
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, Let, Stmt, Tuple, Var, While, element_at, hint,
    select,
)  # fmt: skip
from srcad.lang.types import INT, TupleType, is_array
from srcad.runtime.marks import TAPED, accessed, detached, hold, pin, probe, reassigned, unrecorded, watched
from srcad.transforms.expand import Region, as_function, edges_of
from srcad.transforms.origins import Origins, same_as
from srcad.typing.refusal import Refusal

_SAME = (pin, reassigned, detached, hold, watched, accessed)
_PARTS = (operator.getitem, element_at)


def mark(fn: object, value: Expr, number: int) -> Call:
    """A value with a mark of the tape of this number."""
    return Call(fn, (value, Const(number, INT)), (), value.type)  # type: ignore[union-attr]


def is_marked(expr: Expr, number: int) -> bool:
    """Whether an expression is a value with a mark of this tape."""
    return isinstance(expr, Call) and expr.fn in TAPED and expr.args[1].value == number  # type: ignore[union-attr]


def severed(expr: Expr, number: int, names: bool = False) -> Expr:
    """A value computed while a tape does not record: what the operation gives, and not a name for what there is.

    With `names`, what has a name is severed, too.
    """
    if isinstance(expr, Tuple):
        return replace(expr, items=tuple(severed(item, number, names) for item in expr.items))
    if not isinstance(expr, (Call, Var)) or not carried(expr) or is_marked(expr, number):
        return expr
    if isinstance(expr, Var):
        return mark(unrecorded, expr, number) if names else expr
    if expr.fn is select:
        test, *values = expr.args
        return replace(expr, args=(test, *(severed(value, number, names) for value in values)))
    if expr.fn in _SAME or expr.fn in _PARTS and isinstance(expr.args[0].type, TupleType):  # type: ignore[union-attr]
        return expr
    return mark(unrecorded, expr, number)


def taped(region: Region, number: int) -> tuple[Region, list[Var | None]]:
    """A region of which all is constant but what a tape has recorded; for each of its `xs` the value that it is."""
    block = tuple(_named_marks(region.block))
    origins = Origins(block)
    marks = {origins.of(e.args[0].name) for e in _marks(block, number)
             if e.fn is not unrecorded and isinstance(e.args[0], Var)}  # fmt: skip
    recorded = _recorded(_without_flow(block, number), number)
    asked: list[Var | None] = []
    placed: dict[str, str] = {}
    for x in region.xs:
        origin = origins.of(x.name)
        known = origin in recorded or origin in marks
        asked.append(Var(origin, x.type) if known else None)
        if origin in marks and origin not in recorded:
            placed.setdefault(origin, f"{hint(origin)}.shift_{len(placed)}")

    _check_early(block, _Early(set(placed), recorded, origins, _lets(block), number))

    def node(expr: Expr) -> Expr:
        if not is_marked(expr, number):
            return expr
        assert isinstance(expr, Call)
        value: Expr = expr if expr.fn is watched else Call(hold, (expr,), (), expr.type)
        marked = same_as(expr.args[0])
        known = expr.fn is not unrecorded and isinstance(marked, Var)
        shift = placed.get(origins.of(marked.name)) if known else None  # type: ignore[union-attr,arg-type]
        return value if shift is None else Call(probe, (value, Var(shift, expr.type)), (), expr.type)

    ys = tuple(walk.map_expr(node, y) for y in region.ys)
    xs = tuple(dict.fromkeys(x for x in asked if x is not None))
    return replace(region, block=walk.map_block(node, block), ys=ys, xs=xs, placed=placed), asked


@dataclass(frozen=True)
class _Early:
    """What is watched by a tape, to find where it was read before."""

    watched: set[str]
    recorded: frozenset[str]
    origins: Origins
    lets: dict[str, Expr]
    number: int

    def reads(self, expr: Expr) -> str | None:
        """What an operation that the tape records reads of what it watches only later."""
        if not isinstance(expr, Call) or is_marked(expr, self.number) and expr.fn is unrecorded:
            return None
        found = [arg.name for arg in expr.args if isinstance(arg, Var) and self.is_early(arg.name)]
        if found and expr.fn not in TAPED and {v.name for v in carried(expr)} & self.recorded:
            return found[0]
        return next(filter(None, map(self.reads, expr.args)), None)

    def is_early(self, name: str) -> bool:
        """Whether a name stands for a watched value as it was before."""
        origin = self.origins.of(name)
        while origin in self.watched and name != origin:
            value = self.lets.get(name)
            while isinstance(value, Call) and same_as(value) is not value and not is_marked(value, self.number):
                value = value.args[0]
            if not isinstance(value, Var):  # marked, or joined from several paths
                return False
            name = value.name
        return origin in self.watched


def _lets(block: Block) -> dict[str, Expr]:
    return {s.target: s.value for s in walk.statements(block) if isinstance(s, Let)}


def _check_early(block: Block, early: _Early) -> None:
    """Refuse to watch what recorded operations have read already: a tape counts these, and not those before them."""
    for stmt in walk.statements(block) if early.watched else ():
        for expr in walk.stmt_exprs(stmt):
            if (name := early.reads(expr)) is not None:
                raise Refusal(f"watch of {hint(name)} behind what the tape has recorded of it",
                              "it where the tape's block begins")  # fmt: skip


def held(region: Region, number: int) -> Region:
    """A region in which what a tape has not recorded is constant, to see what its values depend on."""
    def node(expr: Expr) -> Expr:
        return _constant(expr, number)

    ys = tuple(walk.map_expr(node, y) for y in region.ys)
    return replace(region, block=walk.map_block(node, region.block), ys=ys)


def _without_flow(block: Block, number: int) -> Block:
    return walk.map_block(lambda expr: _constant(expr, number), block)


def _constant(expr: Expr, number: int) -> Expr:
    if is_marked(expr, number) and expr.fn is not watched:  # type: ignore[union-attr]
        return Call(hold, (expr,), (), expr.type)  # type: ignore[union-attr]
    return expr


def _named_marks(block: Block) -> Iterator[Stmt]:
    """Statements in which what a name is given with a mark has a name without it."""
    for stmt in block:
        if isinstance(stmt, Let) and isinstance(stmt.value, Call) and stmt.value.fn in (watched, accessed):
            value, number = stmt.value.args
            if not isinstance(value, Var):
                yield Let(f"{stmt.target}.bare", value, stmt.origin)
                stmt = replace(stmt, value=replace(stmt.value, args=(Var(f"{stmt.target}.bare", value.type), number)))  # type: ignore[union-attr]
        yield stmt


def _marks(block: Block, number: int | None = None) -> Iterator[Call]:
    for stmt in walk.statements(block):
        for expr in walk.stmt_exprs(stmt):
            yield from (e for e in walk.subexprs(expr) if isinstance(e, Call) and e.fn in TAPED
                        and (number is None or is_marked(e, number)))  # fmt: skip


def marked_names(block: Iterable[Stmt], number: int) -> list[Var]:
    """The names that statements give to what a tape watches."""
    return [Var(s.target, s.value.type) for s in walk.statements(tuple(block)) if isinstance(s, Let)  # type: ignore[union-attr]
            if any(e.fn is not unrecorded for e in _marks((s,), number))]  # fmt: skip


def _recorded(block: Block, number: int) -> frozenset[str]:
    """The names of what is computed from what a tape watches."""
    marked = [name for stmt in walk.statements(block) for name in _given(stmt)
              if any(e.fn is not unrecorded for e in _marks((stmt,), number))]  # fmt: skip
    return reach(edges_of(block), marked)


def _given(stmt: Stmt) -> tuple[str, ...]:
    stored = stored_name(stmt)
    return walk.targets(stmt) if stored is None else (stored,)


# ---------------------------------------------------------------- arrays


def check_marks(block: Block) -> None:
    """Refuse marks on arrays that are written to afterwards: behind a mark, a value has to stay what it is."""
    if not any(is_array(e.type) for e in _marks(block)):
        return
    bare = walk.map_block(
        lambda e: e.args[0] if isinstance(e, Call) and e.fn in (*TAPED, hold, probe) else e, block)  # fmt: skip
    _check_block(block, buffers(as_function(bare)), frozenset())


def _check_block(block: Block, found: Buffers, later: frozenset[str]) -> None:
    for position in range(len(block) - 1, -1, -1):
        stmt = block[position]
        inner = walk.blocks(stmt)
        for body in inner:
            again = _written_again(body) if isinstance(stmt, (For, While)) else frozenset()
            _check_block(body, found, later | again)
        if not inner:
            _check_stored(stmt, found, later)
        later |= stored_names((stmt,))


def _written_again(body: Block) -> frozenset[str]:
    """The arrays from outside of a loop that an iteration writes to."""
    return frozenset(stored_names(body) - walk.assigned(body))


def _check_stored(stmt: Stmt, found: Buffers, later: frozenset[str]) -> None:
    for call in _marks((stmt,)):
        base: Expr | None = call.args[0]
        while isinstance(base, Call):
            base = base.args[0] if base.fn in TAPED else view_of(base)
        if isinstance(base, Var) and is_array(base.type) and any(found.may_share(base.name, name) for name in later):
            if call.fn is unrecorded:
                raise Refusal(f"a view that a tape does not record, of {hint(base.name)}, which is written to later",
                              "a copy, with .copy()")  # fmt: skip
            raise Refusal(f"a tape that watches {hint(base.name)}, an array that is written to later",
                          f"the writes before the tape begins, or a copy: {hint(base.name)} = "
                          f"{hint(base.name)}.copy()")  # fmt: skip
