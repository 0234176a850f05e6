"""What a nest gathers where each iteration has an element of its own, and what the elements around these get; part
of `margins`.

Part of `margins`: the nest that computes what goes elsewhere stores nothing else. What an iteration adds to its own
element then takes in what the neighbours have for it, so that each element is written once, and only the rims of the
array, where there are neighbours but no iterations, are left to loops of their own.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.affine import linear
from srcad.analysis.buffers import stored_name, stored_names
from srcad.analysis.contents import content_names, member
from srcad.analysis.pairs import Pairs
from srcad.lang.arrays import index_of, items_of, new_array
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, If, Let, Stmt, Store, Var
from srcad.lang.types import BOOL, FLOAT, INT
from srcad.lang.walk import names, stmt_exprs, subexprs, targets
from srcad.transforms.side_by_side import COSTLY
from srcad.transforms.simplify import plus, simplified

MOST = 8  # statements for the elements around

Offsets = tuple[int, ...]  # how far an element is from the counters of the loops


@dataclass(frozen=True)
class Span:
    """The values of a loop's index: `low`, a number, and so many from there on."""

    loop: For
    low: int
    count: Expr

    @staticmethod
    def of(loop: For) -> Span | None:
        match loop:
            case For(_, Const(int() as low), stop, Const(1)):
                return Span(loop, low, plus(stop, -low))
            case For(_, start, Const(int() as stop), Const(-1)):
                return Span(loop, stop + 1, plus(start, -stop))
        return None


@dataclass(frozen=True)
class Addition:
    """What a statement adds to an element, so many from the counters along each axis: `factor` times `value`."""

    stmt: Accum
    offset: Offsets
    factor: Expr | None
    value: Expr


@dataclass(frozen=True)
class Wide:
    """Arrays with what iterations have for the elements of others; `before` and `behind` these there are zeros.

    Each is beside the name of an array in whose place it is made, if there is one. `counts` tell how many iterations
    there are, where arrays of these lengths and their margins do even if there are none.
    """

    spans: list[Span]
    before: Offsets
    behind: Offsets
    arrays: dict[Expr, tuple[Var, str | None]]
    counts: tuple[Expr, ...] = ()

    @staticmethod
    def around(
        spans: list[Span], own: Offsets, low: Offsets, high: Offsets, arrays: dict[Expr, tuple[Var, str | None]]
    ) -> Wide:
        """Those that additions from `low` to `high` need, beyond an iteration's own element."""
        before, behind = (tuple(max(0, b - a) for a, b in zip(*ends)) for ends in ((own, high), (low, own)))
        return Wide(spans, before, behind, arrays)

    def at(self, value: Expr, counters: list[Expr]) -> Expr:
        places = [plus(c, more - span.low) for c, more, span in zip(counters, self.before, self.spans)]
        return Call(operator.getitem, (self.arrays[value][0], index_of(places)), (), FLOAT)

    def element(self, one: Addition, places: list[Expr]) -> Expr:
        """What an element gets by an addition."""
        value = self.at(one.value, [plus(place, -by) for place, by in zip(places, one.offset)])
        return value if one.factor is None else Call(operator.mul, (one.factor, value), (), FLOAT)

    def made(self, one: Addition) -> Let:
        array, _ = self.arrays[one.value]
        counts = self.counts or [Call(max, (span.count, Const(0, INT)), (), INT) for span in self.spans]
        lengths = [plus(count, a + b) for count, a, b in zip(counts, self.before, self.behind)]
        origin = replace(one.stmt.origin, adjoint=False)
        return Let(array.name, new_array(np.zeros, index_of(lengths), array.type), origin)

    def stores(self, one: Addition) -> list[Stmt]:
        """What stores a value, if that is not where it is computed."""
        array, whole = self.arrays[one.value]
        element = self.at(one.value, [Var(span.loop.index, INT) for span in self.spans])
        return [] if whole is not None else [Store(array, element.args[1], one.value, one.stmt.origin)]  # type: ignore[attr-defined]


