"""What arrays are when a loop begins: how they were made before it, and under which names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from srcad.analysis.buffers import stored_names, views_of
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Let, Move, Stmt, Var
from srcad.lang.types import Array


@dataclass(frozen=True)
class Beginning:
    """The call that makes an array, the place of its statement, and the names of the array, the first one first."""

    value: Call
    place: int
    names: tuple[str, ...]

    @staticmethod
    def of(before: Block, name: str) -> Beginning | None:
        """How a name that is bound once in a block, outside of branches and loops, has got its array.

        >>> a = Array("float64", ("n",), "C")
        >>> block = (Let("a", Call(np.zeros, (Var("n"),), (), a)), Move(("b",), (Var("a", a),)))
        >>> Beginning.of(block, "b").names, Beginning.of(block[1:], "b")
        (('a', 'b'), None)
        """
        found: list[str] = []
        while True:
            values = [value for stmt in walk.statements(before) for n, value in walk.bindings(stmt) if n == name]
            places = [k for k, stmt in enumerate(before) if any(n == name for n, _ in walk.bindings(stmt))]
            if len(values) != 1 or name in found or not places:
                return None
            found.append(name)
            match values[0]:
                case Var(name):
                    pass
                case Call(type=Array()) as value if not views_of(value):
                    return Beginning(value, places[0], tuple(reversed(found)))
                case _:
                    return None

    def is_made_by(self, *functions: object) -> bool:
        return any(self.value.fn is fn for fn in functions)


def begin_alike(before: Block, one: str, other: str, classes: Classes) -> bool:
    """Whether two arrays begin as copies of one array, and are those behind a block."""
    found = [Beginning.of(before, name) for name in (one, other)]
    sources: list[Var] = []
    for each in found:
        match each:
            case Beginning(Call(np.copy, (Var() as source,))):
                sources.append(source)
            case _:
                return False
    first, second = (each for each in found if each is not None)
    if sources[0] != sources[1] and sources[1].name not in first.names and sources[0].name not in second.names:
        return False
    held = {classes.find(name) for name in (one, other, *(source.name for source in sources))}
    between = before[min(first.place, second.place) :]
    return not any(classes.find(name) in held for name in stored_names(between))


def without(block: Block, name: str) -> Block:
    """A block without what binds a name, if nothing reads it."""
    if any(name in walk.names(e) for stmt in walk.statements(block) for e in walk.stmt_exprs(stmt)):
        return block
    kept = (stmt if isinstance(stmt, Let) else handing(stmt, {name}) for stmt in block)
    return tuple(stmt for stmt in kept if stmt is not None and not (isinstance(stmt, Let) and stmt.target == name))


def handing(stmt: Stmt, gone: set[str]) -> Stmt | None:
    """A statement that hands on all but these names."""
    if not isinstance(stmt, Move) or not gone & set(stmt.targets):
        return stmt
    kept = [(name, value) for name, value in walk.bindings(stmt) if name not in gone]
    targets, values = tuple(name for name, _ in kept), tuple(value for _, value in kept)
    return Move(targets, values, stmt.origin) if kept else None
