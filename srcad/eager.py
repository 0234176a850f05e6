"""The gradients of functions with respect to all their parameters, or to the variables that they read."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Union

from srcad.any_number import ALL, takes_any_number
from srcad.api import checked_function, grad, value_and_grad
from srcad.callables import as_function
from srcad.backends.state import found
from srcad.derivation import build, parameters
from srcad.functional import ALLOWED, checked
from srcad.options import Options
from srcad.runtime.variable import Variable
from srcad.stateful import Stateful, value_of

Params = Union[Sequence[Union[str, int]], None]


def gradients_function(f: Callable, params: Params = None, **options: Any) -> Callable:
    """The gradients of a function with respect to its parameters, as a function that returns a list of them.

    Parameters
    ----------
    f : callable
        A function as for `grad`.
    params : list of str or int, optional
        Names or positions of parameters; all of them by default.
    **options
        Those of `grad`.

    Returns
    -------
    callable
        A function of the arguments of `f`, which may be Variables, and of `grad_ys`.

    Raises
    ------
    TypeError, ValueError, UnsupportedError, NoGradientError
        As for `grad`.

    Examples
    --------
    >>> def f(w1, x1, w2, x2):
    ...     return w1 * x1 + w2 * x2
    >>> gradients_function(f, params=["w1", "w2"])(2.0, 5.0, 3.0, 7.0)
    [5.0, 7.0]
    """
    derivative = grad(f, _wanted(f, params), **options)

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> list[Any]:
        return list(_called(derivative, args, kwargs))

    return gradients


def value_and_gradients_function(f: Callable, params: Params = None, **options: Any) -> Callable:
    """The value of a function together with its gradients: ``(value, [gradients])``.

    The parameters and errors are those of `gradients_function`.

    Examples
    --------
    >>> def f(x, y):
    ...     return x * y
    >>> value_and_gradients_function(f)(2.0, 3.0)
    (6.0, [3.0, 2.0])
    """
    derivative = value_and_grad(f, _wanted(f, params), **options)

    @functools.wraps(f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> tuple[Any, list[Any]]:
        value, found = _called(derivative, args, kwargs)
        return value, list(found)

    return value_and_gradients


def implicit_gradients(f: Callable, **options: Any) -> Callable:
    """The gradients of a function with respect to the trainable variables that it reads.

    Parameters
    ----------
    f : callable
        A function as for `grad` that reads Variables from globals, closures or attributes.
    **options
        Those of `grad`, without `wrt` and `has_aux`.

    Returns
    -------
    callable
        A function of the arguments of `f`; it returns a list of pairs ``(gradient, variable)``.

    Raises
    ------
    ValueError
        When it is called, if the function reads no trainable variable.
    TypeError, UnsupportedError, NoGradientError
        As for `grad`.

    Examples
    --------
    >>> from srcad import Variable
    >>> w1, w2 = Variable(2.0), Variable(3.0)
    >>> def weighted_sum(x1, x2):
    ...     return w1 * x1 + w2 * x2
    >>> implicit_gradients(weighted_sum)(5.0, 7.0)
    [(5.0, Variable(2.0)), (7.0, Variable(3.0))]
    """
    return Implicit(f, "grad", options)


def implicit_value_and_gradients(f: Callable, **options: Any) -> Callable:
    """The value of a function, and its gradients with respect to the trainable variables that it reads.

    The parameters and errors are those of `implicit_gradients`; ``(value, pairs)`` is returned.

    Examples
    --------
    >>> from srcad import Variable
    >>> w = Variable(2.0)
    >>> implicit_value_and_gradients(lambda x: w * w * x)(5.0)
    (20.0, [(20.0, Variable(2.0))])
    """
    return Implicit(f, "value_and_grad", options)


class Implicit:
    """A derivative with respect to variables; made at the first call, when they are there."""

    def __init__(self, f: Callable, mode: str, options: dict[str, Any]):
        f = as_function(f)
        name = f"implicit_{'gradients' if mode == 'grad' else 'value_and_gradients'}"
        checked_function(f, name)
        self.f, self.mode = f, mode
        known = ALLOWED - {"has_aux"}
        for option in options.keys() - known:
            raise TypeError(f"{name}() got an unexpected keyword argument {option!r}")
        self.options = checked(mode, options)
        functools.update_wrapper(self, f)

    @functools.cached_property
    def made(self) -> Stateful:
        """The derivative."""
        return Stateful(self.f, self._chosen, found(self.f), build)

    def _chosen(self, variables: dict[str, Variable]) -> Options:
        count = len(parameters(self.f))
        wanted = tuple(count + k for k, variable in enumerate(variables.values()) if _is_trained(variable))
        if not wanted:
            raise ValueError(f"{self.f.__name__} reads no trainable Variable; make one, w = srcad.Variable(0.0)")
        return Options(wrt=wanted, single=False, **self.options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.made(*args, **kwargs)
        value, gradients = result if self.mode == "value_and_grad" else (None, result)
        variables = filter(_is_trained, self.made.variables.values())
        pairs = [(g, v) for g, v in zip(gradients, variables) if g is not None]
        return pairs if self.mode == "grad" else (value, pairs)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated source, in which variables are parameters; see `srcad.source`."""
        return self.made.source(*args, **kwargs)


def _is_trained(variable: Variable) -> bool:
    return variable.trainable and variable.dtype.kind in "fc"


def _wanted(f: Callable, params: Params) -> Any:
    if takes_any_number(f):
        return ALL if params is None else tuple(params)
    f = as_function(f)
    checked_function(f, "gradients_function")
    return tuple(range(len(parameters(f)))) if params is None else tuple(params)


def _called(derivative: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    return derivative(*map(value_of, args), **{name: value_of(value) for name, value in kwargs.items()})
