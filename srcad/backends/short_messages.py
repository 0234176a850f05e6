"""A constant message for slices and arrays of different lengths, in machine code.

Numba formats the two shapes where ``a[1:] = b`` fails: texts are joined in every such statement. That code takes
seconds to compile in a new process, and a second for each statement after that.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.extending import overload
from numba.np import arrayobj

_NAME = "raise_with_shape_context"  # what Numba calls there, for targets to give it a form of their own


def _differing(values: Any, place: Any) -> None:
    """The error for values of a shape that does not fit the place they are assigned to."""
    raise ValueError("cannot assign an array to a slice of another shape")


@overload(_differing)
def _compiled(values: Any, place: Any) -> Any:
    return _differing


@contextmanager
def short_messages() -> Iterator[None]:
    """What is compiled inside has the constant message; Numba's lock is held, so nothing else is."""
    before = getattr(arrayobj, _NAME, None)
    if before is None:  # another version of Numba
        yield
        return
    setattr(arrayobj, _NAME, _differing)
    try:
        yield
    finally:
        setattr(arrayobj, _NAME, before)
