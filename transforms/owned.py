"""Arrays of their own that only one path makes, under names that are there on all paths; part of `places`.

``w = a if test else a.copy()`` is one of two arrays. Behind the branch one can say which only if both have names there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from srcad.analysis.buffers import Buffers
from srcad.lang import walk
from srcad.lang.ir import Block, Function, If, Let, Move, Stmt, Var, hint
from srcad.lang.types import is_array
from srcad.transforms.flatten import fresh_names, neutral


def owned(fn: Function, buffers: Buffers, troubled: set[str]) -> tuple[Function, set[str]]:
    """A function in which the arrays that branches make for the names in `troubled` have names behind the branches.

    Also gives these names. On the other path such a name holds an array without elements.
    """
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    naming = _Naming(buffers, troubled, fresh_names(used))
    body = naming.block(fn.body)
    return (replace(fn, body=body), naming.names) if naming.names else (fn, set())


@dataclass
class _Naming:
    buffers: Buffers
    troubled: set[str]
    fresh: Callable[[str], str]
    names: set[str] = field(default_factory=set)

    def block(self, block: Block) -> Block:
        return tuple(self.statement(stmt) for stmt in block)

    def statement(self, stmt: Stmt) -> Stmt:
        stmt = walk.map_stmt(lambda e: e, stmt, self.block)
        if isinstance(stmt, If):
            sides = [list(stmt.then), list(stmt.orelse)]
            for side, other in (sides, sides[::-1]):
                for target, value in self.made(side):
                    self.name(target, value, side, other)
            stmt = replace(stmt, then=tuple(sides[0]), orelse=tuple(sides[1]))
        return stmt

    def made(self, side: list[Stmt]) -> list[tuple[str, Var]]:
        """The names to which a branch gives an array that it makes."""
        end = side[-1] if side and isinstance(side[-1], Move) else Move((), ())
        inside = {stmt.target for stmt in side if isinstance(stmt, Let)}
        return [
            (target, value)
            for target, value in zip(end.targets, end.values)
            if target in self.troubled and isinstance(value, Var) and is_array(value.type)
            if value.name in inside and self.buffers.of(value.name) <= inside
        ]

    def name(self, target: str, value: Var, side: list[Stmt], other: list[Stmt]) -> None:
        """A name for an array that one branch makes; the joined name is handed on from there."""
        name, none = self.fresh(hint(value.name)), self.fresh("_t")
        self.names.add(name)
        end = side[-1]
        assert isinstance(end, Move)
        own = Var(name, value.type)
        values = tuple(own if t == target else v for t, v in zip(end.targets, end.values))
        side[-1] = replace(end, targets=(*end.targets, name), values=(*values, value))
        last = other.pop() if other and isinstance(other[-1], Move) else Move((), (), end.origin)
        assert isinstance(last, Move)
        empty = neutral(value.type)  # type: ignore[arg-type]
        other.append(Let(none, empty, end.origin))
        moved = (*last.values, Var(none, empty.type))  # type: ignore[union-attr]
        other.append(replace(last, targets=(*last.targets, name), values=moved))
