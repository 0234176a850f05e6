"""Numba's types as the compiler's types."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from numba.core import types as nb
from numba.np.numpy_support import as_dtype

from srcad.backends.values import array, refused, scalar, type_named, type_of
from srcad.lang.structure import form_of_class
from srcad.lang.types import NONE, TUPLE, Static, TupleType, Type


def to_type(type: Any, name: str, skeleton: Any = None) -> Type:
    """What a Numba type means for the parameter `name`; a `TypeError` that names the parameter if it means nothing.

    `skeleton` is what the type does not tell of the value: see `srcad.lang.structure`. Of an array it is the lengths,
    where types depend on them.

    >>> to_type(nb.float64[::1], "x")
    Array(dtype='float64', shape=('x.shape[0]',), layout='C')
    """
    if isinstance(skeleton, Static):
        return skeleton
    if isinstance(type, nb.BaseTuple):
        return _structure(type, name, skeleton)
    match type:
        case nb.Omitted():
            return type_of(type.value, name)
        case nb.StringLiteral():
            return Static(type.literal_value)
        case nb.Number() | nb.Boolean():
            return scalar(as_dtype(nb.unliteral(type)).name, name)
        case nb.Array(dtype=nb.Number() | nb.Boolean()):
            found = array(as_dtype(type.dtype).name, type.ndim, type.layout, name)
            return found if skeleton is None else replace(found, shape=skeleton)
        case nb.NoneType():
            return NONE
        case nb.Dispatcher():
            return Static(type.dispatcher)
    raise refused(name, str(type))


def _structure(type: Any, name: str, skeleton: Any) -> TupleType:
    items = _items(type)
    form = form_of_class(getattr(type, "instance_class", None)) or TUPLE
    form, inner = skeleton or (form, (None,) * len(items))
    parts = enumerate(zip(items, inner))
    return TupleType(tuple(to_type(item, f"{name}[{k}]", part) for k, (item, part) in parts), form)


def _items(type: Any) -> tuple[nb.Type, ...]:
    return tuple(type.types)


def named_type(spec: Any, name: str) -> Type:
    """As `type_named`, with Numba's types among the ways to write one."""
    return to_type(spec, name) if isinstance(spec, nb.Type) else type_named(spec, name)


def persistent(type: Any) -> bool:
    """Whether the name of the type means the same in every process."""
    if isinstance(type, (nb.NamedTuple, nb.NamedUniTuple)) and not _importable(type.instance_class):
        return False
    if isinstance(type, nb.BaseTuple):
        return all(map(persistent, _items(type)))
    return isinstance(type, (nb.Number, nb.Boolean, nb.Array, nb.NoneType, nb.Omitted, nb.StringLiteral))


def _importable(cls: Any) -> bool:
    """Whether another process finds the class under its name."""
    return cls.__module__ != "__main__" and getattr(sys.modules.get(cls.__module__), cls.__qualname__, None) is cls
