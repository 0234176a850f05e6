"""The stores of the elements of lists in lists, and in dicts; part of `inline`.

A row is a place in a store. Where a row is put into a list with another store, everything is inlined once more, and
whichever of the two lists is made first makes the store for both.
"""

from __future__ import annotations

import operator
from typing import Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Expr, Function, Let, Slice, Var
from srcad.lang.types import UNKNOWN, Type
from srcad.library.lists import elements_at
from srcad.library.row_store import growing, natural, standing_in, taken
from srcad.library.rows import Rows
from srcad.library.tables import Groups
from srcad.transforms.callees import Keywords
from srcad.transforms.learnt import Formed, Learnt, OneStore, Place
from srcad.transforms.lengths import Grown, flat
from srcad.transforms.unlike import Unlike


class RowStores(Unlike):
    """Makes lists of lists, and dicts of lists, with stores of their own or of others."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.forms: dict[Place, Type] = {}  # where lists of lists are made: what the elements of the rows are made of
        self.members: dict[str, Place] = {}  # of buffers that hold the elements of rows: where the lists are made
        self.one_store: dict[Place, Place] = {}  # for places of lists of lists: one for all that have one store
        self.shared_stores: dict[Place, list[Const]] = {}  # for these: the stores
        self.store_places: dict[int, Place] = {}  # for stores: the lists that were made with them

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.forms, self.one_store = learnt.formed, learnt.one_store

    def form(self, grown: Grown, found: Type) -> None:
        if grown.buffers[0] not in self.members:
            super().form(grown, found)
        elif flat(found) and found.items:  # type: ignore[attr-defined]
            raise Formed(self.members[grown.buffers[0]], found)

    # ------------------------------------------------------------ which store a list has

    def new_table(self, cls: Any) -> Expr:
        if not issubclass(cls, Groups):
            return super().new_table(cls)
        place = self.origin, cls.called, len(self.stack)
        return self.filled_at(place, lambda: self.with_store(place, cls))

    def with_store(self, place: Place, cls: Any) -> Expr:
        """A list or a dict of lists that a statement makes."""
        group = self.one_store.get(place)
        known = [] if group is None else [each for each in self.shared_stores.get(group, ()) if self.is_there(each)]
        if known:
            rows = self.invoke(Rows, (known[-1],), ())
            return rows if cls is Rows else self.invoke(cls, (rows,), ())
        made = self.invoke(cls, (), ())
        if cls is Rows or issubclass(cls, Groups):
            store = self.store_of(made)
            self.store_places[id(store.value)] = place
            if group is not None:
                self.shared_stores.setdefault(group, []).append(store)
        return made

    def store_of(self, owner: Expr) -> Const:
        """The store of a row, or of a list or dict of rows."""
        fields = owner.value.fields  # type: ignore[attr-defined]
        if "lists" in fields:
            return self.store_of(self.holding(fields["lists"]))
        store = self.holding(fields["store"])
        assert isinstance(store, Const)
        return store

    def is_there(self, store: Const) -> bool:
        """Whether a store was made in this block or in one around, and not in an attempt that was given up."""
        grown = self.grown(store.value.fields["members"])
        made = {stmt.target for block in (*self.outs, self.out) for stmt in block if isinstance(stmt, Let)}
        return grown is not None and made.issuperset(grown.buffers)

    def in_one_store(self, whole: Expr, row: Expr) -> None:
        """Once more, if a row is put into a list with another store."""
        stores = [id(self.store_of(each).value) for each in (whole, row)]
        first, second = map(self.store_places.get, stores)
        if first is None or second is None or stores[0] == stores[1]:
            return
        groups = {self.one_store.get(first), self.one_store.get(second)}
        if None in groups or len(groups) > 1:
            raise OneStore(first, second)

    # ------------------------------------------------------------ what the library is written with

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if fn is growing:
            return self.growing(*args)
        if fn is natural:
            return self.not_negative(args[0])
        if fn is standing_in:
            return self.standing_in(*args)
        if fn is taken:
            return self.taken(self.grown(args[0]), args[1])  # type: ignore[arg-type]
        return super().of_structure(fn, args, kwargs)

    def growing(self, called: Expr, *members: Expr) -> Expr:
        assert isinstance(called, Const)
        place = self.filled[-1] if self.filled else None
        rank = self.ranks.get(place, 0) if place is not None and not members else 0
        sample = self.forms.get(place, UNKNOWN) if place is not None and members else UNKNOWN
        made = self.new_list(place[1] if place is not None and rank else called.value, sample)
        for buffer in self.grown(made).buffers:  # type: ignore[union-attr]
            if members and place is not None:
                self.members[buffer] = place
            elif rank:
                self.rank_in[buffer] = rank
        return made

    def not_negative(self, number: Expr) -> Expr:
        result = self.kept(number)
        if isinstance(result, Var):
            self.natural.add(result.name)
        return result

    def standing_in(self, values: Expr, places: Expr, start: Expr, stop: Expr) -> Expr:
        grown, others = self.grown(values), self.grown(places)
        if self.problems and None in (grown, others):  # what has been put into them was refused
            return REFUSED
        assert grown is not None and others is not None, "the elements of rows are in a list that grows"
        if grown.form is not None:
            return self.enter_library(elements_at, (values, places, start, stop), (), "a list in a list")
        where = Call(operator.getitem, (Var(others.buffers[0]), Slice(start, stop)))
        row = self.as_row(Call(operator.getitem, (Var(grown.buffers[0]), where)))
        if self.nested & {*grown.buffers}:
            self.nested.add(row.name)
        return row
