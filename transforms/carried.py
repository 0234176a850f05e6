"""Objects that loops carry: the variables of one stand for those of the next; part of `inline`."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, If, Tuple, Var, While, select
from srcad.lang.types import UNKNOWN, Static, TupleType, Type
from srcad.library.arrays import Arrays, Elements
from srcad.library.row_store import Store
from srcad.library.rows import Rows
from srcad.transforms import identities, one_object
from srcad.transforms.values import Choice, Object, Partial, chosen, is_static, with_items

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


def carry(c: Callees, body: Block) -> Callable[[], None]:
    """Before a loop: an object whose name the body gives to another one lies in variables that the loop carries.

    What is to be done behind the loop comes back.
    """
    carried, made, origin = set(), [], c.origin  # type: ignore[var-annotated]
    for name in c.changed_in(body) if c.static else ():
        held = c.static.get(name)
        if held is not None and name in c.slots:  # a loop around has variables for it already
            made += [(each, each) for each in one_object.objects_in(c, held)]
        elif held is not None and _can_be_carried(c, held):
            c.static[name] = slot(c, held, made)
            carried.add(name)
    c.slots |= carried
    identities.carried(c, made, origin)
    begun = dict(c.known)

    def leave() -> None:
        identities.turned(c, [slot for slot, _ in made], origin, begun)
        c.slots.difference_update(carried)

    return leave


def may_be_objects(signature: tuple[Type, ...]) -> bool:
    """Whether an argument can be taken for an object or a list of objects, see `as_objects`."""
    return any(_is_object(type) or _has_objects(type) for type in signature)


def as_objects(c: Callees, fn: Function, signature: tuple[Type, ...], lists: bool = False) -> None:
    """Take arguments that are dataclasses, or lists of them, for objects that the function makes of their fields.

    So a path or an iteration may give their names to objects that it makes. Nothing changes them: the caller would not
    see it. `lists`: only lists to whose names a loop or a branch gives others.
    """
    rebound = walk.assigned(tuple(s for s in fn.body if isinstance(s, (For, If, While)))) if lists else set()
    for param, type in zip(fn.params, signature):
        meant = _has_objects(type) and param.name in rebound if lists else _is_object(type) or _has_objects(type)
        if meant and param.name not in c.static:
            c.static[param.name] = _of_fields(c, Var(param.name), type)  # type: ignore[arg-type]
            c.valued.discard(param.name)
            c.types.pop(param.name)  # type: ignore[attr-defined]


def _is_object(type: Type) -> bool:
    """Whether a structure is a dataclass of numbers, arrays, constants and others of its kind."""
    if not isinstance(type, TupleType) or not dataclasses.is_dataclass(type.form.cls):
        return False
    return all(not isinstance(item, TupleType) or _is_object(item) for item in type.items)


def _has_objects(type: Type) -> bool:
    """Whether a structure is a list or tuple of dataclasses."""
    if not isinstance(type, TupleType) or type.form.cls not in (list, tuple) or not type.items:
        return False
    return all(map(_is_object, type.items))


def _of_fields(c: Callees, given: Expr, type: TupleType) -> Expr:
    if _has_objects(type):
        items = (_of_fields(c, Call(operator.getitem, (given, Const(k))), item)  # type: ignore[arg-type]
                 for k, item in enumerate(type.items))  # fmt: skip
        return Tuple(tuple(items), TupleType((UNKNOWN,) * len(type.items), type.form))
    made = Object(type.form.cls)
    c.copied.add(made.cls)
    for name, item in zip(type.form.keys, type.items):
        made.fields[name] = Var(c.fresh(name))
        held: Expr = Const(item.value) if isinstance(item, Static) else c.attribute(given, name)
        c.let(made.fields[name].name, _of_fields(c, held, item) if isinstance(item, TupleType) else held)
    return Const(made)


def _can_be_carried(c: Callees, value: Expr) -> bool:
    """Whether a value is an object that has not been changed, or a structure of such."""
    match value:
        case Tuple(items):
            return all(not is_static(item) or _can_be_carried(c, item) for item in items)
        case Const(value=Object(cls)) if cls in (Rows, Store, Arrays, Elements):
            return False
        case Const(value=Object(cls, fields) as made):
            if identities.is_told(c, made):
                return one_object.is_simple(c, (made,))
            if cls in c.altered:
                identities.tell(c, (made,))
            return cls not in c.altered and all(_store_of(held) is not None or
                _can_be_carried(c, held) for held in map(c.holding, fields.values()) if _is_made(held))
        case Const(value=Choice()):
            found = chosen(value) or ()
            identities.tell(c, found)
            return bool(found) and one_object.is_simple(c, found)
    return False


def _is_made(value: Expr) -> bool:
    """Whether a value is an object, or a structure in which there is one."""
    match value:
        case Tuple(items):
            return any(map(_is_made, items))
        case Const(value=held):
            return isinstance(held, Object)
    return False


def slot(c: Callees, value: Expr, slots: list[tuple[Object, Object]]) -> Expr:
    """An object, or a structure of them, whose variables a loop carries."""
    match value:
        case Tuple(items):
            return dataclasses.replace(value, items=tuple(slot(c, item, slots) for item in items))
        case Const(value=Choice()):
            return slot(c, one_object.one_of(c, value), slots)
        case Const(value=Object(cls, fields) as held_before):
            made = Object(cls, carried=True)
            slots.append((made, held_before))
            if not identities.is_told(c, held_before):
                c.copied.add(cls)
            for field, var in fields.items():
                made.fields[field] = Var(c.fresh(field))
                held = c.holding(var)
                if held == _store_of(held):
                    c.static[made.fields[field].name] = held
                elif _is_made(held):
                    c.static[made.fields[field].name] = slot(c, held, slots)
                else:
                    c.let(made.fields[field].name, held)
            identities.copied(c, made, held_before)
            return Const(made)
    return value if is_static(value) else c.kept(value)


def _store_of(value: Expr) -> Expr | None:
    """The store of rows, if a value is one: rows that a loop carries are all in one store."""
    made = value.value if isinstance(value, Const) else None
    return value if isinstance(made, Object) and made.cls is Store else None


def unshared(c: Callees, value: Expr) -> Expr:
    """A value with copies of the objects in it whose variables a loop may change."""
    match value:
        case Const(value=Object(cls, fields, True) as slot):
            copied = Object(cls, copied=True)
            for field, var in fields.items():
                copied.fields[field] = Var(c.fresh(field))
                c.let(copied.fields[field].name, c.holding(var))
            identities.copied(c, copied, slot)
            return Const(copied)
        case Const(value=Partial(fn, args, kwargs)):
            return Const(Partial(fn, tuple(unshared(c, arg) for arg in args),
                                 tuple((name, unshared(c, arg)) for name, arg in kwargs)))  # fmt: skip
        case Const(value=Choice(test, then, orelse)):
            return Const(Choice(test, unshared(c, then), unshared(c, orelse)))
        case Tuple(items):
            return with_items(value, tuple(unshared(c, item) for item in items))
    return value


def moved(c: Callees, target: str, slot: Expr, value: Expr) -> bool:
    """Put an object into the variables of the one that a loop carries; whether it is of the same kind."""
    found = pairs(c, slot, value)
    if found is None:
        return False
    values = [(place, c.kept(held)) for place, held in found if place != held]
    for place, held in values:
        c.let(place.name, held)
    identities.moved(c, slot, value)
    c.static[target] = slot
    return True


def pairs(c: Callees, slot: Expr, value: Expr) -> list[tuple[Var, Expr]] | None:
    """The variables of what a loop carries, and what they become; None where it is of another kind."""
    match slot, value:
        case Tuple(ours, TupleType(form=form)), Tuple(theirs, TupleType(form=same)) if len(ours) == len(theirs):
            if form != same:
                return None
            found = [pairs(c, each, other) for each, other in zip(ours, theirs)]
        case _, Const(value=Choice(test, then, orelse)):
            one, another = pairs(c, slot, then), pairs(c, slot, orelse)
            if one is None or another is None:
                return None
            first, second = dict(one), dict(another)
            return [(place, Call(select, (test, first.get(place, place), second.get(place, place))))
                    for place in {**first, **second}]  # fmt: skip
        case Const(value=Object() as ours), Const(value=Object() as theirs):
            if ours is theirs:
                return []
            if ours.cls is not theirs.cls or ours.fields.keys() != theirs.fields.keys():
                return None
            found = [identities.numbers(c, ours, theirs)]
            for field, var in ours.fields.items():
                mine, other = c.holding(var), c.holding(theirs.fields[field])
                found.append(pairs(c, mine if is_static(mine) else var, other))
        case Var(), _ if not is_static(value):
            return [(slot, value)]
        case _:
            return [] if slot == value else None
    return None if None in found else [pair for each in found if each for pair in each]
