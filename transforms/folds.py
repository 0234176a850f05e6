"""What is made of items one after the other: ``sum``, ``math.prod`` and `functools.reduce` of a generator; part of
`desugar`."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.forms import LocalFunction, apply
from srcad.lang.ir import Call, Const, Effect, Expr, If, Let, Return, Var, raise_
from srcad.transforms.assign import store
from srcad.transforms.comprehensions import Comprehension
from srcad.transforms.iterables import Counted, Head, Items, Iterable, Range, plus
from srcad.transforms.loops import bodies, counting

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

Join = Callable[[tuple[Expr, ...]], Expr]
"""What several values give together."""


def folded(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``sum`` and ``math.prod``."""
    op, first = (operator.mul, 1) if fn is math.prod else (operator.add, 0.0 if fn is math.fsum else 0)
    return _from(made, options.get("start"), Const(first), lambda total, item: Call(op, (total, item)))


def _from(
    made: Comprehension, start: gast.AST | None, otherwise: Expr, step: Callable[[Expr, Expr], Expr]
) -> Expr:
    """A total that begins with a value."""
    inner = made.inner
    name = inner.fresh("total")

    def build() -> None:
        inner.let(name, otherwise if start is None else inner.expr(start))
        made.each(lambda: inner.let(name, step(Var(name), inner.expr(made.node.elt))))
        made.emit(Return(Var(name), made.origin))

    return made.called(build)


def reduced(d: Desugarer, node: gast.Call) -> Expr:
    """``functools.reduce`` of what gives one item after the other."""
    by, over, *start = node.args
    function = d.expr(by)
    if not isinstance(function, Const):
        function = d.temporary(function)
    made = Comprehension(d, over if isinstance(over, gast.GeneratorExp) else generated(over))

    def step(total: Expr, item: Expr) -> Expr:
        return call_of(function, total, item)

    if start:
        return _from(made, start[0], Const(0), step)

    def build() -> None:
        nothing = Const("reduce() of empty iterable with no initial value")
        empty = Effect(Call(raise_, (Const(TypeError), nothing)), made.origin)
        (generator, *more) = made.node.generators
        plain = not more and not generator.ifs
        if not plain or not from_first(made, lambda values: functools.reduce(step, values), empty):
            _from_any(made, step, empty)

    return made.called(build)


def _from_any(made: Comprehension, step: Callable[[Expr, Expr], Expr], empty: Effect) -> None:
    """The first item that there is, and what the others make of it."""
    inner = made.inner
    total, found = inner.fresh("total"), inner.fresh("found")

    def add() -> None:
        value = value_of(made)
        first = (Let(total, value, made.origin), Let(found, Const(True), made.origin))
        further = inner.gathered(lambda: inner.let(total, step(Var(total), value)))
        made.emit(If(Var(found), further, first, made.origin))

    inner.let(total, Const(0))
    inner.let(found, Const(False))
    made.each(add)
    made.emit(If(Call(operator.not_, (Var(found),)), (empty,), (), made.origin))
    made.emit(Return(Var(total), made.origin))


def from_first(made: Comprehension, join: Join, empty: Effect) -> bool:
    """The first item, and what the others make of it; False where the first cannot be told."""
    inner, (generator,) = made.inner, made.node.generators
    head, over = made.head(generator)
    best = inner.fresh("best")
    if isinstance(over, Items) and not over.ends and over.items:
        values: list[Expr] = []
        each = bodies(inner, generator.target, over, lambda: inner.gathered(lambda: values.append(value_of(made))))
        for part in each:
            inner.out += part
        made.emit(Return(join(tuple(values)) if len(values) > 1 else values[0], made.origin))
        return True
    found = _divided(head, generator.target, over)
    if found is None:
        return False
    first, others, some = found
    made.emit(If(Call(operator.not_, (some,)), (empty,), (), made.origin))
    store(inner, generator.target, first)
    inner.let(best, inner.expr(made.node.elt))
    loop = counting(head, generator.target, others, lambda: inner.gathered(
        lambda: inner.let(best, join((Var(best), value_of(made))))))
    inner.out += [] if loop is None else [loop]
    made.emit(Return(Var(best), made.origin))
    return True


def _divided(head: Head, target: gast.AST, over: Iterable | None) -> tuple[Expr, Iterable, Expr] | None:
    """The first item, the others, and whether there is a first one; None where that cannot be told."""
    if isinstance(over, Range) and isinstance(over.step, Const):
        start, stop, step = head.fixed(over.start), over.stop, over.step
        some = Call(operator.lt if step.value > 0 else operator.gt, (start, stop))
        return start, Range(plus(start, step), stop, step), some
    counted = None if over is None or isinstance(over, Items) else head.counted(target, over)
    if counted is None:
        return None
    others = Counted(counted.count, counted.item, start=1)
    return counted.item(Const(0)), others, Call(operator.gt, (counted.count, Const(0)))


def generated(over: gast.AST) -> gast.GeneratorExp:
    """The items of what gives one after the other, as a generator expression."""
    item = gast.Name("item", gast.Store(), None, None)
    made = gast.GeneratorExp(gast.Name("item", gast.Load(), None, None), [gast.comprehension(item, over, [], 0)])
    return gast.copy_location(made, over)


def value_of(made: Comprehension) -> Expr:
    return made.inner.temporary(made.inner.expr(made.node.elt))


def call_of(function: Expr, *values: Expr) -> Expr:
    plain = isinstance(function, Const) and not isinstance(function.value, LocalFunction)
    return Call(function.value, values) if plain else Call(apply, (function, *values))  # type: ignore[union-attr]
