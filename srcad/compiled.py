"""Compiled functions that take gradients themselves: `function`, and `gradients` inside it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, Union

from srcad.api import DECORATOR, checked_function
from srcad.callables import as_function
from srcad.derivation import build
from srcad.options import Options
from srcad.settings import checked_options


class AggregationMethod(enum.Enum):
    """How the contributions to one cotangent are put together: all in one sum, in pairs, or one after the other.

    >>> @function
    ... def in_pairs(x):
    ...     return gradients(x * x + 2.0 * x, x, aggregation_method=AggregationMethod.EXPERIMENTAL_TREE)[0]
    >>> in_pairs(3.0)
    8.0
    """

    ADD_N = "add_n"
    DEFAULT = "add_n"
    EXPERIMENTAL_TREE = "tree"
    EXPERIMENTAL_ACCUMULATE_N = "accumulate_n"


class UnconnectedGradients(str, enum.Enum):
    """What stands for a gradient where nothing connects the two values: None, or zeros.

    >>> UnconnectedGradients("zero") is UnconnectedGradients.ZERO
    True
    """

    NONE = "none"
    ZERO = "zero"


def function(
    f: Callable = DECORATOR,
    *,
    target: str = "cpu",
    fastmath: Union[bool, Iterable[str]] = True,
    parallel: bool = False,
    debug: bool = False,
    nan_check: bool = False,
    optimize: bool = True,
) -> Any:
    """Compile a function in which `gradients` is called.

    The calls are expanded while compiling: the source holds the adjoint statements in their place.

    Parameters
    ----------
    f : callable
        A Python function. Without it, `function` makes a decorator.
    target, fastmath, parallel, debug, nan_check, optimize
        As for `grad`.

    Returns
    -------
    callable
        A function of the same arguments with the same results; ``.source()`` is what it was compiled from.

    Raises
    ------
    TypeError, ValueError
        For a wrong option, here; for wrong arguments of `gradients`, at the first call.
    UnsupportedError, NoGradientError
        As for `grad`, at the first call.

    Examples
    --------
    >>> @function
    ... def slope(x):
    ...     y = x**3
    ...     return gradients(y, x)[0]
    >>> slope(2.0)
    12.0
    """
    options = checked_options("function", (), "none", False, target, fastmath, parallel, debug, nan_check, optimize)

    def compiled(f: Any) -> Any:
        f = as_function(f)
        checked_function(f, "function")
        return build(f, Options(wrt=(), single=False, **options))

    return compiled if f is DECORATOR else compiled(f)


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: AggregationMethod | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: str = "none",
) -> Any:
    """The gradients of the sum of `ys` with respect to each of `xs`, in a function compiled by `srcad.function`.

    Parameters
    ----------
    ys : value, or list of values
        Numbers and arrays.
    xs : name, or list of names
        Parameters or values computed on the way to `ys`, under the names that they have.
    grad_ys : list, optional
        One seed for each of `ys`, of its shape; None for ones.
    name : str
        Heads the generated statements.
    gate_gradients : bool
        All gradients are complete before the first is used; they always are.
    aggregation_method : AggregationMethod, optional
        How contributions to one cotangent are put together.
    stop_gradients : list of names, optional
        Values through which nothing is differentiated.
    unconnected_gradients : {"none", "zero"}
        What stands for the gradient of a value that `ys` do not depend on, or that is an integer.

    Returns
    -------
    list
        One gradient for each of `xs`, of its shape and dtype.

    Raises
    ------
    RuntimeError
        Outside of a compiled function.
    ValueError
        For seeds of another number or shape than `ys`, and for unknown options.
    NoGradientError
        If what connects the two has no rule.

    Examples
    --------
    >>> @function
    ... def both(a, b):
    ...     c = a * b
    ...     return gradients(c * c + c, [a, c])
    >>> both(2.0, 3.0)
    [39.0, 13.0]
    """
    raise RuntimeError("gradients can only be called in a function that is compiled by srcad.function; outside of one, "
                       "srcad.grad makes derivatives of functions")  # fmt: skip


gradients.is_expanded = True  # type: ignore[attr-defined]
