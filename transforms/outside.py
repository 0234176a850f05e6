"""Attributes of objects of the surroundings that a function sets, ``self.calls += 1`` in a method of an object outside;
part of `inline`.

What an attribute of such an object holds is a constant, until one is set: the function is compiled again then, with a
parameter that stands for the object, and has these attributes alone. From there on it is an object of the caller's like
any other that is changed.
"""

from __future__ import annotations

import functools
import inspect
import re
import types
from typing import TYPE_CHECKING, Any

from srcad.lang.changing import reads
from srcad.lang.errors import AttributeNeeded, Problem
from srcad.lang.forms import is_python
from srcad.lang.ir import Const, Expr, Var
from srcad.lang.locate import unwrap
from srcad.lang.outside import may_be_set
from srcad.lang.refusals import missing_attribute
from srcad.lang.structure import form_of_class, is_plain
from srcad.runtime.outside import Outside, all_names_of, owner_of
from srcad.runtime.variable import Variable
from srcad.transforms import objects

_AS_WHOLES = frozenset(("__bool__", "__len__", "__iter__"))  # what constants are asked for, without a call
# An object that is called counts as a function: of its methods for operators, nobody asks.
_OF_FUNCTIONS = frozenset(("__init__", "__call__", "__repr__", "__str__"))
_SPECIAL = re.compile("__.*__").fullmatch

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


def attribute(c: Callees, base: Const, name: str) -> Expr | None:
    """What an attribute is of an object outside, where some are set; None: the constant that it holds."""
    if not c.surroundings:
        return None
    if (whole := stand_in(c, base.value, name)) is not None:
        made = whole.value.fields if isinstance(whole, Const) else ()
        missing = name not in made and not hasattr(base.value, name)
        return c.refuse(*missing_attribute(base.value, name)) if missing else c.attribute(whole, name)
    if not may_be_set(base.value, name):
        return None
    if name == "__dict__":
        return c.refuse("the __dict__ of an object of which attributes are set is not supported",
                        "the attribute by its name", name)
    member = inspect.getattr_static(type(base.value), name, None)
    if isinstance(member, functools.cached_property):
        return c.refuse(f"the cached property {name!r} of an object of which attributes are set is not supported",
                        "a property", name)  # fmt: skip
    return c.invoke(member.fget, (base,), ()) if isinstance(member, property) else None


def stand_in(c: Callees, held: Any, name: str) -> Expr | None:
    """What stands for an object outside where this attribute of it is meant; None: the object itself."""
    for parameter, seen in c.surroundings.items():
        if owner_of(seen) is held and name in all_names_of(seen):
            return c.callers.wholes.get(parameter, Var(parameter))  # type: ignore[attr-defined]
    return None


def remembering(c: Callees, fn: Any) -> Expr | None:
    """Refuse a function that keeps what it computed before from attributes that are set; None: another one."""
    names = frozenset(name for seen in c.surroundings.values() for name in all_names_of(seen))
    if not names or not hasattr(fn, "cache_info") or not reads(unwrap(fn), names):
        return None
    what = f"a function that keeps its results and reads {' and '.join(sorted(names))}, which is set here,"
    return c.refuse(f"{what} is not supported", "the function without a cache", fn.__name__)


def assigned(c: Callees, base: Const, name: str, value: Expr) -> bool:
    """Set an attribute of an object outside that has a place by now, or is a property; whether it is one of these."""
    if (whole := stand_in(c, base.value, name)) is not None:
        objects.assign(c, whole, name, value)
        return True
    member = inspect.getattr_static(type(base.value), name, None)
    if not isinstance(member, property) or not is_python(member.fset) or not is_plain(type(base.value)):  # type: ignore
        return False
    c.invoke(member.fset, (base, value), ())
    return True


def needed(held: Any, name: str, problem: Problem) -> None:
    """Compile once more, with the attribute as an argument, if it is one of an object that takes any value for it."""
    cls: Any = type(held)
    if isinstance(held, (type, types.ModuleType, Variable, Outside)) or not is_plain(cls) or form_of_class(cls):
        return
    own = {special for base in cls.__mro__[:-1] for special in vars(base) if is_python(vars(base)[special])}
    if own & _AS_WHOLES or callable(held) and any(map(_SPECIAL, own - _OF_FUNCTIONS)):
        return
    member = inspect.getattr_static(cls, name, None)
    if hasattr(held, "__dict__") and not hasattr(type(member), "__set__"):
        raise AttributeNeeded([problem], held, name)
