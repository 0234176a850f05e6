"""Lists of lists whose lengths differ or change; part of `inline`.

An array holds a list of lists as long as these are of one length. Where it turns out that they are not, everything is
inlined once more, with an object in the place of the list (`srcad.library.rows`). Its rows are objects, too, so that
all names for a row see what becomes of it.
"""

from __future__ import annotations

import operator
from typing import Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Expr, Function, Method, Slice, Tuple, Var, hint, select
from srcad.lang.left import current
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, UNKNOWN, TupleType, Type
from srcad.library.arrays import Arrays
from srcad.library.lists import elements_at
from srcad.library.rows import Row, Rows, growing, natural, standing_in, taken
from srcad.transforms.callees import Keywords
from srcad.transforms.handed import changes_list
from srcad.transforms.learnt import Formed, Learnt, Place, Uneven
from srcad.transforms.lengths import Grown, flat
from srcad.transforms.outlines import is_mutable
from srcad.transforms.twins import refuse_twins, row_of, stand_twice
from srcad.transforms.unlike import Unlike
from srcad.transforms.values import class_of_rows

_HOLDING = {Method("append"): Rows.append, Method("insert"): Rows.insert, operator.setitem: Rows.__setitem__}


class Ragged(Unlike):
    """Makes objects of lists of lists; `places` has where lists are made that names hold."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.uneven: dict[Place, None] = {}
        self.forms: dict[Place, Type] = {}
        self.places: dict[str, Place] = {}
        self.lists: dict[str, Place] = {}  # of the buffers of lists: where the lists are made
        self.held_at: dict[str, Place] = {}  # of lists that are elements of such: where these are made
        self.members: dict[str, Place] = {}  # of buffers that hold the elements of rows: where the lists are made

        self.holding_copies: set[int] = set()  # the stores in which rows are copies of lists that loops carry
        self.changed_rows: set[int] = set()  # those in which rows are changed

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.uneven, self.forms = learnt.uneven | current().uneven, learnt.formed

    # ------------------------------------------------------------ where lists are made

    def let(self, target: str, value: Expr | None) -> None:
        place = self.places.get(value.name) if isinstance(value, Var) else None
        if isinstance(value, Tuple) and getattr(self.type_of(value), "form", None) == LIST and self.is_new(value):
            place = self.places.get(target) if self.changing else self.here(target)
            if place in self.uneven and self.ranks.get(place) != 0 and not self.changing:
                value = self.rows_of_lists(value, place)
        self.elements_at(place, value)
        source = self.source(value)
        super().let(target, value)
        for known, found in ((self.places, place), (self.held_at, source)):
            known.pop(target, None)
            if found is not None:
                known[target] = found

    def here(self, target: str) -> Place:
        return self.origin, hint(target), len(self.stack)

    def rows_of_lists(self, value: Tuple, place: Place) -> Expr:
        """The object in the place of a list of lists, or of arrays."""
        cls = Arrays if place in self.ranks else Rows
        self.filled.append(place)
        made = self.invoke(cls, (), ())
        self.filled.pop()
        self.made_at[id(made.value)] = made, place  # type: ignore[attr-defined]
        for item in value.items:
            self.applied(Method("append"), (made, item), ())
        return made

    def ready(self, name: str, target: str, *others: Any) -> Grown | None:
        grown = super().ready(name, target, *others)
        if grown is not None and target in self.places:
            for buffer in grown.buffers:
                self.lists[buffer] = current().lists[buffer] = self.places[target]
        return grown

    # ------------------------------------------------------------ what turns out

    def elements_at(self, place: Place | None, value: Expr | None) -> None:
        """Know of lists with names that they are elements of another one."""
        if isinstance(value, Tuple) and place is not None:
            self.held_at |= {item.name: place for item in value.items if isinstance(item, Var)}

    def source(self, value: Expr | None) -> Place | None:
        """Where the list was made that has a value as an element, if it is a list itself."""
        match value:
            case Var(name):
                return self.held_at.get(name)
            case Tuple([Call(args=(first, *_)), *_], TupleType(form=form)) if form.cls in (list, tuple) and any(
                    value is element for element in self.picked):  # fmt: skip
                return self.lists.get(getattr(first, "name", ""))
            case Call(fn, (_, then, orelse)) if fn is select:
                return self.source(then) or self.source(orelse)
            case Call(operator.getitem, (Var(name), index)) if not isinstance(index, Slice):
                found = self.types.get(name)
                kinds = found.items if isinstance(found, TupleType) and found.form == LIST else ()
                if any(isinstance(kind, TupleType) and kind.form in (LIST, TUPLE) for kind in kinds):
                    return self.places.get(name)
        buffer = self.outer(value) if value is not None and self.is_inner_list(value) else None
        return None if buffer is None else self.lists.get(buffer)

    def uneven_at(self, place: Place | None) -> None:
        """Once more, with an object in the place of a list."""
        if place is not None and place not in self.uneven:
            raise Uneven(place)

    def shared(self, name: str) -> None:
        if self.is_any_list(Var(name)):
            self.uneven_at(self.held_at.get(name))
        super().shared(name)

    def grown_into(self, whole: Expr, value: Expr) -> None:
        """Once more, if a list that grows is put into one of known length, which holds numbers and arrays alone."""
        if isinstance(whole, Var) and isinstance(value, Var) and isinstance(self.types.get(value.name), Grown):
            if getattr(self.types.get(whole.name), "form", None) == LIST:
                self.uneven_at(self.places.get(whole.name))

    def set(self, grown: Grown, position: Expr, value: Expr, rebinds: bool) -> None:
        place = self.lists.get(grown.buffers[0])
        if isinstance(value, Var) and place is not None and self.is_any_list(value):
            self.held_at[value.name] = place
        if self.is_any_list(value) and not self.is_tuple(value) and self.parts(grown, value) is None:
            self.uneven_at(place)
        shared = row_of(self, value)
        super().set(grown, position, value, rebinds)
        if shared is not None:
            self.given.append((shared, self.out[-1]))
            self.rows_in.append(self.out[-1])
        if isinstance(value, Var) and is_mutable(self.types.get(value.name)):
            self.lists_in.append((value.name, self.out[-1]))

    def is_tuple(self, value: Expr) -> bool:
        found = self.type_of(value)
        return isinstance(found, TupleType) and found.form == TUPLE

    def form(self, grown: Grown, found: Type) -> None:
        if grown.buffers[0] not in self.members:
            super().form(grown, found)
        elif flat(found) and found.items:  # type: ignore[attr-defined]
            raise Formed(self.members[grown.buffers[0]], found)

    # ------------------------------------------------------------ what is done with them

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if fn is growing:
            return self.growing(*args)
        if fn is natural:
            return self.not_negative(args[0])
        if fn is standing_in:
            return self.standing_in(*args)
        if fn is taken:
            return self.taken(self.grown(args[0]), args[1])  # type: ignore[arg-type]
        if args and changes_list(fn) and (isinstance(fn, Method) or self.is_any_list(args[0])):
            self.uneven_at(self.source(args[0]))
        if fn in _HOLDING:
            self.grown_into(args[0], args[-1])
        if args and fn is operator.getitem and self.of_unlike(args[0]):
            self.uneven_at(self.source(args[0]))
        cls = class_of_rows(args[0]) if args else None
        if cls is Row and changes_list(fn) and not self.may_change_rows(args[0]):
            return REFUSED
        if cls is not None and (found := self.of_rows(cls, fn, args, kwargs)) is not None:
            return found
        return super().of_structure(fn, args, kwargs)

    def of_unlike(self, element: Expr) -> bool:
        """Whether an expression is an element of lists of different lengths."""
        match element:
            case Call(operator.getitem, (Var(name), index)) if not isinstance(index, (Const, Slice)):
                return len(set(getattr(self.types.get(name), "items", ()))) > 1
        return False

    def of_rows(self, cls: Any, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if cls is Arrays:
            return self.of_unlike_arrays(fn, args, kwargs)
        if cls is Rows and fn in _HOLDING and not kwargs:
            return self.hold(_HOLDING[fn], args)
        if cls is Rows and fn in (Method("extend"), operator.iadd):
            items = self.iterated(args[1])
            if items is None:
                return None
            for item in items:
                self.hold(Rows.append, (args[0], item))
            return Const(None) if isinstance(fn, Method) else args[0]
        if fn in (list, tuple) and len(args) == 1:
            return self.invoke(cls.copy, args, ())
        return None

    def hold(self, method: Any, args: tuple[Expr, ...]) -> Expr:
        """Put a list into a list of lists: its names mean the row from then on."""
        whole, *position, value = args
        is_row = class_of_rows(value) is Row
        if stand_twice(self, value):
            return refuse_twins(self)
        if not is_row and not self.is_any_list(value):
            reason = "something else than a list in a list of lists of different lengths"
            self.refuse(f"{reason} is not supported", "a list of its elements: list(...)")
            self.of_arrays(whole)
            return REFUSED
        other, before = row_of(self, value), len(self.puts)
        row = self.invoke(Rows.own if is_row else Rows.row, (whole, value), ())
        if row is REFUSED:
            return REFUSED
        if other is not None:
            self.rows_in += self.puts[before:]
            self.given += [(other, stmt) for stmt in self.puts[before:]]
        elif isinstance(value, Var) and not is_row and not self.is_tuple(value):
            if value.name not in self.carrying or getattr(self.types.get(value.name), "form", None) is None:
                self.is_row_now(value.name, row)
            elif not self.holds_copy(value, row):
                return REFUSED
        return self.invoke(method, (whole, *position, row), ())

    def holds_copy(self, value: Expr, row: Expr) -> bool:
        """What a loop carries stays a list, of which the row is a copy: neither may change; whether the row has not."""
        self.pin(Tuple((value,)))
        self.holding_copies.add(self.store_of(row))
        return self.may_change_rows(row, False)

    def store_of(self, row: Expr) -> int:
        """The store in which a row is."""
        return id(self.holding(row.value.fields["store"]).value)  # type: ignore[union-attr]

    def may_change_rows(self, row: Expr, changes: bool = True) -> bool:
        """Whether rows of a store may change: not if some are copies of lists that have names."""
        store = self.store_of(row)
        self.changed_rows |= {store} if changes else set()
        if store in self.changed_rows & self.holding_copies:
            self.refuse("a list that a loop carries, put into another one and changed there, is not supported",
                        "a copy in the other one: list(xs)")  # fmt: skip
        return store not in self.changed_rows & self.holding_copies

    def store_at(self, owner: Const, base: Expr, index: Expr, value: Expr) -> None:
        if class_of_rows(owner) is not Row or self.may_change_rows(owner):
            super().store_at(owner, base, index, value)

    def is_row_now(self, name: str, row: Expr) -> None:
        """Let all names of a list mean a row."""
        found = self.types.get(name)
        if isinstance(found, Grown):
            alone, names = found.key not in self.pinned and not self.is_given(found), self.names_of(found)
        else:
            names, alone = [name], name in self.passing or name in self.alone or name in self.owned
            alone = alone and not self.linked(name)
        if not alone or name in self.walled:
            self.refuse("a list that something else holds, too, put into a list of lists of different lengths",
                        f"a copy: list({hint(name)})", hint(name))  # fmt: skip
            return
        for each in names:
            super().let(each, row)

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        if self.of_unlike(place):
            self.uneven_at(self.source(place))
        self.grown_into(place, value)
        return super().put(place, key, value)

    # ------------------------------------------------------------ what the library is written with

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
        assert grown is not None and others is not None, "the elements of rows are in a list that grows"
        if grown.form is not None:
            return self.enter_library(elements_at, (values, places, start, stop), (), "a list in a list")
        where = Call(operator.getitem, (Var(others.buffers[0]), Slice(start, stop)))
        row = self.as_row(Call(operator.getitem, (Var(grown.buffers[0]), where)))
        if self.nested & {*grown.buffers}:
            self.nested.add(row.name)
        return row
