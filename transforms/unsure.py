"""unsure: names that are None on one path and a number or an array on another get a flag; part of `surface`.

``found = None``, and in a loop ``if ...: found = x[i]``, become a flag that says whether there is anything, and a name
that has a value where the flag is set; ``found is None`` asks for the flag. Who reads the name where it is None gets
the error that Python raises: it is asked there, unless the tests around say so already. What is None on which path
turns out when types are inferred, so all is done once more then, for names that are spelled so (`Reading.unsure`).
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace
from typing import Union

from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Return, Stmt, Var, While, and_, hint, or_, raise_,
    select,
)  # fmt: skip
from srcad.lang.left import current
from srcad.transforms.flatten import fresh_names

NOTHING = Const(None)
Names = frozenset[str]
Readings = Iterator[tuple[str, tuple[Expr, ...]]]
"""Names, each with the tests under which it is read."""
_SAME = {operator.is_: True, operator.eq: True, operator.is_not: False, operator.ne: False}


def unsure(fn: Function) -> Function:
    """The function with flags for the names of which `Reading.unsure` knows that they may be None.

    >>> x, found = Var("x"), Var("found")
    >>> test = Call(operator.is_not, (found, NOTHING))
    >>> body = (Let("found", NOTHING), If(x, (Let("found", x),)), Return(Call(select, (test, found, x))))
    >>> begun, branch, last = _Flags(Function("f", (), body), {"found"}).function().body
    >>> begun.target, [let.target for let in branch.then], last.value.args[0].name
    ('found_given', ['found', 'found_given'], 'found_given')
    """
    known = current().unsure
    if not known:
        return fn
    names = _with_aliases(fn.body, {name for name in walk.assigned(fn.body) if hint(name) in known})
    taken: set[str] = set()
    for stmt in walk.statements(fn.body):
        taken |= set(walk.targets(stmt)) if isinstance(stmt, (For, Move)) else set()
    return fn if not names or names & taken else _Flags(*_given_anew(fn, names)).function()


def _given_anew(fn: Function, names: set[str]) -> tuple[Function, set[str]]:
    """The function with names of its own for those that are parameters, which hold what the caller gives at first."""
    fresh = fresh_names({*(param.name for param in fn.params), *walk.assigned(fn.body)})
    own = {param.name: fresh(param.name) for param in fn.params if param.name in names}
    given = [If(Call(operator.is_, (Var(name), NOTHING)), (Let(inner, NOTHING, fn.origin),),
                (Let(inner, Var(name), fn.origin),), fn.origin) for name, inner in own.items()]  # fmt: skip
    return replace(fn, body=(*given, *walk.rename(fn.body, own))), {own.get(name, name) for name in names}


def _with_aliases(body: Block, names: set[str]) -> set[str]:
    """Names, and those that they are given to."""
    lets = [stmt for stmt in walk.statements(body) if isinstance(stmt, Let)]
    while more := {let.target for let in lets if names.intersection(_sides(let.value))} - names:
        names = names | more
    return names


def _sides(value: Expr) -> Iterator[str]:
    """The names that a value may be."""
    if isinstance(value, Var):
        yield value.name
    elif isinstance(value, Call) and value.fn is select:
        for side in value.args[1:]:
            yield from _sides(side)


class _Flags:
    def __init__(self, fn: Function, names: set[str]):
        self.fn = fn
        self.names = names
        fresh = fresh_names({*(param.name for param in fn.params), *walk.assigned(fn.body)})
        self.flags = {name: Var(fresh(f"{hint(name)}_given")) for name in sorted(names)}

    def function(self) -> Function:
        return replace(self.fn, body=self.block(self.fn.body, frozenset())[0])

    def block(self, block: Block, given: Names) -> tuple[Block, Names]:
        """Statements, and the names that surely have a value behind them; `given` have one before."""
        result: list[Stmt] = []
        for stmt in block:
            made, given = self.statement(stmt, given)
            result += made
        return tuple(result), given

    def statement(self, stmt: Stmt, given: Names) -> tuple[list[Stmt], Names]:
        if isinstance(stmt, Let) and stmt.target in self.names:
            return self.let(stmt, given)
        if isinstance(stmt, If):
            checks, test = self.asked(stmt.test, stmt, given), self.test(stmt.test)
            (then, one), (orelse, other) = (
                self.block(side, given | self.told(stmt.test, truth))
                for side, truth in ((stmt.then, True), (stmt.orelse, False))
            )
            ends = other if walk.raises(then) else one if walk.raises(orelse) else one & other
            return [*checks, replace(stmt, test=test, then=then, orelse=orelse)], ends
        if isinstance(stmt, (For, While)):
            inner = given - walk.assigned(stmt.body)
            checks = [check for e in walk.stmt_exprs(stmt) for check in self.asked(e, stmt, inner)]
            if isinstance(stmt, For):
                loop = self.mapped(stmt)
                assert isinstance(loop, For)
                return [*checks, replace(loop, body=self.block(stmt.body, inner)[0])], inner
            body, ends = self.block(stmt.body, inner | self.told(stmt.test, True))
            again = tuple(self.asked(stmt.test, stmt, ends))
            made = replace(stmt, test=self.test(stmt.test), body=(*body, *again))
            return [*checks, made], inner | self.told(stmt.test, False)
        checks = [check for e in walk.stmt_exprs(stmt) for check in self.asked(e, stmt, given)]
        return [*checks, self.mapped(stmt)], given

    def mapped(self, stmt: Stmt) -> Stmt:
        return walk.map_stmt(self.rewritten, stmt, lambda inner: inner)

    # ------------------------------------------------------------ what names are given

    def let(self, stmt: Let, given: Names) -> tuple[list[Stmt], Names]:
        name, value = stmt.target, stmt.value
        flag = self.flags[name]
        if value == NOTHING:
            return [Let(flag.name, Const(False), stmt.origin)], given - {name}
        if isinstance(value, Var) and value.name in self.names:
            there = (stmt, Let(flag.name, Const(True), stmt.origin))
            if value.name in given:
                return [*there], given | {name}
            return [If(self.flags[value.name], there, (Let(flag.name, Const(False), stmt.origin),), stmt.origin)], (
                given - {name})  # fmt: skip
        if isinstance(value, Call) and value.fn is select and self.may_be_none(value):
            test, then, orelse = value.args
            branch = If(test, (replace(stmt, value=then),), (replace(stmt, value=orelse),), stmt.origin)
            return self.statement(branch, given)
        checks = self.asked(value, stmt, given)
        made = replace(stmt, value=self.rewritten(value))
        return [*checks, made, Let(flag.name, Const(True), stmt.origin)], given | {name}

    def may_be_none(self, value: Expr) -> bool:
        return value == NOTHING or any(name in self.names for name in _sides(value)) or (
            isinstance(value, Call) and value.fn is select and any(map(self.may_be_none, value.args[1:]))
        )

    # ------------------------------------------------------------ tests

    def compared(self, expr: Expr) -> tuple[str, bool] | None:
        """The name that an expression compares with None, and whether it is true of None."""
        match expr:
            case Call(fn, (Var(name), Const(value=None)) | (Const(value=None), Var(name))) if name in self.names:
                same = next((same for each, same in _SAME.items() if fn is each), None)
                return None if same is None else (name, same)
        return None

    def rewritten(self, expr: Expr) -> Expr:
        """An expression with flags in the place of comparisons with None, and in tests that a name alone is."""
        def flagged(e: Expr) -> Expr:
            if isinstance(e, Call) and e.fn in (select, operator.not_, and_, or_):
                return replace(e, args=(*map(self.decides, e.args[:1]), *e.args[1:]) if e.fn is select else
                               tuple(map(self.decides, e.args)))  # fmt: skip
            found = self.compared(e)
            if found is None:
                return e
            flag = self.flags[found[0]]
            return Call(operator.not_, (flag,)) if found[1] else flag

        return walk.map_expr(flagged, expr)

    def decides(self, expr: Expr) -> Expr:
        """What decides; a name by itself is true if it has a value that is."""
        if isinstance(expr, Var) and expr.name in self.names:
            return Call(and_, (self.flags[expr.name], expr))
        return expr

    def test(self, expr: Expr) -> Expr:
        return self.decides(self.rewritten(expr))

    def told(self, test: Expr, truth: bool) -> Names:
        """The names that surely have a value where a test has this outcome."""
        found = self.compared(test)
        if found is not None:
            return frozenset((found[0],)) if found[1] != truth else frozenset()
        match test:
            case Var(name) if name in self.names and truth:
                return frozenset((name,))
            case Call(operator.not_, (inner,)):
                return self.told(inner, not truth)
            case Call(fn, parts) if fn is and_ and truth or fn is or_ and not truth:
                return frozenset().union(*(self.told(part, truth) for part in parts))
        return frozenset()

    # ------------------------------------------------------------ what is read

    def asked(self, expr: Expr, stmt: Stmt, given: Names) -> list[Stmt]:
        """The errors of reading names of which nobody knows that they have a value; a test may be a name alone."""
        tests = isinstance(stmt, (If, While)) and expr is stmt.test
        found = self.read(expr, given, (), tests)
        return [_error(name, (*where, Call(operator.not_, (self.flags[name],))), stmt) for name, where in found]

    def read(self, expr: Expr, given: Names, where: tuple[Expr, ...], tests: bool) -> Readings:
        """What an expression reads, under further tests than `where`."""
        if self.compared(expr) is not None:
            return
        if isinstance(expr, Var):
            if expr.name in self.names - given and not tests:
                yield expr.name, where
        elif isinstance(expr, Call) and expr.fn in (select, and_, or_):
            first, *rest = expr.args
            yield from self.read(first, given, where, expr.fn is select or tests)
            for k, part in enumerate(rest):
                holds = expr.fn is and_ or expr.fn is select and k == 0
                test = self.test(first)
                reached = test if holds else Call(operator.not_, (test,))
                yield from self.read(part, given | self.told(first, holds), (*where, reached), tests)
                if expr.fn is not select:
                    given, where, first = given | self.told(first, holds), (*where, reached), part
        else:
            inner = tests and isinstance(expr, Call) and expr.fn is operator.not_
            for part in walk.children(expr):
                yield from self.read(part, given, where, inner)


def _error(name: str, tests: tuple[Expr, ...], stmt: Union[Stmt, Return]) -> Stmt:
    message = f"{hint(name)} is None where a number or an array is needed"
    raised = Effect(Call(raise_, (Const(TypeError), Const(message))), stmt.origin)
    return If(tests[0] if len(tests) == 1 else Call(and_, tests), (raised,), (), stmt.origin)
