"""again: the part of a function that runs once for each tangent or seed; part of `jacobian` and `many`.

What no tangent changes is computed once and read from there; the rest runs again, under names and on arrays of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


from srcad.analysis.buffers import Buffers, stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.ir import Block, Effect, Stmt, Store, hint
from srcad.transforms.record import without_effects


def moving(code: Block, buffers: Buffers, body: Block) -> Block:
    """Of the statements and tangents of a function with this body, those that must run again for each direction.

    These are the tangents and what is computed for them alone, the branches and loops with tangents in them, and what
    assigns a name that these assign, or an array that is written to.
    """
    known = walk.assigned(body)
    again = {id(stmt) for stmt in code if any(_is_tangent(inner) for inner in walk.statements((stmt,)))
             or walk.assigned((stmt,)) - known}  # fmt: skip
    while True:
        inside = [stmt for stmt in code if id(stmt) in again]
        names = {name for stmt in inside for name in walk.assigned((stmt,))}
        more = {id(stmt) for stmt in code if id(stmt) not in again and _shares(stmt, names, buffers)}
        if not more:
            return without_effects(tuple(inside))
        again |= more


def _is_tangent(stmt: Stmt) -> bool:
    base = walk.names(stmt.base) if isinstance(stmt, Store) else set()
    return stmt.origin.tangent or any(name.endswith("~dot") for name in (*walk.targets(stmt), *base))


def _shares(stmt: Stmt, names: set[str], buffers: Buffers) -> bool:
    if isinstance(stmt, Effect):
        return False
    assigned = walk.assigned((stmt,))
    arrays = {*assigned, *stored_names((stmt,))}
    written = any(site in buffers.stored for name in arrays for site in buffers.of(name))
    return written or bool(assigned & names)


def repeatable(forward: Block, reverse: Block, params: Iterable[str]) -> bool:
    """Whether the reverse sweep leaves all that it reads as it was, so that it can run for one seed after the other."""
    classes = Classes.of((*forward, *reverse))
    outside = {classes.find(name) for name in (*walk.assigned(forward), *params)}
    return not any(classes.find(name) in outside for name in stored_names(reverse))


def renamed(block: Block, fresh: Callable[[str], str], keep: Iterable[str] = ()) -> tuple[Block, dict[str, str]]:
    """A block that assigns names of its own; and what each is called now."""
    kept = set(keep)
    names = {name: _other(name, fresh) for name in sorted(walk.assigned(block)) if name not in kept}
    return walk.rename(block, names), names


def _other(name: str, fresh: Callable[[str], str]) -> str:
    """``s.5~dot`` for ``s.2~dot``"""
    first, *kinds = name.split("~")
    return "~".join([fresh(hint(first)), *kinds])


def is_written(name: str, buffers: Buffers) -> bool:
    return any(site in buffers.stored for site in buffers.of(name))
