"""Lists and tuples of slices, ``places[axis] = slice(1, None)``; part of `inline`.

An array cannot hold slices, so that all of them have to be known: short loops that collect slices are written out, and
the value of an argument that says where one of them stands is asked for.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from srcad.lang import walk
from srcad.lang.errors import Problem, ValueNeeded
from srcad.lang.forms import REFUSED, LocalFunction
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Method, Slice, Stmt, Store, Tuple, Var, select
from srcad.lang.types import Scalar, Type
from srcad.transforms.calls import folded_number
from srcad.transforms.containers import Objects
from srcad.transforms.lengths import Grown
from srcad.transforms.order import assigned
from srcad.transforms.over_structures import trips_of
from srcad.transforms.rounds import Rounds

_MOST = 8  # iterations of a loop that is written out for its slices
_HOLDING = (operator.mul, operator.add, operator.getitem, list, tuple)


class Sliced(Rounds):
    """Knows which lists hold slices, and the whole numbers under names that say where."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.of_slices: set[str] = set()
        self.whole_numbers: dict[str, int] = {}
        self.askable: set[str] = set()  # the whole numbers among the arguments

    def take_numbers(self, fn: Function, signature: tuple[Type, ...]) -> None:
        """Note the arguments that are whole numbers, which nobody changes."""
        whole = {p.name for p, type in zip(fn.params, signature) if isinstance(type, Scalar) and "int" in type.dtype}
        self.askable |= whole - assigned(fn.body)

    def let(self, target: str, value: Expr | None) -> None:
        self.whole_numbers.pop(target, None)
        holds = value is not None and self.holds_slices(value)
        super().let(target, value)
        if isinstance(value, Const) and type(value.value) is int:
            self.whole_numbers[target] = value.value
        (self.of_slices.add if holds else self.of_slices.discard)(target)

    def stored(self, name: str, expr: Expr) -> Var:
        if self.holds_slices(expr):
            self.of_slices.add(name)
        return super().stored(name, expr)

    def collect(self, work: Callable[[], Any]) -> tuple[list[Stmt], Any]:
        self.whole_numbers.clear()  # of which other paths may know nothing
        found = super().collect(work)
        self.whole_numbers.clear()
        return found

    def back(self, state: tuple[Any, ...]) -> None:
        super().back(state)
        self.whole_numbers.clear()

    def forget_texts(self, body: Block) -> None:
        super().forget_texts(body)
        self.whole_numbers.clear()

    def holds_slices(self, value: Expr) -> bool:
        """Whether a value is a slice, or a list or a tuple with slices in it, or made of one."""
        match value:
            case Tuple(items):
                return any(_is_slice(item) or self.holds_slices(item) for item in items)
            case Var(name):
                return name in self.of_slices
            case Call(fn, args) if fn in _HOLDING or fn == Method("copy"):
                return any(map(self.holds_slices, args[: 1 + (fn is not operator.getitem)]))
        return _is_slice(value)

    def index(self, index: Expr) -> Expr:
        if isinstance(index, Var) and index.name in self.of_slices and (known := self.elements(index)):
            return Tuple(known)  # a tuple to which slices have been added
        return super().index(index)

    # ------------------------------------------------------------ changes

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        if not isinstance(place, Var) or not (_is_slice(value) or place.name in self.of_slices):
            return super().put(place, key, value)
        key = folded_number(walk.substitute(key, {name: Const(n) for name, n in self.whole_numbers.items()}))
        if not isinstance(key, Const) and self.short and place.name not in self.further:
            raise Objects
        if not isinstance(key, Const):
            self.ask_for(key)
        return super().put(place, key, value)

    def append(self, grown: Grown, value: Expr) -> None:
        if not _is_slice(value):
            return super().append(grown, value)
        if self.short and not self.further.intersection(grown.buffers):
            raise Objects
        what = "a list of slices that becomes longer in a loop or branch of unknown length"
        self.refuse(f"{what} is not supported", "pairs of numbers in the list, and x[start:stop] where it is read")

    def ask_for(self, key: Expr) -> None:
        """The value of an argument would help."""
        names = frozenset() if key is REFUSED else frozenset(walk.names(key))
        if names and names <= self.askable:
            reason = "a slice at a place of a list that is not known at compile time is not supported"
            raise ValueNeeded([Problem(self.origin, reason, "a constant")], names)

    # ------------------------------------------------------------ loops

    def loop_over(self, stmt: For) -> None:
        bounds = tuple(map(folded_number, self.operands((stmt.start, stmt.stop, stmt.step))))
        trips = trips_of(*bounds) if _collects(stmt) and stmt.index not in assigned(stmt.body) else None
        if trips is None or len(trips) > _MOST:
            return super().loop_over(stmt)
        self.written_out(stmt, trips)


def _is_slice(value: Expr) -> bool:
    if isinstance(value, Call) and value.fn is select:
        return any(map(_is_slice, value.args[1:]))
    return isinstance(value, Slice) or isinstance(value, Call) and value.fn is slice


def _collects(loop: For) -> bool:
    """Whether iterations put slices into lists or tuples under a name; where they read and store is no such tuple."""
    for stmt in _statements(loop.body):
        for whole in (stmt.value,) if isinstance(stmt, (Let, Store)) else walk.stmt_exprs(stmt):
            parts = list(walk.subexprs(whole))
            places = {id(expr.args[1]) for expr in parts if isinstance(expr, Call) and expr.fn is operator.getitem}
            held = [expr for expr in parts if id(expr) not in places]
            put = [each for expr in held if isinstance(expr, Tuple) or _adds(expr) for each in _parts(expr)]
            if any(map(_is_slice, (whole, *put))):
                return True
    return False


def _parts(expr: Any) -> tuple[Expr, ...]:
    return expr.items if isinstance(expr, Tuple) else expr.args


def _statements(block: Block) -> Iterator[Stmt]:
    """Those of a block and of the comprehensions in it."""
    for stmt in walk.statements(block):
        yield stmt
        for expr in (part for whole in walk.stmt_exprs(stmt) for part in walk.subexprs(whole)):
            if isinstance(expr, Const) and isinstance(expr.value, LocalFunction):
                yield from _statements(expr.value.function.body)


def _adds(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.fn == Method("append")
