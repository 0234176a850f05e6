"""Which elements of which array a view is: slices from a constant on, rows, transposed arrays, added axes.

Two regions of one array can be compared element by element, and written as subscripts of loop counters.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.affine import Loops, least, linear
from srcad.lang.arrays import axis_length, index_of
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Slice, Tuple, Var
from srcad.lang.types import INT, Array, Dim, Scalar

ZERO = Const(0, INT)


@dataclass(frozen=True)
class Axis:
    """The subscript along an axis of the root: `start` plus the counter of the region's axis `along`, if there is one.

    `length` is how often the counter runs, where an expression tells it; `whole` says that this is all of the axis.
    `ahead` says of a single subscript that it is known not to count from the end.
    """

    start: Expr
    along: int | None = None
    length: Expr | None = None
    whole: bool = False
    ahead: bool = False


@dataclass(frozen=True)
class Region:
    """Elements of the array `root`, one axis after the other; `shape` is that of the region."""

    root: Var
    axes: tuple[Axis, ...]
    shape: tuple[Dim, ...]

    def at(self, counters: list[Expr]) -> Expr:
        """The element at the counters of the region's axes."""
        subscripts = [a.start if a.along is None else plus(counters[a.along], a.start) for a in self.axes]
        index = index_of(subscripts)
        kind = self.root.type
        assert isinstance(kind, Array)
        return Call(operator.getitem, (self.root, index), (), Scalar(kind.dtype))

    def length(self, axis: int) -> Expr | None:
        """How many elements the region has along one of its axes, as an expression."""
        return next((a.length for a in self.axes if a.along == axis), None)

    @property
    def names(self) -> set[str]:
        """What the region is made of: the array, and the names in its subscripts."""
        return {self.root.name}.union(*(walk.names(a.start) for a in self.axes))

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
            if mine.along != theirs.along:
                return None
            here, there = linear(mine.start), linear(theirs.start)
            same = mine.start == theirs.start
            if not same and (here is None or there is None or here[0] != there[0]):
                return None
            difference = 0 if same else there[1] - here[1]  # type: ignore[index]
            if mine.along is None and difference:
                return None
            if mine.along is not None:
                found[mine.along] = difference
        rank = len(self.shape)
        return tuple(found[k] for k in range(rank)) if len(found) == rank == len(other.shape) else None

    def apart(self, other: Region) -> bool:
        """Whether two regions of one array surely have no element in common: different rows."""
        for mine, theirs in zip(self.axes, other.axes):
            if mine.along is None and theirs.along is None and _differ(mine, theirs):
                return True
        return False


def plus(counter: Expr, start: Expr) -> Expr:
    """A counter from `start` on."""
    if isinstance(start, Const):
        return counter if start.value == 0 else Call(operator.add, (counter, start), (), INT)
    return Call(operator.add, (start, counter), (), INT)


def _differ(one: Axis, other: Axis) -> bool:
    a, b = linear(one.start), linear(other.start)
    if a is None or b is None or a[0] != b[0]:
        return False
    # What is negative counts from the end: of two rows, ``A[t - 1]`` is ``A[t + 1]`` where `t` is 0.
    alike = one.ahead and other.ahead if a[0] is not None else (a[1] < 0) == (b[1] < 0)
    return a[1] != b[1] and alike


def least_values(block: Block) -> dict[str, int]:
    """The least values of the indices of loops, as far as they are known.

    >>> from srcad.lang.ir import Return
    >>> inner = For("j", Call(operator.add, (Var("i", INT), Const(1, INT)), (), INT), Var("n"), Const(1, INT), ())
    >>> least_values((For("i", Const(2, INT), Var("n", INT), Const(1, INT), (inner,)), Return(Var("n"))))
    {'i': 2, 'j': 3}
    """
    found: dict[str, int | None] = {}
    _note_least(block, (), found)
    return {name: value for name, value in found.items() if value is not None}


def _note_least(block: Block, around: Loops, found: dict[str, int | None]) -> None:
    for stmt in block:
        loops = (stmt, *around)
        for name in walk.targets(stmt):
            value = least((name, 0), loops) if isinstance(stmt, For) and name == stmt.index else None
            known = found.get(name, value)
            found[name] = None if value is None or known is None else min(value, known)
        for inner in walk.blocks(stmt):
            _note_least(inner, loops if isinstance(stmt, For) else around, found)


