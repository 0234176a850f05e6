"""segments: loops that are reversed segment by segment, from the state that each started with.

``for t in range(n)`` becomes ``for segment in range(0, n, every): for t in range(segment, min(segment + every, n))``,
which does the same. The reverse of two loops, one in the other, does the rest: the outer one records what a segment
starts with, and its reverse runs the inner one again, with a record as long as a segment. While loops, whose iterations
nobody can count beforehand, get segments that are longer by one each time, so that there are as many as the last is
long.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Stmt, Var, While, and_
from srcad.lang.origin import Origin
from srcad.transforms.flatten import fresh_names

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


def segmented(fn: Function, places: Collection[Place]) -> Function:
    """The outermost of the loops at these places in segments; a function on the surface.

    >>> from srcad.lang.origin import Origin
    >>> loop = While(Var("x"), (Let("x", Const(False)),), Origin("f.py", 2, 4))
    >>> from srcad.lang.write import write
    >>> print(write(segmented(Function("f", (), (loop,)), [("f.py", 2, 4)])).text.split(":", 1)[1], end="")
    <BLANKLINE>
        length = 0
        # once a segment, the state is kept; backwards, each segment is run again from there
        while x:
            length = length + 1
            left = length
            while left > 0 and x:
                left = left - 1
                x = False
    """
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    return replace(fn, body=_block(fn.body, places, fresh_names(used)))


def _block(block: Block, places: Collection[Place], fresh: Callable[[str], str]) -> Block:
    return tuple(new for stmt in block for new in _statement(stmt, places, fresh))


def _statement(stmt: Stmt, places: Collection[Place], fresh: Callable[[str], str]) -> list[Stmt]:
    place = place_of(stmt.origin)
    if isinstance(stmt, For) and place in places and isinstance(stmt.step, Const):
        return _counted(stmt, fresh)
    if isinstance(stmt, While) and place in places:
        return _growing(stmt, fresh)
    return [walk.map_stmt(lambda e: e, stmt, lambda inner: _block(inner, places, fresh))]


def _counted(loop: For, fresh: Callable[[str], str]) -> list[Stmt]:
    match loop.start, loop.stop, loop.step:
        case Const(value=int() as a), Const(value=int() as b), Const(value=int() as c) if len(range(a, b, c)) <= _FEW:
            return [loop]
    before: list[Stmt] = []

    def fixed(bound: Expr, name: str) -> Expr:
        """A bound that the loop does not change."""
        if isinstance(bound, Const) or isinstance(bound, Var) and bound.name not in walk.assigned(loop.body):
            return bound
        before.append(Let(fresh(name), bound, loop.origin))
        return Var(before[-1].target)  # type: ignore[union-attr, arg-type]

    start, stop = fixed(loop.start, "first"), fixed(loop.stop, "stop")
    trips: Expr = Call(len, (Call(range, (start, stop, loop.step)),))
    if walk.is_const(loop.step, 1):
        trips = Call(max, (stop if walk.is_const(start, 0) else Call(operator.sub, (stop, start)), Const(0)))
    every = fresh("every")
    before.append(Let(every, square_root(trips), loop.origin))
    return [*before, in_segments(replace(loop, start=start, stop=stop), Var(every), fresh("segment"))]


def _growing(loop: While, fresh: Callable[[str], str]) -> list[Stmt]:
    length, left = fresh("length"), fresh("left")
    longer = Let(length, Call(operator.add, (Var(length), Const(1))), loop.origin)
    less = Let(left, Call(operator.sub, (Var(left), Const(1))), loop.origin)
    test = Call(and_, (Call(operator.gt, (Var(left), Const(0))), loop.test))
    inner = replace(loop, test=test, body=(less, *loop.body))
    body = (longer, Let(left, Var(length), loop.origin), inner)
    return [Let(length, Const(0), loop.origin), replace(loop, body=body, origin=replace(loop.origin, note=NOTE))]
