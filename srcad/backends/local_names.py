"""Names of local variables that Numba can tell apart.

Numba's fused array expressions take the second version of a variable ``x``, which is ``x.1`` to Numba, and a variable
``x_1`` for one, and fail. Machine code has no names, so it is compiled from a function in which ``x_1`` is ``x_1_``.
"""

from __future__ import annotations

import re
import types
from typing import Any

_NUMBERED = re.compile(r"_\d+$")


def with_distinct_names(function: Any) -> Any:
    """The function, its confusing local names replaced.

    >>> def f(x, x_1):
    ...     return x * x_1
    >>> with_distinct_names(f).__code__.co_varnames
    ('x', 'x_1_')
    """
    code = function.__code__
    names = distinct(code.co_varnames)
    if names == code.co_varnames:
        return function
    renamed = types.FunctionType(
        code.replace(co_varnames=names), function.__globals__, function.__name__, function.__defaults__
    )
    renamed.__module__, renamed.__qualname__ = function.__module__, function.__qualname__
    return renamed


def distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of which none is another one with a number behind it.

    >>> distinct(("x", "x_1", "x_1_", "y_1"))
    ('x', 'x_1__', 'x_1_', 'y_1')
    """
    result = list(names)
    for position, name in enumerate(names):
        if _is_version(name, names):
            while name in result or name in names:
                name += "_"
            result[position] = name
    return tuple(result)


def _is_version(name: str, names: tuple[str, ...]) -> bool:
    stem = name
    while _NUMBERED.search(stem):
        stem = _NUMBERED.sub("", stem)
        if stem in names:
            return True
    return False
