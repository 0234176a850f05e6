"""extents: how often an inner loop goes round at most, as it is known before the loops around it; part of `slots`.

``for j in range(n): for i in range(j + 1, n)`` makes n - 1 iterations of the inner loop in its longest turn. Bounds are
sums of indices of the loops around, times integers, and of what is known before them.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, For, Var
from srcad.lang.types import INT
from srcad.transforms.simplify import simplified

Terms = tuple[dict[str, int], list[tuple[int, Expr]]]  # what indices, and other numbers, are multiplied by


@dataclass
class Extents:
    """The loops around, the outermost first; `before` writes a number as it is known before them, or gives None."""

    around: Sequence[For]
    values: dict[str, Expr]  # of names that the loops bind
    before: Callable[[Expr], Expr | None]

    def trips(self, loop: For) -> Expr | None:
        """No fewer than the iterations of the longest turn; None if that is not known before.

        >>> n, i = Var("n", INT), Var("i", INT)
        >>> outer = For("i", Const(0, INT), n, Const(1, INT), ())
        >>> inner = For("j", Call(operator.add, (i, Const(1, INT)), (), INT), n, Const(1, INT), ())
        >>> known = Extents([outer], {}, lambda e: None if "i" in walk.names(e) else e)
        >>> known.trips(inner).args[0].args
        (Var(name='n', ...), Const(value=1, ...))
        """
        if not (walk.is_const(loop.step, 1) or walk.is_const(loop.step, -1)):
            return None
        low, high = (loop.start, loop.stop) if loop.step.value == 1 else (loop.stop, loop.start)  # type: ignore
        ends = itertools.product(self.options(high, min), self.options(low, max))
        found = [most for a, b in ends if (most := self.difference(a, b)) is not None]
        most = Call(min, tuple(dict.fromkeys(found)), (), INT) if len(set(found)) > 1 else found[0] if found else None
        if most is None or isinstance(most, Const):
            return most if most is None else Const(max(most.value, 0), INT)
        return Call(max, (most, Const(0, INT)), (), INT)

    def options(self, expr: Expr, fn: object) -> Iterator[Expr]:
        """The arguments of ``min`` or ``max``, each of which is a bound."""
        if isinstance(expr, Var) and expr.name in self.values:
            yield from self.options(self.values[expr.name], fn)
        elif isinstance(expr, Call) and expr.fn is fn:
            yield from expr.args
        else:
            yield expr

    def difference(self, high: Expr, low: Expr) -> Expr | None:
        """How much one number is above another at most."""
        terms = self.terms(Call(operator.sub, (high, low), (), INT))
        return None if terms is None else self.most(terms, len(self.around))

    def most(self, terms: Terms, depth: int) -> Expr | None:
        """The greatest value of a sum in which indices of the outermost `depth` loops are left."""
        indices, others = terms
        for number in reversed(range(depth)):
            loop = self.around[number]
            factor = indices.pop(loop.index, 0)
            if not factor:
                continue
            end = self.end(loop, factor > 0)
            found = None if end is None else self.terms(end)
            if found is None:
                return None
            for name, times in found[0].items():
                indices[name] = indices.get(name, 0) + factor * times
            others = others + [(factor * times, e) for times, e in found[1]]
        return None if any(indices.values()) else _sum(others)

    def end(self, loop: For, largest: bool) -> Expr | None:
        """The largest or the least value of an index, or one beyond that."""
        step = loop.step.value if isinstance(loop.step, Const) else None
        if not isinstance(step, int) or not step:
            return None
        if largest == (step < 0):
            return loop.start
        return simplified(Call(operator.sub if step > 0 else operator.add, (loop.stop, Const(1, INT)), (), INT))

    def terms(self, expr: Expr) -> Terms | None:
        """A number as a sum."""
        match expr:
            case Var(name) if any(loop.index == name for loop in self.around):
                return {name: 1}, []
            case Var(name) if name in self.values:
                return self.terms(self.values[name])
            case Call(operator.add | operator.sub as fn, (left, right)):
                a, b = self.terms(left), self.terms(right)
                if a is None or b is None:
                    return None
                sign = 1 if fn is operator.add else -1
                indices = {name: a[0].get(name, 0) + sign * b[0].get(name, 0) for name in a[0].keys() | b[0].keys()}
                return indices, a[1] + [(sign * factor, e) for factor, e in b[1]]
            case Call(operator.mul, (Const(int() as k), other)) | Call(operator.mul, (other, Const(int() as k))):
                found = self.terms(other)
                if found is not None:
                    return {name: k * f for name, f in found[0].items()}, [(k * f, e) for f, e in found[1]]
        known = self.before(expr)
        return None if known is None else ({}, [(1, known)])


def _sum(terms: list[tuple[int, Expr]]) -> Expr:
    """A sum of numbers, each of them once, and the constant last."""
    constant = sum(factor * e.value for factor, e in terms if isinstance(e, Const))
    total: Expr | None = None
    gathered: dict[Expr, int] = {}
    for factor, e in terms:
        if not isinstance(e, Const):
            gathered[e] = gathered.get(e, 0) + factor
    for e, factor in sorted(gathered.items(), key=lambda item: item[1] < 0):
        size = abs(factor)
        part = e if size == 1 else Call(operator.mul, (Const(size, INT), e), (), INT)
        if factor and total is None:
            total = part if factor > 0 else Call(operator.neg, (part,), (), INT)
        elif factor:
            total = Call(operator.add if factor > 0 else operator.sub, (total, part), (), INT)  # type: ignore[arg-type]
    if total is None:
        return Const(constant, INT)
    fn = operator.add if constant > 0 else operator.sub
    return Call(fn, (total, Const(abs(constant), INT)), (), INT) if constant else total
