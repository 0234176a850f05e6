"""recall: what a time loop computes in inner loops is recorded once, not computed again twice; part of `derive`.

The reverse of ``for t in ...: for k in ...: state[k] = np.tanh(w[k] * state[k])`` would run the steps of `k` again for
each `t`, record them, and then compute each of them a second time to reverse it. Where that costs more than a place in
memory, the loop over `t` records the values that the derivatives read, and its reverse repeats nothing.

Why it is right: a reverse loop that repeats statements of its forward loop has, in the same iterations, the same values
(`srcad.analysis.replays`). The forward loop stands by itself in the function, and all loops around a value have bounds
that it does not change; so each value has a place of its own in a record that is made beforehand. Who reads it stands
in the same loops and branches as who wrote it. A record takes, for an iteration, no more than an array that the loop
works on. Where iterations remember nothing of each other, all of them together record no more than an array that is
there before the loop, products of matrices apart: each of their elements took a loop. An iteration whose reverse
follows it at once may have two such loops inside; then the record is its own, and worth it for an `exp` alone.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import is_view, stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names, is_element, value_reads, values_of
from srcad.analysis.replays import Path, Replays, Where
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Function, Let, Param, Stmt, Store, Var
from srcad.lang.recursive import Instance, called
from srcad.lang.types import Type
from srcad.transforms.context import Context, is_bar
from srcad.transforms.dead_code import dead_code
from srcad.transforms.recalled import Atom, Recalled
from srcad.transforms.slots import Slots
from srcad.transforms.work import functions, is_dear, is_product, rounds, work

AGAIN: Atom = "again", "", 0  # what has to be computed again
_WORTH = 0.9  # of the work, at most, is left: a product of matrices less, of three


def recall(ctx: Context, fn: Function, contents: list[str]) -> Function:
    """A derivative whose loops record what is dear, where that is less work; of arrays the `contents` are needed."""
    return _recalled(ctx, fn, contents, fn, lambda body: body)


def _recalled(
    ctx: Context, fn: Function, contents: list[str], part: Function, whole: Callable[[Block], Block]
) -> Function:
    """The same for the loops of one block: the body of `part`, which is `fn` or an iteration of one of its loops.

    `whole` puts another block in its place.
    """
    loops = [stmt for stmt in part.body if isinstance(stmt, For) and stmt.flag is None]
    for position, forward in enumerate(loops):
        back = [loop for loop in loops if loop.index == forward.index and loop is not forward]
        if len(back) != 1 or back[0] in loops[:position] or _in_segments(forward) or called(forward.body, Instance):
            continue
        if _is_replayed(ctx, forward):  # what is known of replays is how they follow from the first run
            continue
        code = Needs(ctx, part, forward, back[0], part is not fn).recorded()
        code = None if code is None else dead_code(whole(code), contents=contents)
        if code is not None and _gains(code, fn.body, part is not fn) and work(code) < _WORTH * work(fn.body):
            return recall(ctx, replace(fn, body=code), contents)
    for position, loop in enumerate(part.body):
        if isinstance(loop, For) and loop.flag is None and not _in_segments(loop):
            inner = _iteration(ctx, part, position)
            found = _recalled(ctx, fn, contents, inner, functools.partial(_placed, part.body, position, whole))
            if found is not fn:
                return found
    return fn


def _gains(code: Block, before: Block, own: bool) -> bool:
    """Whether records spare loops; or functions of elements, where each iteration has records of its `own`."""
    return rounds(code) < rounds(before) or own and functions(code) < functions(before)


def _is_replayed(ctx: Context, loop: For) -> bool:
    """Whether a loop computes something that another has computed before."""
    return any(ctx.buffers.firsts.get(name, name) != name for name in walk.assigned((loop,)))


def _placed(block: Block, position: int, whole: Callable[[Block], Block], body: Block) -> Block:
    """All statements, with another body of the loop at a place of a block."""
    loop = block[position]
    assert isinstance(loop, For)
    return whole((*block[:position], replace(loop, body=body), *block[position + 1 :]))


def _iteration(ctx: Context, part: Function, position: int) -> Function:
    """An iteration of a loop as a function of what is known before it."""
    loop = part.body[position]
    assert isinstance(loop, For)
    names = (walk.defined(part.body[:position]) - walk.assigned(loop.body)) | {loop.index}
    known = tuple(Param(name, ctx.types[name]) for name in sorted(names) if name in ctx.types)
    return replace(part, params=(*part.params, *known), body=loop.body)


def _in_segments(loop: For) -> bool:
    """Whether a loop is one of those that record little, as the user wants it."""
    return any(stmt.origin.note for stmt in walk.statements((loop,)) if isinstance(stmt, For))


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

    def __post_init__(self) -> None:
        self.replays = Replays.of(self.forward, self.back, self.ctx.buffers.firsts)
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
        return Recalled(self.ctx, self.fn, self.forward, self.back, self.replays, self.slots).code(self.places())

    def places(self) -> list[tuple[Atom, str, tuple[Path, int]]]:
        """What is recorded: as what, under which first name, and where."""
        found = []
        for atom in sorted(self.chosen, key=lambda atom: atom[::-1]):
            how, source, order = atom
            where = self.replays.every[order]
            place: tuple[Path, int] | None
            if how in ("value", "result"):
                place = self.replays.same(where)
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
        needed = self.atoms(name, by)
        if (AGAIN in needed or len(needed - self.chosen) > 1) and self.recordable(name):
            needed = frozenset({("value", name, self.replays.lets[name].order)})  # type: ignore[union-attr]
        self.chosen |= needed - {AGAIN}

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
            self.known[name] = self.of_let(name, where)
        return self.known[name]

    def result(self, name: str, by: Where) -> frozenset[Atom]:
        """A name that a loop carries, read behind the loop."""
        loop = self.replays.results[name]
        if loop is None or by.order < loop.order or by.path[: len(loop.path)] != loop.path:
            return frozenset({AGAIN})
        there = id(loop.stmt) not in by.around and self.replays.same(loop) is not None
        allowed = there and self.slots.fits(self.replays.loops.get(loop.path), self.ctx.types[name])
        return frozenset({("result", name, loop.order) if allowed else AGAIN})

    def of_let(self, name: str, where: Where) -> frozenset[Atom]:
        assert isinstance(where.stmt, Let)
        value = where.stmt.value
        if (tape := tape_read(value)) is not None:
            if tape not in self.own:
                return frozenset()
            return frozenset({("through", name, where.order) if self.through(value, name) else AGAIN})
        if is_view(value):
            changes = any(self.changes(base) for base in walk.names(value))
            return frozenset({AGAIN}) if changes else self.operands(value, where)
        if any(map(self.changes, value_reads(value))):
            if not self.recordable(name):
                return frozenset({("copy", name, where.order) if self.is_copy(name, where) else AGAIN})
        elif not is_dear(value) or not self.recordable(name):
            return self.operands(value, where)
        return frozenset({("value", name, where.order)})

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

        place = self.replays.moment(where, matters)
        return None if place is None else self.bound(place, self.replays.first(source))

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


def tape_read(value: Expr) -> str | None:
    """The record that a value is read from."""
    match value:
        case Call(args=(Var(name), *_)) if name.endswith("~tape"):
            return name
    return None


def _reverses(stmt: Stmt) -> bool:
    """Whether a statement, or one inside it, is about cotangents."""
    return any(map(is_bar, walk.assigned((stmt,)) | stored_names((stmt,))))
