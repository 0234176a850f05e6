"""``copy.copy(x)`` and ``copy.deepcopy(x)`` of arrays, numbers, lists, tuples and dicts; part of `inline`."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from srcad.lang.forms import REFUSED, is_data
from srcad.lang.ir import Const, Expr, Method, Tuple
from srcad.lang.types import Static, TupleType
from srcad.library.arrays import Arrays
from srcad.library.lists import each_copied
from srcad.library.rows import Row, Rows
from srcad.transforms import twins
from srcad.transforms.copying import copied
from srcad.transforms.values import Choice, Object

if TYPE_CHECKING:
    from srcad.transforms.standing import Standing

COPYING = (copy.copy, copy.deepcopy)
_LISTS = (Rows, Row, Arrays)  # what lists of lists and of arrays are whose lengths differ


def duplicate(c: Standing, fn: object, value: Expr) -> Expr:
    """What ``x.copy()`` gives, where that is all that is meant: elements of a structure may be one array twice."""
    found = c.type_of(value)
    if value is REFUSED:
        return value
    if fn is copy.copy and isinstance(value, Const) and isinstance(value.value, (Object, Choice)):
        return copied(c, value)  # type: ignore[arg-type]
    if fn is copy.deepcopy and isinstance(value, Const) and getattr(value.value, "cls", None) in _LISTS:
        return _of_library(c, value)
    if isinstance(value, Const) and not is_data(value.value) or isinstance(found, TupleType) and found.form.named:
        remedy = "its class called with the same attributes"
        return c.refuse(f"{_name(fn)} of an object is not supported", remedy, "copy")
    if fn is copy.deepcopy and isinstance(found, Static):
        return value
    if fn is copy.deepcopy and isinstance(found, TupleType):
        return _with_parts_of_its_own(c, value, found)
    if fn is copy.deepcopy and (grown := c.grown(value)) is not None:
        return _each(c, value, grown.buffers)
    if fn is copy.deepcopy and c.is_inner_list(value):
        if c.is_nested(value):
            return _each(c, value, () if (outer := c.outer(value)) is None else (outer,))
        return c.of_inner(list, (value,), ()) or REFUSED
    return c.invoke(Method("copy"), (value,), ())


def _of_library(c: Standing, value: Const) -> Expr:
    """A list that is an object of the library."""
    store = c.holding(value.value.fields["store"])  # type: ignore[attr-defined]
    elements = store.value.fields["elements" if value.value.cls is Arrays else "members"]  # type: ignore[attr-defined]
    grown = c.grown(c.holding(elements))
    assert grown is not None, "the elements of all lists are in one that grows"
    if value.value.cls is Rows:  # type: ignore[attr-defined]
        return twins.watched(c, grown.buffers, lambda: c.invoke(Rows.each_copied, (value,), ()))
    return _each(c, value, grown.buffers)


def _each(c: Standing, value: Expr, buffers: tuple[str, ...]) -> Expr:
    return twins.watched(c, buffers, lambda: c.enter_library(each_copied, (value,), (), "copy.deepcopy"))


def _with_parts_of_its_own(c: Standing, value: Expr, found: TupleType) -> Expr:
    """A structure of copies; where one list may stand in two places of it, its copy would, too."""
    place, parts = c.place_of(value), c.elements(value) or ()
    sources = twins.sources(c, value) or parts
    given = place is not None and place[0] in c.given_names
    within = None if place is None else c.sole.get(place[0])
    made: dict[Expr, Expr] = {}  # one copy of what stands in two places
    for key, source, part in zip(found.form.keys or range(len(parts)), sources, parts):
        kind, twice = c.type_of(part), sources.count(source) > 1
        alone = given or isinstance(value, Tuple) or place and within is not None and (*place[1], key) in within
        if isinstance(kind, TupleType) and kind.form.cls in (list, dict) and (twice or not alone):
            reason = "copy.deepcopy of a structure whose parts something else holds, too, is not supported"
            remedy = "a copy of each part: [list(row) for row in rows], or x.copy() of an array"
            return c.refuse(reason, remedy, "copy")
        if source not in made:
            made[source] = duplicate(c, copy.deepcopy, part)
            made[source] = c.kept(made[source]) if twice else made[source]
    copies = tuple(made[source] for source in sources)
    return REFUSED if REFUSED in copies else Tuple(copies, TupleType(tuple(map(c.type_of, copies)), found.form))


def _name(fn: object) -> str:
    return "copy.copy" if fn is copy.copy else "copy.deepcopy"
