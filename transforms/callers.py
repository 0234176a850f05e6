"""Structures of the caller's that a function changes, ``body.vel += a * dt`` or ``p["w"] = w``; part of `inline`.

A dataclass or dict that is an argument is a value, as long as nothing changes it. Once something does, everything is
inlined once more with objects in its place, as if the function had made them. What their attributes hold in the end is
returned beside the result, and put where it belongs when the call is done: the caller sees what the function alone
would have done, once. A list of numbers, or of such lists, is one of the function's own from the start, and the
caller's gets its elements in the end.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from srcad.lang import walk
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Tuple, Var, hint
from srcad.lang.structure import LIST, Part, is_plain
from srcad.runtime.outside import Outside
from srcad.lang.types import TUPLE, UNKNOWN, Array, Form, Scalar, Static, TupleType, Type
from srcad.transforms import class_values, identities, objects
from srcad.transforms.learnt import Learnt, OnceMore, class_of_keys
from srcad.transforms.order import is_inplace
from srcad.transforms.outlines import outlined
from srcad.transforms.values import Object, is_static

if TYPE_CHECKING:
    from srcad.transforms.records import Records


class OfCaller(OnceMore):
    """Met while inlining: a dict or dataclass of the caller's is changed."""

    def __init__(self, form: Form):
        self.form = form

    def teach(self, learnt: Learnt) -> None:
        learnt.callers.add(self.form)


class ListOfCaller(OnceMore):
    """Met while inlining: a list of the caller's is changed."""

    def __init__(self, name: str):
        self.name = name

    def teach(self, learnt: Learnt) -> None:
        learnt.callers_lists.add(self.name)


@dataclass
class Callers:
    """The structures of the caller's: which are objects, and what they were made with."""

    types: dict[str, TupleType] = field(default_factory=dict)  # of the parameters that are structures
    forms: frozenset[Form] = frozenset()  # those that are changed
    lists: frozenset[str] = frozenset()  # the parameters that are lists and are changed
    wholes: dict[str, Expr] = field(default_factory=dict)  # for parameters: what stands for them at first
    parts: dict[tuple[int, Any], tuple[Expr, Type]] = field(default_factory=dict)  # for objects and keys: at first
    elements: dict[str, Type] = field(default_factory=dict)  # for names: of which kind the element is that they hold
    untyped: bool = False  # whether arguments may be of any type
    opened: int = 0  # how many statements open them
    placed: set[int] = field(default_factory=set)  # the objects that are put into them
    gone: set[tuple[int, Any]] = field(default_factory=set)  # for objects: the keys that are deleted
    left: tuple[Part, ...] = ()  # the places that get values


def may_change(c: Records, found: Type | None) -> None:
    """Once more, if what is to be changed may be of the caller's, and is not known to be an object yet."""
    form = found.form if isinstance(found, TupleType) else None
    if form is not None and is_unchanged(c, form):
        raise OfCaller(form)


def is_unchanged(c: Records, form: Form) -> bool:
    """Whether structures may be of the caller's, and nothing has been found that changes them."""
    ours = is_changeable(form) and form not in c.callers.forms
    return ours and any(form in _forms(each) for each in c.callers.types.values())


def as_objects(c: Records, values: Iterable[Expr]) -> None:
    """Once more, if values of which a test or an index tells one are objects of the caller's that differ in their kind:
    objects that the function makes may."""
    kinds = {UNKNOWN if is_static(value) else c.type_of(value) for value in values}
    if len(kinds) > 1:
        for kind in kinds:
            may_change(c, kind if getattr(kind, "form", TUPLE).named else None)


def may_be_list(c: Records, name: str) -> None:
    """Once more, if what is to be changed is a list of numbers of the caller's, and is not known to be changed yet."""
    kind = c.callers.types.get(name)
    if kind is not None and name in c.callers_own and name not in c.callers.lists and _is_of_numbers(kind):
        raise ListOfCaller(name)


def _is_of_numbers(kind: Type) -> bool:
    """Whether something is a list of numbers, or of such lists."""
    is_list = isinstance(kind, TupleType) and kind.form == LIST
    return is_list and all(isinstance(item, Scalar) or _is_of_numbers(item) for item in kind.items)  # type: ignore


