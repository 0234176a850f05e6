"""How long writing a derivative takes, at several lengths: ``python -m tests.benchmarks.compile_time``."""

from __future__ import annotations

import sys
import tempfile
import time

import srcad
from srcad.backends.numba_types import named_type
from srcad.pipeline import generate
from tests.benchmarks.long_programs import PROGRAMS, program
from tests.benchmarks.timing import readable

SIZES = (30, 250, 500, 1000, 2000)


def seconds(name: str, lines: int, folder: str) -> float:
    """The processor time for one source, past the cache."""
    function, types = program(name, lines, folder)
    derivative = srcad.grad(function, wrt=("x", "y"))
    signature = tuple(map(named_type, types, "xy"))
    start = time.process_time()
    generate(function, derivative.options, signature)
    return time.process_time() - start


def main(names: list[str]) -> None:
    print(f"{'lines':<20}" + "".join(f"{size:>10}" for size in SIZES) + "   2000 to 1000")
    with tempfile.TemporaryDirectory() as folder:
        for name in PROGRAMS:
            seconds(name, 40, folder)  # reads the rules
        for name in names or PROGRAMS:
            times = [min(seconds(name, size, folder) for _ in range(3 if size < 100 else 1)) for size in SIZES]
            print(f"{name:<20}" + "".join(f"{readable(t):>10}" for t in times) + f"{times[-1] / times[-2]:>15.1f}",
                  flush=True)  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
