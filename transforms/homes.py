"""Homes for arrays that loops and branches make anew, where nobody can say otherwise what a name stands for; part of
`places`.

``v = x`` before a loop and ``v = np.sin(v)`` on one path in it: behind that, `v` may be `x` or new. The new one is
copied to an array that was made before the loop, if no other name has that still. Part of `places`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import Buffers
from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of, new_array
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var, While, hint,
)  # fmt: skip
from srcad.lang.types import BOOL, INT, Array, Dim, Static, is_array
from srcad.transforms.cotangents import shape_check
from srcad.transforms.flatten import fresh_names
from srcad.transforms.sources import Path, Sources

LENGTHS = "an array changes its length under a second name: take a copy first"
EVERYWHERE = Const(Ellipsis, Static(Ellipsis))


def housed(fn: Function, buffers: Buffers, groups: list[set[str]]) -> Function:
    """A function in which what is made for the names of some groups is kept in arrays that outlive these names."""
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    houses = _Houses(buffers, Sources.of(fn, set()), fresh_names(used), groups)
    for group in groups:
        houses.places[houses.path(group)] = houses.places.get(houses.path(group), set()) | group
    before = [Var(param.name, param.type) for param in fn.params if is_array(param.type)]
    body = houses.block(fn.body, (), before, frozenset())
    return replace(fn, body=body) if houses.made else fn


@dataclass
class _Houses:
    buffers: Buffers
    sources: Sources
    fresh: Callable[[str], str]
    groups: list[set[str]]
    places: dict[Path, set[str]] = field(default_factory=dict)  # blocks in which homes are made, for which names
    known: dict[int, list[Var]] = field(default_factory=dict)  # the arrays before the first use of a group
    homes: dict[str, Var] = field(default_factory=dict)  # array that is made anew -> its home
    compared: set[str] = field(default_factory=set)  # those of which nobody knows the lengths
    made: list[tuple[int, Let]] = field(default_factory=list)  # homes, by the group that they are made for

    def path(self, group: set[str]) -> Path:
        """The innermost block around all statements that join the names of a group."""
        first, *others = (self.sources.homes[name] for name in sorted(group))
        count = len(first)
        for other in others:
            count = min(count, next((k for k, (a, b) in enumerate(zip(first, other)) if a != b), len(other)))
        return first[:count]

    def block(self, block: Block, path: Path, before: list[Var], after: Names) -> Block:
        """A block with homes; `before` are the arrays that are there, `after` the names that are read behind it."""
        out: list[Stmt] = []
        before = list(before)
        starting: dict[int, int] = {}  # group -> where its first statement stands
        for stmt, behind in zip(block, live(block, after)):
            own = walk.defined((stmt,))
            for k, group in enumerate(self.groups):
                if k not in self.known and self.path(group) == path and group & own:
                    starting[k], self.known[k] = len(out), list(before)
            out += self.statement(stmt, path, before, behind)
            if isinstance(stmt, Let) and is_array(getattr(stmt.value, "type", None)):
                before.append(Var(stmt.target, stmt.value.type))  # type: ignore[union-attr]
        for k, place in sorted(starting.items(), key=lambda item: -item[1]):
            out[place:place] = [let for group, let in self.made if group == k]
        return tuple(out)

    def statement(self, stmt: Stmt, path: Path, before: list[Var], behind: Names) -> list[Stmt]:
        if isinstance(stmt, Move):
            return self.move(stmt, behind)
        ends = at_the_end(stmt, behind) if isinstance(stmt, (For, While)) else behind
        inner = [self.block(each, (*path, id(stmt) + k), before, ends) for k, each in enumerate(walk.blocks(stmt))]
        changed = iter(inner)
        return [walk.map_stmt(lambda e: e, stmt, lambda _: next(changed))]

    # ------------------------------------------------------------ what moves

    def move(self, move: Move, behind: Names) -> list[Stmt]:
        """A move, with what is made anew copied to its home before."""
        stores: list[Stmt] = []
        values = list(move.values)
        for k, group in enumerate(self.groups):
            given = {v.name: v for t, v in zip(move.targets, move.values) if t in group and isinstance(v, Var)}
            for name, value in given.items():
                home = self.home(k, value, move, behind)
                if home is not None:
                    stores += [shape_check(value, home, LENGTHS, move.origin)] if name in self.compared else []
                    stores.append(Store(home, EVERYWHERE, value, move.origin))
                    values = [home if v == value else v for v in values]
        return [*stores, replace(move, values=tuple(values))]

    def home(self, k: int, value: Var, move: Move, behind: Names) -> Var | None:
        """The home of an array that is made anew, if it may have one and nobody is in it."""
        name = value.name
        new = self.buffers.of(name) == {name} and name in self.sources.definitions
        if not new or self.sources.lasts(name, self.groups[k]) or self.in_use(name, move, behind):
            return None
        if name not in self.homes:
            room = _room(value.type, self.known[k]) or self.room_like_others(k, value)
            if room is None:
                return None
            self.homes[name] = Var(self.fresh(hint(name)), room.type)
            self.made.append((k, Let(self.homes[name].name, room, move.origin)))
        return self.homes[name]

    def room_like_others(self, k: int, value: Var) -> Call | None:
        """A new array as long as one that the names stand for already: lengths that nobody knows are compared."""
        others = {v.name for t in self.groups[k] for v in self.sources.given.get(t, ()) if isinstance(v, Var)}
        for each in self.known[k]:
            kind, new = each.type, value.type
            assert isinstance(kind, Array) and isinstance(new, Array)
            if each.name in others and kind.ndim == new.ndim == 1 and kind.dtype == new.dtype and 0 not in kind.shape:
                self.compared.add(value.name)
                return Call(np.empty_like, (each,), (), replace(kind, layout="C"))
        return None

    def in_use(self, name: str, move: Move, behind: Names) -> bool:
        """Whether, behind a move, the array that had been made before by the same statement has a name still."""
        handed = [v.name for v in move.values if isinstance(v, Var) and v.name != name]
        return any(name in self.buffers.of(other) for other in (*(behind - {*move.targets}), *handed))


def _room(kind: object, known: list[Var]) -> Call | None:
    """A new array of a type, of the lengths of arrays that are known; in two dimensions it must lie in C order."""
    if not isinstance(kind, Array) or kind.ndim > 1 and kind.layout not in "cC":
        return None
    lengths: dict[Dim, Expr] = {}
    for each in known:
        assert isinstance(each.type, Array)
        if (each.type.dtype, each.type.shape) == (kind.dtype, kind.shape) and each.type.layout in "cC":
            return Call(np.empty_like, (each,), (), replace(kind, layout="C"))
        for axis, dim in enumerate(each.type.shape):
            lengths.setdefault(dim, axis_length(each, axis))
    axes = [Const(dim, INT) if isinstance(dim, int) else lengths.get(dim) for dim in kind.shape]
    if any(axis is None for axis in axes):
        return None
    return new_array(np.empty, index_of([axis for axis in axes if axis is not None]), kind)


# ---------------------------------------------------------------- loops that test what they carry


def asked_before(fn: Function, names: set[str]) -> Function:
    """A function whose loops ask at the end of an iteration what their tests read of some names."""
    fresh = fresh_names({p.name for p in fn.params} | walk.assigned(fn.body))

    def block(statements: Block) -> Block:
        out: list[Stmt] = []
        for stmt in statements:
            stmt = walk.map_stmt(lambda e: e, stmt, block)
            if isinstance(stmt, While) and walk.names(stmt.test) & names:
                entry = out.pop() if out and isinstance(out[-1], Move) else Move((), (), stmt.origin)
                assert isinstance(entry, Move)
                flag = Var(fresh("again"), BOOL)
                out += _asking(entry, stmt.test, flag, fresh)
                last = stmt.body[-1] if stmt.body and isinstance(stmt.body[-1], Move) else Move((), (), stmt.origin)
                assert isinstance(last, Move)
                middle = stmt.body[:-1] if stmt.body and isinstance(stmt.body[-1], Move) else stmt.body
                stmt = replace(stmt, test=flag, body=(*middle, *_asking(last, stmt.test, flag, fresh)))
            out.append(stmt)
        return tuple(out)

    return replace(fn, body=block(fn.body))


def _asking(move: Move, test: Expr, flag: Var, fresh: Callable[[str], str]) -> list[Stmt]:
    """A move that hands on the outcome of a test, too."""
    outcome = Var(fresh("_c"), BOOL)
    now = walk.substitute(test, dict(zip(move.targets, move.values)))
    asked = replace(move, targets=(*move.targets, flag.name), values=(*move.values, outcome))
    return [Let(outcome.name, now, move.origin), asked]
