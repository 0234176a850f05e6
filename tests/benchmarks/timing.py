"""How long something takes: the middle of many runs, by turns, in a process of its own where that matters."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable


def by_turns(*calls: Callable, seconds: float = 0.5, rounds: int = 15) -> list[list[float]]:
    """The times of each call, one a round: batches that are long enough for the clock, by turns.

    What else the machine does is added to everybody's rounds. What takes seconds is called three times.
    """
    once = [_once(call) for call in calls]
    counts = [max(1, round(seconds / rounds / first)) for first in once]
    turns = [rounds if first < 0.5 else 3 for first in once]
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(rounds):
        for call, count, wanted, column in zip(calls, counts, turns, times):
            if turn < wanted:
                column.append(_batch(call, count))
    return times


def middle(times: list[float], others: list[float]) -> float:
    """The median ratio of times that were taken in the same rounds."""
    return statistics.median(a / b for a, b in zip(times, others))


def quickest(*calls: Callable, seconds: float = 0.6, rounds: int = 20) -> list[float]:
    """The time of each call: the quickest of batches that are long enough for the clock, by turns."""
    return [min(column) for column in by_turns(*calls, seconds=seconds, rounds=rounds)]


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
