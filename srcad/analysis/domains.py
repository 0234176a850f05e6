"""What loops and branches say of the integers in them, as linear inequalities."""

from __future__ import annotations

import operator
import re
from collections.abc import Hashable, Iterator
from typing import Any

from srcad.analysis.inequalities import BOUNDS, ONE, OPPOSITE, Form, added, scaled, solvable
from srcad.analysis.spans import Parts, integer, is_whole
from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Var, While, and_, or_
from srcad.lang.types import BOOL, INT, Array

Path = tuple[tuple[Stmt, bool], ...]  # the loops and branches around a statement; of a branch, whether it is the first

_LENGTH = re.compile(r"(.+)\.shape\[(\d+)\]")  # what `srcad.lang.shapes.symbol` calls the length of an axis


class Domains:
    """The integers of a function. What is known of two executions of its statements is told apart by their `side`."""

    def __init__(self, fn: Function) -> None:
        self.moved = {n for s in walk.statements(fn.body) if isinstance(s, Move) for n in s.targets}
        lets = [s for s in walk.statements(fn.body) if isinstance(s, Let)]
        self.values = {s.target: s.value for s in lets if is_whole(s.value)}
        self.tests = {s.target: s.value for s in lets if getattr(s.value, "type", None) == BOOL}
        loops = [s for s in walk.statements(fn.body) if isinstance(s, (For, While))]
        within = {name for loop in loops for name in walk.assigned((loop,))}
        self.fixed = ({p.name for p in fn.params} | {s.target for s in lets}) - within - self.moved

    def total(self, parts: Parts, keys: dict[str, Hashable], domain: list[Form], side: str) -> Form | None:
        """The sum of subscripts; None if one is not understood, or may be negative and count from the end."""
        result: Form = {}
        for part in parts:
            form = self.form(part, keys, side)
            if form is None or solvable([], [*domain, *lengths(form), added(scaled(form, -1), {ONE: -1})]):
                return None
            result = added(result, form)
        return result

    def of(self, path: Path, side: str) -> tuple[dict[str, Hashable], list[Form], list[Form]]:
        """The unknowns that indices of loops are, and what loops and branches say of them."""
        keys: dict[str, Hashable] = {}
        found: list[Form] = []
        apart: list[Form] = []
        tests: list[tuple[Any, Form]] = []
        others: list[list[tuple[Any, Form]]] = []
        for stmt, first in path:
            if isinstance(stmt, For):
                key = (id(stmt), side)
                found += self.bounds(stmt, {key: 1}, keys, side)
                keys[stmt.index] = key
            elif isinstance(stmt, If):
                tests += self.conditions(stmt.test, first, keys, side)
                others.append(list(self.conditions(stmt.test, not first, keys, side)))
        found += [form for test in tests for form in _bounds(*test)]
        more = [test for each in others if (test := _left_over(each, found)) is not None]
        found += [form for test in more for form in _bounds(*test)]
        apart += [difference for comparison, difference in (*tests, *more) if comparison is operator.ne]
        found += [length for form in found for length in lengths(form)]
        return keys, [*found, *_beyond(apart, found)], apart

    def bounds(self, loop: For, index: Form, keys: dict[str, Hashable], side: str) -> Iterator[Form]:
        step = integer(loop.step)
        if step is None:
            return
        lows, highs = (loop.start, loop.stop) if step > 0 else (loop.stop, loop.start)
        for low in _options(lows, max):
            form = self.lasting(low, keys, side)
            if form is not None:
                yield added(added(index, form, -1), {ONE: -(step < 0)})
        for high in _options(highs, min):
            form = self.lasting(high, keys, side)
            if form is not None:
                yield added(added(form, index, -1), {ONE: -(step > 0)})

    def conditions(
        self, test: Expr, holds: bool, keys: dict[str, Hashable], side: str
    ) -> Iterator[tuple[Any, Form]]:
        """What comparisons of integers say in a branch of a test that is true of all of them, or false of all."""
        test = self.tests.get(test.name, test) if isinstance(test, Var) else test
        match test:
            case Call(operator.not_, (inner,)):
                yield from self.conditions(inner, not holds, keys, side)
            case Call(fn, args) if fn is (and_ if holds else or_):
                for each in args:
                    yield from self.conditions(each, holds, keys, side)
            case _:
                yield self.condition(test, holds, keys, side)

    def condition(self, test: Expr, holds: bool, keys: dict[str, Hashable], side: str) -> tuple[Any, Form]:
        """What a comparison of integers says in one of its branches: how right - left compares to zero."""
        if isinstance(test, Call) and test.fn in OPPOSITE:
            left, right = (self.lasting(e, keys, side) if is_whole(e) else None for e in test.args)
            if left is not None and right is not None:
                return test.fn if holds else OPPOSITE[test.fn], added(right, left, -1)
        return None, {}

    def lasting(self, expr: Expr, keys: dict[str, Hashable], side: str) -> Form | None:
        """The form of what was computed before, unless a name in it may have got another value since."""
        return None if walk.names(expr) & self.moved else self.form(expr, keys, side)

    def form(self, expr: Expr, keys: dict[str, Hashable], side: str) -> Form | None:
        match expr:
            case Const(value) if type(value) is int:
                return {ONE: value} if value else {}
            case Var(name):
                if name in keys:
                    return {keys[name]: 1}
                inner = self.lasting(self.values[name], keys, side) if name in self.values else None
                return {self.unknown(name, side): 1} if inner is None else inner
            case Call(fn, (left, right)) if fn in (operator.add, operator.sub, operator.mul):
                a, b = self.form(left, keys, side), self.form(right, keys, side)
                if a is None or b is None:
                    return None
                if fn is not operator.mul:
                    return added(a, b, 1 if fn is operator.add else -1)
                if a.keys() <= {ONE}:
                    return scaled(b, a.get(ONE, 0))
                return scaled(a, b.get(ONE, 0)) if b.keys() <= {ONE} else None
            case Call(operator.getitem, (Attr(Var() as array, "shape"), Const(int() as axis))):
                return self.length(array, axis, keys, side)
        return None

    def length(self, array: Var, axis: int, keys: dict[str, Hashable], side: str) -> Form:
        """The length of an axis: of arrays that are surely as long, one unknown."""
        known = self.known_length(array, axis, keys, side)
        return {("length of", self.unknown(array.name, side), axis): 1} if known is None else known

    def known_length(self, array: Var, axis: int, keys: dict[str, Hashable], side: str) -> Form | None:
        """The length of an axis as its type tells it."""
        dim = array.type.shape[axis] if isinstance(array.type, Array) and axis < array.type.ndim else None
        if isinstance(dim, int):
            return {ONE: dim} if dim else {}
        if dim in self.fixed:
            return self.form(Var(dim, INT), keys, side)
        owner = _LENGTH.fullmatch(dim) if dim else None
        return {("length of", owner[1], int(owner[2])): 1} if owner and owner[1] in self.fixed else None

    def constants(self, forms: list[Form], loop: Stmt | None, behind: bool) -> list[Form]:
        """What has one value in all iterations of a loop, or before and behind it: equal on both sides."""
        if loop is None:
            return []
        changing = walk.assigned((loop,)) | (self.moved if behind else set())
        sides = {key for form in forms for key in form if isinstance(key, tuple) and len(key) == 2 and key[1] == "r"}
        names = {key[0] for key in sides if isinstance(key[0], str)} - changing
        return [{(name, "r"): 1, (name, "w"): -1} for name in sorted(names)]

    def unknown(self, name: str, side: str) -> Hashable:
        """The same unknown in reads and writes, if the name has one value in all of the function."""
        return name if name in self.fixed else (name, side)


