"""Attributes of objects outside, where the function that is read sets some."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from srcad.lang.forms import is_state
from srcad.lang.left import current
from srcad.lang.structure import is_plain

_MISSING = object()


def is_live(held: Any, attribute: str) -> bool:
    """Whether an attribute of something outside is no constant: another at each call, or during one."""
    return is_state(held, attribute) or may_be_set(held, attribute)


def may_be_set(held: Any, attribute: str) -> bool:
    """Whether an attribute of an object outside may be another than it is now: one of those that the function sets, one
    that the object does not have yet, or a property where some are set.
    """
    if not is_plain(type(held)):  # type: ignore[arg-type]
        return False
    if inspect.getattr_static(held, attribute, _MISSING) is _MISSING:  # a property is not to be computed for that
        return True
    member = inspect.getattr_static(type(held), attribute, None)
    is_property = isinstance(member, (property, functools.cached_property))
    return bool(names := current().set_outside) and (attribute in names or attribute == "__dict__" or is_property)


def holds_what_is_set(value: Any) -> bool:
    """Whether a constant has an object in it, where the function sets attributes of some: it may be another by then."""
    if not current().set_outside:
        return False
    if isinstance(value, (tuple, list)):
        return any(map(holds_what_is_set, value))
    return is_plain(type(value))  # type: ignore[arg-type]
