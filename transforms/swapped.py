"""swapped: what an iteration over a pair does, and what it would do for the same pair the other way round; part of
`mutual`.

Both are written as numbers that stand for values: ``x[i] - x[j]`` is minus what it is the other way round, and its
square is the same. Sums and products are compared without their order.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.live import needed
from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, If, Let, Move, Stmt, Tuple, Var
from srcad.lang.arrays import items_of
from srcad.lang.types import Scalar, is_array
from srcad.transforms.side_by_side import is_pure

EVEN = (abs, np.abs, np.square, np.cos, np.cosh, math.cos, math.cosh, math.fabs)
ODD = (
    np.round, round, np.rint, np.sign, np.sin, np.tan, np.tanh, np.sinh, np.arctan, np.arcsin, np.arcsinh, np.cbrt,
    math.sin, math.tan, math.tanh, math.sinh, math.atan, math.asin, math.asinh, math.erf,
)  # fmt: skip

Value = tuple[int, int]  # a sign, and a number that stands for the rest
Effects = Counter[tuple[Hashable, ...]]


def _is_double(expr: Expr) -> bool:
    kind = getattr(expr, "type", None)
    return isinstance(kind, Scalar) and kind.dtype == "float64"


def given(block: Block) -> set[str]:
    """The names that statements give a value, and do not only add to."""
    return {name for s in walk.statements(block) if isinstance(s, (Let, Move)) for name in walk.targets(s)}


class Unknown(Exception):
    """Something whose meaning for the pair the other way round is not known."""


@dataclass
class Meaning:
    """What names stand for, while the statements of a pair are gone through."""

    first: str  # the index of one of the two
    second: str  # and that of the other one
    ids: dict[Hashable, int]  # of all values so far, also the other way round
    rooms: dict[str, Expr]  # names of one item's own that are added to something at last
    fixed: frozenset[str] = frozenset()  # names of one item's own that stay
    env: dict[str, Value | None] = field(default_factory=dict)
    effects: Effects = field(default_factory=Counter)
    pending: list[dict[str, list]] = field(default_factory=list)  # by loop, what is added to names from around it
    context: tuple[Hashable, ...] = ()
    parts: dict[tuple[str, int], tuple] = field(default_factory=dict)  # of sums and products
    read: set[str] = field(default_factory=set)  # names from outside
    written: set[str] = field(default_factory=set)  # arrays to which something is added
    numbers: set[str] = field(default_factory=set)  # and numbers

    def new(self, key: Hashable, sign: int = 1) -> Value:
        return sign, self.ids.setdefault(key, len(self.ids))

    def block(self, block: Block) -> None:
        for stmt in block:
            self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        if not is_pure(stmt) or isinstance(stmt, Accum) and not _is_double(stmt.value):
            raise Unknown
        match stmt:
            case Let(name, value) if not is_array(getattr(value, "type", None)):
                self.env[name] = self.value(value)
            case Move(targets, values) if not any(is_array(getattr(value, "type", None)) for value in values):
                self.env |= dict(zip(targets, list(map(self.value, values))))
            case Accum(Var(name, Scalar()), value) if name not in self.fixed:
                self.number(name, self.value(value))
            case Accum(Call(operator.getitem, (Var(name), index), (), Scalar()), value):
                self.effect(self.place(name, index), self.value(value))
            case For(_, start, stop, step, _, None):
                self.loop(stmt, (self.value(start), self.value(stop), self.value(step)))
            case If(test, then, orelse):
                self.branches(self.value(test), (then, orelse))
            case _:
                raise Unknown

    def number(self, name: str, value: Value) -> None:
        """Something is added to a number: of the pair, of an item's own, or of all."""
        if name in self.rooms:
            self.effect(self.place(name, None), value)
        elif name not in self.env:
            self.numbers.add(name)
            self.effect(self.new(("total", name)), value)
        elif self.pending and name in self.pending[-1]:
            self.pending[-1][name].append((self.context, value))
        else:
            self.env[name] = self.total([(1, self.known(name)), (1, value)])

    def effect(self, place: Value, value: Value) -> None:
        self.effects[(self.context, place, value)] += 1

    def place(self, name: str, index: Expr | None) -> Value:
        """The element of an array to which something is added."""
        at = [] if index is None else list(map(self.value, items_of(index)))
        if name in self.rooms:
            room = self.rooms[name]
            if isinstance(room, Var):
                self.numbers.add(room.name)
                return self.new(("total", room.name))
            at = [*map(self.value, items_of(room.args[1])), *at]  # type: ignore[union-attr]
            name = room.args[0].name  # type: ignore
        self.written.add(name)
        return self.new(("element", name, *at))

    def loop(self, loop: For, bounds: tuple[Value, ...]) -> None:
        """A loop inside, the sums of which are values like others."""
        key = ("loop", len(self.pending), *bounds)
        lets = given(loop.body) | {loop.index}
        if lets & needed(loop.body) - {loop.index}:
            raise Unknown
        start = {name: self.env[name] for name in self.env.keys() & walk.assigned(loop.body) - lets}
        outside, self.context = self.context, (*self.context, key)
        self.env |= dict.fromkeys(start)
        self.env[loop.index] = self.new(key)
        self.pending.append({name: [] for name in start})
        self.block(loop.body)
        added, self.context = self.pending.pop(), outside
        self.env |= dict.fromkeys(lets)
        for name, before in start.items():
            total = ("added", key, before, tuple(sorted(added[name], key=repr)))
            if before is None and not (self.pending and name in self.pending[-1]):
                raise Unknown
            if before is None:
                self.pending[-1][name].append((self.context, self.new(total)))
            else:
                self.env[name] = self.new(total)

    def branches(self, test: Value, blocks: tuple[Block, Block]) -> None:
        outside, known = self.context, dict(self.env)
        for branch, block in enumerate(blocks):
            self.context, self.env = (*outside, ("if", test, branch)), dict(known)
            self.block(block)
        self.context = outside
        self.env = {name: None if name in walk.assigned((*blocks[0], *blocks[1])) else v for name, v in known.items()}

    def known(self, name: str) -> Value:
        value = self.env[name]
        if value is None:
            raise Unknown
        return value

    def value(self, expr: Expr) -> Value:
        """What stands for an expression."""
        match expr:
            case Var(name) if name in (self.first, self.second):
                return self.new(("item", name == self.first))
            case Var(name) if name in self.env:
                return self.known(name)
            case Var(name) if name in self.rooms:
                raise Unknown
            case Var(name):
                self.read.add(name)
                return self.new(("name", name))
            case Const(value) if type(value) in (int, float) and value < 0:
                return self.new(("number", -value), -1)
            case Const(value) if type(value) in (int, float):
                return self.new(("number", value))
            case Const():
                return self.new(("constant", expr))
            case Attr(Var(name), "shape"):
                return self.new(("shape", name))
            case Tuple(items):
                return self.new(("tuple", *map(self.value, items)))
            case Call(fn, args, ()) if all(isinstance(getattr(e, "type", None), Scalar) for e in (expr, *args)):
                return self.computed(fn, args)
            case Call(fn, args, ()):
                return self.new(("call", fn, *map(self.value, args)))
        raise Unknown

    def computed(self, fn: object, args: tuple[Expr, ...]) -> Value:
        """What stands for a number that is computed from numbers."""
        values = list(map(self.value, args))
        signs, ids = zip(*values)
        if fn is operator.neg:
            return -signs[0], ids[0]
        if fn is operator.add or fn is operator.sub:
            return self.total([(1, values[0]), (1 if fn is operator.add else -1, values[1])])
        if fn is operator.mul or fn is operator.truediv:
            factors = [*self.factors(ids[0], 1), *self.factors(ids[1], 1 if fn is operator.mul else -1)]
            product = self.new(("product", *sorted(factors)), signs[0] * signs[1])
            self.parts["product", product[1]] = tuple(sorted(factors))
            return product
        power = args[1].value if fn is operator.pow and isinstance(args[1], Const) else None
        if member(fn, EVEN) or power in (2, 4, 6):
            return self.new(("even", fn, *ids))
        if member(fn, ODD) or power in (3, 5):
            return self.new(("odd", fn, *ids), signs[0])
        if fn is operator.eq or fn is operator.ne:
            values.sort()
        return self.new(("call", fn, *values))

    def factors(self, product: int, power: int) -> list[tuple[int, int]]:
        """What stands for the factors of a product, each with its power."""
        return [(each, power * its) for each, its in self.parts.get(("product", product), ((product, 1),))]

    def total(self, terms: list[tuple[int, Value]]) -> Value:
        """What stands for a sum: its terms in order, the first of them with a plus."""
        signed: list[tuple[int, int]] = []
        for sign, (own, one) in terms:
            signed += [(each, sign * own * its) for each, its in self.parts.get(("sum", one), ((one, 1),))]
        signed.sort()
        first = signed[0][1]
        whole = tuple((each, sign * first) for each, sign in signed)
        made = self.new(("sum", *whole), first)
        self.parts["sum", made[1]] = whole
        return made
