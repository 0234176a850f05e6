"""One run: statements that each iteration does for itself, in a loop over the block; part of `blocks`."""

from __future__ import annotations

import math
import operator
import types
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.arrays import index_of, items_of
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, If, Let, Move, Slice, Stmt, Store, Tuple, Var, While, and_, or_, select,
)  # fmt: skip
from srcad.lang.types import FLOAT, INT, REAL, Array, Scalar, Type
from srcad.transforms.gather import if_any
from srcad.transforms.simplify import simplified
from srcad.transforms.split import exposed
from srcad.transforms.work import FUNCTIONS

if TYPE_CHECKING:
    from srcad.transforms.runs import Writer

COSTLY = FUNCTIONS | {np.sqrt, math.sqrt, operator.pow, operator.truediv}
LAZY = (select, and_, or_)  # that may leave out operands

PURE = frozenset((
    *filter(callable, vars(operator).values()), *filter(callable, vars(math).values()), *LAZY, abs, len, max, min,
    round, np.empty, np.empty_like, np.zeros, np.zeros_like, np.ones_like, np.full_like, np.copy, np.sum, np.max,
    np.min, np.mean, np.where, np.abs, np.argmax, np.argmin, np.round,
))  # fmt: skip


class Unblocked(Exception):
    """A loop that cannot go in blocks."""


@dataclass
class Run:
    """Statements that each iteration does for itself."""

    stmts: list[Stmt] = field(default_factory=list)
    scatters: bool = False  # they write to elements here and there

    @property
    def names(self) -> set[str]:
        read = {n for s in walk.statements(tuple(self.stmts)) for e in walk.stmt_exprs(s) for n in walk.names(e)}
        return read | walk.assigned(tuple(self.stmts))

    @property
    def has_loops(self) -> bool:
        return any(isinstance(s, (For, While)) for s in walk.statements(tuple(self.stmts)))


