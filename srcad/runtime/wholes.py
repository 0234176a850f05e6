"""Objects, dicts, lists and tuples that are made of numbers and arrays once more, for the body of a ``try``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np


@dataclass(frozen=True, eq=False)
class Known:
    """A value that was known when the derivative was made."""

    value: Any


@dataclass(frozen=True, eq=False)
class Whole:
    """An object of a class, with names for its parts; a list of any length, `parts` None, is made of an array."""

    cls: type
    keys: tuple[Any, ...] = ()
    parts: Union[tuple[Part, ...], None] = None


Part = Union[Known, Whole, None]
"""What an argument is made of; None for a number or an array."""


def has_list(part: Part) -> bool:
    """Whether there is a list of any length in it, whose numbers may be Python's or NumPy's."""
    return isinstance(part, Whole) and (part.parts is None or any(map(has_list, part.parts)))


def made(wholes: Sequence[Part], leaves: Sequence[Any], pythons: bool = False) -> list[Any]:
    """The arguments; an object in several places is one. Numbers in lists of any length are Python's, or NumPy's.

    >>> pair = Whole(tuple, (), (None, Whole(dict, ("k",), (None,))))
    >>> made((pair, Known("text"), None), (1.0, 2.0, 3.0))
    [(1.0, {'k': 2.0}), 'text', 3.0]
    """
    once = _Once(iter(leaves), pythons)
    return [once.made(whole) for whole in wholes] if wholes else [*leaves]


@dataclass
class _Once:
    """What has been made."""

    leaves: Iterator[Any]
    pythons: bool
    found: dict[Whole, Any] = field(default_factory=dict)

    def made(self, part: Part) -> Any:
        if part is None:
            return next(self.leaves)
        if isinstance(part, Known):
            return part.value
        if part not in self.found:
            self.found[part] = self.new(part)
        return self.found[part]

    def new(self, whole: Whole) -> Any:
        if whole.parts is None:
            array = next(self.leaves)
            return array.tolist() if self.pythons else list(array)
        parts = [*map(self.made, whole.parts)]
        if whole.cls is dict:
            return dict(zip(whole.keys, parts))
        if issubclass(whole.cls, (list, tuple)):
            return whole.cls(*parts) if hasattr(whole.cls, "_fields") else whole.cls(parts)
        result = object.__new__(whole.cls)
        for key, part in zip(whole.keys, parts):
            object.__setattr__(result, key, part)
        return result


def unchanged(wholes: Sequence[Part], values: Sequence[Any], leaves: Sequence[Any]) -> bool:
    """Whether arguments still have the parts that they were made of."""
    rest, seen = iter(leaves), set[Whole]()
    return all(_is_unchanged(whole, value, rest, seen) for whole, value in zip(wholes, values))


def _is_unchanged(part: Part, value: Any, leaves: Iterator[Any], seen: set[Whole]) -> bool:
    if part is None:
        return _is_same(next(leaves), value)
    if isinstance(part, Known) or part in seen:
        return True
    seen.add(part)
    if part.parts is None:
        array = next(leaves)
        same = (was == now or was != was and now != now for was, now in zip(array, value))
        return len(value) == len(array) and all(same)
    if isinstance(value, (list, tuple)):
        held: Any = dict(enumerate(value))
        keys: Any = range(len(part.parts))
    else:
        held, keys = value if isinstance(value, dict) else vars(value), part.keys
    return [*held] == [*keys] and all(_is_unchanged(p, held[k], leaves, seen) for k, p in zip(keys, part.parts))


def _is_same(was: Any, now: Any) -> bool:
    if was is now or isinstance(was, np.ndarray):
        return was is now
    return type(was) is type(now) and (was == now or was != was and now != now)
