"""touched: of an array that a loop changes, the part that an iteration touches, which is all that it records; part of
`tape`.

An iteration that knows ``p`` as ``p[i, ...]`` alone, `i` being its own index or something that the loop does not
change, replays on that row: a record of all rows takes what the array takes, and one of the whole array in each
iteration would take that many times as much.
"""

from __future__ import annotations

import operator
from collections.abc import Set
from dataclasses import dataclass

from srcad.analysis.affine import plus
from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of, items_of
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Slice, Stmt, Store, Var, While
from srcad.lang.types import INT, Array, Scalar
from srcad.transforms.integers import is_integer
from srcad.transforms.own_elements import least_index, subscripts

ZERO, ONE, ALL = Const(0, INT), Const(1, INT), Slice(None, None, None)


@dataclass(frozen=True)
class Part:
    """What an iteration knows of an array: what is at one index along some axes; None stands for all of an axis."""

    items: tuple[Expr | None, ...]
    number: bool = False  # a single element is a number, and not a vector of one

    @property
    def subscript(self) -> Expr:
        """Where the part is."""
        *others, last = self.items
        if self.number:
            return index_of([item or ALL for item in self.items])
        if None in self.items:
            kept = max(axis for axis, item in enumerate(self.items) if item is not None)
            return index_of([item or ALL for item in self.items[: kept + 1]])
        assert last is not None
        return index_of([*(item or ALL for item in others), Slice(last, plus(last, ONE), None)])

    def shape(self, lengths: list) -> list:
        """What of the lengths of the array are those of the part."""
        return [length for length, item in zip(lengths, self.items) if item is None]

    def type(self, kind: Array) -> Array | Scalar:
        if self.number:
            return Scalar(kind.dtype)
        return Array(kind.dtype, tuple(self.shape(list(kind.shape))) or (1,), "C")

    def lengths(self, array: Var) -> list[Expr]:
        lengths = self.shape([axis_length(array, axis) for axis in range(len(self.items))])
        return lengths or ([] if self.number else [ONE])

    def within(self, items: tuple[Expr, ...]) -> Expr:
        """The subscript of an element or a slice of the array, in the part."""
        if None not in self.items:
            return ZERO
        left = [item for axis, item in enumerate(items) if self.items[axis] is None]
        return ALL if all(item == ALL for item in left) else index_of(left)


def part_of(code: Block, array: str, kind: Array, loop: For | While, changing: Set[str] = frozenset()) -> Part | None:
    """The part of an array that the code of an iteration touches, if it is known and not all of it; what is `changing`
    has other values when the iteration begins.

    >>> from srcad.lang.ir import Let
    >>> p, i, j = Var("p", Array("float64", ("m", "n"), "C")), Var("i", INT), Var("j", INT)
    >>> loop = For("i", ZERO, Var("m", INT), ONE, (Let("j", Var("k", INT)),))
    >>> element = lambda *at: Call(operator.getitem, (p, index_of(at)))
    >>> code = (Let("j", Var("k", INT)), Let("v", element(i, j)), Store(p, index_of((i, ZERO)), Const(0.0)))
    >>> part_of(code, "p", p.type, loop)
    Part(items=(Var(name='i', type=Scalar(dtype='int64', weak=True)), None), number=False)
    >>> part_of((*code, Let("w", element(j, i))), "p", p.type, loop) is None
    True
    """
    if kind.layout != "C":
        return None
    places = [place for stmt in walk.statements(code) for place in subscripts(stmt, array)]
    every = [e for s in walk.statements(code) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)]
    lengths = sum(isinstance(e, Attr) and e.name == "shape" and _is(e.value, array) for e in every)
    known = [items_of(place) for place in places if place is not None]
    if not known or len(known) + lengths != len(places) or not all(map(_plain, known)):
        return None
    changing = walk.assigned(code) | changing
    items = [_fixed(axis, known, changing) for axis in range(kind.ndim)]
    if None not in items and not _counts_from_zero(items[-1], loop):
        items[-1] = None
    return Part(tuple(items)) if any(item is not None for item in items) else None


def part_at(places: list[Expr], kind: Array, changing: Set[str]) -> Part | None:
    """The part of an array that has all these subscripts in it, if it is known and not all of it."""
    known = list(map(items_of, places))
    if kind.layout != "C" or not known or not all(map(_plain, known)):
        return None
    items = tuple(_fixed(axis, known, changing) for axis in range(kind.ndim))
    return Part(items, None not in items) if any(item is not None for item in items) else None


def narrowed(code: Block, array: Var, part: Part, whole: Var) -> Block:
    """The code of an iteration, with the part for the array, whose lengths are those of `whole`."""
    assert isinstance(array.type, Array)
    own = Var(array.name, part.type(array.type))

    def inside(expr: Expr) -> Expr:
        match expr:
            case Call(operator.getitem, (Var(name), index), kwargs, kind) if name == array.name:
                within = part.within(items_of(index))
                return own if within is ALL else Call(operator.getitem, (own, within), kwargs, kind)
            case Attr(Var(name), "shape", kind) if name == array.name:
                return Attr(whole, "shape", kind)
        return expr

    def stored(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Store) and _is(stmt.base, array.name):
            index = part.within(items_of(walk.map_expr(inside, stmt.index)))
            return Store(own, index, walk.map_expr(inside, stmt.value), stmt.origin, stmt.inside)
        return walk.map_stmt(lambda e: walk.map_expr(inside, e), stmt, lambda block: tuple(map(stored, block)))

    return tuple(map(stored, code))


def _plain(items: tuple[Expr, ...]) -> bool:
    """Whether a subscript has but integers and slices, so that each item is for an axis."""
    return all(isinstance(item, Slice) or is_integer(item.type) for item in items)


def _fixed(axis: int, known: list[tuple[Expr, ...]], changing: Set[str]) -> Expr | None:
    """The index that all subscripts have along an axis, if it is one number in an iteration."""
    items = {items[axis] if len(items) > axis else None for items in known}
    item = items.pop()
    if items or not isinstance(item, (Var, Const)) or walk.names(item) & changing:
        return None
    return item


def _counts_from_zero(item: Expr | None, loop: For | While) -> bool:
    match item:
        case Const(value):
            return isinstance(value, int) and value >= 0
        case Var(name) if isinstance(loop, For) and loop.index == name:
            least = least_index(loop)
            return least is not None and least >= 0
    return False


def _is(expr: Expr | None, name: str) -> bool:
    return isinstance(expr, Var) and expr.name == name


def is_there(part: Part, array: str, kind: Array, loop: For | While) -> bool:
    """Whether a part surely is one of the array in each iteration, so that it may be read before it is asked for."""
    direct = [place for stmt in loop.body if not walk.blocks(stmt) for place in subscripts(stmt, array)]
    if any(_asks_for(place, part) for place in direct if place is not None):
        return True
    least = least_index(loop)
    if not isinstance(loop, For) or least is None or least < 0 or not walk.is_const(loop.step, 1):
        return False
    match loop.stop:
        case Call(operator.getitem, (Attr(Var(_, Array(shape=shape)), "shape"), Const(int() as axis))):
            own = [(item, dim) for item, dim in zip(part.items, kind.shape) if item is not None]
            return all(_is(item, loop.index) and dim == shape[axis] for item, dim in own)
    return False


def _asks_for(place: Expr, part: Part) -> bool:
    """Whether a subscript has the indices of a part."""
    items = items_of(place)
    return all(item is None or k < len(items) and items[k] == item for k, item in enumerate(part.items))
