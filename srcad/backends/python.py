"""The backend "python": the generated source as it stands, run by the interpreter.

Cotangents divide by zero as machines do, without a warning, as on the other target. So the seed is a number of NumPy's.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy as np

from srcad.backends.derivative import Derivative, Maker, bound_arguments
from srcad.backends.left import put_back
from srcad.backends.located import located
from srcad.backends.source import Source
from srcad.backends.values import asked, strong, type_of
from srcad.lang.called_with import called_with
from srcad.lang.errors import AttributeNeeded, ValueNeeded
from srcad.lang.structure import plain
from srcad.runtime import LengthsDiffer
from srcad.lang.types import Array, Scalar, TupleType, Type


class PythonDerivative(Derivative):
    """A derivative that runs in the interpreter; one specialisation for the types of each call's arguments."""

    def __init__(self, maker: Maker, debug: bool = False):
        self.maker, self._debug = maker, debug
        template = maker.template()
        functools.update_wrapper(self, template)
        self._signature, self._name = inspect.signature(template), template.__name__
        self._sources: dict[tuple[Type, ...], tuple[Source, bool]] = {}
        self._fixed: frozenset[str] = frozenset()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = bound_arguments(self._signature, self._name, args, kwargs)
        if self._beyond is not None:
            return self._beyond(*args, **kwargs)  # type: ignore[operator]
        values = bound.args
        try:
            source, widens = self._source(values)
        except AttributeNeeded as needed:
            return self.beyond(needed)(*args, **kwargs)  # type: ignore[operator]
        inputs = [plain(value) for value in values]
        if (options := self.maker.options).into and values[-1] is None:
            inputs.pop()
        if options.extras and not widens:
            seed = self.maker.names.index(options.seed)
            inputs[seed] = _numpy(inputs[seed])
        with np.errstate(**_without_warnings()):
            try:
                result = source.rebuild(_python(source.function(*inputs)))
                return put_back(result, self.maker, source.left, values) if source.left else result
            except LengthsDiffer:
                return PythonDerivative(self.maker.general, self._debug)(*args, **kwargs)
            except Exception as error:
                if self._debug and (said := located(error, source)) is not error:
                    raise said from error
                raise

    def _source(self, values: tuple[Any, ...]) -> tuple[Source, bool]:
        """The source for these arguments, and whether a double would widen the results.

        Numbers that a type depends on count with their values.
        """
        while True:
            types = tuple(asked(value, name) if name in self._fixed else type_of(value, name)
                          for value, name in zip(values, self.maker.names))  # fmt: skip
            if any(map(_is_single, types)):  # which NumPy's own doubles widen, and Python's do not
                types = tuple(map(strong, types, values))
            try:
                if types not in self._sources:
                    with called_with(self.maker.names, values):
                        self._sources[types] = self.maker.source(types), any(map(_is_single, types))
                return self._sources[types]
            except ValueNeeded as needed:
                self._fixed |= needed.names

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)


def _without_warnings() -> dict[str, Any]:
    """NumPy's settings for errors of floating point, those that would print warnings changed."""
    return {kind: "ignore" for kind, what in np.geterr().items() if what == "warn"}


def _is_single(kind: Type) -> bool:
    """Whether a number of double precision would widen results that are to have the dtype of an argument."""
    if isinstance(kind, TupleType):
        return any(map(_is_single, kind.items))
    return isinstance(kind, (Scalar, Array)) and kind.dtype in ("float16", "float32", "complex64")


def _numpy(seed: Any) -> Any:
    """A seed, its numbers as those of NumPy."""
    if isinstance(seed, tuple):
        return tuple(map(_numpy, seed))
    if isinstance(seed, complex):
        return np.complex128(seed)
    return np.float64(seed) if type(seed) in (int, float) else seed


def _python(result: Any) -> Any:
    """A result, its numbers as those of Python."""
    if isinstance(result, tuple):
        items = map(_python, result)
        return tuple(items) if type(result) is tuple else type(result)(*items)
    return result.item() if isinstance(result, np.inexact) else result
