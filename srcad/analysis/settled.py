"""Which names of a block depend on nothing that changes around it, and what each of them is made of."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.contents import content_names, member
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, If, Let, Move, Stmt, While, and_, or_, select
from srcad.lang.types import Scalar, is_array, is_elastic

REDUCTIONS = frozenset((
    np.sum, np.dot, np.vdot, np.inner, np.mean, np.prod, np.linalg.norm, np.var, np.std, operator.matmul,
))  # fmt: skip
_PURE = REDUCTIONS | frozenset((
    and_, or_, select, abs, max, min, len, float, int, bool, round, np.transpose, np.where, np.reshape,
    *(fn for fn in vars(operator).values() if callable(fn)), *filter(callable, vars(math).values()),
))  # fmt: skip

Loops = frozenset[str]


@dataclass
class _Given:
    """A name of a block: all that it depends on, wherever it is given."""

    exprs: list[tuple[Expr, Loops]] = field(default_factory=list)  # and inside of which loops they are read
    loops: Loops = frozenset()  # those in which it is given, by their counters
    free: bool = True  # of anything but arithmetic
    long: bool = False  # whether loops or sums over arrays make it

    @property
    def names(self) -> set[str]:
        return {name for expr, _ in self.exprs for name in walk.names(expr)}

    @property
    def contents(self) -> set[str]:
        return {name for expr, _ in self.exprs for name in content_names(expr)}


@dataclass(frozen=True)
class _Around:
    """What stands around a statement of the block: loops and branches with their tests."""

    exprs: tuple[tuple[Expr, Loops], ...] = ()
    loops: Loops = frozenset()
    free: bool = True

    def inside(self, stmt: Stmt) -> _Around:
        exprs = *self.exprs, *((expr, self.loops) for expr in walk.stmt_exprs(stmt))
        if isinstance(stmt, For):
            return _Around(exprs, self.loops | {stmt.index}, self.free and stmt.flag is None)
        return _Around(exprs, self.loops, self.free and isinstance(stmt, If))


@dataclass
class Settled:
    """The names of a block that have, whatever happens around it, the values that its own statements give them."""

    given: dict[str, _Given]
    names: set[str]
    long: set[str]  # of them, those that take a loop or a sum over an array

    @staticmethod
    def of(block: Block, varying: Set[str], meets: Callable[[str], bool]) -> Settled:
        """As said: `varying` changes around it or is of use there, `meets` says whether an array is written to."""
        given: dict[str, _Given] = {}
        _collect(block, _Around(), given)
        own = walk.assigned(block)
        out = {name for name, one in given.items() if not one.free or any(map(meets, {name} | one.contents))}
        out |= stored_names(block) | _read_early(block) | own - given.keys()
        names = _closed(given, out | varying)
        long = {name for name in names if given[name].long}
        size = -1
        while size != len(long):
            size = len(long)
            long |= {name for name in names if given[name].names & long}
        return Settled(given, names, long)

    def needed(self, names: Set[str]) -> set[str]:
        """The names of the block that some of them are made of, with these themselves."""
        found: set[str] = set()
        waiting = [*names]
        while waiting:
            if (name := waiting.pop()) in self.given and name not in found:
                found.add(name)
                waiting += self.given[name].names
        return found


def _closed(given: dict[str, _Given], out: Set[str]) -> set[str]:
    """The names that depend on none of these, be it by others."""
    names = given.keys() - out
    while lost := {name for name in names if not given[name].names.isdisjoint(out)}:
        names -= lost
        out = lost
    return set(names)


def _collect(block: Block, around: _Around, given: dict[str, _Given]) -> None:
    for stmt in block:
        for name, value in _bound(stmt):
            one = given.setdefault(name, _Given())
            one.exprs += ((value, around.loops), *around.exprs)
            one.loops |= around.loops
            one.free = one.free and around.free and all(is_pure(expr) for expr, _ in one.exprs)
            one.long = one.long or bool(around.loops) or is_long(value)
        inner = around.inside(stmt) if walk.blocks(stmt) else around
        for part in walk.blocks(stmt):
            _collect(part, inner, given)


def reads(block: Block, loops: Loops = frozenset()) -> Iterator[tuple[Expr, Loops]]:
    """What the statements of a block read, and inside of which loops."""
    for stmt in block:
        yield from ((expr, loops) for expr in walk.stmt_exprs(stmt))
        inner = loops | {stmt.index} if isinstance(stmt, For) else loops
        for part in walk.blocks(stmt):
            yield from reads(part, inner)


def _bound(stmt: Stmt) -> list[tuple[str, Expr]]:
    return [(stmt.index, stmt.start)] if isinstance(stmt, For) else walk.bindings(stmt)


def is_pure(expr: Expr) -> bool:
    """Whether an expression is arithmetic, which may be done elsewhere, and no list that grows is in it."""
    for one in walk.subexprs(expr):
        if isinstance(one, Call) and not (isinstance(one.fn, np.ufunc) or member(one.fn, _PURE)):
            return False
        if is_elastic(getattr(one, "type", None)):
            return False
    return True


def is_long(expr: Expr) -> bool:
    """Whether an expression is a number that takes a sum over an array."""
    calls = [one for one in walk.subexprs(expr) if isinstance(one, Call) and isinstance(one.type, Scalar)]
    return any(member(one.fn, REDUCTIONS) and is_array(getattr(one.args[0], "type", None)) for one in calls)


def _read_early(block: Block) -> set[str]:
    """The names of a block that it reads further up than it gives them."""
    own = walk.assigned(block)
    seen: set[str] = set()
    early: set[str] = set()
    for stmt in walk.statements(block):
        for expr in walk.stmt_exprs(stmt):
            early |= (walk.names(expr) & own) - seen
        seen.update(walk.targets(stmt))
    return early


def bound_behind(block: Block) -> set[str]:
    """The names that a block gives on all its paths."""
    found: set[str] = set()
    for stmt in block:
        found.update(name for name, _ in walk.bindings(stmt))
        if isinstance(stmt, If):
            found |= bound_behind(stmt.then) & bound_behind(stmt.orelse)
    return found


def only(block: Block, names: Set[str]) -> Block:
    """The statements of a block that give these names."""
    return _thinned(block, lambda name: name in names, keep=False)


def except_for(block: Block, names: Set[str]) -> Block:
    """A block without the statements that give these names."""
    return _thinned(block, lambda name: name not in names, keep=True)


def _thinned(block: Block, wanted: Callable[[str], bool], keep: bool) -> Block:
    return tuple(_thin(block, wanted, keep))


def _thin(block: Block, wanted: Callable[[str], bool], keep: bool) -> Iterator[Stmt]:
    for stmt in block:
        match stmt:
            case Let(target):
                if wanted(target):
                    yield stmt
            case Move(targets, values, origin):
                pairs = [(name, value) for name, value in zip(targets, values) if wanted(name)]
                if pairs or keep and not targets:
                    yield Move(tuple(n for n, _ in pairs), tuple(v for _, v in pairs), origin)
            case For() | While() | If():
                left = walk.map_stmt(lambda e: e, stmt, lambda inner: _thinned(inner, wanted, keep))
                if any(walk.blocks(left)):
                    yield left
            case _ if keep:
                yield stmt
