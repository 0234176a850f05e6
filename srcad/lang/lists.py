"""Lists that grow, as arrays: what stands in the IR for their buffers until the types of their elements are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


def list_buffer(capacity: int, key: int, grows: bool = False) -> Any:
    """Room for so many elements of the list that `key` counts, or for more where it grows."""
    raise AssertionError("the buffer of a list before its type is known")


def elastic(shape: Any, dtype: Any = float) -> Any:
    """An array that gets more room along its first axis where an element is stored behind the last one.

    It is one array until derivatives are written, with a length that nobody knows; `srcad.transforms.rooms` then lets
    it grow where that happens.
    """
    raise AssertionError("an array that grows, before it is decided where")


def slot(key: int, position: Any, rebinds: int, written: str = "", is_list: bool = False) -> Any:
    """An index at which an element of a list is put; `rebinds` where it takes the place of another one.

    What names mean that are read afterwards is then taken from the list by so many indices, one at least.
    `written` is the name of what is put there, if that is written to afterwards: of an array, or of a list.
    """
    raise AssertionError("a position in a list before its type is known")


def within(key: str | None, position: Any, known: bool = False, rebinds: int = 0) -> Any:
    """An index into a list that an array stands for: an element of the list of lists `key`, or one of its own.

    `known`: what is put there has another name or place, and is written to later. `rebinds` as for `slot`.
    """
    raise AssertionError("a position in a list before its type is known")


def element_of(structure: Any, position: Any) -> Any:
    """What iterating over a value gives at a position."""
    return structure[position]


def count_of(values: Any) -> int:
    """How many items iterating over a value gives; of an object, what its `__iter__` says, not its `__len__`."""
    return len(values)


COUNTING = (len, count_of)


@dataclass(frozen=True)
class Nothings:
    """The list that `key` counts, in which all is None."""

    key: str


class Unfilled(int):
    """The integer that stands for None in an array, until something is put there."""


def traded(element: Any, position: Any = None) -> Any:
    """An element that changes places with others of the same list, ``xs[i], xs[j] = xs[j], xs[i]``.

    `position`: where it is in the buffer `element`, from which it is taken before the other one is put there.
    """
    return element if position is None else element[position]


def alone(value: Any) -> Any:
    """A part of what is copied; if it is an array, nobody knows whether another part is the same one."""
    return value


def one_of(structure: Any, position: int) -> Any:
    """The element of a tuple or list of arrays or numbers at a position that is not known at compile time."""
    return structure[position]


def list_pop(buffer: Any, position: int, known: str = "") -> Any:
    """An element of a list, which is taken from it; `known` is another name for it, if it is written to."""
    raise AssertionError("an element of a list before its type is known")


def as_rows(parts: Any) -> Any:
    """A list of tuples as one array, whose rows they are, of the arrays that hold their parts: numbers, all of them."""
    raise AssertionError("the rows of a list before their types are known")
