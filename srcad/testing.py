"""Checks of derivatives against finite differences, for users' functions and for rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

__all__ = ["check_grads", "check_rule"]


def check_grads(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    order: int = 1,
    modes: Iterable[str] = ("fwd", "rev"),
    *,
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
    target: str = "cpu",
) -> None:
    """Compare the derivatives of a function with finite differences along random directions, and with each other.

    Parameters
    ----------
    f : callable
        A function of numbers, arrays and structures of them; also a derivative.
    args : tuple
        Where to check. Derivatives are checked with respect to all floats, complex numbers and arrays of them.
    order : int
        The highest order of derivatives: the derivatives of order 2 are the derivatives of those of order 1, in all
        combinations of the modes, and so on.
    modes : iterable of str
        ``"fwd"``, forward mode, and ``"rev"``, reverse mode. Both together are also compared with each other.
    atol, rtol : float, optional
        Tolerances; by default 1e-6 in double, 1e-2 in single precision.
    eps : float, optional
        The step of the finite differences; by default 1e-4 in double, 1e-2 in single precision.
    target : {"cpu", "python"}
        As for `srcad.grad`.

    Raises
    ------
    AssertionError
        if any two of them disagree; it says which.
    ValueError
        for an order below 1, for other modes, and for arguments without a float.

    Examples
    --------
    >>> check_grads(lambda x: x * x, (3.0,), target="python")
    >>> check_grads(lambda x: x * x * x, (3.0,), modes=("rev",), target="python")
    """
    from srcad.differences import Check, is_float, numbers

    chosen = frozenset([modes] if isinstance(modes, str) else modes)
    if not chosen or chosen - {"fwd", "rev"}:
        raise ValueError(f"modes must be among 'fwd' and 'rev', not {modes!r}")
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise ValueError(f"order must be 1, 2, 3, ..., not {order!r}")
    floats = [np.asarray(number) for arg in args for number in numbers(arg) if is_float(number)]
    single = any(number.real.dtype.itemsize < 8 for number in floats)
    default = 1e-2 if single else 1e-6
    tolerance = {"atol": default if atol is None else atol, "rtol": default if rtol is None else rtol}
    step = eps or (1e-2 if single else 1e-4)
    Check(chosen, tolerance, step, target, np.random.default_rng(0)).run(f, args, order)


def check_rule(primitive: Any, *operands: Any, compiled: bool = True, **named: Any) -> None:
    """Check the rule of a primitive for one form of call.

    The reverse statements are compared with finite differences, the forward statement with the reverse ones, single
    with double precision, and what Numba compiles with what the interpreter does.

    Parameters
    ----------
    primitive : callable
        What the rule is for.
    *operands, **named
        The arguments of the call. In the place of an operand that has a derivative, a tuple of integers stands for a
        random array of that shape (and for a tuple of operands, a tuple of shapes).
    compiled : bool
        Whether to compile, too.

    Raises
    ------
    AssertionError
        if any two of them disagree.

    Examples
    --------
    >>> check_rule(np.matmul, a=(3, 4), b=(4,), compiled=False)
    """
    from srcad.checking import check

    check(primitive, operands, named, compiled)