def total(terms: list[Expr]) -> Expr:
    result = terms[0]
    for each in terms[1:]:
        result = Call(operator.add, (result, each), (), FLOAT)
    return simplified(result)


def rebuilt(spans: list[Span], body: Block) -> Block:
    """A nest of the same loops around another body, with the names between the loops."""
    for span in reversed(spans):
        between = span.loop.body[:-1] if span is not spans[-1] else ()
        body = (replace(span.loop, body=(*between, *body)),)
    return body


# ---------------------------------------------------------------- the body of a nest, taken apart


def taken_apart(
    spans: list[Span], elsewhere: list[Addition], held: dict[str, Expr], pairs: Pairs
) -> tuple[Block, Block] | None:
    """What computes the values of additions, and the body without what only they need; None if they go together.

    They do if an iteration writes what another one computes them from, or if something costly would be computed twice.
    `held` are the elements in which the second body finds the values, by their names.
    """
    body, counters = spans[-1].loop.body, {span.loop.index for span in spans}
    between = [e for span in spans[:-1] for stmt in span.loop.body[:-1] for e in stmt_exprs(stmt)]
    read = {name for e in between for name in content_names(e)}
    if any(pairs.may_share(name, other) for name in read for other in stored_names(body)):
        return None
    gone = {id(one.stmt) for one in elsewhere}
    kept = [stmt for stmt in body if id(stmt) not in gone]
    wanted: set[str] = set()
    first: list[Stmt] = []
    for stmt in reversed(body):
        bound = set(targets(stmt))
        if wanted & bound:
            if not isinstance(stmt, Let):
                return None
            first.insert(0, stmt)
            wanted = wanted - bound | names(stmt.value)
        wanted |= {name for one in elsewhere if one.stmt is stmt for name in names(one.value)}
    every = [name for stmt in body for name in targets(stmt)]
    if wanted & set(every):
        return None
    computed = {name for stmt in first for name in targets(stmt)}
    if not _same_earlier(first, elsewhere, body, counters, pairs):
        return None
    if any(_is_costly(stmt) for stmt in first):
        kept = [replace(stmt, value=held[stmt.target]) if isinstance(stmt, Let) and stmt.target in held
                and every.count(stmt.target) == 1 else stmt for stmt in kept]  # fmt: skip
    idle = computed | {name for one in elsewhere for name in names(one.stmt.value)}
    while len(needed := _needed(kept, idle)) < len(kept):
        kept = needed
    return None if any(_is_costly(stmt) for stmt in kept if stmt in first) else (tuple(first), tuple(kept))


def _needed(body: list[Stmt], idle: set[str]) -> list[Stmt]:
    """The statements of a body without names that may be idle and that no other one reads."""
    read = {name for stmt in body for e in stmt_exprs(stmt) for name in names(e)}
    return [stmt for stmt in body if not (isinstance(stmt, Let) and stmt.target in idle - read)]


def _is_costly(stmt: Stmt) -> bool:
    return any(isinstance(e, Call) and member(e.fn, COSTLY) for expr in stmt_exprs(stmt) for e in subexprs(expr))


def _same_earlier(first: list[Stmt], elsewhere: list[Addition], body: Block, counters: set[str], pairs: Pairs) -> bool:
    """Whether values are the same before all iterations as in theirs: these write to what they have read, at most."""
    known: set[str] = set()
    at = {id(stmt): k for k, stmt in enumerate(body)}
    later = {name for stmt in first for name in targets(stmt)}
    written = {name: stmt for stmt in reversed(body) if (name := stored_name(stmt)) is not None}  # the first ones
    for stmt in (*first, *(one.stmt for one in elsewhere)):
        value = stmt.value  # type: ignore[union-attr]
        if names(value) & (later - known):
            return False
        for name, store in written.items():
            if not any(pairs.may_share(read, name) for read in content_names(value)):
                continue
            if at[id(stmt)] > at[id(store)] or not _is_own(value, body, name, counters, pairs):
                return False
        known |= set(targets(stmt))
    return True


