"""one_tape: the record of one name, with a slot for each iteration; part of `tape`."""

from __future__ import annotations

import operator
from dataclasses import dataclass

import numpy as np

from srcad.lang.arrays import axis_length, index_of, new_array, tuple_of_ints
from srcad.lang.ir import Attr, Call, Const, Expr, If, Let, Stmt, Store, Var
from srcad.lang.types import BOOL, INT, Array, Scalar, Type, is_array, is_elastic
from srcad.runtime import grow, no_records, recorded
from srcad.transforms.context import Context, strong
from srcad.transforms.touched import Part

ZERO = Const(0, INT)


def op(fn, *args: Expr, type: Type = INT) -> Call:
    return Call(fn, args, (), type)


@dataclass
class Tape:
    """The record of one name."""

    name: str
    source: Var
    restored: str
    type: Array
    fixed: bool  # every iteration leaves the array's shape as it was
    part: Part | None = None  # of the source, if that is all that is recorded

    @staticmethod
    def of(ctx: Context, name: str, restored: str, after: Type | None, part: Part | None = None) -> Tape:
        kind = strong(ctx.types[name])
        dims = kind.shape if isinstance(kind, Array) else ()
        assert isinstance(kind, (Array, Scalar))
        if part is not None and isinstance(kind, Array):
            dims = getattr(part.type(kind), "shape", ())
        tape = f"{restored}~tape"
        ctx.types[tape] = own = Array(kind.dtype, (f"{tape}.shape[0]", *dims), "C")
        fixed = not isinstance(kind, Array) or (isinstance(after, Array) and after.shape == kind.shape)
        fixed = fixed and not is_elastic(kind)
        return Tape(tape, Var(name, kind), restored, own, fixed, part)

    @property
    def var(self) -> Var:
        return Var(self.name, self.type)

    @property
    def recorded(self) -> Var | Call:
        """What an iteration records: the source, or a part of it."""
        kind = self.source.type
        if self.part is None or not isinstance(kind, Array):
            return self.source
        return Call(operator.getitem, (self.source, self.part.subscript), (), self.part.type(kind))

    def allocate(self, trips: Expr) -> Stmt:
        if not self.fixed:
            return Let(self.name, Call(no_records, (self.source,), (), self.type))
        size = trips
        if self.part is not None:
            size = index_of([size, *self.part.lengths(self.source)])
        elif is_array(self.source.type):
            size = tuple_of_ints([size, *(axis_length(self.source, d) for d in range(self.type.ndim - 1))])
        return Let(self.name, new_array(np.empty, size, self.type))

    def growth(self, slot: Expr) -> Stmt:
        full = op(operator.eq, slot, op(operator.getitem, Attr(self.var, "shape"), ZERO), type=BOOL)
        return If(full, (Let(self.name, Call(grow, (self.var,), (), self.type)),))

    def slot(self, slot: Expr) -> Call:
        kind = self.recorded.type
        if isinstance(kind, Array) and not kind.ndim:  # of which a record of numbers has no view
            return Call(np.array, (op(operator.getitem, self.var, slot, type=Scalar(kind.dtype)),), (), kind)
        return Call(operator.getitem, (self.var, slot), (), kind)

    def record(self, slot: Expr) -> Stmt:
        if not self.fixed:
            return Let(self.name, Call(recorded, (self.var, self.source), (), self.type))
        return Store(self.var, slot, self.recorded)

    def restore(self, slot: Expr) -> Stmt:
        return Let(self.restored, self.slot(slot))
