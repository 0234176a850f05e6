"""Names that hold one list or another, as the path taken has it: these may not be read; part of `inline`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from srcad.lang import walk
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Block, Expr, Function, Tuple, Var, hint
from srcad.lang.types import Type
from srcad.transforms.lengths import Grown, Length
from srcad.transforms.nests import Nests
from srcad.transforms.outlines import only


REMEDY = "one list that begins before, xs = [], with append in the branches"


class Mixed(Nests):
    """Knows which names hold the same list that grows on all paths."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.mixed: set[str] = set()  # the names that hold one list or another, as the path taken has it
        self.leant: set[tuple[str, Grown]] = set()  # the lists that names have been taken for
        self.called: dict[str, str] = {}  # the names of lists, by their first buffers
        self.counters: set[str] = set()  # the names that count lists
        self.pinned: set[str] = set()  # the lists that are elements of structures, whose length is seen there
        self.partial: set[str] = set()  # the lists that one path of a branch has made, and the other has not
        self.resized: set[str] = set()  # the lists that have become longer or shorter, or got other elements

    def grown(self, expr: Expr) -> Grown | None:
        if not isinstance(expr, Var):
            return None
        self.check_mixed(expr.name)
        found = self.types.get(expr.name)
        if not isinstance(found, Grown):
            return None
        self.leant.add((expr.name, found))
        return found

    def name_list(self, target: str, grown: Grown) -> None:
        """Let a name hold a list."""
        self.types[target] = grown
        if not self.in_library:
            self.called[grown.buffers[0]] = hint(target)

    def is_copied(self, grown: Grown, name: str) -> None:
        """A name holds an array in the place of a list, which is a copy where the elements are structures."""

    def with_rows(self, expr: Expr) -> Expr:
        """A structure with arrays that stand for lists in the place of lists that grow."""
        raise NotImplementedError

    def holding(self, var: Var) -> Expr:
        return REFUSED if self.check_mixed(var.name) else super().holding(var)

    def check_mixed(self, name: str) -> bool:
        if name in self.mixed:
            self.refuse(f"which list {hint(name)!r} is depends on the path taken",
                        REMEDY, hint(name))  # fmt: skip
        return name in self.mixed

    def agree(self, other: dict[str, Type]) -> None:
        before = self.types
        super().agree(other)
        self.mix(before, other)

    def mix(self, *paths: dict[str, Type]) -> None:
        """Names that hold a list on one path, and not the same one on all, may not be read."""
        lists = {name for types in paths for name, found in types.items() if isinstance(found, Grown)}
        self.mixed |= {name for name in lists if not isinstance(self.types.get(name), Grown)}

    def only(self, types: dict[str, Type], names: set[str], other: dict[str, Type]) -> dict[str, Type]:
        """What is known of names that hold a structure or a list if anything: on the `other` path they do not."""
        found = only(types, names)
        for name in sorted(names & types.keys()):
            if isinstance(grown := types[name], Grown):
                self.mixed.discard(name)
                found[name] = grown
                if grown.key in types and grown.key not in other and grown not in other.values():  # a new list
                    found[grown.key] = types[grown.key]
                    self.partial.add(grown.key)
        return found

    def pin(self, value: Expr) -> None:
        """A structure has lists among its elements."""
        for item in value.items if isinstance(value, Tuple) else ():
            if (grown := self.grown(item)) is not None:
                self.pinned.add(grown.key)
            self.pin(item)

    def may_be_written(self, grown: Grown) -> bool:
        """Whether the elements of a list may be replaced: of one of structures, what holds the list has a copy."""
        if grown.form is None:
            return True
        if grown.key in self.pinned:
            self.shared(min(self.names_of(grown), default=grown.buffers[0]))
            return False
        self.resized.add(grown.key)
        return True

    def keep_lengths(self, names: set[str]) -> None:
        """Before names change: the lengths of lists that these names tell get names of their own."""
        for key, found in list(self.types.items()):
            if isinstance(found, Length) and walk.names(found.length) & names - self.counters:
                length, room = self.kept(found.length), found.room
                self.types[key] = Length(length, length if room == found.length else None)

    def names_of(self, grown: Grown) -> list[str]:
        return sorted(name for name, type in self.types.items() if type is grown)

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        before, outside, self.leant = dict(self.types), self.leant, set()
        pinned, resized, self.resized = set(self.pinned), self.resized, set()
        result = super().repeated(body, then)
        for key in sorted((self.pinned - pinned) & self.resized & before.keys()):
            self.shared(min(name for name, type in before.items() if isinstance(type, Grown) and type.key == key))
        self.resized |= resized
        for name, grown in sorted(self.leant, key=lambda pair: pair[0]):
            if before.get(name) is grown and self.types.get(name) is not grown:
                self.carries_another(name)
        self.leant |= outside
        return result
