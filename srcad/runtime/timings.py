"""Where the time of a first call goes: ``SRCAD_TIMINGS=1`` in the environment prints a table of it to stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_LEAST = 0.005  # of the whole: what takes less is put together

_tables: list[Timings] = []  # the one under way; compilers hold Numba's lock, so there is one at a time


class Timings:
    """The seconds that steps take, each without those of the steps inside it.

    >>> table = Timings("f(float64)")
    >>> table.start("LLVM"), table.start("types"), table.stop(), table.stop()
    (None, None, None, None)
    >>> {'LLVM', 'types'} <= table.seconds.keys()
    True
    """

    def __init__(self, title: str):
        self.title = title
        self.seconds: dict[str, float] = {}
        self._steps: list[str] = []
        self._began = self._last = time.perf_counter()

    def start(self, step: str) -> None:
        self._charge()
        self._steps.append(step)

    def stop(self) -> None:
        self._charge()
        self._steps.pop()

    def _charge(self) -> None:
        """Add the time since the last change to the step under way."""
        now = time.perf_counter()
        step = self._steps[-1] if self._steps else "the rest"
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now

    def text(self) -> str:
        """The steps, the longest first."""
        self._charge()
        total = self._last - self._began
        long = {step: took for step, took in self.seconds.items() if took >= _LEAST * total and step != "the rest"}
        rows = sorted(long.items(), key=lambda row: -row[1])
        if (rest := total - sum(long.values())) > 0:
            rows.append((f"the rest ({len(self.seconds) - len(long)} steps)", rest))
        width = max(len(step) for step, _ in rows)
        lines = [f"  {step:<{width}}  {took:8.3f} s  {took / total:4.0%}" for step, took in rows]
        return "\n".join([f"srcad: {self.title} took {total:.3f} s", *lines])


@contextmanager
def timed(step: str) -> Iterator[None]:
    """Count the time inside as that of a step."""
    if not _tables:
        yield
        return
    table = _tables[-1]
    table.start(step)
    try:
        yield
    finally:
        table.stop()


@contextmanager
def timings(title: str, listening: Any = None) -> Iterator[None]:
    """Print where the time inside goes, if the environment asks for it; inside of another table, nothing.

    `listening` is a context in which a table hears of more steps.
    """
    if os.environ.get("SRCAD_TIMINGS", "0") in ("", "0") or _tables:
        yield
        return
    table = Timings(title)
    _tables.append(table)
    try:
        if listening is None:
            yield
        else:
            with listening(table):
                yield
    finally:
        _tables.pop()
        print(table.text(), file=sys.stderr)
