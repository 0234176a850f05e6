"""What users are warned of when a derivative is made, or found in the cache, and made use of for the first time."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar

from srcad.lang.errors import BisectionWarning
from srcad.lang.meanwhile import meanwhile

Warned = tuple[str, int, str]  # a file, a line and a text

_inside: ContextVar[list[Warned] | None] = ContextVar("inside", default=None)


def inside() -> AbstractContextManager[list[Warned]]:
    """What derivatives that the function itself asks for are warned of."""
    return meanwhile(_inside, [])


def note(found: Iterable[Warned]) -> None:
    """Hand what a derivative is warned of on to the function that asks for it."""
    if (noted := _inside.get()) is not None:
        noted += found


def warn(found: Iterable[Iterable], said: set[Warned]) -> None:
    """Warn of what has not been `said`, as if the lines of the function had.

    >>> with warnings.catch_warnings(record=True) as shown:
    ...     warnings.simplefilter("always")
    ...     warn([("model.py", 12, "a root")], said := set())
    ...     warn([("model.py", 12, "a root")], said)
    >>> [(each.filename, each.lineno, str(each.message)) for each in shown]
    [('model.py', 12, 'a root')]
    """
    for filename, line, text in found:
        if (filename, line, text) not in said:
            said.add((filename, line, text))
            warnings.warn_explicit(text, BisectionWarning, filename, line)
