"""Loops over elements, put together from the lines that they do; part of `elementwise`."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.live import Names
from srcad.analysis.affine import ZERO, less, upto
from srcad.analysis.regions import Region, Regions
from srcad.lang.arrays import index_of, new_array
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Let, Stmt, Store, Var
from srcad.lang.walk import names, stmt_exprs, targets
from srcad.lang.types import FLOAT, INT, Array, Dim, Scalar
from srcad.transforms.elements import beginning, element, is_plain, taken
from srcad.transforms.holding import held, same
from srcad.transforms.lines import ADD, LET, STORE, SUM, Line
from srcad.transforms.passing import Facts, Together, counter_name, not_ahead, not_behind
from srcad.transforms.dear import spreads_numbers

NAMES = "ijklm"


@dataclass
class Sweep(Together):
    """Lines over the same elements, in their order."""

    shape: tuple[Dim, ...]
    lines: list[Line] = field(default_factory=list)

    @staticmethod
    def of(line: Line) -> Sweep:
        """A loop for one line."""
        sweep = Sweep(line.shape)
        sweep.add(line)
        return sweep

    @property
    def stmts(self) -> tuple[Stmt, ...]:
        return tuple(line.stmt for line in self.lines)

    def add(self, line: Line) -> None:
        self.lines.append(line)
        self.note(line)

    def takes(self, line: Line, facts: Facts) -> bool:
        """Whether a line can be done in the same loop, behind the others."""
        if line.shape != self.shape or line.assigned & (self.read | self.assigned):
            return False
        totals = {each.stmt.target for each in self.lines if each.kind == SUM}  # type: ignore[union-attr]
        made = {each.stmt.target for each in self.lines if each.kind == LET}  # type: ignore[union-attr]
        touched = (*line.reads, *filter(None, (line.place,)))
        if totals & line.read or not all(_is_own(region) for region in touched if region.root.name in made):
            return False
        return all(_agree(each, line, facts) for each in self.lines)

    def parted(self, line: Line, facts: Facts) -> tuple[Sweep, Sweep] | None:
        """The loop as two, if the second one can do another line, which adds to neighbours of what it adds to.

        One loop adds to all of them then, so that each element is finished before the next one.
        """
        if line.kind != ADD or len(line.shape) > 1 or line.shape != self.shape:
            return None
        near = [k for k, one in enumerate(self.lines) if one.kind == ADD and one.place.root == line.place.root]  # type: ignore
        for position in range(1, min(near, default=0) + 1):
            first, second = Sweep(self.shape), Sweep(self.shape)
            for k, one in enumerate(self.lines):
                (first if k < position else second).add(one)
            if second.takes(line, facts):
                second.add(line)
                return first, second
        return None

    # ------------------------------------------------------------ as a loop

    def idle(self, behind: Names) -> list[Line]:
        """The lines that gain nothing from the loop: all, where it saves no array that is written and read again, nor
        reads a number once that is spread over a row.
        """
        read = [name for line in self.lines for name in line.read | line.written]
        unread = [line for line in self.lines if line.kind == LET and not {line.stmt.target} & {*read}]  # type: ignore
        plain = [line for line in unread if is_plain(line.value) and not line.where and line.stmt.target in behind]  # type: ignore
        computing = [line for line in self.lines if not is_plain(line.value)]
        saving = any(line.kind != LET or line.stmt.target not in behind for line in computing) or self.scatters()  # type: ignore
        saving = saving or any(line.kind == LET and line.stmt.target in {*read} - behind for line in self.lines)  # type: ignore
        saving = saving or any(spreads_numbers(line.value) or line.rolls() for line in computing)
        return plain if saving and not self.uncounted() else self.lines

    def scatters(self) -> bool:
        """Whether several lines add to one array: neighbours, whose additions belong together."""
        counts = Counter(line.place.root.name for line in self.lines if line.kind == ADD and line.place is not None)
        return any(count > 1 for count in counts.values())

    def uncounted(self) -> list[Line]:
        """All lines, where nobody can tell how many elements there are."""
        return self.lines if any(self.length(axis) is None for axis in range(len(self.shape))) else []

    def written_out(self, behind: Names, fresh: Callable[[str], str], facts: Facts) -> Block:
        """The loop; `behind` is read behind it."""
        lengths = [length for axis in range(len(self.shape)) if (length := self.length(axis)) is not None]
        return _Loop(self, behind, fresh, facts, lengths).written()

    def length(self, axis: int) -> Expr | None:
        """How many elements there are along an axis, best told by an array of all axes."""
        dim = self.shape[axis]
        if isinstance(dim, int):
            return Const(dim, INT)
        regions = [r for line in self.lines for r in (*line.reads, *filter(None, (line.place,)))]
        regions += [r for line in self.lines for leaf in line.where if (r := Regions().of(leaf)) is not None]
        for region in sorted(regions, key=lambda r: r.shape != self.shape):
            own = axis - len(self.shape) + len(region.shape)
            if own >= 0 and region.shape[own] == dim and region.root.name not in self.assigned:
                if (length := region.length(own)) is not None:
                    return length
        return None


def _room(length: Expr) -> Expr:
    """How many elements a new array has: none, where a slice begins behind the end of a short array."""
    short = isinstance(length, Call) and length.fn is operator.sub
    return Call(max, (length, Const(0, INT)), (), INT) if short else length


def _is_own(read: Region) -> bool:
    """Whether each iteration reads its own element of an array, not that of another row or of a transpose."""
    return all(axis.along == k and axis.start == ZERO for k, axis in enumerate(read.axes))


def _agree(first: Line, second: Line, facts: Facts) -> bool:
    """Whether iterations may do the second line right after the first one."""
    written = first.place
    if written is not None:
        for read in second.reads:
            if facts.may_share(written.root.name, read.root.name) and not not_ahead(written, read):
                return False
    if second.place is not None:
        for read in first.reads:
            if facts.may_share(second.place.root.name, read.root.name) and not not_behind(second.place, read):
                return False
    if written is None or second.place is None or first.kind == second.kind == ADD:
        return True
    return not facts.may_share(written.root.name, second.place.root.name) or not_ahead(written, second.place)


@dataclass
class _Loop:
    sweep: Sweep
    behind: Names
    fresh: Callable[[str], str]
    facts: Facts
    lengths: list[Expr]
    held: dict[tuple, Var | None] = field(default_factory=dict)  # elements that are read and written as a number
    numbers: dict[str, Var] = field(default_factory=dict)  # arrays that are a number in the loop
    zero: set[str] = field(default_factory=set)  # of these, those that are zero so far
    before: list[Stmt] = field(default_factory=list)
    ending: list[Stmt] = field(default_factory=list)  # what an iteration stores at its end

    def written(self) -> Block:
        shape = self.sweep.shape
        indices = [Var(counter_name(self.fresh, NAMES), INT) for _ in shape]
        first = [beginning(self.touched(), axis, len(shape)) for axis in range(len(shape))]
        self.counters: list[Expr] = [less(i, start) for i, start in zip(indices, first)]  # type: ignore[misc]
        self.held = dict.fromkeys(held(self.sweep.lines, self.facts))
        body: list[Stmt] = []
        for line in self.sweep.lines:
            body.extend(self.line(line))
        origin = replace(self.sweep.lines[0].stmt.origin, adjoint=all(s.origin.adjoint for s in self.sweep.stmts))
        block = self.direct((*body, *self.ending))
        for index, start, length in zip(reversed(indices), reversed(first), reversed(self.lengths)):
            block = (For(index.name, start, upto(start, length), Const(1, INT), block, None, origin),)
        return (*self.before, *block)

    def touched(self) -> list[Region]:
        """What the loop reads and writes in arrays; those that it makes count from zero."""
        made: dict[str, Array] = {line.stmt.target: line.value.type for line in self.sweep.lines if line.kind == LET}  # type: ignore
        found = [r for line in self.sweep.lines for r in (*line.reads, *filter(None, (line.place,)))]
        new = [Regions().of(Var(name, kind)) for name, kind in made.items() if name in self.behind]
        return [*(r for r in found if r.root.name not in made), *filter(None, new)]

    def direct(self, body: Block) -> Block:
        """A body without numbers that are only stored."""
        reads = Counter(n for stmt in body for e in stmt_exprs(stmt) for n in names(e))
        ending = {s.value.name: s for s in self.ending if isinstance(s, Store) and isinstance(s.value, Var)}
        last = {name: stmt for stmt in body for name in targets(stmt)}
        result: list[Stmt] = []
        for stmt in body:
            match stmt:
                case Let(name, value) if name in ending and reads[name] == 1 and last[name] is stmt:
                    stmt = replace(ending[name], value=value, origin=stmt.origin)
                case Store(_, _, Var(name)) if ending.get(name) is stmt and reads[name] == 1:
                    if isinstance(last[name], Let):
                        continue
            result.append(stmt)
        return tuple(result)

    def line(self, line: Line) -> list[Stmt]:
        stmt = line.stmt
        loads: list[Stmt] = []
        value = element(line.value, lambda leaf: self.at(leaf, line, loads))
        return [*loads, *self.done(line, stmt, value)]

    def done(self, line: Line, stmt: Stmt, value: Expr) -> list[Stmt]:
        match line.kind, stmt:
            case "sum", Let(target):
                total = Var(target, Scalar(stmt.value.type.dtype))  # type: ignore[union-attr]
                self.before.append(Let(target, Const(0.0, FLOAT), stmt.origin))
                return [Accum(total, value, stmt.origin)]
            case "let", Let(target):
                return self.named(stmt, target, value)
        assert line.place is not None
        own = self.numbers.get(line.place.root.name)
        place: Expr = line.place.at(self.counters) if own is None else own
        if own is not None:
            begins = line.kind == STORE or own.name in self.zero
            self.zero.discard(own.name)
            return [Let(own.name, value, stmt.origin) if begins else Accum(own, value, stmt.origin)]
        if (key := same(line.place)) in self.held:
            return self.hold(line, key, value)
        if line.kind == ADD:
            return [Accum(place, value, stmt.origin)]
        assert isinstance(place, Call)
        return [Store(place.args[0], place.args[1], value, stmt.origin)]

    def named(self, stmt: Let, target: str, value: Expr) -> list[Stmt]:
        """An array as a number; if not only the loop reads it, it is made before, and stored into at the end."""
        kind = stmt.value.type  # type: ignore[union-attr]
        assert isinstance(kind, Array)
        array = Var(target, kind)
        if target in self.behind:
            empty = new_array(np.empty, index_of([_room(length) for length in self.lengths]), kind)
            self.before.append(Let(target, empty, stmt.origin))
            place = taken(Regions().of(array), self.counters)
            assert isinstance(place, Call)
            if all(target not in line.read for line in self.sweep.lines if line.stmt is not stmt):
                return [Store(array, place.args[1], value, stmt.origin)]
        self.numbers[target] = number = Var(self.fresh(target), Scalar(kind.dtype))
        if target in self.behind:
            self.ending.append(Store(array, place.args[1], number, stmt.origin))
        if isinstance(value, Const) and value.value == 0.0 and self.next_adds(stmt, target):
            self.zero.add(number.name)
            return []
        return [Let(number.name, value, stmt.origin)]

    def next_adds(self, stmt: Let, target: str) -> bool:
        """Whether the next line that knows an array adds to it."""
        lines = self.sweep.lines
        position = next(k for k, line in enumerate(lines) if line.stmt is stmt)
        following = next((line for line in lines[position + 1 :] if target in line.read | line.written), None)
        return following is not None and following.kind == ADD and target not in following.contents

    def hold(self, line: Line, key: tuple, value: Expr) -> list[Stmt]:
        """An element changed under the name that it has in the loop."""
        assert line.place is not None
        stmt, number = line.stmt, self.held[key]
        if number is not None and line.kind == ADD:
            return [Accum(number, value, stmt.origin)]
        # What it was may still be read, under the name that it had.
        self.ending = [store for store in self.ending if store.value != number]  # type: ignore[union-attr]
        number = self.loaded(line.place, stmt)
        if line.kind == ADD:
            value = Call(operator.add, (line.place.at(self.counters), value), (), number.type)
        return [Let(number.name, value, stmt.origin)]

    def loaded(self, region: Region, stmt: Stmt) -> Var:
        """The number that an element becomes, and its store at the end."""
        kind = region.root.type
        assert isinstance(kind, Array)
        number = Var(self.fresh("_t"), Scalar(kind.dtype))
        self.held[same(region)] = number
        place = region.at(self.counters)
        assert isinstance(place, Call)
        last = next(line.stmt for line in reversed(self.sweep.lines) if line.place and same(line.place) == same(region))
        self.ending.append(Store(place.args[0], place.args[1], number, last.origin))
        return number

    def at(self, leaf: Expr, line: Line, loads: list[Stmt]) -> Expr:
        if not isinstance(leaf.type, Array):  # type: ignore[union-attr]
            return leaf
        region = line.where[leaf]
        own = self.numbers.get(region.root.name)
        if own is None and same(region) in self.held:
            own = self.held[same(region)]
            if own is None:
                own = self.loaded(region, line.stmt)
                loads.append(Let(own.name, region.at(self.counters), line.stmt.origin))
        # A view is read by the name that it has, unless it begins at a variable.
        named = isinstance(leaf, Var) and all(isinstance(a.start, Const) for a in region.axes if a.along is not None)
        return self.element(Regions().of(leaf) if named else region) if own is None else own

    def element(self, region: Region | None) -> Expr:
        """The element of a region; what goes around does so where the loop ends."""
        assert region is not None
        first = len(self.counters) - len(region.shape)
        axes = tuple(a if a.around is None or a.along is None else replace(a, around=self.lengths[first + a.along])
                     for a in region.axes)  # fmt: skip
        return taken(replace(region, axes=axes), self.counters)
