"""undone: what an iteration overwrites of an array that it reads elsewhere, too; part of `tape`.

A sweep of Gauss and Seidel reads all of ``x`` and writes ``x[i]``. To record that one element is enough: the reverse
loop works on one copy of the array as it is in the end, and puts each element back before it comes to the iteration
that overwrote it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from srcad.analysis.buffers import stored_name, stored_names, views_of
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, For, Let, Stmt, Store, Var, While, hint
from srcad.lang.types import Array, is_elastic
from srcad.transforms.context import Context
from srcad.transforms.one_tape import Tape
from srcad.transforms.touched import Part, is_there, part_at


@dataclass(frozen=True)
class Undone:
    """An array of which an iteration overwrites a known part, and the record of that."""

    array: Var  # the copy that the reverse loop works on
    tape: Tape
    part: Part

    def put_back(self, slot: Expr) -> Stmt:
        """The part, as it was before the iteration."""
        return Store(self.array, self.part.subscript, self.tape.slot(slot))

    @property
    def kind(self) -> Array:
        assert isinstance(self.array.type, Array)
        return self.array.type

    def around(self, code: Block, slot: Expr) -> Block:
        """The code of an iteration of the reverse loop, which leaves the array as the iteration found it."""
        if any(_views(stmt, self.array.name) for stmt in walk.statements(code)):
            return (self.put_back(slot), *code, self.put_back(slot))
        code = _without_last_stores(code, self.array.name)
        if self.array.name in stored_names(code):
            return (self.put_back(slot), *code, self.put_back(slot))
        return (self.put_back(slot), *_without_copies(code, self.array))


def _views(stmt: Stmt, array: str) -> bool:
    """Whether a statement gives an array, or a part of it, a second name."""
    return any(views_of(value) and array in walk.names(value) for _, value in walk.bindings(stmt))


def _without_last_stores(code: Block, array: str) -> Block:
    """A block without stores into an array that nothing behind them reads."""
    result: list[Stmt] = []
    read = False
    for stmt in reversed(code):
        if not read and isinstance(stmt, (Store, Accum)) and stored_name(stmt) == array:
            continue
        read = read or array in walk.mentioned((stmt,))
        result.append(stmt)
    return tuple(reversed(result))


def _without_copies(code: Block, array: Var) -> Block:
    """A block that writes neither to an array nor, for copies of it, to anything else than the array itself."""
    written = stored_names(code)
    same: dict[str, Expr] = {}
    result: list[Stmt] = []
    for stmt in code:
        match stmt:
            case Let(name, Call(fn, (Var(source),))) if fn is np.copy and source == array.name and name not in written:
                same[name] = array
            case _:
                result.append(stmt)
    return walk.substitute_in(tuple(result), same)


def undone(ctx: Context, loop: For | While, name: str, new: str) -> Undone | None:
    """How the reverse loop undoes what iterations write to an array, if that is one known part in each iteration."""
    kind = ctx.types[name]
    if not isinstance(loop, For) or loop.flag is not None or not isinstance(kind, Array):
        return None
    places: list[Expr] = []
    for stmt in walk.statements(loop.body):
        written = stored_name(stmt)
        if written is None or not ctx.buffers.may_share(written, name):
            continue
        match stmt:
            case Store(Var(base), index) | Accum(Call(args=(Var(base), index))) if base == name:
                places.append(index)
            case _:
                return None
    part = part_at(places, kind, walk.assigned(loop.body))
    if part is None or is_elastic(kind) or not is_there(part, name, kind, loop):
        return None
    ctx.buffers.stored.setdefault(new, set()).add(new)
    return Undone(Var(new, kind), Tape.of(ctx, name, ctx.fresh(hint(name)), kind, part), part)
