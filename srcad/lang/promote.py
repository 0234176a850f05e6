"""Dtypes of results: NumPy's promotion, in which Python's own numbers are weak."""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np

from srcad.lang.structure import form_of_class, is_plain, is_static, taken_apart
from srcad.lang.types import BOOL, FLOAT, INT, NONE, Array, Scalar, Static, TupleType, Type

_WEAK = {"int64": int, "float64": float, "complex128": complex}
_SAMPLE = {"int64": 0, "float64": 0.0, "complex128": 0j}
_PYTHON = {bool: BOOL, int: INT, float: FLOAT, complex: Scalar("complex128", weak=True)}
_KINDS = ["bool", "int64", "float64", "complex128"]

UFUNCS: dict[Any, np.ufunc] = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.true_divide,
    operator.floordiv: np.floor_divide, operator.mod: np.remainder, operator.pow: np.power, operator.neg: np.negative,
    operator.pos: np.positive, operator.invert: np.invert, operator.lt: np.less, operator.le: np.less_equal,
    operator.gt: np.greater, operator.ge: np.greater_equal, operator.eq: np.equal, operator.ne: np.not_equal,
    operator.lshift: np.left_shift, operator.rshift: np.right_shift, operator.and_: np.bitwise_and,
    operator.or_: np.bitwise_or, operator.xor: np.bitwise_xor, abs: np.absolute,
}  # fmt: skip
COMPARISONS = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
_BITWISE = {operator.and_, operator.or_, operator.xor}
_BITS = {operator.and_: "&", operator.or_: "|", operator.xor: "^", operator.lshift: "<<", operator.rshift: ">>",
         operator.invert: "~"}  # fmt: skip


class NoLoop(TypeError):
    """The function is not defined for these dtypes."""


def type_of(value: Any) -> Type:
    """The type of a constant.

    >>> type_of(1.5), type_of(np.float32(1))
    (Scalar(dtype='float64', weak=True), Scalar(dtype='float32', weak=False))
    """
    kind = type(value)
    if kind in _PYTHON:
        return _PYTHON[kind]
    if value is None:
        return NONE
    if isinstance(value, np.ndarray):
        return Array(value.dtype.name, value.shape, layout_of(value))
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return Scalar(value.dtype.name)
    parts = taken_apart(value)
    if parts is not None and not is_static(value) and (form_of_class(kind) or not is_plain(kind)):  # type: ignore
        form, items = parts
        return TupleType(tuple(map(type_of, items)), form)
    return Static(value)


def layout_of(array: np.ndarray) -> str:
    return "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "A"


def dtype_of(value: Any) -> str:
    """The name of a dtype given as np.float32, float, "f4", ..."""
    return np.dtype(value).name


def _key(type: Type) -> tuple[str, bool]:
    if isinstance(type, Scalar):
        return type.dtype, type.weak and type.dtype in _WEAK
    assert isinstance(type, Array), type
    return type.dtype, False


def result_dtype(*types: Type) -> str:
    """The common dtype of numbers and arrays.

    >>> result_dtype(FLOAT, Array("float32", ("n",)))
    'float32'
    """
    return _result(tuple(map(_key, types)))


def strong_dtype(*types: Type) -> str:
    """The common dtype where Python's own numbers count as much as any, as in `np.array` and `np.dot`."""
    return _result(tuple((_key(t)[0], False) for t in types))


@cache
def _result(keys: tuple[tuple[str, bool], ...]) -> str:
    return np.result_type(*(_SAMPLE[d] if weak else np.dtype(d) for d, weak in keys)).name


def ufunc_dtypes(ufunc: np.ufunc, types: tuple[Type, ...]) -> tuple[str, ...]:
    """The dtypes of the results of a ufunc."""
    return _ufunc(ufunc, tuple(map(_key, types)))


@cache
def _ufunc(ufunc: np.ufunc, keys: tuple[tuple[str, bool], ...]) -> tuple[str, ...]:
    all_weak = all(weak for _, weak in keys)
    dtypes = [_WEAK[d] if weak and not all_weak else np.dtype(d) for d, weak in keys]
    try:
        resolved = ufunc.resolve_dtypes((*dtypes, *[None] * ufunc.nout))
    except TypeError as error:
        raise NoLoop(str(error)) from None
    return tuple(d.name for d in resolved[len(keys):])


def python_result(op: Any, types: tuple[Scalar, ...]) -> Scalar:
    """The type of an operator on Python's own numbers."""
    if op in COMPARISONS:
        if op not in (operator.eq, operator.ne) and any(t.dtype.startswith("complex") for t in types):
            raise NoLoop("complex numbers have no order")
        return BOOL
    ranks = [_KINDS.index(t.dtype) if t.dtype in _KINDS else 2 for t in types]
    if op in _BITS and max(ranks) > 1:
        raise NoLoop(f"the operator {_BITS[op]} is for integers")
    if max(ranks) > 2 and op in (operator.floordiv, operator.mod):
        raise NoLoop("complex numbers have no remainder")
    if op is operator.truediv:
        return Scalar(_KINDS[max(2, *ranks)], weak=True)
    if op in _BITWISE and max(ranks) == 0:
        return BOOL
    if op is abs and ranks == [3]:
        return FLOAT
    return Scalar(_KINDS[max(1, *ranks)], weak=True)
