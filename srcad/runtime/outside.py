"""Objects outside of a function, of which it sets attributes: they are passed to its derivative like arguments."""

from __future__ import annotations

import copy
import types
from typing import Any

_OWNER, _NAMES = "_srcad_owner", "_srcad_names"


class Outside:
    """Some attributes of an object outside, and no more of it; what sets one of them sets that of the object.

    >>> import types
    >>> counter = types.SimpleNamespace(calls=2, name="f")
    >>> seen = Outside(counter, ("calls",))
    >>> seen.calls += 1
    >>> counter.calls, seen
    (3, Outside(calls=3))
    """

    __slots__ = (_OWNER, _NAMES)

    def __init__(self, owner: Any, names: tuple[str, ...]):
        object.__setattr__(self, _OWNER, owner)
        object.__setattr__(self, _NAMES, names)

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, _OWNER), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(object.__getattribute__(self, _OWNER), name, value)

    def __deepcopy__(self, memo: dict) -> Outside:
        """A copy that has an object of its own."""
        own = {name: copy.deepcopy(getattr(self, name), memo) for name in names_of(self)}
        return Outside(types.SimpleNamespace(**own), all_names_of(self))

    def __repr__(self) -> str:
        return f"Outside({', '.join(f'{name}={getattr(self, name)!r}' for name in names_of(self))})"


def owner_of(seen: Outside) -> Any:
    """The object outside."""
    return object.__getattribute__(seen, _OWNER)


def all_names_of(seen: Outside) -> tuple[str, ...]:
    """The names of the attributes, also of those that the object does not have yet."""
    names: tuple[str, ...] = object.__getattribute__(seen, _NAMES)
    return names


def names_of(seen: Outside) -> tuple[str, ...]:
    """The names of those attributes that the object has: some it may get in the call."""
    owner = owner_of(seen)
    return tuple(name for name in all_names_of(seen) if hasattr(owner, name))
