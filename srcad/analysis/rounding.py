"""Whether a function computes with its own rounding errors, as compensated sums do.

``c = (t - s) - y`` after ``t = s + y`` is zero in exact arithmetic and the error of the sum in floating point. A
compiler that may reorder sums makes it zero. The sign of such code is a subtraction that takes away what was added
before: one of its operands is a term of the other, written out through the names of sums and from one iteration to the
next.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Function, Let, Move, Var, While
from srcad.lang.types import is_float

_PLUS = frozenset((operator.add, np.add))
_MINUS = frozenset((operator.sub, np.subtract))
_NEGATIVE = frozenset((operator.neg, np.negative))
MOST_TERMS = 16

Term = tuple[int, Expr]  # its sign, and what is added


def compensates(fn: Function) -> bool:
    """Whether a flat function takes away from a sum what it has added to it.

    >>> from srcad.lang.types import FLOAT
    >>> a, b, s = Var("a", FLOAT), Var("b", FLOAT), Var("s", FLOAT)
    >>> total = Let("s", Call(operator.add, (a, b), (), FLOAT))
    >>> compensates(Function("f", (), (total, Let("e", Call(operator.sub, (s, a), (), FLOAT)))))
    True
    >>> compensates(Function("f", (), (total, Let("e", Call(operator.sub, (a, b), (), FLOAT)))))
    False
    """
    sums = _Sums()
    sums.collect(fn.body)
    return any(sums.cancels(stmt.value) for stmt in walk.statements(fn.body) if isinstance(stmt, Let))


@dataclass
class _Sums:
    """What names stand for: their definitions, and what the iteration before left in those that a loop carries."""

    definitions: dict[str, Expr] = field(default_factory=dict)
    carried: dict[str, Expr] = field(default_factory=dict)
    written_out: dict[tuple[str, frozenset[str]], list[Term]] = field(default_factory=dict)

    def collect(self, block: Block) -> None:
        for stmt in block:
            if isinstance(stmt, Let):
                self.definitions[stmt.target] = stmt.value
            if isinstance(stmt, (For, While)) and stmt.body and isinstance(stmt.body[-1], Move):
                self.carried.update(zip(stmt.body[-1].targets, stmt.body[-1].values))
            for inner in walk.blocks(stmt):
                self.collect(inner)

    def cancels(self, value: Expr) -> bool:
        """Whether one operand of a sum or a difference is a term of the other, and is taken away again."""
        if not (isinstance(value, Call) and is_float(value.type) and member(value.fn, _PLUS | _MINUS)):
            return False
        sign = 1 if member(value.fn, _MINUS) else -1
        a, b = value.args
        return any((sign, other) in self.terms(one, 1, frozenset())
                   for one, whole in ((a, b), (b, a)) for other in self.same(whole))  # fmt: skip

    def same(self, expr: Expr) -> list[Expr]:
        """An operand and what it is another name for."""
        found = [expr]
        while isinstance(expr, Var) and (meaning := self.meaning(expr.name)) is not None and meaning not in found:
            if isinstance(meaning, Call) and member(meaning.fn, _PLUS | _MINUS | _NEGATIVE):
                break
            found.append(meaning)
            expr = meaning
        return found

    def meaning(self, name: str) -> Expr | None:
        meaning = self.definitions.get(name) or self.carried.get(name)
        return meaning if is_float(getattr(meaning, "type", None)) else None

    def terms(self, expr: Expr, sign: int, seen: frozenset[str]) -> list[Term]:
        """The terms of a sum, written out; names of sums stand beside what they are sums of."""
        match expr:
            case Call(fn, (left, right)) if member(fn, _PLUS | _MINUS):
                other = -sign if member(fn, _MINUS) else sign
                found = self.terms(left, sign, seen) + self.terms(right, other, seen)
                return found if len(found) <= MOST_TERMS else [(sign, expr)]
            case Call(fn, (inner,)) if member(fn, _NEGATIVE):
                return self.terms(inner, -sign, seen)
            case Var(name) if name not in seen and (meaning := self.meaning(name)) is not None:
                return [(sign, expr), *((sign * of, term) for of, term in self.terms_of(name, meaning, seen))]
        return [(sign, expr)]

    def terms_of(self, name: str, meaning: Expr, seen: frozenset[str]) -> list[Term]:
        """The terms of what a name stands for; only what loops carry can lead back to a name, those `seen`."""
        if (name, seen) not in self.written_out:
            through = seen if name in self.definitions else seen | {name}
            self.written_out[name, seen] = self.terms(meaning, 1, through)
        return self.written_out[name, seen]
