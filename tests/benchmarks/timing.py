"""How long something takes: medians, in a process of its own where that matters."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable


def median(call: Callable, seconds: float = 0.5, batches: int = 15) -> float:
    """The median time of a call, over batches that are long enough for the clock."""
    call()
    start = time.perf_counter()
    call()
    once = max(time.perf_counter() - start, 1e-8)
    count = max(1, round(seconds / batches / once))
    times = []
    for _ in range(batches):
        start = time.perf_counter()
        for _ in range(count):
            call()
        times.append((time.perf_counter() - start) / count)
    return statistics.median(times)


def in_new_process(program: str, repeats: int = 5) -> float:
    """The median of what a program prints as its time, each time in a fresh interpreter."""
    head = "import time; start = time.perf_counter()\n"
    tail = "\nprint(time.perf_counter() - start)"
    command = [sys.executable, "-c", head + program + tail]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(repeats)]
    return statistics.median(float(run.stdout.split()[-1]) for run in runs)


def readable(seconds: float | None) -> str:
    """
    >>> readable(0.00123)
    '1.23 ms'
    """
    if seconds is None:
        return "-"
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
