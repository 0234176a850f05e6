"""The arguments of the call that a derivative is written for, where there is one.

What is written depends on their types. Their values only serve where a function that nothing is known about is tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from srcad.lang.meanwhile import meanwhile


@dataclass
class Called:
    """A call: its arguments by their names, and what has been tried in vain for it."""

    arguments: dict[str, Any] = field(default_factory=dict)
    endless: dict[Any, float] = field(default_factory=dict)  # functions that did not end, in how many seconds


_called: ContextVar[Called | None] = ContextVar("called", default=None)


def called_with(names: Iterable[str], values: Iterable[Any]) -> AbstractContextManager[Called]:
    """While this lasts, derivatives are written for a call in which the arguments of these names have these values.

    >>> with called_with(("x", "n"), (2.0, 3)):
    ...     call().arguments
    {'x': 2.0, 'n': 3}
    >>> call().arguments
    {}
    """
    return meanwhile(_called, Called(dict(zip(names, values))))


def call() -> Called:
    """The call, or one that nothing is known about."""
    return _called.get() or Called()
