"""Which elements of which array a view is: slices, rows, transposed arrays, added axes.

Two regions of one array can be compared element by element, and written as subscripts of loop counters.
"""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.affine import ZERO, less, linear, plus
from srcad.analysis.axis import Axis
from srcad.analysis.bounds import Bounds
from srcad.analysis.buffers import rebound
from srcad.analysis.inequalities import ONE, Form, added
from srcad.lang.arrays import axis_length, index_of
from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Slice, Stmt, Tuple, Var
from srcad.lang.types import INT, Array, Dim, Scalar


@dataclass(frozen=True)
class Region:
    """Elements of the array `root`, one axis after the other; `shape` is that of the region."""

    root: Var
    axes: tuple[Axis, ...]
    shape: tuple[Dim, ...]
    bounds: Bounds = field(default=Bounds(), compare=False, repr=False)  # what is known of its subscripts

    def at(self, counters: list[Expr]) -> Expr:
        """The element at the counters of the region's axes."""
        index = index_of([axis.at(counters) for axis in self.axes])
        kind = self.root.type
        assert isinstance(kind, Array)
        return Call(operator.getitem, (self.root, index), (), Scalar(kind.dtype))

    def length(self, axis: int) -> Expr | None:
        """How many elements the region has along one of its axes, as an expression."""
        lengths = (a.length_of(axis) for a in self.axes)
        return next((length for length in lengths if length is not None), None)

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """What the region is made of: the array, and the names in its subscripts."""
        return frozenset((self.root.name,)).union(*(axis.names for axis in self.axes))

    def distance(self, other: Region) -> tuple[int, ...] | None:
        """How far `other` is behind this region of the same array along each axis of both; None where nobody knows.

        >>> from srcad.lang.types import FLOAT
        >>> x = Var("x", Array("float64", ("n",), "C"))
        >>> rest = Call(operator.getitem, (x, Slice(Const(1, INT), None, None)), (), Array("float64", ("n-1",), "C"))
        >>> Regions().of(x).distance(Regions().of(rest))
        (1,)
        """
        found: dict[int, int] = {}
        for mine, theirs in zip(self.axes, other.axes):
            if mine.along != theirs.along or mine.along is not None and self.is_one(mine) != other.is_one(theirs):
                return None
            if mine.around != theirs.around or mine.around is not None and mine.start != theirs.start:
                return None
            difference = self.between(mine.start, theirs.start)
            if difference is None:
                return None
            if mine.along is None and difference:
                return None
            if mine.along is not None:
                found[mine.along] = difference
        rank = len(self.shape)
        return tuple(found[k] for k in range(rank)) if len(found) == rank == len(other.shape) else None

    def is_one(self, axis: Axis) -> bool:
        """Whether the region has one element along an axis, which loops do not count through."""
        return axis.along is not None and self.shape[axis.along] == 1

    def between(self, first: Expr, second: Expr) -> int | None:
        """How much one subscript is greater than another one, if that is known."""
        if first == second:
            return 0
        here, there = linear(first), linear(second)
        if here is not None and there is not None and here[0] == there[0]:
            return there[1] - here[1]
        form = self.bounds.difference(second, first)
        return form.get(ONE, 0) if form is not None and form.keys() <= {ONE} else None

    def apart(self, other: Region) -> bool:
        """Whether two regions of one array surely have no element in common: different rows, or what lies behind.

        >>> from srcad.lang.ir import Function
        >>> x = Var("x", Array("float64", ("n",), "C"))
        >>> parts = [Slice(None, Const(2, INT)), Slice(Const(2, INT), None), Slice(Const(1, INT), None)]
        >>> known = Regions(bounds=Bounds.of(Function("f", (), ())))
        >>> first, *others = [known.of(Call(operator.getitem, (x, part), (), x.type)) for part in parts]
        >>> [first.apart(part) for part in others]
        [True, False]
        """
        return any(
            mine.along is None and theirs.along is None and _differ(mine, theirs)
            or not self.bounds.possible(*self.common(mine, theirs))
            for mine, theirs in zip(self.axes, other.axes)
        )

    def common(self, mine: Axis, theirs: Axis) -> tuple[list[Form], list[Form]]:
        """What is true of a subscript that two axes share: what is zero, and what is not negative."""
        element: Form = {"element": 1}
        zeros, least = [], [element]
        for axis in (mine, theirs):
            start = axis.start if axis.around is None else ZERO
            low, high = self.bounds.form(start), self.bounds.form(axis.stop)
            if low is not None and axis.along is None:
                zeros += [added(element, low, -1)] if axis.ahead else []
            elif low is not None:
                least.append(added(element, low, -1))
            least += [added(added(high, element, -1), {ONE: -1})] if high is not None else []
        return zeros, least


