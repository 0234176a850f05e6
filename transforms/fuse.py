"""fuse: a loop and its reverse become one loop.

Where the iterations are independent and the cotangents of what the loop sums up are known before it starts, as for
every ``loss += ...``, nothing is replayed: an iteration is followed by its own reverse.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import stored_names
from srcad.lang import walk
from srcad.lang.ir import Block, For, Stmt
from srcad.transforms.context import Context, Sweeps, is_bar, reads_of
from srcad.transforms.state import contents_of


def fuse(ctx: Context, sweeps: Sweeps) -> Sweeps:
    """Move reverse loops into their forward loops, with all of the reverse sweep that comes before them."""
    forward, reverse = list(sweeps.forward), list(sweeps.reverse)
    hoisted: list[Stmt] = []
    position = 0
    while position < len(reverse):
        back, loop, whole = ctx.fusable.get(id(reverse[position]), (None, None, ()))
        place = next((i for i, s in enumerate(forward) if s is loop), None) if loop is not None else None
        if place is None or not _may_move(ctx, forward[place:], [*hoisted, *reverse[:position]], hoisted, back):
            position += 1
            continue
        hoisted += reverse[:position]
        moved = {id(s) for s in hoisted}
        before = [s for s in forward[:place] if id(s) not in moved]
        behind = [s for s in forward[place + 1 :] if id(s) not in moved]
        assert isinstance(loop, For)
        forward = [*before, *hoisted, replace(loop, body=whole), *behind]
        del reverse[: position + 1]
        position = 0
    return Sweeps(tuple(forward), tuple(reverse))


def _may_move(ctx: Context, rest: list[Stmt], moving: list[Stmt], hoisted: list[Stmt], back: Stmt) -> bool:
    """Whether `moving` and then the reverse loop `back` may run before the rest of the forward sweep has run."""
    ids = {id(s) for s in hoisted}
    remaining: Block = tuple(s for s in rest if id(s) not in ids)
    unknown = {n for n in walk.assigned(remaining)}
    own = walk.assigned((back,)) | walk.assigned(tuple(moving))
    reads = reads_of((*moving, back)) - {n for n in own if not is_bar(n)}
    if {n for n in reads if not is_bar(n)} & unknown or {n for n in reads if is_bar(n)} & unknown:
        return False
    stored = {n for n in stored_names(remaining) if not is_bar(n)}
    return not any(
        ctx.buffers.may_share(name, other) for name in contents_of(tuple(moving)) for other in stored
    )
