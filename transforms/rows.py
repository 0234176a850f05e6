"""rows: array statements that go through the same rows, and reduce them, become one loop. For machine code only.

``d = np.sum((x[:, None, :] - c[None]) ** 2, axis=2)`` makes three arrays with an element for each triple, and
``np.min(d, axis=1)`` reads one more. One row at a time, they are as large as a row, and `elementwise`, which comes
behind, makes numbers of what is left.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from srcad.analysis.buffers import rebound
from srcad.analysis.bounds import Bounds
from srcad.analysis.contents import content_names
from srcad.analysis.live import Names, live
from srcad.analysis.pairs import Pairs
from srcad.analysis.regions import Regions
from srcad.lang import walk
from srcad.lang.arrays import axis_length
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, Function, Let, Return, Stmt, Store, Var
from srcad.lang.types import INT, Array, Dim, Scalar
from srcad.runtime import sum_to
from srcad.transforms.elements import computes, costly, operands
from srcad.transforms.elementwise import WINDOW, delayed, is_light, is_list, is_part
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed
from srcad.transforms.means import as_sum, per_element
from srcad.transforms.passing import Facts, Other, inside, other
from srcad.transforms.row import axes_of, is_extreme, is_reduction
from srcad.transforms.row_loops import Group, Loop, is_consistent
from srcad.transforms.rowwise import (
    Row, added_to_twice, done_by_row, is_filled, is_row, sums_into, sums_rows, without_ones, without_unread,
)  # fmt: skip


def rows(fn: Function) -> Function:
    """Write array statements as loops over rows, where rows are reduced.

    >>> from srcad.lang.ir import Const, Param
    >>> from srcad.lang.types import FLOAT, INT
    >>> x = Var("x", Array("float64", ("n", "m"), "C"))
    >>> square = Call(operator.mul, (x, x), (), x.type)
    >>> norms = Call(np.sum, (square,), (("axis", Const(1, INT)),), Array("float64", ("n",), "C"))
    >>> total = Call(np.sum, (Call(np.sqrt, (Var("s", norms.type),), (), norms.type),), (), FLOAT)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = Function("f", (Param("x", x.type),), (Let("s", norms), Return(total)))
    >>> print(write(name(rows(fn))).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        sum_sqrt_s = 0.0
        for i in range(x.shape[0]):
            s = np.sum(x[i] * x[i])
            sum_sqrt_s += np.sqrt(s)
        return sum_sqrt_s
    """
    if not any(_reduces(e) for s in walk.statements(fn.body) for whole in walk.stmt_exprs(s)
               for e in walk.subexprs(whole)):  # fmt: skip
        return fn
    assigned = walk.assigned(fn.body)
    used = {p.name for p in fn.params} | assigned
    lists = frozenset(n for s in walk.statements(fn.body) if is_list(s) for n in walk.targets(s))
    lengths = {dim: axis_length(Var(p.name, p.type), axis) for p in reversed(fn.params) if isinstance(p.type, Array)
               and p.name not in assigned for axis, dim in enumerate(p.type.shape)}
    known = Regions(lists=lists, bounds=Bounds.of(fn))
    weaver = _Weaver(Facts(Pairs.of(fn.body)), fresh_names(used), lists, lengths)
    return replace(fn, body=without_unread(weaver.block(fn.body, frozenset(), known)))


def _reduces(expr: Expr) -> bool:
    return isinstance(expr, Call) and is_reduction(expr) and bool(axes_of(expr))


@dataclass
class _Weaver:
    facts: Facts
    fresh: Callable[[str], str]
    lists: frozenset[str]  # names of what is no array: records that are lists of arrays
    lengths: dict[Dim, Call]  # what arguments tell

    def block(self, block: Block, after: Names, regions: Regions) -> Block:
        """A block with loops over rows; `after` is read behind it."""
        lines = _Lines(self.facts, self.fresh, regions, self.lengths)
        inner: list[Stmt] = []
        split: list[Other] = []
        for stmt, behind in zip(block, live(block, after)):
            inner.append(inside(stmt, behind, regions, self.block))
            split += lines.of(inner[-1])
        split = _read(split, after)
        late = {id(item) for item in split if is_filled(item)}  # statements that stand best before what reads them
        apart = added_to_twice(split)  # statements for which no loop is worth it
        while any(isinstance(item, Row) and id(item) not in apart for item in split):
            items: list[Group | Other] = []
            for item in delayed(split, late, self.facts):
                self.place(item, items, apart)
            found = self.written(items, after, apart, late)
            if found is not None:
                return found
        return tuple(inner)

    def place(self, item: Other, items: list[Group | Other], apart: set[int]) -> None:
        """Put a statement into the latest loop that it can reach, and light ones before loops that they can pass."""
        best = len(items)
        by_row = isinstance(item, Row) and id(item) not in apart
        light = _is_number(item.stmt) or is_light(item.stmt) and (not by_row or is_filled(item))
        for position in range(len(items) - 1, max(-1, len(items) - WINDOW), -1):
            found = items[position]
            if isinstance(found, Group) and by_row and found.takes(item, self.facts):  # type: ignore[arg-type]
                found.add(item)  # type: ignore[arg-type]
                return
            if not self.facts.commute(found, item):
                break
            if isinstance(found, Group) and light:
                best = position
        items.insert(best, Group.of(item) if by_row else item)  # type: ignore[arg-type]

    def written(self, items: list[Group | Other], after: Names, apart: set[int], late: set[int]) -> Block | None:
        """The statements and loops; None if some had better stand `apart`, or `late`."""
        behind = live(tuple(stmt for item in items for stmt in item.stmts), after)
        result: list[Stmt] = []
        position, known = 0, (set(apart), set(late))
        for item in items:
            position += len(item.stmts)
            loop = None
            if isinstance(item, Group):
                loop = self.loop(item, behind[position - 1]) if item.gains() else None
                idle = set() if loop else set(map(id, item.rows[:1] if item.gains_later(items) else item.rows))
                waiting = {id(row) for row in item.rows if isinstance(row.stmt, Let)} & idle - late
                apart |= idle - waiting
                late |= waiting
            result += loop or item.stmts
        return tuple(result) if (apart, late) == known else None

    def loop(self, group: Group, behind: Names) -> Block | None:
        """A loop over rows, in which rows may be such arrays again."""
        written = Loop(group, behind, self.fresh).written()
        if written is None:
            return None
        for stmt in walk.statements(written):
            self.facts.pairs.add(stmt)
        *before, loop = written
        return (*before, inside(loop, behind, Regions(lists=self.lists), self.block))


def _is_number(stmt: Stmt) -> bool:
    """Whether a statement computes a number, which takes no room wherever that is done."""
    return isinstance(stmt, Let) and isinstance(getattr(stmt.value, "type", None), Scalar)


@dataclass
class _Lines:
    """Takes statements apart, one after the other."""

    facts: Facts
    fresh: Callable[[str], str]
    regions: Regions
    lengths: dict[Dim, Call]
    made: set[str] = field(default_factory=set)  # arrays that loops may make
    views: dict[str, Expr] = field(default_factory=dict)  # what parts of these are called

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
        if isinstance(stmt, Let) and _is_own_part(stmt.value) and stmt.target not in walk.names(stmt.value):
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
        if not self.views or isinstance(stmt, Let) and _is_own_part(stmt.value):
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
        if isinstance(stmt, Let) and sums_rows(stmt.value) or isinstance(stmt, Accum) and _is_sum(stmt):
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
        if self.regions.of(value) is not None:
            return value
        if isinstance(value, Call) and value.fn is operator.getitem and isinstance(value.args[0], Call):
            base = self.named(value.args[0], stmt, before)
            return replace(value, args=(base, value.args[1]))
        return self.named(value, stmt, before)


def _read(split: list[Other], after: Names) -> list[Other]:
    """The statements without names for parts of arrays that nobody reads any more."""
    pairs = zip(split, live(tuple(item.stmt for item in split), after))
    return [item for item, behind in pairs if not (isinstance(stmt := item.stmt, Let)
            and _is_own_part(stmt.value) and stmt.target not in behind)]  # fmt: skip


def _adds_axis(part: Expr) -> bool:
    """Whether a part of an array has an axis of one more: its rows are better taken of the array."""
    return any(isinstance(e, Const) and e.value is None for e in walk.subexprs(part))


def _uncopied(value: Expr) -> Expr:
    """A sum along axes, of which a copy would be taken: it is new already."""
    match value:
        case Call(np.copy, (Call() as inner,), ()) if is_reduction(inner) and axes_of(inner):
            return inner
    return value


def _is_sum(stmt: Accum) -> bool:
    """Whether rows are added to what is of their sum's shape, or all elements to a number."""
    return sums_into(stmt.target, stmt.value) or sums_rows(stmt.value) and not _is_array(stmt.value)


def _is_array(value: Expr) -> bool:
    return isinstance(getattr(value, "type", None), Array)


def _is_own_part(value: Expr) -> bool:
    return isinstance(value, Call) and is_part(value) and isinstance(value.args[0], Var)
