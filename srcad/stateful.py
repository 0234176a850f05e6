"""Compiled functions that read and update variables, and their derivatives with respect to them; also those that set
attributes of objects outside."""

from __future__ import annotations

import functools
import inspect
import re
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from srcad.backends.derivative import Derivative
from srcad.lang.errors import AttributeNeeded, VariablesNeeded
from srcad.lang.symbols import unique
from srcad.options import OUT, Options
from srcad.runtime.outside import Outside, all_names_of, owner_of
from srcad.runtime.variable import Variable

_NONE: dict[str, Outside] = {}


@dataclass(frozen=True)
class Made:
    """What a function with variables has been compiled to: a function of the values of these variables, too."""

    variables: dict[str, Variable]
    updates: bool  # whether it gives some of them new values
    outside: dict[str, Outside]  # the objects outside of which it sets attributes
    inner: Any


class Stateful(Derivative):
    """A compiled function of its arguments and of the present values of variables.

    `chosen` gives the options once the variables are known. A variable that is met while compiling only, and the first
    update of one, let the function be compiled again.
    """

    _made: Made

    def __init__(self, fn: Any, chosen: Callable[[dict[str, Variable]], Options], variables: dict[str, Variable],
                 build: Callable, needed: AttributeNeeded | None = None):  # fmt: skip
        self.fn, self._chosen, self._build = fn, chosen, build
        outside = with_attribute({}, needed, fn) if needed else {}
        self._made = self._make(variables, isinstance(fn, Stateful) and fn._made.updates, outside)
        functools.update_wrapper(self, fn, updated=())
        self._extras = self.maker.options.added
        self._signature = signature_of(fn, self._extras)
        self.__signature__ = self._signature

    def _make(self, variables: dict[str, Variable], updates: bool, outside: dict[str, Outside]) -> Made:
        if isinstance(self.fn, Stateful):
            return self._of_derivative(self.fn, variables, updates)
        function = with_variables(self.fn, variables, updates, outside)
        options = self._chosen(function.variables)
        code = function.__code__
        own = code.co_argcount + code.co_kwonlyargcount
        wrt = tuple(position + len(outside) * (position >= own) for position in options.wrt)  # variables come behind
        options = replace(options, wrt=wrt)
        inner = self._build(function, replace(options, has_aux=options.has_aux or updates))
        return Made(function.variables, updates, outside, inner)

    def _of_derivative(self, fn: Stateful, variables: dict[str, Variable], updates: bool) -> Made:
        """The next derivative: that of the function of arguments and values."""
        if fn._made.variables.keys() != variables.keys() or fn._made.updates != updates:
            fn._made = fn._make(variables, updates, {})
        options = self._chosen(variables)
        inner = self._build(fn._made.inner, replace(options, has_aux=options.has_aux or updates))
        return Made(fn._made.variables, updates, {}, inner)

    @property
    def variables(self) -> dict[str, Variable]:
        """The variables, under their names in the generated source."""
        return self._made.variables

    @property
    def maker(self) -> Any:  # type: ignore[override]
        """What makes the source of the function of arguments and values."""
        return self._made.inner.maker

    @property
    def bare(self) -> Any:
        return type(self.maker)(self.fn, self._chosen({}))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._settled(lambda made: self._run(made, args, kwargs))

    def _settled(self, work: Callable[[Made], Any]) -> Any:
        """What comes of some work when all variables are known."""
        while True:
            made = self._made
            try:
                return work(made)
            except VariablesNeeded as needed:
                updates = made.updates or needed.updates
                self._made = self._make(made.variables | needed.variables, updates, made.outside)
            except AttributeNeeded as needed:
                if isinstance(self.fn, Stateful):
                    raise
                outside = with_attribute(made.outside, needed, self.fn)
                self._made = self._make(made.variables, made.updates, outside)

    def _run(self, made: Made, args: tuple, kwargs: dict[str, Any]) -> Any:
        held = [variable._value for variable in made.variables.values() if variable.ndim]
        result = _apart(made.inner(*self._inputs(made, args, kwargs)), held)
        if not made.updates:
            return result
        options = made.inner.maker.options
        result, new = result if options.mode == "function" else split_results(result, options)
        for name, value in new.items():
            made.variables[name]._value[...] = value
        return result

    def _inputs(self, made: Made, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = [value_of(value) for value in bound.args]
        count = len(given) - len(self._extras)
        values = map(value_of, made.variables.values())
        return [*given[:count], *made.outside.values(), *values, *given[count:]]

    def source(self, *args: Any, stage: str | None = None, **kwargs: Any) -> str:
        """The generated source, in which variables are parameters; see `Derivative.source`."""
        def work(made: Made) -> str:
            inputs = self._inputs(made, args, kwargs) if args or kwargs else ()
            text: str = made.inner.source(*inputs, stage=stage)
            return text

        return self._settled(work)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<{self.maker.options.mode} of {self.fn.__module__}.{self.fn.__qualname__} and its variables>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def _apart(result: Any, held: list[np.ndarray]) -> Any:
    """A result that shares no memory with the values of variables, which change later."""
    if isinstance(result, np.ndarray):
        return result.copy() if any(np.may_share_memory(result, value) for value in held) else result
    if type(result) in (tuple, list):
        return type(result)(_apart(item, held) for item in result)
    return {key: _apart(item, held) for key, item in result.items()} if type(result) is dict else result


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
    if isinstance(fn, Stateful):
        own = own.replace(parameters=[p for p in own.parameters.values() if p.name not in fn._extras])
    more = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None if name == OUT else 1.0)
            for name in extras]
    kept = [p.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in own.parameters.values()]
    return inspect.Signature([*kept, *more])


def with_variables(fn: Any, variables: dict[str, Variable], updates: bool, outside: dict[str, Outside] = _NONE) -> Any:
    """A copy of a function that has a parameter for the value of each variable: the compiler puts them in.

    It has one for each of the objects `outside`, too.
    """
    fn = getattr(fn, "py_func", fn)
    taken = fn.__code__.co_varnames
    made: Any = types.FunctionType(fn.__code__, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    functools.update_wrapper(made, fn)
    del made.__wrapped__
    made.__kwdefaults__ = fn.__kwdefaults__
    made.variables = {name if name not in taken else f"{name}_value": v for name, v in variables.items()}
    made.updates, made.outside = updates, outside
    return made


def with_attribute(outside: dict[str, Outside], needed: AttributeNeeded, fn: Any) -> dict[str, Outside]:
    """These objects under the names of their parameters, with one more attribute."""
    for name, seen in outside.items():
        if owner_of(seen) is needed.owner:
            if needed.name in all_names_of(seen):
                raise needed
            return {**outside, name: Outside(needed.owner, (*all_names_of(seen), needed.name))}
    word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(needed.owner).__name__).lower()
    name = unique(word, {*outside, *getattr(fn, "py_func", fn).__code__.co_varnames})
    return {**outside, name: Outside(needed.owner, (needed.name,))}
