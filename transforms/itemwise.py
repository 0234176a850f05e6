"""Loops over what is computed from the item before, or that end by themselves; part of `desugar`.

``for total in itertools.accumulate(x)`` is a loop over `x` in which the total is computed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from srcad.transforms.grouped import groups
from srcad.transforms.iterators import loops_of
from srcad.transforms.trees import Maker, called_by, let

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer


def statements_of(d: Desugarer, node: gast.For) -> list[gast.AST] | None:
    """A loop over what is computed from the item before, or that ends by itself; None for any other."""
    call = node.iter
    make = _STATEMENTS.get(called_by(d, call)) if isinstance(call, gast.Call) else None
    if make is None or any(isinstance(arg, gast.Starred) for arg in call.args):
        return None
    maker = Maker(d, call)
    made = make(maker, node, *call.args, **{k.arg or "**": k.value for k in call.keywords})
    for stmt in made or ():
        maker.at(stmt)
    return made


def _given(node: gast.For, value: Any) -> gast.Assign:
    return gast.Assign([node.target], value, None)


def _loop(node: gast.For, target: Any, over: Any, body: list[Any]) -> gast.For:
    return gast.copy_location(gast.For(target, over, body, node.orelse, None), node)


def _stored(make: Maker, name: str) -> gast.Name:
    make.d.names.assigned.add(name)
    return gast.Name(name, gast.Store(), None, None)


def _accumulate(make: Maker, node: gast.For, iterable: Any, func: Any = None, initial: Any = None) -> list[Any]:
    k, item, total = (make.d.fresh(name) for name in ("k", "item", "total"))
    args = [make.name(total), make.name(item)]
    plain = func is None or isinstance(func, gast.Constant) and func.value is None
    new = gast.BinOp(args[0], gast.Add(), args[1]) if plain else gast.Call(func, args, [])
    if initial is not None and not (isinstance(initial, gast.Constant) and initial.value is None):
        iterable = make.at(gast.Call(make.name("~chain"), [gast.Tuple([initial], gast.Load()), iterable], []))
    first = gast.Compare(make.name(k), [gast.Eq()], [make.number(0)])
    body = [let(make, total, gast.IfExp(first, make.name(item), new)), _given(node, make.name(total)), *node.body]
    pair = gast.Tuple([_stored(make, k), _stored(make, item)], gast.Store())
    return [_loop(node, pair, make.call("~enumerate", iterable), body)]


def _takewhile(make: Maker, node: gast.For, predicate: Any, iterable: Any) -> list[Any] | None:
    if node.orelse:
        make.refuse("else after a loop over itertools.takewhile is not supported", "an if that breaks, in a loop")
        return None
    item = make.d.fresh("item")
    ends = gast.UnaryOp(gast.Not(), gast.Call(predicate, [make.name(item)], []))
    body = [gast.If(ends, [gast.Break()], []), _given(node, make.name(item)), *node.body]
    return [_loop(node, _stored(make, item), iterable, body)]


def _dropwhile(make: Maker, node: gast.For, predicate: Any, iterable: Any) -> list[Any]:
    item, dropping = make.d.fresh("item"), make.d.fresh("dropping")
    still = gast.BoolOp(gast.And(), [make.name(dropping), gast.Call(predicate, [make.name(item)], [])])
    body = [gast.If(still, [gast.Continue()], []), let(make, dropping, gast.Constant(False, None)),
            _given(node, make.name(item)), *node.body]  # fmt: skip
    begin = let(make, dropping, gast.Constant(True, None))
    return [begin, _loop(node, _stored(make, item), iterable, body)]


def _count(make: Maker, node: gast.For, start: Any = None, step: Any = None) -> list[Any]:
    k, by = make.d.fresh("k"), make.d.fresh("step")
    begin = [let(make, k, start or make.number(0)), let(make, by, step or make.number(1))]
    onwards = let(make, k, gast.BinOp(make.name(k), gast.Add(), make.name(by)))
    body = [_given(node, make.name(k)), onwards, *node.body]
    return [*begin, gast.copy_location(gast.While(gast.Constant(True, None), body, []), node)]


def _enumerate(make: Maker, node: gast.For, iterable: Any, start: Any = None) -> list[Any] | None:
    """Of a generator, with a counter."""
    if not isinstance(iterable, gast.GeneratorExp) and loops_of(make.d, iterable) is None:
        return None
    k, item = make.d.fresh("k"), make.d.fresh("item")
    begin = let(make, k, gast.BinOp(start or make.number(0), gast.Sub(), make.number(1)))
    onwards = let(make, k, make.more(k, 1))
    pair = gast.Tuple([make.name(k), make.name(item)], gast.Load())
    return [begin, _loop(node, _stored(make, item), iterable, [onwards, _given(node, pair), *node.body])]


def _cycle(make: Maker, node: gast.For, iterable: Any) -> list[Any]:
    values, k = make.settled(iterable), make.d.fresh("k")
    place = gast.BinOp(make.name(k), gast.Mod(), make.call("~len", values))
    body = [_given(node, gast.Subscript(values, place, gast.Load())), *node.body]
    return [_loop(node, _stored(make, k), make.call("~count"), body)]


def _repeat(make: Maker, node: gast.For, object: Any, times: Any = None) -> list[Any] | None:
    if times is not None:
        return None
    return [_loop(node, _stored(make, make.d.fresh("k")), make.call("~count"), [_given(node, object), *node.body])]


_STATEMENTS: dict[Any, Callable[..., list[Any] | None]] = {
    itertools.cycle: _cycle, itertools.repeat: _repeat, enumerate: _enumerate,
    itertools.accumulate: _accumulate, itertools.takewhile: _takewhile, itertools.dropwhile: _dropwhile,
    itertools.count: _count, itertools.groupby: groups,
}  # fmt: skip
