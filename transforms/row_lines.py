"""Statements taken apart for `rows`: what is named before each of them, and what is done row by row; part of `rows`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from srcad.analysis.buffers import is_view, rebound
from srcad.analysis.contents import content_names
from srcad.analysis.regions import Regions
from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Call, Const, Expr, Let, Return, Stmt, Store, Var
from srcad.lang.types import INT, Array, Dim, Scalar
from srcad.runtime import sum_to
from srcad.transforms.elements import computes, costly, operands
from srcad.transforms.elementwise import is_part
from srcad.transforms.infer import typed
from srcad.transforms.means import as_sum, per_element
from srcad.transforms.passing import Facts, Other, other
from srcad.transforms.initialise import owns_memory
from srcad.transforms.row import axes_of, is_extreme, is_reduction
from srcad.transforms.row_picks import are_picked
from srcad.transforms.row_loops import is_consistent
from srcad.transforms.rowwise import Row, done_by_row, is_filled, is_row, sums_into, sums_rows, without_ones


@dataclass
class RowLines:
    """Takes statements apart, one after the other."""

    facts: Facts
    fresh: Callable[[str], str]
    regions: Regions
    lengths: dict[Dim, Call]
    made: set[str] = field(default_factory=set)  # arrays that loops may make
    views: dict[str, Expr] = field(default_factory=dict)  # what parts of these are called
    computed: set[str] = field(default_factory=set)  # what begins as something else than zeros, behind loops perhaps

    def of(self, stmt: Stmt) -> list[Other]:
        """What is named before a statement, and the statement itself."""
        before: list[Other] = []
        if isinstance(stmt, (Let, Return, Accum, Store)):
            stmt = self.summed(self.expanded(stmt), before)
        if isinstance(stmt, (Let, Accum, Store)):
            stmt = replace(stmt, value=_uncopied(stmt.value))
            stmt = replace(stmt, value=self.prepared(stmt, before))
        stmt = walk.map_stmt(lambda e: walk.map_expr(self.measured, e), stmt) if self.made else stmt
        plain = other(stmt)
        found = None if self.asks_of_made(stmt) else done_by_row(stmt, plain, self.regions)
        found = found if found is not None and is_consistent(found, self.facts) else None
        names = rebound(stmt)
        self.made -= names
        self.regions.forget(names)
        self.views = {v: e for v, e in self.views.items() if v not in names and not walk.names(e) & names}
        if isinstance(stmt, Let) and isinstance(found, Row):
            self.made.add(stmt.target)
        self.computed -= names
        if isinstance(stmt, Let) and _is_array(stmt.value) and not (is_view(stmt.value) or found and is_filled(found)):
            self.computed.add(stmt.target)
        if isinstance(stmt, Let) and is_own_part(stmt.value) and stmt.target not in walk.names(stmt.value):
            self.regions.bind(stmt.target, stmt.value)
            if walk.names(stmt.value) & self.made or _adds_axis(stmt.value):
                self.views[stmt.target] = stmt.value
        return [*before, found or plain]

    def measured(self, e: Expr) -> Expr:
        """How long an axis is, told by an argument: of what a loop makes, it knows no more than a row."""
        match e:
            case Attr(Var(name, Array() as kind), "size") if name in self.made:
                lengths = [Const(d, INT) if isinstance(d, int) else self.lengths.get(d) for d in kind.shape]
                return e if None in lengths else reduce(lambda a, b: Call(operator.mul, (a, b), (), INT), lengths)  # type: ignore
            case Call(operator.getitem, (Attr(Var(name, Array() as kind), "shape"), Const(int() as axis))):
                dim = kind.shape[axis]
                known = Const(dim, INT) if isinstance(dim, int) else self.lengths.get(dim, e)
                return known if name in self.made else e
        return e

    def asks_of_made(self, stmt: Stmt) -> bool:
        """Whether a statement asks for more than the elements of an array that a loop may make."""
        exprs = (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
        asked = (e.value for e in exprs if isinstance(e, Attr))
        return any(isinstance(value, Var) and value.name in self.made for value in asked)

    def expanded(self, stmt: Stmt) -> Stmt:
        """A statement that reads parts of arrays, which loops may make, where it read names for them."""
        if not self.views or isinstance(stmt, Let) and is_own_part(stmt.value):
            return stmt
        return replace(stmt, value=walk.substitute(stmt.value, self.views))  # type: ignore

    def named(self, value: Expr, stmt: Stmt, before: list[Other]) -> Expr:
        own = Let(self.fresh("sums" if sums_rows(value) and _is_array(value) else "_t"), value, stmt.origin)
        self.facts.pairs.add(own)
        before += self.of(own)
        return Var(own.target, value.type)  # type: ignore[union-attr]

    def summed(self, stmt: Stmt, before: list[Other]) -> Stmt:
        """A statement whose sums of arrays are computed before it."""
        def replaced(e: Expr) -> Expr:
            if is_extreme(e) and is_reduction(e.args[0]):  # type: ignore[union-attr]
                return replace(e, args=(self.named(e.args[0], stmt, before),))  # type: ignore
            total, size = as_sum(e) or (e, None)
            if not sums_rows(total):
                return e
            named = self.named(total, stmt, before)
            return per_element(named, size and self.measured(size))

        if isinstance(stmt, Accum) and is_row(stmt.target) and sums_into(stmt.target, stmt.value):
            total = typed(Call(np.sum, (stmt.value.args[0],), (("axis", Const(0, INT)),)))  # type: ignore[union-attr]
            return replace(stmt, target=without_ones(stmt.target), value=self.named(total, stmt, before))
        if isinstance(stmt, Let) and sums_rows(stmt.value):
            return stmt
        if isinstance(stmt, Accum) and _is_sum(stmt) and not walk.names(stmt.target) & self.computed:
            return stmt
        return walk.map_stmt(lambda e: walk.map_expr(replaced, e), stmt)

    def prepared(self, stmt: Let | Accum | Store, before: list[Other]) -> Expr:
        """The value of a statement, with names for what would be computed again for each row."""
        value = stmt.value
        kind = getattr(value, "type", None)
        array = value.args[0] if isinstance(value, Call) and value.args else None
        inner = getattr(array, "type", None)
        if isinstance(value, Call) and isinstance(array, Call) and isinstance(inner, Array):
            if is_reduction(value) or value.fn is sum_to or isinstance(kind, Scalar) and value.fn is np.sum:
                return replace(value, args=(self.spread(array, inner.ndim, stmt, before), *value.args[1:]))
        if not isinstance(kind, Array) or isinstance(stmt, Let) and not computes(value):
            return value
        return self.spread(value, kind.ndim, stmt, before)

    def spread(self, value: Expr, rank: int, stmt: Stmt, before: list[Other]) -> Expr:
        kind = getattr(value, "type", None)
        if not isinstance(kind, Array):
            return self.named(value, stmt, before) if costly(value) or content_names(value) else value
        if isinstance(value, Call) and kind.ndim == rank:
            if is_reduction(value):
                array = value.args[0]
                return replace(value, args=(self.spread(array, array.type.ndim, stmt, before), *value.args[1:]))  # type: ignore
            if computes(value):
                changed = {id(o): self.spread(o, rank, stmt, before) for o in operands(value)}
                return replace(value, args=tuple(changed.get(id(arg), arg) for arg in value.args))
        if self.regions.of(value) is not None or are_picked(self.regions, value):
            return value
        if isinstance(value, Call) and value.fn is operator.getitem and isinstance(value.args[0], Call):
            base = self.named(value.args[0], stmt, before)
            return replace(value, args=(base, value.args[1]))
        return self.named(value, stmt, before)


def _adds_axis(part: Expr) -> bool:
    """Whether a part of an array has an axis of one more: its rows are better taken of the array."""
    return any(isinstance(e, Const) and e.value is None for e in walk.subexprs(part))


def _uncopied(value: Expr) -> Expr:
    """A sum along axes, of which a copy would be taken and which is new already: not of one row, which is that row."""
    match value:
        case Call(np.copy, (Call() as inner,), ()) if is_reduction(inner) and axes_of(inner) and owns_memory(inner):
            return inner
    return value


def _is_sum(stmt: Accum) -> bool:
    """Whether rows are added to what is of their sum's shape, or all elements to a number."""
    number = not _is_array(stmt.value) and not _is_array(stmt.target)
    return sums_into(stmt.target, stmt.value) or sums_rows(stmt.value) and number


def _is_array(value: Expr) -> bool:
    return isinstance(getattr(value, "type", None), Array)


def is_own_part(value: Expr) -> bool:
    return isinstance(value, Call) and is_part(value) and isinstance(value.args[0], Var)
