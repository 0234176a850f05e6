"""custom_gradient: functions that say themselves what goes back through them."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np


class CustomGradient:
    """A function of which derivatives take the pullback that it returns beside its value."""

    function: Callable[..., Any]
    tangent: bool  # whether forward mode goes through the statements of the function

    def __init__(self, function: Callable[..., Any], tangent: bool = False) -> None:
        functools.update_wrapper(self, function)
        del vars(self)["__wrapped__"]  # what looks through it would find a function of two results
        self.function, self.tangent = function, tangent

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self.function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value alone. An array that is one of the arguments is copied: the result is a value of its own."""
        value, _ = checked(self.function, self.function(*args, **kwargs))
        return _apart(value, [arg for arg in (*args, *kwargs.values()) if isinstance(arg, np.ndarray)])

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<custom gradient of {getattr(self.function, '__qualname__', self.function)}>"


def custom_gradient(f: Callable[..., Any]) -> Any:
    """Let a function say what its gradient is.

    Parameters
    ----------
    f : callable
        A function that returns ``(y, pullback)``. ``pullback(dy)`` takes the cotangent of `y`, of its shape and dtype,
        and returns that of the argument, of the argument's; of several arguments a tuple, in their order, with None
        for zero. If `y` is a structure, the pullback takes one cotangent for each of its elements.

    Returns
    -------
    callable
        A function of the same arguments that returns `y` alone. Where it is differentiated, the statements of the
        pullback take the place of the derivative of what computes `y`. Of the second derivative, the first is the
        pullback's and the second is that of the statements in the pullback.

    Raises
    ------
    TypeError
        If `f` is no function, or does not return a pair of a value and a function.
    UnsupportedError
        When it is differentiated: in forward mode, which a pullback does not say; if the pullback returns cotangents of
        another number or rank than the arguments; and if `f` reads something from around it that is differentiated.

    Examples
    --------
    >>> import numpy as np
    >>> import srcad
    >>> @srcad.custom_gradient
    ... def log1pexp(x):
    ...     e = np.exp(x)
    ...     def pullback(dy):
    ...         return dy * (1 - 1 / (1 + e))
    ...     return np.log1p(e), pullback
    >>> bool(log1pexp(0.0) == np.log(2.0))
    True
    >>> srcad.grad(lambda x: 3.0 * log1pexp(x), target="python")(0.0)
    1.5
    """
    if not callable(f):
        raise TypeError(f"custom_gradient takes a function, not {f!r}")
    return CustomGradient(f)


def custom_reverse(f: Callable[..., Any]) -> Any:
    """As `custom_gradient`, of a function whose own statements are right in forward mode."""
    return CustomGradient(f, tangent=True)


def checked(f: Callable[..., Any], result: Any) -> tuple[Any, Any]:
    """What a function returns, if it is a value and its pullback."""
    if not (isinstance(result, (tuple, list)) and len(result) == 2 and callable(result[1])):
        name = getattr(f, "__name__", "f")
        raise TypeError(f"{name} has a custom gradient and must return (y, pullback), not {result!r}")
    return result[0], result[1]


def _apart(value: Any, arguments: list[np.ndarray]) -> Any:
    """A result that shares no memory with an argument."""
    if isinstance(value, np.ndarray):
        return value.copy() if any(np.may_share_memory(value, argument) for argument in arguments) else value
    if type(value) in (tuple, list):
        return type(value)(_apart(item, arguments) for item in value)
    return value
