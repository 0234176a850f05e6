"""segments: loops that are reversed segment by segment, from the state that each started with.

``for t in range(n)`` becomes ``for segment in range(0, n, every): for t in range(segment, min(segment + every, n))``,
which does the same. The reverse of two loops, one in the other, does the rest: the outer one records what a segment
starts with, and its reverse runs the inner one again, with a record as long as a segment. Where the room for these
states is limited, `revolve` keeps some of them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Stmt, Var, While, and_
from srcad.lang.origin import Origin
from srcad.runtime import segment_length
from srcad.transforms.flatten import fresh_names
from srcad.transforms.over_structures import trips_of

INNER = "~"  # marks the loop over one segment
NOTE = "once a segment, the state is kept; backwards, each segment is run again from there"
_FEW = 64  # iterations of which a record is no matter

Place = tuple[str, int, int]


def place_of(origin: Origin) -> Place:
    return origin.filename, origin.line, origin.column


def in_segments(loop: For, every: Expr, segment: str) -> For:
    """A loop as a loop over its segments, which is left when the loop over one of them is.

    >>> from srcad.lang.write import write
    >>> loop = For("t", Const(0), Var("n"), Const(1), ())
    >>> print(write(Function("f", (), (in_segments(loop, Var("every"), "segment"),))).text.split(":", 1)[1], end="")
    <BLANKLINE>
        # once a segment, the state is kept; backwards, each segment is run again from there
        for segment in range(0, n, every):
            for t in range(segment, min(segment + every, n)):
                pass
    """
    assert isinstance(loop.step, Const)
    stride = every if walk.is_const(loop.step, 1) else Call(operator.mul, (every, loop.step))
    end = Call(operator.add, (Var(segment), stride))
    stop = Call(min if loop.step.value > 0 else max, (end, loop.stop))
    inner = replace(loop, start=Var(segment), stop=stop, origin=replace(loop.origin, note=INNER))
    origin = replace(loop.origin, note=NOTE)
    return replace(loop, index=segment, step=stride, body=(inner,), origin=origin)


def square_root(trips: Expr) -> Expr:
    """The length of segments that needs least memory: about the square root of the number of iterations."""
    return Call(operator.add, (Call(int, (Call(np.sqrt, (trips,)),)), Const(1)))


def segmented(fn: Function, places: Collection[Place], memory: int) -> Function:
    """The outermost of the loops at these places in segments, with so many bytes for what they record.

    `fn` is on the surface.

    >>> from srcad.lang.origin import Origin
    >>> loop = While(Var("x"), (Let("x", Const(False)),), Origin("f.py", 2, 4))
    >>> from srcad.lang.write import write
    >>> print(write(segmented(Function("f", (), (loop,)), [("f.py", 2, 4)], 800)).text.split(":", 1)[1], end="")
    <BLANKLINE>
        every = segment_length(-1, 0, 0, 800)
        # once a segment, the state is kept; backwards, each segment is run again from there
        while x:
            done = 0
            while done < every and x:
                done = done + 1
                x = False
    """
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    several = sum(place_of(stmt.origin) in places for stmt in walk.statements(fn.body))
    return replace(fn, body=_block(fn.body, places, _Names(fresh_names(used), memory // max(several, 1))))


@dataclass(frozen=True)
class _Names:
    """Fresh names, and the memory that each loop may take."""

    fresh: Callable[[str], str]
    memory: int

    def every(self, trips: Expr, origin: Origin) -> Let:
        """The length of segments; `revolve` says how many bytes a state and an iteration take."""
        sizes = (trips, Const(0), Const(0), Const(self.memory))
        return Let(self.fresh("every"), Call(segment_length, sizes), origin)


def _block(block: Block, places: Collection[Place], names: _Names) -> Block:
    return tuple(new for stmt in block for new in _statement(stmt, places, names))


def _statement(stmt: Stmt, places: Collection[Place], names: _Names) -> list[Stmt]:
    place = place_of(stmt.origin)
    if isinstance(stmt, For) and place in places and isinstance(stmt.step, Const):
        return _counted(stmt, names)
    if isinstance(stmt, While) and place in places:
        return _uncounted(stmt, names)
    return [walk.map_stmt(lambda e: e, stmt, lambda inner: _block(inner, places, names))]


def _counted(loop: For, names: _Names) -> list[Stmt]:
    known = trips_of(loop.start, loop.stop, loop.step)
    if known is not None and len(known) <= _FEW:
        return [loop]
    before: list[Stmt] = []

    def fixed(bound: Expr, name: str) -> Expr:
        """A bound that the loop does not change."""
        if isinstance(bound, Const) or isinstance(bound, Var) and bound.name not in walk.assigned(loop.body):
            return bound
        before.append(Let(names.fresh(name), bound, loop.origin))
        return Var(before[-1].target)  # type: ignore[union-attr, arg-type]

    start, stop = fixed(loop.start, "first"), fixed(loop.stop, "stop")
    trips: Expr = Call(len, (Call(range, (start, stop, loop.step)),))
    if walk.is_const(loop.step, 1):
        trips = Call(max, (stop if walk.is_const(start, 0) else Call(operator.sub, (stop, start)), Const(0)))
    every = names.every(trips, loop.origin)
    loop = replace(loop, start=start, stop=stop)
    return [*before, every, in_segments(loop, Var(every.target), names.fresh("segment"))]


def _uncounted(loop: While, names: _Names) -> list[Stmt]:
    every, done = names.every(Const(-1), loop.origin), names.fresh("done")
    more = Let(done, Call(operator.add, (Var(done), Const(1))), loop.origin)
    test = Call(and_, (Call(operator.lt, (Var(done), Var(every.target))), loop.test))
    inner = replace(loop, test=test, body=(more, *loop.body), origin=replace(loop.origin, note=INNER))
    outer = replace(loop, body=(Let(done, Const(0), loop.origin), inner))
    return [every, replace(outer, origin=replace(loop.origin, note=NOTE))]


def most(loop: For | While) -> Expr | None:
    """The length of a segment, of a loop over one."""
    match loop:
        case For(stop=Call(args=(Call(args=(_, length)), _))) if loop.origin.note == INNER:
            return _factor(length, loop.step)
        case While(test=Call(args=(Call(args=(_, length)), *_))) if loop.origin.note == INNER:
            return length
    return None


def _factor(stride: Expr, step: Expr) -> Expr:
    return stride if walk.is_const(step, 1) or not isinstance(stride, Call) else stride.args[0]
