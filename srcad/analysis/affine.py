"""Whether a later iteration overwrites the array element that an iteration read.

Subscripts of the form ``loop index + constant`` decide it: ``a[i - 1]`` read in iteration `i` is not written again by
``a[i] = ...``, so a reverse sweep may read it from the final array.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace

from srcad.analysis.buffers import Buffers, stored_name, view_of
from srcad.analysis.differences import Differences, Term
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, If, Let, Slice, Stmt, Store, Tuple, Var
from srcad.lang.types import Array, Scalar, is_array

Loops = tuple[Stmt, ...]  # the loops around a statement


@dataclass(frozen=True)
class Place:
    """An element access: the array's root name, its subscripts, the loops around it, its position in source order."""

    root: str
    index: tuple[Expr, ...] | None  # None: not one element, or not understood
    loops: tuple[Stmt, ...]
    order: int
    tests: tuple[tuple[Expr, bool], ...] = ()  # of the branches that it stands in


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


def _places(block: Block, buffers: Buffers) -> Iterator[tuple[Place, Stmt]]:
    """The statements that read or write an element, and where."""
    tests = {stmt.target: stmt.value for stmt in walk.statements(block) if isinstance(stmt, Let)}

    def inside(block: Block, loops: Loops, known: tuple[tuple[Expr, bool], ...]) -> Iterator[tuple[Place, Stmt]]:
        for stmt in block:
            order.append(0)
            place = _place(stmt, buffers, loops, len(order))
            if place is not None:
                yield replace(place, tests=known), stmt
            if isinstance(stmt, If):
                test = tests.get(stmt.test.name, stmt.test) if isinstance(stmt.test, Var) else stmt.test
                yield from inside(stmt.then, loops, (*known, (test, True)))
                yield from inside(stmt.orelse, loops, (*known, (test, False)))
            else:
                for inner in walk.blocks(stmt):
                    yield from inside(inner, (*loops, stmt), known)

    order: list[int] = []
    yield from inside(block, (), ())


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
    return not any(buffers.may_share(load.root, w.root) and _may_overwrite(load, w, loop, buffers) for w in writes)


def spared(load: Place, writes: list[Place], buffers: Buffers, loop: Stmt, following: Block) -> bool:
    """Whether what `load` reads in `loop` is still there when the statements following the loop have run."""
    changing = frozenset(walk.assigned((loop, *following)))
    near = [write for write in writes if buffers.may_share(load.root, write.root)]
    return not any(_may_meet(load, write, (loop,), (), changing, buffers).possible() for write in near)


def _may_overwrite(load: Place, write: Place, loop: Stmt, buffers: Buffers) -> bool:
    """Whether a write may come after a read of the same element, in this iteration of a loop or in a later one."""
    known = _may_meet(load, write, (loop,), (loop,), frozenset(walk.assigned((loop,))), buffers)
    for around in (loop, *(x for x, y in zip(load.loops, write.loops) if x is y)):
        if _later(known, around).possible():
            return True
        known = _together(known, around)
    return write.order >= load.order and known.possible()


def _may_meet(
    load: Place, write: Place, before: Loops, behind: Loops, changing: frozenset[str], buffers: Buffers
) -> Differences:
    """What is known of the indices where two places are one element; the loops around each are given."""
    if load.index is None or write.index is None or load.root != write.root:
        return Differences()
    names = _Names(((*before, *load.loops), (*behind, *write.loops)), changing)
    known = names.bounds()
    for read, written in zip(load.index, write.index):
        a, b = linear(read), linear(written)
        # A subscript that may be negative counts from the end, and says nothing here.
        if a is None or b is None:
            continue
        if not all(natural(x, loops, buffers.least) for x, loops in zip((a, b), names.loops)):
            continue
        one, other = names.of(a, 0), names.of(b, 1)
        if one is not None and other is not None:
            known = known.equal(one, other)
    for side, place in enumerate((load, write)):
        for test, holds in place.tests:
            known = names.told(known, test, holds, side)
    return known


