"""The statements of an iteration, written for a block of iterations; part of `blocks`.

Statements that each iteration does for itself stand together in runs, each a loop over the block. Between them is what
is done once for all: loops over what is not the iterations', and what depends on none of them.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Union

import numpy as np

from srcad.analysis.affine import linear
from srcad.analysis.contents import member
from srcad.analysis.uniform import Uniformity
from srcad.lang.arrays import axis_length, index_of, items_of, new_array
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Expr, For, Let, Move, Slice, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import FLOAT, INT, Array, Scalar
from srcad.transforms.columns import Columns, columns
from srcad.transforms.independent import upwards
from srcad.transforms.over_block import Numbers
from srcad.transforms.side_by_side import Run, RunWriter, Unblocked, at
from srcad.transforms.simplify import simplified
from srcad.transforms.split import exposed
from srcad.transforms.work import FUNCTIONS

NOTE = "blocks of iterations, each line for all of them at once"
MADE = (np.empty, np.zeros, np.empty_like, np.zeros_like)


@dataclass
class Nest:
    """A loop or a branch that all iterations go through together."""

    stmt: Stmt
    inner: list[list[Item]]


Item = Union[Run, Nest, Stmt]


@dataclass
class Writer(Numbers):
    """Writes the body of a loop for the iterations of a block."""

    parts: dict[Call, Var] = field(default_factory=dict)  # what a block goes through of arrays

    def block(self, body: Block) -> Block:
        origin = replace(self.facts.loop.origin, adjoint=False)
        copies: list[Stmt] = []
        closing: list[Stmt] = []
        for base in self.facts.rows(body).values():
            self.copied(base, origin, copies, closing)
        around = columns(body, self.facts, self.fresh) if self.is_heavy(_level(body)) else Columns(body=body)
        items = [item for part in (around.opening, around.body, around.closing) for item in self.items(part)]
        body = (*around.opening, *around.body, *around.closing)
        self.types = {s.target: s.value.type for s in walk.statements(body)  # type: ignore[union-attr]
                      if isinstance(s, Let) and hasattr(s.value, "type")}  # fmt: skip
        self.types |= {e.name: e.type for s in walk.statements(body) for x in walk.stmt_exprs(s)
                      for e in walk.subexprs(x) if isinstance(e, Var)}  # fmt: skip
        self.together("given", around.given)
        self.together("found", around.found)
        for name in self.shared(items):
            if name not in self.lines:
                self.arrays[name] = self.made(name)
        written = self.written(items)
        parts = [Let(part.name, replace(value, type=part.type), origin) for value, part in self.parts.items()]
        return (*parts, *copies, *written, *closing)

    # ------------------------------------------------------------ into runs

    def items(self, block: Block) -> list[Item]:
        items: list[Item] = []
        run = Run()

        def close() -> None:
            nonlocal run
            items.extend([run] if run.stmts else [])
            run = Run()

        for stmt in block:
            if self.is_made(stmt) or self.facts.uniform(stmt):
                if not (isinstance(stmt, Let) and stmt.target not in run.names):
                    close()
                items.append(stmt)
            elif isinstance(stmt, Move) and (common := self.common(stmt)):
                run.stmts.append(_without(stmt, common))
                close()
                items.append(_without(stmt, set(stmt.targets) - common))
            elif self.facts.each(stmt):
                scatters = self.scatters(stmt)
                long = isinstance(stmt, (For, While)) or scatters
                if run.scatters and not (scatters and not walk.blocks(stmt)) or long and self.is_heavy(run):
                    close()
                run.stmts.append(stmt)
                run.scatters = long and not walk.blocks(stmt)
                if long and not run.scatters:
                    close()
            else:
                close()
                items.append(Nest(stmt, [self.items(inner) for inner in walk.blocks(stmt)]))
        close()
        return items

    def is_made(self, stmt: Stmt) -> bool:
        return allocation(stmt) is not None and isinstance(stmt, Let) and stmt.target in self.facts.varying

    def common(self, move: Move) -> set[str]:
        """The names that a move gives one value for all iterations."""
        return set(move.targets) - self.facts.varying

    def is_heavy(self, run: Run) -> bool:
        exprs = [e for s in walk.statements(tuple(run.stmts)) for e in walk.stmt_exprs(s)]
        return any(has_function(e, self.facts) for e in exprs)

    def scatters(self, stmt: Stmt) -> bool:
        """Whether a statement writes where nobody knows that another iteration does not write: one after the other."""
        for inner in walk.statements((stmt,)):
            match inner:
                case Accum(Call(operator.getitem, (Var(name), index)) as place) if name in self.rows:
                    if self.facts.varies(index) and not self.facts.is_row(place):
                        return True
                case Accum(Call(operator.getitem, (Var(name), index))) | Store(Var(name), index):
                    last = index.items[-1] if isinstance(index, Tuple) else index
                    moves_on = inner is stmt and (self.facts.moves_on(last) or self.facts.is_upright(name, index))
                    if name not in self.facts.varying and self.facts.varies(index) and not moves_on:
                        return True
        return False

    def shared(self, items: list[Item]) -> list[str]:
        """The numbers that a run has from another one, or from itself another time, in their order."""
        found: dict[str, None] = {}
        for run in _runs(items):
            entering = exposed(tuple(run.stmts)) & self.facts.varying - {self.facts.loop.index}
            found |= dict.fromkeys(n for n in sorted(entering) if not isinstance(self.types.get(n), Array))
        return list(found)

    # ------------------------------------------------------------ rows

    def copied(self, base: Var, origin: Origin, before: list[Stmt], behind: list[Stmt]) -> None:
        """The rows of the iterations of the block, one beside the other; what is added to them is added behind."""
        kind = base.type
        assert isinstance(kind, Array)
        copy = Var(self.fresh(f"{base.name}~block"), Array(kind.dtype, (kind.shape[1], "block"), "C"))
        width = axis_length(base, 1)
        value = new_array(np.empty, index_of((width, self.apart)), copy.type)
        self.before.append(Let(copy.name, value, origin))
        self.rows[base.name] = copy
        place = Var(self.fresh("j"), INT)
        row = at(base, (Call(operator.add, (self.start, self.t), (), INT), place), Scalar(kind.dtype))
        own = at(copy, (place, self.t), row.type)

        def each(stmt: Stmt, outer: bool) -> Stmt:
            body = (stmt,) if outer else (self.over_block((stmt,), origin),)
            inner = For(place.name, Const(0, INT), width, Const(1, INT), body, None, origin)
            return self.over_block((inner,), origin) if outer else inner

        if base.name in self.facts.sums:
            before.append(each(Store(copy, own.args[1], Const(0.0, FLOAT), origin), False))
            behind.append(each(Accum(row, own, origin), True))
        else:
            before.append(each(Store(copy, own.args[1], row, origin), True))

    # ------------------------------------------------------------ parts of arrays

    def of_part(self, element: Call) -> Call | None:
        """The element ``x[start + t]`` as ``part[t]``: of `t` LLVM knows that it does not count from the end."""
        base, index = element.args
        items = items_of(index)
        assert isinstance(base, Var) and isinstance(base.type, Array)
        name, offset = linear(items[0]) or (None, 0)
        first = upwards(self.facts.loop)[0]
        known = name == self.facts.loop.index and isinstance(first, Const) and first.value + offset >= 0
        known = known and not self.facts.is_upright(base.name, index)
        if not known or base.name in self.facts.own or base.type.ndim > 1 and base.type.layout != "C":
            return None
        direction = operator.add if offset >= 0 else operator.sub
        lower = simplified(Call(direction, (self.start, Const(abs(offset), INT)), (), INT))
        upper = simplified(Call(operator.add, (lower, self.size), (), INT))
        found = Call(operator.getitem, (base, Slice(lower, upper)), (), base.type)
        if found not in self.parts:
            kind = replace(base.type, shape=(self.fresh("part"), *base.type.shape[1:]))
            self.parts[found] = Var(self.fresh(f"{base.name}~part"), kind)
        return at(self.parts[found], (self.t, *items[1:]), element.type)

    def over_block(self, body: Block, origin: Origin) -> For:
        return For(self.t.name, Const(0, INT), self.size, Const(1, INT), body, None, origin)

    # ------------------------------------------------------------ as statements

    def written(self, items: list[Item]) -> list[Stmt]:
        result: list[Stmt] = []
        for item in items:
            match item:
                case Run(stmts):
                    result += RunWriter(self).written(stmts)
                case Nest(stmt, inner):
                    result.append(self.nest(stmt, iter(inner)))
                case _ if self.is_made(item):
                    result.append(self.allocated(item))
                case _:
                    result.append(walk.map_stmt(self.outside, item))
        return result

    def nest(self, stmt: Stmt, inner: Iterator[list[Item]]) -> Stmt:
        return walk.map_stmt(self.outside, stmt, lambda _: tuple(self.written(next(inner))))

    def allocated(self, stmt: Stmt) -> Let:
        """Room for the arrays of all iterations of a block."""
        made = allocation(stmt)
        assert made is not None and isinstance(stmt, Let) and isinstance(made.type, Array)
        array = self.array(Var(stmt.target, made.type))
        fn, shape = made.fn, made.args[0]
        if member(fn, (np.empty_like, np.zeros_like)):
            assert isinstance(shape, Var) and isinstance(shape.type, Array)
            dims: list[Expr] = [axis_length(shape, k) for k in range(shape.type.ndim)]
            fn = np.empty if fn is np.empty_like else np.zeros
        else:
            dims = list(shape.items) if isinstance(shape, Tuple) else [shape]
        dims = [self.outside(dim) for dim in dims]
        room = new_array(fn, index_of((*dims, self.apart)), array.type)
        return Let(array.name, room, stmt.origin)

    def outside(self, expr: Expr) -> Expr:
        """An expression that is no iteration's: of arrays over blocks it may know the shape."""
        if self.facts.varies(expr):
            raise Unblocked
        return walk.map_expr(self.of_shapes, expr)

    def of_shapes(self, e: Expr) -> Expr:
        """Of an array that each iteration has for itself, the lengths."""
        match e:
            case Attr(Var(name, Array()) as base, "shape") if name in self.facts.varying:
                return replace(e, value=self.array(base))
        return e


