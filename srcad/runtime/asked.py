"""Functions that mean something else while a function that calls them is compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def asked(fn: F) -> F:
    """Mark a function that is called while compiling; its arguments are known then."""
    fn.while_compiling = "called"  # type: ignore[attr-defined]
    return fn


def checks(fn: F) -> F:
    """Mark a function that checks its first argument and returns it: in compiled functions it is just that."""
    fn.while_compiling = "argument"  # type: ignore[attr-defined]
    return fn
