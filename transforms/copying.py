"""``copy.copy`` of objects that are made inside; part of `inline`."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Const, Expr, Method
from srcad.transforms import identities, objects
from srcad.transforms.learnt import Record
from srcad.transforms.values import Choice, Object

if TYPE_CHECKING:
    from srcad.transforms.records import Records

_HOOKS = ("__copy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")


def copied(c: Records, value: Const) -> Expr:
    """Another object with the same attributes; of a choice, of the one that it is."""
    held = value.value
    if isinstance(held, Choice):
        return c.either(held, lambda each: c.of_structure(copy.copy, (each,), ()) or REFUSED)
    assert isinstance(held, Object)
    if issubclass(held.cls, Record):
        return c.of_structure(Method("copy"), (value,), ()) or REFUSED
    own = [hook for hook in _HOOKS if any(hook in vars(cls) for cls in held.cls.__mro__[:-1])]
    if own or str(held.cls.__module__).startswith("srcad."):
        what = own[0] if own else "attributes of its own"
        return c.refuse(f"a copy of {objects.called(held.cls)}, which has {what}, is not supported", "a new object")
    made = Object(held.cls)
    c.housed.places[id(made)] = c.origin
    c.housed.born[id(made)] = made, c.out
    c.making.add(id(made))
    for name, var in held.fields.items():
        objects.set_field(c, made, name, c.holding(var))
    c.making.discard(id(made))
    identities.born(c, made)
    return Const(made)
