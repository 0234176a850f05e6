"""Lists that grow in loops and branches, as arrays; part of `inline`.

Such a list has a buffer, an array with room for all that loops append, and a length. A loop that appends once an
iteration stores at the position that its index says: the length is an expression of the index. All others count.
The dtype and the shape of the elements are found with the types, see `infer`.
"""

from __future__ import annotations

import copy
import operator
from typing import Any

import numpy as np

from srcad.lang import walk
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Expr, Function, Let, Slice, Stmt, Store, Tuple, Var, hint, select
from srcad.lang.lists import as_rows, list_buffer, list_pop, slot
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, TupleType, Type
from srcad.transforms import housed, operators, special_methods
from srcad.transforms.appends import known_to_be_natural
from srcad.transforms.calls import either_way, folded_number
from srcad.transforms.containers import Grows
from srcad.transforms.frames import Frame
from srcad.transforms.kept import root
from srcad.transforms.lengths import (
    Grown, Length, computed_before, flat, in_outline, leaves, parts_like, structure, sum_with,
)  # fmt: skip
from srcad.transforms.listed import Listed
from srcad.transforms.values import Choice, Object, is_static, truth_of

_STATE = ("types relied owned touched checked covered planned natural counters pending given moves mixed leant puts "
          "lists_in rows_in watched").split()


