"""bound: an error, as in Python, where a name is read on a path on which it has no value; part of `flatten`.

Loops would begin with the zero that stands for such a name, and machine code would read what is there. Whether a name
has a value is known where every path binds it; it is a test of the user's that binds it (``if t > 0: m = ...``), the
number of the iteration (a name that each one binds has a value but in the first), a flag that the user keeps beside it,
or a flag of its own. It is asked where the name is read, unless the tests around say so already. Part of `flatten`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from typing import Union

import numpy as np

from srcad.analysis.conditions import Conditions, lasts, opposite
from srcad.analysis.spans import integer
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Stmt, Var, While, and_, hint, is_temporary,
    or_, raise_, select,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, INT, NONE, Array, Scalar, Static

Loop = Union[For, While]
YES, NO = Const(True, BOOL), Const(False, BOOL)


def bound(fn: Function, fresh: Callable[[str], str]) -> Function:
    """Raise where a name has no value that is read; `fresh` makes names.

    >>> from srcad.lang.ir import Return
    >>> from srcad.lang.types import FLOAT
    >>> c, m = Var("c", BOOL), Var("m", FLOAT)
    >>> branch = If(c, (Move(("m",), (Const(1.0, FLOAT),)),))
    >>> _, check, _ = bound(Function("f", (), (branch, Return(m))), str).body
    >>> check.test.fn.__name__, check.then[0].call.args[1].value
    ('not_', "cannot access local variable 'm' where it is not associated with a value")
    """
    binder = _Binder(fn, fresh)
    body, _ = binder.block(fn.body)
    return replace(fn, body=_without(body, binder.flags - _asked(body, binder.flags)))


class _Binder:
    def __init__(self, fn: Function, fresh: Callable[[str], str]) -> None:
        self.fresh = fresh
        self.conditions = Conditions(fn)
        self.state: dict[str, Expr] = {}  # of names that may have no value: when they have one
        self.flags: set[str] = set()
        self.out: list[Stmt] = []

    def block(self, block: Block, facts: tuple[tuple[Expr, bool], ...] = ()) -> tuple[Block, dict[str, Expr]]:
        """The statements with what is asked, and when what they hand on in the end has a value."""
        outer, self.out = self.out, []
        known = len(self.conditions.facts)
        for fact in facts:
            self.conditions.learn(*fact)
        for stmt, behind in zip_longest(block, block[1:]):
            enters = isinstance(stmt, Move) and isinstance(behind, For)
            for expr in walk.stmt_exprs(behind if enters else stmt) if _reads(behind if enters else stmt) else ():
                self.read(expr, stmt.origin)
            if isinstance(stmt, If):
                self.branch(stmt)
            elif isinstance(stmt, Let) and isinstance(stmt.value, Var):
                self.join(stmt.target, self.handed(stmt.value))
                self.out.append(stmt)
            elif isinstance(stmt, (For, While)):
                self.loop(stmt)
            else:
                self.out.append(stmt)
        ends = {name: self.handed(value) for name, value in walk.moves_of(block)}
        del self.conditions.facts[known:]
        result, self.out = tuple(self.out), outer
        return result, ends

    def handed(self, value: Expr | None) -> Expr:
        """When what is handed on has a value: what a path does not bind is None, or an array of nothing."""
        if value is None or isinstance(value, Call) and value.fn in (np.empty, np.empty_like):
            return NO
        held = self.state.get(value.name, YES) if isinstance(value, Var) else YES
        return YES if self.conditions.implied(held) else held

    def join(self, name: str, held: Expr) -> None:
        self.state.pop(name, None)
        if not self.conditions.implied(held):
            self.state[name] = held

    # ------------------------------------------------------------ what is read

    def read(self, expr: Expr, origin: Origin, tests: tuple[Expr, ...] = ()) -> None:
        """Ask for the names that an expression reads where `tests` hold."""
        asked = walk.names(expr) & self.state.keys()
        if not asked:
            return
        if isinstance(expr, Call) and expr.fn in (select, and_, or_):
            first, *rest = expr.args
            self.read(first, origin, tests)
            known = len(self.conditions.facts)
            for k, part in enumerate(rest):
                if expr.fn is select:
                    del self.conditions.facts[known:]
                holds = k == 0 if expr.fn is select else expr.fn is and_
                self.conditions.learn(first, holds)
                self.read(part, origin, (*tests, first if holds else opposite(first)))
                if expr.fn is not select:
                    tests, first = (*tests, first if holds else opposite(first)), part
            del self.conditions.facts[known:]
        elif isinstance(expr, Var):
            self.ask(expr.name, self.state[expr.name], origin, tests)
        else:
            for part in walk.children(expr):
                self.read(part, origin, tests)

    def ask(self, name: str, held: Expr, origin: Origin, tests: tuple[Expr, ...] = ()) -> None:
        if is_temporary(name) or self.conditions.implied(held):
            return
        self.out.append(_error(name, (*tests, opposite(held)), origin))
        if not tests:
            self.conditions.learn(held, True)

    # ------------------------------------------------------------ branches

    def branch(self, stmt: If) -> None:
        then, ends = self.block(stmt.then, ((stmt.test, True),))
        orelse, others = self.block(stmt.orelse, ((stmt.test, False),))
        left = [walk.raises(side) for side in (then, orelse)]
        moved: dict[str, tuple[Expr, Expr]] = {}
        for name in _joined((stmt.then, stmt.orelse)):
            a, b = ends.get(name, NO), others.get(name, NO)
            if any(left) or a == b:
                held = b if left[0] else a
            elif {a, b} == {YES, NO} and lasts(stmt.test):
                held = stmt.test if a == YES else opposite(stmt.test)
            else:
                flag = self.flag(name, stmt, a, b)
                held = self.kept(flag) or flag
                moved[flag.name] = (a, b)
            self.join(name, held)
        for test_holds, gone in zip((False, True), left):
            if gone:
                self.conditions.learn(stmt.test, test_holds)
        sides = [_handing(side, {flag: values[k] for flag, values in moved.items()}, stmt.origin)
                 for k, side in enumerate((then, orelse))]  # fmt: skip
        self.out.append(replace(stmt, then=sides[0], orelse=sides[1]))

    def flag(self, name: str, stmt: Stmt, a: Expr, b: Expr = NO) -> Var:
        flag = Var(self.fresh(f"{hint(name)}_bound"), BOOL)
        self.flags.add(flag.name)
        self.conditions.met[flag.name] = (stmt, a, b)
        return flag

    def kept(self, flag: Var) -> Expr | None:
        """A truth value of the user's that is the same as a flag wherever one looks."""
        for name in [name for name in self.conditions.met if name not in self.flags]:
            other = Var(name, BOOL)
            if self.conditions.tells(other, True, flag) and self.conditions.tells(flag, True, other):
                return other
        return None

    # ------------------------------------------------------------ loops

    def loop(self, stmt: Loop) -> None:
        entry = dict(walk.moves_of(self.out[-1:]))
        first = {name: self.handed(entry.get(name)) for name, value in walk.moves_of(stmt.body) if _is_data(value)}
        first = {name: held for name, held in first.items() if held != YES}
        flags = {name: self.flag(name, stmt, held) for name, held in first.items()}
        self.state |= flags
        body, ends = self.body(stmt)
        for name, flag in flags.items():
            self.conditions.met[flag.name] = (stmt, first[name], ends[name])
        heads = {name: _later(stmt, first[name], ends[name]) or self.kept(flag) or flag for name, flag in flags.items()}
        if heads:
            self.state |= heads
            body, ends = self.body(stmt)
        handed = {flag.name: ends[name] for name, flag in flags.items()}
        loop = replace(stmt, body=_handing(body, handed, stmt.origin))
        move = self.out.pop() if entry else Move((), (), stmt.origin)
        if isinstance(stmt, While):
            for name in sorted(walk.names(stmt.test) & first.keys()):
                self.ask(name, first[name], stmt.origin)
        self.out += [*_handing((move,), {flag.name: first[name] for name, flag in flags.items()}, stmt.origin), loop]
        for name, flag in flags.items():
            held = heads[name] if isinstance(heads[name], Var) else flag
            runs = self.once(stmt, entry) if ends[name] == YES else None
            self.join(name, runs if runs and (first[name] == NO or self.conditions.implied(runs)) else held)
        if isinstance(stmt, While):
            self.conditions.learn(stmt.test, False)

    def body(self, stmt: Loop) -> tuple[Block, dict[str, Expr]]:
        """The body of a loop, in which the state of what it carries is known."""
        if isinstance(stmt, While):
            body, ends = self.block(stmt.body, ((stmt.test, True),))
            asked = [name for name in sorted(walk.names(stmt.test) & ends.keys()) if ends[name] != YES]
            errors = tuple(_error(name, (opposite(ends[name]),), stmt.origin) for name in asked)
            return (*body[:-1], *errors, *body[-1:]), ends
        facts: list[tuple[Expr, bool]] = []
        step, index = integer(stmt.step), Var(stmt.index, INT)
        if step and lasts(stmt.start) and lasts(stmt.stop):
            within, before = (operator.ge, operator.lt) if step > 0 else (operator.le, operator.gt)
            runs = Call(before, (stmt.start, stmt.stop), (), BOOL)
            facts = [(Call(within, (index, stmt.start), (), BOOL), True), (runs, True)]
        return self.block(stmt.body, tuple(facts))

    def once(self, stmt: Loop, entry: dict[str, Expr]) -> Expr | None:
        """Whether a loop has an iteration at all."""
        if isinstance(stmt, While):
            return YES if self.conditions.implied(walk.substitute(stmt.test, entry)) else None
        step = integer(stmt.step)
        if not step or not (lasts(stmt.start) and lasts(stmt.stop)):
            return None
        return Call(operator.gt if step > 0 else operator.lt, (stmt.stop, stmt.start), (), BOOL)


