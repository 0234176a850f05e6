"""Statements that are done row by row; part of `rows`."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.regions import Regions
from srcad.lang import walk
from srcad.lang.arrays import index_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Let, Slice, Stmt, Store, Tuple, Var
from srcad.lang.origin import Origin
from srcad.lang.types import INT, REAL, Array, Dim, Scalar, Type
from srcad.runtime import sum_to
from srcad.transforms.elements import CONSTANT, FULL, computes
from srcad.transforms.infer import typed
from srcad.transforms.passing import Other
from srcad.transforms.row import WHOLE, Access, Rows, Unfit, axes_of, is_reduction, row_type
from srcad.transforms.row_picks import are_picked


@dataclass(frozen=True)
class Row(Other):
    """A statement that is done row by row."""

    dim: Dim = 0
    regions: Regions = field(default_factory=Regions)
    by_row: frozenset[Access] = frozenset()  # what it reads, a row an iteration
    whole: frozenset[Access] = frozenset()  # of what it reads all in each iteration
    place: Access | None = None  # where it writes, a row an iteration
    total: Access | None = None  # what all iterations add to
    gains: bool = False  # whether it reduces rows, or adds them up


def done_by_row(stmt: Stmt, plain: Other, regions: Regions) -> Row | None:
    """The statement as one that is done row by row; None where it is none."""
    dim = _dim(stmt, regions)
    if dim is None or dim == 1 or plain.fixed:
        return None
    rows = Rows(dim, Var("_row", INT), regions)
    try:
        place, total = Writer(rows).accesses(stmt)
    except Unfit:
        return None
    adds, read = isinstance(stmt, Accum), plain.read
    number = isinstance(stmt, Accum) and isinstance(getattr(stmt.target, "type", None), Scalar)
    if isinstance(stmt, Accum) and number:
        read -= {own.name for own in (total,) if own} - walk.names(stmt.value)
    names = frozenset(own.name for own in (place, total) if own and (adds or own is place))
    numbers = isinstance(stmt, Accum) and getattr(stmt.target.type, "ndim", 0) == 1 and are_picked(regions, stmt.target)
    gains = rows.reduces or place is None and not number and (adds and not numbers or isinstance(_type(stmt), Array))
    return Row(stmt, read, plain.assigned, plain.contents, plain.written | names, names if adds else frozenset(),
               False, dim, regions.copy(), frozenset(rows.by_row),
               frozenset(rows.whole), place, total, gains)  # fmt: skip


def _type(stmt: Stmt) -> Type | None:
    return getattr(stmt.value, "type", None) if isinstance(stmt, Let) else None


def _dim(stmt: Stmt, regions: Regions) -> Dim | None:
    """The length of the axis along which a statement would be done."""
    match stmt:
        case Let(_, Call(args=(summed, *_)) as value) if sums_rows(value):
            return summed.type.shape[0]  # type: ignore[union-attr]
        case Let(_, value) if isinstance(getattr(value, "type", None), Array):
            fits = computes(value) or is_reduction(value) or is_new_pick(regions, value)  # type: ignore[arg-type]
            return value.type.shape[0] if fits and value.type.ndim else None  # type: ignore[union-attr]
        case Accum(target, Call(args=(summed, *_)) as value) if sums_into(target, value):
            return summed.type.shape[0]  # type: ignore[union-attr]
        case Store(base, index, value):
            return _length(_place(base, index))
        case Accum(target):
            return _length(target)
    return None


def is_new_pick(regions: Regions, value: Expr) -> bool:
    """Whether a value is a new array of rows that indices pick."""
    return value.type.dtype in REAL and are_picked(regions, value)  # type: ignore[union-attr]


def _length(place: Expr) -> Dim | None:
    kind = getattr(place, "type", None)
    return kind.shape[0] if isinstance(kind, Array) and kind.ndim and kind.dtype in REAL else None


def _place(base: Expr, index: Expr) -> Expr:
    whole = isinstance(index, Const) and index.value is Ellipsis
    return base if whole else typed(Call(operator.getitem, (base, index)))


def sums_rows(value: Expr) -> bool:
    """Whether a value is the sum of all rows of an array of doubles, or of all elements."""
    match value:
        case Call(np.sum, (array,), ()):
            kind = getattr(array, "type", None)
            return isinstance(kind, Array) and kind.ndim > 0 and kind.dtype in REAL
        case Call(np.sum, (array,), (("axis", _),)) if is_reduction(value) and axes_of(value) == (0,):
            return array.type.dtype in REAL  # type: ignore[union-attr]
        case Call(fn, (array, like)) if fn is sum_to:
            one, other = (getattr(e, "type", None) for e in (array, like))
            if isinstance(one, Array) and isinstance(other, Array) and one.dtype == other.dtype in REAL:
                pairs = zip(reversed(one.shape[1:]), reversed(other.shape))
                fits = 0 < other.ndim < one.ndim or other.ndim == one.ndim and other.shape[0] == 1 != one.shape[0]
                return fits and all(b in (a, 1) for a, b in pairs) and (computes(array) or isinstance(array, Var))
    return False


def sums_into(target: Expr, value: Expr) -> bool:
    """Whether the sum of all rows is added to an array of its own shape, but for axes of one in front."""
    if not sums_rows(value) and not (is_reduction(value) and value.fn is np.sum and axes_of(value) == (0,)):  # type: ignore
        return False
    one, other = (_shape(without_ones(e)) for e in (target, value))
    array = value.args[0]  # type: ignore[union-attr]
    return array.type.dtype in REAL and (one == other or (1, *one) == other or one == (1, *other))


def _shape(expr: Expr) -> tuple[Dim, ...]:
    kind = getattr(expr, "type", None)
    return kind.shape if isinstance(kind, Array) else ()


def _added(total: Expr, row: Expr, value: Call, origin: Origin) -> Accum:
    """What adds a row to the sum of all rows: in the shape of that sum, in which a row may have fewer elements."""
    shape = _shape(value)
    if value.fn is sum_to:
        rest = shape[1:] if len(shape) == value.args[0].type.ndim else shape  # type: ignore[union-attr]
        lead = len(_shape(row)) - len(rest)
        if lead > 0:
            row = _over(row, range(lead), False)
        ones = [k for k, (a, b) in enumerate(zip(_shape(row), rest)) if a != b]
        row = _over(row, ones, True) if ones else row
    if len(_shape(total)) > len(_shape(row)):
        total = typed(Call(operator.getitem, (total, Const(0, INT))))
    return Accum(total, row, origin)


def _over(row: Expr, axes: Iterable[int], keep: bool) -> Expr:
    """The sum of a row along axes of its own."""
    axis = index_of([Const(axis, INT) for axis in axes])
    return typed(Call(np.sum, (row,), (("axis", axis), *((("keepdims", Const(True)),) if keep else ()))))


@dataclass
class Writer:
    """Writes statements for one row."""

    rows: Rows
    before: list[Stmt] = field(default_factory=list)

    def accesses(self, stmt: Stmt) -> tuple[Access | None, Access | None]:
        """Where a statement writes by rows, or what it adds rows up in."""
        self.stmts(stmt)
        match stmt:
            case Let(target, value) if sums_rows(value):
                return None, Access(target)
            case Let(target):
                return Access(target, 0, Const(0, INT)), None
            case Accum(Var(total, Scalar()), value) if sums_into(stmt.target, value):
                return None, Access(total)
            case Accum(target) if are_picked(self.rows.regions, target):
                return None, Access(self.rows.regions.of(target.args[0]).root.name)  # type: ignore[union-attr]
            case Accum(target, value) if sums_into(target, value):
                region = self.rows.regions.of(without_ones(target))
                if region is None:
                    raise Unfit
                return None, Access(region.root.name, region=region)
            case Store(base, index):
                return self.access(_place(base, index)), None
            case Accum(target):
                return self.access(target), None
        raise Unfit

    def access(self, place: Expr) -> Access:
        region = self.rows.regions.of(place)
        along = None if region is None else next((k for k, a in enumerate(region.axes) if a.along == 0), None)
        if region is None or along is None:
            raise Unfit
        return Access(region.root.name, along, region.axes[along].start, region)

    def stmts(self, stmt: Stmt) -> list[Stmt]:
        """What an iteration does."""
        match stmt:
            case Let(target, Call(args=(array, *_)) as value) if sums_rows(value):
                return [_added(Var(target, value.type), self.summand(array, value), value, stmt.origin)]
            case Let(target, value):
                row = self.rows.of(value, value.type.ndim)  # type: ignore[union-attr]
                if is_new_pick(self.rows.regions, value) and isinstance(row.type, Array):  # type: ignore[union-attr]
                    row = Call(np.copy, (row,), (), row_type(value.type))  # type: ignore[union-attr]
                made = self.rows.made.get(target)
                return [Let(made.name if isinstance(made, Var) else target, row, stmt.origin)]
            case Accum(target, Call(args=(array, *_)) as value) if sums_into(target, value):
                return [_added(without_ones(target), self.summand(array, value), value, stmt.origin)]
            case Store(base, index, value):
                return self.written(stmt, _place(base, index), value)
            case Accum(target, value):
                return self.written(stmt, target, value)
        raise Unfit

    def summand(self, array: Expr, value: Call) -> Expr:
        """A row of the array whose sum a value is; where that is a number, the sum of the row."""
        row = self.rows.of(array, array.type.ndim)  # type: ignore[union-attr]
        if isinstance(value.type, Scalar) and isinstance(row.type, Array):  # type: ignore[union-attr]
            return Call(np.sum, (row,), (), value.type)
        return row

    def written(self, stmt: Store | Accum, place: Expr, value: Expr) -> list[Stmt]:
        kind, given = place.type, getattr(value, "type", None)  # type: ignore[union-attr]
        if isinstance(given, Array):
            pairs = zip(reversed(given.shape), reversed(kind.shape))
            if given.ndim > kind.ndim or any(a not in (b, 1) for a, b in pairs):
                raise Unfit
        elif not isinstance(given, Scalar) or given.dtype not in (*REAL, "bool", "int64"):
            raise Unfit
        read = set(self.rows.by_row)
        own = self.rows.picked(place, False) if are_picked(self.rows.regions, place) else self.rows.part(place)  # type: ignore
        self.rows.by_row = read
        row = self.rows.of(value, kind.ndim)
        if isinstance(own.type, Scalar) and isinstance(getattr(row, "type", None), Array):  # type: ignore[union-attr]
            raise Unfit
        if isinstance(stmt, Accum):
            return [replace(stmt, target=own, value=row)]
        if isinstance(own, Var):
            if isinstance(own.type, Scalar):
                return [Let(own.name, row, stmt.origin)]
            return [Store(own, Const(Ellipsis), row, stmt.origin)]
        assert isinstance(own, Call)
        return [Store(own.args[0], own.args[1], row, stmt.origin)]


def _is_place(item: Expr | Slice) -> bool:
    """Whether a subscript is a number."""
    return isinstance(item, (Var, Call)) and isinstance(item.type, Scalar)


def without_ones(target: Expr) -> Expr:
    """An array under the name that it has without an axis in front that was added."""
    match target:
        case Call(operator.getitem, (Var() as base, Const(None))):
            return base
        case Call(operator.getitem, (Var(type=Array() as kind) as base, Tuple(items))):
            first = next((k for k, item in enumerate(items) if not _is_place(item)), len(items) - 1)
            if not walk.is_const(items[first], None):
                return target
            fixed, rest = items[:first], items[first + 1 :]
            if all(item == WHOLE for item in rest) and first + len(rest) <= kind.ndim:
                return typed(Call(operator.getitem, (base, index_of(fixed)))) if fixed else base
    return target


def without_unread(block: Block) -> Block:
    """A block without arrays that are only stored into: those that others were made in the shape of."""
    made = {s.target for s in walk.statements(block) if isinstance(s, Let)
            and isinstance(s.value, Call) and s.value.fn is np.empty and isinstance(s.value.type, Array)}  # fmt: skip
    for stmt in walk.statements(block) if made else ():
        exprs = walk.stmt_exprs(stmt)
        if isinstance(stmt, Store) and isinstance(stmt.base, Var):
            exprs = (stmt.index, stmt.value)
        elif not isinstance(stmt, Let) and (assigned := made.intersection(walk.targets(stmt))):
            made -= assigned
        made.difference_update(*map(walk.names, exprs))
    return walk.without(block, lambda s: isinstance(s, Let) and s.target in made or isinstance(s, Store)
                        and isinstance(s.base, Var) and s.base.name in made) if made else block  # fmt: skip


def is_filled(item: Other) -> bool:
    """Whether a statement makes an array of equal elements, which may as well be made where it is first needed."""
    value = item.stmt.value if isinstance(item.stmt, Let) and isinstance(item, Row) else None
    return isinstance(value, Call) and computes(value) and (member(value.fn, CONSTANT) or member(value.fn, FULL))


def added_to_twice(split: list[Other]) -> set[int]:
    """The statements that make arrays to which an iteration adds a row, and others add all rows: before the loop."""
    adding = [item for item in split if isinstance(item, Row) and isinstance(item.stmt, Accum)]
    by_row = {(item.place.name, item.dim) for item in adding if item.place is not None}
    names = {item.total.name for item in adding if item.total and (item.total.name, item.dim) in by_row}
    return {id(item) for item in split if is_filled(item) and names.intersection(walk.targets(item.stmt))}


def is_row(target: Expr) -> bool:
    """Whether something is a row of an array: what is added up to it, is added up in an array of its own first."""
    index = target.args[1] if isinstance(target, Call) and isinstance(target.type, Array) else None
    items = index.items if isinstance(index, Tuple) else (index,)
    return any(isinstance(getattr(item, "type", None), Scalar) for item in items)
