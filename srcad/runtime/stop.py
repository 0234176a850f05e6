"""stop_gradient: a value that derivatives take for a constant."""

from __future__ import annotations

from typing import TypeVar

from numba.extending import register_jitable

T = TypeVar("T")


@register_jitable
def stop_gradient(x: T) -> T:
    """`x` itself, with a zero derivative.

    Works in plain Python, in ``@njit`` functions, and in functions that are differentiated.

    Parameters
    ----------
    x
        A number or an array of any shape and dtype.

    Examples
    --------
    >>> import srcad
    >>> def f(x):
    ...     return srcad.stop_gradient(x) * x
    >>> srcad.grad(f, target="python")(3.0)
    3.0
    """
    return x


@register_jitable
def solution(x: T, orders: int) -> T:
    """`x` itself, the solution of an equation, with a zero derivative; the statements that follow carry others.

    `orders` says how many times what follows may be differentiated; every derivative counts one less.
    """
    return x
