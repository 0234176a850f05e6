"""Functions that nothing is known about but this: they were seen to return a view of an argument.

`np.lib.stride_tricks.as_strided` has no rule. What it returns is still the memory of what it was given, and a write to
the one changes the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from srcad.lang.left import Left

_seen: dict[int, Any] = {}  # by identity; the functions stay alive


def look(fn: Any, values: list[Any], result: Any) -> None:
    """Note a function whose result, of these arguments, lies in an argument's memory.

    >>> look(np.flip, [x := np.ones(3)], x[::-1])
    >>> gives_views(np.flip), gives_views(np.sort)
    (True, False)
    """
    given = [value for value in values if isinstance(value, np.ndarray)]
    parts = result if isinstance(result, tuple) else (result,)
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if any(np.may_share_memory(one, other) for one in given for other in arrays):
        fn = _plain(fn)
        _seen[id(fn)] = fn


def gives_views(fn: Any) -> bool:
    """Whether a function was seen to return a view of an argument."""
    return id(_plain(fn)) in _seen


def _plain(fn: Any) -> Any:
    return fn.fn if isinstance(fn, Left) else fn
