"""Reductions of comprehensions and generator expressions: ``sum(... for ...)`` and the like; part of `desugar`."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.forms import LocalFunction, apply
from srcad.lang.ir import Call, Const, Effect, Expr, If, Let, Return, Var, or_, raise_
from srcad.transforms.assign import store
from srcad.transforms.comprehensions import Comprehension, NotKnown, tuple_of
from srcad.transforms.iterables import LAZY, Counted, Items
from srcad.transforms.loops import bodies, counting

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer


def may_reduce(node: gast.Call) -> bool:
    """Whether a call may be that of a reduction of a generator."""
    return bool(node.args) and isinstance(node.args[0], (gast.GeneratorExp, gast.ListComp, gast.Call))


def reduction(d: Desugarer, node: gast.Call, fn: Any) -> Expr | None:
    """``sum(... for ...)`` and the like; None where the call is none of them."""
    make = _REDUCTIONS.get(fn) if callable(fn) and getattr(type(fn), "__hash__", None) else None
    if make is None or not node.args:
        return None
    first = node.args[0]
    if not isinstance(first, (gast.GeneratorExp, gast.ListComp)):
        if not _is_lazy(d, first) or make is _extreme and len(node.args) > 1:
            return None
        item = gast.Name("item", gast.Store(), None, None)
        first = gast.GeneratorExp(gast.Name("item", gast.Load(), None, None), [gast.comprehension(item, first, [], 0)])
        gast.copy_location(first, node)
    options = {k.arg: k.value for k in node.keywords}
    if len(node.args) > 1 and make is _folded:
        options["start"] = node.args[1]
    elif len(node.args) > 1:
        return None
    return make(Comprehension(d, first), fn, options)


def _is_lazy(d: Desugarer, node: gast.AST) -> bool:
    if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Name)):
        return False
    meaning = d.expr(node.func)
    return isinstance(meaning, Const) and meaning.value in LAZY - {list, tuple}


def _sequence(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``tuple`` and ``list``."""
    try:
        return tuple_of(made.d, made.node)
    except NotKnown:
        reason = f"{fn.__name__}() of an unknown number of items is not supported"
        return made.d.refuse(made.node, reason, "an array made before a loop and filled in it")


def _folded(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``sum`` and ``math.prod``."""
    inner = made.inner
    op, first = (operator.mul, 1) if fn is math.prod else (operator.add, 0.0 if fn is math.fsum else 0)
    name = inner.fresh("total")

    def build() -> None:
        start = inner.expr(options["start"]) if "start" in options else Const(first)
        inner.let(name, start)
        made.each(lambda: inner.let(name, Call(op, (Var(name), inner.expr(made.node.elt)))))
        made.emit(Return(Var(name), made.origin))

    return made.called(build)


def _tested(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``any`` and ``all``: left at the first item that decides."""
    some = fn is any

    def decide() -> None:
        test = made.inner.expr(made.node.elt)
        decided = test if some else Call(operator.not_, (test,))
        made.emit(If(decided, (Return(Const(some), made.origin),), (), made.origin))

    def build() -> None:
        made.each(decide)
        made.emit(Return(Const(not some), made.origin))

    return made.called(build)


def _extreme(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``max`` and ``min``."""
    plain = not options and len(made.node.generators) == 1 and not made.node.generators[0].ifs
    return made.called(lambda: _from_first(made, fn) if plain else _from_none(made, fn, options))


def _from_first(made: Comprehension, fn: Any) -> None:
    """The first item, and what the others make of it."""
    inner, (generator,) = made.inner, made.node.generators
    head, over = made.head(generator)
    best = inner.fresh("best")
    if isinstance(over, Items) and not over.ends and over.items:
        values: list[Expr] = []
        for part in bodies(inner, generator.target, over, lambda: inner.gathered(lambda: values.append(_value(made)))):
            inner.out += part
        made.emit(Return(Call(fn, tuple(values)) if len(values) > 1 else values[0], made.origin))
        return
    counted = None if over is None or isinstance(over, Items) else head.counted(generator.target, over)
    if counted is None:
        _from_none(made, fn, {})
        return
    count = inner.named(counted.count)
    made.emit(If(Call(operator.lt, (count, Const(1))), (_nothing(made, fn),), (), made.origin))
    store(inner, generator.target, counted.item(Const(0)))
    inner.let(best, _value(made))
    others = Counted(Call(operator.sub, (count, Const(1))), lambda i: counted.item(Call(operator.add, (i, Const(1)))))
    loop = counting(head, generator.target, others, lambda: inner.gathered(
        lambda: inner.let(best, Call(fn, (Var(best), _value(made))))))
    inner.out += [] if loop is None else [loop]
    made.emit(Return(Var(best), made.origin))


def _value(made: Comprehension) -> Expr:
    return made.inner.temporary(made.inner.expr(made.node.elt))


def _nothing(made: Comprehension, fn: Any) -> Effect:
    return Effect(Call(raise_, (Const(ValueError), Const(f"{fn.__name__}() arg is an empty sequence"))), made.origin)


def _from_none(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> None:
    """The best of what may be nothing, by a ``key`` or with a ``default``."""
    inner = made.inner
    best, key, found = (inner.fresh(hint) for hint in ("best", "key", "found"))
    by = inner.expr(options["key"]) if "key" in options else None
    better = operator.gt if fn is max else operator.lt

    def compare() -> None:
        value = _value(made)
        rank = value if by is None else inner.temporary(_call_of(by, value))
        test = Call(or_, (Call(operator.not_, (Var(found),)), Call(better, (rank, Var(best if by is None else key)))))
        ranked = () if by is None else (Let(key, rank, made.origin),)
        kept = (Let(best, value, made.origin), *ranked, Let(found, Const(True), made.origin))
        made.emit(If(test, kept, (), made.origin))

    for name in (best, *((key,) if by is not None else ())):
        inner.let(name, Const(0))
    inner.let(found, Const(False))
    made.each(compare)
    if "default" in options:
        without = inner.gathered(lambda: inner.let(best, inner.expr(options["default"])))
    else:
        without = (_nothing(made, fn),)
    made.emit(If(Call(operator.not_, (Var(found),)), without, (), made.origin))
    made.emit(Return(Var(best), made.origin))


def _call_of(function: Expr, value: Expr) -> Expr:
    plain = isinstance(function, Const) and not isinstance(function.value, LocalFunction)
    return Call(function.value, (value,)) if plain else Call(apply, (function, value))  # type: ignore[union-attr]


_REDUCTIONS: dict[Any, Callable[[Comprehension, Any, dict[str, gast.AST]], Expr]] = {
    builtins.sum: _folded, math.fsum: _folded, math.prod: _folded, builtins.any: _tested, builtins.all: _tested,
    builtins.max: _extreme, builtins.min: _extreme, builtins.tuple: _sequence, builtins.list: _sequence,
}  # fmt: skip
