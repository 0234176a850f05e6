"""Boxes: elements of an array, along each axis from so many behind the first to so many before the end.

A border is written apart from the rest: ``v[0] = a``, and then ``v[i] = b`` for `i` from 1 to ``n - 2``. Boxes tell
what is left of an array, and whether another box has it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

from srcad.analysis.affine import linear
from srcad.analysis.contents import values_of
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import mentions, only_at
from srcad.lang import walk
from srcad.lang.arrays import index_of
from srcad.lang.ir import Accum, Call, Const, Expr, For, If, Slice, Stmt, Store, Tuple, Var
from srcad.lang.shapes import split_offset
from srcad.lang.types import INT, Array, Dim


@dataclass(frozen=True)
class Place:
    """A subscript: so many behind the first element, or so many before the end."""

    number: int
    from_end: bool = False

    def moved(self, by: int) -> Place:
        return Place(self.number - by if self.from_end else self.number + by, self.from_end)

    def after(self, other: Place) -> bool:
        """Whether this is surely no smaller subscript than the other one, however long the axis is."""
        if self.from_end != other.from_end:
            return False
        return self.number <= other.number if self.from_end else self.number >= other.number

    def bound(self) -> Expr | None:
        """The place in a slice."""
        number = -self.number if self.from_end else self.number
        return Const(number, INT) if number else None


FIRST, END = Place(0), Place(0, True)


@dataclass(frozen=True)
class Span:
    """The subscripts from a place up to another one."""

    start: Place = FIRST
    stop: Place = END

    def within(self, other: Span) -> bool:
        """Whether the other span has all of these, however long the axis is.

        >>> Span(Place(1), Place(1, True)).within(Span()), Span().within(Span(Place(1)))
        (True, False)
        """
        begins = other.start == FIRST or self.start.after(other.start)
        return begins and (other.stop == END or other.stop.after(self.stop))

    def moved(self, by: int) -> Span:
        return Span(self.start.moved(by), self.stop.moved(by))

    def is_inner(self) -> bool:
        """Whether the span reaches from near the first element to near the last one."""
        return not self.start.from_end and self.stop.from_end

    def slice(self) -> Slice:
        return Slice(self.start.bound(), self.stop.bound())


Box = tuple[Span, ...]


def inside(box: Box, other: Box) -> bool:
    return all(span.within(of) for span, of in zip(box, other))


def rest(box: Box) -> Iterator[Box]:
    """Boxes of all elements that are not in a box.

    >>> inner = Span(Place(1), Place(1, True))
    >>> [index_of([span.slice() for span in part]) for part in rest((inner,))]
    [Slice(lower=None, upper=Const(value=1, type=Scalar(dtype='int64', weak=True), name=None), step=None), \
Slice(lower=Const(value=-1, type=Scalar(dtype='int64', weak=True), name=None), upper=None, step=None)]
    """
    for axis, span in enumerate(box):
        before, behind = box[:axis], tuple(Span() for _ in box[axis + 1 :])
        if span.start != FIRST:
            yield (*before, Span(FIRST, span.start), *behind)
        if span.stop != END:
            yield (*before, Span(span.stop, END), *behind)


def subscript(box: Box) -> Expr:
    """The subscript of what a box has of an array."""
    spans = [span.slice() for span in box]
    while len(spans) > 1 and spans[-1] == Slice():
        spans.pop()
    return index_of(spans)


def written(stmt: Stmt, array: Var, lengths: Lengths) -> Box | None:
    """The elements of an array that a statement writes to, all of them, reading none but what it has written.

    None if that is not all it does.

    >>> from srcad.lang.types import FLOAT
    >>> v, n, i = Var("v", Array("float64", ("n",))), Var("n", INT), Var("i", INT)
    >>> end = Call(operator.sub, (n, Const(1, INT)), (), INT)
    >>> loop = For("i", Const(1, INT), end, Const(1, INT), (Store(v, i, Const(0.0, FLOAT)),))
    >>> written(loop, v, Lengths({}, frozenset("n")))
    (Span(start=Place(number=1, from_end=False), stop=Place(number=1, from_end=True)),)
    """
    found = visited(stmt, array, lengths)
    return found[1] if found is not None and isinstance(found[0], Store) else None


def visited(stmt: Stmt, array: Var, lengths: Lengths) -> tuple[Store | Accum, Box] | None:
    """The only statement inside another one that uses an array, and the elements that it writes, or adds, to."""
    loops: list[For] = []
    while isinstance(stmt, For):
        users = [inner for inner in stmt.body if mentions(inner, array.name)]
        if stmt.flag is not None or not walk.is_const(stmt.step, 1) or not users:
            return None
        own = users[0].index if isinstance(users[0], Store) else None
        if len(users) > 1 and (own is None or not all(only_at(s, array, own) for s in users[1:])):
            return None
        if stmt.index in walk.assigned(stmt.body) or array.name in values_of(stmt.start) | values_of(stmt.stop):
            return None
        loops.append(stmt)
        stmt = users[0]
    match stmt:
        case If(test, then, orelse) if array.name not in walk.names(test):
            found = [[inner for inner in branch if mentions(inner, array.name)] for branch in (then, orelse)]
            match found:
                case [[Store(_, one) as first], [Store(_, other) as second]] if one == other and _only(first, array):
                    stmt = first if _only(second, array) else stmt
    match stmt:
        case Store(Var(array.name), index, value) | Accum(Call(operator.getitem, (Var(array.name), index)), value):
            box = None if array.name in walk.names(value) else box_of(index, array, loops, lengths)
            return None if box is None else (stmt, box)
    return None


def _only(stmt: Store, array: Var) -> bool:
    """Whether all that a statement does with an array is to write to it."""
    return stmt.base == array and array.name not in walk.names(stmt.value) | walk.names(stmt.index)


def box_of(index: Expr, array: Var, loops: list[For], lengths: Lengths) -> Box | None:
    """The elements that a subscript goes through, each once, as all the loops around it count."""
    kind = array.type
    assert isinstance(kind, Array)
    items = list(index.items) if isinstance(index, Tuple) else [index]
    if walk.is_const(items[0]) and items[0].value is ...:  # type: ignore[union-attr]
        items = []
    items += [Slice()] * (kind.ndim - len(items))
    counted = {loop.index: loop for loop in loops}
    spans = [_span(item, dim, counted, lengths) for item, dim in zip(items, kind.shape)]
    names = [(linear(item) or (None,))[0] for item in items if not isinstance(item, Slice)]
    if len(items) > kind.ndim or None in spans or sorted(n for n in names if n in counted) != sorted(counted):
        return None
    return tuple(span for span in spans if span is not None)


def _span(item: Expr, dim: Dim, loops: dict[str, For], lengths: Lengths) -> Span | None:
    if isinstance(item, Slice):
        lower = FIRST if item.lower is None else _bound(item.lower)
        upper = END if item.upper is None else _bound(item.upper)
        plain = item.step is None or walk.is_const(item.step, 1)
        return Span(lower, upper) if lower is not None and upper is not None and plain else None
    known = linear(item)
    if known is not None and known[0] in loops:
        loop = loops[known[0]]
        start, stop = place(loop.start, dim, lengths), place(loop.stop, dim, lengths)
        return None if start is None or stop is None or start.from_end else Span(start, stop).moved(known[1])
    found = place(item, dim, lengths)
    if found is not None and not found.from_end and found.number < 0:
        found = Place(-found.number, True)
    return None if found is None else Span(found, found.moved(1))


def _bound(expr: Expr) -> Place | None:
    match expr:
        case Const(int() as value) if type(value) is int:
            return Place(value) if value >= 0 else Place(-value, True)
    return None


def place(expr: Expr, dim: Dim, lengths: Lengths) -> Place | None:
    """Where a subscript is along an axis of this length, if the length tells it.

    >>> n = Var("n", INT)
    >>> place(Call(operator.sub, (n, Const(2, INT)), (), INT), "n", Lengths({}, frozenset("n")))
    Place(number=2, from_end=True)
    """
    match expr:
        case Const(int() as value) if type(value) is int:
            return Place(value)
        case Call(operator.sub | operator.add as fn, (whole, Const(int() as value))):
            found = place(whole, dim, lengths)
            return None if found is None else found.moved(value if fn is operator.add else -value)
    length = lengths.dim(expr)
    if length is None:
        return None
    (one, more), (two, offset) = split_offset(length), split_offset(dim)
    return Place(offset - more, True) if one == two and one is not None else None


def apart(box: Box, other: Box) -> bool:
    """Whether two boxes surely have no element in common, however long the axes are.

    >>> inner, last = (Span(Place(1), Place(1, True)),), (Span(Place(1, True), END),)
    >>> apart(inner, last), apart(last, (Span(FIRST, Place(1)),))
    (True, False)
    """
    return any(a.start.after(b.stop) or b.start.after(a.stop) for a, b in zip(box, other))


def covers(boxes: list[Box]) -> bool:
    """Whether boxes have all elements: one most of them, and others what it leaves.

    >>> inner, first, last = Span(Place(1), Place(1, True)), Span(FIRST, Place(1)), Span(Place(1, True), END)
    >>> covers([(inner,), (first,), (last,)]), covers([(inner,), (last,)])
    (True, False)
    """
    whole = [box for box in boxes if all(span.is_inner() for span in box)]
    return any(all(any(inside(part, other) for other in boxes) for part in rest(box)) for box in whole)