def may_be_of(c: Records, cls: type) -> None:
    """Once more, if objects of a class are changed, of which arguments are, and are not known to be objects yet."""
    for form in (form for kind in c.callers.types.values() for form in _forms(kind)):
        if form.cls is cls and is_changeable(form) and form not in c.callers.forms:
            raise OfCaller(form)


def kind_of(c: Records, owner: Expr) -> Type:
    """What is to be changed: the value under a name, or an element of a list of which all are alike."""
    found = c.type_of(owner)
    return c.callers.elements.get(owner.name, found) if isinstance(owner, Var) and found == UNKNOWN else found


def note_element(c: Records, target: str, value: Expr | None) -> None:
    """Know what a name holds that is given the element of a list at an index that is not known."""
    match value:
        case Call(operator.getitem, (whole, _)) if c.callers.types:
            found = c.type_of(whole)
            kinds = set(found.items) if isinstance(found, TupleType) else ()
            if len(kinds) == 1:
                (c.callers.elements[target],) = kinds


def may_be_any(c: Records, owner: Expr) -> bool:
    """Whether nothing is known of what is to be changed, as no types of arguments are given."""
    return c.callers.untyped and isinstance(owner, Var) and c.type_of(owner) == UNKNOWN


def remedy(c: Records) -> str:
    """What to write for a change of an attribute that is refused."""
    listed = any(kind.form.cls is list and any(map(is_changeable, _forms(kind))) for kind in c.callers.types.values())
    return "a loop over the objects: for b in bodies" if listed else "a local variable, returned at the end"


def is_changeable(form: Form) -> bool:
    """Whether the compiler can have an object in the place of such a structure."""
    if form.cls is dict:
        return all(isinstance(key, (str, int)) for key in form.keys)
    if form.cls is Outside or is_plain(form.cls):
        return True
    return dataclasses.is_dataclass(form.cls) and not objects.hooks_of(form.cls)


def _forms(type: Type) -> Iterator[Form]:
    if isinstance(type, TupleType):
        yield type.form
        for item in type.items:
            yield from _forms(item)


def open_arguments(c: Records, fn: Function, signature: tuple[Type, ...] | None) -> None:
    """Put objects in the place of the arguments that are changed."""
    c.callers.untyped = signature is None
    for param, kind in zip(fn.params, signature or ()):
        if isinstance(kind, TupleType):
            c.callers.types[param.name] = kind
        if param.name in c.callers.lists:
            own = Var(c.fresh(param.name))
            c.frame.table[param.name] = c.callers.wholes[param.name] = own
            c.let(own.name, _copied(Var(param.name), kind))
        elif not c.callers.forms.isdisjoint(_forms(kind)):
            c.callers.wholes[param.name] = whole = _opened(c, Var(param.name), kind, param.name)
            c.types.pop(param.name)
            c.valued.discard(param.name)
            c.let(param.name, whole)
    c.callers.opened = len(c.out)


def _copied(given: Expr, kind: Type) -> Expr:
    """A list of the elements of another one, and so with its lists."""
    if not isinstance(kind, TupleType):
        return given
    parts = tuple(_copied(Call(operator.getitem, (given, Const(k))), item) for k, item in enumerate(kind.items))
    return Tuple(parts, outlined(kind))


def _opened(c: Records, given: Expr, kind: Type, name: str) -> Expr:
    """What stands for a part of an argument: an object, if it may be changed."""
    if isinstance(kind, Static):
        return Const(kind.value)
    if not isinstance(kind, TupleType) or not any(map(is_changeable, _forms(kind))):
        return given
    keys = kind.form.keys or range(len(kind.items))
    parts = [_opened(c, c.attribute(given, key) if kind.form.named else Call(operator.getitem, (given, Const(key))),
                     item, f"{name}.{key}") for key, item in zip(keys, kind.items)]  # fmt: skip
    if kind.form.cls in (list, tuple) or not is_changeable(kind.form):
        return Tuple(tuple(parts), kind)
    made = Object(class_of_keys(kind.form.keys) if kind.form.cls is dict else kind.form.cls)
    c.housed.born[id(made)] = made, c.out
    c.housed.places[id(made)] = origin = dataclasses.replace(c.origin, text=name)
    for key, part, item in zip(keys, parts, kind.items):
        objects.set_field(c, made, key, part)
        c.callers.parts[id(made), key] = part, item
    class_values.begin(c, made)
    for key, lists in c.later.get(origin, {}).items():
        c.begin_without(made, key, lists)
    identities.born(c, made)
    return Const(made)


