"""What a workload is: a function in the styles in which users write it, and who else computes its derivative."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numba

import srcad
from srcad.backends.stack import Aligned
from srcad.backends.vector_math import vectorising

NUMBA = {"error_model": "numpy", "fastmath": {"reassoc", "contract", "nsz"}}


def compiled(function: Callable) -> Callable:
    """What Numba makes of a function, with the flags and the vector mathematics that derivatives are compiled with."""
    space = dict(function.__globals__)
    vectorising(space, inspect.getsource(function))
    mended = types.FunctionType(function.__code__, space, function.__name__, function.__defaults__)
    return numba.njit(**NUMBA, pipeline_class=Aligned)(mended)


@dataclass(frozen=True)
class Workload:
    """A function with arguments.

    `styles` are the function as users write it, `by_hand` is value and gradient as an expert writes them. `library`
    makes the function for array libraries, from a module of NumPy's interface and a `scan` like that of JAX; it is None
    where they have nothing to offer. `transform` makes the derivative, `around` what is called of the derivative, and
    `example` are arguments of the function itself where these differ.
    """

    name: str
    styles: dict[str, Callable]
    by_hand: Callable
    arguments: tuple
    library: Callable[..., Callable] | None = None
    wrt: Any = 0
    transform: Callable = srcad.value_and_grad
    around: Callable[[Callable], Callable] = lambda derivative: derivative
    example: tuple = ()
    tolerance: float = 1e-9

    def derivative(self, style: str) -> Any:
        return self.transform(self.styles[style], wrt=self.wrt)
