"""Lengths that are taken to agree, or to differ by a constant: classes, each with a leader.

On a staggered grid ``h + c[:-1] * (e[1:] - e[:-1])`` says that `h` has one element fewer than `c` and `e`. So every
length leads to another one plus an integer. What contradicts that is not taken to agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from srcad.lang.shapes import Linear, join_offset, shifted, split_offset
from srcad.lang.types import Dim

def alternatives(dim: Dim) -> list[Dim]:
    """
    >>> alternatives("{3|n}"), alternatives("n"), alternatives("{m-2|{m|n}-2}")
    ([3, 'n'], ['n'], ['m-2', 'm-2', 'n-2'])
    """
    base, offset = split_offset(dim)
    if base is None or not (base.startswith("{") and base.endswith("}")):
        return [int(dim) if isinstance(dim, str) and dim.isdigit() else dim]
    parts = [""]
    depth = 0
    for char in base[1:-1]:
        depth += (char == "{") - (char == "}")
        parts = [*parts, ""] if char == "|" and depth == 0 else [*parts[:-1], parts[-1] + char]
    return [shifted(each, offset) for part in parts for each in alternatives(part)]


@dataclass
class Agreeing:
    """Classes of lengths: each of the `known` symbols is its leader plus an integer.

    >>> classes = Agreeing(["c", "h", "e"])
    >>> classes.meet([("h", "c-1"), ("h-1", "e-2")])
    >>> classes.chosen()
    {'h': 'c-1', 'e': 'c'}
    """

    known: list[str]
    numbers: frozenset[str] = frozenset()  # those that are integers of the user's, which may be negative
    leader: dict[str, Linear] = field(default_factory=dict)

    def settle(self, joined: dict[str, list[Dim]]) -> None:
        """Take the symbols of what is joined for the lengths that it may be, if all are known, or such symbols too.

        >>> classes = Agreeing(["n"])
        >>> classes.settle({"u": ["n-1", "v"], "v": ["u"], "a": [3, "b"], "b": [4, "a"]})
        >>> classes.chosen()
        {'u': 'n-1', 'v': 'n-1'}
        """
        while True:
            count = -1
            while len(joined) != count:  # two states may hand lengths on to each other
                count, usable = len(joined), {*self.known, *joined}
                joined = {u: dims for u, dims in joined.items() if dims and all(self.usable(d, usable) for d in dims)}
            trial = Agreeing([*self.known, *joined], self.numbers, dict(self.leader))
            lost = [u for u, dims in joined.items() for d in dims if not trial.unite(u, *split_offset(d))]
            if not lost:
                self.known, self.leader = trial.known, trial.leader
                return
            joined = {name: dims for name, dims in joined.items() if name != lost[-1]}

    def meet(self, pairs: Iterable[tuple[Dim, Dim]]) -> None:
        """Take lengths that meet to agree; what is said of whole axes goes before what is said of slices."""
        later = [pair for pair in pairs if not self.join(*pair, False)]
        for one, other in later:
            self.join(one, other, True)

    def join(self, one: Dim, other: Dim, apart: bool) -> bool:
        """Take a length to agree with another one, also if these are `apart`; whether that is done."""
        done = True
        for a in alternatives(one):
            (first, more), (second, less) = split_offset(a), split_offset(other)
            if (None, 1) in (self.find(a), self.find(other)):  # repeated, whatever it meets
                continue
            if first is None or second is None:
                known, (base, offset) = (more, (second, less)) if first is None else (less, (first, more))
                # A length that may have been cut off at zero tells nothing about the whole.
                if base in self.known and min(known, known - offset) > 0:
                    self.unite(base, None, known - offset)
            elif first in self.known and second in self.known:
                if more == less or apart and not self.numbers & {first, second}:
                    self.unite(first, second, less - more)
                else:
                    done = False
        return done

    def usable(self, dim: Dim, known: set[str]) -> bool:
        """Whether a length is a number, or a known one but for a constant."""
        base, offset = split_offset(dim)
        return base is None or base in known and (offset == 0 or base not in self.numbers)

    def find(self, dim: Dim) -> Linear:
        """A length by its leader."""
        base, offset = split_offset(dim)
        while base in self.leader:
            base, more = self.leader[base]
            offset += more
        return base, offset

    def unite(self, one: str, other: str | None, more: int) -> bool:
        """Take `one` to be `other` and `more` elements, or so many; whether that contradicts nothing."""
        a, less = self.find(one)
        b, offset = (None, 0) if other is None else self.find(other)
        offset += more - less  # a is b and so many
        if a == b:
            return offset == 0
        if a is None or b is not None and self.known.index(a) < self.known.index(b):
            a, b, offset = b, a, -offset
        if b is None and offset <= 0:
            return False
        self.leader[a] = b, offset  # type: ignore[index]
        return True

    def chosen(self) -> dict[str, Dim]:
        """For each length that is called after another one, that one."""
        return {dim: join_offset(*self.find(dim)) for dim in self.known if self.find(dim) != (dim, 0)}
