"""Sums of names with constant weights, of which a value is one or another."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.ir import Expr

Form = frozenset[tuple[str, float]]  # names with their weights; one that is nan is some constant
_MOST = 12  # alternatives of one value; beyond, it is no simple mean
ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv)
_OUT_OF_PLACE = {
    operator.iadd: operator.add, operator.isub: operator.sub, operator.imul: operator.mul,
    operator.itruediv: operator.truediv, np.add: operator.add, np.subtract: operator.sub,
    np.multiply: operator.mul, np.divide: operator.truediv,
}  # fmt: skip


def plain(fn: Any) -> Any:
    """A function, or for one that may work in place Python's operator.

    >>> plain(operator.isub) is plain(np.subtract) is operator.sub
    True
    """
    return _OUT_OF_PLACE[fn] if member(fn, _OUT_OF_PLACE) else fn


@dataclass
class Sums:
    """The sums that a value may be, those that loops inside go on from, and the tests that choose."""

    sums: set[Form]
    refined: set[Form] = field(default_factory=set)
    tests: list[Expr] = field(default_factory=list)

    def plus(self, other: Sums, sign: float) -> Sums | None:
        """The sums, or differences, of each with each."""
        if len(self.sums) * len(other.sums) > _MOST:
            return None
        refined = {_sum(a, b, sign) for a in self.sums for b in other.sums if a in self.refined or b in other.refined}
        return Sums({_sum(a, b, sign) for a in self.sums for b in other.sums}, refined, self.tests + other.tests)

    def times(self, weights: list[float]) -> Sums:
        """The multiples by each weight."""
        def scaled(forms: set[Form]) -> set[Form]:
            return {_form({name: weight * w for name, weight in form}) for form in forms for w in weights}

        return Sums(scaled(self.sums), scaled(self.refined) - {Form()}, self.tests)


def either(made: list[Sums | None], tests: list[Expr]) -> Sums | None:
    """What a value is that is one of some, as tests say; None if one of them is no sum."""
    if not made or None in made:
        return None
    known = [one for one in made if one is not None]
    sums = {form for one in known for form in one.sums}
    refined = {form for one in known for form in one.refined}
    plain = {form for one in known for form in one.sums - one.refined}
    return Sums(sums, refined - plain, [t for one in known for t in one.tests] + tests) if len(sums) <= _MOST else None


def _sum(a: Form, b: Form, sign: float) -> Form:
    weights = dict(a)
    for name, weight in b:
        weights[name] = weights.get(name, 0.0) + sign * weight
    return _form(weights)


def _form(weights: dict[str, float]) -> Form:
    return Form((name, math.nan if math.isnan(w) else round(w, 12)) for name, w in weights.items() if w)


def is_mean(form: Form, forms: dict[str, Sums]) -> bool:
    """Whether a sum lies between two of the names, or is one of them and a part of a width that shrinks."""
    weights = dict(form)
    if len(weights) < 2:
        return False
    if all(math.isnan(w) or 0.0 < w < 1.0 for w in weights.values()):
        return True
    widths = [name for name in weights if all(
        len(f) == 1 and all(v == name and abs(w) < 1.0 for v, w in f) for f in forms[name].sums)]  # fmt: skip
    return len(weights) == 2 and len(widths) == 1 and all(w == 1.0 for v, w in weights.items() if v not in widths)