class Growing(Listed):
    """Makes arrays of lists that loops and branches append to."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.checked: set[str] = set()  # the lists whose buffers grow where they are full
        self.covered: set[str] = set()  # the lists that have room for what the loop around does
        self.planned: dict[str, Frame] = {}  # the functions whose statements the room of lists is meant for
        self.natural: set[str] = set()  # indices of loops that are never negative
        self.pending: dict[str, Expr] = {}  # the lengths before loops of lists that grow with the index
        self.given: list[tuple[str, Stmt]] = []  # names that are put into lists, and where
        self.nested: set[str] = set()  # the buffers of lists whose elements are lists
        self.picked: list[Tuple] = []  # structures that are elements of lists
        self.tuples: set[str] = set()  # the buffers of tuples whose length is not known
        self.moves: list[Stmt] = []  # where elements move to a larger buffer

    def state(self) -> tuple[Any, ...]:
        return (super().state(), *(copy.copy(getattr(self, name)) for name in _STATE))

    def back(self, state: tuple[Any, ...]) -> None:
        super().back(state[0])
        for name, value in zip(_STATE, state[1:]):
            setattr(self, name, value)

    def test(self, expr: Expr) -> Expr:
        """A condition; a list is true if it has elements."""
        return self.truth(super().test(expr))

    def truth(self, expr: Expr) -> Expr:
        found = self.type_of(expr)
        if (grown := self.grown(expr)) is not None:
            return Call(operator.gt, (self.length(grown), Const(0)))
        if self.is_inner_list(expr):
            return Call(operator.gt, (Call(len, (expr,)), Const(0)))
        if isinstance(expr, Const) and isinstance(expr.value, Choice):
            return either_way(expr.value.test, self.truth(expr.value.then), self.truth(expr.value.orelse))
        if isinstance(expr, Const) and (known := truth_of(expr.value)) is not None:
            return Const(known)
        if isinstance(expr, Const) and isinstance(expr.value, Object):
            return operators.truth(self, expr)
        return special_methods.truth(self, expr) or (Const(bool(found.items)) if isinstance(found, TupleType) else expr)

    def attribute(self, base: Expr, name: str) -> Expr:
        if self.grown(base) is not None:
            return self.refuse(f"a list has no attribute {name!r}", "np.array(xs)", name)
        return super().attribute(base, name)

    def length(self, grown: Grown) -> Expr:
        found = self.types.get(grown.key)
        if isinstance(found, Length):
            return found.length
        remedy = "append and pop in an if statement of their own"
        return self.refuse("how long this list is depends on the path taken", remedy)

    def let(self, target: str, value: Expr | None) -> None:
        self.keep_lengths({target})
        grown = self.grown(value) if value is not None else None
        if grown is None:
            if isinstance(value, Tuple):
                self.pin(value)
            super().let(target, self.with_rows(value) if isinstance(value, Tuple) and self.is_new(value) else value)
            return self.mixed.discard(target)
        super().let(target, None)
        self.mixed.discard(target)
        self.name_list(target, grown)

    def shown(self, expr: Expr) -> Any:
        if isinstance(expr, Tuple):
            return Tuple(tuple(map(self.shown, expr.items)), expr.type)
        grown = self.grown(expr)
        return expr if grown is None else self.view(grown)

    def view(self, grown: Grown) -> Expr:
        """All elements, as an array."""
        found = self.types.get(grown.key)
        if not isinstance(found, Length):
            return self.length(grown)
        if grown.element is not None and not flat(grown.element):
            reason = "a list of tuples with tuples in them as an array, or with a step, is not supported"
            return self.refuse(reason, "a list for each part, or a loop over reversed(xs)")
        views: list[Expr] = [*map(Var, grown.buffers)]
        if not found.is_full:
            views = [Call(operator.getitem, (buffer, Slice(None, found.length))) for buffer in views]
        return views[0] if grown.form is None else Call(as_rows, (Tuple(tuple(views)),))

    def at(self, grown: Grown, position: Expr) -> Expr:
        """The element at a position that is not negative."""
        if grown.form is not None and grown.form.cls in self.housed.classes:
            return housed.element(self, grown, position)
        parts = [Call(operator.getitem, (Var(buffer), position)) for buffer in grown.buffers]
        if grown.element is None:
            return parts[0]
        element = structure(grown.element, iter(parts))
        self.picked += [part for part in walk.subexprs(element) if isinstance(part, Tuple)]
        return element

    def is_new(self, value: Expr) -> bool:
        return super().is_new(value) and not any(value is element for element in self.picked)

    def position(self, grown: Grown, index: Expr) -> Expr:
        """A position counted from the front."""
        if isinstance(index, Const) and isinstance(index.value, int) and index.value < 0:
            return sum_with(self.length(grown), index.value)
        found = self.types.get(grown.key)
        full = isinstance(found, Length) and found.is_full  # an array counts from its end as well
        if full or isinstance(index, (Const, Slice)) or known_to_be_natural(index, self.natural):
            return index
        index = self.named(index)
        from_end = Call(operator.add, (self.length(grown), index))
        return Call(select, (Call(operator.lt, (index, Const(0))), from_end, index))

    def make(self, name: Any, room: Expr, sample: Type, parts: tuple[Expr, ...], grows: bool = False) -> Grown:
        """A list with room for so many elements, which begins with `parts`; `grows` where that may not be enough."""
        element = in_outline(sample)
        names = leaves(element, name) if isinstance(name, str) else name  # of all buffers
        grown = Grown(tuple(self.fresh(each) for each in names), element)
        for buffer in grown.buffers:
            self.emit(Let(buffer, self.buffer(room, buffer, grows), self.origin))
        for k, part in enumerate(parts):
            self.set(grown, Const(k), part, False)
        if grows:
            self.checked.add(grown.key)
        self.types[grown.key] = Length(Const(len(parts)), None if grows else room)
        return grown

    def buffer(self, room: Expr, key: str, grows: bool) -> Expr:
        return Call(list_buffer, (room, Const(key), Const(True)) if grows else (room, Const(key)))

    # ------------------------------------------------------------ changes

    def is_changeable(self, type: Type) -> bool:
        return isinstance(type, Grown) or super().is_changeable(type)

    def may_change(self, grown: Grown) -> bool:
        """Whether a list may become longer or shorter here; a `Grows` if the loop around does not expect it."""
        names = self.names_of(grown)
        if self.walled & set(names) or grown.key in self.pinned:
            (self.beyond if self.walled & set(names) else self.shared)(names[0])
            return False
        self.resized.add(grown.key)
        room_is_known = grown.key in self.covered - self.checked
        unforeseen = grown.key not in self.covered or room_is_known and self.planned.get(grown.key) is not self.frame
        if unforeseen and (before := self.outside & set(names)):
            raise Grows(min(before), UNKNOWN)
        return True

    def append(self, grown: Grown, value: Expr) -> None:
        found = self.types.get(grown.key)
        if not isinstance(found, Length):
            self.length(grown)
            return
        parts = self.of_object(grown, value) if is_static(value) else computed_before(self, grown, value)
        if parts is REFUSED or not self.may_change(grown):
            return
        self.make_room_for_one(grown)
        self.set(grown, found.length, parts, False)
        housed.moved_in(self, value, grown, found.length)
        self.move_end(grown, 1)

    def move_end(self, grown: Grown, by: int) -> None:
        """Let the list be longer or shorter from here on."""
        found = self.types[grown.key]
        assert isinstance(found, Length)
        after = sum_with(found.length, by)
        if isinstance(found.length, Var) and found.length.name in self.counters:
            self.emit(Let(found.length.name, after, self.origin))
        else:
            room = self.types[grown.key].room if grown.key in self.covered else found.room  # type: ignore[attr-defined]
            self.types[grown.key] = Length(after, room)
        self.changes += 1
        self.bound |= {*grown.buffers, *walk.names(found.length)}

    def set(self, grown: Grown, position: Expr, value: Expr, rebinds: bool) -> None:
        """Put an element at a position."""
        if (parts := self.parts(grown, value)) is None:
            self.form(grown, self.type_of(value))
        if grown.form is None and (self.grown(value) is not None or self.is_inner_list(value)):
            self.nested.add(grown.buffers[0])
            self.pin(Tuple((value,)))
        self.owned -= set(self.handed_on(value))
        self.expose(value)
        if parts is None:
            reason = "an element of another structure than the others"
            self.refuse(reason, "tuples of one length, or a list for each part")
            return
        known = self.types.get(grown.key)
        inside = not isinstance(known, Length) or position != known.length
        for buffer, part in zip(grown.buffers, parts):
            self.put_part(buffer, position, part, rebinds, inside)

    def put_part(self, buffer: str, position: Expr, part: Expr, rebinds: bool, inside: bool = True) -> None:
        place = Call(slot, (Const(buffer), position, Const(rebinds)))
        self.emit(Store(Var(buffer), place, part, self.origin, inside))
        if root(part) is not None:
            self.given.append((str(root(part)), self.out[-1]))
        self.changes += 1

    def is_inner_list(self, expr: Expr) -> bool:
        """Whether an expression is an element of a list of lists."""
        raise NotImplementedError

    def parts(self, grown: Grown, value: Expr) -> tuple[Expr, ...] | None:
        found = self.type_of(value)
        if grown.form is None and isinstance(found, TupleType):
            if found.form != LIST or set(found.items) != {UNKNOWN}:
                return None
            self.nested.add(grown.buffers[0])
            return (Call(np.array, (Tuple(self.elements(value) or ()),)),)
        return (self.shown(value),) if grown.element is None else parts_like(self, value, grown.element)

    def make_room_for_one(self, grown: Grown) -> None:
        if grown.key not in self.covered | self.checked:
            self.reserve(grown, Const(1))

    def move(self, grown: Grown, length: Expr, room: Expr) -> None:
        """Move the elements to larger buffers."""
        for buffer in grown.buffers:
            larger = self.fresh(f"larger_{hint(buffer)}")
            self.emit(Let(larger, self.buffer(room, buffer, grown.key in self.checked), self.origin))
            old = Call(operator.getitem, (Var(buffer), Slice(None, length)))
            self.emit(Store(Var(larger), Slice(None, length), old, self.origin, True))
            self.moves.append(self.out[-1])
            self.emit(Let(buffer, Var(larger), self.origin))

    def reserve(self, grown: Grown, more: Expr) -> None:
        """Make room for some more elements."""
        length = self.length(grown)
        room = folded_number(Call(operator.add, (length, more)))
        room = room if isinstance(room, Const) else self.named(room, "room")
        self.move(grown, length, room)
        self.types[grown.key] = Length(length, None if grown.key in self.checked else room)

    def extend(self, whole: Expr, values: Expr) -> Expr:
        """``xs.extend(values)`` and ``xs += values``"""
        grown, known = self.grown(whole), self.iterated(values)
        if known is None:
            self.append_each(whole, values)
        elif grown is not None:
            for value in [computed_before(self, grown, each, len(known) > 1) for each in known]:
                self.append(grown, value)
        return Const(None)

    def append_each(self, whole: Expr, values: Expr) -> None:
        """A loop that appends the elements of an array or of another list."""
        raise NotImplementedError

    def pop(self, grown: Grown) -> Expr:
        if not self.may_change(grown):
            return REFUSED
        self.move_end(grown, -1)
        return self.taken(grown, self.length(grown))

    def taken(self, grown: Grown, position: Expr) -> Expr:
        """The element at a position, under names of its own."""
        if housed.refused(self, grown, "pop"):
            return REFUSED
        parts = []
        for buffer in grown.buffers:
            value = self.fresh("t")
            self.emit(Let(value, Call(list_pop, (Var(buffer), position)), self.origin))
            parts.append(Var(value))
        return parts[0] if grown.element is None else structure(grown.element, iter(parts))