@dataclass
class Regions:
    """The regions that names stand for."""

    views: dict[str, Region] = field(default_factory=dict)
    lists: frozenset[str] = frozenset()  # names of what is no array: records that are lists of arrays
    lows: dict[str, int] = field(default_factory=dict)  # the least values of counters

    def of(self, expr: Expr) -> Region | None:
        """The region that an expression is, if it is one that loops can count through."""
        match expr:
            case Var(name, Array() as kind) if name not in self.lists:
                return self.views.get(name) or _whole(expr, kind)
            case Call(operator.getitem, (base, index), ()) if isinstance(expr.type, Array):
                region = self.of(base)
                return None if region is None else _part(region, index, expr.type, self.lows)
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

    def inside(self, assigned: set[str]) -> Regions:
        """What is known in a block that assigns these names."""
        inner = Regions(dict(self.views), self.lists, self.lows)
        inner.forget(assigned)
        return inner


def _whole(name: Var, kind: Array) -> Region:
    lengths = [axis_length(name, axis) for axis in range(kind.ndim)]
    return Region(name, tuple(Axis(ZERO, axis, n, True) for axis, n in enumerate(lengths)), kind.shape)


def _turned(region: Region) -> Region:
    last = len(region.shape) - 1
    axes = tuple(a if a.along is None else replace(a, along=last - a.along) for a in region.axes)
    return Region(region.root, axes, region.shape[::-1])


def _part(region: Region, index: Expr, kind: Array, lows: dict[str, int]) -> Region | None:
    """``region[index]``, where the index is of slices from constants on, numbers, None and an Ellipsis."""
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
            axis = _sliced(axes[source], item, target) if isinstance(item, Slice) else _fixed(axes[source], item, lows)
            if axis is None:
                return None
            placed[source] = axis
        elif not (isinstance(item, Slice) and item == Slice()):
            return None  # of an axis that was added
        source += 1
        target += isinstance(item, Slice)
    if target != kind.ndim:
        return None
    return Region(region.root, tuple(a if a.along is None else placed[a.along] for a in region.axes), kind.shape)


def _is(item: Expr | Slice, value: object) -> bool:
    return isinstance(item, Const) and item.value is value


def _sliced(axis: Axis, item: Slice, along: int) -> Axis | None:
    match item:
        case Slice(None, None, None):
            return replace(axis, along=along)
        case Slice((None | Const(int())) as lower, upper, None | Const(1)):
            first = 0 if lower is None else lower.value
            if first < 0 or isinstance(first, bool):
                return None
            length = _length(axis.length, first, upper)
            start = axis.start if first == 0 else _moved(axis.start, first)
            return None if start is None else Axis(start, along, length)
    return None


def _length(length: Expr | None, first: int, upper: Expr | None) -> Expr | None:
    match upper:
        case None:
            less = first
        case Const(int() as value) if value < 0:
            less = first - value
        case _:
            return None
    if length is None or not less:
        return length
    match length:
        case Call(operator.sub, (whole, Const(int() as before))):
            return Call(operator.sub, (whole, Const(before + less, INT)), (), INT)
    return Call(operator.sub, (length, Const(less, INT)), (), INT)


def _moved(start: Expr, by: int) -> Expr | None:
    if isinstance(start, Const):
        return Const(start.value + by, INT)
    return Call(operator.add, (start, Const(by, INT)), (), INT)


def _is_number(item: Expr | Slice) -> bool:
    """Whether a subscript is a whole number that no array holds."""
    kind = getattr(item, "type", None)
    if not isinstance(kind, Scalar) or not kind.dtype.startswith(("int", "uint")) or isinstance(item, Slice):
        return False
    return not any(isinstance(e, Var) and isinstance(e.type, Array) for e in walk.subexprs(item))


def _fixed(axis: Axis, item: Expr, lows: dict[str, int]) -> Axis | None:
    """One subscript; of a slice, a negative one counts from another end than that of the root."""
    if not _is_number(item):
        return None
    if axis.whole:
        name, offset = linear(item) or (None, 0)
        return Axis(item, ahead=name in lows and lows[name] + offset >= 0)
    if isinstance(item, Const) and isinstance(item.value, int) and item.value >= 0:
        start = _moved(axis.start, item.value)
        return None if start is None else Axis(start)
    return None
