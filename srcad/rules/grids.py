"""What rules ask of arrays that are laid side by side and on top of each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from srcad.lang.arrays import rank_of
from srcad.lang.ir import Call, Const, Expr, Tuple
from srcad.rules.axes import Axis, axes_of
from srcad.rules.static import static


@static
def is_grid(arrays: Any, axis: Axis) -> bool:
    """Whether matrices, or stacks of them, are laid on top of each other, each of which is laid side by side."""
    return isinstance(arrays, Tuple) and _along(axis, arrays.items[0]) == -2 and all(map(_side_by_side, arrays.items))


@static
def rows_of(arrays: Tuple) -> Tuple:
    """The parts of a grid, row by row."""
    return Tuple(tuple(row.args[0] for row in arrays.items))  # type: ignore[attr-defined]


def _side_by_side(row: Expr) -> bool:
    match row:
        case Call(np.concatenate, (Tuple(), Const(axis))) | Call(np.concatenate, (Tuple(),), (("axis", Const(axis)),)):
            return _along(axis, row) == -1
        case Call(np.hstack, (Tuple(items),), ()):
            return all(rank_of(item) == 2 for item in items)
    return False


def _along(axis: Axis, array: Expr) -> int | None:
    """An axis of an array, counted from the end."""
    ndim = rank_of(array)
    return axes_of(axis, ndim)[0] - ndim if isinstance(axis, int) and ndim > 1 else None
