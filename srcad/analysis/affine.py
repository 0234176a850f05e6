"""Whether a later iteration overwrites the array element that an iteration read.

Subscripts of the form ``loop index + constant`` decide it: ``a[i - 1]`` read in iteration `i` is not written again by
``a[i] = ...``, so a reverse sweep may read it from the final array.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

from srcad.analysis.buffers import Buffers, stored_name, view_of
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Let, Slice, Stmt, Store, Tuple, Var
from srcad.lang.types import Array, is_array

Loops = tuple[Stmt, ...]  # the loops around a statement


@dataclass(frozen=True)
class Place:
    """An element access: the array's root name, its subscripts, the loops around it, its position in source order."""

    root: str
    index: tuple[Expr, ...] | None  # None: not one element, or not understood
    loops: tuple[Stmt, ...]
    order: int


def linear(expr: Expr) -> tuple[str | None, int] | None:
    """``(name, constant)`` for ``name + constant``; a name of None for a bare constant; None for anything else.

    >>> from srcad.lang.types import INT
    >>> linear(Call(operator.sub, (Var("i", INT), Const(1, INT)), (), INT))
    ('i', -1)
    """
    match expr:
        case Const(value) if type(value) is int:
            return None, value
        case Var(name):
            return name, 0
        case Call(fn, (left, right)) if fn in (operator.add, operator.sub):
            a, b = linear(left), linear(right)
            if a is None or b is None or (fn is operator.sub and b[0] is not None) or (a[0] and b[0]):
                return None
            return a[0] or b[0], a[1] + b[1] if fn is operator.add else a[1] - b[1]
    return None


def element(buffers: Buffers, base: str, index: Expr) -> tuple[str, tuple[Expr, ...] | None]:
    """The root array and full subscripts of ``base[index]``, looking through rows such as ``row = A[i]``."""
    items = index.items if isinstance(index, Tuple) else (index,)
    while base in buffers.views:
        view = buffers.views[base]
        inner = view_of(view)
        if not isinstance(inner, Var):
            return base, None
        if isinstance(view, Call):
            if view.fn is not operator.getitem:
                return buffers.root(base), None
            outer = view.args[1]
            rows = outer.items if isinstance(outer, Tuple) else (outer,)
            if not all(_is_integer(r) for r in rows):
                return buffers.root(base), None
            items = (*rows, *items)
        base = inner.name
    known = buffers.types.get(base)
    whole = isinstance(known, Array) and len(items) == known.ndim and all(_is_integer(i) for i in items)
    return base, tuple(items) if whole else None


def _is_integer(expr: Expr) -> bool:
    if isinstance(expr, Slice) or (isinstance(expr, Const) and type(expr.value) is not int):
        return False
    return not is_array(getattr(expr, "type", None))


def stores(block: Block, buffers: Buffers) -> list[Place]:
    """All writes in a block."""
    return [place for place, stmt in _places(block, buffers) if stored_name(stmt) is not None]


def loads(block: Block, buffers: Buffers) -> dict[str, Place]:
    """The element reads in a block by the name that they define."""
    return {stmt.target: place for place, stmt in _places(block, buffers) if isinstance(stmt, Let)}


def _places(block: Block, buffers: Buffers, loops: tuple[Stmt, ...] = (), counter: list[int] | None = None):
    counter = [0] if counter is None else counter
    for stmt in block:
        counter[0] += 1
        place = _place(stmt, buffers, loops, counter[0])
        if place is not None:
            yield place, stmt
        for inner in walk.blocks(stmt):
            around = loops if type(stmt).__name__ == "If" else (*loops, stmt)
            yield from _places(inner, buffers, around, counter)


def _place(stmt: Stmt, buffers: Buffers, loops: tuple[Stmt, ...], order: int) -> Place | None:
    match stmt:
        case Let(_, Call(fn, (Var(base), index), type=type)) if fn is operator.getitem and not is_array(type):
            root, full = element(buffers, base, index)
            return Place(root, full, loops, order)
        case Store(Var(base), index) | Accum(Call(_, (Var(base), index))):
            root, full = element(buffers, base, index)
            return Place(root, full, loops, order)
        case Accum(Var(base, type)) if is_array(type):
            return Place(buffers.root(base), None, loops, order)
    return None


def survives(load: Place, writes: list[Place], buffers: Buffers, loop: Stmt) -> bool:
    """Whether what `load` reads in an iteration of `loop` is still there when the loop has ended."""
    return not any(buffers.may_share(load.root, w.root) and _may_overwrite(load, w, loop) for w in writes)


def _may_overwrite(load: Place, write: Place, loop: Stmt) -> bool:
    if load.index is None or write.index is None or load.root != write.root:
        return True
    dims = []
    for read, written in zip(load.index, write.index):
        a, b = linear(read), linear(written)
        # A subscript that may be negative counts from the end, and says nothing here.
        if a is None or b is None or not (natural(a, (loop, *load.loops)) and natural(b, (loop, *write.loops))):
            continue
        if a[0] is None and b[0] is None and a[1] != b[1]:
            return False
        dims.append((a, b))
    common = [loop, *(x for x, y in zip(load.loops, write.loops) if x is y)]
    for around in common:
        later = _order(around, dims)
        if later is None or later > 0:
            return True
        if later < 0:
            return False
    return write.order >= load.order


def natural(subscript: tuple[str | None, int], loops: Loops) -> bool:
    """Whether a subscript is surely not negative."""
    least = _least(subscript, loops)
    return least is not None and least >= 0


def _least(subscript: tuple[str | None, int], loops: tuple[Stmt, ...]) -> int | None:
    """A lower bound of ``name + constant``, for names of the loops around it."""
    name, constant = subscript
    if name is None:
        return constant
    for loop in loops:
        if isinstance(loop, For) and loop.index == name and isinstance(loop.step, Const):
            upwards = loop.step.value > 0
            bound = linear(loop.start if upwards else loop.stop)
            least = None if bound is None else _least(bound, loops)
            return None if least is None else least + constant + (not upwards)
    return None


def _order(loop: Stmt, dims: list) -> int | None:
    """Sign of (iteration that writes the element) - (iteration that reads it), in execution order; None: unknown."""
    if not isinstance(loop, For) or not isinstance(loop.step, Const) or not isinstance(loop.step.value, int):
        return None
    distances = {a[1] - b[1] for a, b in dims if a[0] == loop.index == b[0]}
    if not distances:
        return None
    if len(distances) > 1:
        return -1  # the two subscripts never name the same element
    distance = distances.pop() * (1 if loop.step.value > 0 else -1)
    return (distance > 0) - (distance < 0)
