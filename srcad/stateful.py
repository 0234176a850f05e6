"""Compiled functions that read and update variables, and their derivatives with respect to them."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from srcad.backends.derivative import Derivative
from srcad.options import Options
from srcad.runtime.variable import Variable


class Stateful(Derivative):
    """A compiled function of its arguments and of the present values of variables."""

    def __init__(self, fn: Any, options: Options, variables: dict[str, Variable], updates: bool, build: Callable):
        self.fn, self.variables, self.updates = fn, variables, updates
        self.inner = build(with_variables(fn, variables, updates), replace(options, has_aux=options.has_aux or updates))
        self.maker = self.inner.maker
        functools.update_wrapper(self, fn)
        self._extras = options.extras
        self._signature = signature_of(fn, options.extras)
        self.__signature__ = self._signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        inputs = self._inputs(args, kwargs)
        result = self.inner(*inputs)
        if not self.updates:
            return result
        result, new = result if self.maker.options.mode == "function" else split_results(result, self.maker.options)
        for variable, value in zip(self.variables.values(), new):
            variable._value[...] = value
        return result

    def _inputs(self, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = [value_of(value) for value in bound.args]
        count = len(given) - len(self._extras)
        return [*given[:count], *map(value_of, self.variables.values()), *given[count:]]

    def source(self, *args: Any, stage: str | None = None, **kwargs: Any) -> str:
        """The generated source, in which variables are parameters; see `Derivative.source`."""
        inputs = self._inputs(args, kwargs) if args or kwargs else ()
        return self.inner.source(*inputs, stage=stage)

    def __repr__(self) -> str:
        return f"<{self.maker.options.mode} of {self.fn.__module__}.{self.fn.__qualname__} and its variables>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def split_results(result: Any, options: Options) -> tuple[Any, Any]:
    """A derivative's results apart from the new values of variables."""
    if options.mode == "value_and_grad":
        (value, new), gradient = result
        return (value, gradient), new
    gradient, new = result
    return gradient, new


def value_of(value: Any) -> Any:
    """What a compiled function is passed for a variable: a number or the array itself."""
    if not isinstance(value, Variable):
        return value
    if value.ndim:
        return value._value
    return value._value.item() if value.dtype in (float, int, bool, complex) else value._value[()]


def signature_of(fn: Any, extras: tuple[str, ...]) -> inspect.Signature:
    """The parameters of a function and of its derivative."""
    own = inspect.signature(getattr(fn, "py_func", fn))
    more = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=1.0) for name in extras]
    kept = [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in own.parameters.values()]
    return inspect.Signature([*kept, *more])


def with_variables(fn: Any, variables: dict[str, Variable], updates: bool) -> Any:
    """A copy of a function that has a parameter for the value of each variable: the compiler puts them in."""
    fn = getattr(fn, "py_func", fn)
    taken = fn.__code__.co_varnames
    made: Any = types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    functools.update_wrapper(made, fn)
    del made.__wrapped__
    made.__kwdefaults__ = fn.__kwdefaults__
    made.variables = {name if name not in taken else f"{name}_value": v for name, v in variables.items()}
    made.updates = updates
    return made
