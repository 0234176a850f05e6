"""What `itertools` gives one after the other, as items of positions; part of `desugar`."""

from __future__ import annotations

import builtins
import itertools
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Effect, Expr, If, Tuple, raise_, select
from srcad.transforms.counting import Counted, Items, Iterable, minus, plus

if TYPE_CHECKING:
    from srcad.transforms.iterables import Head

_ZERO, _ONE = Const(0), Const(1)


def pick(items: tuple[Expr, ...], i: Expr) -> Expr:
    """One of several items, by its position."""
    if isinstance(i, Const):
        return items[i.value] if i.value < len(items) else items[-1]
    first, *rest = items
    if not rest:
        return first
    return _either(Call(operator.eq, (i, _ZERO)), first, pick(tuple(rest), minus(i, _ONE)))


def _either(test: Expr, then: Expr, orelse: Expr) -> Expr:
    match then, orelse:
        case Tuple(ours), Tuple(theirs) if len(ours) == len(theirs):
            return Tuple(tuple(_either(test, *pair) for pair in zip(ours, theirs)))
    return Call(select, (test, then, orelse))


def counted_of(head: Head, node: gast.Call, over: Iterable | None) -> Counted | None:
    """Anything that a loop goes over as items of positions."""
    if isinstance(over, Items):
        if over.ends or not over.items:
            head.d.refuse(node, "this combination of what a loop goes over is not supported", "a loop for each")
            return None
        return Counted(Const(len(over.items)), lambda i: pick(over.items, i))
    return None if over is None else head.counted(node, over)


def _is_known(over: Iterable | None) -> bool:
    return isinstance(over, Items) and not over.ends


def _iter(head: Head, node: gast.Call) -> Iterable | None:
    """``iter(x)``"""
    return head.over(node.args[0]) if len(node.args) == 1 else None


def _chain(head: Head, node: gast.Call) -> Iterable | None:
    found = head.several(node.args) if node.args else [Items(())]
    if found is None:
        return None
    found = [part for part in found if not (isinstance(part, Items) and not part.items)]
    if all(map(_is_known, found)):
        return Items(tuple(item for part in found for item in part.items))  # type: ignore[union-attr]
    parts = [counted_of(head, node, part) for part in found]
    if any(part is None for part in parts):
        return None
    whole, *others = reversed(parts)
    for part in others:
        whole = _behind(part, whole)  # type: ignore[arg-type]
    return whole


def _behind(first: Counted, second: Counted) -> Counted:
    """The items of one, and then those of another."""
    def item(i: Expr) -> Expr:
        return _either(Call(operator.lt, (i, first.count)), first.item(i), second.item(minus(i, first.count)))

    return Counted(plus(second.count, first.count), item, endless=second.endless)


def _pairwise(head: Head, node: gast.Call) -> Iterable | None:
    over = head.over(node.args[0])
    if isinstance(over, Items) and not over.ends:
        return Items(tuple(map(Tuple, zip(over.items, over.items[1:]))))
    counted = counted_of(head, node, over)
    if counted is None:
        return None
    count = Call(max, (minus(counted.count, _ONE), _ZERO))
    return replace(counted, count=count, item=lambda i: Tuple((counted.item(i), counted.item(plus(i, _ONE)))),
                   from_zero=False)  # fmt: skip


def _islice(head: Head, node: gast.Call) -> Iterable | None:
    over = head.over(node.args[0])
    numbers = [head.fixed(head.d.expr(arg)) for arg in node.args[1:]]
    if over is None or REFUSED in numbers or not numbers:
        return None
    start, stop, step = ([_ZERO, *numbers] if len(numbers) == 1 else [*numbers, Const(None)])[:3] + (
        [_ONE] if len(numbers) < 2 else [])  # fmt: skip
    start, step = (_ZERO if start == Const(None) else start), (_ONE if step == Const(None) else step)
    if _is_known(over) and all(isinstance(part, Const) for part in (start, stop, step)):
        return Items(over.items[start.value:stop.value:step.value])  # type: ignore
    counted = counted_of(head, node, over)
    if counted is None or not isinstance(step, Const):
        head.d.refuse(node, "itertools.islice with a step that is no constant is not supported", "a slice")
        return None
    for part in (start, stop):
        _check_natural(head, part)
    end = counted.count if stop == Const(None) else stop if counted.endless else Call(min, (counted.count, stop))
    count = minus(end, start)
    if step != _ONE:
        count = Call(operator.floordiv, (plus(count, Const(step.value - 1)), step))
    return Counted(Call(max, (count, _ZERO)), lambda i: counted.item(plus(start, _times(i, step))),
                   endless=counted.endless and stop == Const(None))  # fmt: skip


def _times(i: Expr, step: Const) -> Expr:
    return i if step == _ONE else Const(i.value * step.value) if isinstance(i, Const) else Call(operator.mul, (i, step))


