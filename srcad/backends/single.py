"""Axes of one element: where lengths differ that a text takes to agree, one of them is hardly ever anything else.

Masses of shape (n, 1) beside velocities of shape (n, 3) are repeated along the second axis. A text for such arguments
can still be loops over elements; one in which nothing is known of any length can not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from srcad.lang.types import Array, Type

Axes = tuple[tuple[int, int], ...]  # arguments by their places, and their axes


def axes_of_one(names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Axes:
    """The axes of arguments, passed by place or by name, that have one element.

    >>> axes_of_one(("x", "m"), (np.ones((5, 3)),), {"m": np.ones((5, 1))})
    ((1, 1),)
    """
    passed = [*enumerate(args), *((names.index(name), arg) for name, arg in kwargs.items() if name in names)]
    ones = [(place, arg.shape) for place, arg in passed if isinstance(arg, np.ndarray) and 1 in arg.shape]
    return tuple((place, axis) for place, shape in ones if place < len(names)
                 for axis, length in enumerate(shape) if length == 1)  # fmt: skip


def with_axes_of_one(types: tuple[Type, ...], axes: Axes) -> tuple[Type, ...]:
    """Types of arguments of which axes have one element.

    >>> with_axes_of_one((Array("float64", ("a", "b"), "C"),), ((0, 1),))
    (Array(dtype='float64', shape=('a', 1), layout='C'),)
    """
    if not axes:
        return types
    return tuple(
        replace(kind, shape=tuple(1 if (place, axis) in axes else dim for axis, dim in enumerate(kind.shape)))
        if isinstance(kind, Array) else kind
        for place, kind in enumerate(types)
    )  # fmt: skip
