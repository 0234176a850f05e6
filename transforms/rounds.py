"""Loops and branches around lists that grow: what is done before and after them; part of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Let, Tuple, Var, hint
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, TupleType, Type
from srcad.transforms import slices, twins
from srcad.transforms.appends import (
    bound, changed_lists, counts_in_naturals, is_resized, lengthened, once, samples, tables,
)  # fmt: skip
from srcad.transforms.containers import Grows
from srcad.transforms.lengths import Grown, Length, product_of, sum_of_two
from srcad.transforms.calls import folded_number
from srcad.transforms.order import assigned
from srcad.transforms.refilled import Refilled, Renewed
from srcad.transforms.replaced import checked

_ROOM = 16  # of a list of which nobody knows how long it gets


class Rounds(Refilled):
    """Gives lists room before loops and branches, and counts their elements in them."""

    def around(self, body: Block, loop: For | None, bounds: tuple[Expr, ...]) -> Callable[[], None]:
        """Prepare the lists that a loop or a branch changes; what is to be done behind it."""
        carrying = self.carrying
        if loop is not None or body and not bounds:
            self.hand_over(body)
        else:
            self.take_changed(body)
        self.keep_lengths({*self.changed_in(body)})
        hidden = [target for target in self.hidden if self.is_list(Var(target))]
        cut = self.extended_in(body)
        changed = dict.fromkeys([*changed_lists(body), *filter(self.is_table, tables(body)), *cut])
        named = [name for name in changed if self.is_list(self.frame.meaning(name))
                 and self.frame.target(name) not in hidden]  # fmt: skip
        trips = None if not bounds else Const(1) if loop is None else self.rounds(*bounds) if named else None
        covered, pending, self.pending, planned = set(self.covered), self.pending, {}, dict(self.planned)
        behind: list[Callable[[], None]] = []
        for name in named:
            behind.append(self.prepare(name, self.frame.target(name), body, loop, trips))
        for target in hidden:
            self.expect(target)

        def leave() -> None:
            for each in behind:
                each()
            self.covered, self.pending, self.planned, self.carrying = covered, pending, planned, carrying

        return leave

    def retried(self, work: Callable[[], None]) -> None:
        outside, further, tried = self.outside, self.further, set[tuple[str, Type, bool]]()
        while True:
            state, known = self.state(), len(self.records)
            lists = {name for name in self.types if self.is_list(Var(name))}
            self.further, self.outside = outside, outside | lists | self.static.keys()
            try:
                work()
                break
            except Grows as met:
                if met.name in outside:
                    raise
                self.back(state)
                del self.records[known:]
                attempt = (met.name, met.sample, met.formed)
                if attempt in tried:
                    self.refuse_another(met.name)
                    break
                tried.add(attempt)
                if isinstance(met, Renewed) and not self.may_fill(met.name):
                    continue
                (self.formed if met.formed else self.hidden)[met.name] = met.sample
                if met.formed:
                    self.unfold(met.name)
        self.outside, self.further = outside, further

    def expect(self, target: str) -> None:
        """Prepare a list for changes by functions that the statements call: nobody knows how many."""
        grown = self.ready(hint(target), target, self.hidden[target], None)
        if grown is not None:
            self.covered.add(grown.key)
            self.count(grown, target, self.length(grown))

    def begin(self, loop: For, start: Expr) -> None:
        name = self.frame.target(loop.index)
        index: Expr = Var(name)
        if counts_in_naturals(loop, start, self.natural):
            self.natural.add(name)
        if not (isinstance(start, Const) and start.value == 0):
            index = Call(operator.sub, (index, start))
        if not (isinstance(loop.step, Const) and loop.step.value == 1):
            index = Call(operator.floordiv, (index, loop.step))
        for key, base in self.pending.items():
            self.types[key] = Length(sum_of_two(base, index))

    def prepare(self, name: str, target: str, body: Block, loop: For | None, trips: Expr | None) -> Callable[[], None]:
        changing = assigned(body) | ({loop.index} if loop is not None else set())
        more = self.appends(body, name, trips, changing)
        rows = self.rows_of(target) if name in tables(body) and self.is_table(name) else ()
        grown = self.ready(name, target, self.sample(body, name), more, rows)
        if grown is None:
            return lambda: None
        if rows:
            self.nested.add(grown.buffers[0])
        if not is_resized(body, name):
            return lambda: None
        self.covered.add(grown.key)
        self.planned.setdefault(grown.key, self.frame)
        base = self.length(grown)
        if loop is not None and loop.flag is None and trips is not None and more is not None and once(body, name):
            return self.by_index(grown, base, loop, trips)
        self.count(grown, name, base)
        return lambda: None

    def is_table(self, name: str) -> bool:
        """Whether a name holds a list of lists of one length that nothing else holds."""
        meaning = self.frame.meaning(name)
        found = self.types.get(meaning.name) if isinstance(meaning, Var) else None
        if not isinstance(found, TupleType) or found.form != LIST or meaning.name not in self.owned:  # type: ignore
            return False
        rows = set(found.items)
        plain = all(isinstance(row, TupleType) and row.form == LIST and {*row.items} == {UNKNOWN} for row in rows)
        return plain and len(rows) == 1 and not any(self.types.get(name) in rows for name in self.lent)

    def rows_of(self, target: str) -> tuple[Expr, ...]:
        """The elements of a list of lists as arrays."""
        return tuple(self.named(self.invoke(np.array, (Tuple(self.elements(part) or ()),), ()))
                     for part in self.elements(Var(target)) or ())  # fmt: skip

    def ready(
        self, name: str, target: str, sample: Type, more: Expr | None, rows: tuple[Expr, ...] = ()
    ) -> Grown | None:
        """The list in a buffer with enough room."""
        found = self.types[target]
        if isinstance(found, Grown):
            if found.key not in self.covered and found.key not in self.checked:
                if more is None:
                    self.checked.add(found.key)
                if more != Const(0):
                    self.reserve(found, more or Const(_ROOM))  # room for nothing could not be doubled
            return found
        if target not in self.owned:
            self.shared(target)
            return None
        if target in self.further:
            raise Grows(target, sample)
        parts = rows or self.elements(Var(target)) or ()
        sample = self.formed.get(target, sample)
        sample = UNKNOWN if rows else found.items[0] if found.items else sample  # type: ignore[attr-defined]
        room = folded_number(sum_of_two(Const(len(parts)), Const(_ROOM) if more is None else more))
        grown = self.make(hint(name), room, sample, parts, more is None)
        self.types[target] = grown
        self.move_in(target, grown)
        return grown

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        key = folded_number(key)
        if isinstance(place, Var) and not isinstance(key, Const):
            root, path = self.links.get(place.name, (place.name, ()))
            is_list = not path and getattr(self.types.get(root), "form", None) == LIST and self.elements(Var(root))
            if is_list and root != place.name and self.may_be_changed(place.name):
                return self.put_by_name(root, key, walk.substitute(value, {place.name: Var(root)}))
            if is_list and place.name in self.owned:
                self.ready(hint(place.name), place.name, UNKNOWN, Const(0))
        return super().put(place, key, value)

    def put_by_name(self, name: str, key: Expr, value: Expr) -> bool:
        """A store into a list that an object holds, or into one that has two names."""
        if name in self.outside:
            raise Grows(name, self.types[name].items[0])  # type: ignore[attr-defined]
        others = [other for other, link in self.links.items() if link == (name, ())]
        self.owned.add(name)
        self.ready(hint(name), name, UNKNOWN, Const(0))
        for other in others:
            self.let(other, Var(name))
        return super().put(Var(name), key, value)

    def lengthens(self, stmt: Let) -> bool:
        """Whether ``xs = xs + [a]`` may as well be ``xs += [a]``: no other name holds the list."""
        meaning = self.frame.meaning(stmt.target)
        if lengthened(stmt) is None or not isinstance(meaning, Var) or not self.is_list(meaning):
            return False
        found = self.types[meaning.name]
        if isinstance(found, Grown):
            return sum(type is found for type in self.types.values()) == 1
        return meaning.name in self.owned

    def cut_at(self, place: Expr | None, cut: slices.Cut | None) -> bool:
        """Cut and extend a list that nothing else holds where it is; whether it is such a list."""
        grown = self.types.get(place.name) if isinstance(place, Var) else None
        if cut is None or not isinstance(grown, Grown) or grown.key in self.pinned:
            return False
        if cut.order is not None and grown.form is None or self.others_of(grown, place.name):  # type: ignore
            return False
        changes = cut.before or cut.behind or cut.order is not None
        if not changes and not (cut.part and grown.key in self.covered | self.checked):
            return False
        slices.change(self, grown, cut)
        return True

    def sample(self, body: Block, name: str) -> Type:
        """The structure of what is appended, as far as it is written out."""
        lets = {stmt.target: stmt.value for stmt in walk.statements(body) if isinstance(stmt, Let)}
        changing = changed_lists(body)
        for value in samples(body, name):
            if isinstance(value, Var) and value.name in changing or _is_repeated(value):
                continue
            found = self.type_of(lets.get(value.name, value) if isinstance(value, Var) else value)
            if isinstance(found, TupleType):
                return found
        return UNKNOWN

    def appends(self, body: Block, name: str, trips: Expr | None, changing: set[str]) -> Expr | None:
        """How many elements are appended at most; None where nobody knows."""
        places = bound(body, name)
        if places is None or trips is None and places:
            return None
        total: Expr = Const(0)
        for loops in places:
            count: Expr | None = trips
            for inner in loops:
                times = self.trips(inner, changing)
                count = None if times is None or count is None else product_of(count, times)
            if count is None:
                return None
            total = folded_number(sum_of_two(total, count))
        return total

    def trips(self, loop: For, changing: set[str]) -> Expr | None:
        """How often a loop inside goes round, if that is known outside."""
        parts = (loop.start, loop.stop, loop.step)
        if any(walk.names(part) & changing for part in parts):
            return None
        problems = len(self.problems)
        emitted, values = self.collect(lambda: [self.expr(part) for part in parts])
        if emitted or len(self.problems) > problems:
            del self.problems[problems:]
            return None
        return self.rounds(*map(folded_number, values))

    def rounds(self, start: Expr, stop: Expr, step: Expr) -> Expr | None:
        """How often a loop with these bounds goes round: a number, or a name of one."""
        match start, stop, step:
            case Const(value=int() as a), Const(value=int() as b), Const(value=int() as c):
                return Const(len(range(a, b, c)))
            case Const(value=0), _, Const(value=1):
                return self.natural_number(stop)
            case _, _, Const(value=1):
                return self.natural_number(Call(operator.sub, (stop, start)))
        return None

    def check_lists(self, body: Block) -> Block:
        self.check_asked(body)
        return checked(body, self.given, self.moves, self.called, twins.stores(self, body), self.rows_in)

    # ------------------------------------------------------------ lengths

    def by_index(self, grown: Grown, base: Expr, loop: For, trips: Expr) -> Callable[[], None]:
        """A loop that appends once an iteration: the index says where."""
        counter = base if isinstance(base, Var) and base.name in self.counters else None
        if counter is not None:
            name = self.fresh(hint(counter.name))
            self.emit(Let(name, base, self.origin))
            base = Var(name)
        found = self.types[grown.key]
        assert isinstance(found, Length)
        room = found.room
        self.pending[grown.key] = base

        def leave() -> None:
            after = folded_number(sum_of_two(base, trips))
            if counter is not None:
                self.emit(Let(counter.name, after, self.origin))
                self.types[grown.key] = Length(counter)
            else:
                self.types[grown.key] = Length(after, room)

        return leave

    def count(self, grown: Grown, name: str, base: Expr) -> None:
        """Count the elements from here on."""
        if not (isinstance(base, Var) and base.name in self.counters):
            counter = self.fresh(f"{hint(name)}_len")
            self.counters.add(counter)
            self.emit(Let(counter, base, self.origin))
            self.types[grown.key] = Length(Var(counter))


def _is_repeated(value: Expr) -> bool:
    """Whether a value is ``[number] * count``, of which an array is made."""
    return isinstance(value, Call) and value.fn is operator.mul and any(
        isinstance(arg, Tuple) and len(arg.items) == 1 for arg in value.args)  # fmt: skip
