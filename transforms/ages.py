"""Which arrays are newer than names for others, while statements are read in their order; part of `elementwise`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Ages:
    """When arrays were made, and when names were assigned the last time.

    >>> ages = Ages()
    >>> ages.assign({"a"})
    >>> ages.make({"a"})
    >>> ages.newer("a", "b")
    True
    >>> ages.assign({"b"})
    >>> ages.newer("a", "b")
    False
    """

    clock: int = 0  # how many statements there have been
    made: dict[str, int] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)

    def assign(self, names: Iterable[str]) -> None:
        """A statement gives names something, which is no new array unless `make` says so."""
        self.clock += 1
        for name in names:
            self.last[name] = self.clock
            self.made.pop(name, None)

    def make(self, names: Iterable[str]) -> None:
        """It gives them new arrays."""
        self.made |= dict.fromkeys(names, self.clock)

    def newer(self, one: str, other: str) -> bool:
        """Whether an array was made when the other one had its name already: they may be the same later, at most."""
        return one in self.made and one != other and self.last.get(other, 0) <= self.made[one]
