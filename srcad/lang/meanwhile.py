"""What the parts of the compiler know of the work around them, while it lasts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")


@contextmanager
def meanwhile(variable: ContextVar[Any], value: T) -> Iterator[T]:
    """Let a variable have a value while this lasts.

    >>> depth = ContextVar("depth", default=0)
    >>> with meanwhile(depth, 3):
    ...     depth.get()
    3
    >>> depth.get()
    0
    """
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)
