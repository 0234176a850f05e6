"""turned: a function with some of its matrices kept by columns; part of `upright`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of, is_ellipsis, items_of, new_array, tuple_of_ints
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Let, Return, Slice, Stmt, Store, Tuple, Var, While
from srcad.lang.types import Array, Scalar
from srcad.runtime import transposed
from srcad.transforms.short import counts

DOWN, ALONG = "down", "along"
ALIKE = {np.zeros_like: np.zeros, np.empty_like: np.empty}
ARITHMETIC = {operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg}


@dataclass(frozen=True)
class Place:
    """How many loops there are around a statement, and which names change in the innermost one."""

    depth: int = 0
    varying: frozenset[str] = frozenset()

    def inside(self, stmt: Stmt) -> Place:
        if not isinstance(stmt, (For, While)) or isinstance(stmt, For) and counts(stmt):
            return self  # a short loop is written out
        names = {stmt.index} if isinstance(stmt, For) else set()
        for each in walk.statements(stmt.body):
            if isinstance(each, Let) and walk.names(each.value) & names:
                names.add(each.target)
        in_blocks = isinstance(stmt, For) and not (walk.is_const(stmt.step, 1) or walk.is_const(stmt.step, -1))
        return Place(self.depth + (not in_blocks), frozenset(names))

    def way(self, index: Expr) -> str:
        """How the innermost loop goes through a matrix by a subscript."""
        items = items_of(index)
        if len(items) == 1:
            return ALONG
        one, other = (isinstance(e, Slice) or bool(walk.names(e) & self.varying) for e in items)
        return "" if one == other else DOWN if one else ALONG


def is_computed(value: Expr) -> bool:
    """Whether a value is a new array, computed element by element."""
    match value:
        case Call(fn, args, ()) if isinstance(value.type, Array):
            return fn in ARITHMETIC or isinstance(fn, np.ufunc) and fn.signature is None and len(args) == fn.nin
    return False


def is_number(index: Expr) -> bool:
    kind = getattr(index, "type", None)
    return isinstance(kind, Scalar) and kind.dtype.startswith(("int", "uint"))


def is_element(index: Expr) -> bool:
    """Whether a subscript of a matrix is that of an element."""
    items = items_of(index)
    return len(items) == 2 and all(map(is_number, items))


def is_line(index: Expr) -> bool:
    """Whether a subscript of a matrix is that of a row or a column, or of a part of one."""
    numbers = [is_number(item) for item in items_of(index)]
    slices = [isinstance(item, Slice) for item in items_of(index)]
    return sum(numbers) == 1 and sum(slices) == len(slices) - 1 and len(slices) < 3


def is_rectangle(index: Expr) -> bool:
    return is_ellipsis(index) or len(items_of(index)) < 3 and all(isinstance(item, Slice) for item in items_of(index))


@dataclass(frozen=True)
class Turned:
    """A matrix, or a record of such, and what has its columns for rows; what was `given` stays where it is."""

    name: str
    kind: Array
    columns: Var
    given: bool

    def lengths(self) -> tuple[Expr, ...]:
        """The lengths of what is turned."""
        return in_columns(tuple(axis_length(self.columns, axis) for axis in range(self.kind.ndim)))


def in_columns(items: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """What is said of each axis, for columns in place of rows."""
    return (*items[:-2], items[-1], items[-2])


@dataclass
class Turner:
    """Writes statements with the columns in place of their matrices."""

    turned: dict[str, Turned]

    def function(self, body: Block) -> Block:
        waiting = [one for one in self.turned.values() if one.given]
        result: list[Stmt] = []
        for stmt in body:
            new = self.statement(stmt, Place())
            mentioned = walk.mentioned((new,))
            for one in waiting:
                if one.columns.name in mentioned:
                    value = Call(transposed, (Var(one.name, one.kind),), (), one.columns.type)
                    result.append(Let(one.columns.name, value, stmt.origin))
            waiting = [one for one in waiting if one.columns.name not in mentioned]
            result.append(new)
        return tuple(result)

    def statement(self, stmt: Stmt, place: Place) -> Stmt:
        match stmt:
            case Let(target, Call() as made) if target in self.turned:
                one = self.turned[target]
                return replace(stmt, target=one.columns.name, value=self.made(one, made, place))
            case Store(Var(name, Array(shape=(_, _, _))), index, Var(other)) if name in self.turned:
                return replace(stmt, base=self.turned[name].columns, index=self.expr(index, place),
                               value=self.turned[other].columns)  # fmt: skip
            case Store(Var(name), index, value) if name in self.turned:
                return replace(stmt, base=self.turned[name].columns, index=self.index(index, place),
                               value=self.expr(value, place))  # fmt: skip
            case Return(value):
                return replace(stmt, value=self.result(value, place))
        inner = place.inside(stmt)
        return walk.map_stmt(lambda e: self.expr(e, place), stmt,
                             lambda block: tuple(self.statement(each, inner) for each in block))  # fmt: skip

    def made(self, one: Turned, value: Call, place: Place) -> Call:
        """What makes the columns, as the array was made; or where a record has them."""
        source = value.args[0]
        if is_computed(value):
            return Call(transposed, (self.expr(value, place),), (), one.columns.type)
        if value.fn is operator.getitem:
            assert isinstance(source, Var)
            record = self.turned[source.name].columns
            return replace(value, args=(record, self.expr(value.args[1], place)), type=one.columns.type)
        if value.fn is np.copy and isinstance(source, Var) and self.is_gone(source.name):
            return Call(np.copy, (self.turned[source.name].columns,), (), one.columns.type)
        if value.fn is np.copy:
            return Call(transposed, (source,), (), one.columns.type)
        if isinstance(source, Tuple):
            lengths = tuple(self.expr(item, Place()) for item in source.items)
        else:
            assert isinstance(source, Var)
            gone = self.is_gone(source.name)
            lengths = self.turned[source.name].lengths() if gone else tuple(axis_length(source, k) for k in (0, 1))
        return new_array(ALIKE.get(value.fn, value.fn), tuple_of_ints(in_columns(lengths)), one.columns.type)

    def result(self, value: Expr, place: Place) -> Expr:
        if isinstance(value, Tuple):
            return replace(value, items=tuple(self.result(item, place) for item in value.items))
        if isinstance(value, Var) and self.is_gone(value.name):
            one = self.turned[value.name]
            return Call(transposed, (one.columns,), (), one.kind)
        return self.expr(value, place)

    def expr(self, expr: Expr, place: Place) -> Expr:
        match expr:
            case Call(operator.getitem, (Var(name), index)) if self.is_read_so(name, index, place):
                return replace(expr, args=(self.turned[name].columns, self.index(index, place)))
            case Call(operator.getitem, (Attr(Var(name), "shape"), Const(axis))) if self.is_gone(name):
                return self.turned[name].lengths()[axis]
            case Call(fn, (Var(name),)) if fn in ALIKE and self.is_gone(name):
                return new_array(ALIKE[fn], tuple_of_ints(self.turned[name].lengths()), expr.type)
            case Call(np.copy, (Var() as source,)) if self.is_gone(source.name):
                return self.expr(source, place)
            case Var(name) if self.is_gone(name):
                return Call(transposed, (self.turned[name].columns,), (), expr.type)
            case Call() | Tuple() | Attr() | Slice():
                return _with_parts(expr, lambda part: self.expr(part, place))
        return expr

    def is_gone(self, name: str) -> bool:
        return name in self.turned and not self.turned[name].given

    def is_read_so(self, name: str, index: Expr, place: Place) -> bool:
        """Whether what is read by a subscript is read from the columns."""
        if name not in self.turned or not self.turned[name].given:
            return name in self.turned
        return (is_element(index) or is_line(index)) and place.way(index) != ALONG

    def index(self, index: Expr, place: Place) -> Expr:
        """A subscript of the columns."""
        if is_ellipsis(index):
            return index
        if len(items := items_of(index)) == 3:
            return index_of(in_columns(tuple(self.expr(item, place) for item in items)))
        one, *other = (self.expr(item, place) for item in items)
        return other[0] if other and one == Slice() else index_of((*(other or (Slice(),)), one))


def _with_parts(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """An expression with other parts."""
    match expr:
        case Call(fn, args, kwargs, kind):
            return Call(fn, tuple(map(change, args)), tuple((name, change(value)) for name, value in kwargs), kind)
        case Tuple(items, kind):
            return Tuple(tuple(map(change, items)), kind)
        case Attr(value, name, kind):
            return Attr(change(value), name, kind)
        case Slice(lower, upper, step):
            return Slice(*(None if bound is None else change(bound) for bound in (lower, upper, step)))
    return expr
