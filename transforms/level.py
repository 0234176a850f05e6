"""Lists of lists of one length whose rows are taken at places that nobody knows; part of `inline`.

Such a list is an array of rows from where it is made, as if a loop had filled it, so that loops stay loops and rows can
change places: ``M[k], M[p] = M[p], M[k]``. Which lists are meant turns out where they are read and changed; everything
is inlined once more then.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from srcad.lang import walk
from srcad.lang.ir import Block, Const, Expr, For, Function, Slice, Tuple, Var, hint
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, TupleType, Type
from srcad.transforms.appends import is_resized
from srcad.transforms.callers import may_be_list
from srcad.transforms.learnt import Learnt, Levelled, Place
from srcad.transforms.ragged import Ragged


class Level(Ragged):
    """Makes arrays of lists of lists; `level` has where these lists are made."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.level: dict[Place, None] = {}
        self.rows_at: list[tuple[Expr, str]] = []  # rows of lists at places that are not known, and the lists
        self.row_of: dict[str, str] = {}  # the same for names of such rows

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.level = learnt.level
        self.callers.lists = frozenset(learnt.callers_lists)

    def let(self, target: str, value: Expr | None) -> None:
        super().let(target, value)
        self.row_of[target] = next((name for row, name in self.rows_at if row is value), target)
        if isinstance(value, (Tuple, Var)) and not self.changing:
            self.level_out(target)

    def loop_over(self, stmt: For) -> None:
        self.level_all(stmt.body)
        super().loop_over(stmt)

    def around(self, body: Block, loop: For | None, bounds: tuple[Expr, ...]) -> Callable[[], None]:
        self.level_all(body)
        return super().around(body, loop, bounds)

    def level_all(self, body: Block) -> None:
        """Make arrays of the lists that have all their rows before a loop or a branch."""
        for name in sorted(walk.mentioned(body)):
            if isinstance(meaning := self.frame.meaning(name), Var) and not is_resized(body, name):
                self.level_out(meaning.name)

    def level_out(self, target: str) -> None:
        """Make an array of a list that has all its rows, if it is one of those."""
        root = self.links.get(target, (target, ()))[0]
        if self.places.get(root) in self.level and root not in self.outside and is_level(self.types.get(root)):
            others = [name for name, link in self.links.items() if link == (root, ())]
            self.owned.add(root)
            rows = self.rows_of(root) if has_rows(self.types[root]) else ()
            grown = self.ready(hint(target), root, UNKNOWN, Const(0), rows)
            if rows and grown is not None:
                self.nested.add(grown.buffers[0])
            for other in others:
                self.let(other, Var(root))

    def at_unknown(self, place: Expr, index: Expr, stored: bool) -> None:
        """Once more, with an array in the place of a list, if its index is not known and that has not been tried."""
        root = self.links.get(place.name, (place.name, ()))[0] if isinstance(place, Var) else ""
        made, found = self.places.get(root), self.types.get(root)
        if stored:
            may_be_list(self, self.row_of.get(root, root))
        unknown = made not in self.level and not isinstance(index, (Const, Slice, Tuple))
        if made is not None and unknown and is_level(found) and (has_rows(found) or stored and root in self.outside):
            raise Levelled(made)

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        self.at_unknown(place, key, True)
        return super().put(place, key, value)

    def shared(self, name: str) -> None:
        root = self.links.get(name, (name, ()))[0]
        may_be_list(self, self.row_of.get(root, root))
        super().shared(name)

    def uneven_at(self, place: Place | None) -> None:
        opened = (self.places.get(whole.name) for whole in self.callers.wholes.values() if isinstance(whole, Var))
        if place is not None and place not in self.level and place in opened:
            raise Levelled(place)
        super().uneven_at(place)

    def of_static(self, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
        found = super().of_static(fn, args)
        if found is None and fn is operator.getitem:
            self.at_unknown(args[0], args[1], False)
        elif isinstance(found, Tuple) and isinstance(args[0], Var):
            self.rows_at.append((found, args[0].name))
        return found


def is_level(found: Type | None) -> bool:
    """Whether something is a list of numbers, or one of lists of one length, which have numbers in them."""
    if not isinstance(found, TupleType) or found.form != LIST or len({*found.items}) != 1:
        return False
    row = found.items[0]
    return row == UNKNOWN or isinstance(row, TupleType) and row.form == LIST and {*row.items} == {UNKNOWN}


def has_rows(found: Type | None) -> bool:
    return isinstance(found, TupleType) and isinstance(found.items[0], TupleType)