def _level(body: Block) -> Run:
    """What an iteration does in no loop or branch."""
    return Run([stmt for stmt in body if not walk.blocks(stmt)])


def _without(move: Move, names: set[str]) -> Move:
    """A move that leaves out some of its targets."""
    kept = [(t, v) for t, v in zip(move.targets, move.values) if t not in names]
    return replace(move, targets=tuple(t for t, _ in kept), values=tuple(v for _, v in kept))


def allocation(stmt: Stmt) -> Call | None:
    """What a statement makes, if it makes room for an array."""
    value = stmt.value if isinstance(stmt, Let) else None
    if isinstance(value, Call) and isinstance(value.type, Array) and member(value.fn, MADE):
        plain = not value.kwargs and (isinstance(value.args[0], Var) or member(value.fn, (np.empty, np.zeros)))
        return value if plain else None
    return None


def is_block(stmt: Stmt) -> bool:
    """Whether a statement goes through the iterations of a loop in blocks."""
    return isinstance(stmt, For) and stmt.origin.note == NOTE


def has_function(expr: Expr, facts: Uniformity) -> bool:
    """Whether vectors help to compute a function of what varies."""
    return any(isinstance(e, Call) and member(e.fn, FUNCTIONS) and facts.varies(e) for e in walk.subexprs(expr))


def _runs(items: list[Item]) -> Iterator[Run]:
    for item in items:
        if isinstance(item, Run):
            yield item
        elif isinstance(item, Nest):
            for inner in item.inner:
                yield from _runs(inner)
