"""Arrays that are written to under one name while they are in use under another.

A joined name has a cotangent of its own. That is right as long as nothing is written to what it shares with another
name that is read later; where something is, the derivative is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from srcad.analysis.buffers import Buffers, stored_name
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.sharing import Sharing
from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Block, For, Function, Move, Stmt, While, hint, is_temporary
from srcad.lang.origin import Origin

REMEDY = "take a copy, x = x.copy(), before giving the array a second name"


def check_handovers(fn: Function, buffers: Buffers, active) -> None:
    """Refuse a function that writes to an array which it knows under two names.

    Raises
    ------
    UnsupportedError
        with the lines that give the second name.
    """
    joints = _joints(fn)
    problems: list[Problem] = []
    for write in _writes(fn, buffers):
        if write.name in active or write.other in active:
            reason = f"the array {hint(write.name)!r} is written to while it may be known as {hint(write.other)!r} too"
            origin = next(origin for name, origin in joints.items() if name in write.roots)
            problems.append(Problem(origin, reason, REMEDY))
    refuse(list(dict.fromkeys(problems)))


def shared_names(fn: Function, buffers: Buffers) -> set[str]:
    """The joined names whose memory is written to while it goes by another name."""
    return {name for write in _writes(fn, buffers) for name in write.roots} & _joints(fn).keys()


def _joints(fn: Function) -> dict[str, Origin]:
    """Where names are joined."""
    moves = [stmt for stmt in walk.statements(fn.body) if isinstance(stmt, Move)]
    return {target: move.origin for move in reversed(moves) for target in move.targets}


def check_outside(fn: Function, buffers: Buffers) -> None:
    """Refuse a function that writes to an array of a global or closure, be it through a local name.

    Raises
    ------
    UnsupportedError
        with the lines of the stores.
    """
    problems = []
    for stmt in walk.statements(fn.body):
        for site in sorted(buffers.of(stored_name(stmt) or "") & buffers.outside.keys()):
            name = buffers.outside[site]
            reason = f"this writes into {name!r}, an array from outside the function"
            problems.append(Problem(stmt.origin, reason, f"a copy of it, {name}.copy(), or the array as an argument"))
    refuse(list(dict.fromkeys(problems)))


@dataclass(frozen=True)
class _Write:
    """A statement that writes to an array, which another name means, too."""

    stmt: Stmt
    name: str
    other: str
    roots: frozenset[str]  # of which the two names are views


def _writes(fn: Function, buffers: Buffers) -> Iterator[_Write]:
    """What is written to under one name and read later under another, with a cotangent of its own."""
    found = list(_candidates(fn.body, buffers, frozenset()))
    if not found:
        return
    sharing = Sharing.of(fn, buffers)
    for stmt, name, others in found:
        for other in sorted(others, key=lambda other: (is_temporary(other), hint(other) == hint(name), other)):
            if met := sharing.met(name, other):
                yield _Write(stmt, name, other, met)


def _candidates(block: Block, buffers: Buffers, after: Names) -> Iterator[tuple[Stmt, str, list[str]]]:
    """The statements that write, with the names in use behind them that may mean the same memory."""
    for stmt, behind in zip(block, live(block, after)):
        at_ends = at_the_end(stmt, behind) if isinstance(stmt, (For, While)) else behind
        for inner in walk.blocks(stmt):
            yield from _candidates(inner, buffers, at_ends)
        name = stored_name(stmt)
        if name is not None:
            others = [other for other in behind if other != name and buffers.of(name) & buffers.of(other)]
            if any(buffers.roots(other) != buffers.roots(name) for other in others):
                yield stmt, name, others
