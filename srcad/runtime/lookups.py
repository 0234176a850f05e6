"""The first places of numbers in vectors: where the keys of a dict that are computed are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable


@register_jitable
def first_equal(values: np.ndarray, value: Any) -> int:
    """The first place of a number in a vector, or -1.

    >>> first_equal(np.array([3, 1, 1]), 1), first_equal(np.array([3, 1, 1]), 2)
    (1, -1)
    """
    for k in range(values.shape[0]):
        if values[k] == value:
            return k
    return -1


@register_jitable
def first_pair(values: np.ndarray, others: np.ndarray, value: Any, other: Any) -> int:
    """The first place at which two vectors have two numbers, or -1.

    >>> first_pair(np.array([3, 1, 1]), np.array([0, 2, 5]), 1, 5)
    2
    """
    for k in range(values.shape[0]):
        if values[k] == value and others[k] == other:
            return k
    return -1
