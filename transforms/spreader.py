"""Statements about small arrays, as statements about their elements; part of `scalars`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import Buffers, stored_name, views_of
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, If, Let, Move, Return, Slice, Stmt, Store, Tuple, Var, While, hint,
)  # fmt: skip
from srcad.lang.types import INT, Array, Scalar, TupleType, is_array
from srcad.transforms.cells import Cells, as_element, is_small, objects, static_index
from srcad.transforms.infer import typed
from srcad.transforms.readings import Readings
from srcad.transforms.spread import nothing, rearranged, spread

Pairs = list[tuple[str, Expr]]
LONGEST = 9  # iterations of a loop that is written out
MOST = 200  # statements that a loop becomes


@dataclass
class Spreader(Readings):
    @staticmethod
    def of(fn: Function, chosen: set[str], memory: Buffers, fresh: Callable[[str], str]) -> Spreader:
        flags = {s.flag for s in walk.statements(fn.body) if isinstance(s, For) and s.flag}
        joined = {name for s in walk.statements(fn.body) if isinstance(s, Move) for name in s.targets}
        return Spreader(chosen, memory, fresh, flags, joined, Cells(fresh))

    def idle(self) -> set[str]:
        """The arrays of which no element is read by itself."""
        kept = {name for name, numbers in self.cells.numbers.items() if self.used.isdisjoint(numbers.flat)}
        return kept

    def named(self, block: Block) -> Block:
        """The statements with the names of elements for intermediate values that are elements."""
        return walk.rename(block, self.better) if self.better else block

    # ------------------------------------------------------------ blocks

    def block(self, block: Block) -> Block:
        outer, self.out = self.out, []
        self.run(block)
        result, self.out = tuple(self.out), outer
        return result

    def run(self, block: Block) -> None:
        """Add what becomes of statements to those that have been made."""
        waiting = list(block)
        while waiting:
            stmt = waiting.pop(0)
            self.origin = stmt.origin
            following = waiting[0] if waiting else None
            if isinstance(stmt, Move) and isinstance(following, For) and self.counts(following) is not None:
                self.take(stmt)
            else:
                self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        match stmt:
            case Let(target, value) if is_array(getattr(value, "type", None)):
                self.array(stmt, target, self.expr(value))
            case Let(target, value):
                self.number(stmt, target, self.expr(value))
            case Store(Var(name), index, value) if self.is_cells(name):
                self.store(name, self.expr(index), self.expr(value))
            case Accum(Call(_, (Var(name), index)), value) if self.is_cells(name):
                self.store(name, self.expr(index), self.expr(value), added=True)
            case Accum(Var(name), value) if self.is_cells(name):
                self.store(name, Const(Ellipsis), self.expr(value), added=True)
            case Store(base, index) | Accum(Call(_, (base, index))):
                self.outside_store(stmt, base, self.expr(index))
            case Move():
                moved = self.move(stmt)
                self.out += [moved] if moved.targets else []
            case If():
                self.branch(stmt)
            case For():
                found = self.counts(stmt)
                if found is None:
                    self.loop(stmt)
                else:
                    self.unroll(stmt, found)
            case While():
                self.loop(stmt)
            case _:
                self.out.append(walk.map_stmt(self.whole, stmt))

    # ------------------------------------------------------------ values

    def array(self, stmt: Let, target: str, value: Expr) -> None:
        """Make an array: its elements, or the array itself."""
        if target in self.chosen and (self.view(target, value) or self.made(target, value)):
            return
        for base in views_of(value):
            if isinstance(base, Var) and self.is_cells(base.name):
                self.fail(base.name)
        self.failed.update({target} & self.chosen)
        self.out.append(replace(stmt, value=self.whole(value)))

    def view(self, target: str, value: Expr) -> bool:
        """A view of cells is the same cells."""
        match value:
            case Call(operator.getitem, (Var(name), index), ()) if self.is_cells(name):
                places = self.places(name, index)
            case Call(args=(Var(name), *_)) if self.is_cells(name) and (order := rearranged(value)) is not None:
                places = order(self.cells.numbers[name])
            case _:
                return False
        if places is None or places.shape != value.type.shape:  # type: ignore[union-attr]
            return False
        self.cells.numbers[target] = places
        return True

    def made(self, target: str, value: Expr) -> bool:
        kind = value.type  # type: ignore[union-attr]
        if nothing(value):
            if kind.dtype != "float64":
                return False
            self.cells.made(target, kind, self.depth)
            return True
        length = len(self.out)
        parts = None if views_of(value) else spread(value, self.elements, self.emit)
        if parts is None or parts.shape != kind.shape:
            del self.out[length:]
            return False
        numbers = self.cells.made(target, kind, self.depth)
        return all([self.hold(int(cell), part, kind.dtype) for cell, part in zip(numbers.flat, parts.flat)])

    def number(self, stmt: Let, target: str, value: Expr) -> None:
        """Give a number its name, unless an element or a constant stands for it."""
        if isinstance(value, Call) and self.reads_cells(value) and isinstance(value.type, Scalar):
            parts = spread(value, self.elements, self.emit)
            if parts is not None and parts.shape == ():
                value = typed(parts.item())
        key = _read(value)
        if key in self.known:
            value = self.known[key]
        if value is not stmt.value and isinstance(value, (Var, Const)) and target not in self.flags:
            self.names[target] = value
            return
        value = self.whole(value)
        self.out.append(replace(stmt, target=target, value=value))
        if key is not None and not self.memory.mutated(key[0]):
            self.known[key] = Var(target, value.type)  # type: ignore[union-attr]

    def store(self, name: str, index: Expr, value: Expr, added: bool = False) -> None:
        """Write to elements."""
        places = self.places(name, index)
        dtype = self.memory.types[name].dtype  # type: ignore[union-attr]
        given = self.elements(value) if places is not None else None
        if places is None or given is None or given.ndim > places.ndim:
            return self.fail(name)
        given = np.broadcast_to(given, places.shape)
        if added:
            self.used.update(places.flat)
        for cell, part in zip(places.flat, given.flat):
            held = self.cells.now[int(cell)]
            if added and held is None or not self.hold(int(cell), Call(operator.add, (held, part)) if added else part, dtype):
                return self.fail(name)

    def outside_store(self, stmt: Store | Accum, base: Expr, index: Expr) -> None:
        """Write to an array that stays one: the elements of a small one each to its place."""
        value = self.expr(stmt.value)
        places = self.places_of(base, index) if isinstance(value, Var) and self.is_cells(value.name) else None
        parts = None if places is None else self.elements(value)
        if parts is None or places is None or parts.ndim > places.ndim:
            self.out.append(walk.map_stmt(self.whole, stmt))
            return
        dtype = base.type.dtype  # type: ignore[union-attr]
        for place, part in zip(places.flat, np.broadcast_to(parts, places.shape).flat):
            part = self.emit(as_element(part, dtype))
            if isinstance(stmt, Store):
                self.out.append(replace(stmt, index=place, value=part))
            else:
                at = Call(operator.getitem, (base, place), (), Scalar(dtype))
                self.out.append(replace(stmt, target=at, value=part))

    def places_of(self, base: Expr, index: Expr) -> np.ndarray | None:
        """The subscripts of the elements behind ``base[i]`` or ``base[i, 1:4]``, if it is known how many these are."""
        kind = typed(Call(operator.getitem, (base, index))).type  # type: ignore[union-attr]
        if not is_small(kind) or kind.dtype != "float64":
            return None
        items = index.items if isinstance(index, Tuple) else (index,)
        numbers = [item for item in items if isinstance(getattr(item, "type", None), Scalar)]
        starts = [_start(item) for item in items[len(numbers) :]]
        if list(items[: len(numbers)]) != numbers or None in starts or len(numbers) + kind.ndim != base.type.ndim:  # type: ignore
            return None
        starts += [0] * (kind.ndim - len(starts))
        found = []
        for place in np.ndindex(*kind.shape):
            at = (*numbers, *(Const(int(k) + first, INT) for k, first in zip(place, starts)))
            found.append(at[0] if len(at) == 1 else Tuple(at, TupleType(tuple(e.type for e in at))))
        return objects(found, kind.shape)

    # ------------------------------------------------------------ joins

    def move(self, stmt: Move) -> Move:
        """What is handed on, arrays by their elements."""
        pairs: Pairs = []
        for target, value in zip(stmt.targets, stmt.values):
            value = self.expr(value)
            if target in self.chosen and target not in self.failed:
                given = self.elements(value)
                kind = self.memory.types.get(target)
                if given is None or not isinstance(kind, Array) or given.shape != kind.shape:
                    self.fail(target)
                    continue
                names = self.cells.join(target, kind, self.depth)
                values = [as_element(part, kind.dtype) for part in given.flat]
                if None in values or kind.dtype == "int64":
                    self.fail(target)
                    continue
                pairs += [(v.name, self.emit(part)) for v, part in zip(names, values)]  # type: ignore[arg-type]
            else:
                pairs.append((target, self.whole(value)))
        return Move(tuple(t for t, _ in pairs), tuple(v for _, v in pairs), stmt.origin)

    def take(self, stmt: Move) -> None:
        """Let what is handed on stand for the names that it is handed to."""
        values = [self.expr(value) for value in stmt.values]
        for target, value in zip(stmt.targets, values):
            if isinstance(value, Var) and self.is_cells(value.name):
                if target in self.chosen and target not in self.failed:
                    self.cells.numbers[target] = self.cells.numbers[value.name]
                else:
                    self.fail(value.name)
            elif target in self.chosen:
                self.fail(target)
            self.names[target] = value

    def enter(self, targets: tuple[str, ...]) -> None:
        for target in targets:
            if target in self.cells.joined:
                self.cells.enter(target)

    def branch(self, stmt: If) -> None:
        test = self.expr(stmt.test)
        if isinstance(test, Const):
            side = stmt.then if test.value else stmt.orelse
            *body, end = side if side and isinstance(side[-1], Move) else (*side, Move((), ()))
            self.run(tuple(body))
            self.take(end)  # type: ignore[arg-type]
            return
        test = self.whole(test)
        before, known = self.cells.now, self.known
        sides, held = [], []
        for side in (stmt.then, stmt.orelse):
            self.cells.now, self.known = dict(before), dict(known)
            sides.append(self.block(side))
            held.append(self.cells.now)
        self.cells.now, self.known = dict(before), known
        pairs: list[Pairs] = [[], []]
        for cell in before:
            one, other = held[0][cell], held[1][cell]
            if one != other:
                self.cells.now[cell] = self.joined(cell, (one, other), pairs)
        ends = [side[-1].targets if side and isinstance(side[-1], Move) else () for side in (stmt.then, stmt.orelse)]
        for target in set(ends[0]) ^ set(ends[1]):
            self.failed.update({target} & self.chosen)
        then, orelse = (_with_end(side, more, stmt) for side, more in zip(sides, pairs))
        self.out.append(replace(stmt, test=test, then=then, orelse=orelse))
        self.enter((*ends[0], *ends[1]))

    def joined(self, cell: int, values: tuple[Expr | None, ...], pairs: list[Pairs]) -> Expr | None:
        """A name for what branches leave in a cell."""
        if None in values:
            return None
        name = self.fresh(self.cells.labels[cell])
        for value, more in zip(values, pairs):
            more.append((name, value))  # type: ignore[arg-type]
        return Var(name, Scalar("float64"))

    # ------------------------------------------------------------ loops

    def loop(self, stmt: For | While) -> None:
        entry = self.out.pop() if self.out and isinstance(self.out[-1], Move) else Move((), (), stmt.origin)
        end = stmt.body[-1] if stmt.body and isinstance(stmt.body[-1], Move) else Move((), ())
        assert isinstance(entry, Move) and isinstance(end, Move)
        headers = [self.expr(e) for e in walk.stmt_exprs(stmt)] if isinstance(stmt, For) else []
        for target in end.targets:
            if target in self.chosen and target not in self.cells.joined:
                self.fail(target)
        self.enter(end.targets)
        before, known = dict(self.cells.now), dict(self.known)
        begin: Pairs = []
        carried: dict[int, str] = {}
        for cell in self.changed(stmt, end.targets):
            if (held := before.get(cell)) is not None:
                carried[cell] = self.fresh(self.cells.labels[cell])
                begin.append((carried[cell], held))
                self.cells.now[cell] = Var(carried[cell], Scalar("float64"))
        test = self.expr(stmt.test) if isinstance(stmt, While) else None
        start = dict(self.cells.now)
        self.depth += 1
        body = self.block(stmt.body)
        self.depth -= 1
        after = self.cells.now
        self.cells.now, self.known = start, known
        ends: Pairs = []
        for cell, name in carried.items():
            value = after.get(cell)
            if value is None:
                self.cells.now[cell] = None
            else:
                ends.append((name, value))
        for cell in before:
            if before[cell] is None and after.get(cell) is not None:
                self.cells.now[cell] = None
        self.enter(end.targets)
        same = {name: dict(begin)[name] for name, value in ends if value == Var(name, Scalar("float64"))}
        body = _with_end(body, [pair for pair in ends if pair[0] not in same], stmt)
        entry = _extended(entry, [pair for pair in begin if pair[0] not in same])
        for cell, name in carried.items():
            if name in same:
                self.cells.now[cell] = same[name]
        body = walk.substitute_in(body, same)
        if entry.targets:
            self.out.append(entry)
        if isinstance(stmt, For):
            first, stop, step = map(self.whole, headers)
            self.out.append(replace(stmt, start=first, stop=stop, step=step, body=body))
        else:
            assert test is not None
            for name in walk.names(test):
                if self.is_cells(name):
                    self.fail(name)
            self.out.append(replace(stmt, test=walk.substitute(test, same), body=body))

    def changed(self, loop: For | While, joined: tuple[str, ...]) -> list[int]:
        """The cells that a loop may write to."""
        stores = [name for s in walk.statements(loop.body) if (name := stored_name(s)) is not None]
        sites = frozenset().union(*(self.memory.of(name) for name in stores))
        owned = {k for name in joined if name in self.cells.joined for k in self.cells.numbers[name].flat}
        arrays = [name for name in self.cells.numbers if self.memory.of(name) & sites and self.is_cells(name)]
        return sorted({int(k) for name in arrays for k in self.cells.numbers[name].flat} - owned)

    def counts(self, loop: For) -> range | None:
        """The counts of a loop that is written out."""
        bounds = [static_index(self.expr(e)) for e in (loop.start, loop.stop, loop.step)]
        if loop.flag is not None or not all(isinstance(b, int) for b in bounds):
            return None
        found = range(*bounds)
        size = sum(1 for _ in walk.statements(loop.body))
        wanted = len(found) <= LONGEST and len(found) * size <= MOST and self.counts_through(loop)
        return found if wanted else None

    def counts_through(self, loop: For) -> bool:
        """Whether a loop counts through the elements of a small array."""
        moving = {loop.index, *walk.assigned(loop.body)}
        for stmt in walk.statements(loop.body):
            for whole in walk.stmt_exprs(stmt):
                for e in walk.subexprs(whole):
                    if isinstance(e, Call) and e.fn is operator.getitem and self.is_counted(e.args[0], e.args[1], moving):
                        return True
            if isinstance(stmt, Store) and self.is_counted(stmt.base, stmt.index, moving):
                return True
        return False

    def is_counted(self, base: Expr, index: Expr, moving: set[str]) -> bool:
        return isinstance(base, Var) and base.name in self.chosen - self.failed and bool(walk.names(index) & moving)

    def unroll(self, loop: For, found: range) -> None:
        """The iterations of a loop, one after the other."""
        *body, end = loop.body if loop.body and isinstance(loop.body[-1], Move) else (*loop.body, Move((), ()))
        own = sorted(walk.assigned(tuple(body)))
        for turn, count in enumerate(found):
            names = {name: self.fresh(hint(name)) for name in own} if turn else {}
            self.memory_of(names)
            self.names[loop.index] = Const(count, INT)
            self.run(walk.rename(tuple(body), names))
            self.take(walk.rename((end,), {k: v for k, v in names.items() if k not in end.targets})[0])

    def memory_of(self, names: dict[str, str]) -> None:
        """Let new names for arrays share memory as the old ones do."""
        for name, new in names.items():
            if name in self.memory.types:
                self.memory.types[new] = self.memory.types[name]
                self.memory.sites[new] = self.memory.of(name)
            if name in self.chosen:
                self.chosen.add(new)


def _read(value: Expr) -> tuple[str, Expr] | None:
    """The array and the constant subscript of an element."""
    match value:
        case Call(operator.getitem, (Var(name), index), (), Scalar()) if static_index(index) is not None:
            return name, index
    return None


def _start(item: Expr) -> int | None:
    """Where a slice without a step begins."""
    match item:
        case Slice(None, _, None):
            return 0
        case Slice(Const(int() as first), _, None) if first >= 0:
            return first
    return None


def _extended(move: Move, pairs: Pairs) -> Move:
    names, values = ((*old, *new) for old, new in zip((move.targets, move.values), (zip(*pairs) if pairs else ((), ()))))
    return replace(move, targets=names, values=values)


def _with_end(block: Block, pairs: Pairs, stmt: Stmt) -> Block:
    """A block that hands on more."""
    if not pairs:
        return block
    end = block[-1] if block and isinstance(block[-1], Move) else None
    rest = block if end is None else block[:-1]
    return (*rest, _extended(end or Move((), (), stmt.origin), pairs))
