"""weights: what a derivative tests for zero only to keep zero times infinity out, is differentiated without the
test; part of `derive`.

The adjoint of a root says ``np.where(y_bar != 0.0, y_bar / (2.0 * y), 0.0)`` where seeds or weights of zero may come.
This is the quotient at every `y_bar`, and its derivative with respect to `y_bar` is that of the quotient, at zero, too;
the branch taken there has none. Where the next sweep in reverse moves `y_bar`, the quotient therefore stands alone.
A tangent is that of the quotient, too, but where neither `y_bar` nor its tangent is anything but zero, it is zero.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.activity import Activity, activity
from srcad.analysis.buffers import buffers
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, If, Let, Move, Stmt, Var, select
from srcad.lang.origin import Origin, written
from srcad.lang.types import FLOAT, is_float

_PRODUCTS = frozenset((operator.mul, np.multiply))
_QUOTIENTS = frozenset((operator.truediv, np.true_divide))
_SUMS = frozenset((operator.add, operator.sub, np.add, np.subtract))
_SIGNS = frozenset((operator.neg, operator.pos, np.negative, np.positive))
Weights = tuple[Expr, ...]


def weights(fn: Function, wrt: tuple[str, ...], tangents: bool = False) -> Function:
    """A flat function of a derivative's source, without the tests of numbers that `wrt` moves.

    For `tangents`, branches become choices: `multiples` tells what becomes of these.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.origin import Origin
    >>> from srcad.lang.types import BOOL, FLOAT
    >>> w, r, t, e, y = (Var(n, BOOL if n == "t" else FLOAT) for n in "wrtey")
    >>> written["<doc>"] = lambda: {1: Origin("model.py", 1, adjoint=True)}
    >>> here = Origin("<doc>", 1)
    >>> body = (Let("t", Call(operator.ne, (w, Const(0.0)), (), BOOL), here),
    ...         Let("e", Call(operator.truediv, (w, r), (), FLOAT), here),
    ...         Let("y", Call(np.where, (t, e, Const(0.0)), (), FLOAT), here), Return(y))
    >>> f = Function("f", (Param("w", FLOAT), Param("r", FLOAT)), body)
    >>> weights(f, ("w",)).body[2].value == e, weights(f, ("r",)) == f
    (True, True)
    """
    if not (tests := _tests(fn)):
        return fn
    varied = activity(fn, wrt, buffers(fn)).varied
    moved = {name: tested for name, tested in tests.items() if _names(tested) & varied}
    return replace(fn, body=_Untested(_definitions(fn), moved, tangents).block(fn.body)) if moved else fn


def multiples(fn: Function, active: Activity) -> dict[str, tuple[Weights, bool]]:
    """What is a multiple of numbers that move where one of them is not zero, and zero elsewhere: of which ones.

    With them, whether anything else in the multiple moves.
    """
    moved = {name: tested for name, tested in _tests(fn).items() if _names(tested) & active.varied}
    found: dict[str, tuple[Weights, bool]] = {}
    if moved:
        untested = _Untested(_definitions(fn), moved)
        for stmt in walk.statements(fn.body):
            match stmt:
                case Let(target, Call(args=(Var(test), whole, _))) if untested.is_choice(stmt):
                    factors = tuple(untested.factor(weight, whole, active) for weight in moved[test])
                    found[target] = factors, untested.moves_otherwise(whole, moved[test], active)
    return found


def _tests(fn: Function) -> dict[str, Weights]:
    """What the tests compare with zero that a derivative has written, ``a != 0.0`` or ``(a != 0.0) | (b != 0.0)``."""
    if not any(stmt.origin.filename in written for stmt in walk.statements(fn.body)):
        return {}
    found: dict[str, Weights] = {}
    for stmt in walk.statements(fn.body):
        match stmt:
            case Let(target, Call(operator.or_, (Var(a), Var(b)))) if a in found and b in found:
                found[target] = (*found[a], *found[b])
            case Let(target, value) if not _is_users(stmt.origin) and (weight := _weight(value)) is not None:
                found[target] = (weight,)
    return found


def _names(weights: Weights) -> set[str]:
    return {name for weight in weights for name in walk.names(weight)}


def _definitions(fn: Function) -> dict[str, Expr]:
    return {s.target: s.value for s in walk.statements(fn.body) if isinstance(s, Let)}


def _is_users(origin: Origin) -> bool:
    """Whether a test stands in the user's line; what a derivative returns stands in the line that calls it."""
    return origin.filename not in written and "!=" in origin.text


def _weight(test: Expr) -> Expr | None:
    """What a test compares with zero."""
    match test:
        case Call(fn, (weight, Const(zero))) if fn is operator.ne and is_float(getattr(weight, "type", None)):
            return weight if isinstance(zero, float) and zero == 0 else None
    return None


