"""What statements write to small arrays, element by element; part of `scalars`."""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import views_of
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Call, Const, Expr, Let, Slice, Store, Tuple, Var
from srcad.lang.types import INT, Array, Scalar, TupleType
from srcad.transforms.cells import as_element, is_listable, is_small, objects, static_index
from srcad.transforms.infer import typed
from srcad.transforms.readings import Readings, strong
from srcad.transforms.spread import nothing, rearranged, spread


@dataclass
class Writings(Readings):
    """Statements that give values to names and to elements."""

    def array(self, stmt: Let, target: str, value: Expr) -> None:
        """Make an array: its elements, or the array itself."""
        if target in self.chosen and (self.view(target, value) or self.made(target, value)):
            return
        for base in views_of(value):
            if isinstance(base, Var) and self.is_cells(base.name):
                self.fail(base.name)
        self.failed.update({target} & self.chosen)
        self.out.append(replace(stmt, value=self.whole(value)))

    def view(self, target: str, value: Expr) -> bool:
        """A view of cells is the same cells."""
        match value:
            case Call(operator.getitem, (Var(name), index), ()) if self.is_cells(name):
                places = self.places(name, index)
            case Call(args=(Var(name), *_)) if self.is_cells(name) and (order := rearranged(value)) is not None:
                places = order(self.cells.numbers[name])
            case _:
                return False
        if places is None or not isinstance(value.type, Array) or places.shape != value.type.shape:
            return False
        self.cells.numbers[target] = places
        return True

    def made(self, target: str, value: Expr) -> bool:
        kind = value.type  # type: ignore[union-attr]
        assert isinstance(kind, Array)
        if nothing(value):
            if kind.dtype != "float64":
                return False
            self.cells.made(target, kind, self.depth)
            return True
        parts = None if views_of(value) else spread(value, self.elements, self.emit)
        if parts is None or parts.shape != kind.shape:
            return False
        numbers = self.cells.made(target, kind, self.depth)
        if self.reads_cells(value) and value.fn not in (np.array, np.copy):  # type: ignore[union-attr]
            self.used.update(numbers.flat)  # what is computed of elements is best had by its elements
        return all(self.hold(int(cell), part, kind.dtype) for cell, part in zip(numbers.flat, parts.flat))

    def number(self, stmt: Let, target: str, value: Expr) -> None:
        """Give a number its name, unless an element or a constant stands for it."""
        if isinstance(value, Call) and self.reads_cells(value) and isinstance(value.type, Scalar):
            parts = spread(value, self.elements, self.emit)
            if parts is not None and parts.shape == ():
                value = strong(parts.item())
        key = _read(value)
        if key in self.known:
            value = self.known[key]
        if value is not stmt.value and isinstance(value, (Var, Const)) and target not in self.flags:
            self.names[target] = value
            return
        value = self.whole(value)
        self.out.append(replace(stmt, target=target, value=value))
        if key is not None and not self.memory.mutated(key[0]):
            self.known[key] = Var(target, value.type)  # type: ignore[union-attr]

    def store(self, name: str, index: Expr, value: Expr, added: bool = False) -> None:
        """Write to elements."""
        places = self.places(name, index)
        dtype = self.memory.types[name].dtype  # type: ignore[attr-defined]
        given = self.elements(value) if places is not None else None
        if places is None or given is None or not _fits(given, places):
            return self.fail(name)
        if added:
            self.used.update(places.flat)
        for cell, part in zip(map(int, places.flat), np.broadcast_to(given, places.shape).flat):
            if added and (held := self.cells.now[cell]) is not None:
                part = Call(operator.add, (held, part))
            elif added:
                return self.fail(name)
            if not self.hold(cell, part, dtype):
                return self.fail(name)

    def outside_store(self, stmt: Store | Accum, base: Expr, index: Expr) -> None:
        """Write to an array that stays one: the elements of a small one each to its place."""
        value = self.expr(stmt.value)
        places = None
        if isinstance(value, Var) and self.is_cells(value.name):
            places = self.places_of(base, index, self.cells.numbers[value.name].shape)
        parts = None if places is None else self.elements(value)
        if parts is None or places is None or not _fits(parts, places):
            self.out.append(walk.map_stmt(self.whole, stmt))
            return
        dtype = base.type.dtype  # type: ignore[union-attr]
        for place, part in zip(places.flat, np.broadcast_to(parts, places.shape).flat):
            part = self.emit(as_element(part, dtype) or part)
            if isinstance(stmt, Store):
                self.out.append(replace(stmt, base=base, index=place, value=part))
            else:
                at = Call(operator.getitem, (base, place), (), Scalar(dtype))
                self.out.append(replace(stmt, target=at, value=part))

    def places_of(self, base: Expr, index: Expr, shape: tuple[int, ...]) -> np.ndarray | None:
        """The subscripts of the elements behind ``base[i]`` or ``base[i, 1:4]``, if it is known how many these are.

        What gets values of this `shape` may be larger than what gets some of them several times.
        """
        kind = typed(Call(operator.getitem, (base, index))).type  # type: ignore[union-attr]
        if not (is_small(kind) or is_listable(kind) and kind.shape == shape) or kind.dtype != "float64":
            return None
        items = items_of(index)
        numbers = [item for item in items if isinstance(getattr(item, "type", None), Scalar)]
        starts = [start for item in items[len(numbers) :] if (start := _start(item)) is not None]
        known = list(items[: len(numbers)]) == numbers and len(numbers) + len(starts) == len(items)
        if not known or len(numbers) + kind.ndim != base.type.ndim:  # type: ignore[union-attr]
            return None
        starts += [0] * (kind.ndim - len(starts))
        found = []
        for place in np.ndindex(*kind.shape):
            at = (*numbers, *(Const(int(k) + first, INT) for k, first in zip(place, starts)))
            found.append(at[0] if len(at) == 1 else Tuple(at, TupleType(tuple(e.type for e in at))))
        return objects(found, kind.shape)


def _fits(given: np.ndarray, places: np.ndarray) -> bool:
    """Whether NumPy writes values of one shape to places of another."""
    pairs = zip(reversed(given.shape), reversed(places.shape))
    return given.ndim <= places.ndim and all(count in (1, of) for count, of in pairs)


def _read(value: Expr) -> tuple[str, Expr] | None:
    """The array and the constant subscript of an element."""
    match value:
        case Call(operator.getitem, (Var(name), index), (), Scalar()) if static_index(index) is not None:
            return name, index
    return None


def _start(item: Expr) -> int | None:
    """Where a slice without a step begins."""
    match item:
        case Slice(None, _, None):
            return 0
        case Slice(Const(int() as first), _, None) if first >= 0:
            return first
    return None
