"""Functions of NumPy written in terms of others.

What stands here is read and differentiated as if the user had written it: such a function needs no rule, no typing
rule and no lowering, and has derivatives of every order in every mode. ::

    @instead_of(np.ptp)
    def ptp(a, axis=None, *, keepdims=False):
        return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)

The functions have the parameters of NumPy's that change the result, and are plain Python: the tests run them as they
are and compare them with NumPy. Tests on ranks, dtypes and constants are decided when the derivative is written, and a
loop over a constant range is written out. A statement counts as one of the user's line that calls the function.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

table: dict[Any, Callable[..., Any]] = {}


def instead_of(*primitives: Any) -> Callable[[F], F]:
    """Enter the function that calls of these primitives are read as."""

    def enter(fn: F) -> F:
        table.update(dict.fromkeys(primitives, fn))
        return fn

    return enter


def find(primitive: Any) -> Callable[..., Any] | None:
    """The function to read in place of a primitive; a function of the library stands for itself.

    >>> import numpy as np
    >>> find(np.ptp).__name__, find(np.sin)
    ('ptp', None)
    """
    load()
    if str(getattr(primitive, "__module__", "")).startswith("srcad.library."):
        return primitive
    try:
        return table.get(primitive)
    except TypeError:  # not hashable
        return None


@functools.cache
def load() -> None:
    """Import every file of the library."""
    for module in pkgutil.iter_modules(__path__, "srcad.library."):
        importlib.import_module(module.name)
