"""The calls of `cases` as functions in a file: source that srcad can read."""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
import zlib
from functools import cache
from pathlib import Path

import numpy as np

from tests.library import fourier_cases, linalg_cases, more_cases  # noqa: F401  (they enter their calls)
from tests.library.cases import CASES

FORM = re.compile(r"(\w+):([+bimsuz]?)([\d,]*)")


@cache
def module():
    """A module with the functions ``case_0``, ``case_1``, ..., and ``loss_0``, ... that end in a number."""
    folder = Path(tempfile.mkdtemp(prefix="srcad-calls-"))
    lines = ["import math", "import operator", "import numpy as np"]
    lines += ["from scipy import fft, integrate, interpolate, linalg, ndimage, signal, special, stats",
              "from scipy.spatial import distance, distance_matrix, minkowski_distance", ""]
    for number, (expression, operands) in enumerate(CASES):
        names = ", ".join(name for name, _, _ in FORM.findall(operands))
        lines += ["", f"def case_{number}({names}):", f"    return {expression}", ""]
        lines += ["", f"def loss_{number}({names}):", f"    return np.sum(np.square({expression}))", ""]
    path = folder / "library_calls.py"
    path.write_text("\n".join(lines))
    spec = importlib.util.spec_from_file_location("library_calls", path)
    found = importlib.util.module_from_spec(spec)
    sys.modules["library_calls"] = found
    spec.loader.exec_module(found)
    return found


def function(number: int, kind: str = "case"):
    return getattr(module(), f"{kind}_{number}")


def arguments(number: int, dtype=np.float64) -> list:
    """Fresh values for the operands of a case."""
    rng = np.random.default_rng(zlib.crc32(CASES[number][0].encode()))
    return [_value(rng, kind, shape, dtype) for _, kind, shape in FORM.findall(CASES[number][1])]


def _value(rng, kind: str, shape: str, dtype):
    dims = tuple(int(n) for n in shape.split(",") if n)
    if kind == "i":
        return rng.integers(0, dims[0], dims[1:])[()]
    if kind == "b":
        return rng.random(dims) < 0.5
    if kind == "m":
        return np.indices(dims).sum(axis=0) % 2 == 0
    x = rng.normal(size=dims)
    if kind == "z":
        return _complex(x, rng, dtype)
    if kind == "+":
        x = 0.3 + np.abs(x)
    if kind == "s":
        x = x @ np.swapaxes(x, -1, -2) + 2.0 * np.eye(dims[-1])
    if kind == "u":
        x = np.cumsum(0.2 + np.abs(x), axis=-1)
    return x.astype(dtype) if dims else float(x)


def _complex(x, rng, dtype):
    """A complex number, or an array of them, of a precision."""
    z = x + 1j * rng.normal(size=np.shape(x))
    return z.astype(np.result_type(dtype, np.complex64)) if np.ndim(x) else complex(z)