class _Untested:
    """Takes the tests of some names away."""

    def __init__(self, definitions: dict[str, Expr], moved: dict[str, Weights], tangents: bool = False):
        self.definitions, self.moved, self.tangents = definitions, moved, tangents

    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.statement(stmt))

    def statement(self, stmt: Stmt) -> tuple[Stmt, ...]:
        stmt = walk.map_stmt(lambda e: e, stmt, self.block)
        match stmt:
            case Let(_, Call(args=(_, whole, _))) if not self.tangents and self.is_choice(stmt):
                return (replace(stmt, value=whole),)
            case If(Var(test), (*then, Move(targets, values) as move), (Move(_, zeros),)) if test in self.moved:
                if len(targets) == len(zeros) and all(isinstance(z, Const) and z.value == 0.0 for z in zeros):
                    if all(self.is_multiple(value, self.moved[test]) for value in values):
                        wholes = [self.chosen(stmt.test, value) for value in values] if self.tangents else values
                        named = [Let(t, v, move.origin) for t, v in zip(targets, wholes)]
                        return (*then, *named)  # type: ignore[return-value]
        return (stmt,)

    @staticmethod
    def chosen(test: Expr, whole: Expr) -> Expr:
        """A multiple where the test says so, else zero, in one expression."""
        return Call(select, (test, whole, Const(0.0, FLOAT)), (), whole.type)  # type: ignore[attr-defined]

    def is_choice(self, stmt: Stmt) -> bool:
        """Whether a statement chooses between a multiple of what is tested, and zero."""
        match stmt:
            case Let(_, Call(fn, (Var(test), whole, Const(0.0)))) if fn is np.where or fn is select:
                return test in self.moved and self.is_multiple(whole, self.moved[test])
        return False

    def is_multiple(self, value: Expr, weights: Weights) -> bool:
        """Whether a value is a sum of weights, each times something that no weight has a part in."""
        return self.degree(value, tuple(map(self.place, weights))) == 1

    def degree(self, value: Expr, weights: Weights) -> int:
        """How many factors of a value, or of each of its terms, are weights; -1: it is something else."""
        if self.place(value) in weights:
            return 1
        match self.definitions.get(value.name) if isinstance(value, Var) else value:
            case Call(fn, (inner,)) if member(fn, _SIGNS):
                return self.degree(inner, weights)
            case Call(fn, (a, b)) if member(fn, _PRODUCTS):
                degrees = self.degree(a, weights), self.degree(b, weights)
                return sum(degrees) if min(degrees) >= 0 else -1
            case Call(fn, (a, b)) if member(fn, _QUOTIENTS):
                return self.degree(a, weights) if self.degree(b, weights) == 0 else -1
            case Call(operator.getitem, (base, index)) if spread := self.spread(weights, index):
                return self.degree(base, spread)
            case Call(fn, (a, b)) if member(fn, _SUMS):
                first = self.degree(a, weights)
                return first if first == self.degree(b, weights) else -1
        names = {e.name for weight in weights for e in walk.subexprs(weight) if isinstance(e, Var) and is_float(e.type)}
        return -1 if self.rests_on(value, names) else 0

    def factor(self, weight: Expr, whole: Expr, active: Activity) -> Expr:
        """What a weight is called in a multiple; what is but tested has no tangent."""
        if isinstance(weight, Var) and weight.name not in active:
            waiting, place = [whole], self.place(weight)
            while waiting:
                each = waiting.pop()
                if isinstance(each, Var) and each.name in active and self.place(each) == place:
                    return each
                inner = self.definitions.get(each.name) if isinstance(each, Var) else each
                waiting += inner.args if isinstance(inner, Call) else ()
        return weight

    def spread(self, weights: Weights, index: Expr) -> Weights:
        """What the weights are elements of, ``w`` of ``w[:, None]``, if all stand under this index; else nothing."""
        whole = tuple(self.place(w.args[0]) for w in weights
                      if isinstance(w, Call) and w.fn is operator.getitem and w.args[1] == index)  # fmt: skip
        return whole if len(whole) == len(weights) else ()

    def moves_otherwise(self, value: Expr, weights: Weights, active: Activity) -> bool:
        """Whether a factor in a multiple moves that is no weight."""
        if self.place(value) in map(self.place, weights):
            return False
        inner = self.definitions.get(value.name) if isinstance(value, Var) else value
        if isinstance(inner, Call) and any(member(inner.fn, fns) for fns in (_SIGNS, _PRODUCTS, _QUOTIENTS, _SUMS)):
            return any(self.moves_otherwise(each, weights, active) for each in inner.args)
        return bool(walk.names(value) & active.varied)

    def place(self, value: Expr) -> Expr:
        """The element of an array that a name stands for, or what is given; but for its sign."""
        found = self.definitions.get(value.name) if isinstance(value, Var) else None
        if isinstance(found, Call) and member(found.fn, _SIGNS):
            return self.place(found.args[0])
        return found if isinstance(found, Call) and found.fn is operator.getitem else value

    def rests_on(self, value: Expr, names: set[str]) -> bool:
        """Whether a value is computed from one of these names, as far as definitions tell."""
        waiting, seen = set(walk.names(value)), set[str]()
        while waiting:
            name = waiting.pop()
            if name in names:
                return True
            seen.add(name)
            if name in self.definitions:
                waiting |= walk.names(self.definitions[name]) - seen
        return False
