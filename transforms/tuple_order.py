"""The order of tuples: comparisons of them, `max`, `min` and `sorted` without a key or by one; part of `inline`.

Python compares tuples element by element, and so do the tests that stand for it. What is picked lies in variables, one
for each element, which branches hand on. Objects and texts that a key puts into order are picked by their places.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from srcad.lang.forms import REFUSED, is_data
from srcad.lang.ir import Call, Const, Expr, Tuple, Var, and_, or_
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, TupleType, Type
from srcad.library.lists import compared_in_turn, greatest, least, places_in_order
from srcad.transforms.calls import folded
from srcad.transforms.values import Partial, is_static

if TYPE_CHECKING:
    from srcad.transforms.known import Known

_STRICT = {operator.lt: operator.lt, operator.le: operator.lt, operator.gt: operator.gt, operator.ge: operator.gt}
ORDERS = frozenset((*_STRICT, max, min, sorted, compared_in_turn))
_MOST = 8  # tuples that are put into order one by one


@dataclass(frozen=True)
class _Ranked:
    """An item, and what it is compared by."""

    item: Expr
    key: Expr


def of_tuples(c: Known, fn: Any, args: tuple[Expr, ...], kwargs: dict[str, Expr]) -> Expr | None:
    """What a comparison of tuples stands for, or the best of several, or all in order; None: they are no tuples."""
    if fn is compared_in_turn:
        return in_turn(c, args[0])
    if fn in _STRICT:
        args = tuple(map(_taken_apart, args))
        return compared(c, fn, *args) if all(_is_tuple(c, arg) for arg in args) else None
    alone = fn is not sorted and len(args) == 1 and not kwargs
    grown = c.grown(args[0]) if alone else None  # type: ignore[attr-defined]
    if grown is not None and grown.form == TUPLE:
        return c.enter_library(greatest if fn is max else least, args, (), fn.__name__)
    items = args if len(args) > 1 else c.elements(args[0]) if args else None
    if not items or fn is not sorted and kwargs or not _are_alike(c, items):
        return None
    if fn is sorted:
        return None if any(map(is_static, items)) else _in_order(c, items, kwargs)
    better = operator.gt if fn is max else operator.lt
    best, *others = _with_texts_as_numbers(c, [_Ranked(c.named(item), item) for item in items])
    for other in others:
        best = _one_of(c, c.named(compared(c, better, other.key, best.key), "better"), other, best)
    return best.item


def in_turn(c: Known, value: Expr) -> Expr:
    """A tuple with tuples in it as one of numbers, in the order in which these are compared."""
    if not _has_tuples(c, value):
        return value
    parts: list[Expr] = []
    for item in c.elements(value) or ():
        inner = in_turn(c, item)
        parts += c.elements(inner) or () if _is_tuple(c, item) else (inner,)
    return _tuple(parts)


def _has_tuples(c: Known, expr: Expr) -> bool:
    found = c.type_of(expr)
    inner = found.items if isinstance(found, TupleType) and found.form == TUPLE else ()
    return any(isinstance(item, TupleType) and item.form == TUPLE for item in inner)


def item_by(name: str, base: Expr, found: Type) -> Const | None:
    """``rates.get`` and ``ranks.__getitem__`` as functions, as the keys of an order are."""
    is_dict = isinstance(found, TupleType) and found.form.cls is dict
    is_key = name == "__getitem__" and isinstance(base, Var) or name == "get" and is_dict
    return Const(Partial(operator.getitem, (base,))) if is_key else None


def compared(c: Known, fn: Any, a: Expr, b: Expr) -> Expr:
    """``a < b`` and the like, the first elements that differ decide."""
    if not (_is_tuple(c, a) and _is_tuple(c, b)):
        return folded(Call(fn, (a, b)))
    left, right = c.elements(a) or (), c.elements(b) or ()
    result: Expr = Const(fn(len(left), len(right)))
    same_length = len(left) == len(right)
    for k in reversed(range(min(len(left), len(right)))):
        if same_length and k == len(left) - 1:
            result = compared(c, fn, left[k], right[k])
            continue
        first, same = compared(c, _STRICT[fn], left[k], right[k]), folded(Call(operator.eq, (left[k], right[k])))
        result = _either(first, _both(same, result))
    return result


def _either(a: Expr, b: Expr) -> Expr:
    if isinstance(a, Const):
        return a if a.value else b
    return a if b == Const(False) else Call(or_, (a, b))


def _both(a: Expr, b: Expr) -> Expr:
    if isinstance(a, Const):
        return b if a.value else Const(False)
    return b if b == Const(False) else Call(and_, (a, b))


def _taken_apart(expr: Expr) -> Expr:
    """A tuple with its elements, if it is a constant such as `sys.version_info`."""
    return _tuple([*map(Const, expr.value)]) if isinstance(expr, Const) and isinstance(expr.value, tuple) else expr


def _is_tuple(c: Known, expr: Expr) -> bool:
    found = c.type_of(expr)
    return isinstance(found, TupleType) and found.form in (TUPLE, LIST)


def _are_alike(c: Known, items: Sequence[Expr]) -> bool:
    """Whether items are tuples of one length."""
    kinds = [c.type_of(item) for item in items]
    return all(isinstance(kind, TupleType) and kind.form == TUPLE for kind in kinds) and (
        len({len(kind.items) for kind in kinds}) == 1)  # type: ignore[attr-defined]


def _with_texts_as_numbers(c: Known, ranked: list[_Ranked]) -> list[_Ranked]:
    """The same with numbers of the same order in the place of texts."""
    columns = list(zip(*[c.elements(each.key) or () for each in ranked]))
    for k, column in enumerate(columns):
        if all(isinstance(each, Const) and isinstance(each.value, str) for each in column):
            texts = sorted({each.value for each in column})
            columns[k] = tuple(Const(texts.index(each.value)) for each in column)
    return [_Ranked(each.item, _tuple(row)) for each, row in zip(ranked, zip(*columns))] if columns else ranked


def _tuple(items: Sequence[Expr]) -> Tuple:
    return Tuple(tuple(items))


def _one_of(c: Known, test: Expr, one: _Ranked, other: _Ranked) -> _Ranked:
    return _Ranked(_chosen(c, test, one.item, other.item), _chosen(c, test, one.key, other.key))


def _chosen(c: Known, test: Expr, one: Expr, other: Expr) -> Expr:
    """One value or the other, element by element."""
    if isinstance(test, Const) and is_data(test.value):
        return one if test.value else other
    if one == other:
        return one
    if _is_tuple(c, one) and _is_tuple(c, other):
        first, second = c.elements(one) or (), c.elements(other) or ()
        if len(first) == len(second):
            return _tuple([_chosen(c, test, a, b) for a, b in zip(first, second)])
        what = "a choice, by the order of others, between lists or tuples of different lengths"
        return c.refuse(f"{what} is not supported", "structures of one length, or a loop over them in another order")
    return c.named(c.of_two(test, lambda: one, lambda: other))


def by_places(c: Known, items: Expr, options: dict[str, Expr]) -> Expr | None:
    """``sorted`` of objects, dicts or texts by a key; None for anything else."""
    if "key" not in options:
        return None
    if texts := _texts(c, items):
        return _at_places(c, Tuple(texts), len(texts), options)
    each = c.elements(items) or ()
    return _at_places(c, items, len(each), options) if each and all(_is_object(c, item) for item in each) else None


def _texts(c: Known, items: Expr) -> tuple[Expr, ...]:
    """The texts of a list, or the keys of a dict; empty for anything else."""
    found = c.type_of(items)
    is_dict = isinstance(found, TupleType) and found.form.cls is dict
    each = tuple(map(Const, found.form.keys)) if is_dict else c.elements(items) or ()  # type: ignore[attr-defined]
    return each if all(isinstance(item, Const) and isinstance(item.value, str) for item in each) else ()


def _is_object(c: Known, item: Expr) -> bool:
    """Whether an item is an object or a dict, or holds objects."""
    found = c.type_of(item)
    return is_static(item) or isinstance(found, TupleType) and found.form.cls not in (tuple, list)


def _at_places(c: Known, items: Expr, count: int, options: dict[str, Expr]) -> Expr | None:
    """Objects or dicts in order, each picked by its place: it stays the one that it is."""
    if count > _MOST:
        return None
    items = c.holding(items) if isinstance(items, Var) else items if isinstance(items, Tuple) else c.kept(items)
    order = c.enter_library(places_in_order, (items,), tuple(options.items()), "sorted")
    if order is REFUSED:
        return REFUSED
    order = c.named(order, "order")
    places = [c.named(Call(operator.getitem, (order, Const(k))), "place") for k in range(count)]
    picked = tuple(c.applied(operator.getitem, (items, place), ()) for place in places)
    return REFUSED if REFUSED in picked else Tuple(picked, TupleType(tuple(map(c.type_of, picked)), LIST))


def _in_order(c: Known, items: Sequence[Expr], options: dict[str, Expr]) -> Expr | None:
    """Tuples in order, each compared with its neighbour and exchanged, again and again."""
    key, backwards = options.get("key", Const(None)), options.get("reverse", Const(False))
    if len(items) > _MOST or not isinstance(key, Const) or not isinstance(backwards, Const):
        return None
    named = [c.named(item) for item in items]
    keys = named if key.value is None else [c.named(c.invoke(key.value, (item,), ())) for item in named]
    ranked = [_Ranked(item, by) for item, by in zip(named, keys)]
    if _are_alike(c, keys):
        ranked = _with_texts_as_numbers(c, ranked)
    for last in reversed(range(len(ranked))):
        for k in range(last):
            one, two = ranked[k], ranked[k + 1]
            pair = (one.key, two.key) if backwards.value else (two.key, one.key)
            test = c.named(compared(c, operator.lt, *pair), "exchanged")
            ranked[k], ranked[k + 1] = _one_of(c, test, two, one), _one_of(c, test, one, two)
    return Tuple(tuple(each.item for each in ranked), TupleType(tuple(c.type_of(each.item) for each in ranked), LIST))