def _check_natural(head: Head, number: Expr) -> None:
    """The error of a bound that is negative."""
    if not isinstance(number, Const):
        failure = Call(raise_, (Const(ValueError), Const("the bounds of itertools.islice must not be negative")))
        negative = Call(operator.lt, (number, _ZERO))
        head.d.emit(If(negative, (Effect(failure, head.d.origin),), (), head.d.origin))


def _longest(head: Head, node: gast.Call) -> Iterable | None:
    found = head.several(node.args)
    fill = next((head.fixed(head.d.expr(k.value)) for k in node.keywords if k.arg == "fillvalue"), None)
    if found is None:
        return None
    if all(map(_is_known, found)):
        rows = itertools.zip_longest(*(part.items for part in found), fillvalue=fill or Const(None))  # type: ignore
        return Items(tuple(map(Tuple, rows)))
    if fill is None:
        head.d.refuse(node, "itertools.zip_longest without fillvalue= is not supported", "fillvalue=0.0")
        return None
    parts = [counted_of(head, node, part) for part in found]
    if any(part is None for part in parts):
        return None
    most = Call(max, tuple(part.count for part in parts)) if len(parts) > 1 else parts[0].count  # type: ignore

    def padded(part: Any, i: Expr) -> Expr:
        return _either(Call(operator.lt, (i, part.count)), part.item(i), fill)

    return Counted(most, lambda i: Tuple(tuple(padded(part, i) for part in parts)))


def _repeat(head: Head, node: gast.Call) -> Iterable | None:
    value, *times = [head.d.expr(arg) for arg in (*node.args, *(k.value for k in node.keywords))]
    value = value if isinstance(value, Const) else head.fixed(value)
    if value is REFUSED or REFUSED in times:
        return None
    if times and isinstance(times[0], Const):
        return Items((value,) * times[0].value)
    return Counted(head.fixed(times[0]) if times else _ZERO, lambda i: value, endless=not times)


def _count(head: Head, node: gast.Call) -> Iterable | None:
    given = {**dict(zip(("start", "step"), node.args)), **{k.arg: k.value for k in node.keywords}}
    start, step = (head.fixed(head.d.expr(given[name])) if name in given else default
                   for name, default in (("start", _ZERO), ("step", _ONE)))  # fmt: skip

    def item(i: Expr) -> Expr:
        return plus(start, i if step == _ONE else Call(operator.mul, (i, step)))

    return None if REFUSED in (start, step) else Counted(_ZERO, item, endless=True)


def _cycle(head: Head, node: gast.Call) -> Iterable | None:
    counted = counted_of(head, node, head.over(node.args[0]))
    if counted is None:
        return None

    def item(i: Expr) -> Expr:
        known = isinstance(i, Const) and isinstance(counted.count, Const)
        place = Const(i.value % counted.count.value) if known else Call(operator.mod, (i, counted.count))  # type: ignore
        return counted.item(place)

    return Counted(_ZERO, item, endless=True)


STREAMS: dict[Any, Callable[[Head, gast.Call], Iterable | None]] = {
    builtins.iter: _iter, itertools.chain: _chain, itertools.pairwise: _pairwise, itertools.islice: _islice,
    itertools.zip_longest: _longest, itertools.repeat: _repeat, itertools.count: _count, itertools.cycle: _cycle,
}  # fmt: skip


def shortest(parts: list[Counted]) -> Expr | None:
    """How many items the shortest has; None where all are endless."""
    counts = tuple(part.count for part in parts if not part.endless)
    return counts[0] if len(counts) == 1 else Call(min, counts) if counts else None


def from_the_first(head: Head, node: gast.Call, over: Iterable | None) -> Iterable | None:
    """What a loop goes over, if it is known which item is the first; of the reverse of a tuple zipped with an array it
    is not."""
    if isinstance(over, Items) and over.backwards:
        reason = "what is counted or zipped in the reverse order of a tuple and an array is not supported"
        head.d.refuse(node, reason, "a loop over range()")
        return None
    return over


def same_length(head: Head, node: gast.Call, parts: list[Items | Counted]) -> None:
    """The error of ``zip(..., strict=True)`` where lengths differ."""
    if any(isinstance(part, Items) and part.ends for part in parts):
        head.d.refuse(node, "strict=True beside what is itself zipped is not supported", "an assert of the lengths")
        return
    counts = [Const(len(part.items)) if isinstance(part, Items) else part.count for part in parts]
    first, *others = counts
    tests = [Call(operator.ne, (first, other)) for other in others if not (first == other and isinstance(first, Const))]
    failure = Call(raise_, (Const(ValueError), Const("zip() has arguments of different lengths")))
    for test in tests:
        head.d.emit(If(test, (Effect(failure, head.d.origin),), (), head.d.origin))


