"""The numbers and arrays of a structure, and the structure with others in their place, while calls are inlined; part
of `inline`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Const, Expr, Tuple
from srcad.lang.structure import filled, in_order, is_static, is_structure, leaves
from srcad.lang.types import UNKNOWN, Form, TupleType

if TYPE_CHECKING:
    from srcad.transforms.known import Known

ASKED = (filled, is_structure, leaves)


def answered(c: Known, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """What one of the functions `ASKED` gives; None where it is not known yet."""
    whole = c.opened(args[0])
    if fn is is_structure:
        return Const(isinstance(c.type_of(whole), TupleType))
    if fn is leaves:
        return Tuple(tuple(_leaves(c, whole)))
    values = c.elements(args[1])
    return None if values is None else _filled(c, whole, iter(values))


def _leaves(c: Known, expr: Expr) -> Iterator[Expr]:
    if (parts := c.elements(expr)) is not None:
        for place in in_order(_form(c, expr), len(parts)):
            yield from _leaves(c, parts[place])
    elif not _is_fixed(expr):
        yield expr


def _filled(c: Known, expr: Expr, values: Iterator[Expr]) -> Expr:
    if (parts := c.elements(expr)) is None:
        return expr if _is_fixed(expr) else next(values)
    made, form = list(parts), _form(c, expr)
    for place in in_order(form, len(parts)):
        made[place] = _filled(c, parts[place], values)
    return Tuple(tuple(made), TupleType((UNKNOWN,) * len(made), form))


def _form(c: Known, expr: Expr) -> Form:
    found = c.type_of(expr)
    assert isinstance(found, TupleType)
    return found.form


def _is_fixed(expr: Expr) -> bool:
    return isinstance(expr, Const) and (expr.value is None or is_static(expr.value))
