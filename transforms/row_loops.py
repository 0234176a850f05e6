"""Loops over rows, put together from the statements that they do; part of `rows`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.contents import content_names
from srcad.analysis.live import Names
from srcad.lang.arrays import axis_length, index_of, new_array
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Let, Stmt, Store, Var
from srcad.lang.types import FLOAT, INT, Array, Dim, Scalar, Type
from srcad.runtime import sum_to
from srcad.transforms.elements import computes
from srcad.transforms.passing import Facts, Together, counter_name
from srcad.transforms.row import Rows, Unfit, at, is_reduction, row_type
from srcad.transforms.rowwise import Row, Writer

NAMES = "ijkrc"


@dataclass
class Group(Together):
    """Statements over the same rows, in their order."""

    dim: Dim
    rows: list[Row] = field(default_factory=list)

    @staticmethod
    def of(row: Row) -> Group:
        group = Group(row.dim)
        group.add(row)
        return group

    @property
    def stmts(self) -> Block:
        return tuple(row.stmt for row in self.rows)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        self.note(row)

    def takes(self, row: Row, facts: Facts) -> bool:
        """Whether a statement can be done in the same iterations, behind the others.

        Two accesses, one of them a write, are in order if both are to the same rows in the same iterations, or both
        add up. An iteration knows of a total, or of an array that it makes, no more than its row.
        """
        if row.dim != self.dim or row.assigned & (self.read | self.assigned):
            return False
        return all(_in_order(one, row, facts) and _in_order(row, one, facts) for one in self.rows)

    def gains(self) -> bool:
        """Whether a loop over rows saves an array: where rows are reduced and more is done than that."""
        return any(row.gains for row in self.rows) and (len(self.rows) > 1 or _steps(self.rows[0].stmt) > 1)

    def gains_later(self, items: list) -> bool:
        """Whether a loop further down is worth it, over as many rows: it may take what a first row has held back."""
        behind = items[next(k for k, item in enumerate(items) if item is self) + 1 :]
        return any(isinstance(item, Group) and item.dim == self.dim and item.gains() for item in behind)


def _steps(stmt: Stmt) -> int:
    """In how many steps an array comes about that a statement writes."""
    calls = [e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole) if isinstance(e, Call)]
    return sum(computes(e) or is_reduction(e) or e.fn is sum_to or e.fn is np.sum for e in calls)


def is_consistent(row: Row, facts: Facts) -> bool:
    """Whether the iterations of a statement alone do not get into each other's way."""
    if row.assigned & row.read:
        return False
    if row.place is not None:
        return _in_order(row, row, facts)
    assert row.total is not None
    return not any(row.total.meets(read, facts) for read in (*row.whole, *row.by_row))


def _in_order(one: Row, other: Row, facts: Facts) -> bool:
    """Whether what one statement writes does not meet what the other one accesses in another iteration."""
    both_add = isinstance(one.stmt, Accum) and isinstance(other.stmt, Accum)
    written = [own for own in (other.place, other.total) if own is not None and not both_add]
    if one.total is not None:
        total = one.total.name
        if one.total.region is None and (total in other.read and total not in other.added or total in other.assigned):
            return False
        return not any(one.total.meets(access, facts) for access in (*other.by_row, *other.whole, *written))
    own = one.place
    assert own is not None
    by_row = [*other.by_row, *((other.place,) if other.place and not both_add else ())]
    if any(not own.same_rows(access) and own.meets(access, facts) for access in by_row):
        return False
    whole = [*other.whole, *((other.total,) if other.total and not both_add else ())]
    return not any(own.meets(access, facts) for access in whole)


# ---------------------------------------------------------------- as a loop


@dataclass
class Loop:
    """A group as a loop; `behind` is read behind it."""

    group: Group
    behind: Names
    fresh: Callable[[str], str]

    def written(self) -> Block | None:
        """The loop; None where nobody can tell how many rows there are, or how long they are, or where a statement
        does something else than rows of it with an array that the loop makes."""
        counter, length = Var(counter_name(self.fresh, NAMES), INT), self.length(self.group.dim)
        made: dict[str, Expr] = {}
        before: list[Stmt] = []
        ending: list[Stmt] = []
        for row in self.group.rows:
            if isinstance(row.stmt, Let) and not self.begun(row, row.stmt, counter, made, before, ending):
                return None
        if length is None:
            return None
        body: list[Stmt] = []
        numbers: dict[Expr, Var] = {}
        try:
            for row in self.group.rows:
                rows = Rows(self.group.dim, counter, row.regions, made, self.length, numbers=numbers, fresh=self.fresh)
                body += Writer(rows).stmts(row.stmt)
        except Unfit:
            return None
        origins = [row.stmt.origin for row in self.group.rows]
        origin = replace(origins[0], adjoint=all(each.adjoint for each in origins))
        body[:0] = [Let(own.name, number, origin) for number, own in numbers.items()]
        return (*before, For(counter.name, Const(0, INT), length, Const(1, INT), (*body, *ending), None, origin))

    def begun(
        self, row: Row, stmt: Let, counter: Var, made: dict[str, Expr], before: list[Stmt], ending: list[Stmt]
    ) -> bool:
        """Name what stands for a new array or total: what is `made` in an iteration, stored at its `ending`."""
        kind = stmt.value.type  # type: ignore[union-attr]
        start: Expr | None
        if row.total:
            start = Const(0.0, FLOAT) if isinstance(kind, Scalar) else self.room(np.zeros, kind)
        else:
            made[stmt.target] = own = Var(self.fresh(stmt.target), row_type(kind))
            if stmt.target not in self.behind:
                return True
            start = self.room(np.empty, kind)
            others = [Const(0, INT)] * (kind.ndim - 1) if isinstance(own.type, Scalar) else []
            place = at(Var(stmt.target, kind), [counter, *others], own.type)
            assert isinstance(place, Call)
            ending.append(Store(place.args[0], place.args[1], own, stmt.origin))
        before += [] if start is None else [Let(stmt.target, start, stmt.origin)]
        return start is not None

    def room(self, fn: Callable, kind: Type) -> Expr | None:
        """A new array before the loop, if its lengths are known."""
        assert isinstance(kind, Array)
        lengths = [self.length(dim) for dim in kind.shape]
        known = tuple(length for length in lengths if length is not None)
        return new_array(fn, index_of(known), kind) if len(known) == len(lengths) else None

    def length(self, dim: Dim) -> Expr | None:
        """How long an axis is, told by an array from before the loop."""
        if isinstance(dim, int):
            return Const(dim, INT)
        exprs = [whole for s in self.group.stmts for whole in walk.stmt_exprs(s)]
        read = set().union(*map(content_names, exprs))  # others may be there for their lengths alone
        known = [e for whole in exprs for e in walk.subexprs(whole) if isinstance(e, Var) and isinstance(e.type, Array)]
        for e in sorted(known, key=lambda e: e.name not in read):
            if isinstance(e.type, Array) and e.name not in self.group.assigned:
                if dim in e.type.shape:
                    return axis_length(e, e.type.shape.index(dim))
        return None
