"""What changes lists elsewhere than at their end, or in their order; part of `inline`."""

from __future__ import annotations

import operator

import numpy as np

from srcad.lang import walk
from srcad.lang.forms import REFUSED, is_data
from srcad.lang.ir import Call, Const, Effect, Expr, For, Method, Slice, Store, Tuple, Var, hint, select
from srcad.lang.lists import element_of, slot
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, UNKNOWN, TupleType
from srcad.library.lists import (
    count_of, listed, numbers_to_sort, part_in_steps_of, part_of, place_of, places_in_order,
)  # fmt: skip
from srcad.transforms import housed
from srcad.transforms.appends import known_to_be_natural
from srcad.transforms.callees import Keywords
from srcad.transforms.growing import Growing
from srcad.transforms.lengths import Grown, Length, sum_of_two, sum_with
from srcad.transforms.listed import structure_of

_SEARCHES = {"index": place_of, "count": count_of}
_BACKWARDS = Slice(None, None, Const(-1))


class Lists(Growing):
    """``insert``, ``pop(k)``, ``del``, ``clear``, ``sort`` and ``reverse``."""

    # ------------------------------------------------------------ lists whose elements are known

    def method(self, name: str, found: TupleType, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        base = args[0]
        if name in _SEARCHES and found.form in (LIST, TUPLE) and not kwargs:
            return self.searched(name, args)
        is_owned = isinstance(base, Var) and base.name in self.owned and len(args) == 1
        if name == "sort" and found.form == LIST and is_owned and structure_of(self, base.name):  # type: ignore
            grown = self.ready(hint(base.name), base.name, UNKNOWN, Const(0))  # type: ignore
            return self.sort(grown, base, kwargs)  # type: ignore[arg-type]
        if name != "sort" or found.form != LIST or len(args) > 1 or not isinstance(base, Var):
            return super().method(name, found, args, kwargs)
        if "key" in dict(kwargs):
            return self.sorted_by(base, kwargs)
        falling = self.falling(kwargs)
        if falling is None:
            return REFUSED
        parts = self.elements(base) or ()
        if parts:
            array = self.named(self.in_order(Call(np.array, (Tuple(parts),)), falling))
            parts = tuple(self.named(Call(operator.getitem, (array, Const(k)))) for k in range(len(parts)))
        self.change(base.name, parts, LIST)
        return Const(None)

    def sorted_by(self, base: Var, kwargs: Keywords) -> Expr:
        """``xs.sort(key=...)`` of a list whose elements are known."""
        found = self.applied(sorted, (base,), kwargs)
        if found is REFUSED:
            return REFUSED
        if (grown := self.grown(found)) is not None:
            count = len(self.elements(base) or ())
            found = Tuple(tuple(self.named(self.at(grown, Const(k))) for k in range(count)))
        self.change(base.name, self.elements(found) or (), LIST)
        return Const(None)

    def searched(self, name: str, args: tuple[Expr, ...]) -> Expr:
        """``xs.index(value)`` and ``xs.count(value)``"""
        values = [*(self.elements(args[0]) or ()), *args[1:]]
        if all(isinstance(each, Const) and is_data(each.value) for each in values):
            known = [each.value for each in self.elements(args[0]) or ()]  # type: ignore[union-attr]
            count = known.count(args[1].value)  # type: ignore[union-attr]
            if name == "count" or count and len(args) == 2:
                return Const(count if name == "count" else known.index(args[1].value))  # type: ignore[union-attr]
        return self.enter_library(_SEARCHES[name], (self.kept(args[0]), *args[1:]), (), name)

    # ------------------------------------------------------------ lists that grow

    def insert(self, grown: Grown, position: Expr, value: Expr) -> Expr:
        """``xs.insert(k, value)``"""
        if not self.may_change(grown):
            return REFUSED
        length, value = self.length(grown), self.named(value)
        if position != Const(0):
            position = self.named(self.clipped(position, length))
        self.make_room_for_one(grown)
        if grown.key in self.checked:
            self.set(grown, length, value, False)  # the last place is there now
        self.shift(grown, Slice(position, length), 1)
        self.set(grown, position, value, False)
        self.move_end(grown, 1)
        return Const(None)

    def pop_at(self, grown: Grown, position: Expr) -> Expr:
        """``xs.pop(k)``"""
        if not self.may_change(grown):
            return REFUSED
        length, position = self.length(grown), self.named(self.position(grown, position))
        value = self.taken(grown, position)
        self.shift(grown, Slice(sum_of_two(position, Const(1)), length), -1)
        self.move_end(grown, -1)
        return value

    def shift(self, grown: Grown, part: Slice, by: int) -> None:
        """Move some elements by one place."""
        assert part.lower is not None and part.upper is not None
        ends = [sum_of_two(end, Const(1)) if by > 0 else Call(operator.sub, (end, Const(1))) for end in
                (part.lower, part.upper)]  # fmt: skip
        for buffer in grown.buffers:
            self.put_all(buffer, Slice(*ends), Call(np.copy, (Call(operator.getitem, (Var(buffer), part)),)))

    def put_all(self, buffer: str, part: Slice, values: Expr) -> None:
        """Put elements of the list at other places of it."""
        place = Call(slot, (Const(buffer), part, Const(True)))  # an element may have a name, which keeps it
        self.emit(Store(Var(buffer), place, self.named(values), self.origin, True))
        self.moves.append(self.out[-1])
        self.changes += 1

    def reverse(self, grown: Grown) -> Expr:
        """``xs.reverse()``"""
        if housed.refused(self, grown, "reverse") or not self.may_be_written(grown):
            return REFUSED
        whole = Slice(None, self.length(grown))
        for buffer in grown.buffers:
            old = Call(operator.getitem, (Var(buffer), whole))
            self.put_all(buffer, whole, Call(np.copy, (Call(operator.getitem, (old, _BACKWARDS)),)))
        return Const(None)

    def sort(self, grown: Grown, whole: Expr, kwargs: Keywords) -> Expr:
        """``xs.sort()``, by the elements or by a key."""
        if housed.refused(self, grown, "sort") or not self.may_be_written(grown):
            return REFUSED
        part = Slice(None, self.length(grown))
        if grown.form is None and "key" not in dict(kwargs):
            falling = self.falling(kwargs)
            if falling is None:
                return REFUSED
            numbers = self.enter_library(numbers_to_sort, (self.view(grown),), (), "sort")
            self.put_all(grown.buffers[0], part, self.in_order(numbers, falling))
            return Const(None)
        found = self.enter_library(places_in_order, (whole,), kwargs, "sort")
        if found is REFUSED:
            return REFUSED
        order = self.named(found, "order")
        for buffer in grown.buffers:
            self.put_all(buffer, part, Call(np.copy, (Call(operator.getitem, (Var(buffer), order)),)))
        return Const(None)

    def in_order(self, values: Expr, falling: bool) -> Expr:
        result = self.invoke(np.sort, (values,), ())
        return Call(operator.getitem, (result, _BACKWARDS)) if falling else result

    def falling(self, kwargs: Keywords) -> bool | None:
        """Whether ``reverse=True`` is given."""
        options = dict(kwargs)
        falling = options.pop("reverse", Const(False))
        if options or not isinstance(falling, Const):
            what = f"sort with {' and '.join(options) or 'a reverse that is not known'}"
            self.refuse(f"{what} is not supported", "xs = sorted(xs, ...)", "sort")
            return None
        return bool(falling.value)

    def clear(self, grown: Grown) -> Expr:
        """``xs.clear()``"""
        if not self.may_change(grown):
            return REFUSED
        self.end_at(grown, Const(0))
        return Const(None)

    def part(self, grown: Grown, whole: Expr, part: Slice) -> Expr:
        """``xs[lower:upper:step]``, another list."""
        what, ends = "a slice of a list", (part.lower, part.upper)
        if grown.form is not None and part.step is None:
            length = self.length(grown)
            known = (self.named(other if end is None else self.clipped(end, length))
                     for end, other in zip(ends, (Const(0), length)))  # fmt: skip
            return self.enter_library(part_of, (whole, *known), (), what)
        if grown.form is not None and isinstance(part.step, Const) and part.step.value:
            given = (Const(None) if end is None else self.named(end) for end in ends)
            return self.enter_library(part_in_steps_of, (whole, *given, part.step), (), what)
        return self.enter_library(listed, (Call(operator.getitem, (self.view(grown), part)),), (), what)

    def cut(self, grown: Grown, lower: Expr | None, upper: Expr | None) -> None:
        """``xs = xs[lower:upper]`` of a list that nothing else holds."""
        if not self.may_change(grown):
            return
        length = self.length(grown)
        stop = length if upper is None else self.named(self.clipped(upper, length), "stop")
        if lower is not None:
            start = self.named(self.clipped(lower, length), "start")
            count: Expr = Call(operator.sub, (stop, start))
            count = self.named(count if upper is None else Call(max, (count, Const(0))), "count")
            for buffer in grown.buffers:
                part = Call(operator.getitem, (Var(buffer), Slice(start, stop)))
                self.put_all(buffer, Slice(None, count), Call(np.copy, (part,)))
            stop = count
        self.end_at(grown, stop)

    def append_each(self, whole: Expr, values: Expr) -> None:
        """A loop that appends the elements of an array or of another list."""
        xs, items, index = (self.fresh(each) for each in ("xs", "items", "i"))
        self.frame.table |= {xs: whole, items: self.named(values)}
        value = Call(element_of, (Var(items), Var(index)))
        body = (Effect(Call(Method("append"), (Var(xs), value)), self.origin),)
        self.statement(For(index, Const(0), Call(len, (Var(items),)), Const(1), body, None, self.origin))

    def put_slice(self, grown: Grown, whole: Expr, part: Slice, values: Expr) -> None:
        """``xs[lower:upper] = values``"""
        if not self.may_change(grown):
            return
        length = self.length(grown)
        lower = Const(0) if part.lower is None else self.named(self.clipped(part.lower, length), "start")
        upper = length if part.upper is None else self.clipped(part.upper, length)
        upper = self.named(upper if lower == Const(0) else Call(max, (lower, upper)), "stop")
        if isinstance(values, Tuple):
            values = Tuple(tuple(map(self.kept, values.items)), values.type)
        elif self.grown(values) is not None:
            values = self.as_row(Call(np.copy, (self.shown(values),)))
        else:
            values = self.kept(values)
        behind = self.as_row(Call(np.copy, (Call(operator.getitem, (self.view(grown), Slice(upper, None))),)))
        self.end_at(grown, lower)
        self.extend(whole, values)
        self.extend(whole, behind)

    def as_row(self, array: Expr) -> Expr:
        """An array that stands for a list."""
        raise NotImplementedError

    def clipped(self, end: Expr, length: Expr) -> Expr:
        """The end of a slice, as a position in the list."""
        match end:
            case Const(value=int() as k) if k < 0:
                return Call(max, (sum_with(length, k), Const(0)))
            case _ if known_to_be_natural(end, self.natural):
                return Call(min, (end, length))
        end = self.named(end)
        from_end = Call(max, (Call(operator.add, (length, end)), Const(0)))
        return Call(select, (Call(operator.lt, (end, Const(0))), from_end, Call(min, (end, length))))

    def end_at(self, grown: Grown, length: Expr) -> None:
        """Let the list be as long as this from here on."""
        before = self.length(grown)
        if isinstance(before, Var) and before.name in self.counters:
            self.let(before.name, length)
        else:
            self.types[grown.key] = Length(length, self.types[grown.key].room)  # type: ignore[attr-defined]
        self.changes += 1
        self.bound |= {*grown.buffers, *walk.names(before)}
