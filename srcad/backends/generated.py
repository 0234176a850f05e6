"""What the compiler hands on of a derivative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from srcad.backends.warned import Warned
from srcad.lang.origin import Origin
from srcad.lang.structure import Outline, Part


@dataclass(frozen=True)
class Generated:
    """The text of a derivative: a module with one function, what it takes from outside, and its lines' origins."""
    name: str
    text: str
    constants: dict[str, Any]
    lines: dict[int, Origin]
    result: Outline = None  # what the tuples that it returns are to the user
    exact: bool = False  # no sum may be reordered
    left: tuple[Part, ...] = ()  # the places in arguments that get values, which come beside the result
    warned: tuple[Warned, ...] = ()
    compiled: Generated | None = None  # what is compiled in its place: the same with loops in blocks
