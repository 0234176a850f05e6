"""checkpoint: loops whose reverse keeps the state now and then, and runs again from there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from numba.extending import overload

T = TypeVar("T", bound=Iterable[Any])


def checkpoint(iterable: T, every: int | None = None, states: int | None = None) -> T:
    """What a loop goes over, in segments: its reverse records the state once a segment, and runs segments again.

    Reverse mode records what each iteration started with. Of a loop over ``checkpoint(range(n), every=k)`` it keeps
    that once in `k` iterations only; backwards, each segment is run again from there, with a record of the length of a
    segment. Instead of `n` states, ``n / k + k`` are held at a time, least of all with the square root of `n`, and the
    loop runs once more. With `states`, no more than so many are kept, those from which fewest iterations are run again;
    the memory no longer depends on `n`. In plain Python, and in what is not differentiated, it is just the iterable.

    Parameters
    ----------
    iterable
        A range, or what else a for statement goes over.
    every : int, optional
        The length of a segment, by default about the square root of the number of iterations, and 1 with `states`.
    states : int, optional
        How many states are kept at a time; by default, that of each segment.

    Raises
    ------
    ValueError, TypeError
        If `every` or `states` is no positive integer.

    Notes
    -----
    The states that are kept of `states` follow the binomial schedule of A. Griewank and A. Walther, "Algorithm 799:
    revolve", ACM Transactions on Mathematical Software 26 (2000): with `s` states, ``comb(s + r, s)`` segments are
    reversed with at most `r` more runs of each, and no schedule needs fewer. Of a loop that is left early, nobody knows
    the number of iterations beforehand: whenever the room is full, every other state goes.

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
    >>> def long_orbit(r, x, n):
    ...     for t in srcad.checkpoint(range(n), every=50, states=20):
    ...         x = r * x * (1.0 - x)
    ...     return x
    >>> srcad.explain(srcad.grad(long_orbit), args=(2.5, 0.4, 10_000)).bytes
    560
    """
    for name, number in (("every", every), ("states", states)):
        if number is not None and (isinstance(number, bool) or not hasattr(number, "__index__")):
            raise TypeError(f"checkpoint: {name} must be an integer, not {number!r}")
        if number is not None and number < 1:
            raise ValueError(f"checkpoint: {name} must be 1 or more")
    return iterable


@overload(checkpoint)
def _checkpoint(iterable, every=None, states=None):
    return lambda iterable, every=None, states=None: iterable
