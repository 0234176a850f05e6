"""What statements read of small arrays, and the names that their elements get; part of `scalars`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import Buffers
from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Const, Expr, If, Let, Move, Slice, Stmt, Var, is_temporary, select
from srcad.lang.origin import Origin
from srcad.lang.types import FLOAT, INT, UNKNOWN, Array, Scalar
from srcad.transforms.cells import (
    Cells, array_of, as_element, element_index, folded, is_small, objects, sizes, static_index,
)  # fmt: skip
from srcad.transforms.infer import typed


@dataclass
class Readings:
    """`chosen` are the arrays whose elements get names; those that it does not work for are `failed`."""

    chosen: set[str]
    memory: Buffers
    fresh: Callable[[str], str]
    flags: set[str]
    moved: set[str]  # the names that branches join or loops carry
    cells: Cells
    names: dict[str, Expr] = field(default_factory=dict)  # what stands for a name
    failed: set[str] = field(default_factory=set)
    used: set[int] = field(default_factory=set)  # cells that are read one by one
    known: dict[tuple[str, Expr], Expr] = field(default_factory=dict)  # elements of other arrays that have been read
    copies: dict[str, str] = field(default_factory=dict)  # name in a later iteration that is written out -> name
    better: dict[str, str] = field(default_factory=dict)  # intermediate value -> the element that it is
    out: list[Stmt] = field(default_factory=list)
    origin: Origin = field(default_factory=Origin)
    depth: int = 0

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr) -> Expr:
        """An expression with what is known of elements, lengths and counters."""
        return walk.map_expr(self.node, expr)

    def node(self, expr: Expr) -> Expr:
        match expr:
            case Var(name) if name in self.names:
                return self.names[name]
            case Call(operator.getitem, (Attr(Var(_, Array(_, shape)), "shape"), Const(int() as k)), ()):
                return Const(shape[k], INT) if -len(shape) <= k < len(shape) and isinstance(shape[k], int) else expr
            case Call(operator.getitem, (Var(name), index), (), Scalar()) if self.is_cells(name):
                return self.element(name, index) or expr
            case Call(fn, (Var(name, Array(_, (int() as length, *_))),), ()) if fn is len:
                return Const(length, INT)
            case Call():
                return folded(expr)
        return expr

    def is_cells(self, name: str) -> bool:
        return name in self.cells.numbers and name not in self.failed

    def element(self, name: str, index: Expr) -> Expr | None:
        """One element of an array."""
        places = self.places(name, index)
        if places is None or places.shape:
            self.fail(name)
            return None
        held = self.cells.now.get(int(places))
        self.used.add(int(places))
        if held is None:
            self.fail(name)
        return held

    def places(self, name: str, index: Expr) -> np.ndarray | None:
        """The cells behind a subscript."""
        found = static_index(index)
        if found is None:
            return None
        try:
            return np.asarray(self.cells.numbers[name][found])
        except IndexError:
            return None

    def fail(self, name: str) -> None:
        """Leave an array, and whatever shares its memory, as it is."""
        self.failed.add(name)
        if name in self.cells.numbers:
            self.failed.update(self.cells.owners(self.cells.numbers[name]))

    def fail_all(self, expr: Expr) -> None:
        """Leave the arrays in an expression as they are."""
        for name in sorted(walk.names(expr)):
            if self.is_cells(name):
                self.fail(name)

    # ------------------------------------------------------------ elements

    def elements(self, expr: Expr) -> np.ndarray | None:
        """The elements of an array, or a number as the only one, each as a name or a constant."""
        match expr:
            case Var(name) if self.is_cells(name):
                self.used.update(self.cells.numbers[name].flat)
                values = self.cells.values(name)
                if values is None:
                    self.fail(name)
                return values
            case Var(name, Array() as kind) if is_small(kind):
                places = list(np.ndindex(*sizes(kind)))
                return objects([self.outside(expr, place) for place in places], sizes(kind))
            case Const(np.ndarray() as value, Array() as kind) if is_small(kind):
                places = list(np.ndindex(*value.shape))
                return objects([self.outside(expr, place) for place in places], value.shape)
            case Var(_, Scalar()) | Const(_, Scalar()):
                return objects([expr], ())
        return None

    def outside(self, base: Expr, place: tuple[int, ...]) -> Expr:
        """An element of an array that stays one."""
        base, place = self.viewed(base, place)
        index = element_index(place)
        value = Call(operator.getitem, (base, index), (), Scalar(base.type.dtype))  # type: ignore[union-attr]
        if not isinstance(base, Var):
            return self.emit(value)
        key = (base.name, index)
        if key in self.known:
            return self.known[key]
        found = self.emit(value)
        if not self.memory.mutated(base.name):
            self.known[key] = found
        return found

    def viewed(self, base: Expr, place: tuple[int, ...]) -> tuple[Expr, tuple[int, ...]]:
        """An element of a slice or of a transposed matrix as that of the array that it is a view of."""
        while isinstance(base, Var) and isinstance(view := self.memory.views.get(base.name), Call) and not view.kwargs:
            match view.fn, view.args:
                case operator.getitem, (Var(_, Array(_, (_,))) as whole, Slice(lower, _, None)) if (
                    lower is None or isinstance(lower, Const) and (lower.value or 0) >= 0
                ):
                    there: tuple[int, ...] = (place[0] + (lower.value or 0 if lower is not None else 0),)
                case np.transpose, (Var(_, Array()) as whole,):
                    there = place[::-1]
                case _:
                    break
            if whole.name in self.moved or self.names.get(whole.name, whole) != whole:
                break
            base, place = whole, there
        return base, place

    def emit(self, value: Expr, name: str = "_t") -> Expr:
        """A name for a value."""
        if isinstance(value, (Var, Const)):
            return value
        value = value if getattr(value, "type", UNKNOWN) != UNKNOWN else typed(value)
        target = self.fresh(name)
        if isinstance(value, Call) and value.fn is select and any(isinstance(arg, Call) for arg in value.args[1:]):
            return self.chosen_of(target, value)
        self.out.append(Let(target, value, self.origin))
        return Var(target, value.type)  # type: ignore[union-attr]

    def chosen_of(self, target: str, value: Call) -> Expr:
        """``a if test else b``, of which only one is computed."""
        test = self.emit(value.args[0], "_c")
        sides = []
        for side in value.args[1:]:
            outer, self.out = self.out, []
            given = self.emit(side)
            sides.append((*self.out, Move((target,), (given,), self.origin)))
            self.out = outer
        self.out.append(If(test, sides[0], sides[1], self.origin))
        return Var(target, value.type)

    def hold(self, cell: int, value: Expr, dtype: str) -> bool:
        """Give a cell a value; whether that is known how."""
        value = strong(value)
        found = as_element(value, dtype)
        if found is None or dtype == "int64" and not isinstance(found, Const):
            return False
        label = self.cells.labels[cell]
        if isinstance(found, Var) and is_temporary(found.name) and label != "_t" and found.name not in self.better:
            self.better[found.name] = self.fresh(label)
        self.cells.now[cell] = self.emit(found, label)
        return True

    # ------------------------------------------------------------ whole arrays

    def whole(self, expr: Expr) -> Expr:
        """An expression in which small arrays are put together again."""
        expr = self.expr(expr)
        return walk.map_expr(self.put_together, expr) if self.reads_cells(expr) else expr

    def reads_cells(self, expr: Expr) -> bool:
        return any(self.is_cells(name) for name in walk.names(expr))

    def put_together(self, expr: Expr) -> Expr:
        if not isinstance(expr, Var) or not self.is_cells(expr.name):
            return expr
        numbers = self.cells.numbers[expr.name]
        values = self.cells.values(expr.name)
        deeper = min(self.cells.depths[k] for k in numbers.flat) < self.depth  # made once, it would be made many times
        if values is None or expr.type.dtype != "float64" or deeper:  # type: ignore[union-attr, attr-defined]
            self.fail(expr.name)
            return expr
        return self.emit(array_of(values))


def strong(value: Expr) -> Expr:
    """A number as NumPy computes it, who gives infinity where Python raises."""
    if not isinstance(value, Call):
        return value
    found = typed(value)
    return replace(found, type=Scalar("float64")) if found.type == FLOAT else found  # type: ignore[union-attr, arg-type]