@dataclass(frozen=True)
class _Names:
    """What two places know of the indices of their loops, each by names of its own."""

    loops: tuple[Loops, ...]
    changing: frozenset[str]  # names that have other values in other iterations

    def of(self, term: Term, side: int) -> Term | None:
        """A number as one of the places knows it; None if it is more than an index or what no iteration changes."""
        name, constant = term
        if any(isinstance(loop, For) and loop.index == name for loop in self.loops[side]):
            return f"{name}'{side}", constant
        inner = any(isinstance(loop, For) and loop.index == name for loop in self.loops[1 - side])
        return None if inner or name in self.changing else term

    def bounds(self) -> Differences:
        """What the loops say."""
        known = Differences()
        for side, loops in enumerate(self.loops):
            for loop in loops:
                if not isinstance(loop, For) or (step := _step(loop)) is None:
                    continue
                index = (f"{loop.index}'{side}", 0)
                first, last = (loop.start, loop.stop) if step > 0 else (loop.stop, loop.start)
                low, high = (None if (found := linear(e)) is None else self.of(found, side) for e in (first, last))
                if low is not None:
                    known = known.at_most((low[0], low[1] + (step < 0)), index)
                if high is not None:
                    known = known.at_most(index, (high[0], high[1] - (step > 0)))
        return known

    def told(self, known: Differences, test: Expr, holds: bool, side: int) -> Differences:
        """What the test of a branch says."""
        if not isinstance(test, Call) or test.fn not in _TESTS or not all(map(_is_whole, test.args)):
            return known
        a, b = (None if (found := linear(arg)) is None else self.of(found, side) for arg in test.args)
        if a is None or b is None:
            return known
        fn = test.fn if holds else _TESTS[test.fn]
        if fn is operator.eq:
            return known.equal(a, b)
        if fn is operator.ne:
            return known.apart(a, b)
        if fn in (operator.gt, operator.ge):
            a, b = b, a
        return known.at_most((a[0], a[1] + (fn in (operator.lt, operator.gt))), b)


def _later(known: Differences, loop: Stmt) -> Differences:
    """The second place in a later iteration of a loop than the first one."""
    if not isinstance(loop, For) or (step := _step(loop)) is None:
        return known
    one, other = (f"{loop.index}'0", 0), (f"{loop.index}'1", 0)
    return known.at_most((one[0], step), other) if step > 0 else known.at_most(other, (one[0], step))


def _together(known: Differences, loop: Stmt) -> Differences:
    """Both places in one iteration of a loop."""
    return known.equal((f"{loop.index}'0", 0), (f"{loop.index}'1", 0)) if isinstance(loop, For) else known


_TESTS = {operator.eq: operator.ne, operator.ne: operator.eq, operator.lt: operator.ge, operator.ge: operator.lt,
          operator.gt: operator.le, operator.le: operator.gt}  # fmt: skip


def _is_whole(expr: Expr) -> bool:
    """Whether a value is an integer: between two others there is not always another."""
    kind = getattr(expr, "type", None)
    return isinstance(kind, Scalar) and kind.dtype.startswith("int")


def _step(loop: For) -> int | None:
    return loop.step.value if isinstance(loop.step, Const) and type(loop.step.value) is int else None


def natural(subscript: tuple[str | None, int], loops: Loops, known: dict[str, int] | None = None) -> bool:
    """Whether a subscript is surely not negative; of some indices the least value is `known`."""
    least = _least(subscript, loops)
    if least is None and known is not None and subscript[0] in known:
        least = known[subscript[0]] + subscript[1]
    return least is not None and least >= 0


def least_indices(block: Block, loops: Loops = ()) -> dict[str, int]:
    """A lower bound of each loop index that has one."""
    found: dict[str, int | None] = {}

    def look(block: Block, loops: Loops) -> None:
        for stmt in block:
            if isinstance(stmt, For):
                least = _least((stmt.index, 0), (*loops, stmt))
                known = found.get(stmt.index, least)
                found[stmt.index] = None if least is None or known is None else min(least, known)
            for inner in walk.blocks(stmt):
                look(inner, (*loops, stmt) if isinstance(stmt, For) else loops)

    look(block, loops)
    return {name: least for name, least in found.items() if least is not None}


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
