"""Which names are still read at a place of final code."""

from __future__ import annotations

from srcad.lang.ir import Accum, Block, For, If, Let, Move, Stmt, Var, While
from srcad.lang.types import Array
from srcad.lang.walk import names, stmt_exprs

Names = frozenset[str]


def live(block: Block, after: Names = frozenset()) -> list[Names]:
    """The names that are read behind each statement of a block before they are assigned; `after` are those behind it.

    >>> first, second = live((Let("a", Var("x")), Let("b", Var("a"))), frozenset({"b"}))
    >>> sorted(first), sorted(second)
    (['a'], ['b'])
    """
    found: list[Names] = []
    for stmt in reversed(block):
        found.append(after)
        after = _before(stmt, after)
    return found[::-1]


def needed(block: Block, after: Names = frozenset()) -> Names:
    """The names that a block reads before it assigns them, or leaves for `after`."""
    for stmt in reversed(block):
        after = _before(stmt, after)
    return after


def at_the_end(loop: For | While, after: Names) -> Names:
    """The names that are read behind an iteration of a loop: by the next one, or behind the loop."""
    again = needed(loop.body)
    if isinstance(loop, While):
        return after | again | names(loop.test)
    return after | again - {loop.index} | ({loop.flag} if loop.flag is not None else set())


def _before(stmt: Stmt, after: Names) -> Names:
    read = frozenset().union(*map(names, stmt_exprs(stmt)))
    match stmt:
        case Let(target):
            return (after - {target}) | read
        case Move(targets):
            return (after - set(targets)) | read
        case Accum(Var(_, type)) if not isinstance(type, Array):
            return after | read
        case If(_, then, orelse):
            return read | needed(then, after) | needed(orelse, after)
        case For() | While():
            again = at_the_end(stmt, after)
            return read | again | after - ({stmt.index} if isinstance(stmt, For) else set())
    return after | read
