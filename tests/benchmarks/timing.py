"""How long something takes: the quickest of many runs, by turns, in a process of its own where that matters."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable


def quickest(*calls: Callable, seconds: float = 0.6, rounds: int = 20) -> list[float]:
    """The time of each call: the quickest of batches that are long enough for the clock, by turns.

    What else the machine does only ever adds to a time; taking turns lets it add to everybody's.
    """
    counts = [max(1, round(seconds / rounds / _once(call))) for call in calls]
    times = [[_batch(call, count) for call, count in zip(calls, counts)] for _ in range(rounds)]
    return [min(column) for column in zip(*times)]


def _once(call: Callable) -> float:
    call()
    return max(_batch(call, 1), 1e-8)


def _batch(call: Callable, count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def in_new_process(*programs: str, repeats: int = 7, **environment: str) -> list[float]:
    """How long each program takes in a fresh interpreter, which has done so once before."""
    head, tail = "import time; start = time.perf_counter()\n", "\nprint(time.perf_counter() - start)"
    commands = [[sys.executable, "-c", head + program + tail] for program in programs]
    times = [[_printed(command, environment) for command in commands] for _ in range(1 + repeats)]
    return [min(column) for column in zip(*times[1:])]


def _printed(command: list[str], environment: dict[str, str]) -> float:
    run = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment})
    return float(run.stdout.split()[-1])


def readable(seconds: float) -> str:
    """
    >>> readable(0.00123)
    '1.23 ms'
    """
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
