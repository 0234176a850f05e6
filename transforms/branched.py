"""Names that hold one list or another, as the branch taken has it; part of `inline`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from srcad.lang.ir import Block, Expr, Let, Stmt, Var
from srcad.lang.types import UNKNOWN, Type
from srcad.transforms import identities, views_ahead
from srcad.transforms.handed import Handed
from srcad.transforms.lengths import Grown, Row, has_rows, of_numbers, with_rows_of
from srcad.transforms.views_ahead import View


@dataclass
class Side:
    """What is known of lists at the end of a path."""

    types: dict[str, Type]
    owned: set[str]
    alone: set[str]
    rows: set[str]
    outside: set[str]
    further: set[str]
    ended: set[str]
    copies: set[str]
    objects: tuple[identities.Known, set[str]]  # which objects copies are of, and what may have been changed
    views: tuple[dict[int | str, View], set[int | str]]  # what is seen of dicts, and which of that these no longer hold


Ends = tuple[list[Stmt], list[Stmt]]
"""What two paths do in their ends."""


class Branched(Handed):
    """Lets a name hold an array at the ends of both branches."""

    def as_new_row(self, array: Expr) -> Var:
        row = super().as_new_row(array)
        self.alone.add(row.name)
        self.passing.add(row.name)
        return row

    def either_list(self, then: Side, orelse: Side, single: set[str]) -> Ends:
        """What the ends of two branches do for names that hold a list in both, and not the same one.

        `single` are the names that only one of them binds.
        """
        self.pairs = set()
        identities.meet(self, then.objects)
        views_ahead.joined(self, then.views[0])
        self.outdated |= then.views[1]
        self.one_sided |= single
        self.owned = then.owned & orelse.owned
        self.alone = then.alone & orelse.alone
        self.rows = then.rows & orelse.rows | (then.rows | orelse.rows) & single
        self.ended = then.ended | orelse.ended
        self.copies = then.copies | orelse.copies
        for name in self.ended:
            then.types.pop(name, None)
            orelse.types.pop(name, None)
        sides, ends = (then, orelse), ([], [])  # type: tuple[Side, Side], Ends
        self.leave_partial(sides)
        rows = then.rows | orelse.rows
        lists = [{name for name, found in side.types.items() if of_numbers(found)} for side in sides]
        unlike = {name for name in lists[0] | lists[1] if then.types.get(name) != orelse.types.get(name)}
        self.half |= dict.fromkeys(((then.rows ^ orelse.rows) | unlike) - single, Row())
        both = lists[0] & lists[1] & unlike - single
        for name in sorted({name for side in sides for name, found in side.types.items()
                            if isinstance(found, Grown) or name in rows | both and of_numbers(found)}):  # fmt: skip
            found = [side.types.get(name) for side in sides]
            plain = (isinstance(each, Grown) or of_numbers(each) or each is None and name in side.rows
                     for each, side in zip(found, sides))  # fmt: skip
            if found[0] is not found[1] and all(plain):
                self.end_alike(name, sides, ends)
                self.half.pop(name, None)
            elif None in found and name not in single:
                self.ended.add(name)
        return ends

    def leave_partial(self, sides: tuple[Side, Side]) -> None:
        """Forget which list a name holds in the end of a branch, if the other branch may not have made it at all."""
        for side, other in (sides, sides[::-1]):
            for name, found in [*side.types.items()]:
                if isinstance(found, Grown) and found.key in self.partial and other.types.get(name) is not found:
                    del side.types[name]

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        """The body of a loop, in which arrays are copies from the start if an iteration leaves them so."""
        while True:
            state, before, known = self.state(), set(self.copies), set(self.valued)
            result = super().repeated(body, then)
            later = self.copies & known - before
            if not later:
                return result
            self.back(state)
            self.copies |= later

    def mix(self, *paths: dict[str, Type]) -> None:
        super().mix(*paths)
        for name in paths[0]:
            found = [types.get(name) for types in paths]
            if None not in found and any(each != found[0] for each in found) and any(map(has_rows, found)):
                joined = functools.reduce(lambda a, b: a and b and with_rows_of(a, b), found)
                self.half |= {} if joined is None else {name: joined}

    def end_alike(self, name: str, sides: tuple[Side, Side], ends: Ends) -> None:
        """Let a name hold an array at the ends of both branches."""
        outer, alone, lists = self.types, True, [side.types.get(name) for side in sides]
        if any(of_numbers(found) and name not in side.owned for found, side in zip(lists, sides)):
            self.copies.add(name)
        for side, other, end in zip(sides, sides[::-1], ends):
            self.types, found = side.types, side.types.get(name)
            if found is None:
                alone &= name in side.alone
                continue
            alone &= self.let_go(name, name) if isinstance(found, Grown) else name in side.owned
            like = self.fresh("t")
            self.types[like] = other.types.get(name, UNKNOWN)
            end.append(Let(name, self.as_numbers(Var(name), Var(like)), self.origin))
        self.types = outer
        for side, found in zip(sides, lists):
            side.types.pop(name, None)
            self.stands_for_list(name, alone, found if isinstance(found, Grown) else None)

    def side(self) -> Side:
        """What is known of lists at the end of a path."""
        known = (self.owned, self.alone, self.rows, self.outside, self.further, self.ended, self.copies)
        objects = dict(self.known), set(self.stale)
        views = dict(self.views), set(self.outdated)
        return Side(self.types, *map(set, known), objects, views)  # type: ignore[call-arg, arg-type]

    def back_to(self, side: Side) -> None:
        """Know what was known when a branch began."""
        self.owned, self.alone, self.rows = set(side.owned), set(side.alone), set(side.rows)
        self.ended, self.copies = set(side.ended), set(side.copies)
        self.outside, self.further, self.pairs = side.outside, side.further, set()
        self.known, self.stale = dict(side.objects[0]), set(side.objects[1])
        self.views, self.outdated = {**self.views, **side.views[0]}, set(side.views[1])