def _later(stmt: Loop, first: Expr, last: Expr) -> Expr | None:
    """What is bound by every iteration has a value in all but the first."""
    if isinstance(stmt, For) and (first, last) == (NO, YES) and lasts(stmt.start):
        return Call(operator.ne, (Var(stmt.index, INT), stmt.start), (), BOOL)
    return None


def _reads(stmt: Stmt) -> bool:
    """Whether a statement does something with what it names, other than to hand it on, when it is reached."""
    return not isinstance(stmt, (Move, While)) and not (isinstance(stmt, Let) and isinstance(stmt.value, Var))


def _joined(sides: tuple[Block, Block]) -> list[str]:
    return sorted({name for side in sides for name, value in walk.moves_of(side) if _is_data(value)})


def _is_data(value: Expr) -> bool:
    return isinstance(getattr(value, "type", None), (Scalar, Array))


def _handing(block: Block, more: dict[str, Expr], origin: Origin) -> Block:
    """A block that hands on more in its end."""
    if not more:
        return block
    last = block[-1] if block and isinstance(block[-1], Move) else Move((), (), origin)
    whole = replace(last, targets=(*last.targets, *more), values=(*last.values, *more.values()))
    return (*(block[:-1] if last.targets else block), whole)


def _error(name: str, tests: tuple[Expr, ...], origin: Origin) -> Stmt:
    """The error of reading a name, where all of some tests hold."""
    message = f"cannot access local variable {hint(name)!r} where it is not associated with a value"
    error = Call(raise_, tuple(Const(v, Static(v)) for v in (UnboundLocalError, message)), (), NONE)
    return If(tests[0] if len(tests) == 1 else Call(and_, tests, (), BOOL), (Effect(error, origin),), (), origin)


def _asked(block: Block, flags: set[str]) -> set[str]:
    """The flags that decide something."""
    sources: dict[str, set[str]] = {}
    asked: set[str] = set()
    for stmt in walk.statements(block):
        read = [walk.names(expr) & flags for expr in walk.stmt_exprs(stmt)]
        if isinstance(stmt, Move):
            for target, names in zip(stmt.targets, read):
                sources.setdefault(target, set()).update(names)
                asked |= names if target not in flags else set()
        else:
            asked |= set().union(*read)
    waiting = list(asked)
    while waiting:
        more = sources.get(waiting.pop(), set()) - asked
        asked |= more
        waiting += more
    return asked


def _without(block: Block, idle: set[str]) -> Block:
    """A block that hands on none of the flags that decide nothing."""
    result: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Move) and idle.intersection(stmt.targets):
            left = [(t, v) for t, v in zip(stmt.targets, stmt.values) if t not in idle]
            if not left:
                continue
            stmt = replace(stmt, targets=tuple(t for t, _ in left), values=tuple(v for _, v in left))
        result.append(walk.map_stmt(lambda e: e, stmt, lambda inner: _without(inner, idle)))
    return tuple(result)
