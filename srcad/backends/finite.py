"""Numba's test for finite numbers, as it has to be where LLVM may put sums in another order.

Numba asks whether ``y - y`` is a number. Of ``y = a + b`` that is ``a + b - a - b``, which is zero once sums may be
reassociated: every sum is finite then, infinite ones and those that are no number, too.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.cpython import mathimpl
from numba.np import npyfuncs


def is_finite(builder: Any, value: Any) -> Any:
    """Whether the size of a number is less than infinity; it is not if it is no number."""
    size = builder.call(builder.module.declare_intrinsic("llvm.fabs", [value.type]), [value])
    return builder.fcmp_ordered("<", size, ir.Constant(value.type, float("inf")))


def compile_tests_for_finite_numbers() -> None:
    """Let all that is compiled from now on test numbers in this way."""
    for module in (mathimpl, npyfuncs.mathimpl):  # one for Python's function, one for NumPy's
        vars(module)["is_finite"] = is_finite
