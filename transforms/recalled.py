"""recalled: the two loops with the records that `recall` has decided on; part of `recall`."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Set
from dataclasses import dataclass, field, replace

from srcad.analysis.buffers import stored_names
from srcad.analysis.contents import content_names
from srcad.analysis.replays import Path, Replays
from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, For, Function, If, Let, Stmt, Store, Var, While, hint, is_temporary,
)  # fmt: skip
from srcad.lang.symbols import library_name
from srcad.lang.types import INT, Array, Scalar
from srcad.transforms import decisions
from srcad.transforms.context import Context, strong
from srcad.transforms.describe import describe
from srcad.transforms.slots import Slots

Atom = tuple[str, str, int]  # what is recorded: how, its name in the reverse loop, and at which statement
FINAL = "final"  # what is not recorded: it is still in the arrays of the forward loop


@dataclass
class Recalled:
    """Writes the loops anew."""

    ctx: Context
    fn: Function
    forward: For
    back: For
    replays: Replays
    slots: Slots
    made: list[Stmt] = field(default_factory=list)
    stores: dict[tuple[Path, int], list[Stmt]] = field(default_factory=dict)
    values: dict[str, Expr] = field(default_factory=dict)  # what names of the reverse loop are now
    behind: dict[int, list[tuple[str, Let]]] = field(default_factory=dict)  # what is read behind its loops
    at: dict[int, list[tuple[str, Let]]] = field(default_factory=dict)  # what is read by one statement
    kept: dict[tuple[Path, Hashable], list[tuple[int, Var]]] = field(default_factory=dict)

    def code(self, places: list[tuple[Atom, str, tuple[Path, int]]]) -> Block | None:
        """The function's statements, with records; None without any."""
        for atom, source, (path, position) in places:
            self.record(atom, source, path, position)
        if not places:
            return None
        first = replace(self.forward, body=self.recording(self.forward.body, ()))
        last = replace(self.back, body=self.reading(self.back.body))
        result: list[Stmt] = []
        for stmt in self.fn.body:
            result += [*self.made, first] if stmt is self.forward else [last] if stmt is self.back else [stmt]
        return tuple(result)

    def record(self, atom: Atom, source: str, path: Path, position: int) -> None:
        """Record one value in the forward loop, and read it in the reverse loop."""
        how, name, order = atom
        if how == FINAL:
            found = self.replays.final(name, self.ctx.lasting, self.slots.known)
            assert found is not None
            self.values[name] = found
            return
        block = self.replays.blocks[path]
        assert block is not None
        kind = strong(self.ctx.types[source])
        assert isinstance(kind, (Array, Scalar))
        own = replace(kind, layout="C") if isinstance(kind, Array) else kind
        stmt, read = block[position] if how == "value" else None, Var(source, kind)
        what: Hashable = source
        contents = frozenset((source,))
        if isinstance(stmt, Let):
            what, contents = self.replays.of_expr(stmt.value), content_names(stmt.value) | {source}
        position += how in ("value", "result")
        tape = self.again(block, (path, what), position, contents)
        loops = self.replays.loops[path]
        if tape is None:
            tape, made, sizes = self.slots.record(f"{self.ctx.fresh(self.called(source))}~tape", loops, kind)
            self.ctx.types[tape.name] = tape.type
            self.made.append(made)
            self.stores.setdefault((path, position), []).append(Store(tape, self.slots.slot(loops), read))
            self.kept.setdefault((path, what), []).append((position, tape))
            self.note(tape, read, name, sizes[: len(loops)])
        value = Call(operator.getitem, (tape, self.slots.slot(loops)), (), own)
        if how == "before":  # an element of what is recorded
            _, index = self.replays.lets[name].stmt.value.args  # type: ignore[union-attr]
            value = Call(operator.getitem, (tape, _joined(self.slots.slot(loops), index)), (), self.ctx.types[name])
        if how in ("result", "at"):
            table = self.behind if how == "result" else self.at
            read_by = id(self.replays.every[order].stmt)
            table.setdefault(read_by, []).append((name, Let(self.ctx.again(name), value)))
        else:
            self.values[name] = value

    def again(self, block: Block, what: tuple[Path, Hashable], position: int, contents: Set[str]) -> Var | None:
        """The record of the same at another place of a block, if nothing changes it between the two."""
        for other, tape in self.kept.get(what, ()):
            between = block[min(position, other) : max(position, other)]
            stored = stored_names(between) | (walk.defined(between) if what[1] in contents else set())
            if not any(a == b or self.ctx.buffers.may_share(a, b) for a in stored for b in contents):
                return tape
        return None

    def called(self, source: str) -> str:
        """What a record is called after: a name of the user's, an array whose element is recorded, a function."""
        defined = [s for s in walk.statements(self.forward.body) if isinstance(s, Let) and s.target == source]
        if not is_temporary(source) or not defined:
            return hint(source)
        match defined[0].value:
            case Call(operator.getitem, (Var(array), _)) if not is_temporary(array):
                return hint(array)
            case value:
                name = (library_name(value.fn) or "").split(".")[-1] if isinstance(value, Call) else ""
                return name if name.isidentifier() else describe(value, lambda _: "")

    def note(self, tape: Var, source: Var, name: str, trips: list[Expr]) -> None:
        kind, count = source.type, trips[0]
        for more in trips[1:]:
            count = Call(operator.mul, (count, more), (), INT)
        dims = kind.shape if isinstance(kind, Array) else ()
        assert isinstance(tape.type, Array)
        shown = Array(tape.type.dtype, (tape.type.shape[0], *dims), "C")
        why = decisions.COMPUTED
        self.ctx.decisions.keep(decisions.Record(tape.name, source, name, self.forward.origin, why, shown, count))

    def recording(self, block: Block, path: Path) -> Block:
        """A block of the forward loop, with what it records."""
        result: list[Stmt] = []
        for position, stmt in enumerate(block):
            result += self.stores.get((path, position), ())
            inner = [self.recording(body, (*path, step)) for step, body in self.replays.inside(stmt)]
            result.append(_with_blocks(stmt, inner))
        return (*result, *self.stores.get((path, len(block)), ()))

    def reading(self, block: Block) -> Block:
        """A block of the reverse loop that reads records."""
        names: dict[str, str] = {}
        taken: dict[Expr, str] = {}  # what is read from records for one statement, and for the next
        result: list[Stmt] = []
        for stmt in block:
            new = walk.map_stmt(lambda e: e, stmt, self.reading)
            if isinstance(new, Let) and new.target in self.values:
                new = replace(new, value=self.values[new.target])
            first = self.at.get(id(stmt), ())
            result += [let for _, let in first if taken.setdefault(let.value, let.target) == let.target]
            result += self.renamed(new, names | {name: taken[let.value] for name, let in first})
            for name, let in self.behind.get(id(stmt), ()):
                result.append(let)
                names[name] = let.target
        return tuple(result)

    def renamed(self, stmt: Stmt, names: dict[str, str]) -> Block:
        """A statement that reads other names, and asks no array of the iteration for its length."""
        return walk.map_block(lambda e: self.length(walk.renamed(e, names)), (stmt,))

    def length(self, expr: Expr) -> Expr:
        """The length of an array as it is known before the loops, so that nobody needs the array for it."""
        match expr:
            case Call(operator.getitem, (Attr(Var(), "shape"), Const(int()))):
                return self.slots.before(expr) or expr
        return expr


def _with_blocks(stmt: Stmt, blocks: list[Block]) -> Stmt:
    """A statement with other blocks."""
    match stmt:
        case For() | While():
            return replace(stmt, body=blocks[0])
        case If():
            return replace(stmt, then=blocks[0], orelse=blocks[1])
    return stmt


def _joined(outer: Expr, inner: Expr) -> Expr:
    """The subscripts of an element of an element."""
    both = [e for index in (outer, inner) for e in items_of(index)]
    return index_of(both)
