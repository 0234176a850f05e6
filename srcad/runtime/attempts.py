"""The body of a ``try``, done once to see whether a handler is reached; the derivative then follows what was found."""

from __future__ import annotations

import io
import types
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Attempt:
    """The number of the handler that some statements reach, from 1 on; 0: none.

    `inner` does the statements, with copies of arrays. It is Python's own that fails, so that each number has to be
    what it is to the user: `kinds` are the dtypes of those that are NumPy's, None for Python's, tuples for tuples.
    `known` are arguments that are no numbers or arrays.

    >>> def divided(a, b):
    ...     try:
    ...         a / b
    ...     except ZeroDivisionError:
    ...         return 1
    ...     return 0
    >>> attempt = Attempt(divided)
    >>> attempt(1.0, 2.0), attempt(1.0, 0.0)
    (0, 1)
    """

    inner: types.FunctionType
    kinds: tuple[Any, ...] = ()
    known: tuple[tuple[int, Any], ...] = ()

    __name__ = "attempt"

    def knowing(self, values: dict[int, Any]) -> Attempt:
        """The same, with the arguments at some places given."""
        return replace(self, known=tuple(sorted(values.items(), key=lambda item: item[0])))

    def of(self, kinds: tuple[Any, ...]) -> Attempt:
        """The same, for numbers of these kinds."""
        return replace(self, kinds=kinds)

    def __call__(self, *args: Any) -> int:
        quiet: Any = {error: "ignore" for error, done in np.geterr().items() if done == "warn"}  # once is enough
        with np.errstate(**quiet), redirect_stdout(io.StringIO()):
            kinds = self.kinds or (None,) * len(args)
            given = [_own(value, kind) for value, kind in zip(args, kinds)]
            before = [value.copy() if isinstance(value, np.ndarray) else None for value in given]
            values = given.copy()
            for place, value in self.known:
                values.insert(place, value)
            handler = int(self.inner(*values))
        if handler and any(was is not None and not _same(was, now) for was, now in zip(before, given)):
            raise RuntimeError("the body of a try changes an array before it fails: the handler would go on with it")
        return handler


def _own(value: Any, kind: Any) -> Any:
    """A value that may be changed, as it is to the user."""
    if isinstance(kind, tuple):
        return tuple(map(_own, value, kind))
    if isinstance(value, np.ndarray):
        return value.copy()
    return value if kind is None else np.dtype(kind).type(value)


def _same(was: np.ndarray, now: np.ndarray) -> bool:
    return was.tobytes() == now.tobytes()
