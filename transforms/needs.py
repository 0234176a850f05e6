"""needs: what the statements about cotangents need of what a reverse loop computes again; part of `recall`.

A value is recorded where it is computed, or its array is: as a copy, before the loops that only read it, or where the
reverse loop has a record of its own. What the forward loop writes for good is read where it is, and not recorded.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from srcad.analysis.buffers import is_view, stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names, is_element, value_reads, values_of
from srcad.analysis.replays import Path, Replays, Where
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Function, Let, Stmt, Store, Var, While
from srcad.lang.types import Type
from srcad.transforms.context import Context, is_bar
from srcad.transforms.recalled import FINAL, Atom, Recalled
from srcad.transforms.slots import Slots
from srcad.transforms.work import is_dear, is_product

AGAIN: Atom = "again", "", 0  # what has to be computed again


@dataclass
class Needs:
    """Finds what the statements of a reverse loop that are about cotangents need of what it computes again."""

    ctx: Context
    fn: Function
    forward: For
    back: For
    passing: bool
    known: dict[str, frozenset[Atom]] = field(default_factory=dict)
    chosen: set[Atom] = field(default_factory=set)
    instead: dict[Atom, frozenset[Atom]] = field(default_factory=dict)  # of what one is recorded in their place

    def __post_init__(self) -> None:
        buffers = self.ctx.buffers
        self.replays = Replays.of(self.forward, self.back, buffers.firsts, buffers.parts)
        self.classes = Classes.of(self.back.body)
        stored = {name for name in stored_names(self.back.body) if not name.endswith(("~bar", "~tape"))}
        self.changing = {self.classes.find(name) for name in stored}
        self.slots = Slots.of(self.ctx, self.fn, self.forward, self.passing)
        self.own = walk.defined(self.back.body)

    def recorded(self) -> Block | None:
        """The code with records; None if there are none to make."""
        for where in self.replays.every:
            if _reverses(where.stmt):
                names = sorted(set().union(*map(values_of, walk.stmt_exprs(where.stmt))))
                for name in itertools.filterfalse(is_bar, names):
                    self.demand(name, where)
                    if self.changes(name) and self.may_copy(name, where):
                        self.chosen.add(("at", name, where.order))
        self.chosen -= {one for one, several in self.instead.items() if several <= self.chosen}
        return Recalled(self.ctx, self.fn, self.forward, self.back, self.replays, self.slots).code(self.places())

    def places(self) -> list[tuple[Atom, str, tuple[Path, int]]]:
        """What is recorded: as what, under which first name, and where."""
        found = []
        for atom in sorted(self.chosen, key=lambda atom: atom[::-1]):
            how, source, order = atom
            where = self.replays.every[order]
            place: tuple[Path, int] | None
            if how == FINAL:
                place = where.path, where.position  # nothing is recorded there
            elif how in ("value", "result"):
                place = self.replays.same(where)
            elif how == "before":
                source = array_of(self.replays.lets[source].stmt.value)  # type: ignore[union-attr]
                place = self.moment(where, source)
            else:
                if how != "at":
                    assert isinstance(where.stmt, Let) and isinstance(where.stmt.value, Call)
                    where = self.through(where.stmt.value, source) or where if how == "through" else where
                    value = where.stmt.value if isinstance(where.stmt, Store) else where.stmt.value.args[0]
                    assert isinstance(value, Var)
                    source = value.name
                place = self.moment(where, source)
            assert place is not None
            found.append((atom, self.replays.first(source), place))
        return found

    # ------------------------------------------------------------ what is needed

    def demand(self, name: str, by: Where) -> None:
        self.chosen |= self.least(name, self.atoms(name, by), self.chosen) - {AGAIN}

    def atoms(self, name: str, by: Where) -> frozenset[Atom]:
        """What has to be recorded so that a name can be had without running loops again."""
        if name not in self.own or name.endswith("~tape"):
            return frozenset()
        if name in self.replays.results:
            return self.result(name, by)
        where = self.replays.lets.get(name)
        if where is None:
            return frozenset({AGAIN})
        if name not in self.known:
            self.known[name] = frozenset({AGAIN})
            self.known[name] = self.least(name, self.of_let(name, where), set())
        return self.known[name]

    def least(self, name: str, needed: frozenset[Atom], chosen: set[Atom]) -> frozenset[Atom]:
        """One record of a value, where several others would be needed beside those that are `chosen`."""
        dear = {atom for atom in needed - chosen if atom[0] != FINAL}
        if (AGAIN in needed or len(dear) > 1) and self.recordable(name):
            one: Atom = "value", name, self.replays.lets[name].order  # type: ignore[union-attr]
            self.instead[one] = needed
            return frozenset({one})
        return needed

    def result(self, name: str, by: Where) -> frozenset[Atom]:
        """A name that a loop carries, read behind the loop."""
        loop = self.replays.results[name]
        if loop is None or by.order < loop.order or by.path[: len(loop.path)] != loop.path:
            return frozenset({AGAIN})
        there = id(loop.stmt) not in by.around and self.replays.gives(loop, name)
        allowed = there and self.slots.fits(self.replays.loops.get(loop.path), self.ctx.types[name])
        return frozenset({("result", name, loop.order) if allowed else AGAIN})

    def of_let(self, name: str, where: Where) -> frozenset[Atom]:
        assert isinstance(where.stmt, Let)
        value = where.stmt.value
        if self.replays.final(name, self.ctx.lasting, self.slots.known) is not None:
            return frozenset({(FINAL, name, where.order)})
        if (tape := tape_read(value)) is not None:
            if tape not in self.own:
                return frozenset()
            return frozenset({("through", name, where.order) if self.through(value, name) else AGAIN})
        if is_view(value):
            changes = any(self.changes(base) for base in walk.names(value))
            return frozenset({AGAIN}) if changes else self.operands(value, where)
        if any(map(self.changes, value_reads(value))):
            if not self.recordable(name):
                return frozenset({self.of_array(name, where, value)})
        elif self.is_part_of_copy(value, where) and self.recordable(name):
            pass
        elif not is_dear(value) or not self.recordable(name):
            return self.operands(value, where)
        return frozenset({("value", name, where.order)})

    def of_array(self, name: str, where: Where, value: Expr) -> Atom:
        """A value that is not recorded itself, but the array that it comes from."""
        if self.is_copy(name, where):
            return "copy", name, where.order
        outer = self.untouched(value, where) if is_element(value) else None
        return AGAIN if outer is None else ("before", name, outer.order)

    def untouched(self, value: Expr, where: Where) -> Where | None:
        """The outermost loop around a reading in which nobody writes to the array, if that may be recorded there."""
        array = array_of(value)
        for outer in self.replays.every:
            if id(outer.stmt) in where.around and isinstance(outer.stmt, (For, While)):
                written = map(self.classes.find, stored_names((outer.stmt,)))
                if self.classes.find(array) not in written:
                    return outer if self.may_copy(array, outer) else None
        return None

    def is_part_of_copy(self, value: Expr, where: Where) -> bool:
        """Whether a value is an element of a copy, of which the loops around read a part."""
        if not is_element(value) or not isinstance(array := value.args[0], Var):  # type: ignore[union-attr]
            return False
        made = self.replays.lets.get(array.name)
        copied = made is not None and isinstance(made.stmt, Let) and self.is_copy(array.name, made)
        loops = self.replays.loops.get(where.path, ())
        return copied and len(loops) - len(self.replays.loops.get(made.path, ())) < array.type.ndim  # type: ignore

    def operands(self, value: Expr, where: Where) -> frozenset[Atom]:
        return frozenset().union(*(self.atoms(name, where) for name in sorted(values_of(value))))

    def changes(self, array: str) -> bool:
        return self.classes.find(array) in self.changing

    # ------------------------------------------------------------ what can be recorded

    def recordable(self, name: str) -> bool:
        """Whether a value that the forward loop computes, too, may be recorded there.

        An element that another iteration reads again, unchanged, is no value of its own.
        """
        place, where = self.replays.place(name), self.replays.lets.get(name)
        if place is None or where is None or self.changes(name):
            return False
        assert isinstance(where.stmt, Let)
        value = where.stmt.value
        if is_view(value) or not self.fits(place[0], self.ctx.types[name], is_product(value)):
            return False
        around = self.replays.loops[place[0]][1:] if is_element(value) else ()
        return all(loop.index in walk.names(value) or self.writes(loop, value) for loop in around)

    def writes(self, loop: For, value: Expr) -> bool:
        """Whether a loop of the forward loop writes to the array of an element, which is given by its second name."""
        [array] = value_reads(value) - content_names(value.args[1])  # type: ignore[union-attr]
        first = self.replays.first(array)
        return any(self.ctx.buffers.may_share(name, first) for name in stored_names(loop.body))

    def is_copy(self, name: str, where: Where) -> bool:
        """Whether a value is a copy of an array that changes, which the reverse loop alone makes."""
        match where.stmt:
            case Let(_, Call(np.copy, (Var(source),))) if not self.changes(name):
                return self.may_copy(source, where)
        return False

    def may_copy(self, array: str, where: Where) -> bool:
        """Whether what an array holds, when the reverse loop comes to a statement, may be recorded."""
        known = self.has(array) and self.fits(where.path, self.ctx.types[array])
        return known and self.moment(where, array) is not None

    def through(self, value: Expr, name: str) -> Where | None:
        """Where the reverse loop writes to a record of its own, if the forward loop may do so in its place."""
        tape = tape_read(value)
        writers = [w for w in self.replays.every if isinstance(w.stmt, Store) and walk.names(w.stmt.base) == {tape}]
        where = self.replays.lets.get(name)
        if len(writers) != 1 or where is None or self.changes(name) or where.path != writers[0].path:
            return None
        [writer] = writers
        assert isinstance(writer.stmt, Store)
        source = writer.stmt.value
        if not isinstance(source, Var) or not self.has(source.name) or not self.fits(writer.path, source.type):
            return None
        return writer if self.moment(writer, source.name) is not None else None

    def has(self, name: str) -> bool:
        """Whether the forward loop has what the reverse loop computes again under a name."""
        first = self.replays.first(name)
        return name in self.own and (first in walk.defined(self.forward.body) or first in self.slots.known)

    def fits(self, path: Path, kind: Type, product: bool = False) -> bool:
        return self.slots.fits(self.replays.loops.get(path), kind, product)

    def moment(self, where: Where, source: str) -> tuple[Path, int] | None:
        leader = self.classes.find(source)

        def matters(stmt: Stmt) -> bool:
            return any(self.classes.find(n) == leader for n in stored_names((stmt,)) | walk.assigned((stmt,)))

        first = self.replays.first(source)

        def changes(stmt: Stmt) -> bool:
            stored = stored_names((stmt,))
            return first in walk.assigned((stmt,)) or any(self.ctx.buffers.may_share(n, first) for n in stored)

        place = self.replays.moment(where, matters, changes)
        return None if place is None else self.bound(place, first)

    def bound(self, place: tuple[Path, int], name: str) -> tuple[Path, int] | None:
        """The place, or the one behind it where the forward loop names a view that the reverse loop begins with."""
        (path, position), (other, last) = place, self.replays.bound.get(name, ((), -1))
        if path[: len(other)] != other:
            return None
        if path != other or last < position:
            return place
        between = self.replays.blocks[path][position:last]  # type: ignore[index]
        changed = any(self.ctx.buffers.may_share(stored, name) for stored in stored_names(between))
        return None if changed else (path, last + 1)


def array_of(element: Expr) -> str:
    """The array that an element is read from."""
    assert isinstance(element, Call) and isinstance(element.args[0], Var)
    return element.args[0].name


def tape_read(value: Expr) -> str | None:
    """The record that a value is read from."""
    match value:
        case Call(args=(Var(name), *_)) if name.endswith("~tape"):
            return name
    return None


def _reverses(stmt: Stmt) -> bool:
    """Whether a statement, or one inside it, is about cotangents."""
    return any(map(is_bar, walk.assigned((stmt,)) | stored_names((stmt,))))
