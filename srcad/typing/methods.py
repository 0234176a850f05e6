"""Attributes and methods of values, as functions of NumPy."""

from __future__ import annotations

import operator
import types
from typing import Any

import numpy as np

from srcad.lang.arrays import axis_length, shape_tuple
from srcad.lang.ir import Attr, Expr
from srcad.lang.types import INT, UNKNOWN, Array, Scalar, Static, TupleType, Type
from srcad.typing import structures
from srcad.typing.flat import flat
from srcad.lang.refusals import missing_attribute
from srcad.typing.table import (
    Facts, NeedsArray, Refusal, axis_argument, call, constant, describe, is_row, kind, returns,
)  # fmt: skip
from srcad.typing.tuples import pack

_SAME_NAME = {
    name: getattr(np, name)
    for name in """sum prod mean var std max min any all argmax argmin cumsum cumprod dot trace ravel copy squeeze
    swapaxes repeat round clip conj conjugate diagonal argsort argpartition ptp nonzero take searchsorted""".split()
}
_METHODS: dict[str, Any] = {**_SAME_NAME, "astype": np.ndarray.astype, "flatten": np.ndarray.flatten}
_IN_PLACE = {"sort": "x = np.sort(x)", "resize": "np.reshape", "put": "x[i] = v", "partition": "np.sort",
             "fill": "x.fill(v) as a line of its own", "itemset": "x[i] = v", "setfield": "x[i] = v"}  # fmt: skip
_REMEDY = {"tolist": "the array itself", "view": "x.astype(...)",
           "append": "an array made before the loop: a = np.empty(n)"}  # fmt: skip


def resolve(facts: Facts, name: str, args: tuple[Expr, ...]) -> tuple[Any, tuple[Expr, ...]]:
    """The function behind a method, and its arguments."""
    value, *rest = args
    if isinstance(value.type, Static):
        return _of_object(value.type.value, name), tuple(rest) if not isinstance(value.type.value, str) else args
    if isinstance(value.type, TupleType):
        return structures.method(value, name), args
    kind(value)
    if name in ("reshape", "transpose") and rest:
        function = np.reshape if name == "reshape" else np.transpose
        packed = rest[0] if len(rest) == 1 else pack(tuple(rest))
        return function, (value, packed)
    if name == "transpose":
        return np.transpose, (value,)
    if name in ("conj", "conjugate") and not _is_complex(value.type):
        return np.asarray, args  # the array itself, where np.conj makes a copy
    if name == "item" and isinstance(value.type, Scalar):
        return {"i": int, "u": int, "b": bool, "c": complex}.get(np.dtype(value.type.dtype).kind, float), (value,)
    if name == "view" and (not rest or rest[0].type == Static(np.ndarray)):
        return np.asarray, (value,)
    if name == "item" and isinstance(value.type, Array):
        return operator.getitem, _item(facts, value, rest)
    if name == "byteswap" and isinstance(value.type, Array):
        return np.ndarray.byteswap, args  # without a rule of ours, but the user may write one
    if name in _IN_PLACE:
        raise Refusal(f"the method {name}, which changes the array", _IN_PLACE[name])
    if name not in _METHODS:
        raise Refusal(f"the method {name} of {describe(value.type)}", _REMEDY.get(name, _similar(name)))
    return _METHODS[name], args


@returns(np.ndarray.byteswap)
def byteswap(facts: Facts, a: Expr, inplace: Expr | None = None) -> Type:
    """The type of the array."""
    if inplace is not None:
        raise Refusal("the method byteswap, which changes the array", "x.byteswap()")
    return kind(a)


def _item(facts: Facts, array: Expr, index: list[Expr]) -> tuple[Expr, Expr]:
    """``a.item()``, ``a.item(k)``, which counts all elements, and ``a.item(i, j)``"""
    if len(index) > 1:
        return array, pack(tuple(index))
    if index and isinstance(index[0].type, TupleType):
        return array, index[0]
    flat = array if isinstance(array.type, Array) and array.type.ndim == 1 else call(facts, np.ravel, array)
    return flat, index[0] if index else constant(0)


