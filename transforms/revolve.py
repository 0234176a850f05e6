"""revolve: loops in segments that keep only some of the states that segments start with; part of `derive`.

Before the loop it is said for how many states there is room. The forward loop keeps those from which fewest iterations
are run again (`srcad.runtime.schedule`); nobody knows how often a while loop goes round, so that whenever the room is
full, every other state goes. The reverse loop takes the last state that is kept, runs segments again up to the one to
be reversed, and has room for further states on the way.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.lang.arrays import axis_length
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Store, Var, While, and_, hint,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, INT, Array, Dim, Static, is_array
from srcad.runtime import states_kept, stride
from srcad.runtime.schedule import PLANS
from srcad.transforms import decisions
from srcad.transforms.context import Context, Iteration, upcoming
from srcad.transforms.segments import NOTE, most
from srcad.transforms.starts import length
from srcad.transforms.one_tape import ZERO, Tape, op
from srcad.transforms.tape import ONE, Counting, counting_of, minus

Two = tuple[list[Stmt], list[Stmt]]
_KEPT = "some states are kept; backwards, segments are run again from the last of them"


def plans(fn: Function) -> dict[str, Call]:
    """The lengths of segments that a function computes of the room that there is."""
    lets = (stmt for stmt in walk.statements(fn.body) if isinstance(stmt, Let))
    return {s.target: s.value for s in lets if isinstance(s.value, Call) and s.value.fn in PLANS}


def plan(ctx: Context, loop: For | While) -> str | None:
    """The length of the segments that a loop goes over, if there is limited room for their states."""
    if not ctx.plans or loop.origin.note != NOTE:
        return None
    segment = next((stmt for stmt in loop.body if isinstance(stmt, (For, While)) and most(stmt) is not None), None)
    every = most(segment) if segment else None
    return every.name if isinstance(every, Var) and every.name in ctx.plans else None


def unplanned(ctx: Context, block: Block) -> Block:
    """Without the lengths of segments that are computed anew beside them, where it is known what a state takes.

    A loop that is run without a record, since an outer one runs it again, keeps the length it has.
    """
    anew = {s.target for s in block if isinstance(s, Let) and s.target in ctx.replanned and not _is_planned(ctx, s)}

    def inside(stmt: Stmt) -> Stmt:
        return walk.map_stmt(lambda e: e, stmt, lambda body: unplanned(ctx, body)) if walk.blocks(stmt) else stmt

    return tuple(inside(s) for s in block if not (isinstance(s, Let) and s.target in anew and _is_planned(ctx, s)))


def _is_planned(ctx: Context, stmt: Let) -> bool:
    return stmt.value is ctx.plans.get(stmt.target)


def revolved(ctx: Context, loop: For | While, it: Iteration, origin: Origin) -> Two | None:
    """The forward loop that keeps some states, and the reverse loop; None where states change their shapes."""
    types = {**{name: ctx.types[name] for name in it.arrays}, **it.settled}
    tapes = [Tape.of(ctx, name, new, types.get(name)) for name, new in (it.carried | it.arrays).items()]
    every = plan(ctx, loop)
    if every is None or it.elements or not tapes or not all(tape.fixed for tape in tapes):
        return None
    return _Revolved(ctx, loop, it, origin, tapes, every, counting_of(ctx, loop, it)).made()


@dataclass
class _Revolved:
    ctx: Context
    loop: For | While
    it: Iteration
    origin: Origin
    tapes: list[Tape]
    every: str
    counting: Counting

    def made(self) -> Two:
        ctx = self.ctx
        self.slots, self.count, self.first = (self.number(name) for name in ("states", "kept", "first"))
        self.turn = self.number("turn")
        self.positions = Var(ctx.fresh("kept_at"), Array("int64", (self.slots.name,), "C"))
        ctx.types[self.positions.name] = self.positions.type
        for t in self.tapes:
            why = decisions.CHANGED if t.source.name in self.it.arrays else decisions.STARTS
            record = decisions.Record(t.name, t.source, t.restored, self.loop.origin, why, t.type, self.slots, True)
            ctx.decisions.keep(record)
        names = sorted({hint(t.source.name) for t in self.tapes})
        ctx.decisions.loop(self.loop.origin, False, f"it records {', '.join(names)} where some of its segments start")
        return self.forward(), [self.reverse()]

    def number(self, name: str) -> Var:
        name = self.ctx.fresh(name)
        self.ctx.types[name] = INT
        return Var(name, INT)

    # ------------------------------------------------------------ forward

    def forward(self) -> list[Stmt]:
        counting = replace(self.counting, trips=self.slots, grows=False)
        int64 = Const(np.int64, Static(np.int64))
        before: list[Stmt] = [
            *self.it.before, *self.sizes(), *(tape.allocate(counting.trips) for tape in self.tapes),
            Let(self.positions.name, Call(np.empty, (self.slots, int64), (), self.positions.type)),
        ]  # fmt: skip
        keep = self.unknown() if self.counting.grows else self.known()
        starting = (self.count, self.turn) if not self.counting.counter else (
            self.count, self.turn, Var(self.counting.counter, INT))  # fmt: skip
        values = (ZERO, ONE if self.counting.grows else ZERO, ZERO)[: len(starting)]
        before.append(Move(tuple(name.name for name in starting), values))
        body = (*keep, *self.loop.body)
        if self.counting.counter:
            body = (*body, Move((self.counting.counter,), (op(operator.add, starting[-1], ONE),)))
        loop = replace(self.loop, body=body, origin=replace(self.loop.origin, note=_KEPT))
        return [*before, loop, *self.it.behind]

    def kept(self, slot: Expr, following: tuple[Var, Expr] | None) -> Block:
        """The state is kept; `following` is a name, and the segment whose start is kept next."""
        places = [tape.record(self.count) for tape in self.tapes]
        more: list[tuple[Var, Expr]] = [(self.count, op(operator.add, self.count, ONE))]
        more += [following] if following else []
        moves = [Move((name.name,), (value,)) for name, value in more]
        return (*places, Store(self.positions, self.count, slot), *moves)

    def known(self) -> Block:
        """Keep a state where the schedule says so."""
        trips, slot = self.counting.trips, self.number("k")
        # The loop goes on to its end, where it is not yet reversed: as if there were one segment more.
        left = op(operator.add, minus(trips, slot), ONE)
        further = op(stride, left, minus(self.slots, self.count))
        then = self.kept(slot, (self.turn, op(operator.add, slot, further)))
        return Let(slot.name, self.counting.slot), If(op(operator.eq, slot, self.turn, type=BOOL), then)

    def unknown(self) -> Block:
        """Keep a state if it is its turn; if there is no room left, every other one goes first."""
        slot, other = self.counting.slot, self.number("k")
        due = op(operator.eq, op(operator.mod, slot, self.turn), ZERO, type=BOOL)
        full = op(operator.eq, self.count, self.slots, type=BOOL)
        half = op(operator.floordiv, op(operator.add, self.slots, ONE), Const(2, INT))
        twice = op(operator.mul, Const(2, INT), other)
        arrays = [*(tape.var for tape in self.tapes), self.positions]
        rows = [*(tape.source.type for tape in self.tapes), INT]
        thinned = tuple(Store(a, other, Call(operator.getitem, (a, twice), (), r)) for a, r in zip(arrays, rows))
        thin: Block = (
            For(other.name, ZERO, half, ONE, thinned),
            Move((self.count.name,), (half,)),
            Move((self.turn.name,), (op(operator.mul, Const(2, INT), self.turn),)),
        )
        return If(Call(and_, (due, full), (), BOOL), thin), If(due, self.kept(slot, None))

    # ------------------------------------------------------------ backwards

    def reverse(self) -> For:
        back = self.number("k")
        following, again = self.number("turn"), self.number("again")
        last = minus(self.count, ONE)
        free = minus(self.slots, self.count)
        left = op(operator.add, minus(back, self.first), ONE)
        start: list[Stmt] = [
            Let(back.name, self.counting.back),
            Let(self.first.name, Call(operator.getitem, (self.positions, last), (), INT)),
            *(Move((tape.restored,), (_copied(tape, last),)) for tape in self.tapes),
            Move((following.name,), (op(operator.add, self.first, op(stride, left, free)),)),
        ]
        further = op(stride, op(operator.add, minus(back, again), ONE), free)
        # What is restored has the name of the state while iterations are run again.
        states: dict[str, Expr] = {tape.source.name: Var(tape.restored, tape.source.type) for tape in self.tapes}
        kept = self.kept(again, (following, op(operator.add, again, further)))
        keep = If(op(operator.eq, again, following, type=BOOL), walk.substitute_in(kept, states))
        run = For(again.name, self.first, back, ONE, (keep, *self.advance(again)), origin=self.origin)
        used = op(operator.eq, self.first, back, type=BOOL)
        pop = If(used, (Move((self.count.name,), (last,)),))
        index, first, stop, step = self.counting.header
        body = (*self.counting.prologue, *start, run, pop, *self.it.code)
        return For(index, first, stop, step, body, None, self.origin)

    def advance(self, again: Var) -> Block:
        """A segment without its reverse, from state to state."""
        ctx, loop = self.ctx, self.loop
        names = {n: ctx.again(n) for n in sorted(walk.defined(self.it.advance)) if n in ctx.types}
        code = walk.rename(self.it.advance, names)
        opening: list[Stmt] = []
        if isinstance(loop, For):
            index = self.number(loop.index)
            offset = again if walk.is_const(loop.step, 1) else op(operator.mul, again, loop.step)
            value = offset if walk.is_const(loop.start, 0) else op(operator.add, loop.start, offset)
            opening.append(Let(index.name, value))
            indexes = {loop.index, *(stmt.target for stmt in self.counting.prologue if isinstance(stmt, Let))}
            code = walk.substitute_in(code, dict.fromkeys(indexes, index))
        nexts = {s.target: s.value for s in code if isinstance(s, Let) and s.target.endswith("~next")}
        code = walk.without(code, lambda stmt: isinstance(stmt, Let) and stmt.target in nexts)
        moved = [(new, nexts[upcoming(name)]) for name, new in self.it.carried.items() if upcoming(name) in nexts]
        end = (Move(tuple(new for new, _ in moved), tuple(value for _, value in moved)),) if moved else ()
        return (*opening, *code, *end)

    # ------------------------------------------------------------ sizes

    def sizes(self) -> list[Stmt]:
        """How long segments are, and how many states are kept."""
        ctx, call = self.ctx, self.ctx.plans[self.every]
        ctx.replanned.add(self.every)
        every = Var(self.every, INT)
        if len(call.args) == 2:
            return [Let(self.every, call.args[0]), Let(self.slots.name, call.args[1])]
        trips, _, _, memory = call.args
        state = _sum([Const(8, INT), *(self.bytes(t.type, t.source) for t in self.tapes)])
        inner = [stmt for stmt in self.it.code if isinstance(stmt, Let) and stmt.target.endswith("~tape")]
        step = _sum([self.bytes(stmt.value.type, None) for stmt in inner])  # type: ignore[union-attr, arg-type]
        return [
            Let(self.every, op(call.fn, trips, state, step, memory)),
            Let(self.slots.name, op(states_kept, trips, every, state, step, memory)),
        ]

    def bytes(self, kind: Array, source: Var | None) -> Expr:
        """What a slot of a record takes."""
        size: Expr = Const(np.dtype(kind.dtype).itemsize, INT)
        for axis, dim in enumerate(kind.shape[1:]):
            found = axis_length(source, axis) if source else self.dimension(dim)
            size = op(operator.mul, size, found) if found is not None else size
        return size

    def dimension(self, dim: Dim) -> Expr | None:
        """A length that can be asked before the loop."""
        for tape in self.tapes:
            for axis, known in enumerate(getattr(tape.source.type, "shape", ())):
                if self.ctx.dimensions.same(known, dim):
                    return axis_length(tape.source, axis)
        fn = self.ctx.decisions.function
        return length({p.name: Var(p.name, p.type) for p in fn.params} if fn else {}, dim)




def _copied(tape: Tape, slot: Expr) -> Expr:
    """A state that is kept, which iterations may write to."""
    value = tape.slot(slot)
    return Call(np.copy, (value,), (), tape.source.type) if is_array(tape.source.type) else value


def _sum(sizes: list[Expr]) -> Expr:
    whole = sum(size.value for size in sizes if isinstance(size, Const))
    total: Expr | None = None
    for size in (size for size in sizes if not isinstance(size, Const)):
        total = size if total is None else op(operator.add, total, size)
    if total is None or not whole:
        return Const(whole, INT) if total is None else total
    return op(operator.add, total, Const(whole, INT))
