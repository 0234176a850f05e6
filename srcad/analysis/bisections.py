"""Loops that find a root by halving an interval: what they give has no derivative of its own.

Every number is a mean of the ends of an interval, and the ends are such means: which of them is taken hangs on tests,
which carry no derivative. What is found moves with the parameters all the same.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from srcad.analysis.activity import CUTS, reach, reversed_edges
from srcad.analysis.buffers import stored_name
from srcad.analysis.contents import member
from srcad.analysis.means import ARITHMETIC, Form, Sums, either, is_mean, plain
from srcad.lang import walk
from srcad.lang.errors import Problem
from srcad.lang.ir import (
    Accum, Call, Const, Expr, For, Function, If, Return, Store, Tuple, Var, While, and_, or_, select,
)  # fmt: skip

REASON = "a root that comparisons alone find has no derivative: this loop takes means of the ends of an interval"
REMEDY = "srcad.implicit.root, or a step of Newton's method behind the loop"

_TESTS = frozenset((
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, np.less, np.less_equal,
    np.greater, np.greater_equal, np.logical_not, np.logical_and, np.logical_or,
    and_, or_,
))  # fmt: skip
_OF_TRUTHS = frozenset((operator.getitem, operator.invert, operator.and_, operator.or_, operator.xor, np.invert))
_CHOICES = frozenset((select, np.where))
_DEEPEST = 60  # statements that a mean is made of, one after the other
_SIGNED = (operator.add, operator.sub)
_SAME = frozenset((float, np.float64, np.asarray, np.copy, operator.pos))


def bisections(fn: Function, wrt: Iterable[str]) -> list[Problem]:
    """The loops, in split form, whose result depends on what is differentiated by through comparisons alone.

    What a step of Newton's method follows is as good as a solution.
    """
    loops = [s for s in walk.statements(fn.body) if isinstance(s, (For, While)) and _compares(s)]
    if not loops:
        return []
    values = _Values.of(fn)
    varied = reach(values.flows, wrt)
    useful = reach(reversed_edges(values.flows), values.returned)
    found = []
    for loop in loops:
        halved = _Loop(loop, values, varied).halved()
        if halved & useful and not values.polished(halved, varied, loop):
            found.append(Problem(loop.origin, REASON, REMEDY))
    return found


def roots(reached: dict[str, Function], wrt: Iterable[int]) -> list[Problem]:
    """The loops of a derivative, given after each stage, by the places of the parameters that it is with respect to."""
    if (fn := reached.get("separate")) is None:
        return []
    return bisections(fn, [name for position in wrt for name in walk.names(fn.arguments[position][1])])


def _compares(loop: For | While) -> bool:
    """Whether the body of a loop compares anything, which costs less to see than what it carries."""
    wholes = (whole for stmt in walk.statements(loop.body) for whole in walk.stmt_exprs(stmt))
    return any(isinstance(e, Call) and member(e.fn, _TESTS) for whole in wholes for e in walk.subexprs(whole))


def _operands(value: Expr) -> Iterator[Var]:
    """What the number that a value is depends on, but for what it is told to hold constant."""
    if isinstance(value, Var):
        yield value
    elif isinstance(value, Call) and (member(value.fn, CUTS) or member(value.fn, _TESTS)):
        return
    else:
        parts = walk.children(value)
        for part in parts[1:] if isinstance(value, Call) and member(value.fn, _CHOICES) else parts:
            yield from _operands(part)


@dataclass
class _Values:
    """Which values each name may have, and where the numbers of each go to."""

    given: dict[str, list[Expr]] = field(default_factory=dict)
    flows: dict[str, set[str]] = field(default_factory=dict)
    returned: list[str] = field(default_factory=list)
    whole: list[Expr] = field(default_factory=list)

    @staticmethod
    def of(fn: Function) -> _Values:
        made = _Values()
        for stmt in walk.statements(fn.body):
            made.whole += walk.stmt_exprs(stmt)
            for name, value in walk.bindings(stmt):
                made.given.setdefault(name, []).append(value)
                made._note(value, name)
            if isinstance(stmt, (Store, Accum)) and (stored := stored_name(stmt)):
                made._note(stmt.value, stored)
            if isinstance(stmt, Return):
                made.returned = [v.name for v in _operands(stmt.value)]
        return made

    def _note(self, value: Expr, into: str) -> None:
        for operand in _operands(value):
            self.flows.setdefault(operand.name, set()).add(into)

    @cached_property
    def sources(self) -> dict[str, set[str]]:
        return reversed_edges(self.flows)

    def behind(self, value: Expr) -> frozenset[str]:
        """All names that a number hangs on; of a truth value, those of the numbers that it compares."""
        return reach(self.sources, self._compared(value, 8))

    def _compared(self, value: Expr, depth: int) -> set[str]:
        found = set(walk.names(value))
        for name in walk.names(value) if depth else ():
            for one in self.given.get(name, []):
                if self.is_truth(one):
                    found |= self._compared(one, depth - 1)
        return found

    def is_truth(self, value: Expr) -> bool:
        """Whether a value is surely a truth value, which as a number is 0 or 1."""
        if isinstance(value, Var):
            made = self.given.get(value.name, [])
            return len(made) == 1 and not isinstance(made[0], Var) and self.is_truth(made[0])
        if isinstance(value, Call) and member(value.fn, _OF_TRUTHS):
            return self.is_truth(value.args[0])
        return isinstance(value, Call) and member(value.fn, _TESTS)

    def polished(self, names: frozenset[str], varied: frozenset[str], loop: For | While) -> bool:
        """Whether outside of the loop ``x - f(x) / g(x)`` is taken, x being one of the names, a copy or a mean."""
        within = {id(expr) for stmt in walk.statements(loop.body) for expr in walk.stmt_exprs(stmt)}
        into: dict[str, set[str]] = {}
        for name, made in self.given.items():
            for added in _added(made):
                into.setdefault(added, set()).add(name)
        copies = reach(into, names)
        for value in (part for whole in self.whole if id(whole) not in within for part in walk.subexprs(whole)):
            if isinstance(value, Call) and (fn := plain(value.fn)) in _SIGNED:
                for x, step in (value.args, value.args[::-1])[: 1 + (fn is operator.add)]:
                    if copies & {*_added([x])} and self._is_step(step, copies, varied):
                        return True
        return False

    def _is_step(self, step: Expr, names: frozenset[str], varied: frozenset[str]) -> bool:
        """Whether a value is a quotient, or a multiple of one, whose numerator hangs on the names and what varies."""
        while isinstance(step, Var) and len(self.given.get(step.name, [])) == 1:
            (step,) = self.given[step.name]
        if not isinstance(step, Call):
            return False
        if step.fn in (operator.mul, operator.neg):
            return any(self._is_step(part, names, varied) for part in step.args)
        if step.fn not in (operator.truediv, np.true_divide) or isinstance(step.args[1], Const):
            return False
        behind = self.behind(step.args[0])
        return bool(behind & names) and bool(behind & varied)


def _added(made: list[Expr]) -> Iterator[str]:
    """The names that a value is a copy of, or a sum of multiples."""
    waiting = list(made)
    while waiting:
        value = waiting.pop()
        if isinstance(value, Var):
            yield value.name
        elif isinstance(value, Tuple):
            waiting += value.items
        elif isinstance(value, Call) and (fn := plain(value.fn)) in ARITHMETIC:
            numbers = any(isinstance(a, Const) for a in value.args)
            waiting += value.args if fn in _SIGNED or numbers else ()
        elif isinstance(value, Call) and value.fn in _CHOICES:
            waiting += value.args[1:]


@dataclass
class _Loop:
    """The names that one loop carries, and what each is made of at the end of an iteration."""

    loop: For | While
    values: _Values
    varied: frozenset[str]

    def __post_init__(self) -> None:
        self.carried = dict(walk.moves_of(self.loop.body))
        self.inside = walk.assigned(self.loop.body)
        self.tests: dict[str, list[Expr]] = {}  # of what branches hand on
        self.refined: set[str] = set()  # by loops inside
        self.known: dict[str, Sums | None] = {}
        self.depth = 0
        for stmt in walk.statements(self.loop.body):
            if isinstance(stmt, If):
                for name, _ in (*walk.moves_of(stmt.then), *walk.moves_of(stmt.orelse)):
                    self.tests.setdefault(name, []).append(stmt.test)
            elif isinstance(stmt, (For, While)):
                self.refined |= {name for name, _ in walk.moves_of(stmt.body)}

    def halved(self) -> frozenset[str]:
        """The names of the ends of an interval that tests choose, and of the means of these."""
        forms = {name: made for name in self.carried if (made := self._alternatives(name)) is not None}
        while gone := {n for n, made in forms.items() if any(v not in forms for f in made.sums for v, _ in f)}:
            forms = {name: made for name, made in forms.items() if name not in gone}
        means = {name: [f for f in made.sums if is_mean(f, forms)] for name, made in forms.items()}
        found: set[str] = set()
        for name, made in forms.items():
            inner = [form for form in made.sums if is_mean(form, forms) and any(v == name for v, _ in form)]
            inner += [form for m in made.sums for other in forms if m == {(other, 1.0)} and other != name
                      for form in means[other] if any(v == name for v, _ in form)]  # fmt: skip
            if not inner or len(made.sums) < 2:
                continue
            behind = map(self.values.behind, made.tests)
            if any(b & self.varied and not b.isdisjoint(forms) for b in behind):
                found |= {name, *(v for form in inner for v, _ in form)}
        return frozenset(found | {name for name, made in means.items() if found and made})

    def _alternatives(self, name: str) -> Sums | None:
        made = self._sums(self.carried[name])
        return made if made is not None and made.sums - made.refined else None

    def _sums(self, value: Expr) -> Sums | None:
        """The sums that a value may be, of what the loop carries; None if it may be something else."""
        names = walk.names(value)
        if names.isdisjoint(self.inside) and names.isdisjoint(self.carried):
            return Sums({Form()}) if not names & self.varied else None
        if isinstance(value, Var):
            return self._of_name(value.name)
        if not isinstance(value, Call) or value.kwargs:
            return None
        if member(value.fn, _CHOICES) and len(value.args) == 3:
            made = [self._sums(part) for part in value.args[1:]]
            return either(made, [value.args[0]])
        if value.fn is operator.getitem and isinstance(value.args[1], Const):
            part = self._item(value.args[0], value.args[1].value)
            return None if part is None else self._sums(part)
        if member(value.fn, _SAME):
            return self._sums(value.args[0])
        return self._computed(plain(value.fn), value.args)

    def _of_name(self, name: str) -> Sums | None:
        if name not in self.known:
            self.known[name] = None  # where it is made of itself, or of too much
            self.depth += 1
            self.known[name] = self._made(name) if self.depth < _DEEPEST else None
            self.depth -= 1
        return self.known[name]

    def _made(self, name: str) -> Sums | None:
        if name in self.carried:
            return Sums({Form({(name, 1.0)})})
        given = self.values.given.get(name, [])
        if name in self.refined:  # what a loop inside makes of it is no other way of finding it
            made = self._sums(given[0])
            return made and Sums(made.sums, made.sums, made.tests)
        return either([self._sums(one) for one in given], self.tests.get(name, []))

    def _item(self, value: Expr, k: object) -> Expr | None:
        """The item of a tuple, wherever it was made."""
        if isinstance(value, Tuple) and type(k) is int and 0 <= k < len(value.items):
            return value.items[k]
        if isinstance(value, Call) and value.fn is select:
            then, orelse = (self._item(part, k) for part in value.args[1:])
            return None if then is None or orelse is None else Call(select, (value.args[0], then, orelse))
        if isinstance(value, Var) and len(given := self.values.given.get(value.name, [])) == 1:
            return self._item(given[0], k)
        return None

    def _computed(self, fn: object, args: tuple[Expr, ...]) -> Sums | None:
        if fn in _SIGNED:
            left, right = map(self._sums, args)
            return left and right and left.plus(right, 1.0 if fn is operator.add else -1.0)
        if fn is operator.neg:
            made = self._sums(args[0])
            return made and made.times([-1.0])
        if fn is operator.mul and self.values.is_truth(args[0]):
            args = args[::-1]
        if fn is operator.mul and self.values.is_truth(args[1]):
            made = self._sums(args[0])
            return made and either([made.times([0.0, 1.0])], [args[1]])
        if fn not in (operator.mul, operator.truediv):
            return None
        if fn is operator.mul and self._weight(args[1]) is None:
            args = args[::-1]
        made, weight = self._sums(args[0]), self._weight(args[1])
        if not made or not weight:
            return None
        return made.times([weight if fn is operator.mul else 1.0 / weight])

    def _weight(self, value: Expr) -> float | None:
        """A constant, as a number; nan if it is not known."""
        if isinstance(value, Const):
            return float(value.value) if isinstance(value.value, (int, float)) else None
        made = self._sums(value)
        return math.nan if made is not None and made.sums == {Form()} else None
