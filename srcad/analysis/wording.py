"""Which texts names hold: one of several, lists of such, and tuples with texts in them."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from srcad.analysis.spelling import COPYING, Unknown, combinations, is_asked, outcome
from srcad.lang import walk
from srcad.lang.ir import (
    Call, Const, Effect, Expr, For, Function, Let, Slice, Store, Tuple, Var, element_at, raise_, select,
)  # fmt: skip
from srcad.lang.lists import count_of, element_of, list_buffer, list_pop, one_of, slot, traded, within
from srcad.lang.types import TupleType, Type

_MOST, _ROUNDS = 64, 30  # texts of one name; how often statements are gone through
_READING = (operator.getitem, element_of, one_of)
_TAKING = (*_READING, list_pop, traded)
_COUNTING = frozenset((
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg, operator.iadd,
    operator.isub, min, max, abs, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
    operator.not_,
))  # fmt: skip
_COUNTS = frozenset((len, count_of, int, np.argmax, np.argmin))


@dataclass(frozen=True)
class Parts:
    """What a tuple, a list or a dict holds at each of its places."""

    items: tuple[Held, ...]
    keys: tuple[Any, ...] = ()

    def place(self, index: Any, by_place: bool) -> int | None:
        """Where the element at an index or key is."""
        if self.keys and not by_place:
            return self.keys.index(index) if index in self.keys else None
        inside = isinstance(index, int) and -len(self.items) <= index < len(self.items)
        return index % len(self.items) if inside else None


@dataclass(frozen=True)
class Listed:
    """What a list holds at any of its places."""

    of: Held


@dataclass(frozen=True)
class Picked:
    """What a list has at a place, or at several: nobody knows."""

    of: Held


@dataclass(frozen=True)
class _Other:
    """Something without texts, or nobody knows what."""


@dataclass(frozen=True)
class _Count:
    """A whole number."""


Held = Union[frozenset[str], Parts, Listed, Picked, _Other, _Count, None]
"""What a name holds: one of several texts, for instance; None as long as nothing is known of it."""
OTHER, COUNT = _Other(), _Count()
_SEVERAL = (Parts, Listed, Picked)


def wording(fn: Function) -> dict[str, Held]:
    """What of texts the names of a surface function hold.

    >>> from srcad.lang.ir import If
    >>> branch = If(Var("x"), (Let("s", Const("on")),), (Let("s", Const("off")),))
    >>> sorted(wording(Function("f", (), (branch, Let("t", Call(operator.add, (Var("s"), Const("!")))))))["t"])
    ['off!', 'on!']
    """
    held: dict[str, Held] = {param.name: _of_type(param.type) for param in fn.params}
    statements, stored = list(walk.statements(fn.body)), set[str]()
    for _ in range(_ROUNDS):
        before = dict(held)
        for stmt in statements:
            for name in walk.targets(stmt):
                other = COUNT if isinstance(stmt, For) else OTHER
                held[name] = _either(held.get(name), texts_in(stmt.value, held) if isinstance(stmt, Let) else other)
            if isinstance(stmt, Store):
                _put(stmt.base, _lifted(texts_in(stmt.value, held), stmt.index, held), held, stored)
            elif isinstance(stmt, Let) and stmt.target in stored:
                _put(stmt.value, held[stmt.target], held, stored)
            elif isinstance(stmt, Effect) and stmt.call.fn not in (raise_, print):
                _put(stmt.call, OTHER, held, set())
        if held == before:
            return held
    return dict.fromkeys(held, OTHER)  # tuples in tuples without an end, perhaps


def _put(base: Expr, value: Held, held: dict[str, Held], stored: set[str]) -> None:
    """What an expression gives is also this: something was stored in it, perhaps under another name."""
    match base:
        case Var(name):
            held[name] = _either(held.get(name), value)
            stored.add(name)
        case Call(fn, (inner, index)) if fn in _TAKING:
            _put(inner, _lifted(value, index, held), held, stored)
        case Call(fn, (_, then, orelse)) if fn is select:
            _put(then, value, held, stored)
            _put(orelse, value, held, stored)
        case Call() if base.fn not in COPYING and base.fn is not list_buffer:
            for name in walk.names(base):
                held[name] = OTHER if isinstance(held.get(name), (Parts, Listed)) else held.get(name)


def _lifted(value: Held, index: Expr, held: dict[str, Held]) -> Held:
    """What holds a value at an index, or at several."""
    if isinstance(index, Call) and index.fn in (slot, within):
        index = index.args[1]
    if isinstance(value, Picked):
        return OTHER if _is_place(index, held) else Listed(value.of)
    several = isinstance(value, (Parts, Listed))
    if isinstance(index, Slice) or index == Const(...):
        return value if several else Listed(value)
    return OTHER if several and not _is_place(index, held) else Listed(value)


def _is_place(index: Expr, held: dict[str, Held]) -> bool:
    """Whether an index is that of one element; what a test decides is no array."""
    if isinstance(index, Call) and index.fn is select and index.args[2] in walk.children(index.args[0]):
        return True
    found = texts_in(index, held)
    return found in (COUNT, None) or isinstance(found, frozenset)


def texts_in(expr: Expr, held: dict[str, Held]) -> Held:
    """What of texts an expression gives."""
    match expr:
        case Const(value=value):
            return _of_constant(value)
        case Var(name):
            return held.get(name)
        case Tuple(items, type):
            keys = type.form.keys if isinstance(type, TupleType) else ()
            return Parts(tuple(texts_in(item, held) for item in items), keys)
        case Call(fn, (_, then, orelse)) if fn is select:
            return _either(texts_in(then, held), texts_in(orelse, held))
        case Call(fn) if fn is list_buffer:
            return Listed(None)
        case Call(fn, (base, *_)) if fn in COPYING and isinstance(found := texts_in(base, held), _SEVERAL):
            return found
        case Call(fn, args, ()) if fn in _COUNTING and all(texts_in(arg, held) in (COUNT, None) for arg in args):
            return None if any(texts_in(arg, held) is None for arg in args) else COUNT
        case Call(fn) if fn in _COUNTS:
            return COUNT
        case Call(operator.add, (a, b)) if (joined := _joined(texts_in(a, held), texts_in(b, held))) is not None:
            return joined
        case Call(operator.mul, (base, _)) if isinstance(found := texts_in(base, held), (Parts, Listed)):
            return Listed(_all(found))
        case Call(fn, (base, index)) if fn in _TAKING and isinstance(found := texts_in(base, held), (Parts, Listed)):
            one = isinstance(index, Slice) or fn is one_of or _is_place(index, held)
            return _taken(found, index) if one else Picked(_all(found))
        case Call(fn, (base, place)) if fn is element_at and isinstance(found := texts_in(base, held), Parts):
            return _taken(found, place, by_place=True)
        case Call():
            return _of_call(expr, held)
    return OTHER


def leaves(expr: Expr, held: dict[str, Held]) -> list[Expr] | None:
    """The texts that an expression is made of, besides constants; None: there are other things in it."""
    found: list[Expr] = []
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Const):
            continue
        if is_leaf(part, held) and isinstance(texts_in(part, held), frozenset):
            found += [part] if part not in found else []
        elif isinstance(part, (Tuple, Slice)) or isinstance(part, Call) and is_asked(part):
            waiting += reversed(walk.children(part))
        else:
            return None
    return found


def options(found: list[Expr], held: dict[str, Held]) -> list[list[str]]:
    """The texts that each of some expressions may be."""
    return [sorted(texts) for leaf in found if isinstance(texts := texts_in(leaf, held), frozenset)]


def is_leaf(expr: Expr, held: dict[str, Held]) -> bool:
    """Whether an expression is a name, or what a name holds at some place, or a letter of it."""
    if isinstance(expr, Call) and expr.fn in _READING:
        in_list = isinstance(texts_in(expr.args[0], held), (Parts, Listed))
        return (in_list or is_letter(expr, held)) and is_leaf(expr.args[0], held)
    return isinstance(expr, Var)


def is_letter(expr: Expr, held: dict[str, Held]) -> bool:
    """Whether an expression is a letter of a text at a place that is not known."""
    if not isinstance(expr, Call) or expr.fn not in _READING or isinstance(expr.args[1], (Const, Slice)):
        return False
    return isinstance(texts_in(expr.args[0], held), frozenset) and texts_in(expr.args[1], held) == COUNT


def _of_call(call: Call, held: dict[str, Held]) -> Held:
    """The texts that a call makes of others."""
    if is_letter(call, held):
        return frozenset(letter for text in texts_in(call.args[0], held) for letter in text) or OTHER  # type: ignore
    if any(texts_in(part, held) is None for part in walk.subexprs(call) if isinstance(part, Var)):
        return None
    found = leaves(call, held)
    if not found:
        return OTHER
    try:
        made = [outcome(call, texts) for texts in combinations(found, options(found, held))]
    except Unknown:
        return OTHER
    if all(isinstance(each, int) for each in made):
        return COUNT
    return frozenset(made) if all(isinstance(each, str) for each in made) and len(set(made)) <= _MOST else OTHER


def _of_type(type: Type) -> Held:
    """What an argument holds."""
    named = isinstance(type, TupleType) and bool(type.form.keys)
    return Parts(tuple(map(_of_type, type.items)), type.form.keys) if named else OTHER  # type: ignore[attr-defined]


def _of_constant(value: Any) -> Held:
    if isinstance(value, str):
        return frozenset((value,))
    if isinstance(value, (tuple, list)) and (not value or any(isinstance(v, (str, tuple, list, dict)) for v in value)):
        return Parts(tuple(map(_of_constant, value)))
    if isinstance(value, dict):
        return Parts(tuple(map(_of_constant, value.values())), tuple(value))
    return COUNT if isinstance(value, int) and not isinstance(value, bool) else OTHER


def _taken(found: Parts | Listed, index: Expr, by_place: bool = False) -> Held:
    """What a structure has at a place."""
    if isinstance(index, Slice):
        return Listed(_all(found))
    place = found.place(index.value, by_place) if isinstance(found, Parts) and isinstance(index, Const) else None
    return _all(found) if place is None else found.items[place]  # type: ignore[union-attr]


def _joined(one: Held, other: Held) -> Parts | None:
    """What a list or tuple holds that is made of two of them."""
    if isinstance(one, Parts) and isinstance(other, Parts) and not one.keys + other.keys:
        return Parts(one.items + other.items)
    return None


def _all(found: Parts | Listed) -> Held:
    if isinstance(found, Listed):
        return found.of
    result: Held = None
    for item in found.items:
        result = _either(result, item)
    return result


def _either(one: Held, other: Held) -> Held:
    """What a name holds that holds one thing or another."""
    if one is None or other is None or one == other:
        return other if one is None else one
    match one, other:
        case frozenset(), frozenset():
            both = one | other
            return both if len(both) <= _MOST else OTHER
        case Parts(a, keys), Parts(b, others) if len(a) == len(b) and keys == others:
            return Parts(tuple(map(_either, a, b)), keys)
        case Picked(a), Picked(b):
            return Picked(_either(a, b))
        case frozenset(), Picked(b):
            return Picked(_either(one, b))
        case Picked(a), frozenset():
            return Picked(_either(a, other))
        case Parts() | Listed(), Parts() | Listed():
            return Listed(_either(_all(one), _all(other)))
    return OTHER
