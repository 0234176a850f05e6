"""``max`` and ``min`` of items by a key; part of `desugar`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.ir import Call, Const, Effect, Expr, If, Let, Return, Var, raise_
from srcad.transforms.assign import store
from srcad.transforms.counting import Counted, Items
from srcad.transforms.loops import bodies, counting

if TYPE_CHECKING:
    from srcad.transforms.comprehensions import Comprehension
    from srcad.transforms.iterables import Head


class Ranking:
    """The best item so far, and its rank."""

    def __init__(self, made: Comprehension, fn: Any, by: Expr, rank: Any):
        self.made, self.inner, self.by, self.rank_of = made, made.inner, by, rank
        self.best, self.key = made.inner.fresh("best"), made.inner.fresh("key")
        self.better = operator.gt if fn is max else operator.lt

    def item(self) -> Expr:
        return self.inner.temporary(self.inner.expr(self.made.node.elt))

    def begin(self, first: Expr) -> None:
        self.inner.let(self.best, first)
        self.inner.let(self.key, self.rank_of(self.by, first))

    def compare(self, item: Expr) -> None:
        rank = self.inner.temporary(self.rank_of(self.by, item))
        kept = (Let(self.best, item, self.made.origin), Let(self.key, rank, self.made.origin))
        self.made.emit(If(Call(self.better, (rank, Var(self.key))), kept, (), self.made.origin))

    def of_items(self, target: gast.AST, over: Items) -> None:
        """Of items that are written out: the best one."""
        inner, begun = self.inner, False

        def one() -> None:
            nonlocal begun
            item = self.item()
            self.compare(item) if begun else self.begin(item)
            begun = True

        for part in bodies(inner, target, over, lambda: inner.gathered(one)):
            inner.out += part
        self.made.emit(Return(Var(self.best), self.made.origin))

    def of_positions(self, head: Head, target: gast.AST, counted: Counted) -> None:
        """Of what is counted."""
        inner, origin = self.inner, self.made.origin
        failure = Call(raise_, (Const(ValueError), Const("max() or min() of an empty sequence")))
        self.made.emit(If(Call(operator.le, (counted.count, Const(0))), (Effect(failure, origin),), (), origin))
        store(inner, target, counted.item(Const(0)))
        self.begin(self.item())
        others = Counted(counted.count, counted.item, start=1)
        loop = counting(head, target, others, lambda: inner.gathered(lambda: self.compare(self.item())))
        inner.out += [] if loop is None else [loop]
        self.made.emit(Return(Var(self.best), origin))