# ---------------------------------------------------------------- what is left in them


def with_left(c: Records, fn: Function, result: Expr) -> Expr:
    """A result, beside it what is in the end in the places in arguments that are changed."""
    code = tuple(c.out[c.callers.opened :])
    found = [each for position, param in enumerate(fn.params) if param.name in c.callers.wholes
             for each in _left(c, c.callers.wholes[param.name], (position,), code)]  # fmt: skip
    c.callers.left = tuple(part for part, _ in found)
    return Tuple((result, Tuple(tuple(value for _, value in found)))) if found else result


def _left(c: Records, whole: Expr, place: Part, code: Block) -> Iterator[tuple[Part, Expr]]:
    if isinstance(whole, Tuple):
        for position, item in enumerate(whole.items):
            yield from _left(c, item, (*place, position), code)
    elif isinstance(whole, Var):
        yield (*place, None), _elements(c, whole)
    made = whole.value if isinstance(whole, Const) else None
    if not isinstance(made, Object):
        return
    for key in (key for owner, key in c.callers.parts if owner == id(made) and (owner, key) in c.callers.gone):
        yield (*place, (key,)), Const(False)
    for key, var in made.fields.items():
        before, kind = c.callers.parts.get((id(made), key), (None, None))
        now = c.holding(var)
        if before is not None and is_static(before) and now == before:
            yield from _left(c, before, (*place, key), code)
        elif before is None or now != Var(var.name) or _rebound(code, var.name, kind):
            yield (*place, key), _shown(c, made, key, now)


def _elements(c: Records, whole: Var) -> Expr:
    """What a list of the caller's is filled with."""
    found = c.shown(c.opened(c.holding(whole)))
    if is_static(found) and found is not REFUSED:
        return c.refuse("lists of the caller's that get other lengths, or stand in two places, are not supported",
                        f"a copy: {hint(whole.name)} = [list(row) for row in {hint(whole.name)}]", hint(whole.name))
    return found


def _rebound(code: Block, name: str, kind: Type | None) -> bool:
    """Whether an attribute is given another value; an array that is changed in place stays where it is."""
    for stmt in walk.statements(code):
        match stmt:
            case Let(target, Call(op, (Var(old), _))) if target == name == old and is_inplace(op):
                if not isinstance(kind, Array):
                    return True
            case _ if name in walk.targets(stmt) and not isinstance(kind, Array) or _binds(stmt, name):
                return True
    return False


def _binds(stmt: Any, name: str) -> bool:
    return any(target == name for target, _ in walk.bindings(stmt))


def _shown(c: Records, made: Object, key: str, now: Expr) -> Expr:
    """What is put into the caller's structure."""
    if (id(made), key) in c.flags:
        return c.refuse(f"the key {key!r} that a dict of the caller's gets on some paths only is not supported",
                        f"d[{key!r}] = ... on each path", key)  # fmt: skip
    value = c.shown(c.opened(now))
    held = now.value if isinstance(now, Const) else None
    twice = isinstance(held, Object) and (id(held) in c.callers.placed or _is_part(c, held))
    if twice or is_static(value) and value is not REFUSED:
        what = "an object that has another place, too" if twice else "a function or object"
        return c.refuse(f"{what}, put into {key!r} of an argument, is not supported", "a copy, or its numbers", key)
    c.callers.placed.add(id(held))
    return value


def _is_part(c: Records, made: Object) -> bool:
    return any(id(made) == owner for owner, _ in c.callers.parts)