def _bounds(comparison: Any, difference: Form) -> list[Form]:
    return BOUNDS[comparison](difference) if comparison in BOUNDS else []


def _left_over(tests: list[tuple[Any, Form]], domain: list[Form]) -> tuple[Any, Form] | None:
    """What follows where not all of some tests are true, and all but one are: that one is not."""
    open_ = [test for test in tests if not (forms := _bounds(*test)) or any(
        solvable([], [*domain, added(scaled(form, -1), {ONE: -1})]) for form in forms)]  # fmt: skip
    if len(tests) < 2 or len(open_) != 1 or open_[0][0] not in OPPOSITE:
        return None
    [(comparison, difference)] = open_
    return OPPOSITE[comparison], difference


def _beyond(apart: list[Form], domain: list[Form]) -> Iterator[Form]:
    """What is not zero, and known not to be negative or not to be positive, is beyond zero."""
    for form in apart:
        for side in (form, scaled(form, -1)):
            if not solvable([], [*domain, added(scaled(side, -1), {ONE: -1})]):
                yield added(side, {ONE: -1})


def lengths(form: Form) -> list[Form]:
    """No length is negative."""
    return [{key: 1} for key in form if isinstance(key, tuple) and key[:1] == ("length of",)]


def _options(expr: Expr, fn: object) -> tuple[Expr, ...]:
    """The arguments of ``max`` or ``min``, each of which is a bound."""
    return expr.args if isinstance(expr, Call) and expr.fn is fn else (expr,)
