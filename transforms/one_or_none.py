"""Values that may be None: what they are made of, names that loops carry, and elements of structures; part of `inline`.

`maybe` says what stands for them while calls are inlined, a `Choice`. A number or None is none when a loop carries its
name: the name is given both, each on its path, and gets a flag when types are inferred, see `unsure`.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Call, Const, Expr, If, Let, Stmt, Tuple, Var, hint
from srcad.lang.left import current
from srcad.lang.types import Static, TupleType, Type
from srcad.transforms.calls import presence
from srcad.transforms.lengths import Grown
from srcad.transforms.values import NONE, Choice, Object, is_static

if TYPE_CHECKING:
    from srcad.transforms.maybe import Maybe

Outline = Any
"""What a value is made of: a class with the outlines of its fields, a form with those of its elements, or itself."""
LEAF = object()


def outline(c: Maybe, value: Expr) -> Outline:
    """What a value is made of; a number or an array is a leaf."""
    if isinstance(value, Const) and isinstance(value.value, Choice):
        inside = presence(value)[1]
        return LEAF if inside is None else outline(c, inside.value.then if inside == value else inside)  # type: ignore
    if isinstance(value, Const) and isinstance(made := value.value, Object):
        return made.cls, {name: outline(c, c.holding(var)) for name, var in made.fields.items()}
    found = c.type_of(value)
    if isinstance(found, TupleType) and not isinstance(found, Grown):
        return found.form, {k: outline(c, part) for k, part in enumerate(c.elements(value) or ())}
    return value if is_static(value) else LEAF


def is_carried(c: Maybe, target: str, value: Expr) -> bool:
    """Whether a value is a number or an array on one path and None on another, for a name that a loop carries."""
    if target in c.slots or not isinstance(value, Const) or not isinstance(value.value, Choice):
        return False
    if target not in c.early.union(c.nones, *(before for _, _, before in c.begun.values())):
        return False
    given, inside = presence(value)
    return inside is not None and not isinstance(given, Const) and outline(c, value) is LEAF


def let(c: Maybe, target: str, value: Expr) -> None:
    """Give a name a number on one path and None on another."""
    given, inside = presence(value)
    given = c.kept(given)
    (then, _), (orelse, _) = (c.collect(lambda: c.let(target, each)) for each in (inside, NONE))  # noqa: B023
    c.emit(If(given, tuple(then), tuple(orelse), c.origin))
    c.static.pop(target, None)
    c.plain.discard(target)


def as_element(c: Maybe, value: Expr) -> Expr:
    """An element of a structure: a name that is known to have a flag as what it is, a number or None."""
    if not isinstance(value, Var) or hint(value.name) not in current().unsure or c.is_plain(value):
        return value
    return Const(Choice(c.kept(Call(operator.is_not, (value, NONE))), c.kept(value), NONE))


def parts_of(c: Maybe, name: str, found: Type, end: list[Stmt]) -> Expr:
    """A value, or the elements of a structure, under names of their own."""
    def part(expr: Expr, type: Type, name: str) -> Expr:
        if isinstance(type, TupleType):
            elements = [(c.element(expr, type, k), each) for k, each in enumerate(type.items)]
            return Tuple(tuple(part(*each, f"{name}_{k}") for k, each in enumerate(elements)), type)
        if isinstance(expr, Const):
            return expr
        if isinstance(type, Static) and isinstance(type.value, str):
            return Const(type.value)
        target = c.fresh(name)
        end.append(Let(target, expr, c.origin))
        return Var(target)

    return part(Var(name), found, hint(name))
