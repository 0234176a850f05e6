"""empty, zeros and what they are ``_like``, for machine code: as Numba's own, but each one step.

Numba compiles several functions for every ``np.zeros_like``, a quarter of a second for each type, and counts references
to the array whose shape is taken, which costs more than the memory. These are one step, without such a reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.typing.npydecl import parse_dtype, parse_shape
from numba.extending import intrinsic
from numba.np import arrayobj

FLAT = (types.Number, types.Boolean)  # what an array consists of whose memory is all there is to it


def _new(shape_of: Callable, room: Any, zero: bool) -> Callable:
    """The code that makes an array of the type `room`."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = arrayobj._empty_nd_impl(context, builder, room, shape_of(context, builder, args[0]))
        if zero:
            cgutils.memset(builder, made.data, builder.mul(made.itemsize, made.nitems), 0)
        return made._getvalue()

    return codegen


def _of_shape(numpys: Callable, zero: bool) -> Callable:
    def typed(typing: Any, shape: Any, dtype: Any = None) -> Any:
        element, ndim = _element(dtype, types.float64), parse_shape(shape)
        if ndim is None or not isinstance(element, FLAT):
            return _numpys(typing, numpys, shape, dtype)
        room = types.Array(element, ndim, "C")
        lengths = lambda context, builder, value: arrayobj._parse_shape(context, builder, shape, value)
        return room(shape, _as_given(dtype)), _new(lengths, room, zero)

    typed.__name__ = typed.__qualname__ = numpys.__name__
    return intrinsic(typed)


def _like(numpys: Callable, zero: bool) -> Callable:
    def typed(typing: Any, prototype: Any, dtype: Any = None) -> Any:
        element = _element(dtype, getattr(prototype, "dtype", None))
        if not isinstance(prototype, types.Array) or not isinstance(element, FLAT):
            return _numpys(typing, numpys, prototype, dtype)
        layout = "F" if prototype.layout == "F" else "C"
        room: Any = types.Array(element, prototype.ndim, layout)  # type: ignore[call-overload]

        def lengths(context: Any, builder: Any, value: Any) -> Any:
            array = arrayobj.make_array(prototype)(context, builder, value=value)
            return cgutils.unpack_tuple(builder, array.shape, count=prototype.ndim)

        return room(prototype, _as_given(dtype)), _new(lengths, room, zero)

    typed.__name__ = typed.__qualname__ = numpys.__name__
    return intrinsic(typed)


def _element(dtype: Any, otherwise: Any) -> Any:
    """The type of the elements; None where `dtype` does not tell."""
    return otherwise if _absent(dtype) else parse_dtype(dtype)


def _absent(dtype: Any) -> bool:
    return dtype is None or isinstance(dtype, (types.NoneType, types.Omitted))


def _as_given(dtype: Any) -> Any:
    return types.none if dtype is None else dtype


def _numpys(typing: Any, function: Callable, first: Any, dtype: Any) -> Any:
    """What Numba has for all other arguments."""
    numbas = typing.resolve_value_type(function)
    signature = typing.resolve_function_type(numbas, (first, types.none if _absent(dtype) else dtype), {})
    if signature is None:
        return None

    def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
        made = context.get_function(numbas, signature)
        context.add_linking_libs(getattr(made, "libs", ()))
        return made(builder, args)

    return signature.return_type(first, _as_given(dtype)), codegen


empty, zeros = _of_shape(np.empty, zero=False), _of_shape(np.zeros, zero=True)
empty_like, zeros_like = _like(np.empty_like, zero=False), _like(np.zeros_like, zero=True)