def _differ(one: Axis, other: Axis) -> bool:
    a, b = linear(one.start), linear(other.start)
    if a is None or b is None or a[0] != b[0]:
        return False
    # What is negative counts from the end: of two rows, ``A[t - 1]`` is ``A[t + 1]`` where `t` is 0.
    alike = one.ahead and other.ahead if a[0] is not None else (a[1] < 0) == (b[1] < 0)
    return a[1] != b[1] and alike


@dataclass
class Regions:
    """The regions that names stand for."""

    views: dict[str, Region] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()  # names of what is no array: records that are lists of arrays
    bounds: Bounds = field(default_factory=Bounds)  # of counters

    def of(self, expr: Expr) -> Region | None:
        """The region that an expression is, if it is one that loops can count through."""
        match expr:
            case Var(name, Array() as kind) if name not in self.lists:
                found = self.views.get(name)
                return _whole(expr, kind, self.bounds) if found is None else replace(found, bounds=self.bounds)
            case Call(operator.getitem, (base, index), ()) if isinstance(expr.type, Array):
                region = self.of(base)
                return None if region is None else _part(region, index, expr.type)
            case Call(np.transpose, (base,), ()) if isinstance(expr.type, Array):
                region = self.of(base)
                return None if region is None else _turned(region)
        return None

    def bind(self, name: str, value: Expr) -> None:
        """``name = value``: the name is that region from now on, if it is one of another array."""
        self.forget({name})
        if isinstance(value, (Var, Call)) and (region := self.of(value)) is not None and name not in region.names:
            self.views[name] = region

    def forget(self, assigned: set[str]) -> None:
        """Names that are assigned anew: what was made of them is known no longer."""
        for view in [v for v, region in self.views.items() if v in assigned or region.names & assigned]:
            del self.views[view]

    def copy(self) -> Regions:
        return replace(self, views=dict(self.views))

    def inside(self, stmt: Stmt, first: bool = True) -> Regions:
        """What is known in a block of a statement."""
        inner = replace(self.copy(), bounds=self.bounds.inside(stmt, first))
        inner.forget(rebound(stmt))
        return inner


def _whole(name: Var, kind: Array, bounds: Bounds) -> Region:
    lengths = [axis_length(name, axis) for axis in range(kind.ndim)]
    axes = (Axis(ZERO, axis, n, True, stop=n) for axis, n in enumerate(lengths))
    return Region(name, tuple(axes), kind.shape, bounds)


def _turned(region: Region) -> Region:
    last = len(region.shape) - 1
    axes = tuple(a if a.along is None else replace(a, along=last - a.along) for a in region.axes)
    return replace(region, axes=axes, shape=region.shape[::-1])


