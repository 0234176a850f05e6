"""slots: records with a place for each iteration of several loops, one in the other; part of `recall`."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.lengths import Lengths
from srcad.lang.arrays import axis_length, index_of, new_array
from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Const, Expr, For, Function, Let, Move, Var
from srcad.lang.shapes import split_offset, symbol
from srcad.lang.types import INT, Array, Dim, Scalar, Static, Type
from srcad.transforms.context import Context
from srcad.transforms.extents import Extents
from srcad.transforms.independent import remembers
from srcad.transforms.one_tape import ZERO, op
from srcad.transforms.tape import minus, never_negative

Loops = tuple[For, ...]


@dataclass
class Slots:
    """What is known before a loop of the lengths of what it computes."""

    ctx: Context
    known: set[str]  # names that the loop does not change
    lengths: dict[Dim, Expr]
    counts: Lengths
    shapes: list[tuple[Dim, ...]]  # of the arrays that the loop works on
    around: list[tuple[Dim, ...]] | None  # of those that are known before a loop that remembers nothing
    inside: dict[str, Expr]  # what the loop binds names to

    @staticmethod
    def of(ctx: Context, fn: Function, loop: For, passing: bool) -> Slots:
        """`passing`: what is recorded goes after an iteration of another loop."""
        before = fn.body[: fn.body.index(loop)]
        known = {p.name for p in fn.params} | walk.assigned(before)
        known -= walk.assigned((loop,))
        every = [(name, ctx.types.get(name)) for name in [p.name for p in fn.params] + _bound(before)]
        lengths: dict[Dim, Expr] = {}
        arrays = [(name, kind) for name, kind in every if isinstance(kind, Array) and name in known]
        for name, kind in arrays:
            for axis, dim in enumerate(kind.shape):
                lengths.setdefault(dim, axis_length(Var(name, kind), axis))
        moved = {name for s in walk.statements(loop.body) if isinstance(s, Move) for name in s.targets}
        kinds = [ctx.types.get(name) for name in sorted(moved | stored_names(loop.body)) if not name.endswith("~tape")]
        shapes = [kind.shape for kind in kinds if isinstance(kind, Array)]
        around = None if passing or remembers(loop) else [kind.shape for _, kind in arrays]
        inside = {stmt.target: stmt.value for stmt in walk.statements(loop.body) if isinstance(stmt, Let)}
        return Slots(ctx, known, lengths, Lengths.of(fn), shapes, around, inside)

    def fits(self, loops: Loops | None, kind: Type, product: bool = False) -> bool:
        """Whether a value in these loops can be recorded, in no more memory than an array that they work on.

        Iterations that remember nothing need no memory each: all of them together record no more than is there before,
        but for a `product` of matrices, of which each element took a loop.
        """
        if loops is None or not isinstance(kind, (Array, Scalar)) or kind.dtype == "object":
            return False
        dims: list[Dim] = [*map(self.dim, loops[1:]), *(kind.shape if isinstance(kind, Array) else ())]
        if self.sizes(loops, kind) is None:
            return False
        around = None if product else self.around
        if around is not None and not any(Counter([self.dim(loops[0]), *dims]) <= Counter(s) for s in around):
            return False
        few = len(set(dims)) == len(dims) and len(dims) <= max(map(len, self.shapes), default=0)
        return few or not dims or any(Counter(dims) <= Counter(shape) for shape in self.shapes)

    def dim(self, loop: For) -> Dim:
        """The number of iterations as a dimension."""
        found = self.counts.dim(loop.stop) if walk.is_const(loop.start, 0) and walk.is_const(loop.step, 1) else None
        return f"{loop.index}~trips" if found is None else found

    def sizes(self, loops: Loops, kind: Type) -> list[Expr] | None:
        """The lengths of a record's axes; None if they are not known before the loop."""
        turns = [self.trips(loop) or self.most(loops[:k], loop) for k, loop in enumerate(loops)]
        if any(self.count(loops[:k], loop) is None for k, loop in enumerate(loops)):
            return None
        found = [*turns, *map(self.length, kind.shape if isinstance(kind, Array) else ())]
        return None if any(e is None for e in found) else found  # type: ignore[return-value]

    def trips(self, loop: For) -> Expr | None:
        """How often a loop goes round."""
        start, stop, step = (self.before(part) for part in (loop.start, loop.stop, loop.step))
        if start is None or stop is None or step is None:
            return None
        if walk.is_const(step, -1):
            return op(max, minus(start, stop), ZERO)
        if not walk.is_const(step, 1):
            return op(len, op(range, start, stop, step, type=Static(range)))
        if walk.is_const(start, 0) and never_negative(self.ctx, stop):
            return stop
        return op(max, minus(stop, start), ZERO)

    def most(self, around: Loops, loop: For) -> Expr | None:
        """How often a loop goes round at most, if its bounds are known from the loops around it."""
        return Extents(around, self.inside, self.before).trips(loop)

    def slot(self, loops: Loops) -> Expr:
        """The place of an iteration of the loops."""
        return index_of([self.count(loops[:k], loop) or ZERO for k, loop in enumerate(loops)])

    def count(self, around: Loops, loop: For) -> Expr | None:
        """How many iterations came before, in indices and what is known before the loops."""
        start, step = (self.opened(part, around) for part in (loop.start, loop.step))
        return None if start is None or step is None else turn(loop.index, start, step)

    def opened(self, expr: Expr, around: Loops) -> Expr | None:
        """A number without names that the loop binds, but for indices; both loops understand it."""
        indices = {loop.index for loop in around}
        while own := {name for name in walk.names(expr) - self.known - indices if name in self.inside}:
            expr = walk.substitute(expr, {name: self.inside[name] for name in own})
        return expr if walk.names(expr) <= self.known | indices else None

    def length(self, dim: Dim) -> Expr | None:
        """The length of an axis."""
        if isinstance(dim, int):
            return Const(dim, INT)
        base, offset = split_offset(dim)
        if dim in self.lengths or base not in self.lengths:
            return self.lengths.get(dim)
        whole, sign = self.lengths[base], operator.add if offset > 0 else operator.sub
        return op(max, op(sign, whole, Const(abs(offset), INT)), ZERO)

    def before(self, expr: Expr) -> Expr | None:
        """A number as it is written before the loop; None if it is not known there."""
        def new(e: Expr) -> Expr:
            match e:
                case Call(operator.getitem, (Attr(Var(name, Array(shape=shape)), "shape"), Const(int() as axis))):
                    return e if name in self.known else self.lengths.get(shape[axis], e)
            return e

        found = walk.map_expr(new, expr)
        return found if walk.names(found) <= self.known else None

    def record(self, name: str, loops: Loops, kind: Array | Scalar) -> tuple[Var, Let, list[Expr]]:
        """An array with a place for a value in each iteration of the loops: its name, and how it is made."""
        sizes = self.sizes(loops, kind)
        assert sizes is not None
        own = kind.shape if isinstance(kind, Array) else ()
        tape = Var(name, Array(kind.dtype, (*(symbol(name, axis) for axis in range(len(loops))), *own), "C"))
        return tape, Let(name, new_array(np.empty, index_of(sizes), tape.type)), sizes


def turn(index: str, start: Expr, step: Expr) -> Expr:
    """How many iterations of a loop came before the one with this index."""
    if walk.is_const(step, -1):
        return minus(start, Var(index, INT))
    number = minus(Var(index, INT), start)
    return number if walk.is_const(step, 1) else op(operator.floordiv, number, step)


def _bound(block) -> list[str]:
    return [stmt.target for stmt in block if isinstance(stmt, Let)]
