"""The body of a ``try``, done once to see whether a handler is reached; the derivative then follows what was found."""

from __future__ import annotations

import io
import types
import warnings
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from srcad.runtime.wholes import Part, has_list, made, unchanged


@dataclass(frozen=True, eq=False)
class Attempt:
    """The number of the handler that some statements reach, from 1 on; 0: none.

    `inner` does the statements, with copies of arrays. It is Python's own that fails, so that each number has to be
    what it is to the user: `kinds` are the dtypes of those that may be NumPy's, None for Python's, tuples for tuples.
    A sum that begins with ``0.0`` is NumPy's after elements of an array, and Python's where there are none: where the
    one fails and the other does not, the call fails.
    `wholes` say what the arguments of `inner` are made of, see `srcad.runtime.wholes`; numbers and arrays as they come,
    where there are none. `quiet`: a context around the ``try`` may keep NumPy from
    warning.

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
    wholes: tuple[Part, ...] = ()
    quiet: bool = False

    __name__ = "attempt"

    def made_of(self, wholes: tuple[Part, ...]) -> Attempt:
        """The same, with arguments that are made of these parts."""
        return replace(self, wholes=wholes)

    def of(self, kinds: tuple[Any, ...]) -> Attempt:
        """The same, for numbers of these kinds."""
        return replace(self, kinds=kinds)

    def __call__(self, *args: Any) -> int:
        kinds = self.kinds or (None,) * len(args)
        flags: list[str] = []
        with _noting(flags, self.quiet), redirect_stdout(io.StringIO()):
            handler = self._handler(args, kinds)
            as_pythons = tuple(map(_as_pythons, kinds))
            unsure = as_pythons != kinds or any(map(has_list, self.wholes))
            if flags and unsure and self._handler(args, as_pythons, True) != handler:
                raise RuntimeError(
                    "a number in the body of a try, which may be NumPy's or Python's, fails as one of them only: "
                    "write float(...) of it before")
        return handler

    def _handler(self, args: tuple[Any, ...], kinds: tuple[Any, ...], pythons: bool = False) -> int:
        """The number of the handler, for numbers of these kinds; those in lists are `pythons`, or NumPy's."""
        given = [_own(value, kind) for value, kind in zip(args, kinds)]
        before = [value.copy() if isinstance(value, np.ndarray) else None for value in given]
        values = made(self.wholes, given, pythons)
        handler = int(self.inner(*values))
        if handler and any(was is not None and not _same(was, now) for was, now in zip(before, given)):
            raise RuntimeError("the body of a try changes an array before it fails: the handler would go on with it")
        if handler and not unchanged(self.wholes, values, given):
            raise RuntimeError("the body of a try changes an object before it fails: the handler would go on with it")
        return handler


def _noting(flags: list[str], quiet: bool) -> np.errstate:
    """Where NumPy notes divisions by zero and the like instead of warning: the body warns once more.

    What the user has made an error of such warnings is one, unless a context around the ``try`` keeps them `quiet`. The
    derivative itself ignores them, so that those are meant too.
    """
    errors = (kind for action, _, kind, *_ in warnings.filters if action == "error")
    raises = not quiet and any(issubclass(RuntimeWarning, kind) for kind in errors)
    usual = {error: done for error, done in np.geterr().items() if done in ("warn", "ignore") and error != "under"}
    noted: Any = dict.fromkeys(usual, "warn" if raises else "call")
    return np.errstate(call=lambda error, _: flags.append(error), **noted)


def _as_pythons(kind: Any) -> Any:
    return tuple(map(_as_pythons, kind)) if isinstance(kind, tuple) else None


def _own(value: Any, kind: Any) -> Any:
    """A value that may be changed, as it is to the user."""
    if isinstance(kind, tuple):
        return tuple(map(_own, value, kind))
    if isinstance(value, np.ndarray):
        return value.copy()
    if kind is not None:
        return np.dtype(kind).type(value)
    return value.item() if isinstance(value, np.generic) else value


def _same(was: np.ndarray, now: np.ndarray) -> bool:
    return was.tobytes() == now.tobytes()
