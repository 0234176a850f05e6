"""What loops go over: ranges, items of known number, and what is counted; part of `desugar`."""

from __future__ import annotations

import builtins
import enum
import operator
from collections.abc import Callable, Iterable as Several
from contextlib import suppress
from dataclasses import dataclass, replace
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from srcad.lang import walk
from srcad.lang.forms import REFUSED, LocalFunction, apply, is_data, is_star, listed
from srcad.lang.ir import Call, Const, Expr, Tuple, Var, or_
from srcad.lang.lists import count_of, element_of, one_of
from srcad.lang.nodes import nodes
from srcad.runtime.checkpoint import checkpoint
from srcad.transforms.counting import Counted, Items, Iterable, Range, length, minus, plus
from srcad.transforms.generators import generator_of, named
from srcad.transforms.names import assigned_in
from srcad.transforms.streams import STREAMS, from_the_first, same_length, shortest
from srcad.transforms.trees import called_by, may_write

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_SIGNS = (operator.neg, operator.add, operator.sub, operator.mul, operator.truediv)
_LONGEST = 64  # a longer constant tuple of numbers is looped over as an array


@dataclass(frozen=True)
class Head:
    """The head of a loop: what is done in the loop decides what must be computed before it."""

    d: Desugarer
    changing: set[str]  # the names that the loop assigns
    writes: bool  # whether it may write into arrays
    listed: bool = False  # whether it goes over a list made before it
    nodes: tuple[gast.AST, ...] = ()

    @staticmethod
    def of(d: Desugarer, parts: list[gast.AST]) -> Head:
        writes = any(may_write(n) for node in parts for n in nodes(node))
        return Head(d, assigned_in(parts) | d.shared, writes, nodes=tuple(parts))

    def fixed(self, expr: Expr) -> Expr:
        """What an expression is when the loop begins."""
        if isinstance(expr, Tuple) and not any(map(is_star, expr.items)):
            return replace(expr, items=tuple(map(self.fixed, expr.items)))
        expr = _worked_out(expr)
        if isinstance(expr, Const) or isinstance(expr, Var) and expr.name not in self.changing:
            return expr
        return self.d.temporary(expr)

    def over(self, node: gast.AST) -> Iterable | None:
        """What an expression gives one after the other; None when it was refused."""
        if isinstance(node, gast.Call) and isinstance(node.func, (gast.Name, gast.Attribute)):
            fn = called(self.d, node.func)
            if fn is checkpoint:
                reason = "srcad.checkpoint is only understood in the head of a for statement"
                self.d.refuse(node, reason, "for t in srcad.checkpoint(range(n), every=k): ...")
                return None
            if fn in _HEADS and not any(isinstance(arg, gast.Starred) for arg in node.args):
                return _HEADS[fn](self, node)
        if generator_of(self.d, node) is not None:
            if any(_may_change(self.d, inner, node) for body in self.nodes for inner in nodes(body)):
                reason = "what is computed beside a loop that may write into it is not supported here"
                self.d.refuse(node, reason, "a list of it before the loop: items = list(...)")
                return None
            node = gast.copy_location(gast.Call(named("~list", node), [node], []), node)
        value = self.d.sequence(node)
        return None if value is REFUSED else self.value(node, value)

    def several(self, nodes: list[gast.AST]) -> list[Iterable] | None:
        found = [self.over(node) for node in nodes]
        return None if None in found or not found else found  # type: ignore[return-value]

    def value(self, node: gast.AST, value: Expr) -> Iterable | None:
        known = self.d.known_tuple(value)
        if isinstance(value, Const):
            data = value.value
            if isinstance(data, builtins.range):
                return Range(Const(data.start), Const(data.stop), Const(data.step))
            if isinstance(data, (list, tuple)) and len(data) > _LONGEST:
                value, known = Const(np.array(data), name=value.name or "values"), None
            elif isinstance(data, (list, str)):
                known = self.d.known_tuple(Const(tuple(data), name=value.name))
            elif isinstance(data, (dict, enum.EnumMeta)):
                known = tuple(map(Const, data))
            elif not isinstance(data, (tuple, np.ndarray)):
                remedy = "a loop over an array or range()"
                self.d.refuse(node, f"a loop over a {type(data).__name__} is not supported", remedy)
                return None
        if known is not None:
            return Items(known if isinstance(value, Var) else tuple(map(self.fixed, known)))
        value = self.d.temporary(Call(listed, (value,))) if self.listed and self.writes else self.fixed(value)
        return Counted(Call(count_of, (value,)), lambda i: Call(element_of, (value, i)))

    def counted(self, node: gast.AST, over: Iterable) -> Counted | None:
        """A range as items that are counted."""
        match over:
            case Counted():
                return over
            case Range(start, stop, Const() as step):
                start, count = self.fixed(start), length(start, stop, step)
                unit = walk.is_const(step, 1)
                return Counted(count, lambda i: plus(start, i if unit else Call(operator.mul, (i, step))))
        reason = "a range with a step that is no constant is not supported here"
        self.d.refuse(node, reason, "a plain loop over that range, and a counter")
        return None


