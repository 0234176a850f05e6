"""waits: which statements of an iteration wait for another one, and which do not; part of `distribute`."""

from __future__ import annotations

from dataclasses import dataclass, field

from srcad.analysis.contents import member
from srcad.analysis.live import Names, needed
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, For, Let, Stmt, Store, Var
from srcad.lang.types import Scalar, is_array
from srcad.transforms.independent import number_added
from srcad.transforms.side_by_side import is_pure
from srcad.transforms.work import FUNCTIONS


def is_dear(stmt: Stmt) -> bool:
    """Whether a statement computes functions of which there are vector instructions."""
    exprs = (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
    return not walk.blocks(stmt) and any(isinstance(e, Call) and member(e.fn, FUNCTIONS) for e in exprs)


@dataclass
class Waits:
    """The statements of an iteration, and which of them no other one waits for."""

    loop: For
    block: Block
    pairs: Pairs
    known: For  # the loop as `pairs` knows it
    after: Names = frozenset()  # names that are read behind the loop
    carried: frozenset[str] = frozenset()  # names that the last iteration has given a value
    counts: dict[str, int] = field(default_factory=dict)  # how often an iteration assigns a name
    written: set[str] = field(default_factory=set)  # arrays that change
    free: dict[str, Let] = field(default_factory=dict)  # what gives a name a value that no other iteration needs

    def __post_init__(self) -> None:
        self.carried = needed(self.block) & walk.assigned(self.block)
        for stmt in walk.statements(self.block):
            for name in walk.targets(stmt):
                self.counts[name] = self.counts.get(name, 0) + 1
            if isinstance(stmt, (Store, Accum)):
                target = stmt.base if isinstance(stmt, Store) else stmt.target
                self.written |= {v.name for v in walk.subexprs(target) if isinstance(v, Var) and is_array(v.type)}
        for stmt in self.block:
            if isinstance(stmt, Let) and self.counts[stmt.target] == 1 and stmt.target not in self.carried:
                if self.is_free(stmt.value):
                    self.free[stmt.target] = stmt

    def without(self, gone: frozenset[int]) -> Block:
        return tuple(stmt for k, stmt in enumerate(self.block) if k not in gone)

    def behind(self) -> frozenset[int]:
        """The statements that can be done behind the loop: what functions are added up, and what is for them alone."""
        chosen: set[int] = set()
        for k, stmt in enumerate(self.block):
            if is_dear(stmt) and (found := self.following(k)) is not None:
                chosen |= found
        while True:
            more = {k for k, s in enumerate(self.block) if k not in chosen and self.is_for(k, s, chosen)}
            if not more:
                return frozenset(chosen)
            chosen |= more

    def following(self, first: int) -> set[int] | None:
        """A statement and all that need what it computes; None if some of them cannot wait."""
        found, open_ = {first}, [first]
        while open_:
            stmt = self.block[(at := open_.pop())]
            readers = self.readers(at)
            if readers is None or not self.can_wait(stmt):
                return None
            open_ += sorted(readers - found)
            found |= readers
        return found

    def readers(self, at: int) -> set[int] | None:
        """The statements that read what one gives a name, or add to the same; None if nobody knows."""
        stmt = self.block[at]
        if not isinstance(stmt, (Let, Accum)) or len(walk.targets(stmt)) != 1:
            return None
        name = walk.targets(stmt)[0]
        if number_added(self.block, name) is None and (self.counts[name] > 1 or name in self.carried):
            return None
        found = {k for k, s in enumerate(self.block) if k != at and name in walk.mentioned((s,))}
        return found if all(not walk.blocks(self.block[k]) for k in found) else None

    def can_wait(self, stmt: Stmt) -> bool:
        """Whether a statement computes numbers from numbers and from arrays that do not change."""
        if not is_pure(stmt) or not all(_is_double(e) for e in walk.stmt_exprs(stmt)):
            return False
        exprs = [e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole) if isinstance(e, Var)]
        return all(self.is_known(v) for v in exprs)

    def is_known(self, var: Var) -> bool:
        """Whether the second loop can know what a name was: a number that is kept, or what does not change."""
        if is_array(var.type):
            changed = any(self.pairs.may_share(var.name, other, self.known) for other in self.written)
            return var.name not in self.counts and not changed
        return var.name not in self.counts or _is_double(var)

    def is_for(self, at: int, stmt: Stmt, chosen: set[int]) -> bool:
        """Whether a statement computes what none but those `chosen` need."""
        if not isinstance(stmt, Let) or not self.can_wait(stmt):
            return False
        readers = self.readers(at)
        return bool(readers) and readers <= chosen  # type: ignore[operator]

    def given(self, chosen: frozenset[int]) -> set[str]:
        """The names to which some statements give a value, and do not add."""
        names = {name for k in chosen for name in walk.targets(self.block[k])}
        return {name for name in names if number_added(self.block, name) is None}

    def is_free(self, expr: Expr) -> bool:
        """Whether no other iteration has to do with what an expression is."""
        names = [v for v in walk.subexprs(expr) if isinstance(v, Var)]
        known = all(v.name in self.free or v.name not in self.counts and self.is_known(v) for v in names)
        return known and _is_double(expr) and is_pure(Let("", expr))

    def needs(self, expr: Expr) -> frozenset[str]:
        """The names of an iteration's own that a free expression is made of."""
        own = walk.names(expr) & self.free.keys()
        return own.union(*(self.needs(self.free[name].value) for name in own))

    def repeated(self, name: str) -> frozenset[str] | None:
        """What has to be computed again for a name to be known; None if that is too much, or not to be had."""
        names = self.needs(self.free[name].value) | {name} if name in self.free else frozenset()
        dear = any(is_dear(self.free[each]) for each in names)
        return names if names and not dear and not names & self.after else None


def _is_double(expr: Expr) -> bool:
    kind = getattr(expr, "type", None)
    return isinstance(kind, Scalar) and kind.dtype == "float64"
