"""``copy.copy(x)`` and ``copy.deepcopy(x)`` of arrays, numbers, lists, tuples, dicts and objects; part of `inline`."""

from __future__ import annotations

import copy
import operator
import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from srcad.lang import walk
from srcad.lang.forms import REFUSED, is_data
from srcad.lang.ir import Call, Const, Expr, Let, Method, Tuple, Var, element_at, select
from srcad.lang.lists import alone, element_of
from srcad.lang.types import Static, TupleType
from srcad.library.arrays import Arrays
from srcad.library.lists import each_copied
from srcad.library.rows import Row, Rows
from srcad.transforms import twins
from srcad.transforms.copying import copied, remade
from srcad.transforms.order import is_inplace
from srcad.transforms.values import Choice, Closure, Object

if TYPE_CHECKING:
    from srcad.transforms.standing import Standing

COPYING = (copy.copy, copy.deepcopy)
_ANY = 0  # stands for all statements: an earlier iteration may have given a name what another one has
_SAME = frozenset((operator.pos, np.asarray, np.asanyarray))
_THEMSELVES = (Closure, np.ufunc, type, types.FunctionType, types.BuiltinFunctionType)  # have no copies
_PARTS = frozenset((operator.getitem, element_at, element_of))
_LISTS = (Rows, Row, Arrays)  # what lists of lists and of arrays are whose lengths differ


@dataclass
class Copies:
    """The copies that one call of `copy.deepcopy` has made: what stands in two places has one copy."""

    objects: dict[int, Const] = field(default_factory=dict)
    arrays: list[tuple[set[int], Expr]] = field(default_factory=list)  # by the statements that may have made them

    def of_array(self, c: Standing, value: Expr, source: Expr) -> Expr:
        """The copy of a number or an array; where it may be one that was copied before, it has to be a number."""
        makers = _makers(c, source)
        for others, known in self.arrays:
            if makers & others or makers and others and _ANY in makers | others:
                return known if makers == others and len(makers) == 1 and _ANY not in makers else Call(alone, (value,))
        made = c.named(c.invoke(Method("copy"), (value,), ()), "copied")
        self.arrays.append((makers, made))
        return made


def _makers(c: Standing, value: Expr) -> set[int]:
    """The statements that may have made an array which goes by several names; empty: it has no name."""
    bound: dict[str, list[Let]] = {}
    for stmt in walk.statements(tuple(stmt for block in (*c.outs, c.out) for stmt in block)):
        if isinstance(stmt, Let):
            bound.setdefault(stmt.target, []).append(stmt)
    found, seen = set[int](), set[str]()
    waiting: list[tuple[Expr, int | None]] = [(value, None)]
    while waiting:
        each, maker = waiting.pop()
        match each:
            case Var(name):
                lets = bound.get(name, ())
                anew = any(isinstance(stmt, Let) and stmt.target == name for stmt in c.out)
                found |= set() if anew or not any(name in names for names in c.assigned_around) else {_ANY}
                waiting += [(stmt.value, id(stmt)) for stmt in lets if name not in seen]
                found |= set() if lets else {hash(name)}
                seen.add(name)
            case Call(fn, (_, then, orelse)) if fn is select:
                waiting += [(then, maker), (orelse, maker)]
            case Call(fn, (base, *_)) if fn in _SAME or is_inplace(fn):
                waiting.append((base, maker))
            case Call(fn, (Var(name) as base, Const(key))) if fn in _PARTS:
                parts = twins.sources(c, base)
                known = isinstance(key, int) and key < len(parts)
                waiting += [(parts[key], maker)] if known else []
                found |= set() if known else {hash((name, key))}
            case _:
                found |= set() if maker is None else {maker}
    return found


