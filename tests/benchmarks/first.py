"""What is made of a function: its source, its record, and what its first call takes, in fresh processes.

python -m tests.benchmarks.first WORKLOAD STYLE prints the seconds of the processor for one first call, and those
without the writing of the source; the style may be ``by hand``. The clock would tell of what else the machine does.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

import srcad
from tests.benchmarks.contenders import called
from tests.benchmarks.workload import Workload
from tests.benchmarks.workloads import workloads


BY_HAND = "by hand"


@dataclass(frozen=True)
class Made:
    """`lines` of source, `record` in bytes, and seconds of the processor for a first call, fresh and with a kept cache.

    `compiling` tells how many times as long machine code takes as that of the adjoint written by hand.
    """

    lines: int
    record: int
    fresh: float
    kept: float
    compiling: float


def made(workload: Workload, style: str) -> Made:
    derivative, arguments = workload.derivative(style), workload.example or workload.arguments
    text = srcad.source(derivative, *arguments)
    lines = sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))
    (fresh, compiling), (kept, _) = first_calls(workload.name, style)
    return Made(lines, recorded(derivative, arguments), fresh, kept, compiling / compiling_by_hand(workload.name))


@functools.cache
def compiling_by_hand(name: str) -> float:
    """The seconds that the adjoint written by hand is compiled for: whatever the style that is compared with it."""
    ((_, seconds),) = first_calls(name, BY_HAND, times=1)
    return seconds


def recorded(derivative: Any, arguments: tuple) -> int:
    """The bytes of the record; Jacobians carry tangents along and record nothing."""
    if derivative.maker.options.direction != "reverse":
        return 0
    return srcad.explain(derivative, args=arguments).bytes or 0


def first_calls(name: str, style: str, times: int = 2) -> list[tuple[float, float]]:
    """The seconds of the processor for the first call of a process, all in all and for machine code alone.

    Each process finds in the cache what those before it have left there.
    """
    command = [sys.executable, "-m", "tests.benchmarks.first", name, style]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SRCAD_CACHE_DIR": folder}
        runs = [subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
                for _ in range(times)]  # fmt: skip
    return [(float(seconds), float(compiling)) for seconds, compiling in (run.stdout.split() for run in runs)]


def main(name: str, style: str) -> None:
    workload = next(w for w in workloads() if w.name == name)
    numba.njit(lambda x: x + 1.0)(np.ones(1))  # Numba itself is started
    writing = Stopwatch()
    if style == BY_HAND:
        call = called(workload, workload.by_hand)
    else:
        derivative = workload.derivative(style)
        kind = type(derivative.maker)  # compiled code has another of its kind
        kind.source = writing.around(kind.source)
        call = called(workload, derivative)
    start = time.process_time()
    call()
    spent = time.process_time() - start
    again = time.process_time()
    call()
    print(spent, spent - writing.seconds - (time.process_time() - again))


@dataclass
class Stopwatch:
    """The seconds of the processor that calls take, all together."""

    seconds: float = 0.0

    def around(self, function: Callable) -> Callable:
        def timed(*args: Any) -> Any:
            start = time.process_time()
            try:
                return function(*args)
            finally:
                self.seconds += time.process_time() - start

        return timed


if __name__ == "__main__":
    main(*sys.argv[1:])
