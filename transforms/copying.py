"""``copy.copy`` and ``copy.deepcopy`` of objects that are made inside; part of `inline`."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Const, Expr, Method
from srcad.transforms import identities, objects
from srcad.transforms.learnt import Record
from srcad.transforms.values import Choice, Object

if TYPE_CHECKING:
    from srcad.transforms.records import Records

_HOOKS = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")


Part = Callable[[Expr], Expr]


def copied(c: Records, value: Const, known: dict[int, Const] | None = None, part: Part | None = None) -> Expr:
    """Another object with the same attributes, or with what `part` gives of them; of a choice, of the one that it is.

    `known` has the copies of objects that there are already, and gets the new one.
    """
    held = value.value
    if isinstance(held, Choice):
        return c.either(held, lambda each: c.of_structure(copy.copy, (each,), ()) or REFUSED)
    assert isinstance(held, Object)
    if known is not None and id(held) in known:
        return known[id(held)]
    if issubclass(held.cls, Record) and part is None:
        return c.of_structure(Method("copy"), (value,), ()) or REFUSED
    named = [(name, c.holding(var)) for name, var in held.fields.items()]
    return remade(c, held.cls, named, part, lambda made: None if known is None else known.update({id(held): made}))


def remade(c: Records, cls: type, named: list[tuple[str, Expr]], part: Part | None = None, then: Any = None) -> Expr:
    """An object of a class with the attributes of another one, or what `part` gives of them; `then` knows it first."""
    own = [hook for hook in _HOOKS if any(hook in vars(base) for base in cls.__mro__[:-1])]
    if own or str(cls.__module__).startswith("srcad."):
        what = own[0] if own else "attributes of its own"
        return c.refuse(f"a copy of {objects.called(cls)}, which has {what}, is not supported", "a new object")
    made = Object(cls)
    if then is not None:
        then(Const(made))
    c.housed.places[id(made)] = c.origin
    c.housed.born[id(made)] = made, c.out
    c.making.add(id(made))
    for name, value in named:
        value = value if part is None else part(value)
        if value is REFUSED:
            return REFUSED
        objects.set_field(c, made, name, value)
    c.making.discard(id(made))
    identities.born(c, made)
    return Const(made)