def _is_own(value: Expr, body: Block, name: str, counters: set[str], pairs: Pairs) -> bool:
    """Whether a value reads of an array the one element only that its iteration writes to, and no other iteration."""
    places = {_place(stmt) for stmt in body if stored_name(stmt) == name}
    reads = [e for e in subexprs(value) if isinstance(e, Call) and e.fn is operator.getitem]
    elements = [e for e in reads if isinstance(e.args[0], Var) and e.args[0].name == name]
    mentions = sum(isinstance(e, Var) and pairs.may_share(e.name, name) for e in subexprs(value))
    (place, *others) = places
    if place is None or others or mentions != len(elements):
        return False
    items = items_of(place)
    indices = {at[0] for item in items if (at := linear(item)) is not None}
    return counters <= indices and all(e.args[1] == place for e in elements)


def _place(stmt: Stmt) -> Expr | None:
    match stmt:
        case Store(_, index) | Accum(Call(operator.getitem, (Var(), index))):
            return index
    return None


# ---------------------------------------------------------------- the elements around


def rims(wide: Wide, own: Offsets, elsewhere: list[Addition], fresh: Callable[[str], str]) -> Block | None:
    """What is added to the elements that are no iteration's own; None if that would be long."""
    spans = wide.spans
    low = [min(one.offset[k] for one in elsewhere) for k in range(len(spans))]
    high = [max(one.offset[k] for one in elsewhere) for k in range(len(spans))]
    sides = [[*range(low[k], own[k]), None, *range(own[k] + 1, high[k] + 1)] for k in range(len(spans))]
    counters = [Var(fresh(span.loop.index), INT) for span in spans]
    nests: dict[tuple[int, ...], list[Stmt]] = {}
    for side in itertools.product(*sides):
        reaching = [one for one in elsewhere if all(map(_reaches, one.offset, side, own))]
        if not reaching or all(at is None for at in side):
            continue
        edges = [_edge(span, at, least) for span, at, least in zip(spans, side, own)]
        places = [plus(counter, least) if edge is None else plus(edge, at)
                  for counter, least, at, edge in zip(counters, own, side, edges)]  # fmt: skip
        terms = [wide.element(one, places) for one in reaching]
        target = moved(elsewhere[0].stmt.target, spans, places)
        axes = tuple(k for k, at in enumerate(side) if at is None)
        nests.setdefault(axes, []).append(Accum(target, total(terms), elsewhere[0].stmt.origin))
    if sum(map(len, nests.values())) > MOST:
        return None
    result: list[Stmt] = []
    for axes, stmts in nests.items():
        block = tuple(stmts)
        for k in reversed(axes):
            span = spans[k]
            stop = plus(span.count, span.low)
            block = (For(counters[k].name, Const(span.low, INT), stop, Const(1, INT), block, None, block[0].origin),)
        result.extend(block)
    return tuple(result)


def _reaches(offset: int, side: int | None, own: int) -> bool:
    """Whether an addition `offset` from the counter gets to this element beside those of the iterations."""
    return side is None or (offset <= side if side < own else offset >= side)


def _edge(span: Span, at: int | None, own: int) -> Expr | None:
    """The counter of the first iteration, or of the last one, from which an element so far away lies outside."""
    if at is None:
        return None
    return Const(span.low, INT) if at < own else plus(span.count, span.low - 1)


def moved(target: Expr, spans: list[Span], places: list[Expr]) -> Expr:
    """The element of an array that is added to, with other subscripts in the place of the loops' counters."""
    assert isinstance(target, Call)
    base, index = target.args
    own = {span.loop.index: place for span, place in zip(spans, places)}
    items = items_of(index)
    return replace(target, args=(base, index_of([own.get((linear(i) or (None,))[0], i) for i in items])))  # type: ignore


def guarded(spans: list[Span], block: Block, stmt: Stmt) -> If:
    """A block for nests that have iterations."""
    counts = tuple(dict.fromkeys(span.count for span in spans))
    least = Call(min, counts, (), INT) if len(counts) > 1 else counts[0]
    return If(Call(operator.gt, (least, Const(0, INT)), (), BOOL), block, (), replace(stmt.origin, adjoint=False))
