"""Time value and gradient against the adjoint written by hand, JAX, autograd and PyTorch; and what a call costs.

python -m tests.benchmarks [NAME ...]

Without names everything is measured, and docs/benchmarks.md is written.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

# Before NumPy and JAX are imported: one thread for everybody.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

from tests.benchmarks.contenders import contenders, primal
from tests.benchmarks.costs import costs
from tests.benchmarks.report import page
from tests.benchmarks.timing import quickest, readable
from tests.benchmarks.workloads import workloads

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def speed(names: list[str]) -> Iterator[tuple[str, dict[str, float]]]:
    """Time each workload in every way, by turns; print a row of a table for each."""
    present = contenders()
    print(f"{'value and gradient':<24}" + "".join(f"{name:>12}" for name in ["primal", *present]))
    for workload in workloads():
        if names and not any(name in workload.name for name in names):
            continue
        calls = {"primal": primal(workload)} | {name: make(workload) for name, make in present.items()}
        times = dict(zip(calls, quickest(*calls.values())))
        print(f"{workload.name:<24}" + "".join(f"{readable(seconds):>12}" for seconds in times.values()), flush=True)
        yield workload.name, times


def main(names: list[str]) -> None:
    rows = dict(speed(names))
    if names:
        return
    print()
    lines = []
    for what, measured, compared in costs():
        print(f"{what:<48}{measured:>12}   {compared}", flush=True)
        lines.append((what, measured, compared))
    PAGE.write_text(page(rows, lines), encoding="utf-8")
    print(f"\n{PAGE}")


if __name__ == "__main__":
    main(sys.argv[1:])
