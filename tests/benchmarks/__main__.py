"""Time value and gradient against the adjoint written by hand, JAX, autograd and PyTorch; and what a call costs.

python -m tests.benchmarks [--quick] [NAME ...]

Without names everything is measured, and docs/benchmarks.md is written; quickly, with few repetitions.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

# Before NumPy and JAX are imported: one thread for everybody.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

from tests.benchmarks.contenders import contenders
from tests.benchmarks.costs import costs
from tests.benchmarks.first import Made, made
from tests.benchmarks.report import page, picture
from tests.benchmarks.timing import by_turns, middle, readable
from tests.benchmarks.workload import Workload
from tests.benchmarks.workloads import workloads

DOCS = Path(__file__).parents[2] / "docs"

Row = dict[str, tuple[float, float]]  # of each contender: seconds, and how many times what by hand takes


def speed(workload: Workload, quick: bool = False) -> Row:
    """Time a workload in every way, by turns."""
    calls = {}
    for name, call in contenders(workload):
        calls[name] = call
        progress(f"{workload.name}: {name} is right")
    effort = {"seconds": 0.1, "rounds": 5} if quick else {}
    times = dict(zip(calls, by_turns(*calls.values(), **effort)))
    progress("")
    return {name: (statistics.median(each), middle(each, times["by hand"])) for name, each in times.items()}


def progress(text: str) -> None:
    """What is being done, on a line of its own that the next one overwrites."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def measured(chosen: list[Workload], quick: bool) -> Iterator[tuple[Workload, Row]]:
    """The times of each workload, printed as they come."""
    start = time.perf_counter()
    for number, workload in enumerate(chosen, 1):
        row = speed(workload, quick)
        print(f"[{number}/{len(chosen)}, {time.perf_counter() - start:.0f} s] {workload.name}")
        for name, (seconds, ratio) in row.items():
            print(f"    {name:<16}{readable(seconds):>10}   {ratio:6.2f}", flush=True)
        yield workload, row


def described(workload: Workload) -> dict[str, Made]:
    """What is made of each style of a workload: source, record, and how long the first call takes."""
    found = {}
    for style in workload.styles:
        progress(f"{workload.name}: first calls, {style}")
        found[style] = made(workload, style)
    progress("")
    return found


def main(arguments: list[str]) -> None:
    names, quick = [name for name in arguments if name != "--quick"], "--quick" in arguments
    chosen = [w for w in workloads() if not names or any(name in w.name for name in names)]
    if not chosen:
        sys.exit(f"there is no workload like {' or '.join(names)}; there are {', '.join(w.name for w in workloads())}")
    print("times, and how many times what the adjoint written by hand takes")
    rows = {workload.name: row for workload, row in measured(chosen, quick)}
    if names:
        return
    print("\nfirst calls")
    texts = {workload.name: described(workload) for workload in chosen}
    lines = []
    for what, taken, compared in costs():
        print(f"{what:<48}{taken:>12}   {compared}", flush=True)
        lines.append((what, taken, compared))
    (DOCS / "benchmarks.md").write_text(page(rows, texts, lines, quick), encoding="utf-8")
    picture(rows, str(DOCS / "images" / "benchmarks.png"))
    print(f"\n{DOCS / 'benchmarks.md'}")


if __name__ == "__main__":
    main(sys.argv[1:])
