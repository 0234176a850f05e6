"""Machine code is made of what is called from outside, and of the rest when somebody asks."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from numba.core import types
from numba.extending import overload

import srcad
from srcad.backends.outermost import Waiting, outermost


def checked(x):
    """A function that only stands in others."""


@overload(checked)
def _checked(x):
    def check(x):
        if x < 0.0:
            raise ValueError("less than", x)
        return x

    return check


@njit
def first(x):
    return 2.0 * checked(x)


@njit
def second(x):
    return 3.0 * checked(x)


def libraries(dispatcher):
    """The library of a compiled function, and those of what it contains."""
    whole = dispatcher.overloads[(types.float64,)].library
    return whole, [each for each in whole._linking_libraries if "checked" in each.name or "check" in each.name]


def test_what_stands_in_others_waits_and_raises_with_its_values():
    with outermost():
        first.compile((types.float64,))
    whole, parts = libraries(first)
    assert not isinstance(whole, Waiting) and parts and all(isinstance(each, Waiting) for each in parts)
    assert first(2.0) == 4.0
    with pytest.raises(ValueError, match="less than"):
        first(-1.0)
    assert second(2.0) == 6.0  # compiled by Numba alone, of the same part
    assert not any(isinstance(each, Waiting) for each in parts)
    with pytest.raises(ValueError, match="less than"):
        second(-1.0)


def test_derivatives_in_functions_of_the_user():
    def f(a):
        return np.sum(a * a)

    slope = srcad.grad(f)

    @njit
    def total(a):
        return slope(a).sum()

    assert total(np.array([1.0, 2.0])) == 6.0


FIRST = """
import srcad

def halves(a, depth):
    return a * a if depth == 0 else halves(0.5 * a, depth - 1) + halves(0.3 * a, depth - 1)

print(srcad.grad(lambda a: halves(a, 3))(1.0))
"""


def test_what_calls_itself_may_be_the_first_of_a_process(tmp_path):
    """Two versions of it, for the number 3 and for any, where Numba's own memory has no machine code yet."""
    script = tmp_path / "first.py"
    script.write_text(FIRST)
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=root, check=False,
                          env={"PYTHONPATH": str(root), "SRCAD_CACHE_DIR": str(tmp_path)})  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert float(done.stdout) == pytest.approx(2.0 * 0.34**3)
