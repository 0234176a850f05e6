"""tape: the forward loop that records, and the reverse loop that reads the records; part of `record`.

A record is an array with one slot an iteration, allocated once with its final size; only where the number of
iterations is not known beforehand does it grow.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace


from srcad.analysis.buffers import stored_names
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, If, Let, Move, Stmt, Var, While, hint,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, INT, Array, Static, is_elastic
from srcad.transforms import decisions, state
from srcad.transforms.bars import Bars
from srcad.transforms.context import Context, Counters, Fusable, Iteration, reads_of
from srcad.transforms.integers import is_length
from srcad.transforms.own_elements import own_elements
from srcad.transforms.segments import most
from srcad.transforms.one_tape import ZERO, Tape, op
from srcad.transforms.over_structures import trips_of
from srcad.transforms.touched import is_there, narrowed, part_of
from srcad.transforms.undone import Undone, undone

ONE = Const(1, INT)
FIRST_CAPACITY = 64


def minus(a: Expr, b: Expr) -> Expr:
    """``a - b`` of integers, folded where constants allow."""
    if walk.is_const(b, 0):
        return a
    if isinstance(a, Const) and isinstance(b, Const):
        return Const(a.value - b.value, INT)
    return op(operator.sub, a, b)


@dataclass
class Counting:
    """How the iterations of a loop are counted and run backwards."""

    slot: Expr  # the record's slot in the forward loop
    back: Expr  # the same in the reverse loop
    trips: Expr  # number of slots to allocate
    grows: bool
    counter: str | None  # a counter that the forward loop must carry
    header: tuple[str, Expr, Expr, Expr]  # index, start, stop, step of the reverse loop
    prologue: list[Stmt]


def assemble(ctx: Context, loop: For | While, it: Iteration, origin: Origin) -> tuple[list[Stmt], list[Stmt]]:
    """The forward loop with its records, and the reverse loop."""
    obstacle = _obstacle(ctx, loop, it)
    _note(ctx, loop, it, obstacle)
    if not obstacle:
        back = replace(loop, body=it.code, origin=origin)
        if isinstance(back, While):  # where the two do not join, another loop goes back
            back = replace(back, test=Const(True, BOOL))
        apart = it.otherwise or (it if it.carried or it.elements or isinstance(loop, While) else None)
        otherwise = taped(ctx, loop, apart, origin) if apart else None
        ctx.fusable[id(back)] = Fusable(back, loop, it.whole, otherwise)
        return [*it.before, loop, *it.behind], [back]
    return taped(ctx, loop, it, origin)


def taped(ctx: Context, loop: For | While, it: Iteration, origin: Origin) -> tuple[list[Stmt], list[Stmt]]:
    """The forward loop with its records, and a reverse loop of its own."""
    plain = isinstance(loop, For) and loop.flag is None
    if it.counters is not None and not it.arrays:
        return _counted_again(ctx, loop, it, it.counters, origin)
    arrays, changed = _changed(ctx, loop, it)
    counting = counting_of(ctx, loop, it)
    trips = None if counting.grows else counting.trips
    carried = [Tape.of(ctx, name, new, it.settled.get(name)) for name, new in it.carried.items()]
    tapes = [*carried, *arrays]
    elements = {name: Tape.of(ctx, name, new, None) for name, new in it.elements.items()}
    every = [*tapes, *elements.values()]
    reasons = {t.name: decisions.STARTS for t in carried} | {t.name: _why(loop, n) for n, t in elements.items()}
    for t in every:
        why = reasons.get(t.name, decisions.CHANGED)
        ctx.decisions.keep(decisions.Record(t.name, t.source, t.restored, loop.origin, why, t.type, trips, t.fixed))
    forward: list[Stmt] = [*it.before, *(t.allocate(counting.trips) for t in every)]
    body: list[Stmt] = [t.growth(counting.slot) for t in every if counting.grows and t.fixed]
    body += [t.record(counting.slot) for t in tapes]
    body += _record_elements(loop.body, elements, counting.slot)
    if counting.counter:
        count = Var(counting.counter, INT)
        forward.append(Move((count.name,), (ZERO,)))
        body.append(Move((count.name,), (op(operator.add, count, ONE),)))
    copies = (state.copy(one.tape.source.name, one.array.name, one.kind, loop.origin) for one in changed)
    forward += [replace(loop, body=tuple(body)), *it.behind, *copies]
    put_back = {one.tape.name for one in changed}
    restores = [t.restore(counting.back) for t in every if t.name not in put_back]
    index, start, stop, step = counting.header
    if plain and independent(ctx, it.code, it.outer, loop) and not it.carried and not it.arrays:
        index, start, stop, step = loop.index, loop.start, loop.stop, loop.step
    code = it.code
    for one in changed:
        code = one.around(code, counting.back)
    reverse = For(index, start, stop, step, (*counting.prologue, *restores, *code), None, origin)
    return forward, [reverse]


def _changed(ctx: Context, loop: For | While, it: Iteration) -> tuple[list[Tape], list[Undone]]:
    """The records of the arrays that the loop changes: of what an iteration touches or overwrites of them, where that
    is known."""
    tapes: list[Tape] = []
    undoing: list[Undone] = []
    again = it.counters.names.values() if it.counters else ()
    changing = {*it.carried.values(), *it.elements.values(), *again}
    for name, new in it.arrays.items():
        kind = ctx.types[name]
        assert isinstance(kind, Array)
        part = None if is_elastic(kind) else part_of(it.code, new, kind, loop, changing)
        if part is not None and not is_there(part, name, kind, loop):
            part = None
        if part is not None:
            it.code = narrowed(it.code, Var(new, kind), part, Var(name, kind))
            ctx.types[new] = ctx.buffers.types[new] = part.type(kind)
            ctx.buffers.parts[new] = part.items
        elif (found := undone(ctx, loop, name, new)) is not None:
            tapes.append(found.tape)
            undoing.append(found)
            continue
        tapes.append(Tape.of(ctx, name, new, kind, part))
    return tapes, undoing


def _counted_again(
    ctx: Context, loop: For | While, it: Iteration, counters: Counters, origin: Origin
) -> tuple[list[Stmt], list[Stmt]]:
    """The two loops where the reverse one, in the order of the forward one, counts as that does."""
    first = {name: ctx.again(name) for name in counters.names}
    before = [Let(new, Var(name, ctx.types[name]), loop.origin) for name, new in first.items()]
    forward, [back] = taped(ctx, loop, replace(it, carried={}, counters=None), origin)
    opening = Move(tuple(counters.names.values()), tuple(Var(new, ctx.types[new]) for new in first.values()), origin)
    assert isinstance(back, For)
    return [*before, *forward], [opening, replace(back, body=(*back.body, *counters.code))]


def _obstacle(ctx: Context, loop: For | While, it: Iteration) -> str:
    """Why an iteration cannot be followed by its own reverse at once; empty, if it can."""
    if isinstance(loop, For) and loop.flag is not None:
        return "it is left early"
    between = handed_on(ctx, it.code, it.outer, loop)
    if it.arrays or ((it.carried or it.elements) and between):
        names = sorted({hint(name) for name in (*it.carried, *it.arrays, *it.elements)})
        return f"it records {', '.join(names)}"
    names = sorted(map(hint, between))
    return f"its iterations hand on the gradient of {', '.join(names)}" if names else ""


def _note(ctx: Context, loop: For | While, it: Iteration, obstacle: str) -> None:
    """Note how the loop is reversed, as far as it is decided here, and the copies that are made around it."""
    ctx.decisions.loop(loop.origin, False, obstacle)
    changed = stored_names(loop.body)
    for copies, early in ((it.before, True), (it.behind, False)):
        for copy in copies:
            assert isinstance(copy, Let) and isinstance(copy.value, Call)
            [source] = copy.value.args
            assert isinstance(source, Var)
            why = decisions.CHANGED if early and source.name in changed else decisions.COPIED_BEFORE
            ctx.decisions.keep(decisions.Record(copy.target, source, copy.target, loop.origin, why, None, None))


def _why(loop: For | While, name: str) -> str:
    """Why an element is recorded: an inner loop computes it, or it is overwritten."""
    inner = (s for s in walk.statements(loop.body) if isinstance(s, Move))
    return decisions.COMPUTED if any(name in s.targets for s in inner) else decisions.OVERWRITTEN


def counting_of(ctx: Context, loop: For | While, it: Iteration) -> Counting:
    if isinstance(loop, While) or loop.flag is not None:
        return _counted(ctx, loop, it)
    index = Var(loop.index, INT)
    start, stop, step = loop.start, loop.stop, loop.step
    if walk.is_const(step, 1):
        slot = minus(index, start)
        trips: Expr = minus(stop, start)
        if not (walk.is_const(start, 0) and never_negative(ctx, stop)):
            trips = _natural(trips)
        trips = most(loop) or trips
        header: tuple[str, Expr, Expr, Expr] = (loop.index, minus(stop, ONE), minus(start, ONE), Const(-1, INT))
        return Counting(slot, slot, trips, False, None, header, [])
    if walk.is_const(step, -1):
        slot, trips = minus(start, index), most(loop) or _natural(minus(start, stop))
        header = (loop.index, _next(stop), _next(start), ONE)
        return Counting(slot, slot, trips, False, None, header, [])
    trips = op(len, op(range, start, stop, step, type=Static(range)))
    slot = op(operator.floordiv, minus(index, start), step)
    last = op(operator.add, start, op(operator.mul, minus(trips, ONE), step))
    header = (loop.index, last, minus(start, step), _negative(step))
    return Counting(slot, slot, trips, False, None, header, [])


def _natural(count: Expr) -> Expr:
    """``max(count, 0)``"""
    return Const(max(count.value, 0), INT) if isinstance(count, Const) else op(max, count, ZERO)


def never_negative(ctx: Context, count: Expr) -> bool:
    """Whether a number of iterations is surely not negative."""
    return is_length(count) or isinstance(count, Var) and count.name in ctx.lengths


def _next(value: Expr) -> Expr:
    """``value + 1`` of an integer."""
    match value:
        case Const():
            return Const(value.value + 1, INT)
        case Call(operator.sub, (whole, Const(1))):
            return whole
    return op(operator.add, value, ONE)


def _negative(step: Expr) -> Expr:
    return Const(-step.value, INT) if isinstance(step, Const) else op(operator.neg, step)


def _counted(ctx: Context, loop: For | While, it: Iteration) -> Counting:
    counter, back = ctx.fresh("_k"), ctx.fresh("_k")
    ctx.types[counter] = ctx.types[back] = INT
    prologue: list[Stmt] = []
    if isinstance(loop, For) and loop.index in reads_of(it.code):
        index = ctx.again(loop.index)
        it.code = tuple(walk.map_stmt(lambda e: walk.substitute(e, {loop.index: Var(index, INT)}), s) for s in it.code)
        offset = Var(back, INT) if walk.is_const(loop.step, 1) else op(operator.mul, Var(back, INT), loop.step)
        value = offset if walk.is_const(loop.start, 0) else op(operator.add, loop.start, offset)
        prologue = [Let(index, value)]
    header = (back, minus(Var(counter, INT), ONE), Const(-1, INT), Const(-1, INT))
    trips = most(loop) or _few(loop)
    room = trips or Const(FIRST_CAPACITY, INT)
    return Counting(Var(counter, INT), Var(back, INT), room, trips is None, counter, header, prologue)


def _few(loop: For | While) -> Const | None:
    """How many iterations a loop makes at most, if these are no more than a record has room for in the beginning."""
    trips = trips_of(loop.start, loop.stop, loop.step) if isinstance(loop, For) else None
    return Const(len(trips), INT) if trips is not None and len(trips) <= FIRST_CAPACITY else None


def _record_elements(block: Block, tapes: dict[str, Tape], slot: Expr) -> list[Stmt]:
    result: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, If):
            then = tuple(_record_elements(stmt.then, tapes, slot))
            stmt = replace(stmt, then=then, orelse=tuple(_record_elements(stmt.orelse, tapes, slot)))
        result.append(stmt)
        names: tuple[str, ...] = (stmt.target,) if isinstance(stmt, Let) else ()
        if isinstance(stmt, (For, While)) and stmt.body and isinstance(stmt.body[-1], Move):
            names = stmt.body[-1].targets
        result += [tapes[name].record(slot) for name in names if name in tapes]
    return result


def independent(ctx: Context, code: Block, outer: set[str], loop: For | While | None = None) -> bool:
    """Whether the iterations of a reverse loop may run in any order: they only add to the cotangents in `outer`, or
    keep to elements of their own."""
    return not handed_on(ctx, code, outer, loop)


def handed_on(ctx: Context, code: Block, outer: set[str], loop: For | While | None = None) -> set[str]:
    """The cotangents from outside through which an iteration of a reverse loop depends on another."""
    bars = Bars(code, ctx.view_bars())
    found = bars.reach(outer) & (bars.assigned(code) | (bars.added(code) & bars.read(code)))
    return found - own_elements(ctx, code, found, loop)
