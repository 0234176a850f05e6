"""Whether linear inequalities have a solution: Fourier and Motzkin's elimination, tightened for integers.

A form is a sum of unknowns times integers and a constant, ``{"i": 1, "n": -1, ONE: 3}`` for ``i - n + 3``. The answer
may be yes for inequalities that no integers solve; it is never no for others that some do.

Source: A. Schrijver, Theory of Linear and Integer Programming, 1986, section 12.2.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

Form = dict[Hashable, int]
ONE = ()
"""The key of the constant."""
MOST = 300
"""Inequalities that are looked at; of more, the answer is yes."""


def added(a: Form, b: Form, times: int = 1) -> Form:
    """``a + times * b``

    >>> added({"i": 1, ONE: 2}, {"i": 1}, -1)
    {(): 2}
    """
    result = dict(a)
    for name, factor in b.items():
        result[name] = result.get(name, 0) + times * factor
    return {name: factor for name, factor in result.items() if factor}


def scaled(a: Form, times: int) -> Form:
    """``times * a``"""
    return {name: times * factor for name, factor in a.items() if times}


BOUNDS: dict[Any, Callable[[Form], list[Form]]] = {
    operator.lt: lambda apart: [added(apart, {ONE: -1})],
    operator.le: lambda apart: [apart],
    operator.gt: lambda apart: [added(scaled(apart, -1), {ONE: -1})],
    operator.ge: lambda apart: [scaled(apart, -1)],
    operator.eq: lambda apart: [apart, scaled(apart, -1)],
}
"""What comparisons of integers say of right - left: what is not negative."""
OPPOSITE: dict[Any, Any] = {
    operator.lt: operator.ge, operator.le: operator.gt, operator.gt: operator.le, operator.ge: operator.lt,
    operator.eq: operator.ne, operator.ne: operator.eq,
}  # fmt: skip


def solvable(zeros: Iterable[Form], least: Iterable[Form]) -> bool:
    """Whether integers may make all of `zeros` zero and none of `least` negative.

    >>> i_before_j = {"j": 1, "i": -1, ONE: -1}
    >>> solvable([], [i_before_j]), solvable([{"i": 1, "j": -1}], [i_before_j])
    (True, False)
    >>> solvable([{"i": 2, ONE: -1}], [])
    False
    """
    waiting, positive = list(zeros), list(least)
    while waiting:
        zero = waiting.pop()
        name = next((n for n, factor in zero.items() if n != ONE and abs(factor) == 1), None)
        if name is None:
            factors = [factor for n, factor in zero.items() if n != ONE]
            if zero.get(ONE, 0) % math.gcd(*factors) if factors else zero:
                return False
            positive += [zero, scaled(zero, -1)]
            continue
        waiting, positive = ([_without(form, name, zero) for form in forms] for forms in (waiting, positive))
    return _eliminated(positive)


def _without(form: Form, name: Hashable, zero: Form) -> Form:
    """A form in which an unknown is replaced by what it must be."""
    return added(form, zero, -form.get(name, 0) * zero[name])


def _eliminated(forms: Sequence[Form]) -> bool:
    left = {frozenset(form.items()): form for form in map(_tightened, forms)}
    while True:
        rows = list(left.values())
        if any(row.get(ONE, 0) < 0 for row in rows if len(row) == 1):
            return False
        names = {name for row in rows for name in row} - {ONE}
        if not names or len(rows) > MOST:
            return True
        name = min(names, key=lambda n: _pairs(rows, n))
        above = [row for row in rows if row.get(name, 0) > 0]
        below = [row for row in rows if row.get(name, 0) < 0]
        rows = [row for row in rows if name not in row]
        rows += [added(scaled(a, -b[name]), b, a[name]) for a in above for b in below]
        left = {frozenset(form.items()): form for form in map(_tightened, rows) if form}


def _pairs(rows: list[Form], name: Hashable) -> int:
    return sum(row.get(name, 0) > 0 for row in rows) * sum(row.get(name, 0) < 0 for row in rows)


def _tightened(form: Form) -> Form:
    """The same inequality for integers, with the smallest factors."""
    factor = math.gcd(*(f for name, f in form.items() if name != ONE)) if len(form.keys() - {ONE}) else 1
    result = {name: (f // factor) for name, f in form.items()}  # the constant is rounded down
    return {name: f for name, f in result.items() if f}


def possible(zeros: list[Form], least: list[Form], apart: list[Form]) -> bool:
    """Whether there is a solution in which none of `apart` is zero; of those, the first few are looked at.

    >>> possible([], [{"i": 1}, {"i": -1}], [{"i": 1}])
    False
    """
    if not solvable(zeros, least):
        return False
    if not apart:
        return True
    either = ([*least, added(scaled(apart[0], sign), {ONE: -1})] for sign in (1, -1))
    return any(possible(zeros, side, apart[1:4]) for side in either)
