"""fuse: a loop and its reverse become one loop; part of `derive`.

Where the iterations are independent and the cotangents of what the loop sums up are known before it starts, as for
every ``loss += ...``, nothing is replayed: an iteration is followed by its own reverse.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import stored_names
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Let, Stmt, While, hint, is_temporary
from srcad.lang.left import Left
from srcad.lang.recursive import Instance
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
        if found is not None and place is not None:
            forward, place = _needed_first(ctx, forward, place, [*hoisted, *reverse[:position], found.back])
        if found is None or place is None:
            position += 1
        elif obstacle := _obstacle(ctx, forward[place:], [*hoisted, *reverse[:position]], hoisted, found.back):
            ctx.decisions.loop(found.loop.origin, False, obstacle)
            if found.otherwise is not None:
                forward[place : place + 1], reverse[position : position + 1] = found.otherwise
            else:
                position += 1
        else:
            ctx.decisions.loop(found.loop.origin, True, "")
            hoisted += reverse[:position]
            moved = {id(s) for s in hoisted}
            before = [s for s in forward[:place] if id(s) not in moved]
            behind = [s for s in forward[place + 1 :] if id(s) not in moved]
            assert isinstance(found.loop, (For, While))
            forward = [*before, *hoisted, replace(found.loop, body=found.whole), *behind]
            del reverse[: position + 1]
            position = 0
    return Sweeps(tuple(forward), tuple(reverse))


def stay(ctx: Context, sweeps: Sweeps, why: str = "it stands in a branch") -> Sweeps:
    """The two sweeps of a branch: its loops cannot join, since what follows the branch comes between."""
    forward, reverse = list(sweeps.forward), list(sweeps.reverse)
    for back in sweeps.reverse:
        found = ctx.fusable.get(id(back))
        if found is not None:
            ctx.decisions.loop(found.loop.origin, False, why)
        place = _place(forward, found)
        if found is not None and place is not None and found.otherwise is not None:
            position = next(i for i, s in enumerate(reverse) if s is back)
            forward[place : place + 1], reverse[position : position + 1] = found.otherwise
    return Sweeps(tuple(forward), tuple(reverse))


def _place(forward: list[Stmt], found: Fusable | None) -> int | None:
    return None if found is None else next((i for i, s in enumerate(forward) if s is found.loop), None)


def _needed_first(ctx: Context, forward: list[Stmt], place: int, moving: list[Stmt]) -> tuple[list[Stmt], int]:
    """The forward sweep with what `moving` reads computed before the loop at `place`, if the loop has no part in it."""
    rest = forward[place:]
    defined = {s.target: s for s in rest if isinstance(s, Let)}
    changed = walk.assigned(tuple(s for s in rest if not isinstance(s, Let)))
    stored = stored_names(tuple(rest))
    needed: dict[int, Stmt] = {}
    waiting = sorted((reads_of(tuple(moving)) - walk.assigned(tuple(moving))) & walk.assigned(tuple(rest)))
    while waiting:
        name = waiting.pop()
        stmt = defined.get(name)
        if stmt is None or name in changed or is_bar(name) or calls_functions(stmt.value):
            return forward, place
        if _may_meet(ctx, contents_of((stmt,)) | {name}, stored):
            return forward, place
        if id(stmt) not in needed:
            needed[id(stmt)] = stmt
            waiting += sorted(reads_of((stmt,)) & (defined.keys() | changed))
    first = [s for s in rest if id(s) in needed]
    return [*forward[:place], *first, *(s for s in rest if id(s) not in needed)], place + len(first)


def _obstacle(ctx: Context, rest: list[Stmt], moving: list[Stmt], hoisted: list[Stmt], back: Stmt) -> str:
    """Why `moving` and then the reverse loop `back` may not run before the rest of the forward sweep; empty: they may.
    """
    ids = {id(s) for s in hoisted}
    remaining: Block = tuple(s for s in rest if id(s) not in ids)
    unknown = walk.assigned(remaining)
    own = {n for n in walk.assigned((*moving, back)) if not is_bar(n)}
    if missing := (reads_of((*moving, back)) - own) & unknown:
        return f"its reverse needs {_known_later(remaining, missing)}, known only after it"
    crossed = _before_last(rest, ids)  # what has run so far before that which was moved for another loop
    if _conflict(ctx, remaining, (*moving[len(hoisted) :], back)) or _conflict(ctx, crossed, tuple(hoisted)):
        return "what follows it adds to the gradients that its reverse reads"
    stored = {n for n in stored_names(remaining) if not is_bar(n)}
    changed = _may_meet(ctx, contents_of(tuple(moving)), stored)
    return f"its reverse needs {hint(min(changed))} as it is at the end" if changed else ""


def calls_functions(expr: Expr) -> bool:
    """Whether functions of the user's are called, which may do more than compute: ask for the time, print."""
    return any(isinstance(e, Call) and isinstance(e.fn, (Instance, Left)) for e in walk.subexprs(expr))


def _may_meet(ctx: Context, names: set[str], stored: set[str]) -> set[str]:
    """Those of the names whose arrays may be written to under other names; a record has one name only."""
    return {n for n in names if any(n == other or ctx.buffers.may_share(n, other) for other in stored)}


def _before_last(stmts: list[Stmt], ids: set[int]) -> Block:
    """The statements before the last of those in `ids`, without these."""
    last = max((position for position, s in enumerate(stmts) if id(s) in ids), default=0)
    return tuple(s for s in stmts[:last] if id(s) not in ids)


def _known_later(remaining: Block, missing: set[str]) -> str:
    """The values that are known only after a loop, each with the line that computes it."""
    places = {n: s.origin.line for s in walk.statements(remaining) for n in walk.targets(s) if n in missing}
    names = {hint(name): line for name, line in sorted(places.items()) if not is_temporary(name)}
    return " and ".join(f"{name} (line {line})" for name, line in names.items() if line) or "values"


def _conflict(ctx: Context, staying: Block, moving: Block) -> bool:
    """Whether two pieces must keep their order: one assigns or adds to a cotangent that the other one reads."""
    bars = Bars((*staying, *moving), ctx.view_bars())

    def after(first: Block, second: Block) -> bool:
        return bool((bars.assigned(first) | bars.added(first)) & (bars.read(second) | bars.assigned(second)))

    return after(staying, moving) or after(moving, staying)
