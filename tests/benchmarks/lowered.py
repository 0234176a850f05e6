"""The compiled speed of functions that Numba has not, or not in this form, against NumPy's and SciPy's own.

``python -m tests.benchmarks.lowered [--gradients] [WORD ...]`` prints the ratio of each call on arrays of a million
elements, the slowest last, and with `--gradients` that of the gradient of its last element to NumPy's own value. Both
sides also look at this element.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

import srcad
from tests.benchmarks.lowered_calls import CALLS
from tests.benchmarks.timing import by_turns, middle

SIDE = 1000


def values() -> dict:
    """What the calls are made with: a million elements each, or a side of that."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=(SIDE, SIDE))
    return {
        "a": a, "b": rng.normal(size=(20, 50_000)), "c": rng.normal(size=(100, 100, 100)), "v": a.ravel().copy(),
        "s": np.sort(a.ravel()), "w": rng.normal(size=9), "r": np.sort(rng.normal(size=SIDE)),
        "t": rng.normal(size=(333_333, 3)), "k": np.argsort(a, axis=1), "j": rng.integers(0, SIDE, SIDE),
        "n": rng.integers(0, SIDE, SIDE * SIDE),
        "u": rng.uniform(-1.0, 1.0, (5, SIDE * SIDE // 5)) + np.array([[0.0], [0.0], [9.0], [0.0], [0.0]]),
    }  # fmt: skip


def functions(calls: list[str]) -> list:
    """For each call a function of the values that it names and of a number, to which its last element is added."""
    lines = ["import numpy as np", "from scipy import fft, integrate, linalg, ndimage, signal, special, stats",
             "from scipy.spatial import distance", ""]
    for number, call in enumerate(calls):
        *before, last = call.split("; ")
        head = f"def call_{number}({', '.join([*named(call), 'd'])}):"
        lines += ["", head, *(f"    {line}" for line in before), f"    return np.ravel({last})[-1] * 1.0 + d"]
    path = Path(tempfile.mkdtemp(prefix="srcad-lowered-")) / "lowered_calls.py"
    path.write_text("\n".join(lines) + "\n")
    spec = importlib.util.spec_from_file_location("lowered_calls", path)
    found = importlib.util.module_from_spec(spec)
    sys.modules["lowered_calls"] = found
    spec.loader.exec_module(found)
    return [getattr(found, f"call_{number}") for number in range(len(calls))]


def named(call: str) -> list[str]:
    """The names of values in a call, once each, in their order."""
    return list(dict.fromkeys(re.findall(r"(?<![\w.\"'])([a-dj-nr-w])(?![\w\"'(=])", re.sub(r"lambda.*", "", call))))


def gradient(fn, args: tuple) -> str:
    """The time of a gradient with respect to the arrays of a call, in units of NumPy's value."""
    moving = tuple(k for k, arg in enumerate(args[:-1]) if arg.dtype.kind == "f")
    if not moving:
        return ""
    try:
        compiled = srcad.grad(fn, wrt=moving, unconnected_gradients="zero")
        compiled(*args)
    except srcad.SrcadError:
        return "refused"
    ours, theirs = by_turns(lambda: compiled(*args), lambda: fn(*args), seconds=0.3, rounds=5)
    return f"{middle(ours, theirs):.2f}"


def main(words: list[str], gradients: bool = False) -> None:
    calls = [call for call in CALLS.strip().splitlines() if not words or any(word in call for word in words)]
    given, ratios = values(), []
    for call, fn in zip(calls, functions(calls)):
        args = (*(given[name] for name in named(call)), 0.5)
        compiled = srcad.value_and_grad(fn, wrt=len(args) - 1)
        try:
            value = compiled(*args)[0]
        except srcad.SrcadError as error:
            print(f"{'refused':>8}  {call}: {str(error).splitlines()[0][:90]}", flush=True)
            continue
        np.testing.assert_allclose(value, fn(*args), rtol=1e-6)
        ours, theirs = by_turns(lambda: compiled(*args), lambda: fn(*args), seconds=0.3, rounds=7)
        ratios.append((middle(ours, theirs), call))
        print(f"{ratios[-1][0]:8.2f}  {gradient(fn, args) if gradients else '':>8}  {call}", flush=True)
    print("\nthe slowest:")
    for ratio, call in sorted(ratios)[-15:]:
        print(f"{ratio:8.2f}  {call}")


if __name__ == "__main__":
    main([word for word in sys.argv[1:] if word != "--gradients"], "--gradients" in sys.argv)
