"""checkpoint: loops whose reverse keeps the state now and then, and runs again from there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from numba.extending import overload

T = TypeVar("T", bound=Iterable[Any])


def checkpoint(iterable: T, every: int | None = None) -> T:
    """What a loop goes over, in segments: its reverse records the state once a segment, and runs segments again.

    Reverse mode records what each iteration started with. Of a loop over ``checkpoint(range(n), every=k)`` it keeps
    that once in `k` iterations only; backwards, each segment is run again from there, with a record of the length of a
    segment. Instead of `n` states, ``n / k + k`` are held at a time, least of all with the square root of `n`, and the
    loop runs once more. In plain Python, and in what is not differentiated, it is just the iterable.

    Parameters
    ----------
    iterable
        A range, or what else a for statement goes over.
    every : int, optional
        The length of a segment, by default about the square root of the number of iterations.

    Raises
    ------
    ValueError, TypeError
        If `every` is no positive integer.

    Notes
    -----
    Schedules with a fixed number of checkpoints are due to A. Griewank, "Achieving logarithmic growth of temporal and
    spatial complexity in reverse automatic differentiation", Optimization Methods and Software 1 (1992); with segments
    of one length, as here, memory grows as the square root, and every iteration is run again once.

    Examples
    --------
    >>> import srcad
    >>> def orbit(r, x, n):
    ...     for t in srcad.checkpoint(range(n), every=100):
    ...         x = r * x * (1.0 - x)
    ...     return x
    >>> df = srcad.grad(orbit)
    >>> round(df(2.5, 0.4, 10_000), 12)
    0.16
    >>> srcad.explain(df, args=(2.5, 0.4, 10_000)).bytes
    1600
    """
    if every is not None and (isinstance(every, bool) or not hasattr(every, "__index__")):
        raise TypeError(f"checkpoint: every must be an integer, not {every!r}")
    if every is not None and every < 1:
        raise ValueError("checkpoint: every must be 1 or more")
    return iterable


@overload(checkpoint)
def _checkpoint(iterable, every=None):
    return lambda iterable, every=None: iterable
