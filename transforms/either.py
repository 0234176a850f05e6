"""either: what branches add to neighbours is added in any case, one number or another. For machine code only.

``if u[i] > 0: u_bar[i] += d; u_bar[i - 1] -= d`` and ``else: u_bar[i + 1] += d; u_bar[i] -= d``: schemes that go with
the wind pick the neighbours of an element, and so their reverse adds to one or the other. No machine runs such
iterations side by side. Where both branches do nothing but compute numbers and add them,
``u_bar[i - 1] += -d if test else 0.0`` does as well, and `gather` and `margins` find neighbours that each iteration
adds to. An expression that picks one of two elements, as `np.where` is written, reads both there.

Branches may keep an index inside of an array. So all elements that they read or add to must be there for each
iteration.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.additions import only_added_to, place_of
from srcad.analysis.affine import linear
from srcad.analysis.boxes import box_of
from srcad.analysis.contents import member
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Tuple, Var, While, and_, or_, select,
)  # fmt: skip
from srcad.lang.types import BOOL, FLOAT, REAL, Array, Scalar
from srcad.transforms.flatten import fresh_names
from srcad.transforms.gather import FARTHEST
from srcad.transforms.simplify import simplified

CHEAP = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.gt, operator.lt, operator.ge,
    operator.le, operator.eq, operator.ne, operator.not_, and_, or_, select, abs, min, max, math.fabs, np.abs,
    np.maximum, np.minimum,
)  # fmt: skip
KINDS = (*REAL, "bool", "int64")
Rows = frozenset[Call]  # of arrays, as they were taken


def either(fn: Function) -> Function:
    """Add in any case what branches add to neighbours.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import INT
    >>> b, v = (Var(name, Array("float64", ("n",), "C")) for name in "bv")
    >>> i, n, one = Var("i", INT), Var("n", INT), Const(1, INT)
    >>> def at(a, k): return Call(operator.getitem, (a, Call(operator.add, (i, Const(k, INT)), (), INT)), (), FLOAT)
    >>> test = Call(operator.gt, (at(v, 0), Const(0.0, FLOAT)), (), BOOL)
    >>> branch = If(test, (Accum(at(b, 0), at(v, 0)),), (Accum(at(b, 1), at(v, 1)),))
    >>> loop = For("i", one, Call(operator.sub, (n, one), (), INT), one, (branch,))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = either(Function("f", (Param("b", b.type), Param("v", v.type), Param("n", INT)), (loop, Return(b))))
    >>> print(write(name(fn)).text, end="")
    def f(b, v, n):
        for i in range(1, n - 1):
            test = v[i + 0] > 0.0
            b[i + 0] += v[i + 0] if test else 0.0
            b[i + 1] += 0.0 if test else v[i + 1]
        return b
    """
    if not any(isinstance(stmt, If) or _chooses(stmt) for stmt in walk.statements(fn.body)):
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    leveller = _Leveller(Lengths.of(fn), Pairs.of(fn.body), fresh_names(used))
    return replace(fn, body=leveller.block(fn.body, [], frozenset()))


@dataclass
class _Side:
    """What a branch does: names that only it has, names that the other one has too, and what it adds."""

    lets: list[Stmt] = field(default_factory=list)
    joined: dict[str, Expr] = field(default_factory=dict)
    added: dict[Expr, Expr] = field(default_factory=dict)
    old: dict[str, Expr] = field(default_factory=dict)  # numbers that it adds to, as they were before

    def add(self, target: Expr, value: Expr) -> None:
        self.added[target] = _sum(self.added[target], value) if target in self.added else value


class _No(Exception):
    """A branch does something else."""


@dataclass
class _Leveller:
    lengths: Lengths
    pairs: Pairs
    fresh: Callable[[str], str]
    rows: Rows = frozenset()  # what is surely there where a loop begins

    def block(self, block: Block, loops: list[For], rows: Rows) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            inner = [*loops, stmt] if isinstance(stmt, For) else loops
            changed = walk.assigned((stmt,))
            rows = frozenset(row for row in rows if not walk.names(row) & changed)
            if isinstance(stmt, For) and not any(isinstance(s, (For, While)) for s in walk.statements(stmt.body)):
                self.rows = rows
                result.append(self.loop(stmt, inner))
            else:
                result.append(walk.map_stmt(lambda e: e, stmt, lambda b: self.block(b, inner, rows)))  # noqa: B023
            match stmt:
                case Let(name, Call(operator.getitem, (Var(), index), type=Array()) as row):
                    if isinstance(getattr(index, "type", None), Scalar) and name not in walk.names(row):
                        rows |= {row}
        return tuple(result)

    def loop(self, loop: For, loops: list[For]) -> For:
        """An innermost loop, without branches if these add to neighbours."""
        every = [place for stmt in walk.statements(loop.body) if (place := place_of(stmt)) is not None]
        near = any(self.is_near(name, loop, every) for name in dict.fromkeys(base for base, _ in every))
        if loop.flag is not None or not near:
            return loop
        body: list[Stmt] = []
        for stmt in loop.body:
            try:
                body.extend(self.level(stmt, body, loop, loops) if isinstance(stmt, If) else self.sided(stmt, loops))
            except _No:
                body.append(stmt)
        return replace(loop, body=tuple(body))

    def sided(self, stmt: Stmt, loops: list[For]) -> list[Stmt]:
        """A statement that chooses between names, where it chose between elements: these are read in any case."""
        before: list[Let] = []

        def named(e: Expr) -> Expr:
            match e:
                case Call(fn, (test, *sides)) if fn is select:
                    return replace(e, args=(test, *map(read, sides)))
            return e

        def read(side: Expr) -> Expr:
            if not _reads(side):
                return side
            self.check(side, loops)
            before.append(Let(self.fresh("_t"), side, stmt.origin))
            return Var(before[-1].target, side.type)  # type: ignore[union-attr]

        changed = walk.map_stmt(lambda e: walk.map_expr(named, e), stmt) if _chooses(stmt) else stmt
        return [*before, changed]

    def is_near(self, name: str, loop: For, every: list[tuple[str, Expr]]) -> bool:
        """Whether a loop adds to an array at places that are near each other, and does nothing else with it."""
        offsets: set[int] = set()
        for index in (index for base, index in every if base == name):
            items = items_of(index)
            own = [at[1] for item in items if (at := linear(item)) is not None and at[0] == loop.index]
            if len(own) != 1:
                return False
            offsets.update(own)
        several = len({index for base, index in every if base == name}) > 1
        return several and max(offsets) - min(offsets) <= FARTHEST and only_added_to(self.pairs, name, loop.body, loop)

    # ------------------------------------------------------------ branches

    def level(self, stmt: If, before: list[Stmt], loop: For, loops: list[For]) -> list[Stmt]:
        """A branch as statements that are done in any case; of numbers that are zero `before` it, only these."""
        zeros = {s.target: s for s in before if isinstance(s, Let) and walk.is_const(s.value, 0.0)}
        for name, zero in list(zeros.items()):
            if any(mentions(s, name) for s in before if s is not zero):
                del zeros[name]
        side = self.both(stmt, {name: zero.value for name, zero in zeros.items()}, loop, loops)
        for name, value in (*side.joined.items(), *(("", value) for value in side.added.values())):
            if walk.names(value) & side.joined.keys() - {name}:
                raise _No
        for name in side.joined.keys() & zeros.keys():
            before.remove(zeros[name])
        origins = {s.target: s.origin for s in walk.statements((stmt,)) if isinstance(s, (Let, Accum))}
        joined = [Let(name, value, origins.get(name, stmt.origin)) for name, value in side.joined.items()]
        return [*side.lets, *joined, *(Accum(place, value, origins[place]) for place, value in side.added.items())]

    def both(self, stmt: If, known: dict[str, Expr], loop: For, loops: list[For]) -> _Side:
        self.check(stmt.test, loops)
        found = _Side()
        test = walk.substitute(stmt.test, known)
        if not isinstance(test, Var):
            test = Var(self.fresh("test"), BOOL)
            found.lets.append(Let(test.name, walk.substitute(stmt.test, known), stmt.origin))
        one, other = (self.side(branch, known, loop, loops) for branch in (stmt.then, stmt.orelse))
        found.lets += [*one.lets, *other.lets]
        found.old = one.old | other.old
        before = found.old | known
        for name in dict.fromkeys((*one.joined, *other.joined)):
            if name not in before and not (name in one.joined and name in other.joined):
                raise _No
            values = [side.joined[name] if name in side.joined else before[name] for side in (one, other)]
            found.joined[name] = _chosen(test, *values)
        zero = Const(0.0, FLOAT)
        for at in dict.fromkeys((*one.added, *other.added)):
            found.added[at] = _chosen(test, one.added.get(at, zero), other.added.get(at, zero))
        return found

    def side(self, block: Block, known: dict[str, Expr], loop: For, loops: list[For]) -> _Side:
        """What a branch does, if it computes numbers and adds them to elements that each iteration has."""
        side = _Side()
        for stmt in block:
            now = known | side.joined
            match stmt:
                case Let() | Move():
                    for name, value in [(n, walk.substitute(e, now)) for n, e in walk.bindings(stmt)]:
                        self.check(value, loops)
                        if name in self.lengths.single:
                            side.lets.append(Let(name, value, stmt.origin))
                        else:
                            side.joined[name] = value
                case Accum(Var(name, Scalar()) as number, value):
                    self.check(value, loops)
                    side.joined[name] = _sum(now.get(name, number), walk.substitute(value, now))
                    side.old.setdefault(name, number)
                case Accum(target, value) if (place := place_of(stmt)) is not None:
                    self.check(target, loops)
                    self.check(value, loops)
                    if not only_added_to(self.pairs, place[0], loop.body, loop):
                        raise _No
                    side.add(target, walk.substitute(value, now))
                case If():
                    inner = self.both(stmt, now, loop, loops)
                    side.lets += inner.lets
                    side.joined |= inner.joined
                    side.old = inner.old | side.old
                    for target, value in inner.added.items():
                        side.add(target, value)
                case _:
                    raise _No
        return side

    def check(self, expr: Expr, loops: list[For]) -> None:
        """Refuse what may not be computed in each iteration, or takes long."""
        match expr:
            case Call(operator.getitem, (Var(type=Array()) as array, index), (), Scalar()):
                match index:
                    case Tuple((first, *rest)) if any(row.args == (array, first) for row in self.rows):
                        array = replace(array, type=replace(array.type, shape=array.type.shape[1:]))  # type: ignore
                        index = index_of(rest)
                own = [loop for loop in loops if loop.index in walk.names(index)]
                box = box_of(index, array, own, self.lengths)
                if box is None or any(s.start.from_end or s.start.number < 0 for s in box):
                    raise _No
                if any(not s.stop.from_end or s.stop.number < 0 for s in box):
                    raise _No
            case Call(fn, args, (), Scalar(dtype)) if dtype in KINDS and member(fn, CHEAP):
                for arg in args:
                    self.check(arg, loops)
            case Var(type=Scalar(dtype)) | Const(type=Scalar(dtype)) if dtype in KINDS:
                pass
            case Const(float() | int() | bool()):
                pass
            case _:
                raise _No


def _chooses(stmt: Stmt) -> bool:
    """Whether a statement, no branch or loop, has an expression that picks one of two."""
    exprs = () if walk.blocks(stmt) else walk.stmt_exprs(stmt)
    return any(isinstance(e, Call) and e.fn is select for whole in exprs for e in walk.subexprs(whole))


def _reads(expr: Expr) -> bool:
    return any(isinstance(e, Call) and e.fn is operator.getitem for e in walk.subexprs(expr))


def _chosen(test: Expr, one: Expr, other: Expr) -> Expr:
    kind = getattr(one if not isinstance(one, Const) else other, "type", FLOAT)
    return one if one == other else Call(select, (test, one, other), (), kind)


def _sum(one: Expr, other: Expr) -> Expr:
    return simplified(Call(operator.add, (one, other), (), one.type))  # type: ignore[union-attr]
