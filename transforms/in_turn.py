"""in_turn: copies from a vector to one that overlaps it, as NumPy makes them.

NumPy copies a vector element by element where the strides of the two sides have one sign: ``A[:, 3] = A[2]`` reads in
its last step what an earlier one has written. Equal strides hide that, as NumPy begins at the right end. Where strides
may differ and the sides overlap, the right side says which elements are read: ``A[2][received(A[:, 3], A[2])]``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.affine import Loops
from srcad.analysis.buffers import Buffers, basic_index, buffers
from srcad.analysis.lines import FULL, line
from srcad.analysis.lines import in_turn as may_differ
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Stmt, Store, Var, While
from srcad.lang.types import Array, is_array
from srcad.runtime import received
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed


def in_turn(fn: Function) -> Function:
    """Say which elements are read where a vector is copied into one that it may overlap in other steps."""
    stores = [s for s in walk.statements(fn.body) if isinstance(s, Store)]
    if not any(is_copy(s) for s in stores):
        return fn
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    return replace(fn, body=_Copies(buffers(fn), fresh_names(used)).block(fn.body, ()))


def copied_in_turn(fn: Function, found: Buffers) -> set[str]:
    """The vectors that are copied into others which they may overlap in other steps."""
    copies = _Copies(found, str)
    names: set[str] = set()

    def visit(block: Block, loops: Loops) -> None:
        for stmt in block:
            if isinstance(stmt, Store) and is_copy(stmt) and copies.may_differ(stmt, loops):
                names.update(walk.names(stmt.base))
            for inner in walk.blocks(stmt):
                visit(inner, (*loops, stmt) if isinstance(stmt, (For, While)) else loops)

    visit(fn.body, ())
    return names


def is_copy(store: Stmt) -> bool:
    """Whether a statement copies an array of one axis or of more into a vector."""
    if not (isinstance(store, Store) and isinstance(store.base, Var) and isinstance(store.value, Var)):
        return False
    if not is_array(store.value.type):
        return False
    place = _place(store).type
    return basic_index(store.index) and isinstance(place, Array) and place.ndim == 1


def _place(store: Store) -> Call:
    place = typed(Call(operator.getitem, (store.base, store.index)))
    assert isinstance(place, Call)
    return place


@dataclass
class _Copies:
    buffers: Buffers
    fresh: Callable[[str], str]

    def block(self, block: Block, loops: Loops) -> Block:
        out: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, Store) and is_copy(stmt) and self.may_differ(stmt, loops):
                out += self.read_first(stmt)
            else:
                inside = (*loops, stmt) if isinstance(stmt, (For, While)) else loops
                out.append(walk.map_stmt(lambda e: e, stmt, lambda inner: self.block(inner, inside)))  # noqa: B023
        return tuple(out)

    def may_differ(self, store: Store, loops: Loops) -> bool:
        base, value = store.base, store.value
        assert isinstance(base, Var) and isinstance(value, Var)
        if not self.buffers.may_share(base.name, value.name):
            return False
        target = line(self.buffers, base.name).at(store.index)
        return target is None or may_differ(target, line(self.buffers, value.name), loops)

    def read_first(self, store: Store) -> list[Stmt]:
        """The elements that are read, by their places, and then the copy."""
        assert isinstance(store.base, Var) and isinstance(store.value, Var)
        target: Expr = store.base
        out: list[Stmt] = []
        whole = store.index == FULL or isinstance(store.index, Const) and store.index.value is ...
        if not whole:
            target = self.named(_place(store), store, out)
        order = self.named(typed(Call(received, (target, store.value))), store, out)
        value = self.named(typed(Call(operator.getitem, (store.value, order))), store, out)
        return [*out, replace(store, value=value)]

    def named(self, value: Expr, store: Store, out: list[Stmt]) -> Var:
        name = self.fresh("_t")
        out.append(Let(name, value, store.origin))
        return Var(name, value.type)
