"""Marks on values while derivatives are taken in the middle of a function; none is left in what is generated."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

T = TypeVar("T")


def pin(x: T) -> T:
    """`x`, as a value that is not merged with equal ones: a derivative with respect to it is asked for."""
    return x


def probe(x: T, shift: T) -> T:
    """`x`, to which a `shift` of zero is added: the cotangent of the shift is all of that of `x`."""
    return x


def hold(x: T) -> T:
    """`x`, which is a constant for the derivative that is being taken, and for no other."""
    return x


def seeded(x: T, seed: T) -> T:
    """`x`, whose cotangent is this `seed`."""
    return x


def reassigned(old: T, new: T) -> T:
    """The value `new` of a variable: a derivative with respect to the variable is one at every time it was read."""
    return new


def picked(again: T, value: T) -> T:
    """The `value` that was picked, with the derivative of what it is when it is computed `again`."""
    return value


def detached(x: T) -> T:
    """`x`, which is a constant for every derivative."""
    return x


def watched(x: T, tape: int) -> T:
    """`x`, which a tape watches from here on."""
    return x


def accessed(x: T, tape: int) -> T:
    """The value of a variable that a tape watches: what is read from here on, and not what was read before."""
    return x


def unrecorded(x: T, tape: int) -> T:
    """`x`, which was computed while a tape did not record: for it, and for it alone, a constant."""
    return x


TAPED = (watched, accessed, unrecorded)


def with_attributes(owner: Any, **values: Any) -> Any:
    """An object like `owner` whose attributes have other values."""
    made = copy.copy(owner)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made
