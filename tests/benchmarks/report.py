"""The page of the manual that shows what was measured."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from tests.benchmarks.timing import readable

HEAD = """# Benchmarks

Written by `make bench`. {machine}; one thread for everybody.

## Value and gradient

In brackets: relative to `srcad`. *Primal* is the function alone, under Numba, and *by hand* is its adjoint as an expert
writes it, under Numba with the same flags. Array libraries are given the function in whole arrays, loops on none.

"""

COSTS = """
## Fixed costs

| | | |
|---|---:|---|
"""


def page(rows: dict[str, dict[str, float]], costs: list[tuple[str, str, str]]) -> str:
    names = list(next(iter(rows.values())))
    lines = [f"| | {' | '.join(names)} |", "|---" + "|---:" * len(names) + "|"]
    for what, times in rows.items():
        cells = (f"{readable(t)} ({t / times['srcad']:.2f})" for t in times.values())
        lines.append(f"| {what} | {' | '.join(cells)} |")
    fixed = "".join(f"| {' | '.join(line)} |\n" for line in costs)
    return HEAD.format(machine=machine()) + "\n".join(lines) + "\n" + COSTS + fixed


def machine() -> str:
    packages = ", ".join(f"{name} {found}" for name in ("numba", "numpy", "jax", "autograd", "torch")
                         if (found := installed(name)))  # fmt: skip
    return f"{processor()}, {platform.system()}, CPython {platform.python_version()}, {packages}"


def processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
