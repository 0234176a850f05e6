"""unstored: no array for what only a few elements are read of; part of `hits`.

A loop fills an array, and others read few of its elements: these are computed anew where they are read, if that takes
no more than an addition or a product or two.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, Let, Stmt, Store, Tuple, Var
from srcad.lang.types import Array, Scalar

LIGHT = frozenset((operator.add, operator.sub, operator.mul, operator.neg, operator.getitem))
LARGEST = 5  # operations and elements


@dataclass
class Facts:
    """What is known of a function."""

    classes: Classes
    reads: Counter[str]  # how often the function reads a name
    fresh: Callable[[str], str]

    def are_read(self, names: Iterable[str], block: Block) -> bool:
        """Whether nothing but a block reads names."""
        reads = reads_in(block)
        return all(reads[name] == self.reads[name] for name in names)

    def are_kept(self, names: Iterable[str], block: Block) -> bool:
        """Whether a block leaves names, and what they hold, as they are."""
        written = {self.classes.find(name) for name in stored_names(block)}
        written |= {self.classes.find(s.target.name) for s in walk.statements(block)
                    if isinstance(s, Accum) and isinstance(s.target, Var)}  # fmt: skip
        return not walk.assigned(block) & set(names) and not written & set(map(self.classes.find, names))


def reads_in(block: Block) -> Counter[str]:
    """How often a block reads names."""
    return Counter(e.name for s in walk.statements(block) for whole in walk.stmt_exprs(s)
                   for e in walk.subexprs(whole) if isinstance(e, Var))  # fmt: skip


def without_stored(block: Block, loops: Sequence[For], arrays: Iterable[str], facts: Facts) -> Block:
    """The block without those of the `arrays` of which only the `loops` read elements that are light to compute."""
    for name in arrays:
        made = next((s for s in block if isinstance(s, Let) and s.target == name), None)
        if made is not None and isinstance(made.value, Call) and made.value.fn is np.empty:
            heads = [(loop.index, loop.stop) for loop in loops]
            within = tuple(s for s in block if isinstance(s, For) and (s.index, s.stop) in heads)
            block = _computed_anew(block, made, within, facts) or block
    return block


def _computed_anew(block: Block, made: Let, loops: Block, facts: Facts) -> Block | None:
    """A block in which the elements of an array are computed where hits read them, and stored no more."""
    name, value = made.target, made.value
    assert isinstance(value, Call)
    stores = list(_stored(block, name, ()))
    shape = _items(value.args[0])
    kind = value.type
    if not isinstance(kind, Array) or len(shape) != kind.ndim or not facts.are_kept(
        {n for e in shape for n in walk.names(e)}, block[block.index(made) + 1 :]
    ) or any(not isinstance(getattr(e, "type", None), Scalar) for e in shape):
        return None
    if len(stores) != 1 or any(isinstance(s, Accum) and name in walk.names(s.target) for s in walk.statements(block)):
        return None
    store, indices, inner = stores[0]
    lets = {s.target: s.value for s in inner if isinstance(s, Let)}
    once = len(lets) == sum(isinstance(s, Let) for s in inner)
    if getattr(store.value, "type", None) != Scalar(kind.dtype):
        return None
    new = walk.substitute(walk.substitute(store.value, lets), lets)
    places = [i.name if isinstance(i, Var) else "" for i in _items(store.index)]
    free = walk.names(new) - set(indices)
    calls = [e for e in walk.subexprs(new) if isinstance(e, Call)]
    if sorted(places) != sorted(set(indices)) or not all(member(e.fn, LIGHT) for e in calls) or len(calls) > LARGEST:
        return None
    if any(isinstance(e.type, Array) for e in calls):
        return None
    if not once or not facts.are_kept(free, block[_position(block, store) :]):
        return None
    read = [e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)
            if isinstance(e, Var) and e.name == name]  # fmt: skip
    few = [e for s in walk.statements(loops) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)
           if isinstance(e, Call) and e.fn is operator.getitem and e.args[0] == Var(name, value.type)]  # fmt: skip
    asked = [e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)
             if isinstance(e, Attr) and e.name == "shape" and e.value == Var(name, value.type)]  # fmt: skip
    if not few or len(few) + len(asked) + 1 != len(read):
        return None

    def anew(e: Expr) -> Expr:
        match e:
            case Call(operator.getitem, (Var(array), index), (), Scalar()) if array == name:
                return walk.substitute(new, dict(zip(places, _items(index))))
            case Call(operator.getitem, (Attr(Var(array), "shape"), Const(axis))) if array == name:
                return shape[axis]
        return e

    shorter = walk.without(block, lambda s: s is made or s is store)
    result = walk.map_block(anew, shorter)
    return None if any(name in walk.names(e) for s in walk.statements(result) for e in walk.stmt_exprs(s)) else result


def _position(block: Block, stmt: Stmt) -> int:
    """Which statement of a block another one stands in."""
    return next(k for k, each in enumerate(block) if any(s is stmt for s in walk.statements((each,))))


def _items(index: Expr) -> tuple[Expr, ...]:
    return index.items if isinstance(index, Tuple) else (index,)


def _stored(block: Block, name: str, indices: tuple[str, ...]) -> Iterator[tuple[Store, tuple[str, ...], Block]]:
    """The statements that store into an array, with the indices of the loops around them and the block they are in."""
    for stmt in block:
        if isinstance(stmt, Store) and isinstance(stmt.base, Var) and stmt.base.name == name:
            yield stmt, indices, block
        around = (*indices, stmt.index) if isinstance(stmt, For) else indices
        for inner in walk.blocks(stmt):
            yield from _stored(inner, name, around)
