"""Members of enumerations, ``class Kind(enum.Enum)``, which are constants; part of `inline`."""

from __future__ import annotations

import enum
import operator
from typing import TYPE_CHECKING, Any

from srcad.lang.forms import constant, is_data
from srcad.lang.ir import Const, Expr, Tuple
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, UNKNOWN, TupleType

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


def is_member(expr: Expr) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, enum.Enum)


def operation(c: Callees, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """What an operator or a builtin gives for members, or for an enumeration; None where it is neither's."""
    held = [arg.value for arg in args if isinstance(arg, Const)]
    if len(held) < len(args) or not args:
        return None
    whole, symbol = isinstance(held[0], enum.EnumMeta), getattr(fn, "__module__", "") == "_operator"
    if whole and fn in (list, tuple):
        return Tuple(tuple(map(Const, held[0])), TupleType((UNKNOWN,) * len(held[0]), LIST if fn is list else TUPLE))
    members = any(map(is_member, args)) and all(is_member(arg) or is_data(arg.value) for arg in args)  # type: ignore
    if not (members and symbol or whole and (fn is len or fn is operator.getitem)):
        return None
    try:
        return constant(fn(*held), "c")
    except (TypeError, LookupError) as error:
        return c.refuse(f"{type(error).__name__} here, {error},", "a member of the enumeration")
