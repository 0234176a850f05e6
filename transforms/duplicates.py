"""``copy.copy(x)`` and ``copy.deepcopy(x)`` of arrays, numbers and flat lists and dicts; part of `inline`."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from srcad.lang.forms import REFUSED, is_data
from srcad.lang.ir import Const, Expr, Method
from srcad.lang.types import UNKNOWN, Array, TupleType
from srcad.transforms.copying import copied
from srcad.transforms.values import Choice, Object

if TYPE_CHECKING:
    from srcad.transforms.known import Known

COPYING = (copy.copy, copy.deepcopy)


def duplicate(c: Known, fn: object, value: Expr) -> Expr:
    """What ``x.copy()`` gives, where that is all that is meant: elements of a structure may be one array twice."""
    found = c.type_of(value)
    if value is REFUSED:
        return value
    if fn is copy.copy and isinstance(value, Const) and isinstance(value.value, (Object, Choice)):
        return copied(c, value)  # type: ignore[arg-type]
    if isinstance(value, Const) and not is_data(value.value) or isinstance(found, TupleType) and found.form.named:
        remedy = "its class called with the same attributes"
        return c.refuse(f"{_name(fn)} of an object is not supported", remedy, "copy")
    plain = found == UNKNOWN or isinstance(found, Array)
    if fn is copy.deepcopy and (not plain or c.is_inner_list(value)):  # type: ignore[attr-defined]
        remedy = "a copy of each part: [list(row) for row in rows], or x.copy() of an array"
        return c.refuse("copy.deepcopy of a structure is not supported", remedy, "copy")
    return c.invoke(Method("copy"), (value,), ())


def _name(fn: object) -> str:
    return "copy.copy" if fn is copy.copy else "copy.deepcopy"