def duplicate(c: Standing, fn: object, value: Expr, copies: Copies | None = None, source: Expr | None = None) -> Expr:
    """What ``x.copy()`` gives, where that is all that is meant: elements of a structure may be one array twice."""
    found, copies = c.type_of(value), copies or Copies()
    if value is REFUSED:
        return value
    if fn is copy.copy and isinstance(value, Const) and isinstance(value.value, (Object, Choice)):
        return copied(c, value)  # type: ignore[arg-type]
    if fn is copy.deepcopy and isinstance(value, Const) and isinstance(value.value, Object) and not _is_list(value):
        made = copies.objects
        return copied(c, value, made, lambda part: duplicate(c, fn, part, copies))  # type: ignore[arg-type]
    if fn is copy.deepcopy and isinstance(value, Const) and _is_list(value):
        return _of_library(c, value)
    if fn is copy.deepcopy and isinstance(value, Const) and isinstance(value.value, _THEMSELVES):
        return value
    if isinstance(found, TupleType) and _is_object(found) and (fn is copy.deepcopy or _is_flat(found)):
        named = [*zip(found.form.keys, c.elements(value) or ())]
        return remade(c, found.form.cls, named, lambda part: (  # type: ignore[arg-type]
            duplicate(c, fn, part, copies) if fn is copy.deepcopy else part))
    if fn is copy.copy and isinstance(found, TupleType) and issubclass(found.form.cls, tuple):
        return value
    if isinstance(value, Const) and not is_data(value.value) or isinstance(found, TupleType) and _is_object(found):
        remedy = "its class called with the same attributes"
        return c.refuse(f"{_name(fn)} of an object is not supported", remedy, "copy")
    if fn is copy.deepcopy and isinstance(found, Static):
        return value
    if fn is copy.deepcopy and isinstance(found, TupleType):
        return _with_parts_of_its_own(c, value, found, copies)
    if fn is copy.deepcopy and (grown := c.grown(value)) is not None:
        return _each(c, value, grown.buffers)
    if fn is copy.deepcopy and c.is_inner_list(value):
        if c.is_nested(value):
            return _each(c, value, () if (outer := c.outer(value)) is None else (outer,))
        return c.of_inner(list, (value,), ()) or REFUSED
    if fn is copy.deepcopy:
        return copies.of_array(c, value, value if source is None else source)
    return c.invoke(Method("copy"), (value,), ())


def _is_object(found: TupleType) -> bool:
    """Whether a structure is an object of a class of the caller's."""
    return bool(found.form.named) and not issubclass(found.form.cls, tuple)


def _is_flat(found: TupleType) -> bool:
    return not any(isinstance(item, TupleType) for item in found.items)


def _is_list(value: Const) -> bool:
    """Whether an object is a list of the library's."""
    return getattr(value.value, "cls", None) in _LISTS


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


def _with_parts_of_its_own(c: Standing, value: Expr, found: TupleType, copies: Copies) -> Expr:
    """A structure of copies; where one list may stand in two places of it, its copy would, too."""
    place, parts = c.place_of(value), c.elements(value) or ()
    sources = twins.sources(c, value) or parts
    given = place is not None and place[0] in c.given_names
    within = None if place is None else c.sole.get(place[0])
    made = []
    for key, source, part in zip(found.form.keys or range(len(parts)), sources, parts):
        kind, twice = c.type_of(part), sources.count(source) > 1
        alone = given or isinstance(value, Tuple) or place and within is not None and (*place[1], key) in within
        if isinstance(kind, TupleType) and kind.form.cls in (list, dict) and (twice or not alone):
            reason = "copy.deepcopy of a structure whose parts something else holds, too, is not supported"
            remedy = "a copy of each part: [list(row) for row in rows], or x.copy() of an array"
            return c.refuse(reason, remedy, "copy")
        made.append(duplicate(c, copy.deepcopy, part, copies, source))
    if REFUSED in made:
        return REFUSED
    return Tuple(tuple(made), TupleType(tuple(map(c.type_of, made)), found.form))


def _name(fn: object) -> str:
    return "copy.copy" if fn is copy.copy else "copy.deepcopy"
