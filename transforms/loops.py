"""The heads of for loops; part of `desugar`.

A loop over a range is the For of the IR, one over tuples of known length is written out, and one over anything
else counts through its first axis.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import gast
import numpy as np

from srcad.lang import walk
from srcad.lang.forms import REFUSED, Unrolled, is_data
from srcad.lang.ir import Block, Call, Const, Expr, For, Tuple, Var
from srcad.transforms.assign import store
from srcad.transforms.names import assigned_in

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_LONGEST = 64  # a longer constant tuple of numbers is looped over as an array


@dataclass(frozen=True)
class Range:
    start: Expr
    stop: Expr
    step: Expr


@dataclass(frozen=True)
class Items:
    items: tuple[Expr, ...]


@dataclass(frozen=True)
class Counted:
    """`count` items, each an expression of its position."""

    count: Expr
    item: Callable[[Expr], Expr]
    from_zero: bool = False  # whether the item is a pair that starts with its position


Iterable = Union[Range, Items, Counted]


def for_loop(d: Desugarer, node: gast.For) -> None:
    origin = d.origin
    iterable = _iterable(d, node.iter, assigned_in([node.target, *node.body]))
    match iterable:
        case None:
            d.block([*node.body, *node.orelse])
        case Items(items):
            _written_out(d, node, items)
        case Range(start, stop, step) if isinstance(node.target, gast.Name):
            d.finish(node, For(node.target.id, start, stop, step, d.iteration(node.body), None, origin))
        case Range(step=Const()):
            _counted(d, node, _count(d, iterable))
        case Range():
            _variable_step(d, node)
        case Counted():
            _counted(d, node, iterable)


def _written_out(d: Desugarer, node: gast.For, items: tuple[Expr, ...]) -> None:
    """The body once for each item."""
    origin = d.origin
    bodies: list[Block] = []
    for item in items:
        outer, d.out = d.out, []
        d.origin = origin
        store(d, node.target, item)
        head, d.out = tuple(d.out), outer
        bodies.append((*head, *d.iteration(node.body)))
    if not items:
        d.iteration(node.body)  # for what is wrong in it
    orelse = d.block(node.orelse)
    if breaks(node.body) or breaks(node.body, gast.Continue):
        d.emit(Unrolled(tuple(bodies), orelse, origin))
    else:
        d.out += [stmt for body in (*bodies, orelse) for stmt in body]


def _counted(d: Desugarer, node: gast.For, counted: Counted) -> None:
    origin, target = d.origin, node.target
    pair = counted.from_zero and isinstance(target, gast.Tuple) and len(target.elts) == 2
    if pair and isinstance(target.elts[0], gast.Name):
        index, target = target.elts[0].id, target.elts[1]
        item = counted.item(Var(index)).items[1]  # type: ignore[union-attr]
    else:
        index = d.fresh("i")
        item = counted.item(Var(index))
    outer, d.out = d.out, []
    store(d, target, item)
    head, d.out = tuple(d.out), outer
    body: Block = head + d.iteration(node.body)
    d.finish(node, For(index, Const(0), counted.count, Const(1), body, None, origin))


def breaks(nodes: list[gast.AST], kind: type = gast.Break) -> bool:
    """Whether statements contain a break (or continue) of the loop around them."""
    for node in nodes:
        if isinstance(node, kind):
            return True
        inside = [] if isinstance(node, (gast.For, gast.While)) else [*getattr(node, "body", [])]
        if not isinstance(node, gast.FunctionDef) and breaks([*inside, *getattr(node, "orelse", [])], kind):
            return True
    return False


# ---------------------------------------------------------------- what is looped over


def _iterable(d: Desugarer, node: gast.AST, changing: set[str]) -> Iterable | None:
    """What an expression gives one after the other; None when it was refused."""
    if isinstance(node, gast.Call) and isinstance(node.func, (gast.Name, gast.Attribute)):
        fn = _called(d, node.func)
        if fn in _HEADS and not node.keywords or fn is builtins.enumerate:
            return _HEADS[fn](d, node, changing)
    value = d.sequence(node)
    return None if value is REFUSED else _over(d, node, value, changing)


def _called(d: Desugarer, func: gast.AST) -> Any:
    """The builtin that a call in a loop's head calls."""
    problems = len(d.problems)
    meaning = d.expr(func) if isinstance(func, gast.Name) or _dotted(func) else REFUSED
    del d.problems[problems:]
    known = isinstance(meaning, Const) and meaning is not REFUSED and not is_data(meaning.value)
    if known and getattr(meaning.value, "__name__", "") == "prange":  # type: ignore[union-attr]
        return builtins.range
    return meaning.value if known else None  # type: ignore[union-attr]


def _dotted(node: gast.AST) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)


