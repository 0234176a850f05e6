"""What does not depend on the work: a call, an import, writing the source, the first call of a process."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numba

import srcad
from tests.benchmarks.long_programs import program
from tests.benchmarks.timing import in_new_process, quickest, readable

Cost = tuple[str, str, str]

PROGRAMS = {
    "ours": '''
import numpy as np
import srcad

@srcad.grad
def gradient(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.sin(x[i]) ** 2
    return total
''',
    "by_hand": '''
import numba
import numpy as np

@numba.njit(cache=True)
def gradient(x, seed=1.0):
    x_bar = np.zeros_like(x)
    for i in range(x.shape[0]):
        x_bar[i] += seed * 2.0 * np.sin(x[i]) * np.cos(x[i])
    return x_bar
''',
}


def costs() -> Iterator[Cost]:
    """Each cost: what it is, how much, and compared to what."""
    yield _call()
    yield _import()
    yield _start()
    with tempfile.TemporaryDirectory() as folder:
        for lines in (30, 1000):
            yield _writing(lines, folder)


def _call() -> Cost:
    derivative = srcad.grad(lambda x, y: x * y)
    empty = numba.njit(lambda x, y: x)
    own, least = quickest(lambda: derivative(1.0, 2.0), lambda: empty(1.0, 2.0))
    return "a call on two floats", readable(own), f"{own / least:.2f} times that of an empty Numba function"


def _import() -> Cost:
    own, least = in_new_process("import srcad; srcad.grad", "import numba")
    return "importing `srcad.grad`", readable(own), f"{readable(max(own - least, 0.0))} more than importing Numba"


def _start() -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            Path(folder, f"{name}.py").write_text(text, encoding="utf-8")
        environment = {"PYTHONPATH": os.pathsep.join((folder, os.getcwd())), "SRCAD_CACHE_DIR": folder}
        calls = [f"import {name} as module; module.gradient(module.np.ones(3))" for name in PROGRAMS]
        own, least = in_new_process(*calls, **environment)
    what = "the first result of a fresh process, cached"
    return what, readable(own), f"{own / least:.2f} times that of the same by hand, `njit(cache=True)`"


def _writing(lines: int, folder: str) -> Cost:
    """Of programs that differ in a few lines, so that none is in the cache; the first finds the rules not read yet."""
    times = [_write(lines + more, folder) for more in range(3)]
    return f"writing the derivative of {lines} lines", readable(min(times[1:])), ""


def _write(lines: int, folder: str) -> float:
    function, types = program("scalars", lines, folder)
    derivative = srcad.grad(function)
    start = time.process_time()
    srcad.source(derivative, *types)
    return time.process_time() - start
