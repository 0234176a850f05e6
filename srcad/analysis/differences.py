"""Whether integers can differ as they are said to: systems of ``x - y <= c``, decided exactly.

What loops say of their indices, ``0 <= k < j <= i``, and subscripts that are to be equal, ``i1 + 1 == i2``, are of this
kind. There is no solution exactly if some differences, added around a circle, are below zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

Name = Union[str, None]  # None stands for zero
Term = tuple[Name, int]  # a name and what is added to it


@dataclass(frozen=True)
class Differences:
    """What is known of integers.

    >>> known = Differences().at_most(("k", 1), ("j", 0)).at_most(("j", 0), ("i", 0))  # k + 1 <= j <= i
    >>> known.possible(), known.equal(("k", 0), ("i", -1)).possible(), known.equal(("k", 0), ("i", 0)).possible()
    (True, True, False)
    >>> known.apart(("j", 0), ("i", 0)).at_most(("i", -1), ("k", 0)).possible()
    False
    """

    bounds: tuple[tuple[Name, Name, int], ...] = ()  # a - b <= c
    unequal: tuple[tuple[Term, Term], ...] = field(default=())

    def at_most(self, a: Term, b: Term) -> Differences:
        """``a <= b``"""
        return Differences((*self.bounds, (a[0], b[0], b[1] - a[1])), self.unequal)

    def equal(self, a: Term, b: Term) -> Differences:
        return self.at_most(a, b).at_most(b, a)

    def apart(self, a: Term, b: Term) -> Differences:
        """``a != b``"""
        return Differences(self.bounds, (*self.unequal, (a, b)))

    def possible(self) -> bool:
        """Whether there are such integers."""
        if not self.unequal:
            return self._consistent()
        (a, b), *others = self.unequal
        rest = Differences(self.bounds, tuple(others))
        return rest.at_most((a[0], a[1] + 1), b).possible() or rest.at_most((b[0], b[1] + 1), a).possible()

    def _consistent(self) -> bool:
        names = {name for a, b, _ in self.bounds for name in (a, b)}
        distance = dict.fromkeys(names, 0)
        for _ in range(len(names) + 1):
            changed = False
            for a, b, c in self.bounds:
                if distance[b] + c < distance[a]:
                    distance[a] = distance[b] + c
                    changed = True
            if not changed:
                return True
        return False
