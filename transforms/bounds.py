"""Whether arrays of indices leave the axes that they index, asked before loops over them; part of `watch`.

Python and NumPy raise an `IndexError` where an array of indices has one that an axis does not have, and where there are
more truth values than elements, or fewer. Machine code reads or writes there, whatever lies there. So ``E[idx]`` gets a
test in front of it, as early as it can stand: before loops that change neither, and of all rows of ``idx`` where a loop
goes through them.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

import numpy as np

from srcad.analysis.buffers import Buffers, buffers, stored_names
from srcad.analysis.contents import member
from srcad.analysis.searches import leaves_axis, searched
from srcad.lang import walk
from srcad.lang.arrays import axis_length, items_of
from srcad.lang.custom import Custom
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Return, Slice, Stmt, Store, Var, While, and_,
    hint, is_temporary, or_, raise_, select,
)  # fmt: skip
from srcad.lang.left import Left
from srcad.lang.recursive import HELPERS, Callee
from srcad.lang.types import BOOL, INT, NONE, Array, Dim, Static
from srcad.runtime import other_lengths, out_of_bounds, take_along
from srcad.transforms.hoist import runs
from srcad.transforms.starts import length

_LAZY = frozenset((select, and_, or_))


def bounds(fn: Function) -> Function:
    """Put tests in front of what is done at arrays of indices, in a flat function.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.write import write
    >>> x, idx = Var("x", Array("float64", ("x.shape[0]",), "C")), Var("idx", Array("int64", ("k",), "C"))
    >>> picked = Call(operator.getitem, (x, idx), (), Array("float64", ("k",), "C"))
    >>> body = (Let("y", picked), Return(Var("y", picked.type)))
    >>> guarded = bounds(Function("f", (Param("x", x.type), Param("idx", idx.type)), body))
    >>> print("\\n".join(write(guarded).text.splitlines()[-4:]))
        if out_of_bounds(idx, x.shape[0]):
            raise IndexError("an index is out of bounds for axis 0 of x")
        y = x[idx]
        return y
    """
    if not any(True for stmt in walk.statements(fn.body) for _ in _picks(stmt)):
        return fn
    made = {stmt.target: stmt.value for stmt in walk.statements(fn.body) if isinstance(stmt, Let)}
    tests = _Tests(buffers(fn), made, stored_names(fn.body))
    return replace(fn, body=tests.block(fn.body, {p.name: Var(p.name, p.type) for p in fn.params}))


@dataclass(frozen=True)
class _Pick:
    """Elements, or rows, at the places of an array along an axis of another one."""

    base: Var
    axis: int
    places: Expr

    @property
    def dim(self) -> Dim:
        return self.base.type.shape[self.axis]  # type: ignore[attr-defined]

    @property
    def is_mask(self) -> bool:
        return getattr(self.places.type, "dtype", None) == "bool"


def _picks(stmt: Stmt) -> Iterator[_Pick]:
    """What a statement itself reads or writes at arrays of indices."""
    for expr in walk.stmt_exprs(stmt):
        yield from _reads(expr)
    match stmt:
        case Store(base, index) | Accum(Call(_, (base, index))):
            yield from _indexed(base, index)


def _reads(expr: Expr) -> Iterator[_Pick]:
    """What an expression reads, but for parts that may not be evaluated."""
    if not isinstance(expr, Call) or member(expr.fn, _LAZY):
        return
    for arg in expr.args:
        yield from _reads(arg)
    match expr:
        case Call(fn, (base, index)) if fn is operator.getitem:
            yield from _indexed(base, index)
        case Call(fn, (Var(type=Array() as kind) as base, places, Const(int() as axis))) if fn in (
                np.take_along_axis, take_along):  # fmt: skip
            yield _Pick(base, axis % kind.ndim, places)


def _indexed(base: Expr, index: Expr) -> Iterator[_Pick]:
    if not (isinstance(base, Var) and isinstance(base.type, Array)):
        return
    parts, axis = items_of(index), 0
    used = sum(_axes(part) for part in parts)
    for part in parts:
        if isinstance(part, Const) and part.value is ...:
            axis += base.type.ndim - used
            continue
        kind = getattr(part, "type", None)
        if isinstance(kind, Array) and (kind.dtype != "bool" or base.type.shape[axis : axis + kind.ndim] != kind.shape):
            yield _Pick(base, axis, part)  # type: ignore[arg-type]
        axis += _axes(part)


def _axes(part: Expr) -> int:
    """How many axes a part of an index is for."""
    if isinstance(part, Const) and (part.value is None or part.value is ...):
        return 0
    kind = getattr(part, "type", None)
    return kind.ndim if isinstance(kind, Array) and kind.dtype == "bool" else 1


@dataclass
class _Tests:
    found: Buffers
    made: dict[str, Expr]  # what names stand for
    stored: Collection[str]  # arrays that are written to
    asked: set[tuple[Expr, ...]] = field(default_factory=set)  # where control is: what has been tested

    def block(self, block: Block, known: dict[str, Expr]) -> Block:
        out: list[Stmt] = []
        known = dict(known)
        for stmt in block:
            for pick in _picks(stmt):
                if not self._is_within(pick) and (test := self._test(pick, known)).args not in self.asked:
                    self.asked.add(test.args)
                    put_early(out, _raised(pick, test, stmt), self.found)
            before, stmt = self._inside(stmt, known)
            for risen in before:
                put_early(out, risen, self.found)
            out.append(stmt)
            self._forget((stmt,))
            if isinstance(stmt, If) and _is_test(stmt.test):  # of a derivative that this function calls
                self.asked.add(stmt.test.args)
            known.update({stmt.target: Var(stmt.target, stmt.value.type)} if isinstance(stmt, Let) else {})  # type: ignore
        return tuple(out)

    def _inside(self, stmt: Stmt, known: dict[str, Expr]) -> tuple[list[If], Stmt]:
        """The tests of all iterations that can stand before a loop, and the statement with those of its blocks."""
        if not isinstance(stmt, (For, While, If)):
            return [], stmt
        if not isinstance(stmt, If):
            self._forget(stmt.body)
        before, here = set(self.asked), known
        if isinstance(stmt, For):
            here = {**known, stmt.index: Var(stmt.index, INT)}

        def inner(part: Block) -> Block:
            self.asked = set(before)  # the other branch has asked nothing
            return self.block(part, here)

        stmt = walk.map_stmt(lambda e: e, stmt, inner)
        self.asked = before
        return self._risen(stmt) if isinstance(stmt, For) else ([], stmt)

    def _risen(self, loop: For) -> tuple[list[If], For]:
        risen: list[If] = []
        body = list(loop.body)
        inside = walk.assigned((loop,))
        for stmt in loop.body:
            if not (isinstance(stmt, If) and _asks(stmt.test)):
                continue
            at = next(k for k, each in enumerate(body) if each is stmt)
            whole = self._of_all_rows(stmt, loop)
            if walk.names(whole.test) & inside or not isinstance(loop.step, Const):
                continue
            if all(may_pass(whole, each, self.found) for each in (*body[:at], *_stores(loop.body))):
                del body[at]
                some = runs(loop) if whole is stmt else None  # no rows, no index
                risen.append(whole if some is None else replace(whole, test=Call(and_, (some, whole.test), (), BOOL)))
        return risen, replace(loop, body=tuple(body))

    def _of_all_rows(self, stmt: If, loop: For) -> If:
        """The test of all rows of an array, where the iterations of a loop ask for one after the other."""
        match stmt.test:
            case Call(fn, (Var(name), axis)) as test if fn is out_of_bounds:
                match self.made.get(name):
                    case Call(get, (Var(type=Array(shape=shape)) as whole, index)) if get is operator.getitem:
                        if _goes_through(items_of(index), shape, loop):
                            return replace(stmt, test=replace(test, args=(whole, axis)))
        return stmt

    def _is_within(self, pick: _Pick) -> bool:
        """Whether indices were counted, or found, along an axis of this length."""
        if pick.is_mask:
            return False
        match self._found(pick.places):
            case Call(fn, (_,), (), Array(shape=(count,))) if fn is np.arange:
                return count == pick.dim
            case Call() as search:
                return searched(search) == pick.dim
        return False

    def _found(self, places: Expr) -> Expr | None:
        """What gave places, be it with an axis of length one more; None: some of them were changed since."""
        if isinstance(places, Var) and any(self.found.may_share(places.name, name) for name in self.stored):
            return None
        made = self.made.get(places.name) if isinstance(places, Var) else places
        match made:
            case Call(fn, (part, index)) if fn is operator.getitem and all(map(leaves_axis, items_of(index))):
                return self._found(part)
        return made

    def _test(self, pick: _Pick, known: dict[str, Expr]) -> Call:
        if pick.is_mask:
            return Call(other_lengths, (pick.places, pick.base, Const(pick.axis, INT)), (), BOOL)
        found = length(known, pick.dim)
        count: Any = axis_length(pick.base, pick.axis) if found is None else found
        return Call(out_of_bounds, (pick.places, count), (), BOOL)

    def _forget(self, block: Block) -> None:
        """Whatever was asked of what a block changes."""
        def stands(test: tuple[Expr, ...]) -> bool:
            return not _changes(block, set().union(*map(walk.names, test)), self.found)

        self.asked = set(filter(stands, self.asked))


def _goes_through(parts: tuple[Expr, ...], shape: tuple[Dim, ...], loop: For) -> bool:
    """Whether a loop takes, one after the other, all parts along one axis of an array."""
    axes = [k for k, part in enumerate(parts) if part == Var(loop.index, INT)]
    rest = [part for k, part in enumerate(parts) if k not in axes]
    if len(axes) != 1 or not all(isinstance(part, Slice) and part == Slice(None, None) for part in rest):
        return False
    start, stop, step = loop.start, loop.stop, loop.step
    counts = isinstance(start, Const) and start.value == 0 and isinstance(step, Const) and step.value == 1
    return counts and _is_length(stop, shape[axes[0]])


def _is_length(expr: Expr, dim: Dim) -> bool:
    match expr:
        case Const(int() as count):
            return count == dim
        case Call(fn, (shape, Const(int() as axis))) if fn is operator.getitem:
            kind = getattr(getattr(shape, "value", None), "type", None)
            return isinstance(kind, Array) and kind.shape[axis] == dim
    return False


def _raised(pick: _Pick, test: Call, stmt: Stmt) -> If:
    of = "" if is_temporary(pick.base.name) else f" of {hint(pick.base.name)}"
    text = f"{'a boolean index does not fit' if pick.is_mask else 'an index is out of bounds for'} axis {pick.axis}{of}"
    error = Call(raise_, (Const(IndexError, Static(IndexError)), Const(text, Static(text))), (), NONE)
    return If(test, (Effect(error, stmt.origin),), (), stmt.origin)


def _asks(test: Expr) -> bool:
    """Whether a test is one of those that are put in here."""
    return any(map(_is_test, walk.subexprs(test)))


def _is_test(expr: Expr) -> TypeGuard[Call]:
    return isinstance(expr, Call) and expr.fn in (out_of_bounds, other_lengths)


def _stores(block: Block) -> list[Stmt]:
    return [stmt for stmt in walk.statements(block) if isinstance(stmt, (Store, Accum))]


def put_early(out: list[Stmt], test: If, found: Buffers) -> None:
    """Put a test before all the last statements that it may pass."""
    at = len(out)
    while at and may_pass(test, out[at - 1], found):
        at -= 1
    if 0 < at < len(out) and isinstance(out[at - 1], Move) and isinstance(out[at], (For, While)):
        at = len(out)  # a loop's first values stand beside it
    out.insert(at, test)


def may_pass(test: If, stmt: Stmt, found: Buffers) -> bool:
    """Whether a test may come before a statement: it finds the same there, and nothing else is seen of it."""
    if _changes((stmt,), walk.names(test.test), found):
        return False
    return not any(_is_seen(each) for each in walk.statements((stmt,)))


def _changes(block: Block, names: Collection[str], found: Buffers) -> bool:
    """Whether statements give names something else, or write to arrays that these may share memory with."""
    stored = stored_names(block)
    return not walk.assigned(block).isdisjoint(names) or any(found.may_share(a, b) for a in names for b in stored)


def _is_seen(stmt: Stmt) -> bool:
    calls = (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole) if isinstance(e, Call))
    return isinstance(stmt, (Effect, Return)) or any(isinstance(e.fn, (Left, Custom, Callee, *HELPERS)) for e in calls)
