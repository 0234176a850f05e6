"""Reductions of comprehensions and generator expressions: ``sum(... for ...)`` and the like; part of `desugar`."""

from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from srcad.lang.forms import as_tuple
from srcad.lang.ir import Call, Const, Effect, Expr, If, Let, Method, Return, Slice, Var, or_, raise_
from srcad.transforms.comprehensions import Comprehension, mapping, sequence_of
from srcad.transforms.contexts import settles_errors
from srcad.transforms.control import is_test
from srcad.transforms.folds import call_of, folded, from_first, generated, reduced, value_of
from srcad.transforms.iterables import Items
from srcad.transforms.iterators import GIVES_ITEMS
from srcad.transforms.ranks import Ranking
from srcad.transforms.generators import named
from srcad.transforms.trees import called_by, is_range

LAZY = (range, zip, enumerate, reversed, map, filter)

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer


def no_call(d: Desugarer, node: gast.Call) -> Expr | None:
    """What a call stands for that tells which errors are shown, or reduces a generator; None: it is another one."""
    if settles_errors(d, node):
        return Const(None)
    callee = d.callee(node.func)[0] if _may_reduce(node) else None
    return None if callee is None else reduction(d, node, callee)


def _may_reduce(node: gast.Call) -> bool:
    """Whether a call may be that of a reduction of a generator."""
    parts = (gast.GeneratorExp, gast.ListComp, gast.Call)
    return any(isinstance(arg, parts) for arg in node.args[:2]) or any(k.arg == "key" for k in node.keywords)


def reduction(d: Desugarer, node: gast.Call, fn: Any) -> Expr | None:
    """``sum(... for ...)`` and the like, ``type(xs)(... for ...)``; None where the call is none of them."""
    if fn is functools.reduce:
        lazy = len(node.args) > 1 and not is_range(node.args[1]) and is_lazy(d, node.args[1])
        return reduced(d, node) if lazy else None
    if isinstance(node.func, gast.Call) and called_by(d, node.func) is type and is_generator(node.args):
        items = gast.copy_location(gast.ListComp(node.args[0].elt, node.args[0].generators), node)
        return d.expr(gast.copy_location(gast.Call(node.func, [items], []), node))
    known = (callable(fn) or isinstance(fn, Method)) and getattr(type(fn), "__hash__", None)
    make = _REDUCTIONS.get(fn) if known else None
    if make is None or not node.args:
        return None
    first, *more = node.args
    options = {k.arg: k.value for k in node.keywords}
    if make is _extended:
        options["whole"] = node.func.value
    if make is _extreme and more and "key" in options:
        first, more = gast.copy_location(gast.Tuple([first, *more], gast.Load()), node), []
    if not isinstance(first, (gast.GeneratorExp, gast.ListComp)):
        if not (is_lazy(d, first) or "key" in options and make is _extreme) or make is _extreme and more:
            return None
        first = generated(first)
    if more and make in (folded, _first):
        options["start"] = more[0]
    elif make is _collected:
        options |= zip(("dtype", "count"), more)
    elif more or make in (_mapping, _members) and options:
        return None
    return make(Comprehension(d, first), fn, options)


def is_generator(args: list[gast.AST]) -> bool:
    """Whether what is handed to a call is one generator."""
    return len(args) == 1 and isinstance(args[0], gast.GeneratorExp)


def is_lazy(d: Desugarer, node: gast.AST) -> bool:
    """Whether an expression gives items one after the other, but is no list of them."""
    if not isinstance(node, gast.Call):
        return isinstance(node, gast.GeneratorExp)
    meaning = called_by(d, node)
    return (meaning in LAZY or meaning in GIVES_ITEMS) and not takes_columns(node, meaning)


def columns_of(d: Desugarer, node: gast.Call) -> Any:
    """What may be called as a value where that is ``zip(*rows)``."""
    starred = any(isinstance(arg, gast.Starred) for arg in node.args)
    return zip if starred and takes_columns(node, called_by(d, node)) else None


def takes_columns(node: gast.Call, meaning: Any) -> bool:
    """Whether a call is ``zip(*rows)``, which gives a list."""
    return meaning is zip and len(node.args) == 1 and isinstance(node.args[0], gast.Starred) and not node.keywords


def listed_stars(d: Desugarer, node: gast.Call) -> gast.Call:
    """A call with lists behind its stars, in the place of what gives items one after the other."""
    args = listed_items(d, node.args)
    return node if args == node.args else gast.copy_location(gast.Call(node.func, args, node.keywords), node)


def listed_items(d: Desugarer, items: list[gast.AST]) -> list[gast.AST]:
    """The same for the elements of a list or a tuple that is written out."""
    found = []
    for item in items:
        if isinstance(item, gast.Starred) and is_lazy(d, item.value):
            made = gast.copy_location(gast.Call(named("~list", item), [item.value], []), item)
            item = gast.copy_location(gast.Starred(made, item.ctx), item)
        found.append(item)
    return found