def _of_object(value: Any, name: str) -> Any:
    if name == "type" and isinstance(value, type) and issubclass(value, np.generic):
        return value  # of x.dtype.type, where x.dtype is the class already
    if not hasattr(value, name):
        missing = "an array where None is passed, or a test: if x is None"
        remedy = missing if value is None else "its result as a constant"
        raise Refusal(f"the method {name} of {describe(Static(value))}", remedy)
    return getattr(str, name) if isinstance(value, str) else getattr(value, name)


def _similar(name: str) -> str:
    return f"np.{name}" if callable(getattr(np, name, None)) else "a function of NumPy"


def is_text(fn: Any, args: tuple[Expr, ...]) -> bool:
    """Whether a call makes text, as for print and raise."""
    if fn in (str, repr, format, print):
        return True
    return getattr(fn, "__objclass__", None) is str


# ---------------------------------------------------------------- attributes


def attribute(facts: Facts, value: Expr, name: str) -> Expr:
    """``value.name``"""
    type = value.type
    if isinstance(type, Static):
        return _of_constant(value, name)
    if isinstance(type, TupleType):
        return structures.attribute(value, name)
    if type == UNKNOWN:
        raise Refusal("", poisoned=True)
    dtype = np.dtype(kind(value).dtype)
    rank = len(type.shape) if isinstance(type, Array) else 0
    if name == "shape":
        return shape_tuple(value)
    if name in ("ndim", "dtype", "itemsize"):
        return constant({"ndim": rank, "dtype": dtype.type, "itemsize": dtype.itemsize}[name])
    if name == "size":
        return Attr(value, "size", INT) if rank else constant(1)
    if name == "flat":
        return flat(facts, value)
    if name == "nbytes":
        return call(facts, operator.mul, attribute(facts, value, "size"), constant(dtype.itemsize))
    if name == "mT":
        if rank < 2:
            raise Refusal(f"the attribute mT of {describe(type)}", "a matrix")
        return call(facts, np.swapaxes, value, constant(-1), constant(-2))
    if name == "T":
        return value if rank < 2 else call(facts, np.transpose, value)
    if name in ("real", "imag"):
        return value if name == "real" and dtype.kind != "c" else call(facts, getattr(np, name), value)
    if isinstance(getattr(np.ndarray, name, None), types.MethodDescriptorType):
        raise Refusal(f"the method {name} without a call", f"x.{name}(...)")
    known = "shape, ndim, size, dtype, T, real, imag"
    raise Refusal(f"the attribute {name} of {describe(type)}", _REMEDY.get(name, known))


def _of_constant(value: Expr, name: str) -> Expr:
    constant_value = value.type.value
    if isinstance(constant_value, type) and issubclass(constant_value, np.generic) and hasattr(np.dtype, name):
        constant_value = np.dtype(constant_value)
    if not hasattr(constant_value, name):
        raise Refusal(*missing_attribute(constant_value, name))
    return constant(getattr(constant_value, name))



@returns(np.ndim)
def ndim(facts: Facts, a: Expr) -> Expr:
    """The rank, also of nested tuples."""
    return constant(_rank(a.type))


def _rank(type: Any) -> int:
    if isinstance(type, TupleType):
        return 1 + max(map(_rank, type.items), default=0)
    return type.ndim if isinstance(type, Array) else 0


@returns(np.iscomplexobj)
def is_complex(facts: Facts, x: Expr) -> Expr:
    """Whether the dtype is complex: known when the derivative is written."""
    return constant(_is_complex(x.type))


@returns(np.isrealobj)
def is_real(facts: Facts, x: Expr) -> Expr:
    """Whether the dtype is not complex."""
    return constant(not _is_complex(x.type))


def _is_complex(type: Any) -> bool:
    if isinstance(type, TupleType):
        return any(map(_is_complex, type.items))
    return isinstance(type, (Array, Scalar)) and type.dtype.startswith("complex")


@returns(np.shape)
def shape(facts: Facts, a: Expr) -> Expr:
    """The lengths of the axes."""
    if is_row(a.type):
        raise NeedsArray(a)
    return attribute(facts, a, "shape")


@returns(np.size)
def size(facts: Facts, a: Expr, axis: Expr | None = None) -> Expr:
    """The number of elements, or the length of an axis."""
    if is_row(a.type):
        raise NeedsArray(a)
    if axis is None or axis.type == Static(None):
        return attribute(facts, a, "size")
    return axis_length(a, axis_argument(facts, axis, _rank(a.type)))
