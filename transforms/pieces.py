"""Slices between lengths, ``a[:n]`` and ``a[n:2 * n]``, and what is joined of whole arrays; part of `alike`.

The gates of a cell, or positions and velocities, are parts of one array. How long ``a[n:2 * n]`` is, `n` or less,
nobody knows before `a` is there. Where such a part meets another array, it is taken to be whole, and as long as that
one. Whether it is can be asked for at the beginning, in terms of lengths and numbers that the function is given. So
can what ``np.concatenate((x, h))`` has, which ``W @ np.concatenate((x, h))`` takes to be what `W` has columns.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from srcad.analysis.contents import times_given
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Attr, Call, Const, Expr, Function, Let, Slice, Var
from srcad.lang.shapes import split_offset, summands
from srcad.lang.types import BOOL, INT, Array, Scalar
from srcad.transforms.simplify import simplified

_COMPUTED = (operator.add, operator.sub, operator.mul)
_DEPTH = 6  # of definitions that a bound is followed through


@dataclass
class Pieces:
    """Slices by the symbols of their lengths: how long they are if they are whole, and what says that they are not."""

    lengths: dict[str, Expr] = field(default_factory=dict)
    tests: dict[str, list[Call]] = field(default_factory=dict)
    known: dict[str, Expr] = field(default_factory=dict)  # lengths at the beginning
    single: dict[str, Expr] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()  # integers that the function is given

    @staticmethod
    def of(fn: Function, known: dict[str, Expr]) -> Pieces:
        """The slices of axes whose lengths are `known`, between bounds that are known, too.

        >>> from srcad.lang.arrays import axis_length
        >>> from srcad.lang.ir import Param, Return
        >>> x, n = Var("x", Array("float64", ("x.shape[0]",), "C")), Var("n", INT)
        >>> kind = Array("float64", ("[x.shape[0]][n:[2*n]:1]",))
        >>> twice = Call(operator.mul, (Const(2, INT), n), (), INT)
        >>> part = Call(operator.getitem, (x, Slice(n, twice)), (), kind)
        >>> fn = Function("f", (Param("x", x.type), Param("n", INT)), (Let("y", part), Return(x)))
        >>> found = Pieces.of(fn, {"x.shape[0]": axis_length(x, 0), "n": n})
        >>> from srcad.lang.write import write
        >>> exprs = (*found.lengths.values(), *found.tests[kind.shape[0]])
        >>> checks = tuple(Let(f"c{k}", e) for k, e in enumerate(exprs))
        >>> print(write(Function("f", (Param("x", x.type), Param("n", INT)), checks)).text, end="")
        def f(x, n):
            c0 = n
            c1 = n < 0
            c2 = 2 * n < n
            c3 = x.shape[0] < 2 * n
        """
        given = [(s.target, s.value) for s in walk.statements(fn.body) if isinstance(s, Let)]
        counts = times_given(fn.body)
        numbers = frozenset(p.name for p in fn.params if isinstance(p.type, Scalar))
        found = Pieces({}, {}, known, {name: value for name, value in given if counts[name] == 1}, numbers)
        for stmt in walk.statements(fn.body):
            for e in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
                match e:
                    case Call(operator.getitem, (Var(_, Array()) as base, index), (), Array()):
                        found.note(base, items_of(index), e.type)  # type: ignore
                found.note_sums(getattr(e, "type", None))
        return found

    def note_sums(self, kind: Any) -> None:
        """The axes of an array that are as long as several together whose lengths are known."""
        for dim in kind.shape if isinstance(kind, Array) else ():
            base, _ = split_offset(dim)
            terms, more = summands((base, 0))
            if base is None or base in self.lengths or terms.total() < 2 or not terms.keys() <= self.known.keys():
                continue
            each = [self.known[term] for term in sorted(terms.elements())]
            if not any(isinstance(term, Var) for term in each):  # a number of the user's, which may be negative
                each += [Const(more, INT)] if more else []
                self.lengths[base] = reduce(lambda a, b: Call(operator.add, (a, b), (), INT), each)

    def note(self, base: Var, index: tuple[Expr, ...], result: Array) -> None:
        assert isinstance(base.type, Array)
        shape = list(result.shape)
        for dim, item in zip(base.type.shape, index):
            if not isinstance(item, Slice):
                if not (isinstance(item, (Var, Const, Call)) and isinstance(item.type, Scalar)):
                    return  # an array of subscripts, a new axis
                continue
            part = shape.pop(0)
            whole = self.known.get(dim) if isinstance(dim, str) else None
            if whole is None or not isinstance(part, str) or not part.startswith("[") or part in self.lengths:
                continue
            lower = self.at_first(item.lower) if item.lower is not None else Const(0, INT)
            upper = self.at_first(item.upper) if item.upper is not None else whole
            if lower is None or upper is None or item.step is not None and not walk.is_const(item.step, 1):
                continue
            self.lengths[part] = simplified(Call(operator.sub, (upper, lower), (), INT))
            pairs = [(lower, Const(0, INT)), (upper, lower), (whole, upper)]
            self.tests[part] = [Call(operator.lt, (a, b), (), BOOL) for a, b in pairs
                                if a != b and not (walk.is_const(b, 0) and self.is_natural(a))]  # fmt: skip

    def at_first(self, expr: Expr, depth: int = 0) -> Expr | None:
        """An integer in terms of what is known at the beginning."""
        match expr:
            case Const(int() as value):
                return Const(value, INT)
            case Var(name, Scalar(dtype)) if dtype.startswith("int"):
                if name in self.numbers:
                    return expr
                known = self.single.get(name)
                return self.at_first(known, depth + 1) if known is not None and depth < _DEPTH else None
            case Call(operator.getitem, (Attr(Var(_, Array(_, shape)), "shape"), Const(int() as axis))):
                dim = shape[axis]
                return Const(dim, INT) if isinstance(dim, int) else self.known.get(dim)
            case Call(fn, (one, other)) if fn in _COMPUTED:
                a, b = self.at_first(one, depth), self.at_first(other, depth)
                return None if a is None or b is None else Call(fn, (a, b), (), INT)
        return None

    def is_natural(self, expr: Expr) -> bool:
        """Whether an integer is never negative."""
        match expr:
            case Const(int() as value):
                return value >= 0
            case Call(operator.getitem, (Attr(), _)):
                return True
            case Call(operator.add | operator.mul, (one, other)):
                return self.is_natural(one) and self.is_natural(other)
        return False
