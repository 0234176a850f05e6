"""What stands for a function that is left alone, see `left`: it is called as it is, and its result is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from srcad.lang.types import NONE, Array, Scalar, Static, TupleType, Type


@dataclass(eq=False)
class Left:
    """A function that is called as it is, with arrays that it cannot change.

    What it returns is of the type that it returned when the derivative was written, or the call raises: otherwise a
    number could pass for an integer, through which no derivative goes.
    """

    fn: Callable[..., Any]
    returns: Type | None = None
    names: tuple[str, ...] = ()
    """The last arguments' names, where they can only be passed by name."""
    versions: dict[Any, Left] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.__name__ = getattr(self.fn, "__name__", "function")
        self.__module__ = getattr(self.fn, "__module__", None) or ""

    def giving(self, returns: Type) -> Left:
        """The function, known to return values of this type; one object for each type."""
        key = _outline(returns)
        if self.returns is not None and _outline(self.returns) == key:
            return self
        if key not in self.versions:
            self.versions[key] = Left(self.fn, returns, self.names)
        return self.versions[key]

    def __call__(self, *args: Any) -> Any:
        count = len(args) - len(self.names)
        values = tuple(map(_protected, args))
        result = self.fn(*values[:count], **dict(zip(self.names, values[count:])))
        return None if self.returns == NONE else _fitted(result, self.returns, self.__name__)


def _outline(kind: Type) -> Any:
    if isinstance(kind, TupleType):
        return tuple(map(_outline, kind.items))
    return (kind.dtype, kind.ndim) if isinstance(kind, Array) else getattr(kind, "dtype", None)


def _protected(value: Any) -> Any:
    """An array that cannot be written to."""
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _fitted(result: Any, kind: Type | None, name: str) -> Any:
    """A result, checked to be of a type."""
    if isinstance(kind, TupleType):
        if not isinstance(result, tuple) or len(result) != len(kind.items):
            wanted = f"no tuple of {len(kind.items)} values"
            raise TypeError(f"{name}, called as it is, gave {wanted}; let it return one type")
        return tuple(_fitted(item, each, name) for item, each in zip(result, kind.items))
    if isinstance(kind, Static):
        return str(result)
    value = np.asarray(result)
    ndim = kind.ndim if isinstance(kind, Array) else 0
    if kind is not None and (value.dtype.name, value.ndim) != (getattr(kind, "dtype", ""), ndim):
        was = _described(getattr(kind, "dtype", ""), ndim)
        given = _described(value.dtype.name, value.ndim)
        raise TypeError(f"{name}, called as it is, gave {given} where it had given {was}; let it return one type")
    return value.item() if isinstance(kind, Scalar) and kind.weak else np.ascontiguousarray(value) if ndim else result


def _described(dtype: str, ndim: int) -> str:
    return f"a {dtype}" if not ndim else f"an array of {dtype} with {ndim} {'axis' if ndim == 1 else 'axes'}"