def _part(region: Region, index: Expr, kind: Array) -> Region | None:
    """``region[index]``, where the index is of slices without a step, numbers, None and an Ellipsis."""
    items: list[Expr | Slice] = [*index.items] if isinstance(index, Tuple) else [index]
    taken = sum(not _is(item, None) and not _is(item, Ellipsis) for item in items)
    rest: list[Expr | Slice] = [Slice()] * (len(region.shape) - taken)
    position = next((k for k, item in enumerate(items) if _is(item, Ellipsis)), len(items))
    items[position : position + 1] = rest
    axes = {a.along: a for a in region.axes if a.along is not None}
    placed: dict[int, Axis] = {}
    source, target = 0, 0
    for item in items:
        if _is(item, None):
            target += 1
            continue
        if source in axes:
            own = axes[source]
            if isinstance(item, Slice):
                axis = sliced(own, item, target, region.bounds)
            else:
                axis = fixed(own, item, region.bounds)
            if axis is None:
                return None
            placed[source] = axis
        elif not (isinstance(item, Slice) and item == Slice()):
            return None  # of an axis that was added
        source += 1
        target += isinstance(item, Slice)
    if target != kind.ndim:
        return None
    return replace(region, axes=tuple(a if a.along is None else placed[a.along] for a in region.axes), shape=kind.shape)


def _is(item: Expr | Slice, value: object) -> bool:
    return isinstance(item, Const) and item.value is value


def sliced(axis: Axis, item: Slice, along: int, bounds: Bounds) -> Axis | None:
    """A slice of an axis, which becomes the axis `along`."""
    if not (item.step is None or walk.is_const(item.step, None) or walk.is_const(item.step, 1)):
        return None
    lower, upper = (None if e is None or walk.is_const(e, None) else e for e in (item.lower, item.upper))
    first = ZERO if lower is None else lower
    if (first, upper) == (ZERO, None):
        return replace(axis, along=along)
    if not _is_natural(first, bounds) or axis.around is not None:
        return None
    start = plus(axis.start, first)
    if upper is None:
        return Axis(start, along, _count(axis.length, first), stop=axis.stop)
    behind = _from_end(upper, first, axis.length, bounds)
    if behind is not None:
        return Axis(start, along, _count(less(axis.length, behind), first), stop=less(axis.stop, behind))
    if not _is_natural(upper, bounds):
        return None
    within = axis.length is not None and bounds.ordered(upper, axis.length)
    last = upper if within else axis.length and Call(min, (upper, axis.length), (), INT)
    return Axis(start, along, _count(last, first), stop=plus(axis.start, upper))


def _from_end(upper: Expr, first: Expr, length: Expr | None, bounds: Bounds) -> Const | None:
    """How many elements there are behind an upper bound, if that is known.

    Of a short axis ``n - k`` may be negative and count from the end, but not to an element behind ``k - 2``.
    """
    if isinstance(upper, Const):
        return Const(-upper.value, INT) if upper.value < 0 else None
    behind = length and bounds.difference(length, upper)
    if not behind or behind.keys() != {ONE} or behind[ONE] < 0 or not isinstance(first, Const):
        return None
    return Const(behind[ONE], INT) if behind[ONE] <= first.value + 2 else None


def _count(last: Expr | None, first: Expr) -> Expr | None:
    """How many elements there are from a first one up to a last one; none, if a constant says less."""
    length = less(last, first)
    return Const(max(length.value, 0), INT) if isinstance(length, Const) else length


def _is_natural(number: Expr, bounds: Bounds) -> bool:
    if isinstance(number, Const):
        return type(number.value) is int and number.value >= 0
    return bounds.natural(number)


def _is_number(item: Expr | Slice) -> bool:
    """Whether a subscript is a whole number that no array holds."""
    kind = getattr(item, "type", None)
    if not isinstance(kind, Scalar) or not kind.dtype.startswith(("int", "uint")) or isinstance(item, Slice):
        return False
    return not any(isinstance(e, Var) and isinstance(e.type, Array) for e in walk.subexprs(item))


def fixed(axis: Axis, item: Expr, bounds: Bounds) -> Axis | None:
    """One subscript; of a slice, a negative one counts from another end than that of the root."""
    if not _is_number(item) or axis.around is not None:
        return None
    ahead = _is_natural(item, bounds)
    if axis.whole:
        return Axis(item, ahead=ahead)
    return Axis(plus(axis.start, item), ahead=True) if ahead else None