def _sequence(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``tuple`` and ``list``."""
    found = sequence_of(made.d, made.node)
    return Call(as_tuple, (found,)) if fn is tuple else found


def _extended(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``xs.extend``: each item is put behind the list before the next one is computed."""
    inner = made.inner

    def add() -> None:
        whole = inner.expr(options["whole"])
        made.emit(Effect(Call(Method("append"), (whole, inner.expr(made.node.elt))), made.origin))

    def build() -> None:
        made.each(add)
        made.emit(Return(Const(None), made.origin))

    return made.called(build)


def _members(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``set`` and ``frozenset``"""
    return Call(fn, (_sequence(made, list, {}),))


def _mapping(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``dict`` of pairs, whose keys are known when it is inlined."""
    inner = made.inner

    def pair() -> tuple[Expr, Expr]:
        both = inner.sequence(made.node.elt)
        return inner.item(both, 0), inner.item(both, 1)

    return mapping(made, pair)


def _tested(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``any`` and ``all``: left at the first item that decides."""
    some = fn is any
    found = made.inner.fresh("found" if some else "failed")

    def decide() -> None:
        test = made.inner.expr(made.node.elt)
        test = test if is_test(test) else Call(bool, (test,))
        made.inner.let(found, test if some else Call(operator.not_, (test,)))

    def build() -> None:
        made.inner.let(found, Const(False))
        made.each(decide, flag=found)
        made.emit(Return(Var(found) if some else Call(operator.not_, (Var(found),)), made.origin))

    return made.called(build)


def _collected(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``np.fromiter``"""
    d, count = made.d, options.pop("count", None)
    given = tuple((name, d.expr(value)) for name, value in options.items())
    array = d.temporary(Call(np.array, (_sequence(made, list, {}),), given))
    if count is None or isinstance(count := d.expr(count), Const) and count.value == -1:
        return array
    failure = Call(raise_, (Const(ValueError), Const("iterator too short")))
    d.emit(If(Call(operator.lt, (Call(len, (array,)), count)), (Effect(failure, made.origin),), (), made.origin))
    return Call(operator.getitem, (array, Slice(None, count)))


def _ranked(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``sorted``"""
    given = tuple((name, made.d.expr(value)) for name, value in options.items())
    return Call(fn, (_sequence(made, list, {}),), given)


def _first(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``next``: the first item, or what is given for none."""
    inner = made.inner
    found, item = inner.fresh("found"), inner.fresh("item")

    def take() -> None:
        inner.let(item, inner.expr(made.node.elt))
        inner.let(found, Const(True))

    def build() -> None:
        inner.let(item, inner.expr(options["start"]) if "start" in options else Const(0))
        inner.let(found, Const(False))
        made.each(take, flag=found)
        if "start" not in options:
            nothing = Effect(Call(raise_, (Const(StopIteration),)), made.origin)
            made.emit(If(Call(operator.not_, (Var(found),)), (nothing,), (), made.origin))
        made.emit(Return(Var(item), made.origin))

    return made.called(build)


def _extreme(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> Expr:
    """``max`` and ``min``."""
    single = len(made.node.generators) == 1 and not made.node.generators[0].ifs
    plain, by_key = single and not options, single and [*options] == ["key"]
    if not single and isinstance(made.node.elt, gast.Tuple) and not options:
        return _ranked(made, fn, options)  # there is no tuple to begin with
    if by_key:
        return made.called(lambda: _by_rank(made, fn, options))
    return made.called(lambda: _from_first(made, fn) if plain else _from_none(made, fn, options))


def _from_first(made: Comprehension, fn: Any) -> None:
    """The first item, and what the others make of it."""
    if not from_first(made, lambda values: Call(fn, values), _nothing(made, fn)):
        _from_none(made, fn, {})


def _nothing(made: Comprehension, fn: Any) -> Effect:
    return Effect(Call(raise_, (Const(ValueError), Const(f"{fn.__name__}() arg is an empty sequence"))), made.origin)


def _by_rank(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> None:
    """The best by a ``key``."""
    (generator,) = made.node.generators
    head, over = made.head(generator)
    ranking = Ranking(made, fn, made.inner.expr(options["key"]), call_of)
    if isinstance(over, Items) and not over.ends and over.items:
        ranking.of_items(generator.target, over)
    elif not isinstance(over, Items) and over is not None and (counted := head.counted(generator.target, over)):
        ranking.of_positions(head, generator.target, counted)
    else:
        _from_none(made, fn, options)


def _from_none(made: Comprehension, fn: Any, options: dict[str, gast.AST]) -> None:
    """The best of what may be nothing, by a ``key`` or with a ``default``."""
    inner = made.inner
    best, key, found = (inner.fresh(hint) for hint in ("best", "key", "found"))
    by = inner.expr(options["key"]) if "key" in options else None
    better = operator.gt if fn is max else operator.lt

    def compare() -> None:
        value = value_of(made)
        rank = value if by is None else inner.temporary(call_of(by, value))
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


_REDUCTIONS: dict[Any, Callable[[Comprehension, Any, dict[str, gast.AST]], Expr]] = {
    builtins.sum: folded, math.fsum: folded, math.prod: folded, builtins.any: _tested, builtins.all: _tested,
    builtins.max: _extreme, builtins.min: _extreme, builtins.tuple: _sequence, builtins.list: _sequence,
    builtins.next: _first, builtins.sorted: _ranked, np.fromiter: _collected, builtins.dict: _mapping,
    builtins.set: _members, builtins.frozenset: _members, Method("extend"): _extended,
}  # fmt: skip