def _may_change(d: Desugarer, node: gast.AST, over: gast.AST) -> bool:
    """Whether something in a loop may change what the loop goes over."""
    names = {inner.id for inner in nodes(over) if isinstance(inner, gast.Name)}
    match node:
        case gast.AugAssign(target=gast.Name(id=name)):
            return name in names
        case gast.Call():
            called = called_by(d, node)
            plain = isinstance(called, (np.ufunc, BuiltinFunctionType))
            home = getattr(called, "__module__", None) or ("builtins" if plain else "")
            return home.partition(".")[0] not in ("builtins", "numpy", "math", "itertools") or bool(node.keywords)
    return isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, gast.Store) or (
        isinstance(node, gast.AugAssign))  # fmt: skip


def called(d: Desugarer, func: gast.AST) -> Any:
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


# ---------------------------------------------------------------- the builtins that give one item after the other


def _range(head: Head, node: gast.Call) -> Iterable | None:
    args = head.d.items(node.args)
    if any(arg is REFUSED for arg in args):
        return None
    match args:
        case (stop,):
            return Range(Const(0), stop, Const(1))
        case (start, stop):
            return Range(start, stop, Const(1))
        case (start, stop, step):
            return Range(start, stop, step)
    head.d.refuse(node, "range() takes one to three arguments", "range(n), or range(start, stop, step)")
    return None


def _enumerate(head: Head, node: gast.Call) -> Iterable | None:
    extra = [*node.args[1:], *(k.value for k in node.keywords)]
    start = head.fixed(head.d.expr(extra[0])) if extra else Const(0)
    inner = from_the_first(head, node, head.over(node.args[0]))
    if isinstance(inner, Items):
        return Items(tuple(Tuple((plus(start, Const(n)), item)) for n, item in enumerate(inner.items)), inner.ends)
    counted = None if inner is None else head.counted(node, inner)
    if counted is None:
        return None
    item = counted.item
    return replace(counted, item=lambda i: Tuple((plus(start, i), item(i))), from_zero=walk.is_const(start, 0))


def _zip(head: Head, node: gast.Call) -> Iterable | None:
    inner = head.several(node.args)
    if inner is None:
        return None
    if not all(isinstance(part, Items) for part in inner):
        inner = [_numbers(part) or part for part in inner]
    known = [part for part in inner if isinstance(part, Items)]
    rest = [from_the_first(head, node, p) if isinstance(p, Items) else head.counted(node, p) for p in inner]
    if any(part is None for part in rest):
        return None
    if any(getattr(head.d.expr(k.value), "value", None) is True for k in node.keywords):
        same_length(head, node, rest)  # type: ignore[arg-type]
    if known:
        return _zipped(head, rest, min(len(part.items) for part in known))  # type: ignore[arg-type]
    count = shortest(rest)  # type: ignore[arg-type]
    if count is None:
        return Counted(Const(0), lambda i: Tuple(tuple(part.item(i) for part in rest)), endless=True)  # type: ignore
    return Counted(count, lambda i: Tuple(tuple(part.item(i) for part in rest)))  # type: ignore[union-attr]


