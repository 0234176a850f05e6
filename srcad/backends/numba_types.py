"""Numba's types as the compiler's types."""

from __future__ import annotations

from typing import Any

from numba.core import types as nb
from numba.np.numpy_support import as_dtype

from srcad.backends.values import array, refused, scalar, type_named, type_of
from srcad.lang.types import NONE, Static, TupleType, Type


def to_type(type: Any, name: str) -> Type:
    """What a Numba type means for the parameter `name`; a `TypeError` that names the parameter if it means nothing.

    >>> to_type(nb.float64[::1], "x")
    Array(dtype='float64', shape=('x.shape[0]',), layout='C')
    """
    match type:
        case nb.Omitted():
            return type_of(type.value, name)
        case nb.StringLiteral():
            return Static(type.literal_value)
        case nb.Number() | nb.Boolean():
            return scalar(as_dtype(nb.unliteral(type)).name, name)
        case nb.Array(dtype=nb.Number() | nb.Boolean()):
            return array(as_dtype(type.dtype).name, type.ndim, type.layout, name)
        case nb.BaseTuple():
            return TupleType(tuple(to_type(item, f"{name}[{k}]") for k, item in enumerate(_items(type))))
        case nb.NoneType():
            return NONE
        case nb.Dispatcher():
            return Static(type.dispatcher)
    raise refused(name, "list" if isinstance(type, (nb.List, nb.LiteralList)) else str(type))


def _items(type: Any) -> tuple[nb.Type, ...]:
    return tuple(type.types)


def named_type(spec: Any, name: str) -> Type:
    """As `type_named`, with Numba's types among the ways to write one."""
    return to_type(spec, name) if isinstance(spec, nb.Type) else type_named(spec, name)


def persistent(type: Any) -> bool:
    """Whether the name of the type means the same in every process."""
    if isinstance(type, nb.BaseTuple):
        return all(map(persistent, _items(type)))
    return isinstance(type, (nb.Number, nb.Boolean, nb.Array, nb.NoneType, nb.Omitted, nb.StringLiteral))
