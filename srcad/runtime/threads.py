"""Into how many parts the iterations of a loop go that several threads share."""

from __future__ import annotations

import numba
from numba import get_num_threads
from numba.extending import overload

prange = numba.prange


def parts(iterations: int, least: int) -> int:
    """As many parts as there are threads, each of `least` iterations or more; one for short loops.

    >>> parts(100, 1000)
    1
    """
    return max(1, min(get_num_threads(), iterations // least))


@overload(parts)
def _parts(iterations, least):
    return lambda iterations, least: max(1, min(get_num_threads(), iterations // least))
