"""The types of argument values, and of types as users write them: ``float``, ``np.float32``, ``"float64[:, ::1]"``."""

from __future__ import annotations

import enum
import re
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.lang.structure import is_static, taken_apart
from srcad.lang.types import NONE, Array, Scalar, Static, TupleType, Type

# Python's own numbers and their NumPy and Numba namesakes; Numba does not tell them apart either.
WEAK = frozenset({"bool", "int64", "float64", "complex128"})
DTYPES = WEAK | {"int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float32", "complex64"}
_ANNOTATION = re.compile(r"\s*(\w+)\s*(?:\[([:1,\s]*)\])?\s*")
_ALIASES = {"bool_": "bool", "boolean": "bool", "int_": "int64", "intp": "int64", "int": "int64", "float": "float64",
            "float_": "float64", "double": "float64", "single": "float32", "complex": "complex128"}  # fmt: skip
_ADVICE = "pass a number, a NumPy array of numbers, or a tuple, list, dict, dataclass or plain object of them"


def scalar(dtype: str, name: str) -> Scalar:
    """The type of a number."""
    return Scalar(_known(dtype, name), weak=dtype in WEAK)


def array(dtype: str, ndim: int, layout: str, name: str) -> Array:
    """The type of the array that a parameter names: each axis has a symbol of its own."""
    return Array(_known(dtype, name), tuple(f"{name}.shape[{axis}]" for axis in range(ndim)), layout)


def _known(dtype: str, name: str) -> str:
    if dtype not in DTYPES:
        raise TypeError(f"argument {name!r} has the dtype {dtype}; convert it to float64 or float32")
    return dtype


def type_of(value: Any, name: str) -> Type:
    """The type of a value that is passed for the parameter `name`; a `TypeError` if there is none.

    >>> type_of(2.0, "x"), type_of(np.zeros((2, 3), np.float32), "A")
    (Scalar(dtype='float64', weak=True), Array(dtype='float32', shape=('A.shape[0]', 'A.shape[1]'), layout='C'))
    """
    match value:
        case None:
            return NONE
        case enum.Enum():
            return Static(value)
        case bool() | np.bool_():
            return scalar("bool", name)
        case np.number():
            return scalar(value.dtype.name, name)
        case int() | float() | complex():
            return scalar({int: "int64", float: "float64", complex: "complex128"}[_base(value)], name)
        case np.ndarray():
            return _array_type(value, name)
    if is_static(value):
        return Static(value)
    if (parts := taken_apart(value)) is not None:
        form, items = parts
        try:
            return TupleType(tuple(type_of(item, f"{name}[{k}]") for k, item in enumerate(items)), form)
        except RecursionError:
            if "[" in name and form.cls in (list, dict, tuple):
                raise  # the object around it has a name
            reason = f"a {type(value).__name__} that holds itself cannot be passed; pass what is needed of it"
            raise TypeError(reason) from None
    raise refused(name, type(value).__name__)


def asked(value: Any, name: str) -> Type:
    """The type of an argument that types depend on: a number, or a tuple of them, counts with its value.

    Of an array the lengths count.

    >>> asked(3, "n"), asked(np.zeros((3, 1)), "A")
    (Static(value=3), Array(dtype='float64', shape=(3, 1), layout='C'))
    """
    if isinstance(value, np.ndarray):
        return replace(_array_type(value, name), shape=value.shape)
    return Static(value)


def strong(type: Type, value: Any) -> Type:
    """The type of a value whose numbers of NumPy's are told from those of Python's, which adopt the dtype of others.

    >>> strong(type_of(np.float64(2.0), "x"), np.float64(2.0))
    Scalar(dtype='float64', weak=False)
    """
    match type:
        case Scalar() if isinstance(value, np.generic):
            return replace(type, weak=False)
        case TupleType(items):
            _, parts = taken_apart(value) or (None, ())
            return replace(type, items=tuple(map(strong, items, parts)))
    return type


def refused(name: str, kind: str) -> TypeError:
    """The error for an argument that is neither a number nor made of numbers."""
    advice = f"pass np.array({name})" if kind == "range" else _ADVICE
    return TypeError(f"argument {name!r} is of type {kind}; {advice}")


def _base(value: Any) -> type:
    return next(base for base in (int, float, complex) if isinstance(value, base))


def _array_type(value: np.ndarray, name: str) -> Array:
    if type(value) not in (np.ndarray, np.memmap):
        raise TypeError(f"argument {name!r} is a {type(value).__name__}; pass np.asarray({name})")
    if not value.dtype.isnative:
        raise TypeError(f"argument {name!r} has foreign byte order; pass {name}.astype({value.dtype.name!r})")
    return array(value.dtype.name, value.ndim, layout_of(value), name)


def layout_of(value: np.ndarray) -> str:
    return "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"


def type_named(spec: Any, name: str, fixed: bool = False) -> Type:
    """The type that `spec` means for the parameter `name`: a type as it is written, or a value of the type.

    What types depend on may be `fixed`: an integer, or a tuple of them, counts with its value, an array with its
    lengths.

    >>> type_named("float64[:, ::1]", "A")
    Array(dtype='float64', shape=('A.shape[0]', 'A.shape[1]'), layout='C')
    >>> type_named(float, "x") == type_named(np.float64, "x") == type_named("float64", "x") == type_named(1.0, "x")
    True
    """
    if fixed and isinstance(spec, (int, tuple, np.ndarray)):
        return asked(spec, name)
    match spec:
        case Type():
            return spec
        case str():
            return _parsed(spec, name)
        case np.dtype():
            return scalar(spec.name, name)
        case type() if issubclass(spec, (bool, int, float, complex, np.generic)):
            return scalar(np.dtype(spec).name, name)
        case type() if issubclass(spec, np.ndarray):
            raise TypeError(f"argument {name!r}: types of arrays are written like 'float64[:]' or 'float64[:, ::1]'")
        case type():
            raise TypeError(f"argument {name!r}: {spec.__name__} is not the type of a number")
    if (parts := taken_apart(spec)) is not None:
        form, items = parts
        return TupleType(tuple(type_named(item, f"{name}[{k}]") for k, item in enumerate(items)), form)
    return type_of(spec, name)


def _parsed(text: str, name: str) -> Type:
    """``float64``, ``float64[:]`` (any strides), ``float64[:, ::1]`` (C order), ``float64[::1, :]`` (Fortran order)."""
    if not re.match(r"bool|u?int|float|complex|double|single|str|.*\[", text.strip()):
        return Static(text)  # the value of a parameter that takes a string
    found = _ANNOTATION.fullmatch(text)
    axes = [axis.strip() for axis in (found[2] or "").split(",")] if found and found[2] else []
    if not found or any(axis not in (":", "::1") for axis in axes) or _dtype(found[1]) not in DTYPES:
        raise ValueError(f"argument {name!r}: {text!r} is no type; write it like 'float64' or 'float64[:, ::1]'")
    layout = "C" if axes and axes[-1] == "::1" else "F" if axes and axes[0] == "::1" else "A"
    return array(_dtype(found[1]), len(axes), layout, name) if axes else scalar(_dtype(found[1]), name)


def _dtype(name: str) -> str:
    return _ALIASES.get(name, name)
