"""``copy.copy`` and ``copy.deepcopy`` of structures and of objects that are made inside; part of `inline`."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Const, Expr, Method, Tuple
from srcad.lang.types import TupleType
from srcad.library.lists import listed
from srcad.transforms import identities, objects
from srcad.transforms.learnt import Record
from srcad.transforms.values import Choice, Object, is_static

if TYPE_CHECKING:
    from srcad.transforms.callees import Keywords
    from srcad.transforms.records import Records

_HOOKS = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")


def copied(c: Records, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """What a call of one of the two gives; None: of a number or an array."""
    if len(args) != 1 or kwargs:
        return c.refuse(f"{fn.__name__}() with more than what is copied is not supported", "the call without it")
    value, deep = args[0], fn is copy.deepcopy
    if isinstance(value, Const) and isinstance(value.value, Choice):
        return c.either(value.value, lambda each: c.invoke(fn, (each,), ()))
    if isinstance(value, Const) and isinstance(value.value, Object):
        return _of_object(c, fn, value.value)
    found = c.type_of(value)
    if not isinstance(found, TupleType) and c.grown(value) is None:
        return Const(value.value) if isinstance(value, Const) and is_static(value) else None
    if c.grown(value) is not None or c.is_inner_list(value):
        if not deep:
            return c.enter_library(listed, (value,), (), "copy")
        return c.refuse("deepcopy() of a list that grows is not supported", "[copy.copy(x) for x in xs]", "deepcopy")
    if not deep:
        form = found.form.cls  # type: ignore[attr-defined]
        if form is dict:
            return c.of_structure(Method("copy"), (value,), ()) or c.invoke(Method("copy"), (value,), ())
        return c.invoke(list, (value,), ()) if form is list else value
    parts = tuple(_settled(c, c.invoke(fn, (part,), ())) for part in c.elements(value) or ())
    types = tuple(map(c.type_of, parts))
    return REFUSED if REFUSED in parts else c.expr(Tuple(parts, replace(found, items=types)))  # type: ignore[type-var]


def _settled(c: Records, part: Expr) -> Expr:
    return part if isinstance(part, Tuple) else c.kept(part)


def _of_object(c: Records, fn: Any, held: Object) -> Expr:
    if issubclass(held.cls, Record):
        return c.of_structure(Method("copy"), (Const(held),), ()) or REFUSED
    own = [hook for hook in _HOOKS if any(hook in vars(cls) for cls in held.cls.__mro__[:-1])]
    if own or str(held.cls.__module__).startswith("srcad."):
        what = own[0] if own else "attributes of its own"
        return c.refuse(f"a copy of {objects.called(held.cls)}, which has {what}, is not supported", "a new object")
    made = Object(held.cls)
    c.housed.places[id(made)] = c.origin
    c.housed.born[id(made)] = made, c.out
    for name, var in held.fields.items():
        value = c.holding(var)
        part = c.invoke(fn, (value,), ()) if fn is copy.deepcopy else value
        c.making.add(id(made))
        objects.set_field(c, made, name, part)
        c.making.discard(id(made))
    identities.born(c, made)
    return Const(made)
