"""What is known of the lengths of arrays: numbers that are named once, and arrays that are made once."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass

import numpy as np

from srcad.analysis.buffers import adds_in_place
from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Const, Expr, Function, Let, Tuple, Var
from srcad.lang.types import Array, Dim


@dataclass(frozen=True)
class Lengths:
    """The names of a split function that are assigned once, and what they are."""

    lets: dict[str, Expr]
    single: frozenset[str]

    @staticmethod
    def of(fn: Function) -> Lengths:
        count = Counter(name for stmt in walk.statements(fn.body) if not adds_in_place(stmt)
                        for name in walk.targets(stmt))  # fmt: skip
        count.update(param.name for param in fn.params)
        lets = {s.target: s.value for s in walk.statements(fn.body) if isinstance(s, Let) and count[s.target] == 1}
        return Lengths(lets, frozenset(name for name, times in count.items() if times == 1))

    def dim(self, count: Expr) -> Dim | None:
        """The dimension that is this number.

        >>> a = Var("a", Array("float64", ("a.shape[0]",)))
        >>> Lengths({"n": Call(len, (a,))}, frozenset("an")).dim(Var("n"))
        'a.shape[0]'
        """
        match count:
            case Const(int() as value):
                return value
            case Var(name) if name in self.lets:
                return self.dim(self.lets[name]) or name
            case Var(name) if name in self.single:
                return name
            case Call(operator.getitem, (Attr(Var(_, Array(shape=shape)), "shape"), Const(int() as axis))):
                return shape[axis]
            case Call(fn, (Var(_, Array(shape=shape)),)) if fn is len:
                return shape[0]
            case Attr(Var(_, Array(shape=(only,))), "size"):
                return only
        return None

    def resolved(self, number: Expr) -> Expr:
        """What a number is known to be: of one that is not negative, ``max(number, 0)`` is the same."""
        while isinstance(number, Var) and number.name in self.lets:
            number = self.lets[number.name]
        inner = _at_least_none(number)
        return self.resolved(inner) if inner is not None and self.is_natural(inner) else number

    def is_natural(self, number: Expr) -> bool:
        """Whether a number is surely not negative: a constant, the length of something, or the least of such.

        >>> known = Lengths({"n": Call(len, (Var("a", Array("float64", ("a.shape[0]",))),))}, frozenset("an"))
        >>> known.is_natural(Var("n")), known.is_natural(Call(min, (Var("n"), Const(3)))), known.is_natural(Var("k"))
        (True, True, False)
        """
        number = self.resolved(number)
        match number:
            case Const(value=int() as value):
                return value >= 0
            case Call(fn, args) if fn is min or fn is max:
                return (all if fn is min else any)(map(self.is_natural, args))
            case Call():
                return self.dim(number) is not None
        return False

    def counts_rows(self, number: Expr, array: Var) -> bool:
        """Whether ``range(number)`` counts the rows of an array; a number below zero counts none, as it makes none."""
        assert isinstance(array.type, Array)
        match self.lets.get(array.name):
            case Call(np.empty, (Tuple((made, *_)) | made, *_)):
                made, number = self.resolved(made), self.resolved(number)
                if number in (made, _at_least_none(made)):
                    return True
        return self.dim(number) == array.type.shape[0]


def _at_least_none(number: Expr) -> Expr | None:
    """What is n where a number is ``max(n, 0)``."""
    match number:
        case Call(fn, (inner, Const(value=0))) | Call(fn, (Const(value=0), inner)) if fn is max:
            return inner
    return None
