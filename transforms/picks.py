"""What statements do, case by case: branches on the tests that decide what they pick; part of `trails`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, If, Let, Move, Stmt, Var, and_, or_, select
from srcad.lang.types import REAL, Scalar, Type
from srcad.transforms.few import is_zero

Known = dict[Expr, bool]
MOST = 8  # tests that are made one inside of another


def decided(test: Expr, known: Known) -> bool | None:
    """What a test says, if that follows from what is known of others.

    >>> a, b = Var("a"), Var("b")
    >>> decided(Call(operator.not_, (Call(or_, (a, b)),)), {b: True})
    False
    """
    if test in known:
        return known[test]
    match test:
        case Const(bool() as value):
            return value
        case Call(operator.not_, (inner,)):
            side = decided(inner, known)
            return None if side is None else not side
        case Call(fn, args) if fn in (and_, or_):
            values = [decided(arg, known) for arg in args]
            strong = fn is or_  # one that settles it
            return strong if strong in values else None if None in values else not strong
    return None


def atoms(test: Expr) -> Iterator[Expr]:
    """The tests that a test is made of, in their order."""
    match test:
        case Call(fn, args) if fn in (and_, or_, operator.not_):
            for arg in args:
                yield from atoms(arg)
        case _:
            yield test


@dataclass
class Cases:
    """Writes statements that compute numbers and add them, with branches on the tests that `decides` is true of.

    What `leaf` makes of the statements of a case stands in their place; None where it cannot be said of some case.
    """

    tests: dict[str, Expr]  # what names stand for in tests: for tests, and for elements of arrays
    picks: Callable[[Stmt], bool]  # of which statements, and those inside them, the tests matter
    leaf: Callable[[list[Stmt]], list[Stmt] | None]
    fresh: Callable[[str], str]

    def written(self, block: Block, known: Known) -> list[Stmt] | None:
        """The statements, given what is `known` of tests."""
        flat = list(self.flattened(block, known))
        waiting: set[str] = set()
        first: list[Stmt] = []
        later: list[Stmt] = []
        for stmt in flat:
            reads = any(walk.names(e) & waiting for e in walk.stmt_exprs(stmt))
            depends = reads or isinstance(stmt, If) or self.picks(stmt)
            waiting |= walk.assigned((stmt,)) if depends else set()
            (later if depends else first).append(stmt)
        test = next((test for stmt in later for test in self.open_tests(stmt, known)), None)
        if test is None:
            done = self.leaf(later)
            return None if done is None else first + done
        if len(known) == MOST:
            return None
        sides = [self.written(tuple(later), {**known, test: value}) for value in (True, False)]
        if None in sides:
            return None
        then, orelse = (self.apart(tuple(side or ())) for side in sides)
        return [*first, If(test, then, orelse, later[0].origin)]

    def apart(self, block: Block) -> Block:
        """A branch whose names are its own."""
        bound = {stmt.target for stmt in walk.statements(block) if isinstance(stmt, Let)}
        return walk.rename(block, {name: self.fresh(name) for name in sorted(bound)})

    def open_tests(self, stmt: Stmt, known: Known) -> list[Expr]:
        """The tests that are to be made before it is known what a statement does."""
        if not self.picks(stmt):
            return []
        found = [stmt.test] if isinstance(stmt, If) else []
        found += [e.args[0] for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)
                  if isinstance(e, Call) and e.fn is select]  # fmt: skip
        return [atom for test in found for atom in atoms(self.whole(test)) if atom not in known]

    def whole(self, test: Expr) -> Expr:
        """A test without names for others, and for what it compares."""
        return walk.map_expr(lambda e: self.whole(self.tests[e.name]) if isinstance(e, Var) and e.name in self.tests
                             else e, test)  # fmt: skip

    def flattened(self, block: Block, known: Known) -> Iterator[Stmt]:
        """The statements that are done, without those that add nothing."""
        values: dict[str, Expr] = {}  # what names stand for that need no statement
        own = walk.defined(block)

        def bound(name: str, value: Expr, stmt: Stmt) -> Iterator[Stmt]:
            new = simple(value)
            if isinstance(new, Const) or isinstance(new, Var) and name not in self.tests:
                values[name] = new
                return
            again = self.fresh(name) if name in values or isinstance(stmt, Accum) else name
            values.update({name: Var(again, new.type)} if again != name else {})  # type: ignore[union-attr]
            yield Let(again, new, stmt.origin)

        def through(stmts: Block) -> Iterator[Stmt]:
            for stmt in stmts:
                match stmt:
                    case If(test, then, orelse):
                        side = decided(self.whole(test), known)
                        if side is not None:
                            yield from through(then if side else orelse)
                            continue
                        inside = sorted(walk.assigned((stmt,)) & values.keys())
                        yield from (Let(name, values.pop(name), stmt.origin) for name in inside)
                    case Accum(Var(name, kind) as target, value) if name in own:
                        yield from bound(name, _sum(values.get(name, target), simple(value), kind), stmt)
                        continue
                for name, value in (pairs := walk.bindings(stmt)):
                    yield from bound(name, value, stmt)
                if not pairs:
                    yield from _adding(walk.map_stmt(simple, stmt))

        def simple(e: Expr) -> Expr:
            return walk.map_expr(lambda x: _simple(self, x, known), walk.substitute(e, values))

        yield from through(block)


def _sum(one: Expr, other: Expr, kind: Type) -> Expr:
    if walk.is_const(one, 0.0):
        return other
    return one if walk.is_const(other, 0.0) else Call(operator.add, (one, other), (), kind)


def _simple(cases: Cases, e: Expr, known: Known) -> Expr:
    """An expression in which what was picked stands, and nothing is zero twice."""
    match e:
        case Call(fn, (test, then, orelse)) if fn is select:
            side = decided(cases.whole(test), known)
            return then if side or then == orelse else e if side is None else orelse
        case Call(type=Scalar(dtype)) if dtype in REAL and is_zero(e, set()):
            return Const(0.0, e.type)
    return e


def _adding(stmt: Stmt) -> Iterator[Stmt]:
    match stmt:
        case Accum(_, value) if walk.is_const(value, 0.0):
            return
        case If(_, then, orelse) if not then and not orelse:
            return
    yield stmt


def moves_alone(block: Block) -> bool:
    """Whether a block only computes numbers and adds them, in branches at most."""
    return all(isinstance(stmt, (Let, Move, Accum, If)) for stmt in walk.statements(block))
