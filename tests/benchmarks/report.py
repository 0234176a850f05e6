"""The page of the manual that shows what was measured."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from tests.benchmarks.first import Made
from tests.benchmarks.timing import readable

HEAD = """# Benchmarks

Written by `make bench`{quickly}. {machine}; one thread for everybody.

![Times relative to the adjoint written by hand](images/benchmarks.png)

## Value and gradient

Medians of calls by turns; in brackets, how many times what the adjoint takes that an expert writes by hand, under Numba
with the same flags. Every gradient is compared with that of the others first. *loops* and *arrays* are the two ways to
write the function, and what `srcad` makes of it as it stands; libraries of arrays are given arrays.

"""

MADE = """
## What is made

The lines of generated source, the bytes of its record (of the values that the reverse sweep needs), and the first call
of a process, in seconds of the processor: writing the source and compiling it, and the same with both from the cache.
The last column tells how many times as long compiling takes as for the adjoint written by hand, each in a process in
which Numba is warm.

| | | lines | record | first call | cached | compiling |
|---|---|---:|---:|---:|---:|---:|
"""

COSTS = """
## Fixed costs

| | | |
|---|---:|---|
"""

OURS = "srcad, "


def page(
    rows: dict[str, dict[str, tuple[float, float]]],
    texts: dict[str, dict[str, Made]],
    costs: list[tuple[str, str, str]],
    quick: bool = False,
) -> str:
    lines = table(rows)
    made = "".join(
        f"| {what} | {style} | {one.lines} | {size(one.record)} | {readable(one.fresh)} | {readable(one.kept)} | "
        f"{one.compiling:.2f} |\n"
        for what, styles in texts.items() for style, one in styles.items()
    )  # fmt: skip
    fixed = "".join(f"| {' | '.join(line)} |\n" for line in costs)
    quickly = ", here with few repetitions (`--quick`)" if quick else ""
    return HEAD.format(machine=machine(), quickly=quickly) + "\n".join(lines) + "\n" + MADE + made + COSTS + fixed


def table(rows: dict[str, dict[str, tuple[float, float]]]) -> list[str]:
    """A line for each workload; the style that is neither loops nor arrays stands under loops."""
    libraries = dict.fromkeys(name for row in rows.values() for name in row if not name.startswith((OURS, "by hand")))
    lines = [f"| | by hand | loops | arrays | {' | '.join(libraries)} |", "|---" * (4 + len(libraries)) + "|"]
    for what, row in rows.items():
        loops = next((cell for name, cell in row.items() if name.startswith(OURS) and name != f"{OURS}arrays"), None)
        cells = [cell(found, name != "by hand") for name, found in (
            ("by hand", row["by hand"]), ("loops", loops), ("arrays", row.get(f"{OURS}arrays")),
            *((name, row.get(name)) for name in libraries))]  # fmt: skip
        lines.append(f"| {what} | {' | '.join(cells)} |")
    return lines


def cell(found: tuple[float, float] | None, compared: bool) -> str:
    if found is None:
        return ""
    return f"{readable(found[0])} ({found[1]:.2f})" if compared else readable(found[0])


def size(count: int) -> str:
    """
    >>> size(0), size(2_500_000)
    ('none', '2.5 MB')
    """
    if not count:
        return "none"
    power = min((len(str(count)) - 1) // 3, 3)
    return f"{count / 1000**power:.3g} {('bytes', 'kB', 'MB', 'GB')[power]}"


def picture(rows: dict[str, dict[str, tuple[float, float]]], path: str) -> None:
    """Each contender's time relative to the adjoint written by hand, a line a workload."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8.0, 0.42 * len(rows) + 1.2))
    names = list(dict.fromkeys(name for row in rows.values() for name in row if name != "by hand"))
    for name in names:
        points = [(row[name][1], n) for n, row in enumerate(rows.values()) if name in row]
        ours = name.startswith(OURS)
        axes.plot(*zip(*points), "o" if ours else "x", label=name, markersize=7 if ours else 5)
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), list(rows))
    axes.invert_yaxis()
    axes.set_xlabel("time of value and gradient / time of the adjoint written by hand")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


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
