"""The backend "python": the generated source as it stands, run by the interpreter."""

from __future__ import annotations

import functools
import inspect
from typing import Any

from srcad.backends.derivative import Derivative, Maker
from srcad.backends.source import Source
from srcad.backends.values import type_of
from srcad.lang.errors import ValueNeeded
from srcad.lang.structure import plain
from srcad.lang.types import Static, Type


class PythonDerivative(Derivative):
    """A derivative that runs in the interpreter; one specialisation for the types of each call's arguments."""

    def __init__(self, maker: Maker):
        self.maker = maker
        template = maker.template()
        functools.update_wrapper(self, template)
        self._signature = inspect.signature(template)
        self._sources: dict[tuple[Type, ...], Source] = {}
        self._fixed: frozenset[str] = frozenset()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        values = bound.args
        source = self._source(values)
        return source.rebuild(source.function(*map(plain, values)))

    def _source(self, values: tuple[Any, ...]) -> Source:
        """The source for these arguments; numbers that a type depends on count with their values."""
        while True:
            types = tuple(Static(value) if name in self._fixed else type_of(value, name)
                          for value, name in zip(values, self.maker.names))  # fmt: skip
            try:
                return self._sources.get(types) or self._sources.setdefault(types, self.maker.source(types))
            except ValueNeeded as needed:
                self._fixed |= needed.names

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)
