"""The subscripts of a region along one axis of its array; part of `regions`."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Protocol

from srcad.analysis.affine import ZERO, counted, shifted
from srcad.lang import walk
from srcad.lang.ir import Call, Expr
from srcad.lang.types import INT


class Picks(Protocol):
    """The part of an array of indices that says which elements there are along an axis: a region."""

    @property
    def shape(self) -> tuple: ...

    @property
    def names(self) -> frozenset[str]: ...

    def at(self, counters: list[Expr]) -> Expr: ...

    def length(self, axis: int) -> Expr | None: ...


@dataclass(frozen=True)
class Axis:
    """The subscript along an axis of the root: `start` plus the counter of the region's axis `along`, if there is one.

    `length` is how often the counter runs, where an expression tells it, and no subscript reaches `stop`; `whole` says
    that this is all of the axis. `ahead` says of a single subscript that it is known not to count from the end. What
    goes `around` is taken modulo that length. Where indices pick the elements, these are what `picked` has at the
    counters from that of the region's axis `first` on; `start` is the array of indices then.
    """

    start: Expr
    along: int | None = None
    length: Expr | None = None
    whole: bool = False
    ahead: bool = False
    stop: Expr | None = None
    around: Expr | None = None
    picked: Picks | None = None
    first: int = 0

    @property
    def names(self) -> frozenset[str]:
        own = self.picked.names if self.picked is not None else frozenset()
        return own.union(*(walk.names(e or ZERO) for e in (self.start, self.length, self.stop, self.around)))

    def length_of(self, axis: int) -> Expr | None:
        """How many elements there are along one of the region's axes, if the counter of that is in the subscript."""
        if self.picked is not None:
            own = axis - self.first
            return self.picked.length(own) if 0 <= own < len(self.picked.shape) else None
        return self.length if self.along == axis else None

    def at(self, counters: list[Expr]) -> Expr:
        """The subscript at the counters of the region's axes."""
        if self.picked is not None:
            return self.picked.at(counters[self.first :][: len(self.picked.shape)])
        if self.along is None:
            return self.start
        counter = counters[self.along]
        if self.around is None:
            return counted(counter, self.start)
        return Call(operator.mod, (shifted(counter, self.start), self.around), (), INT)
