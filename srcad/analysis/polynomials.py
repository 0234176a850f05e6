"""Numbers in terms of names and lengths: sums of products of their powers, in which equal ones cancel.

>>> n, half = length("x.shape[0]"), number(0.5)
>>> plus(product(half, n), product(number(-0.5), n))
frozenset()
>>> product(n, inverse(n)) == number(1)
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from srcad.lang.shapes import split_offset
from srcad.lang.types import Dim

Term = tuple[tuple[str, int], ...]  # names with their powers
Polynomial = frozenset[tuple[Term, Fraction]]


def named(name: str) -> Polynomial:
    return frozenset({(((name, 1),), Fraction(1))})


def number(value: float) -> Polynomial:
    return frozenset({((), Fraction(value))} if value else ())


def length(dim: Dim) -> Polynomial:
    base, offset = split_offset(dim)
    length: Polynomial = frozenset() if base is None else named(f"{base} ")  # no name of a variable
    return plus(length, number(offset))


def plus(one: Polynomial, other: Polynomial) -> Polynomial:
    total = dict(one)
    for term, times in other:
        total[term] = total.get(term, Fraction(0)) + times
    return frozenset((term, times) for term, times in total.items() if times)


def product(one: Polynomial, other: Polynomial) -> Polynomial:
    terms = (frozenset({(_powers(a + b), x * y)}) for a, x in one for b, y in other)
    return reduce(plus, terms, frozenset())


def _powers(factors: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    total: Counter[str] = Counter()
    for name, power in factors:
        total[name] += power
    return tuple(sorted((name, power) for name, power in total.items() if power))


def inverse(value: Polynomial) -> Polynomial:
    """One over a product; a `ValueError` of a sum."""
    if len(value) != 1:
        raise ValueError("a sum")
    [(term, times)] = value
    return frozenset({(tuple((name, -power) for name, power in term), 1 / times)})
