"""Places that are found by a search through an array: these are within it."""

from __future__ import annotations

import numpy as np

from srcad.lang.ir import Call, Const, Expr, Slice
from srcad.lang.types import Array, Dim
from srcad.runtime import nth_smallest

_ORDERS = (np.argsort, np.argpartition, nth_smallest)  # along the last axis, unless another one is given
_EXTREMES = (np.argmax, np.argmin)


def searched(search: Call) -> Dim | None:
    """The length of the axis along which a call finds all the places that it gives; None: of what is no search.

    >>> from srcad.lang.ir import Var
    >>> x = Var("x", Array("float64", ("x.shape[0]", "x.shape[1]"), "C"))
    >>> searched(Call(np.argsort, (x,), (("axis", Const(0)),))), searched(Call(np.sort, (x,)))
    ('x.shape[0]', None)
    """
    kind = getattr(search.args[0], "type", None) if search.args else None
    if not isinstance(kind, Array) or search.fn not in (*_ORDERS, *_EXTREMES, np.flatnonzero):
        return None
    if kind.ndim == 1:
        return kind.shape[0]
    given = () if search.fn is nth_smallest else search.args[2 if search.fn is np.argpartition else 1 :]
    axis = dict(search.kwargs).get("axis", given[0] if given else Const(-1 if search.fn in _ORDERS else None))
    return kind.shape[axis.value] if isinstance(axis, Const) and isinstance(axis.value, int) else None


def leaves_axis(part: Expr) -> bool:
    """Whether a part of an index takes all of an axis, or adds one."""
    return part == Slice(None, None) or isinstance(part, Const) and part.value is None