def _numbers(part: Iterable) -> Counted | None:
    """Constant weights beside an array, counted as it is; integers may be axes or lengths, and stay constants."""
    if not isinstance(part, Items) or part.ends or not all(isinstance(item, Const) for item in part.items):
        return None
    kinds = {type(item.value) for item in part.items}  # type: ignore[attr-defined]
    if not {float} <= kinds <= {float, int}:
        return None
    return Counted(Const(len(part.items)), lambda i: Call(one_of, (Tuple(part.items), i)))


def _worked_out(expr: Expr) -> Expr:
    """The number that is written as ``1 / 6`` or ``-0.5``."""
    if isinstance(expr, Call) and expr.fn in _SIGNS and not expr.kwargs:
        values = [getattr(_worked_out(arg), "value", None) for arg in expr.args]
        with suppress(ArithmeticError):
            return Const(expr.fn(*values)) if all(type(v) in (int, float) for v in values) else expr
    return expr


def _zipped(head: Head, parts: Several[Items | Counted], count: int) -> Items:
    """Items beside what is counted, or beside items of which only some are there: as many as each has."""
    least = shortest([part for part in parts if isinstance(part, Counted)])
    if least is not None and walk.names(least) & head.changing:
        least = head.d.temporary(least)
    rows, ends = [], []
    for k in range(count):
        rows.append(Tuple(tuple(p.items[k] if isinstance(p, Items) else p.item(Const(k)) for p in parts)))
        tests = [part.ends[k] for part in parts if isinstance(part, Items) and part.ends]
        tests += [] if least is None else [Call(operator.le, (least, Const(k)))]
        ends += [Call(or_, tuple(tests)) if len(tests) > 1 else test for test in tests[:1]]
    return Items(tuple(rows), tuple(ends))


def _reversed(head: Head, node: gast.Call) -> Iterable | None:
    inner = head.over(node.args[0])
    match inner:
        case Items(items, ends, backwards):
            return Items(items[::-1], ends[::-1], bool(ends) and not backwards)
        case Range(start, stop, Const(value=1)):
            return Range(minus(stop, Const(1)), minus(start, Const(1)), Const(-1))
        case None:
            return None
    counted = head.counted(node, inner)
    if counted is None:
        return None
    last, item = minus(counted.count, Const(1)), counted.item
    if walk.names(last) & head.changing or isinstance(counted.count, Call) and counted.count.fn is min:
        last = head.d.temporary(last)
    return Counted(counted.count, lambda i: item(minus(last, i)))


def _as_list(head: Head, node: gast.Call) -> Iterable | None:
    """``list(...)`` in the head of a loop: the same items, but as they are before it."""
    return replace(head, listed=True).over(node.args[0]) if node.args else Items(())


def _mapped(head: Head, node: gast.Call) -> Iterable | None:
    """``map(f, x)``: each item is a call."""
    function = head.fixed(head.d.expr(node.args[0]))
    rows = _zip(head, gast.Call(func=node.func, args=node.args[1:], keywords=[]))
    if rows is None or function is REFUSED:
        return None
    plain = isinstance(function, Const) and not isinstance(function.value, LocalFunction)

    def called(row: Expr) -> Expr:
        args = row.items  # type: ignore[union-attr]
        return Call(function.value, args) if plain else Call(apply, (function, *args))  # type: ignore[union-attr]

    if isinstance(rows, Items):
        return Items(tuple(map(called, rows.items)), rows.ends)
    assert isinstance(rows, Counted)
    item = rows.item
    return replace(rows, item=lambda i: called(item(i)), from_zero=False)


_HEADS: dict[Any, Callable[[Head, gast.Call], Iterable | None]] = {
    **STREAMS, builtins.range: _range, builtins.enumerate: _enumerate, builtins.zip: _zip, builtins.reversed: _reversed,
    builtins.map: _mapped, builtins.list: _as_list, builtins.tuple: _as_list,
}  # fmt: skip
LAZY = frozenset(_HEADS)
