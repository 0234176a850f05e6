"""Arrays that change their name and are written to: safe only if the old name is not used again.

A joined name has a cotangent of its own. That is right as long as the memory goes by one name at a time; where it
goes by two and is written through one of them, the derivative is refused.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field

from srcad.analysis.buffers import Buffers, stored_name, stored_names
from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Block, For, Function, Move, Var, While, hint, is_temporary
from srcad.lang.types import is_array

REMEDY = "take a copy, x = x.copy(), before giving the array a second name"


def check_handovers(fn: Function, buffers: Buffers, active) -> None:
    """Refuse a function that writes to an array which it then knows under two names.

    Raises
    ------
    UnsupportedError
        with the line of the write-through name.
    """
    check = _Check(buffers, active, _heirs(fn, buffers), _carried(fn))
    check.block(fn.body, frozenset())
    refuse(check.problems)


def shared_names(fn: Function, buffers: Buffers) -> set[str]:
    """The joined names that are written to while their memory goes by another name."""
    check = _Check(buffers, walk.defined(fn.body), _heirs(fn, buffers), _carried(fn))
    check.block(fn.body, frozenset())
    return check.shared


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


@dataclass
class _Check:
    buffers: Buffers
    active: Container[str]
    heirs: dict[str, set[str]]  # joined name -> the joined names that its memory may go on to
    carried: dict[str, Names]  # name that a loop hands on -> the arrays that are written as long as it lives
    problems: list[Problem] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)

    def block(self, block: Block, after: Names, later: frozenset[str] = frozenset()) -> None:
        """`after` names what is read after the block, `later` the arrays written then in the same iteration."""
        for stmt, behind in reversed(list(zip(block, live(block, after)))):
            if isinstance(stmt, Move):
                self.move(stmt, behind, later)
            for inner in walk.blocks(stmt):
                if isinstance(stmt, (For, While)):
                    self.block(inner, at_the_end(stmt, behind))
                else:
                    self.block(inner, behind, later)
            later |= stored_names((stmt,))

    def written(self, target: str, later: frozenset[str]) -> bool:
        """Whether the memory of a joined name is written to while it has this name, or one that it is handed on to."""
        if any(self.buffers.may_share(target, name) for name in later):
            return True
        names = [name for name in (target, *self.heirs[target]) if name in self.carried]
        return any(self.buffers.may_share(name, writer) for name in names for writer in self.carried[name])

    def move(self, move: Move, after: Names, later: frozenset[str]) -> None:
        sources = [v.name for v in move.values if isinstance(v, Var)]
        for target, value in zip(move.targets, move.values):
            if not (isinstance(value, Var) and is_array(value.type)):
                continue
            if target in self.active and self.written(target, later):
                names = {n for n in after - {*move.targets} if self.buffers.may_share(n, value.name)}
                others = [s for s in sources if s != value.name and self.buffers.may_share(s, value.name)]
                if names or others or sources.count(value.name) > 1:
                    other = hint(min(names or others or [value.name], key=lambda n: (is_temporary(n), n)))
                    reason = f"the array {hint(target)!r} is written to while it may be known as {other!r} too"
                    self.problems.append(Problem(move.origin, reason, REMEDY))
                    self.shared.add(target)


def _heirs(fn: Function, buffers: Buffers) -> dict[str, set[str]]:
    onward: dict[str, set[str]] = {}
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Move):
            for target, value in zip(stmt.targets, stmt.values):
                onward.setdefault(target, set())
                if isinstance(value, Var):
                    onward.setdefault(buffers.root(value.name), set()).add(target)
    result: dict[str, set[str]] = {}
    for start in onward:
        seen: set[str] = set()
        work = [start]
        while work:
            name = work.pop()
            if name not in seen:
                seen.add(name)
                work.extend(onward.get(name, ()))
        result[start] = seen
    return result


def _carried(fn: Function) -> dict[str, Names]:
    """The names that loops hand on, and what is written in such a loop, and behind it before it begins anew."""
    found: dict[str, Names] = {}

    def enter(block: Block, later: Names) -> None:
        for stmt in reversed(block):
            stored = stored_names((stmt,))
            if isinstance(stmt, (For, While)) and stmt.body and isinstance(end := stmt.body[-1], Move):
                found.update(dict.fromkeys(end.targets, later | stored))
            for inner in walk.blocks(stmt):
                enter(inner, frozenset() if isinstance(stmt, (For, While)) else later)
            later |= stored

    enter(fn.body, frozenset())
    return found
