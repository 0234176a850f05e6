"""Branches and loops over small arrays: what they hand on, element by element; part of `scalars`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.buffers import Buffers, stored_name
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Stmt, Store, Var, While, assert_, hint,
    raise_,
)  # fmt: skip
from srcad.lang.types import INT, Array, Scalar, is_array
from srcad.transforms.cells import Cells, as_element
from srcad.transforms.counters import Counters
from srcad.transforms.writings import Writings

Pairs = list[tuple[str, Expr]]
_HARMLESS = (print, raise_, assert_)  # effects that leave arrays as they are


@dataclass
class Spreader(Writings, Counters):
    """Statements about small arrays, as statements about their elements."""

    @staticmethod
    def of(fn: Function, chosen: set[str], memory: Buffers, fresh: Callable[[str], str]) -> Spreader:
        flags = {s.flag for s in walk.statements(fn.body) if isinstance(s, For) and s.flag}
        moved = {name for s in walk.statements(fn.body) if isinstance(s, Move) for name in s.targets}
        return Spreader(chosen, memory, fresh, flags, moved, Cells(fresh))

    def lost(self) -> set[str]:
        """The arrays that do not work, and those of which no element is read by itself."""
        def first(name: str) -> str:
            return self.copies.get(name, name)

        read = {first(name) for name, numbers in self.cells.numbers.items() if not self.used.isdisjoint(numbers.flat)}
        return {*map(first, self.failed), *({*map(first, self.cells.numbers)} - read)}

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
        for stmt, following in zip(block, (*block[1:], None)):
            self.origin = stmt.origin
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
                self.outside_store(stmt, self.expr(base), self.expr(index))
            case Move():
                self.join(stmt)
            case If():
                self.branch(stmt)
            case For() if (found := self.counts(stmt)) is not None:
                self.unroll(stmt, found)
            case For() | While():
                self.loop(stmt)
            case _:
                if isinstance(stmt, Effect) and stmt.call.fn not in _HARMLESS:
                    self.fail_all(stmt.call)
                self.out.append(walk.map_stmt(self.whole, stmt))

    # ------------------------------------------------------------ joins

    def join(self, stmt: Move) -> None:
        """Hand values on, arrays by their elements."""
        pairs: Pairs = []
        for target, value in zip(stmt.targets, stmt.values):
            value = self.expr(value)
            if target in self.chosen and target not in self.failed:
                pairs += self.handed(target, value)
            else:
                pairs.append((target, self.whole(value)))
        if pairs:
            self.out.append(_extended(Move((), (), stmt.origin), pairs))

    def handed(self, target: str, value: Expr) -> Pairs:
        """The names of the elements of a joined array, with what they are given."""
        kind, given = self.memory.types.get(target), self.elements(value)
        if given is None or not isinstance(kind, Array) or given.shape != kind.shape or kind.dtype == "int64":
            self.fail(target)
            return []
        values = [as_element(part, kind.dtype) for part in given.flat]
        names = self.cells.join(target, kind, self.depth)
        if None in values:
            self.fail(target)
        return [(v.name, self.emit(part)) for v, part in zip(names, values) if part is not None]

    def take(self, stmt: Move) -> None:
        """Let what is handed on stand for the names that it is handed to."""
        values = [self.expr(value) for value in stmt.values]
        cells = [self.cells.numbers[v.name] if isinstance(v, Var) and self.is_cells(v.name) else None for v in values]
        for target, value, numbers in zip(stmt.targets, values, cells):
            if numbers is not None and target in self.chosen and target not in self.failed:
                self.cells.numbers[target] = numbers
                continue
            self.fail_all(value)
            if target in self.chosen:
                self.fail(target)
            self.names[target] = value

    def enter(self, targets: tuple[str, ...]) -> None:
        """Behind the statement that joins names, their elements are what it made them."""
        for target in targets:
            if target in self.cells.joined:
                self.cells.enter(target)

    # ------------------------------------------------------------ branches

    def branch(self, stmt: If) -> None:
        test = self.expr(stmt.test)
        if isinstance(test, Const):
            body, end = _parted(stmt.then if test.value else stmt.orelse)
            self.run(body)
            self.take(end)
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
                self.cells.now[cell] = self.one_of(cell, (one, other), pairs)
        ends = [_parted(side)[1].targets for side in (stmt.then, stmt.orelse)]
        for target in set(ends[0]) ^ set(ends[1]):
            self.failed.update({target} & self.chosen)
        then, orelse = (_with_end(side, more, stmt) for side, more in zip(sides, pairs))
        self.out.append(replace(stmt, test=test, then=then, orelse=orelse))
        self.enter((*ends[0], *ends[1]))

    def one_of(self, cell: int, values: tuple[Expr | None, ...], pairs: list[Pairs]) -> Expr | None:
        """A name for what branches leave in a cell."""
        if any(value is None for value in values):
            return None
        name = self.fresh(self.cells.labels[cell])
        for value, more in zip(values, pairs):
            more.append((name, value))  # type: ignore[arg-type]
        return self.of_cell(cell, name)

    def of_cell(self, cell: int, name: str) -> Var:
        return Var(name, Scalar(self.cells.dtypes[cell]))

    # ------------------------------------------------------------ loops

    def loop(self, stmt: For | While) -> None:
        entry = self.out.pop() if self.out and isinstance(self.out[-1], Move) else Move((), (), stmt.origin)
        assert isinstance(entry, Move)
        headers = [self.expr(e) for e in walk.stmt_exprs(stmt)] if isinstance(stmt, For) else []
        handed = _parted(stmt.body)[1].targets
        for target in handed:
            if target in self.chosen and target not in self.cells.joined:
                self.fail(target)
        self.enter(handed)
        before, known = dict(self.cells.now), dict(self.known)
        carried = {cell: self.fresh(self.cells.labels[cell]) for cell in self.changed(stmt, handed)}
        self.cells.now.update((cell, self.of_cell(cell, name)) for cell, name in carried.items())
        start = dict(self.cells.now)
        test = self.expr(stmt.test) if isinstance(stmt, While) else None
        self.depth += 1
        body = self.block(stmt.body)
        self.depth -= 1
        after, self.cells.now, self.known = self.cells.now, start, known
        for cell in before:
            if before[cell] != after.get(cell) and (cell not in carried or after.get(cell) is None):
                self.cells.now[cell] = None
        self.enter(handed)
        same: dict[str, Expr] = {}
        begin: Pairs = []
        ends: Pairs = []
        for cell, name in carried.items():
            first, last = before[cell], after.get(cell)
            assert first is not None
            if last == self.of_cell(cell, name):
                same[name] = self.cells.now[cell] = first
            else:
                begin.append((name, first))
                ends += [] if last is None else [(name, last)]
        entry, body = _extended(entry, begin), walk.substitute_in(_with_end(body, ends, stmt), same)
        self.out += [entry] if entry.targets else []
        if isinstance(stmt, For):
            for header in headers:
                self.fail_all(header)
            begins, stop, step = headers
            self.out.append(replace(stmt, start=begins, stop=stop, step=step, body=body))
        else:
            assert test is not None
            self.fail_all(test)
            self.out.append(replace(stmt, test=walk.substitute(test, same), body=body))

    def changed(self, loop: For | While, handed: tuple[str, ...]) -> list[int]:
        """The cells with a value that a loop may write to, but those of arrays that it hands on."""
        stores = [name for s in walk.statements(loop.body) if (name := stored_name(s)) is not None]
        sites = frozenset().union(*(self.memory.of(name) for name in stores))
        owned = {k for name in handed if name in self.cells.joined for k in self.cells.numbers[name].flat}
        arrays = [name for name in self.cells.numbers if self.memory.of(name) & sites and self.is_cells(name)]
        found = {int(k) for name in arrays for k in self.cells.numbers[name].flat} - owned
        return sorted(k for k in found if self.cells.now.get(k) is not None)

    def unroll(self, loop: For, found: range) -> None:
        """The iterations of a loop, one after the other."""
        body, end = _parted(loop.body)
        own = sorted(walk.defined(body) | {s.index for s in walk.statements(body) if isinstance(s, For)})
        for turn, count in enumerate(found):
            names = {name: self.fresh(hint(name)) for name in own} if turn else {}
            self.share(names)
            self.names[loop.index] = Const(count, INT)
            self.run(walk.rename(body, names))
            self.take(replace(end, values=tuple(walk.rename_expr(value, names) for value in end.values)))

    def share(self, names: dict[str, str]) -> None:
        """Let new names for arrays share memory as the old ones do."""
        for name, new in names.items():
            if name in self.memory.types:
                self.memory.types[new] = self.memory.types[name]
                self.memory.sites[new] = self.memory.of(name)
            if name in self.memory.views:
                self.memory.views[new] = walk.rename_expr(self.memory.views[name], names)
            if name in self.chosen:
                self.chosen.add(new)
                self.copies[new] = self.copies.get(name, name)


def _parted(block: Block) -> tuple[Block, Move]:
    """The statements of a block, and what it hands on."""
    if block and isinstance(block[-1], Move):
        return block[:-1], block[-1]
    return block, Move((), ())


def _extended(move: Move, pairs: Pairs) -> Move:
    """A move of more names."""
    names, values = zip(*pairs) if pairs else ((), ())
    return replace(move, targets=(*move.targets, *names), values=(*move.values, *values))


def _with_end(block: Block, pairs: Pairs, stmt: Stmt) -> Block:
    """A block that hands on more."""
    if not pairs:
        return block
    body, end = _parted(block)
    return (*body, _extended(replace(end, origin=stmt.origin) if not end.targets else end, pairs))
