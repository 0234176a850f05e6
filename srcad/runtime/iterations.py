"""What a loop says of its iterations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_builtin
from numba.extending import type_callable

INDEPENDENT = "srcad.independent"  # kinds of metadata of an instruction before a loop
APART = "srcad.apart"


def independent(iterations: range) -> range:
    """The iterations of a loop of which none reads or writes an element of an array that another one writes.

    >>> list(independent(range(3)))
    [0, 1, 2]
    """
    return iterations


def apart(iterations: range) -> range:
    """Such iterations, which hand numbers on, one to the next.

    >>> list(apart(range(3)))
    [0, 1, 2]
    """
    return iterations


def _typed(context: Any) -> Callable[[Any], Any]:
    return lambda iterations: iterations if isinstance(iterations, types.RangeType) else None


def _marked(kind: str) -> Callable[..., Any]:
    def generate(context: Any, builder: Any, signature: Any, args: tuple) -> Any:
        """The same range, after an instruction without effect that bears the mark."""
        zero = ir.Constant(ir.IntType(1), 0)
        builder.or_(zero, zero).set_metadata(kind, builder.module.add_metadata(()))
        return args[0]

    return generate


for function, kind in ((independent, INDEPENDENT), (apart, APART)):
    type_callable(function)(_typed)
    lower_builtin(function, types.RangeType)(_marked(kind))
