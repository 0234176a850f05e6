"""The backend "python": the generated source as it stands, run by the interpreter."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from srcad.backends.derivative import Derivative, Maker
from srcad.backends.values import type_of
from srcad.lang.types import Type


class PythonDerivative(Derivative):
    """A derivative that runs in the interpreter; one specialisation for the types of each call's arguments."""

    def __init__(self, maker: Maker):
        self.maker = maker
        template = maker.template()
        functools.update_wrapper(self, template)
        self._signature = inspect.signature(template)
        self._functions: dict[tuple[Type, ...], Any] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = bound.args
        types = tuple(map(type_of, values, self.maker.names))
        function = self._functions.get(types)
        return (function or self._specialise(types))(*values)

    def _specialise(self, types: tuple[Type, ...]) -> Any:
        return self._functions.setdefault(types, self.maker.source(types).function)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)
