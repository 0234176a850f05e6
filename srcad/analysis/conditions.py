"""What tests that came out one way or the other say of others: the conditions under which a statement is executed."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from srcad.analysis.domains import Domains, lengths
from srcad.analysis.inequalities import BOUNDS, ONE, OPPOSITE, Form, added, scaled, solvable
from srcad.analysis.spans import is_whole
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, For, Function, If, Let, Stmt, Var, While, and_, or_, select,
)  # fmt: skip
from srcad.lang.types import BOOL, Scalar


class Conditions:
    """Tests of a split function that are known to hold, or not to, where one stands in it."""

    def __init__(self, fn: Function) -> None:
        self.domains = Domains(fn)
        self.values = {
            stmt.target: stmt.value
            for stmt in walk.statements(fn.body)
            if isinstance(stmt, Let) and getattr(stmt.value, "type", None) == BOOL and lasts(stmt.value)
        }
        for stmt in walk.statements(fn.body):
            if isinstance(stmt, If) and lasts(stmt.test):
                self.values |= dict(self.flags(stmt))
        self.met = dict(truths(fn.body))
        self.facts: list[tuple[Expr, bool]] = []

    def flags(self, stmt: If) -> Iterator[tuple[str, Expr]]:
        """Names that are true in one branch and false in the other one, which are the test."""
        then, orelse = dict(walk.moves_of(stmt.then)), dict(walk.moves_of(stmt.orelse))
        for name in then.keys() & orelse.keys():
            a, b = (self.values.get(e.name) if isinstance(e, Var) else e for e in (then[name], orelse[name]))
            if isinstance(a, Const) and isinstance(b, Const) and {a.value, b.value} == {True, False}:
                yield name, stmt.test if a.value is True else opposite(stmt.test)

    def learn(self, test: Expr, holds: bool) -> None:
        """From here on, a test is known to have come out so."""
        test = plain(test)
        self.facts.append((test, holds))
        match test:
            case Call(operator.not_, (inner,)):
                self.learn(inner, not holds)
            case Call(fn, args) if fn is and_ and holds or fn is or_ and not holds:
                for part in args:
                    self.learn(part, holds)
            case Var(name) if name in self.values:
                self.learn(self.values[name], holds)

    def implied(self, test: Expr, holds: bool = True) -> bool:
        """Whether a test is sure to come out so."""
        test = plain(test)
        match test:
            case Const(value):
                return bool(value) is holds
            case Call(operator.not_, (inner,)):
                return self.implied(inner, not holds)
            case Var(name) if name in self.values and self.implied(self.values[name], holds):
                return True
        if (test, holds) in self.facts or self.follows(test, holds) or holds and self.in_branch(test):
            return True
        flags = [fact for fact in self.facts if isinstance(fact[0], Var)] if isinstance(test, Var) and holds else []
        return any(self.tells(*fact, test) for fact in flags)

    def in_branch(self, held: Expr) -> bool:
        """Whether it is known which of two branches was taken, and that a truth value is true there."""
        stmt, then, orelse = self.met.get(held.name if isinstance(held, Var) else "", (None, held, held))
        if not isinstance(stmt, If) or not lasts(stmt.test):
            return False
        return any(self.implied(stmt.test, first) and self.implied(a) for first, a in ((True, then), (False, orelse)))

    def tells(self, other: Expr, truth: bool, held: Expr, assumed: frozenset[tuple[str, str]] = frozenset()) -> bool:
        """Whether a truth value is true wherever another one comes out as `truth`, if it is so for those `assumed`.

        Two that loops hand on are compared as induction has it: at the entry, and from one iteration to the next.
        """
        other, held = map(self.origin, (other, held))
        if isinstance(other, Const) or isinstance(held, Const):
            return isinstance(held, Const) and bool(held.value) or isinstance(other, Const) and other.value is not truth
        if not (isinstance(held, Var) and isinstance(other, Var)) or held == other and truth:
            return held == other and truth
        if (held.name, other.name) in assumed:
            return True
        one, two = self.met.get(held.name), self.met.get(other.name)
        if one is not None and two is not None and one[0] is two[0]:
            assumed |= {(held.name, other.name)}
            return all(self.tells(b, truth, a, assumed) for a, b in zip(one[1:], two[1:]))
        if two is not None and isinstance(two[0], If):
            return all(self.tells(side, truth, held, assumed) for side in two[1:])
        if one is not None and isinstance(one[0], If):
            return all(self.tells(other, truth, side, assumed) for side in one[1:])
        return False

    def origin(self, test: Expr) -> Expr:
        """What a name of a truth value is a name of."""
        while isinstance(test, Var) and test.name in self.values:
            test = self.values[test.name]
        return test

    def follows(self, test: Expr, holds: bool) -> bool:
        """Whether a comparison of integers follows from the others."""
        comparison, apart = self.compared(test, not holds)
        if comparison is None:
            return False
        known = [self.compared(*fact) for fact in self.facts]
        same = (apart, scaled(apart, -1))
        if comparison is operator.eq and any(fn is operator.ne and form in same for fn, form in known):
            return True
        forms = [form for fn, found in known for form in (BOUNDS[fn](found) if fn in BOUNDS else [])]
        sides = (operator.lt, operator.gt) if comparison is operator.ne else (comparison,)
        for fn in sides:
            met = [*forms, *BOUNDS[fn](apart)]
            if solvable([], [*met, *(length for form in met for length in lengths(form))]):
                return False
        return True

    def compared(self, test: Expr, holds: bool) -> tuple[object, Form]:
        """How right - left compares to zero where a comparison of integers comes out so."""
        if isinstance(test, Call) and test.fn in OPPOSITE and all(map(is_whole, test.args)):
            left, right = (self.domains.form(e, {}, "") for e in test.args)
            if left is not None and right is not None:
                return test.fn if holds else OPPOSITE[test.fn], added(right, left, -1)
        return None, {ONE: 0}


def plain(test: Expr) -> Expr:
    """A test without what says nothing: ``False if t else True`` is ``not t``."""
    match test:
        case Call(fn, (inner, Const(bool() as then), Const(bool() as orelse))) if fn is select and then is not orelse:
            return inner if then else Call(operator.not_, (inner,), (), BOOL)
        case Call(fn, (Const(a), Const(b))) if fn in OPPOSITE:
            return Const(bool(fn(a, b)), BOOL)
    return test


def truths(block: Block) -> Iterator[tuple[str, tuple[Stmt, Expr, Expr]]]:
    """The truth values that two paths hand on where they meet, with what each path hands on."""
    before: Block = ()
    for stmt in block:
        if isinstance(stmt, (If, For, While)):
            for inner in walk.blocks(stmt):
                yield from truths(inner)
            ends = (stmt.then, stmt.orelse) if isinstance(stmt, If) else (before, stmt.body)
            one, two = (dict(walk.moves_of(end)) for end in ends)
            yield from ((name, (stmt, value, two[name])) for name, value in one.items() if name in two
                        and getattr(value, "type", None) == BOOL)  # fmt: skip
        before = (stmt,)


def lasts(test: Expr) -> bool:
    """Whether a test is of numbers with names alone, so that it comes out as it did before."""
    if isinstance(test, Attr):
        return test.name in ("shape", "size", "ndim")
    if isinstance(test, Var):
        return isinstance(test.type, Scalar)
    return isinstance(test, Const) or isinstance(test, Call) and not test.kwargs and all(map(lasts, test.args))


def opposite(test: Expr) -> Expr:
    """``not test``; comparisons of integers turn round."""
    match test:
        case Call(operator.not_, (inner,)):
            return inner
        case Call(fn, args) if fn in OPPOSITE and all(map(is_whole, args)):
            return Call(OPPOSITE[fn], args, (), BOOL)
    return Call(operator.not_, (test,), (), BOOL)
