"""Comparisons that `dataclass` has written for a class: of the fields; part of `inline`."""

from __future__ import annotations

import dataclasses
import functools
import operator
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Call, Const, Expr, Tuple, and_
from srcad.transforms.calls import folded
from srcad.transforms.special_methods import class_of
from srcad.transforms.values import Choice, Object

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


def by_fields(c: Callees, fn: Any, args: tuple[Expr, ...]) -> Expr:
    """A comparison of what both have in their fields, if both are of one class."""
    for place, arg in enumerate(args):
        if isinstance(arg, Const) and isinstance(arg.value, Choice):
            return c.either(arg.value, functools.partial(_with, c, fn, args, place))
    one, other = args
    cls = _class_of(c, one)
    if cls is None or cls is not _class_of(c, other):
        return Const(fn is operator.ne)
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    if fn not in (operator.eq, operator.ne):
        return c.invoke(fn, tuple(Tuple(tuple(c.attribute(arg, name) for name in names)) for arg in args), ())
    tests = (c.invoke(operator.eq, (c.attribute(one, name), c.attribute(other, name)), ()) for name in names)
    everything: Expr = Const(True)
    same = functools.reduce(lambda a, b: folded(Call(and_, (a, b))), tests, everything)
    return same if fn is operator.eq else folded(Call(operator.not_, (same,)))


def _with(c: Callees, fn: Any, args: tuple[Expr, ...], place: int, each: Expr) -> Expr:
    """The comparison with one of the objects that may stand at a place."""
    return c.invoke(fn, (*args[:place], each, *args[place + 1 :]), ())


def _class_of(c: Callees, value: Expr) -> Any:
    """The class of an object that the function has made, or of a structure: of an argument, or from outside."""
    made = value.value if isinstance(value, Const) else None
    return made.cls if isinstance(made, Object) else class_of(c, value)  # type: ignore[arg-type]
