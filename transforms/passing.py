"""Which statements may pass each other: what each reads and writes; part of `elementwise`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Set
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import rebound, stored_name, view_of
from srcad.analysis.contents import content_names, member, reads
from srcad.analysis.live import Names, at_the_end
from srcad.analysis.pairs import Pairs
from srcad.analysis.regions import Region, Regions
from srcad.lang import walk
from srcad.lang.custom import Custom
from srcad.lang.ir import Accum, Block, Call, Effect, Expr, For, If, Let, Move, Return, Stmt, Var, While
from srcad.lang.recursive import HELPERS, Callee
from srcad.lang.types import Array, Scalar
from srcad.transforms.elements import computes, is_plain

LIGHT = frozenset((
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.pow, operator.neg,
    operator.getitem, np.transpose, np.zeros_like, np.zeros, np.empty_like, np.empty, np.eye, np.identity, max, min,
    *filter(callable, vars(math).values()),
))  # fmt: skip


@dataclass(frozen=True)
class Other:
    """A statement that stays as it is, with what it reads and writes."""

    stmt: Stmt
    read: frozenset[str]
    assigned: frozenset[str]
    contents: frozenset[str]  # the arrays whose contents it reads
    written: frozenset[str]
    added: frozenset[str] = frozenset()  # the arrays that it adds to and does nothing else with
    fixed: bool = False  # whether nothing may pass it

    @property
    def stmts(self) -> tuple[Stmt, ...]:
        return (self.stmt,)


@dataclass(kw_only=True)
class Together:
    """What the statements of one loop read and write together."""

    read: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    contents: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    stored: frozenset[str] = frozenset()  # what one of them writes, and does not only add to
    fixed: bool = False

    @property
    def added(self) -> frozenset[str]:
        return self.written - self.stored - self.contents

    def note(self, one: Other) -> None:
        """Count a statement among them."""
        self.read |= one.read
        self.assigned |= one.assigned
        self.contents |= one.contents
        self.written |= one.written
        self.stored |= one.written - one.added


@dataclass(frozen=True)
class Facts:
    """Which names may stand for the same memory."""

    pairs: Pairs

    def may_share(self, one: str, other: str) -> bool:
        return self.pairs.may_share(one, other)

    def meet(self, some: frozenset[str], others: frozenset[str]) -> bool:
        return any(self.may_share(a, b) for a in some for b in others)

    def commute(self, one, other) -> bool:
        """Whether two pieces of code may change places."""
        if one.fixed or other.fixed:
            return False
        if one.assigned & (other.read | other.assigned) or other.assigned & one.read:
            return False
        if self.meet(one.written, other.contents) or self.meet(other.written, one.contents):
            return False
        return not any(self.meet(a.written - a.added, b.written) for a, b in ((one, other), (other, one)))


def not_behind(write: Region, read: Region) -> bool:
    """Whether an iteration reads no element that an earlier one has written."""
    if write.root.name != read.root.name:
        return False
    distance = write.distance(read)
    return write.apart(read) if distance is None else distance >= (0,) * len(distance)


def not_ahead(write: Region, read: Region) -> bool:
    """Whether an iteration reads, or writes, no element that a later one is yet to write."""
    if write.root.name != read.root.name:
        return False
    distance = write.distance(read)
    return write.apart(read) if distance is None else distance <= (0,) * len(distance)


def in_front(items: list, position: int, one, facts: Facts) -> list | None:
    """The items, with what `one` needs put before that at a position, so that it can reach it; None where it cannot."""
    needed: list = []
    rest: list = []
    for item in reversed(items[position + 1 :]):
        if all(facts.commute(item, each) for each in (*needed, one)):
            rest.insert(0, item)
        elif facts.commute(items[position], item):
            needed.insert(0, item)
        else:
            return None
    return [*items[:position], *needed, items[position], *rest]


def inside(stmt: Stmt, behind: Names, regions: Regions, done: Callable[[Block, Names, Regions], Block]) -> Stmt:
    """A statement with the blocks in it `done`; `behind` is read behind it."""
    match stmt:
        case For(body=body) | While(body=body):
            return replace(stmt, body=done(body, at_the_end(stmt, behind), regions.inside(stmt)))
        case If(_, then, orelse):
            first, second = (done(side, behind, regions.inside(stmt, side is then)) for side in (then, orelse))
            return replace(stmt, then=first, orelse=second)
    return stmt


def followed(regions: Regions, stmt: Stmt) -> None:
    """Let `regions` know what a statement, as it stands, makes of its names."""
    regions.forget(rebound(stmt))
    regions.bounds = regions.bounds.behind(stmt)
    if isinstance(stmt, Let) and isinstance(stmt.value, (Var, Call)) and view_of(stmt.value) is not None:
        regions.bind(stmt.target, stmt.value)


def counter_name(fresh: Callable[[str], str], names: str) -> str:
    """One of these names for the counter of a loop, if one is free; else the first with a number."""
    found = [fresh(name) for name in names]
    return next((name for name in found if name in names), found[0])


def other(stmt: Stmt) -> Other:
    """What a statement and those inside it read and write."""
    read: set[str] = set()
    contents: set[str] = set()
    written: set[str] = set()
    added: set[str] = set()
    fixed = isinstance(stmt, (Return, Move))
    for inner in walk.statements((stmt,)):
        exprs = walk.stmt_exprs(inner)
        read.update(*map(walk.names, exprs))
        fixed = fixed or isinstance(inner, Effect) or any(is_call(e) for whole in exprs for e in walk.subexprs(whole))
        if isinstance(inner, For) and inner.flag:
            read.add(inner.flag)
        name = stored_name(inner)
        contents |= _contents(inner)
        if name is not None:
            written.add(name)
    if isinstance(stmt, Accum) and (name := stored_name(stmt)) is not None and name not in contents:
        added.add(name)
    sets = [frozenset(names) for names in (read, rebound(stmt), contents, written, added)]
    return Other(stmt, sets[0], sets[1], sets[2], sets[3], sets[4], fixed)


def _contents(stmt: Stmt) -> Set[str]:
    return reads(stmt) if not isinstance(stmt, Move) else set().union(*map(content_names, stmt.values))


def is_call(expr: Expr) -> bool:
    """Whether an expression calls a function that may do anything, such as write to its arguments."""
    return isinstance(expr, Call) and isinstance(expr.fn, (Callee, Custom, *HELPERS))


def is_light(stmt: Stmt) -> bool:
    """Whether a statement is a name for a number, a view or an empty array, which can as well be made earlier."""
    if not isinstance(stmt, Let):
        return False
    calls = [e for e in walk.subexprs(stmt.value) if isinstance(e, Call)]
    return all(member(e.fn, LIGHT) and (is_plain(e) or not computes(e)) for e in calls)


def is_number(stmt: Stmt) -> bool:
    """Whether a statement computes a number from numbers, which takes no longer where it is made earlier."""
    if not (isinstance(stmt, Let) and isinstance(getattr(stmt.value, "type", None), Scalar)):
        return False
    calls = [e for e in walk.subexprs(stmt.value) if isinstance(e, Call) and e.fn is not operator.getitem]
    return not any(isinstance(getattr(arg, "type", None), Array) for e in calls for arg in e.args)
