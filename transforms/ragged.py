"""Lists of lists whose lengths differ or change; part of `inline`.

An array holds a list of lists as long as these are of one length. Where it turns out that they are not, everything is
inlined once more, with an object in the place of the list (`srcad.library.rows`). Its rows are objects, too, so that
all names for a row see what becomes of it.
"""

from __future__ import annotations

import operator
from typing import Any

from srcad.lang.forms import REFUSED, listed
from srcad.lang.ir import Call, Const, Expr, Function, Method, Slice, Tuple, Var, element_at, hint, select
from srcad.lang.left import current
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, TupleType
from srcad.library.arrays import Arrays
from srcad.library.rows import Row, Rows
from srcad.transforms.callees import Keywords
from srcad.transforms.handed import changes_list
from srcad.transforms.learnt import Learnt, Place, Uneven
from srcad.transforms.lengths import Grown
from srcad.transforms.outlines import is_mutable
from srcad.transforms.row_stores import RowStores
from srcad.transforms.twins import refuse_twins, row_of, stand_twice
from srcad.transforms.values import class_of_rows

_HOLDING = {Method("append"): Rows.append, Method("insert"): Rows.insert, operator.setitem: Rows.__setitem__}


class Ragged(RowStores):
    """Makes objects of lists of lists; `places` has where lists are made that names hold."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.uneven: dict[Place, None] = {}
        self.places: dict[str, Place] = {}
        self.lists: dict[str, Place] = {}  # of the buffers of lists: where the lists are made
        self.held_at: dict[str, Place] = {}  # of lists that are elements of such: where these are made
        self.holding_copies: set[int] = set()  # the stores in which rows are copies of lists that loops carry
        self.changed_rows: set[int] = set()  # those in which rows are changed

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.uneven = learnt.uneven | current().uneven

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
        made = self.filled_at(place, lambda: self.with_store(place, cls))
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

    def row_into(self, whole: Expr, value: Expr) -> None:
        """Once more, if a loop or a branch puts an element of a list of lists into a list that is none yet."""
        if isinstance(whole, Var) and class_of_rows(value) is Row and self.is_any_list(whole):
            grown = self.grown(whole)
            if grown is not None or whole.name in self.outside:
                self.uneven_at(self.lists.get(grown.buffers[0]) if grown else self.places.get(whole.name))

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

    # ------------------------------------------------------------ what is done with them

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if args and changes_list(fn) and (isinstance(fn, Method) or self.is_any_list(args[0])):
            self.uneven_at(self.source(args[0]))
        if fn in _HOLDING:
            self.grown_into(args[0], args[-1])
            self.row_into(args[0], args[-1])
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
        if fn in (list, tuple, listed) and len(args) == 1:
            return self.invoke(cls.copy, args, ())
        return self.invoke(Rows.in_order, args, kwargs) if fn is sorted and cls is Rows else None

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
        if is_row:
            self.in_one_store(whole, value)
        elif not self.is_tuple(value):
            self.uneven_at(self.source(value))
            if is_part(value):
                return self.held_by_others("values")
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
        self.holding_copies.add(id(self.store_of(row).value))
        return self.may_change_rows(row, False)

    def may_change_rows(self, row: Expr, changes: bool = True) -> bool:
        """Whether rows of a store may change: not if some are copies of lists that have names."""
        store = id(self.store_of(row).value)
        self.changed_rows |= {store} if changes else set()
        if store in self.changed_rows & self.holding_copies:
            self.refuse("a list that a loop carries, put into another one and changed there, is not supported",
                        "a copy in the other one: list(xs)")  # fmt: skip
        return store not in self.changed_rows & self.holding_copies

    def store_at(self, owner: Const, base: Expr, index: Expr, value: Expr) -> None:
        if class_of_rows(owner) is not Row or self.may_change_rows(owner):
            super().store_at(owner, base, index, value)

    def set_item(self, owner: Expr, where: Expr, value: Expr) -> None:
        if class_of_rows(owner) is Rows:
            self.hold(Rows.__setitem__, (owner, where, value))
        else:
            super().set_item(owner, where, value)

    def is_row_now(self, name: str, row: Expr) -> None:
        """Let all names of a list mean a row."""
        found = self.types.get(name)
        if isinstance(found, Grown):
            alone, names = found.key not in self.pinned and not self.is_given(found), self.names_of(found)
        else:
            names, alone = [name], name in self.passing or name in self.alone or name in self.owned
            alone = alone and not self.linked(name)
        if not alone or name in self.walled:
            self.held_by_others(hint(name))
            return
        for each in names:
            super().let(each, row)

    def held_by_others(self, name: str) -> Expr:
        reason = "a list that something else holds, too, put into a list of lists of different lengths"
        return self.refuse(reason, f"a copy: list({name})", name)

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        if self.of_unlike(place):
            self.uneven_at(self.source(place))
        self.grown_into(place, value)
        return super().put(place, key, value)


def is_part(value: Expr) -> bool:
    """Whether an expression is an element of something."""
    if not isinstance(value, Call) or value.fn not in (operator.getitem, element_at):
        return False
    return not isinstance(value.args[1], Slice)
