"""Functions that compiled code calls in the interpreter."""

from __future__ import annotations

from typing import Any

from numba import njit, objmode
from numba.core import types as nb
from numba.np.numpy_support import from_dtype
from numpy import dtype

from srcad.lang.left import Left
from srcad.lang.types import NONE, Array, Scalar, TupleType, Type


def interpreted(function: Left) -> Any:
    """A function that is left alone, as compiled code can call it.

    >>> from srcad.lang.types import Scalar
    >>> @njit
    ... def twice(n):
    ...     return 2 * count(n)
    >>> count = interpreted(Left(lambda n: len({k % 3 for k in range(n)})).giving(Scalar("int64")))
    >>> twice(7)
    6
    """
    if function.returns == NONE:
        def call(*args):  # type: ignore[no-untyped-def]
            with objmode():
                function(*args)
    else:
        returned = numba_type(function.returns)

        def call(*args):  # type: ignore[no-untyped-def]
            with objmode(result=returned):
                result = function(*args)
            return result

    return njit(call)


def numba_type(kind: Type | None) -> nb.Type:
    """The type in compiled code of what a function in the interpreter returns."""
    if isinstance(kind, TupleType):
        return nb.Tuple(tuple(map(numba_type, kind.items)))
    if isinstance(kind, Array):
        return nb.Array(from_dtype(dtype(kind.dtype)), kind.ndim, "C")
    return from_dtype(dtype(kind.dtype)) if isinstance(kind, Scalar) else nb.unicode_type
