"""unviewed: rows that an iteration takes of an array and reads or writes by elements, as elements of the array; part of
`blocks`.

``x = points[i]; s += x[0]`` becomes ``s += points[i, 0]``, so that no array stands in the iteration.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from srcad.analysis.contents import times_given
from srcad.analysis.live import Names
from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of, items_of
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Let, Slice, Stmt, Store, Tuple, Var
from srcad.lang.types import INT, Array, Scalar
from srcad.transforms.split import exposed

Items = tuple[Expr, ...]


def unviewed(loop: For, behind: Names, fresh: Callable[[str], str]) -> Block:
    """The body of a loop without names for rows, where only their elements are used, not `behind` the loop.

    >>> from srcad.lang.ir import Accum, Function
    >>> from srcad.lang.types import FLOAT
    >>> from srcad.lang.write import write
    >>> table, seen = Var("table", Array("float64", ("n", 3))), Var("seen", Array("int64", ("m",)))
    >>> row, i, s = Var("row", Array("float64", (3,))), Var("i", INT), Var("s", FLOAT)
    >>> number = Call(operator.getitem, (seen, i), (), INT)
    >>> taken = Let("row", Call(operator.getitem, (table, number), (), row.type))
    >>> body = (taken, Accum(s, Call(operator.getitem, (row, Const(1, INT)), (), FLOAT)))
    >>> loop = For("i", Const(0, INT), Var("m", INT), Const(1, INT), body)
    >>> print(write(Function("f", (), unviewed(loop, frozenset(), lambda name: name))).text, end="")
    def f():
        at = seen[i]
        s += table[at, 1]
    """
    views = _views(loop, behind)
    while views:
        writer = _Writer(set(views), walk.assigned(loop.body), fresh)
        body = writer.block(loop.body)
        if not writer.failed:
            return body
        views -= writer.failed
    return loop.body


def _views(loop: For, behind: Names) -> set[str]:
    """The names for rows that an iteration gives once, to arrays that it does not exchange."""
    counts = times_given(loop.body)
    early = exposed(loop.body)
    found = set()
    for stmt in walk.statements(loop.body):
        match stmt:
            case Let(target, Call(operator.getitem, (Var(base, Array()), index), (), Array())):
                steady = not counts[base] or counts[base] == 1 and base not in early
                if counts[target] == 1 and target not in early | behind and steady and _row(index):
                    found.add(target)
    return found


def _row(index: Expr) -> bool:
    """Whether a subscript is of integers and of slices that begin at a constant."""
    return all(_is_integer(item) or isinstance(item, Slice) and _first(item) is not None for item in items_of(index))


def _is_integer(item: Expr) -> bool:
    kind = getattr(item, "type", None)
    return isinstance(kind, Scalar) and kind.dtype == "int64"


def _is_basic(item: Expr) -> bool:
    return isinstance(item, Slice) or _is_integer(item)


def _first(item: Slice) -> int | None:
    """Where a slice without a step begins, from the front."""
    if not (item.step is None or walk.is_const(item.step, None)):
        return None
    match item.lower:
        case None | Const(None):
            return 0
        case Const(int() as first) if first >= 0:
            return first
    return None


@dataclass
class _Writer:
    views: set[str]
    assigned: set[str]  # in the loop
    fresh: Callable[[str], str]
    meant: dict[str, tuple[Var, Items]] = field(default_factory=dict)  # view -> array and subscripts
    failed: set[str] = field(default_factory=set)

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Let(target, Call(_, (Var() as base, index))) if target in self.views:
                    result += self.view(stmt, target, base, tuple(map(self.expr, items_of(index))))
                case Store(Var(name) as base, index, value) if name in self.views:
                    place = self.element(base, tuple(map(self.expr, items_of(index))))
                    value = self.expr(value)
                    if place is not None:
                        result.append(replace(stmt, base=place.args[0], index=place.args[1], value=value))
                case _:
                    result.append(walk.map_stmt(self.expr, stmt, self.block))
        return tuple(result)

    def view(self, stmt: Let, target: str, base: Var, items: Items) -> list[Stmt]:
        """Note what a view is of; its subscripts keep the values that they have."""
        before: list[Stmt] = []
        held: list[Expr] = []
        for item in items:
            if not isinstance(item, (Const, Slice)) and (walk.names(item) & self.assigned or not isinstance(item, Var)):
                name = self.fresh("at")
                before.append(Let(name, item, stmt.origin))
                item = Var(name, INT)
            held.append(item)
        found = self.within(base, tuple(held))
        if found is not None:
            self.meant[target] = found
        else:
            self.failed.add(target)
        return before

    def expr(self, expr: Expr) -> Expr:
        match expr:
            case Call(operator.getitem, (Var(name) as base, index), (), kind) if name in self.views:
                place = self.element(base, tuple(map(self.expr, items_of(index))))
                return expr if place is None else replace(place, type=kind)
            case Call(operator.getitem, (Attr(Var(name), "shape"), Const(int() as axis)), ()) if name in self.views:
                return self.length(name, axis) or expr
            case Var(name) if name in self.views:
                self.failed.add(name)
                return expr
            case Call(args=args, kwargs=kwargs):
                named = tuple((name, self.expr(value)) for name, value in kwargs)
                return replace(expr, args=tuple(map(self.expr, args)), kwargs=named)
            case Tuple(items):
                return replace(expr, items=tuple(map(self.expr, items)))
            case Attr(value):
                return replace(expr, value=self.expr(value))
            case Slice(lower, upper, step):
                return Slice(*(None if e is None else self.expr(e) for e in (lower, upper, step)))
        return expr

    def element(self, base: Var, items: Items) -> Call | None:
        """Elements of a view as those of the array."""
        found = self.within(base, items)
        whole = all(map(_is_integer, items)) and len(items) == base.type.ndim  # type: ignore[attr-defined]
        if found is None or not (whole or self.is_row(base) and all(map(_is_basic, items))):
            self.failed.add(base.name)
            return None
        array, places = found
        return Call(operator.getitem, (array, index_of(places)))

    def is_row(self, base: Var) -> bool:
        """Whether all that a view leaves out of an array are its first subscripts."""
        return not any(isinstance(item, Slice) for item in self.meant[base.name][1])

    def within(self, base: Var, items: Items) -> tuple[Var, Items] | None:
        """What subscripts of a view, or of an array, are as those of the array."""
        if base.name not in self.views:
            return base, items
        if base.name not in self.meant:
            return None
        array, outer = self.meant[base.name]
        left = list(items)
        places: list[Expr] = []
        for item in outer:
            if not isinstance(item, Slice):
                places.append(item)
            elif not left:
                return None
            elif (place := _shifted(item, left.pop(0))) is None:
                return None
            else:
                places.append(place)
        return array, (*places, *left)

    def length(self, name: str, axis: int) -> Expr | None:
        """The length of a row, as that of the array."""
        if name not in self.meant or axis < 0:
            return None
        array, items = self.meant[name]
        if any(isinstance(item, Slice) for item in items):
            return None
        return axis_length(array, axis + len(items))


def _shifted(outer: Slice, item: Expr) -> Expr | None:
    """The place in an array of what a slice has in this place."""
    whole = outer.upper is None or walk.is_const(outer.upper, None)
    first = _first(outer)
    match item:
        case Const(int() as place) if place >= 0 and first is not None:
            return Const(first + place, INT)
        case _ if whole and first == 0:
            return item
    return None
