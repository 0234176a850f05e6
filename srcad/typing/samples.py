"""Values on which functions that nothing is known about are tried: ones, and what the call passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from srcad.lang.called_with import call
from srcad.lang.ir import Attr, Call, Expr, Tuple, Var
from srcad.lang.promote import type_of
from srcad.lang.recursive import Callee
from srcad.lang.types import Array, Scalar, Static, TupleType, Type
from srcad.typing.facts import Facts, NotStatic
from srcad.typing.table import Refusal

_SIZES = (3, 2, 1, 4)
_LARGEST = 64
_FIRST, _AT_MOST = 2.0, 30.0
"""Seconds that a function has for ones, which are few, and for what the call passes, which may be many."""

Values = tuple[list[Any], dict[str, Any]]


def samples(
    facts: Facts, args: tuple[Expr, ...], kwargs: dict[str, Expr]
) -> Iterator[tuple[float, Callable[[], Values]]]:
    """What to try one after the other, and how long: ones of some sizes, and then the values of the call, if known."""

    def values(value: Callable[[Expr], Any]) -> Values:
        return [*map(value, args)], {name: value(arg) for name, arg in kwargs.items()}

    for size in _SIZES:
        yield _FIRST, partial(values, partial(_of_ones, facts, size))
    yield _AT_MOST, partial(values, _Passed(facts))


def _of_ones(facts: Facts, size: int, expr: Expr) -> Any:
    """Something of an argument's type."""
    try:
        return facts.known(expr)
    except NotStatic:
        return _ones(expr.type, size)


def _ones(type: Type, size: int) -> Any:
    if isinstance(type, Array):
        dims = tuple(d if isinstance(d, int) and d <= _LARGEST else size for d in type.shape)
        values = np.ones(dims, type.dtype)
        if type.ndim >= 2 and dims[-1] == dims[-2]:
            values[...] = np.eye(dims[-1])
        return values
    if isinstance(type, Static):
        return type.value
    if isinstance(type, Scalar):
        return np.dtype(type.dtype).type(1).item() if type.weak else np.dtype(type.dtype).type(1)
    if isinstance(type, TupleType):
        return tuple(_ones(item, size) for item in type.items)
    raise Refusal("", poisoned=True)


class _Passed:
    """What the call passes: computed from its arguments as the function does on the way; in a loop, the first time."""

    def __init__(self, facts: Facts):
        self.facts, self.arguments = facts, call().arguments
        self.found: dict[str, Any] = {}

    def __call__(self, expr: Expr) -> Any:
        try:
            return self.facts.known(expr)
        except NotStatic:
            return self.value(expr)

    def value(self, expr: Expr) -> Any:
        match expr:
            case Var(name):
                if name not in self.found:
                    self.found[name] = self.named(name, expr.type)
                return np.copy(self.found[name]) if isinstance(expr.type, Array) else self.found[name]
            case Tuple(items):
                return tuple(map(self, items))
            case Attr(of, name):
                return getattr(self(of), name)
            case Call(fn, args, kwargs) if not isinstance(fn, Callee):
                return fn(*map(self, args), **{name: self(arg) for name, arg in kwargs})
        raise NotStatic

    def named(self, name: str, kind: Type) -> Any:
        if name in self.facts.made:
            return self(self.facts.made[name])
        value = self.arguments.get(name)
        found = type_of(value)
        same = isinstance(kind, (Scalar, Array)) and isinstance(found, type(kind)) and found.dtype == kind.dtype
        if not same or getattr(found, "ndim", 0) != getattr(kind, "ndim", 0):
            raise NotStatic
        return value
