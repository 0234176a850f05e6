"""Which loops count through small arrays, or through the first few elements of others; part of `scalars`."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass

from srcad.analysis.buffers import is_view
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, For, If, Let, Stmt, Store, Var, While
from srcad.lang.types import Array, is_array
from srcad.transforms.cells import is_small, sizes, static_index
from srcad.transforms.readings import Readings

LONGEST = 4  # iterations of a loop that is written out
MOST = 64  # numbers that it computes then, each by a statement


@dataclass
class Counters(Readings):
    """The loops that are written out."""

    def counts(self, loop: For) -> range | None:
        """The counts of a loop that is written out."""
        bounds = [static_index(self.expr(e)) for e in (loop.start, loop.stop, loop.step)]
        if loop.flag is not None or not all(isinstance(b, int) for b in bounds) or bounds[2] == 0:
            return None
        found = range(*bounds)
        if len(found) > LONGEST or len(found) * self.size(loop.body) > MOST or not self.is_of_numbers(loop):
            return None
        return found if self.counts_through(loop) else None

    def is_of_numbers(self, loop: For) -> bool:
        """Whether a loop computes with numbers and small arrays alone, and branches on counters alone: what is written
        out stays short.
        """
        counters = {loop.index}
        for stmt in walk.statements(loop.body):
            match stmt:
                case While():
                    return False
                case If(test) if not walk.names(test) <= counters:
                    return False
                case Let(target, value) if walk.names(value) <= counters:
                    counters.add(target)
                case For(index):
                    bounds = set().union(*map(walk.names, walk.stmt_exprs(stmt)))
                    if self.turns(stmt) is None and not bounds <= counters:
                        return False
                    counters.add(index)
                case Let(_, value) if is_array(getattr(value, "type", None)):
                    if not is_small(value.type) and not is_view(value):  # type: ignore[union-attr]
                        return False
                case Accum(Var(_, kind)) if is_array(kind) and not is_small(kind):
                    return False
        return True

    def size(self, block: Block) -> int:
        """How many statements a block becomes, about."""
        inside = sum((self.turns(stmt) or LONGEST) * sum(map(self.size, walk.blocks(stmt))) for stmt in block)
        return inside + sum(map(_elements, block))

    def turns(self, stmt: Stmt) -> int | None:
        """How many iterations a loop makes, at most if that depends on a counter around it."""
        if not isinstance(stmt, For):
            return 1
        bounds = [static_index(self.expr(e)) for e in (stmt.start, stmt.stop, stmt.step)]
        known = all(isinstance(b, int) for b in bounds) and bounds[2] != 0
        return min(len(range(*bounds)), LONGEST) if known else None

    def counts_through(self, loop: For) -> bool:
        """Whether the subscript of an array depends on the counter of a loop beside small arrays."""
        moving = {loop.index, *walk.assigned(loop.body)}
        for stmt in walk.statements(loop.body):
            match stmt:
                case Store(base, index) | Accum(Call(_, (base, index))) if self.is_counted(base, index, moving):
                    return True
            for whole in walk.stmt_exprs(stmt):
                for e in walk.subexprs(whole):
                    if not isinstance(e, Call) or e.fn is not operator.getitem:
                        continue
                    if self.is_counted(e.args[0], e.args[1], moving):
                        return True
        return False

    def is_counted(self, base: Expr, index: Expr, moving: set[str]) -> bool:
        return isinstance(base, Var) and bool(self.chosen - self.failed) and bool(walk.names(index) & moving)


def _elements(stmt: Stmt) -> int:
    """How many numbers a statement computes, of small arrays."""
    kind = getattr(stmt.value, "type", None) if isinstance(stmt, (Let, Accum, Store)) else None
    if not isinstance(kind, Array) or not is_small(kind):
        return 1
    count: int = math.prod(sizes(kind))
    return count
