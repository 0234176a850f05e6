"""Checks of derivatives against finite differences, for users' functions and for rules."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

__all__ = ["check_grads", "check_rule"]


def check_grads(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    order: int = 1,
    modes: Iterable[str] = ("rev",),
    *,
    atol: float | None = None,
    rtol: float | None = None,
    eps: float | None = None,
    target: str = "cpu",
) -> None:
    """Compare the derivative of a function with finite differences along random directions.

    Parameters
    ----------
    f : callable
        A function of numbers and arrays; it returns a number, an array, or a tuple of them.
    args : tuple
        Where to check. Derivatives are checked with respect to all floats and arrays of floats among them.
    order : int
        The order of the derivative: 1.
    modes : iterable of str
        ``"rev"``, reverse mode.
    atol, rtol : float, optional
        Tolerances; by default 1e-6 in double, 1e-2 in single precision.
    eps : float, optional
        The step of the finite differences; by default 1e-4 in double, 1e-2 in single precision.
    target : {"cpu", "python"}
        As for `srcad.grad`.

    Raises
    ------
    AssertionError
        if they disagree.

    Examples
    --------
    >>> check_grads(lambda x: x * x, (3.0,), target="python")
    """
    import srcad

    unknown = set(modes) - {"rev"}
    if unknown or order != 1:
        raise ValueError(f"check_grads checks order=1 and modes=('rev',), not order={order}, modes={tuple(modes)}")
    wrt = tuple(i for i, arg in enumerate(args) if np.asarray(arg).dtype.kind == "f")
    if not wrt:
        raise ValueError("args has no float and no array of floats")
    single = any(np.asarray(args[i]).dtype.itemsize < 8 for i in wrt)
    default = 1e-2 if single else 1e-6
    tolerance: dict[str, Any] = {"atol": default if atol is None else atol, "rtol": default if rtol is None else rtol}
    step = eps or (1e-2 if single else 1e-4)
    rng = np.random.default_rng(0)
    value = f(*copy.deepcopy(args))
    seed = _like(value, rng)
    gradients = srcad.grad(f, wrt=wrt, target=target)(*copy.deepcopy(args), grad_ys=seed)
    for _ in range(2):
        directions = {i: _like(args[i], rng) for i in wrt}
        expected = _inner(seed, _slope(f, args, directions, step))
        found = sum(_inner(g, directions[i]) for i, g in zip(wrt, gradients) if g is not None)
        np.testing.assert_allclose(found, expected, **tolerance, err_msg="gradient and finite differences disagree")


def _like(value: Any, rng: np.random.Generator) -> Any:
    """Random numbers of a value's structure, shapes and dtypes."""
    if isinstance(value, tuple):
        return tuple(_like(v, rng) for v in value)
    sample = rng.normal(size=np.shape(value))
    return sample.astype(np.asarray(value).dtype) if np.ndim(value) else float(sample)


def _inner(a: Any, b: Any) -> float:
    if isinstance(a, tuple):
        return sum(map(_inner, a, b))
    return float(np.sum(np.asarray(a, float) * np.asarray(b, float)))


def _slope(f: Callable[..., Any], args: tuple[Any, ...], directions: dict[int, Any], step: float) -> Any:
    """The directional derivative, by central differences of fourth order."""

    def at(t: float) -> Any:
        return f(*(a + np.asarray(a).dtype.type(t) * directions[i] if i in directions else copy.deepcopy(a)
                   for i, a in enumerate(args)))  # fmt: skip

    points = [(8 / 12, at(step)), (-8 / 12, at(-step)), (-1 / 12, at(2 * step)), (1 / 12, at(-2 * step))]
    if isinstance(points[0][1], tuple):
        return tuple(_combine([(w, value[k]) for w, value in points], step) for k in range(len(points[0][1])))
    return _combine(points, step)


def _combine(points: list[tuple[float, Any]], step: float) -> Any:
    return sum(weight * np.asarray(value, float) for weight, value in points) / step


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
