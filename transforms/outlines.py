"""Outlines of structures: which elements they have, and what is known of those, as far as a pass has come; part of
`inline`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from srcad.lang.ir import Expr, entry, merged
from srcad.lang.structure import form_of_class
from srcad.lang.types import UNKNOWN, Array, Static, TupleType, Type


class Remembered:
    """What calls have been found to give, each for as long as the names in it hold what they held then."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[Expr, Type, dict[str, Type]]] = {}  # with the expression, which keeps its id

    def type(self, expr: Expr, types: dict[str, Type], relied: set[str], find: Callable[[set[str]], Type]) -> Type:
        """The type of `expr` where names have `types`; `find` adds those that it asks for to its argument.

        >>> from srcad.lang.ir import Var
        >>> from srcad.lang.types import INT
        >>> remembered, x = Remembered(), Var("x")
        >>> for types in ({}, {}, {"a": INT}):
        ...     _ = remembered.type(x, types, set(), lambda asked: print("asked") or asked.add("a") or UNKNOWN)
        asked
        asked
        """
        _, type, of_names = self._found.get(id(expr), (expr, None, {}))
        if type is None or any(types.get(name, UNKNOWN) is not then for name, then in of_names.items()):
            asked: set[str] = set()
            type = find(asked)
            of_names = {name: types.get(name, UNKNOWN) for name in asked}
            self._found[id(expr)] = expr, type, of_names
        relied.update(of_names)
        return type


def only(types: dict[str, Type], names: set[str]) -> dict[str, Type]:
    """The structures of names that hold them if they hold anything."""
    return {name: types[name] for name in sorted(names & types.keys()) if type(types[name]) is TupleType}


class _Leaf:
    """Stands for any number or array."""


LEAF = Static(_Leaf)  # what is known of a name that holds no structure


def is_single(type: Type | None) -> bool:
    """Whether a name is known to hold a number or an array, rather than a structure or a text."""
    return isinstance(type, Static) and (type == LEAF or isinstance(type.value, int))


def outlined(type: Type) -> Type:
    """A structure whose elements are unknown, but for text, functions and the like."""
    if not isinstance(type, TupleType):
        return type
    parts = tuple(each if isinstance(each, Static) else outlined(each) if isinstance(each, TupleType) else UNKNOWN
                  for each in type.items)  # fmt: skip
    return replace(type, items=parts)


def of_any_rank(type: Type, texts: bool = False) -> Type:
    """A structure in which nothing is known of arrays; lists stay, as what is no list is added to otherwise.

    `texts`: nor of texts.

    >>> of_any_rank(TupleType((Array("float64", ("n",)), Static(None)))).items[0] == UNKNOWN
    True
    """
    if isinstance(type, TupleType):
        return replace(type, items=tuple(of_any_rank(item, texts) for item in type.items))
    return UNKNOWN if isinstance(type, Array) or texts and _is_text(type) else type


def agree(first: Type | None, later: Type | None) -> bool:
    """Whether a name may hold the one where an iteration begins and the other where it ends."""
    later = later or UNKNOWN
    return first == later or isinstance(first, TupleType) and first in (of_any_rank(later), of_any_rank(later, True))


def on_both_paths(one: Type | None, other: Type | None) -> Type | None:
    """What is known of a name that holds one structure or another, which differ in their texts at most.

    >>> on_both_paths(TupleType((Static("on"), UNKNOWN)), TupleType((Static("off"), UNKNOWN))).items
    (Unknown(), Unknown())
    """
    if one == other:
        return one
    alike = isinstance(one, TupleType) and isinstance(other, TupleType) and one.form == other.form
    if not alike or len(one.items) != len(other.items):  # type: ignore[union-attr]
        return None
    items = [UNKNOWN if _is_text(a) and _is_text(b) else on_both_paths(a, b)
             for a, b in zip(one.items, other.items)]  # type: ignore[union-attr]  # fmt: skip
    return None if None in items else replace(one, items=tuple(items))  # type: ignore[type-var, arg-type]


def _is_text(type: Type) -> bool:
    return type == UNKNOWN or isinstance(type, Static) and isinstance(type.value, str)


def exchanged(type: Type, old: Type, new: Type) -> Type:
    """A type with another one in the place of its unknown leaves."""
    if isinstance(type, TupleType):
        return replace(type, items=tuple(exchanged(item, old, new) for item in type.items))
    return new if type == old else type


def structure(items: tuple[Type, ...], type: Type) -> TupleType:
    return TupleType(items, type.form) if isinstance(type, TupleType) else TupleType(items)


def element_type(fn: Any, found: Type, key: Any) -> Type:
    """The type of ``structure[key]``, or of the element at a position."""
    if not isinstance(found, TupleType):
        return UNKNOWN
    if fn is operator.getitem and found.form.cls is dict:
        return found.items[found.form.keys.index(key)] if key in found.form.keys else UNKNOWN
    inside = isinstance(key, int) and -len(found.items) <= key < len(found.items)
    return found.items[key] if inside else UNKNOWN


def is_mutable(type: Type | None) -> bool:
    return isinstance(type, TupleType) and type.form.cls in (list, dict)


def makes(fn: Any) -> bool:
    """Whether a callable makes a structure of what is none."""
    return fn in (dict, list, tuple, entry, merged) or form_of_class(fn) is not None
