"""Keys: text that is put into order, dicts of pairs and of keys, and two dicts as one; part of `inline`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Expr, Method, Tuple
from srcad.lang.types import UNKNOWN, Form, TupleType
from srcad.transforms import functionals
from srcad.transforms.frames import Objects
from srcad.transforms.learnt import LaterKey
from srcad.transforms.values import NONE, Object, is_static

if TYPE_CHECKING:
    from srcad.transforms.callees import Keywords
    from srcad.transforms.known import Known
    from srcad.transforms.records import Records


def taken(c: Records, made: Object, key: Const, others: tuple[Expr, ...]) -> Expr:
    """``d.pop(key)`` and ``del d[key]`` of a dict that is changed where it is."""
    flag, place = c.flags.get((id(made), key.value)), c.housed.places.get(id(made))
    if key.value not in made.fields and others:
        return others[0]
    if flag is None and key.value in made.fields and c.housed.born.get(id(made), (made, None))[1] is not c.out:
        if place is not None and key.value not in c.later.get(place, ()):
            raise LaterKey(place, key.value, False)
    if flag is None and place is None:
        return c.refuse("pop of a dict that a list has is not supported", "d[key] = value", "pop")
    if flag is not None and others:
        value = c.by_key(Method("get"), made, key, others)
    else:
        value = c.at_key(made, key)
    if value is REFUSED:
        return value
    value = c.kept(value)
    if flag is not None:
        c.let(flag.name, Const(False))
    else:
        del made.fields[key.value]
        c.callers.gone.add((id(made), key.value))
    return value


def in_order(c: Known, found: TupleType, values: Expr, options: dict[str, Expr]) -> Expr | None:
    """``sorted`` of the keys of a dict, or of its items by their keys; None for what is no key."""
    if isinstance(values, Call) and values.fn in (list, tuple) and len(values.args) == 1:
        return in_order(c, found, values.args[0], options)
    items = tuple(map(Const, found.form.keys)) if found.form.cls is dict else c.elements(values) or ()
    by, backwards = (options.get(name, Const(None)) for name in ("key", "reverse"))
    parts = [c.elements(item) if isinstance(c.type_of(item), TupleType) else None for item in items]
    ranks = [_rank(c, item, part, by) for item, part in zip(items, parts)]
    alike = any(all(isinstance(rank, kind) for rank in ranks) for kind in (str, (int, float)))
    if not items or not isinstance(backwards, Const) or not alike:
        return None
    if by == Const(None) and any(parts) and len({*ranks}) < len(ranks):
        return None  # what stands behind the keys decides
    order = sorted(range(len(items)), key=ranks.__getitem__, reverse=bool(backwards.value))
    return Tuple(tuple(items[k] for k in order))


def _rank(c: Known, item: Expr, parts: tuple[Expr, ...] | None, by: Expr) -> Any:
    """What an item, perhaps of several parts, is put into order by."""
    first = parts[0] if parts else item
    if not isinstance(first, Const) or not isinstance(first.value, (str, int, float)):
        return None
    match by:
        case Const(value=None):
            return first.value
        case Const(value=key):
            return getattr(c.invoke(key, (item,), ()), "value", None)
        case Call(operator.itemgetter, (Const(value=0),)) if item is not first:
            return first.value
    return None


def of_pairs(c: Known, pairs: Expr, kwargs: Keywords) -> Expr | None:
    """``dict(pairs)`` of a list of pairs with known keys; None for anything else."""
    made: dict[Any, Expr] = {}
    for pair in c.elements(pairs) or ():
        both = c.elements(pair)
        if both is None or len(both) != 2 or not isinstance(both[0], Const):
            return None
        made[both[0].value] = both[1]
    made |= dict(kwargs)
    return Tuple(tuple(made.values()), TupleType((UNKNOWN,) * len(made), Form(dict, tuple(made))))


def known(key: Expr) -> Expr:
    """A key that is a tuple of constants, as the constant that it is."""
    if isinstance(key, Tuple) and all(isinstance(item, Const) for item in map(known, key.items)):
        return Const(tuple(item.value for item in map(known, key.items)))  # type: ignore[union-attr]
    return key


def unknown(c: Records) -> Expr:
    """Once more, with the loop around written out, where that may tell the key of a changed dict; or refused."""
    if c.short:
        raise Objects
    return c.refuse("a key that is not known at compile time, of a dict that is changed in place, is not supported",
                    "a test for each key, if k == 0: d[0] = value, or an array")  # fmt: skip


def of_keys(c: Known, args: tuple[Expr, ...]) -> Expr:
    """``dict.fromkeys(keys, value)`` of known keys."""
    names = c.iterated(args[0])
    (value,) = args[1:] or (Const(None),)
    if not names or not all(isinstance(name, Const) for name in names) or isinstance(c.type_of(value), TupleType):
        return c.refuse("dict.fromkeys of these keys or this value is not supported", "{key: value for key in keys}",
                        "fromkeys")  # fmt: skip
    made = dict.fromkeys((name.value for name in names if isinstance(name, Const)), c.kept(value))
    return Tuple(tuple(made.values()), TupleType((UNKNOWN,) * len(made), Form(dict, tuple(made))))


def joined(c: Records, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """``d | e`` and ``d |= e`` of dicts with known keys; None for anything else."""
    shown = tuple(map(c.display, args))
    kinds = [c.type_of(each) for each in shown]
    if not all(isinstance(kind, TupleType) and kind.form.cls is dict for kind in kinds):
        return None
    if fn is operator.ior:
        return REFUSED if c.of_structure(Method("update"), args, ()) is REFUSED else args[0]
    made: dict[Any, Expr] = {}
    for each, kind in zip(shown, kinds):
        made |= zip(kind.form.keys, c.elements(each) or ())  # type: ignore[attr-defined]
    return Tuple(tuple(made.values()), TupleType(tuple(map(c.type_of, made.values())), Form(dict, tuple(made))))


def function_at(c: Known, found: TupleType, table: Expr, key: Expr, default: Expr = NONE) -> Expr | None:
    """``d.get(key, default)`` where functions are looked up; None: what is looked up are numbers."""
    parts = c.elements(table) or ()
    if not any(map(is_static, (*parts, default))):
        return None
    if not isinstance(key, Const):
        return functionals.picked(c, table, key, default)
    return parts[found.form.keys.index(key.value)] if key.value in found.form.keys else default


def may_be_computed(key: Any) -> bool:
    """Whether a key of a dict is a number, or a tuple of them."""
    return isinstance(key, int) or isinstance(key, tuple) and all(map(may_be_computed, key))
