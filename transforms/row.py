"""One row of an array expression: what it has at one place of its first axis; part of `rows`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.contents import content_names, member
from srcad.analysis.affine import ZERO, counted
from srcad.analysis.regions import Region, Regions
from srcad.lang.arrays import index_of
from srcad.lang.ir import Call, Const, Expr, Slice, Tuple, Var, select
from srcad.lang.types import FLOAT, INT, REAL, Array, Dim, Scalar, Type
from srcad.lang.walk import names
from srcad.runtime import sum_to
from srcad.transforms.elements import CONSTANT, COPIES, FULL, computes, leaves
from srcad.transforms.passing import Facts
from srcad.transforms.row_picks import are_picked, at_picks, picks_of

REDUCTIONS = frozenset((np.sum, np.mean, np.max, np.min, np.prod, np.any, np.all, np.argmin, np.argmax))
WHOLE = Slice()


@dataclass(frozen=True)
class Access:
    """What a statement reads or writes of an array: all in each iteration, or a row, along an axis from a start on."""

    name: str
    axis: int | None = None
    start: Expr | None = None
    region: Region | None = None

    def same_rows(self, other: Access) -> bool:
        """Whether two accesses are to the same rows in the same iterations."""
        return (self.name, self.axis, self.start) == (other.name, other.axis, other.start)

    def meets(self, other: Access, facts: Facts) -> bool:
        """Whether two accesses may be to one element, in any two iterations."""
        if not facts.may_share(self.name, other.name):
            return False
        one, two = self.region, other.region
        return one is None or two is None or one.root != two.root or not one.apart(two)


class Unfit(Exception):
    """An expression is not computed row by row."""


@dataclass
class Rows:
    """Takes rows along axes of the length `dim`, and notes what it reads by rows, and what as a whole."""

    dim: Dim
    counter: Expr
    regions: Regions
    made: dict[str, Expr] = field(default_factory=dict)  # of arrays that the loop makes, what stands for the row
    length: Callable[[Dim], Expr | None] = lambda dim: None  # how long an axis is, where an array tells it
    by_row: set[Access] = field(default_factory=set)
    whole: set[Access] = field(default_factory=set)
    reduces: bool = False  # whether rows are summed up, or the like
    numbers: dict[Expr, Var] = field(default_factory=dict)  # names for the numbers of rows that indices pick
    fresh: Callable[[str], str] = lambda name: name

    def of(self, expr: Expr, rank: int) -> Expr:
        """What a row of an array of that rank takes from an operand; from one of fewer axes, all."""
        kind = getattr(expr, "type", None)
        if not isinstance(kind, Array) or kind.ndim < rank:
            self.note(expr)
            return expr
        if kind.ndim > rank or kind.shape[0] not in (self.dim, 1):
            raise Unfit
        if isinstance(expr, Call) and is_reduction(expr):
            return self.reduced(expr)
        if are_picked(self.regions, expr):
            return self.picked(expr)  # type: ignore[arg-type]
        return self.computed(expr) if computes(expr) else self.part(expr)  # type: ignore[arg-type]

    def note(self, expr: Expr) -> None:
        """Each iteration reads all of an expression."""
        for leaf in leaves(expr):
            region = self.regions.of(leaf)
            names = content_names(leaf) if region is None else {region.root.name}
            self.whole |= {Access(name, region=region) for name in names}

    # ------------------------------------------------------------ computed

    def computed(self, expr: Call) -> Expr:
        assert isinstance(expr.type, Array)
        kind = row_type(expr.type)
        single = isinstance(kind, Scalar)
        if member(expr.fn, CONSTANT):
            return Const(CONSTANT[expr.fn], FLOAT) if single else self.filled(expr, kind)
        if member(expr.fn, FULL):
            value = self.of(expr.args[1], 1)
            return value if single else self.filled(expr, kind, value)
        args = tuple(self.of(arg, expr.type.ndim) for arg in expr.args)  # type: ignore[attr-defined]
        if not single:
            return replace(expr, args=args, type=kind)
        if any(isinstance(getattr(arg, "type", None), Array) for arg in args):
            raise Unfit
        if member(expr.fn, COPIES):
            return args[0]
        fn = select if expr.fn is np.where else np.abs if expr.fn is abs else expr.fn
        return Call(fn, args, (), kind)

    def filled(self, expr: Call, kind: Type, *value: Expr) -> Expr:
        """A row of equal elements; of an array, only the lengths are asked for."""
        assert isinstance(kind, Array)
        lengths = [self.length(dim) for dim in kind.shape]
        known = tuple(length for length in lengths if length is not None)
        like, fn = expr.args[0], expr.fn
        if len(known) == len(lengths) and fn is not np.full_like:
            fn = {np.zeros_like: np.zeros, np.ones_like: np.ones}.get(fn, fn)
            shape = index_of(known)
        elif isinstance(like, (Var, Call)) and isinstance(like.type, Array):
            shape = self.of(like, like.type.ndim)
        elif isinstance(like, Tuple) and len(like.items) == kind.ndim + 1:
            rest = like.items[1:]
            shape = index_of(rest)
        else:
            raise Unfit
        return Call(fn, (shape, *value), expr.kwargs, kind)

    def reduced(self, expr: Call) -> Expr:
        """A reduction of rows along axes of their own."""
        array, (axes, keep) = expr.args[0], _options(expr)  # type: ignore[misc]
        if 0 in axes or array.type.shape[0] != self.dim:  # type: ignore[union-attr]
            raise Unfit
        row = self.of(array, array.type.ndim)  # type: ignore[union-attr]
        kind = row_type(expr.type)
        if not isinstance(row.type, Array):  # type: ignore[union-attr]
            raise Unfit
        self.reduces = True
        fn = np.sum if expr.fn is sum_to else expr.fn
        if not axes:
            return row
        if isinstance(kind, Scalar):
            if len(axes) < row.type.ndim:  # type: ignore[union-attr]
                raise Unfit
            return Call(fn, (row,), (), kind)
        others = tuple(Const(axis - 1, INT) for axis in axes)
        axis = index_of(others)
        options = (("axis", axis), *((("keepdims", Const(True)),) if keep else ()))
        return Call(fn, (row,), options, kind)

    # ------------------------------------------------------------ parts of arrays

    def part(self, expr: Expr) -> Expr:
        """A row of an array that is there, or of a view of one."""
        region, kind = self.regions.of(expr), expr.type  # type: ignore[union-attr]
        base, index = expr.args if isinstance(expr, Call) and expr.fn is operator.getitem else (expr, WHOLE)
        if region is None or not isinstance(base, Var) or not isinstance(base.type, Array) or not _in_order(region):
            raise Unfit
        assert isinstance(kind, Array)
        found = next(((k, axis.start) for k, axis in enumerate(region.axes) if axis.along == 0), None)
        if kind.shape[0] == 1 or found is None:
            self.note(expr)
        else:
            self.by_row.add(Access(region.root.name, *found, region))
        items = _items(index, base.type.ndim)
        first = next(k for k, item in enumerate(items) if isinstance(item, Slice) or _is(item, None))
        if base.name in self.made:
            return self.of_made(base, items, first, row_type(kind))
        if _is(items[first], None):
            del items[first]
        else:
            items[first] = counted(self.counter if kind.shape[0] != 1 else ZERO, _start(items[first]))
        return at(base, items, row_type(kind))

    def picked(self, expr: Call, reads: bool = True) -> Expr:
        """What the indices of one row pick: any rows, where they are read."""
        base, kind = expr.args[0], expr.type
        region = self.regions.of(base)
        assert isinstance(base, Var) and isinstance(kind, Array)
        if region is None or base.name in self.made or not _in_order(region):
            raise Unfit
        self.whole |= {Access(region.root.name)} if reads else set()
        rows: list[Expr] = []
        for pick in picks_of(expr):
            row = self.part(pick)
            if isinstance(row.type, Scalar):  # type: ignore[union-attr]
                if pick.type.ndim > 1:  # type: ignore[union-attr]
                    raise Unfit
                row = row if self.is_made(row) else self.named(row)
            rows.append(row)
        return at_picks(expr, rows)

    def is_made(self, number: Expr) -> bool:
        """Whether a number is one that the iteration computes, so that it has no name before."""
        own = {name for value in self.made.values() for name in names(value)}
        return not own.isdisjoint(names(number))

    def named(self, number: Expr) -> Var:
        """A name for a number that an array of indices has."""
        return self.numbers.get(number) or self.numbers.setdefault(number, Var(self.fresh("_t"), number.type))  # type: ignore

    def of_made(self, base: Var, items: list, first: int, kind: Type) -> Expr:
        """A row of an array that the loop makes."""
        row = self.made[base.name]
        if first or items[0] != WHOLE:
            raise Unfit
        if isinstance(row.type, Scalar):  # type: ignore[union-attr]
            if not isinstance(kind, Scalar):
                raise Unfit
            return row
        assert isinstance(row, Var)
        return row if all(item == WHOLE for item in items) else at(row, items[1:], kind)


def row_type(kind: Type) -> Type:
    """The type of a row: a number, if it has one element for sure."""
    assert isinstance(kind, Array)
    rest = kind.shape[1:]
    if all(dim == 1 for dim in rest):
        return Scalar(kind.dtype)
    return Array(kind.dtype, rest, "C" if kind.layout == "C" else "A")


def at(base: Var, items: list, kind: Type) -> Expr:
    """``base[items]``, a number if `kind` says so."""
    if isinstance(kind, Scalar):
        items = [_start(item) if isinstance(item, Slice) else item for item in items if not _is(item, None)]
    while items and items[-1] == WHOLE:
        items = items[:-1]
    if not items:
        return base
    index = index_of(items)
    return Call(operator.getitem, (base, index), (), kind)


def is_reduction(expr: Expr) -> bool:
    """Whether an array is reduced along some of its axes."""
    if not isinstance(expr, Call) or not isinstance(expr.type, Array) or not expr.args:
        return False
    array = getattr(expr.args[0], "type", None)
    if not isinstance(array, Array) or array.dtype not in (*REAL, "bool"):
        return False
    if not (member(expr.fn, REDUCTIONS) and len(expr.args) == 1 or expr.fn is sum_to):
        return False
    return expr.type.dtype in (*REAL, "bool", "int64") and bool(_options(expr))


def is_extreme(expr: Expr) -> bool:
    """Whether a number is the largest or smallest element of an array, or its place."""
    return isinstance(expr, Call) and not expr.kwargs and member(expr.fn, (np.max, np.min, np.argmax, np.argmin))


def axes_of(expr: Call) -> tuple[int, ...]:
    """The axes that go."""
    found = _options(expr)
    assert found is not None
    return found[0]


def _options(expr: Call) -> tuple[tuple[int, ...], bool] | None:
    """The axes of a reduction, and whether they stay with one element; None where that is not to be told."""
    if expr.fn is sum_to:
        before, after = (getattr(arg, "type", None) for arg in expr.args)
        if not isinstance(before, Array) or not isinstance(after, Array) or before.ndim != after.ndim:
            return None
        axes = tuple(k for k, (a, b) in enumerate(zip(before.shape, after.shape)) if a != b)
        return (axes, True) if all(after.shape[k] == 1 for k in axes) else None
    given = dict(expr.kwargs)
    axis, keep = given.pop("axis", None), given.pop("keepdims", Const(False))
    items = axis.items if isinstance(axis, Tuple) else (axis,)
    numbers = [item.value for item in items if isinstance(item, Const) and type(item.value) is int]
    if given or len(numbers) != len(items) or not isinstance(keep, Const):
        return None
    rank = expr.args[0].type.ndim  # type: ignore[union-attr]
    return tuple(sorted(number % rank for number in numbers)), bool(keep.value)


def _in_order(region: Region) -> bool:
    """Whether rows lie one behind the other in memory."""
    order = [axis.along for axis in region.axes if axis.along is not None]
    return len(order) < 2 or order == sorted(order) and region.root.type.layout not in ("F", "f")  # type: ignore


def _items(index: Expr | Slice, rank: int) -> list:
    """The subscripts of all axes, one for each."""
    items = [*index.items] if isinstance(index, Tuple) else [index]
    taken = sum(not _is(item, None) and not _is(item, Ellipsis) for item in items)
    position = next((k for k, item in enumerate(items) if _is(item, Ellipsis)), len(items))
    items[position : position + 1] = [WHOLE] * (rank - taken)
    return items


def _is(item: Expr | Slice, value: object) -> bool:
    return isinstance(item, Const) and item.value is value


def _start(item: Slice) -> Expr:
    return ZERO if item.lower is None else item.lower
