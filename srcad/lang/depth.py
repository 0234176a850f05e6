"""Deep functions: room for the recursion over them, and an error where even that does not suffice."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from srcad.lang.errors import unsupported
from srcad.lang.locate import place
from srcad.lang.origin import Origin

T = TypeVar("T")

LEVELS = 99  # of indentation, the most that Python reads
_STACK, _FRAMES = 1 << 28, 30_000


def deep(call: Callable[[], T], fn: Any) -> T:
    """What `call` returns, which works on the function `fn`; where the usual stack is too small, on a larger one.

    Raises
    ------
    UnsupportedError
        if that one is too small, too.

    >>> def count(n):
    ...     return 1 + count(n - 1) if n else 0
    >>> deep(lambda: count(5000), deep)
    5000
    """
    try:
        return call()
    except RecursionError:
        pass
    try:
        return _on_large_stack(call)
    except (RecursionError, MemoryError):
        raise unsupported(place(fn), "the expressions of this function are too long for the compiler",
                          "several shorter statements") from None  # fmt: skip


def _on_large_stack(call: Callable[[], T]) -> T:
    """Run in a thread of its own: the stack of a thread that has started cannot grow."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((call(), None))
        except BaseException as error:
            outcome.append((None, error))

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    try:
        sys.setrecursionlimit(max(limit, _FRAMES))
        thread = threading.Thread(target=run, name="srcad")
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    value, error = outcome[0]
    if error is not None:
        raise error
    return value


def check_levels(text: str, lines: dict[int, Origin]) -> None:
    """Refuse source that is indented further than Python reads it."""
    written = text.splitlines()
    for number, origin in lines.items():
        line = written[number - 1]
        if len(line) - len(line.lstrip(" ")) > 4 * LEVELS:
            raise unsupported(origin, "the derivative of this line lies in too many branches, one inside the other",
                              "fewer tests in one chain of elif or of early returns")  # fmt: skip