def _over(d: Desugarer, node: gast.AST, value: Expr, changing: set[str]) -> Iterable | None:
    known = d.known_tuple(value)
    if isinstance(value, Const):
        data = value.value
        if isinstance(data, builtins.range):
            return Range(Const(data.start), Const(data.stop), Const(data.step))
        if isinstance(data, (list, tuple)) and len(data) > _LONGEST:
            value, known = Const(np.array(data), name=value.name or "values"), None
        elif isinstance(data, list):
            known = d.known_tuple(Const(tuple(data), name=value.name))
        elif not isinstance(data, (tuple, np.ndarray)):
            d.refuse(node, f"a loop over a {type(data).__name__} is not supported", "a loop over an array or range()")
            return None
    if known is not None:
        return Items(known)
    if not isinstance(value, (Var, Const)) or walk.names(value) & changing:
        name = d.fresh("t")
        d.let(name, value)
        value = Var(name)
    return Counted(Call(len, (value,)), lambda i: Call(operator.getitem, (value, i)))


def _range(d: Desugarer, node: gast.Call, changing: set[str]) -> Iterable | None:
    args = d.items(node.args)
    if any(arg is REFUSED for arg in args):
        return None
    match args:
        case (stop,):
            return Range(Const(0), stop, Const(1))
        case (start, stop):
            return Range(start, stop, Const(1))
        case (start, stop, step):
            return Range(start, stop, step)
    d.refuse(node, "range() takes one to three arguments")
    return None


def _enumerate(d: Desugarer, node: gast.Call, changing: set[str]) -> Iterable | None:
    start: Expr = Const(0)
    extra = [*node.args[1:], *(k.value for k in node.keywords)]
    if extra:
        start = d.named(d.expr(extra[0]))
    inner = _iterable(d, node.args[0], changing)
    match inner:
        case None:
            return None
        case Items(items):
            return Items(tuple(Tuple((_plus(start, Const(n)), item)) for n, item in enumerate(items)))
    if _has_variable_step(inner):
        _variable_step(d, node)
        return None
    counted = _count(d, inner)
    return Counted(
        counted.count, lambda i: Tuple((_plus(start, i), counted.item(i))), walk.is_const(start, 0)
    )


def _zip(d: Desugarer, node: gast.Call, changing: set[str]) -> Iterable | None:
    inner = [_iterable(d, arg, changing) for arg in node.args]
    if any(part is None for part in inner) or not inner:
        return None
    if all(isinstance(part, Items) for part in inner):
        return Items(tuple(Tuple(row) for row in zip(*(part.items for part in inner))))  # type: ignore[union-attr]
    if any(isinstance(part, Items) for part in inner):
        d.refuse(node, "zip of a tuple and an array is not supported", "a loop over range() with an index")
        return None
    if any(_has_variable_step(part) for part in inner):
        _variable_step(d, node)
        return None
    parts = [_count(d, part) for part in inner]  # type: ignore[arg-type]
    counts = tuple(part.count for part in parts)
    return Counted(
        counts[0] if len(counts) == 1 else Call(min, counts), lambda i: Tuple(tuple(p.item(i) for p in parts))
    )


def _reversed(d: Desugarer, node: gast.Call, changing: set[str]) -> Iterable | None:
    inner = _iterable(d, node.args[0], changing)
    match inner:
        case None:
            return None
        case Items(items):
            return Items(items[::-1])
        case Range(start, stop, Const(value=1)):
            return Range(_minus(stop, Const(1)), _minus(start, Const(1)), Const(-1))
    if _has_variable_step(inner):
        _variable_step(d, node)
        return None
    counted = _count(d, inner)
    last = _minus(counted.count, Const(1))
    return Counted(counted.count, lambda i: counted.item(_minus(last, i)))


_HEADS: dict[Any, Callable[[Any, gast.Call, set[str]], Iterable | None]] = {
    builtins.range: _range, builtins.enumerate: _enumerate, builtins.zip: _zip, builtins.reversed: _reversed,
}  # fmt: skip


def _has_variable_step(iterable: Iterable | None) -> bool:
    return isinstance(iterable, Range) and not isinstance(iterable.step, Const)


def _variable_step(d: Desugarer, node: gast.AST) -> None:
    d.refuse(node, "a range with a step that is no constant is not supported here", "a plain loop over that range")


def _count(d: Desugarer, iterable: Iterable) -> Counted:
    """A range as items that are counted."""
    match iterable:
        case Range(start, stop, step):
            start, count = d.named(start), _length(start, stop, step)
            unit = walk.is_const(step, 1)
            return Counted(count, lambda i: _plus(start, i if unit else Call(operator.mul, (i, step))))
        case Counted():
            return iterable
    raise TypeError(iterable)


def _length(start: Expr, stop: Expr, step: Expr) -> Expr:
    """How many numbers a range with a constant step has."""
    assert isinstance(step, Const)
    distance = _minus(stop, start)
    if step.value != 1:
        distance = _plus(distance, Const(step.value - (1 if step.value > 0 else -1)))
        distance = Call(operator.floordiv, (distance, step))
    return distance if isinstance(distance, Const) else Call(max, (distance, Const(0)))


def _plus(left: Expr, right: Expr) -> Expr:
    match left, right:
        case Const(value=int() as a), Const(value=int() as b):
            return Const(a + b)
    if walk.is_const(left, 0):
        return right
    return Call(operator.add, (left, right))


def _minus(left: Expr, right: Expr) -> Expr:
    match left, right:
        case Const(value=int() as a), Const(value=int() as b):
            return Const(a - b)
    return left if walk.is_const(right, 0) else Call(operator.sub, (left, right))

