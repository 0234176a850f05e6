"""Arguments of which the types tell the values, None and texts; part of `inline`."""

from __future__ import annotations

from dataclasses import replace

from srcad.lang.ir import Const, Expr, Function, Let, Tuple
from srcad.lang.types import Static, TupleType, Type
from srcad.transforms.order import assigned
from srcad.transforms.values import is_static


def value_of(type: Type) -> Expr | None:
    """The value of an argument, if its type tells it: of a tuple, if it tells those of all elements.

    >>> value_of(Static("mean")).value
    'mean'
    """
    if isinstance(type, Static):
        return Const(type.value)
    items = tuple(map(value_of, type.items)) if isinstance(type, TupleType) else (None,)
    return None if None in items else Tuple(items, type)  # type: ignore[arg-type]


def assigned_first(fn: Function, signature: tuple[Type, ...]) -> Function:
    """Parameters that get another value begin as locals do: ``acc = None`` before ``if acc is None: acc = []``."""
    changed = assigned(fn.body)
    values = {p.name: value_of(type) for p, type in zip(fn.params, signature) if p.name in changed}
    first = [Let(name, value, fn.origin) for name, value in values.items() if value is not None]
    return replace(fn, body=(*(let for let in first if not is_static(let.value)), *fn.body))