class RunWriter:
    """Writes one run."""

    def __init__(self, writer: Writer):
        self.writer, self.facts = writer, writer.facts
        self.sums: dict[Expr, Var] = {}
        self.ahead: dict[Expr, Let] = {}
        self.behind: list[Accum] = []
        self.always: set[Expr] = set()  # what no iteration leaves out

    def written(self, stmts: list[Stmt]) -> list[Stmt]:
        writer = self.writer
        run = Run(stmts)
        self.assigned = walk.assigned(tuple(stmts))
        origin = replace(stmts[0].origin, adjoint=all(s.origin.adjoint for s in stmts))
        body = self.with_loads(run)
        body = tuple(self.summed(s, True) for s in body)
        self.rows = not run.has_loops
        body = tuple(self.statement(s, True) for s in body)
        loop = self.facts.loop
        if any(loop.index in walk.names(e) for s in walk.statements(body) for e in walk.stmt_exprs(s)):
            number = Call(operator.add, (writer.start, writer.t), (), INT)
            body = (Let(loop.index, number, origin), *body)
        opening = [Let(total.name, Const(0.0, FLOAT), self.behind[0].origin) for total in self.sums.values()]
        behind = [stmt if stmt.target in self.always else if_any(stmt) for stmt in self.behind]
        return [*self.ahead.values(), *opening, writer.over_block(body, origin), *behind]

    # ------------------------------------------------------------ numbers that are elements of arrays over the block

    def with_loads(self, run: Run) -> Block:
        """The statements of a run, with what is loaded before them and stored behind them."""
        body = tuple(run.stmts)
        numbers = sorted(n for n in run.names if not isinstance(self.writer.types.get(n), Array))
        shared = {name: place for name in numbers if (place := self.writer.place_of(name)) is not None}
        loads: list[Stmt] = []
        stores: list[Stmt] = []
        entering = exposed(body)
        reads = Counter(e.name for s in walk.statements(body) for x in walk.stmt_exprs(s) for e in walk.subexprs(x)
                        if isinstance(e, Var))  # fmt: skip
        for name, element in shared.items():
            if name not in self.assigned:
                if run.has_loops:
                    loads.append(Let(name, element, body[0].origin))
                else:
                    body = walk.substitute_in(body, {name: element})
                continue
            direct = self.directly(name, element, body, reads[name])
            if direct is not None:
                body = direct
                continue
            if name in entering or not any(name in walk.targets(s) for s in body if isinstance(s, Let)):
                loads.append(Let(name, element, body[0].origin))
            stores.append(Store(element.args[0], element.args[1], Var(name, element.type), body[-1].origin))
        return (*loads, *body, *stores)

    def directly(self, name: str, element: Call, body: Block, reads: int) -> Block | None:
        """The statements with one that writes the element itself, where no other knows the name."""
        own = [k for k, s in enumerate(body) if name in walk.assigned((s,))]
        if len(own) != 1:
            return None
        stmt = body[own[0]]
        match stmt:
            case Let(_, value) if not reads:
                new: Stmt = Store(element.args[0], element.args[1], value, stmt.origin)
            case Accum(Var(), value) if reads == 1:
                new = Accum(element, value, stmt.origin)
            case Move((_,), (value,)) if not reads:
                new = Store(element.args[0], element.args[1], value, stmt.origin)
            case _:
                return None
        return (*body[: own[0]], new, *body[own[0] + 1 :])

    # ------------------------------------------------------------ what all iterations add to

    def summed(self, stmt: Stmt, always: bool) -> Stmt:
        """An addition to an element that is the same for all iterations goes to a number, and is made behind them.

        Where a test keeps all iterations from it, there may be no such element.
        """
        match stmt:
            case If():
                return walk.map_stmt(lambda e: e, stmt, lambda block: tuple(self.summed(s, False) for s in block))
            case Accum(Call(operator.getitem, (Var(name), index), (), Scalar(dtype)) as target, value) if dtype in REAL:
                fixed = not walk.names(index) & (self.facts.varying | self.assigned | {self.writer.t.name})
                if name not in self.facts.own and fixed and isinstance(getattr(value, "type", None), Scalar):
                    if target not in self.sums:
                        self.sums[target] = Var(self.writer.fresh(f"{name}~sum"), FLOAT)
                        self.behind.append(Accum(target, self.sums[target], stmt.origin))
                    self.always |= {target} if always else set()
                    return replace(stmt, target=self.sums[target])
        return stmt

    # ------------------------------------------------------------ expressions

    def statement(self, stmt: Stmt, always: bool) -> Stmt:
        """A statement of an iteration `t` of the block; `always` tells that no iteration leaves it out."""
        match stmt:
            case Store(base, index, value):
                assert isinstance(base, Var) and isinstance(base.type, Array)
                place = self.inside(at(base, (index,), Scalar(base.type.dtype)), False)
                assert isinstance(place, Call)
                return Store(place.args[0], place.args[1], self.inside(value, always), stmt.origin)
            case Accum(Var(_, Array())):
                raise Unblocked
            case For() | While() | If():
                return walk.map_stmt(lambda e: self.inside(e, False), stmt,
                                     lambda block: tuple(self.statement(s, False) for s in block))  # fmt: skip
        return walk.map_stmt(lambda e: self.inside(e, always), stmt)

    def inside(self, expr: Expr, always: bool) -> Expr:
        new = walk.map_expr(self.element, self.without_common(expr) if always else expr)
        left = [e for e in walk.subexprs(new) if isinstance(e, Var) and isinstance(e.type, Array)]
        if any(e.name in self.facts.varying for e in left) or isinstance(getattr(new, "type", None), Array):
            raise Unblocked
        return new

    def without_common(self, expr: Expr) -> Expr:
        """An expression in which what is costly and the same for all iterations has a name."""
        if isinstance(expr, Call) and member(expr.fn, COSTLY) and isinstance(expr.type, Scalar):
            read = walk.names(expr)
            if read and not read & (self.facts.varying | self.assigned | {self.writer.t.name}):
                if expr not in self.ahead:
                    self.ahead[expr] = Let(self.writer.fresh("_t"), expr, self.facts.loop.origin)
                return Var(self.ahead[expr].target, expr.type)
        match expr:
            case Call(fn, args) if not member(fn, LAZY) and not expr.kwargs:
                return replace(expr, args=tuple(map(self.without_common, args)))
            case Tuple(items):
                return replace(expr, items=tuple(map(self.without_common, items)))
        return expr

    def element(self, e: Expr) -> Expr:
        writer = self.writer
        match e:
            case Call(operator.getitem, (Var(name, Array() as kind) as base, index)):
                items = items_of(index)
                if len(items) != kind.ndim or not isinstance(e.type, Scalar):
                    raise Unblocked
                if self.rows and name in writer.rows and self.facts.is_row(e):
                    return at(writer.rows[name], (items[1], writer.t), e.type)
                if name in self.facts.varying:
                    return at(writer.array(base), (*items, writer.t), e.type)
                if self.rows and (part := writer.of_part(e) or self.of_window(e)) is not None:
                    return part
            case Call(type=Array()) | Tuple(type=Array()):
                raise Unblocked
        return writer.of_shapes(e)


    def of_window(self, element: Call) -> Call | None:
        """The element ``x[k, start + t]``, or ``x[start + t, k]`` of what is kept by columns, as ``part[t]``; the part
        is taken before the run.
        """
        base, index = element.args
        assert isinstance(base, Var) and isinstance(base.type, Array)
        items = items_of(index)
        upright = self.facts.is_upright(base.name, index)
        *others, last = items[::-1] if upright else items
        here = self.facts.varying | self.assigned | {self.writer.t.name}
        free = set().union(*map(walk.names, (*others, last))) - {self.facts.loop.index}
        if free & here or not self.facts.moves_on(last) or not self.facts.is_natural(last):
            return None
        if any(self.facts.varies(item) for item in others) or base.type.layout != "C":
            return None
        lower = simplified(walk.map_expr(lambda e: self.writer.start if e == self.facts.counter else e, last))
        window = Slice(lower, simplified(Call(operator.add, (lower, self.writer.size), (), INT)))
        kind = replace(base.type, shape=(self.writer.fresh("part"),))
        place = Call(operator.getitem, (base, index_of((window, *others) if upright else (*others, window))))
        if place not in self.ahead:
            name, origin = self.writer.fresh(f"{base.name}~part"), replace(self.facts.loop.origin, adjoint=False)
            self.ahead[place] = Let(name, replace(place, type=kind), origin)
        return at(Var(self.ahead[place].target, kind), (self.writer.t,), element.type)


def is_pure(stmt: Stmt) -> bool:
    """Whether a statement calls nothing but what computes numbers from numbers, makes arrays, and reads them."""
    exprs = (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
    return all(_is_pure(e.fn, e) for e in exprs if isinstance(e, Call))


def _is_pure(fn: Any, call: Call) -> bool:
    if isinstance(fn, (np.ufunc, type)) or member(fn, PURE):
        return True
    own = isinstance(fn, types.FunctionType) and fn.__module__.startswith("srcad.runtime.")
    return own and all(isinstance(getattr(e, "type", None), Scalar) for e in (call, *call.args))


def at(base: Var, items: tuple[Expr, ...], kind: Type) -> Call:
    """The element ``base[items]``."""
    return Call(operator.getitem, (base, index_of(items)), (), kind)
