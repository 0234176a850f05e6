"""The subscripts of a region along one axis of its array; part of `regions`."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from srcad.analysis.affine import ZERO, counted, shifted
from srcad.lang import walk
from srcad.lang.ir import Call, Expr
from srcad.lang.types import INT


@dataclass(frozen=True)
class Axis:
    """The subscript along an axis of the root: `start` plus the counter of the region's axis `along`, if there is one.

    `length` is how often the counter runs, where an expression tells it, and no subscript reaches `stop`; `whole` says
    that this is all of the axis. `ahead` says of a single subscript that it is known not to count from the end. What
    goes `around` is taken modulo that length.
    """

    start: Expr
    along: int | None = None
    length: Expr | None = None
    whole: bool = False
    ahead: bool = False
    stop: Expr | None = None
    around: Expr | None = None

    @property
    def names(self) -> set[str]:
        return set().union(*(walk.names(e or ZERO) for e in (self.start, self.length, self.stop, self.around)))

    def at(self, counters: list[Expr]) -> Expr:
        """The subscript at the counters of the region's axes."""
        if self.along is None:
            return self.start
        counter = counters[self.along]
        if self.around is None:
            return counted(counter, self.start)
        return Call(operator.mod, (shifted(counter, self.start), self.around), (), INT)
