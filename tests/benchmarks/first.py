"""What is made of a function: its source, its record, and what its first call takes, in fresh processes.

python -m tests.benchmarks.first WORKLOAD STYLE prints the seconds of one first call.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

import srcad
from tests.benchmarks.contenders import by_srcad
from tests.benchmarks.workload import Workload
from tests.benchmarks.workloads import workloads


@dataclass(frozen=True)
class Made:
    """`lines` of source, `record` in bytes, and the seconds of a first call without and with what the cache holds."""

    lines: int
    record: int
    fresh: float
    kept: float


def made(workload: Workload, style: str) -> Made:
    derivative, arguments = workload.derivative(style), workload.example or workload.arguments
    text = srcad.source(derivative, *arguments)
    lines = sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))
    return Made(lines, recorded(derivative, arguments), *first_calls(workload.name, style))


def recorded(derivative: Any, arguments: tuple) -> int:
    """The bytes of the record; Jacobians carry tangents along and record nothing."""
    if derivative.maker.options.direction != "reverse":
        return 0
    return srcad.explain(derivative, args=arguments).bytes or 0


def first_calls(name: str, style: str) -> tuple[float, float]:
    """The seconds of the first call of a process, in the first and in the second process."""
    command = [sys.executable, "-m", "tests.benchmarks.first", name, style]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SRCAD_CACHE_DIR": folder}
        runs = [subprocess.run(command, capture_output=True, text=True, check=True, env=environment) for _ in range(2)]
    first, second = (float(run.stdout) for run in runs)
    return first, second


def main(name: str, style: str) -> None:
    workload = next(w for w in workloads() if w.name == name)
    numba.njit(lambda x: x + 1.0)(np.ones(1))  # Numba itself is started
    call = by_srcad(workload, style)
    start = time.perf_counter()
    call()
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main(*sys.argv[1:])
