"""weights: what a derivative tests for zero only to keep zero times infinity out, is differentiated without the
test; part of `derive`.

The adjoint of a root says ``np.where(y_bar != 0.0, y_bar / (2.0 * y), 0.0)`` where seeds or weights of zero may come.
This is the quotient at every `y_bar`, and its derivative with respect to `y_bar` is that of the quotient, at zero, too;
the branch taken there has none. Where the next derivative moves `y_bar`, the quotient therefore stands alone.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.activity import activity
from srcad.analysis.buffers import buffers
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, If, Let, Move, Stmt, Var, select
from srcad.lang.origin import Origin, written
from srcad.lang.types import is_float

_PRODUCTS = frozenset((operator.mul, np.multiply))
_QUOTIENTS = frozenset((operator.truediv, np.true_divide))
_SIGNS = frozenset((operator.neg, operator.pos, np.negative, np.positive))


def weights(fn: Function, wrt: tuple[str, ...]) -> Function:
    """A flat function of a derivative's source, without the tests of numbers that `wrt` moves.

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
    if not any(stmt.origin.filename in written for stmt in walk.statements(fn.body)):
        return fn
    lets = [s for s in walk.statements(fn.body) if isinstance(s, Let)]
    definitions = {s.target: s.value for s in lets}
    tests = {s.target: weight for s in lets if (weight := _weight(s.value)) is not None and not _is_users(s.origin)}
    if not tests:
        return fn
    varied = activity(fn, wrt, buffers(fn)).varied
    moved = {name: weight for name, weight in tests.items() if walk.names(weight) & varied}
    return replace(fn, body=_Untested(definitions, moved).block(fn.body)) if moved else fn


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

    def __init__(self, definitions: dict[str, Expr], moved: dict[str, Expr]):
        self.definitions, self.moved = definitions, moved

    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.statement(stmt))

    def statement(self, stmt: Stmt) -> tuple[Stmt, ...]:
        stmt = walk.map_stmt(lambda e: e, stmt, self.block)
        match stmt:
            case Let(_, Call(fn, (Var(test), whole, Const(0.0)))) if fn is np.where or fn is select:
                if test in self.moved and self.is_multiple(whole, self.moved[test]):
                    return (replace(stmt, value=whole),)
            case If(Var(test), (*then, Move(targets, values) as move), (Move(_, zeros),)) if test in self.moved:
                if len(targets) == len(zeros) and all(isinstance(z, Const) and z.value == 0.0 for z in zeros):
                    if all(self.is_multiple(value, self.moved[test]) for value in values):
                        named = [Let(t, v, move.origin) for t, v in zip(targets, values)]
                        return (*then, *named)  # type: ignore[return-value]
        return (stmt,)

    def is_multiple(self, value: Expr, weight: Expr) -> bool:
        """Whether a value is a weight times something that the weight has no part in."""
        return self.degree(value, self.place(weight)) == 1

    def degree(self, value: Expr, weight: Expr) -> int:
        """How often the weight is a factor of a value; -1: it is something else."""
        if self.place(value) == weight:
            return 1
        match self.definitions.get(value.name) if isinstance(value, Var) else value:
            case Call(fn, (inner,)) if member(fn, _SIGNS):
                return self.degree(inner, weight)
            case Call(fn, (a, b)) if member(fn, _PRODUCTS):
                degrees = self.degree(a, weight), self.degree(b, weight)
                return sum(degrees) if min(degrees) >= 0 else -1
            case Call(fn, (a, b)) if member(fn, _QUOTIENTS):
                return self.degree(a, weight) if self.degree(b, weight) == 0 else -1
        names = {e.name for e in walk.subexprs(weight) if isinstance(e, Var) and is_float(e.type)}
        return -1 if self.rests_on(value, names) else 0

    def place(self, value: Expr) -> Expr:
        """The element of an array that a name stands for, or what is given."""
        found = self.definitions.get(value.name) if isinstance(value, Var) else None
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
