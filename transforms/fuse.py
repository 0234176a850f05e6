"""fuse: a loop and its reverse become one loop.

Where the iterations are independent and the cotangents of what the loop sums up are known before it starts, as for
every ``loss += ...``, nothing is replayed: an iteration is followed by its own reverse.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import stored_names
from srcad.lang import walk
from srcad.lang.ir import Block, For, Stmt
from srcad.transforms.bars import Bars
from srcad.transforms.context import Context, Fusable, Sweeps, is_bar, reads_of
from srcad.transforms.state import contents_of


def fuse(ctx: Context, sweeps: Sweeps) -> Sweeps:
    """Move reverse loops into their forward loops, with all of the reverse sweep that comes before them."""
    forward, reverse = list(sweeps.forward), list(sweeps.reverse)
    hoisted: list[Stmt] = []
    position = 0
    while position < len(reverse):
        found = ctx.fusable.get(id(reverse[position]))
        place = _place(forward, found)
        if found is None or place is None:
            position += 1
        elif _may_move(ctx, forward[place:], [*hoisted, *reverse[:position]], hoisted, found.back):
            hoisted += reverse[:position]
            moved = {id(s) for s in hoisted}
            before = [s for s in forward[:place] if id(s) not in moved]
            behind = [s for s in forward[place + 1 :] if id(s) not in moved]
            assert isinstance(found.loop, For)
            forward = [*before, *hoisted, replace(found.loop, body=found.whole), *behind]
            del reverse[: position + 1]
            position = 0
        elif found.otherwise is not None:
            forward[place : place + 1], reverse[position : position + 1] = found.otherwise
        else:
            position += 1
    return Sweeps(tuple(forward), tuple(reverse))


def stay(ctx: Context, sweeps: Sweeps) -> Sweeps:
    """The two sweeps of a branch: its loops cannot join, since what follows the branch comes between."""
    forward, reverse = list(sweeps.forward), list(sweeps.reverse)
    for back in sweeps.reverse:
        found = ctx.fusable.get(id(back))
        place = _place(forward, found)
        if found is not None and place is not None and found.otherwise is not None:
            position = next(i for i, s in enumerate(reverse) if s is back)
            forward[place : place + 1], reverse[position : position + 1] = found.otherwise
    return Sweeps(tuple(forward), tuple(reverse))


def _place(forward: list[Stmt], found: Fusable | None) -> int | None:
    return None if found is None else next((i for i, s in enumerate(forward) if s is found.loop), None)


def _may_move(ctx: Context, rest: list[Stmt], moving: list[Stmt], hoisted: list[Stmt], back: Stmt) -> bool:
    """Whether `moving` and then the reverse loop `back` may run before the rest of the forward sweep has run."""
    ids = {id(s) for s in hoisted}
    remaining: Block = tuple(s for s in rest if id(s) not in ids)
    unknown = walk.assigned(remaining)
    own = {n for n in walk.assigned((*moving, back)) if not is_bar(n)}
    if (reads_of((*moving, back)) - own) & unknown:
        return False
    if _conflict(ctx, remaining, (*moving, back)):
        return False
    stored = {n for n in stored_names(remaining) if not is_bar(n)}
    return not any(ctx.buffers.may_share(name, other) for name in contents_of(tuple(moving)) for other in stored)


def _conflict(ctx: Context, staying: Block, moving: Block) -> bool:
    """Whether two pieces must keep their order: one assigns or adds to a cotangent that the other one reads."""
    bars = Bars((*staying, *moving), ctx.view_bars())

    def after(first: Block, second: Block) -> bool:
        return bool((bars.assigned(first) | bars.added(first)) & (bars.read(second) | bars.assigned(second)))

    return after(staying, moving) or after(moving, staying)
