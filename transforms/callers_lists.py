"""Lists of their callers that functions which call themselves make longer or shorter; part of `inline`.

``path.append(i)`` in such a function changes the list of whoever called it first. The list's buffers and its length are
names around the function that it changes: arguments and results of it, as a nonlocal number is. A list that is an
argument is known by its name, so that each function is made for the lists that it is given. Such a list gets room for
one element when one is appended: nobody else holds the buffer, and what it was before is still there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from srcad.lang import walk
from srcad.lang.ir import Block, Const, Expr, For, Function, hint
from srcad.lang.types import UNKNOWN, TupleType, Type
from srcad.transforms.containers import Grows
from srcad.transforms.lengths import Grown, Length
from srcad.transforms.recursive_lists import Changed
from srcad.transforms.sliced import Sliced


class CallersLists(Sliced):
    """Knows the lists that recursive functions change; `shared_names` are their names, `shared_keys` their lengths."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.shared_names: set[str] = set()
        self.shared_keys: set[str] = set()

    def open_to_calls(self, name: str) -> bool:
        """Let recursive functions change a list; whether they may."""
        found = self.types[name]
        if isinstance(found, Grown) and found.key in self.shared_keys:
            return True
        self.shared_names.add(name)
        if name in self.outside:
            raise Grows(name, UNKNOWN)
        return self.ready(hint(name), name, UNKNOWN, Const(0)) is not None

    def counted(self, grown: Grown, name: str) -> None:
        """Let the buffers and the length of a list be names that calls may change."""
        self.shared_keys.add(grown.key)
        if grown.key in self.checked:
            self.checked.discard(grown.key)
            self.reserve(grown, Const(0))
        self.count(grown, hint(name), self.length(grown))
        self.fields |= {*grown.buffers, *walk.names(self.length(grown))}

    def ready(
        self, name: str, target: str, sample: Type, more: Expr | None, rows: tuple[Expr, ...] = ()
    ) -> Grown | None:
        found = self.types[target]
        if isinstance(found, Grown) and found.key in self.shared_keys:
            return found
        if target not in self.shared_names:
            return super().ready(name, target, sample, more, rows)
        grown = super().ready(name, target, sample, Const(0), rows)
        if grown is not None:
            self.counted(grown, target)
        return grown

    def may_change(self, grown: Grown) -> bool:
        if grown.key not in self.shared_keys:
            return super().may_change(grown)
        if grown.key in self.pinned:
            self.shared(self.names_of(grown)[0])
            return False
        self.resized.add(grown.key)
        return True

    def set(self, grown: Grown, position: Expr, value: Expr, rebinds: bool) -> None:
        if rebinds and grown.key in self.shared_keys:
            self.reserve(grown, Const(0))  # branches and calls give the buffer other names, which have what it was
            self.forget_room()
        super().set(grown, position, value, rebinds)

    def form(self, grown: Grown, found: Type) -> None:
        name = min(self.names_of(grown), default="")
        opened = grown.key in self.shared_keys and self.is_news(name, grown, found)
        if opened and name in self.walled - self.outside:
            raise Changed(name, found)
        super().form(grown, found)

    def make_room_for_one(self, grown: Grown) -> None:
        if grown.key in self.shared_keys:
            self.reserve(grown, Const(1))
            self.forget_room()
        else:
            super().make_room_for_one(grown)

    def prepare(self, name: str, target: str, body: Block, loop: For | None, trips: Expr | None) -> Callable[[], None]:
        found = self.types[target]
        if target in self.shared_names or isinstance(found, Grown) and found.key in self.shared_keys:
            self.ready(name, target, self.sample(body, name), Const(0))
            return lambda: None
        return super().prepare(name, target, body, loop, trips)

    def beyond(self, name: str) -> None:
        if self.may_be_list(name) and (name in self.owned or isinstance(self.types[name], Grown)):
            raise Changed(name)
        super().beyond(name)

    def may_be_list(self, name: str) -> bool:
        found = self.types.get(name)
        return isinstance(found, Grown) or isinstance(found, TupleType) and found.form.cls is list

    def forget_room(self) -> None:
        """Where a function begins, and behind a call of it: nobody knows how much room these lists have."""
        for key in self.shared_keys & self.types.keys():
            found = self.types[key]
            if isinstance(found, Length):
                self.types[key] = Length(found.length)
