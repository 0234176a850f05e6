"""What reverse mode has decided about a function, noted by the passes as they decide, for `srcad.explain`; part of
`derive`."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from srcad.lang.ir import Const, Expr, Function, Var
from srcad.lang.origin import Origin
from srcad.lang.types import Array

# Why something is recorded.
STARTS = "the iteration starts from it"
OVERWRITTEN = "a later iteration overwrites the element"
COMPUTED = "an inner loop computes it, which would have to run again"
CHANGED = "the loop writes to the array"
COPIED_BEFORE = "what follows the loop overwrites the array"
COPIED = "a later statement overwrites the array"


@dataclass(frozen=True)
class Record:
    """One name that is kept for the reverse sweep; which of them are left, the finished derivative tells."""

    name: str  # the record
    source: Var  # what is recorded
    restored: str  # what the reverse sweep calls it
    loop: Origin  # the loop that records, or the statement before which a copy is made
    why: str
    type: Array | None  # of the record: a slot an iteration, then the shape of the source; None: of a copy
    trips: Expr | None  # the number of slots; None: not known beforehand
    fixed: bool = True  # all slots have one shape


def known_size(record: Record) -> int | None:
    """The bytes of a record, if its shape and the number of its slots are known while compiling."""
    kind, trips = record.type, record.trips
    if kind is None or not isinstance(trips, Const):
        return None
    dims = [dim for dim in kind.shape[1:] if isinstance(dim, int)]
    known = len(dims) == kind.ndim - 1
    return math.prod([np.dtype(kind.dtype).itemsize, trips.value, *dims]) if known else None


@dataclass(frozen=True)
class LoopDecision:
    """How a loop is reversed: `joined` with its reverse, or by a loop of its own, and why."""

    origin: Origin
    joined: bool
    why: str
    reversed: bool = True


@dataclass
class Decisions:
    """Filled by `derive`; empty where the derivative is made in another way."""

    function: Function | None = None  # flat, as it is differentiated
    context: Any = None
    records: dict[str, Record] = field(default_factory=dict)
    # for the line and the direction of a loop, why threads do not share it; empty if they do
    threads: dict[tuple[int, bool, str], str] = field(default_factory=dict)
    loops: dict[tuple[str, int, int], LoopDecision] = field(default_factory=dict)

    def keep(self, record: Record) -> None:
        self.records[record.name] = record

    def loop(self, origin: Origin, joined: bool, why: str, reversed: bool = True) -> None:
        """The last decision about a loop counts."""
        place = (origin.filename, origin.line, origin.column)
        self.loops[place] = LoopDecision(origin, joined, why, reversed)
