"""Statements taken apart: what is done element by element, and what stands around it; part of `elementwise`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Union

import numpy as np

from srcad.analysis.buffers import rebound, view_of
from srcad.analysis.contents import content_names, member
from srcad.analysis.gathers import gathered
from srcad.analysis.regions import Region, Regions
from srcad.analysis.rolls import elements_of, is_rolled, rolled_by_name
from srcad.lang import walk
from srcad.lang.arrays import is_ellipsis
from srcad.lang.ir import Accum, Attr, Call, Const, Expr, Let, Move, Return, Stmt, Store, Var
from srcad.lang.types import FLOAT, REAL, Array, Dim, Scalar
from srcad.transforms.ages import Ages
from srcad.transforms.dear import read_by_rows
from srcad.transforms.elements import computes, costly, fits, is_plain, known, leaves, operands
from srcad.transforms.infer import typed
from srcad.transforms.means import as_sum, one_as_long, per_element
from srcad.transforms.passing import Facts, Other, not_behind, other

SUM, LET, STORE, ADD = "sum", "let", "store", "add"
SIMPLE = (Let, Return, Accum, Store)


@dataclass(frozen=True)
class Line(Other):
    """A statement that is done element by element: it gives a name to an array, stores, adds, or sums up."""

    kind: str = LET
    value: Expr = field(default=Const(0.0, FLOAT))
    shape: tuple[Dim, ...] = ()
    place: Region | None = None  # where it writes
    where: dict[Expr, Region] = field(default_factory=dict)  # what the arrays that it reads are

    @property
    def reads(self) -> Iterable[Region]:
        return self.where.values()

    def rolls(self) -> bool:
        """Whether it reads arrays that would have to be rolled."""
        return any(axis.around is not None for read in self.reads for axis in read.axes)


Item = Union[Other, Line]


class Unfit(Exception):
    """A statement is not done element by element."""


@dataclass
class Lines:
    """Takes statements apart, one after the other."""

    facts: Facts
    fresh: Callable[[str], str]
    regions: Regions
    again: frozenset[str] = frozenset()  # names that several statements assign
    own: dict[str, Var] = field(default_factory=dict)  # of these, what the arrays are called from here on
    copies: set[int] = field(default_factory=set)  # the statements that give such an array its first name back
    rows: set[str] = field(default_factory=set)  # arrays that lie row by row, though their types do not say so
    alike: dict[str, Var] = field(default_factory=dict)  # of computed arrays, one as long that they are made of
    ages: Ages = field(default_factory=Ages)  # of new arrays

    def of(self, stmt: Stmt) -> list[Item]:
        """What stands for a statement: what is named before it, and the statement itself.

        An array under a name that other statements assign, too, gets a name of its own: so the old array and the new
        one can be elements of one loop.
        """
        assigned = rebound(stmt)
        called = {n: own for n, own in self.own.items() if n not in assigned or isinstance(stmt, (Let, Move))}
        hidden = frozenset(own.name for n, own in self.own.items() if n not in called)
        if called:
            stmt = walk.substitute_in((stmt,), {**called})[0]
            self.facts.pairs.add(stmt)
        for name in assigned:
            self.own.pop(name, None)
        if not (isinstance(stmt, Let) and stmt.target in self.again and (computes(stmt.value) or self.is_of_old(stmt))):
            *before, last = self.taken(stmt)
            if hidden:
                last = replace(last, contents=last.contents | hidden, written=last.written | hidden)
            return [*before, last]
        own = Var(self.fresh(stmt.target), stmt.value.type)  # type: ignore[union-attr]
        self.own[stmt.target] = own
        copy = other(Let(stmt.target, own, stmt.origin))
        self.copies.add(id(copy.stmt))
        items = self.taken(replace(stmt, target=own.name))
        self.regions.forget({stmt.target})
        return [*items, copy]

    def is_of_old(self, stmt: Let) -> bool:
        """Whether a new array has the name of one that it is made of, by that name or by another one."""
        read, views = walk.names(stmt.value), self.regions.views
        old = read.union(views[name].root.name for name in read & views.keys())
        return stmt.target in old and isinstance(getattr(stmt.value, "type", None), Array)

    def taken(self, stmt: Stmt) -> list[Item]:
        """What stands for a statement under the names that it has."""
        before: list[Item] = []
        stmt = self.sized(stmt)
        try:
            stmt = self.multiplied(self.summed(stmt, before), before)
            if isinstance(stmt, SIMPLE):
                stmt = read_by_rows(stmt, lambda e: self.named(e, stmt, before))
            last: Item = not self.regions.bounds.may_fail(stmt) and self.line(stmt, before) or other(stmt)
        except Unfit:
            last = other(stmt)
        gone = rebound(stmt)
        self.regions.forget(gone)
        self.rows -= gone
        self.ages.assign(gone)
        if isinstance(last, Line) and last.kind == LET:
            self.rows |= last.assigned
            self.ages.make(last.assigned)
        if isinstance(stmt, Let) and isinstance(stmt.value, (Var, Call)) and view_of(stmt.value) is not None:
            self.regions.bind(stmt.target, stmt.value)
        return [*before, last]

    def sized(self, stmt: Stmt) -> Stmt:
        """A statement that asks none of the computed arrays how long it is, so that no array has to be there for it."""
        gone = rebound(stmt)
        self.alike = {name: one for name, one in self.alike.items() if name not in gone and one.name not in gone}
        if isinstance(stmt, SIMPLE) and self.alike:
            stmt = walk.map_stmt(lambda e: walk.map_expr(self.as_long, e), stmt)
        match stmt:
            case Let(target, value) if target not in self.again and computes(value) and not is_plain(value):
                one = one_as_long(value)
                if one is not None and one.name not in self.again:
                    self.alike[target] = self.alike.get(one.name, one)
        return stmt

    def as_long(self, e: Expr) -> Expr:
        match e:
            case Attr(Var(name), "size" | "shape") if name in self.alike:
                return replace(e, value=self.alike[name])
        return e

    def multiplied(self, stmt: Stmt, before: list[Item]) -> Stmt:
        """A statement whose products of matrices have names for the arrays that are computed for them."""

        def named(e: Expr) -> Expr:
            if isinstance(e, Call) and member(e.fn, (operator.matmul, np.dot)) and not e.kwargs:
                return replace(e, args=tuple(self.named(a, stmt, before) if computes(a) else a for a in e.args))
            return e

        return walk.map_stmt(lambda e: walk.map_expr(named, e), stmt) if isinstance(stmt, SIMPLE) else stmt

    # ------------------------------------------------------------ sums

    def summed(self, stmt: Stmt, before: list[Item]) -> Stmt:
        """A statement whose sums of arrays are computed before it."""
        if not isinstance(stmt, SIMPLE):
            return stmt
        if isinstance(stmt, Let) and _is_sum(stmt.value):
            return stmt
        return walk.map_stmt(lambda e: self.without_sums(e, stmt, before), stmt)

    def without_sums(self, expr: Expr, stmt: Stmt, before: list[Item]) -> Expr:
        def replaced(e: Expr) -> Expr:
            found = as_sum(e)
            if found is None or not _is_sum(found[0]):
                return e
            inner: list[Item] = []
            total = Let(self.fresh("_t"), found[0], stmt.origin)
            try:
                line = self.line(total, inner)
            except Unfit:
                return e
            if line is None:
                return e
            before.extend([*inner, line])
            return per_element(Var(total.target, found[0].type), found[1] and self.as_long(found[1]))

        return walk.map_expr(replaced, expr)

    # ------------------------------------------------------------ lines

    def line(self, stmt: Stmt, before: list[Item]) -> Line | None:
        """The statement as one that is done element by element; what it needs before goes to `before`."""
        match stmt:
            case Let(_, Call(np.sum, (array,), ()) as value) if _is_sum(value):
                return self.of_elements(stmt, SUM, array, array.type.shape, None, before)  # type: ignore[union-attr]
            case Let(_, value) if (computes(value) or self.is_taken(value)) and self.is_flat(value):
                return self.of_elements(stmt, LET, value, value.type.shape, None, before)  # type: ignore[union-attr]
            case Store(base, index, value):
                place = base if is_ellipsis(index) else typed(Call(operator.getitem, (base, index)))
                return self.written(stmt, STORE, place, value, before)
            case Accum(target, value):
                return self.written(stmt, ADD, target, value, before)
        return None

    def is_taken(self, value: Expr) -> bool:
        """Whether a value is rolled or picked by indices, and loops can read its elements of the array itself."""
        if is_rolled(value) and computes(value.args[0]):  # type: ignore[union-attr]
            return True
        taken = self.regions.of(value) is None and elements_of(self.regions, value) is not None
        return taken and value.type.dtype in REAL  # type: ignore[union-attr]  # others are indices, read where they pick

    def is_flat(self, value: Expr) -> bool:
        """Whether the new array of a value lies in memory as loops go through it: as that lies which it is made of."""
        kind = value.type  # type: ignore[union-attr]
        assert isinstance(kind, Array)
        if kind.layout == "C" or kind.ndim == 1:
            return True
        parts = [leaf for leaf in leaves(value) if isinstance(leaf.type, Array) and leaf.type.ndim > 1]  # type: ignore
        return kind.layout == "A" and bool(parts) and all(map(self.in_rows, parts))

    def in_rows(self, leaf: Expr) -> bool:
        """Whether an array is a part, with its axes in their order, of one that lies row by row, or is picked."""
        region = self.regions.of(leaf)
        if region is None or not isinstance(region.root.type, Array):
            return gathered(self.regions, leaf) is not None
        along = [axis.along for axis in region.axes if axis.along is not None]
        return along == sorted(along) and (region.root.type.layout == "C" or region.root.name in self.rows)

    def written(self, stmt: Store | Accum, kind: str, target: Expr, value: Expr, before: list[Item]) -> Line | None:
        place = self.regions.of(target) if kind == STORE else elements_of(self.regions, target)
        if place is None or not isinstance(place.root.type, Array) or not _holds(place.root.type, kind, value):
            return None
        inner: list[Item] = []
        line = self.of_elements(stmt, kind, value, place.shape, place, inner)
        if not all(self.in_order(place, read) for read in line.reads):
            if not isinstance(value.type, Array) or not computes(value):  # type: ignore[union-attr]
                return None
            if value.type.shape != place.shape:  # type: ignore[union-attr]
                return None
            inner = []
            whole = self.named(value, stmt, inner)
            line = self.of_elements(replace(stmt, value=whole), kind, whole, place.shape, place, inner)
        before.extend(inner)
        return line

    def in_order(self, place: Region, read: Region) -> bool:
        """Whether each iteration still reads what was there before the loop, if it writes to `place`."""
        own, other_ = place.root.name, read.root.name
        if not self.facts.may_share(own, other_) or self.ages.newer(own, other_) or self.ages.newer(other_, own):
            return True
        return not_behind(place, read)

    def of_elements(self, stmt, kind: str, value: Expr, shape, place: Region | None, before: list[Item]) -> Line:
        inner: list[Item] = []
        value = self.spread(value, shape, stmt, inner)
        arrays = (leaf for leaf in leaves(value) if isinstance(leaf.type, Array))  # type: ignore[union-attr]
        where = {leaf: region for leaf in arrays if (region := elements_of(self.regions, leaf)) is not None}
        new = replace(stmt, value=Call(np.sum, (value,), (), stmt.value.type) if kind == SUM else value)
        plain = other(new)
        contents = plain.contents | {r.root.name for r in where.values()}
        names = plain.read.union(*(r.names for r in where.values()), place.names if place else ())
        written = frozenset(plain.written | ({place.root.name} if place else set()))
        before.extend(inner)
        added = written if kind == ADD else frozenset()
        return Line(new, names, plain.assigned, contents, written, added, False, kind, value, shape, place, where)

    def spread(self, value: Expr, shape: tuple[Dim, ...], stmt: Stmt, before: list[Item]) -> Expr:
        """An array expression with names for all in it that is not done element by element."""
        if computes(value):
            assert isinstance(value, Call)
            changed = {id(o): self.spread(o, shape, stmt, before) for o in operands(value)}
            return replace(value, args=tuple(changed.get(id(arg), arg) for arg in value.args))
        if not fits(value, shape) or not known(value):
            raise Unfit
        if not isinstance(value.type, Array):  # type: ignore[union-attr]
            return self.named(value, stmt, before) if costly(value) or content_names(value) else value
        if is_rolled(value) and computes(value.args[0]):  # type: ignore[union-attr]
            value = rolled_by_name(value, lambda e: self.named(e, stmt, before))  # type: ignore[arg-type]
            if computes(value):
                return self.spread(value, shape, stmt, before)
        if elements_of(self.regions, value) is None:
            value = self.named(value, stmt, before)
        return value

    def named(self, value: Expr, stmt: Stmt, before: list[Item]) -> Expr:
        own = Let(self.fresh("_t"), value, stmt.origin)
        self.facts.pairs.add(own)
        before.extend(self.of(own))
        return Var(own.target, value.type)  # type: ignore[union-attr]


def _holds(array: Array, kind: str, value: Expr) -> bool:
    """Whether an array of doubles is written to, or one of truth values stored into."""
    if array.dtype == "bool":
        return kind == STORE and getattr(getattr(value, "type", None), "dtype", None) == "bool"
    return array.dtype in REAL


def _is_sum(value: Expr) -> bool:
    """Whether a value is the sum of all elements of an array of doubles."""
    match value:
        case Call(np.sum, (array,), (), Scalar(dtype)) if dtype in REAL:
            kind = getattr(array, "type", None)
            return isinstance(kind, Array) and kind.dtype == dtype
    return False
