"""Dtypes and layouts: what lowerings ask the types of their operands."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from srcad.lang.ir import Call, Const, Expr, Tuple, Var
from srcad.lang.promote import result_dtype, type_of
from srcad.lang.types import Array, Scalar
from srcad.rules.static import EXPRESSIONS, rank, static


def dtype_of(expr: Expr) -> np.dtype:
    kind = getattr(expr, "type", None)
    return np.dtype(kind.dtype if isinstance(kind, (Array, Scalar)) else float)


@static
def integral(*operands: Expr) -> bool:
    """Whether all operands are integers or booleans."""
    return all(dtype_of(x).kind in "biu" for x in operands)


@static
def is_complex(*operands: Any) -> bool:
    """Whether any operand is a complex number, or an array of them."""
    return any(dtype_of(x).kind == "c" if isinstance(x, EXPRESSIONS) else np.iscomplexobj(x) for x in operands)


@static
def has_mixed_rows(value: Any) -> bool:
    """Whether a tuple is one of tuples, with numbers of several dtypes or with arrays in them."""
    if not (isinstance(value, Tuple) and any(isinstance(i, Tuple) for i in value.items)):
        return False
    return len({dtype_of(leaf) for leaf in _leaves(value)}) > 1 or any(rank(leaf) > 0 for leaf in _leaves(value))


def _leaves(value: Expr) -> Iterator[Expr]:
    if isinstance(value, Tuple):
        for item in value.items:
            yield from _leaves(item)
    else:
        yield value


@static
def is_without_axes(value: Any) -> bool:
    """Whether a value is an array of rank 0."""
    return isinstance(getattr(value, "type", None), Array) and not value.type.ndim


@static
def floating(*operands: Expr) -> bool:
    """Whether all operands are real floats."""
    return all(dtype_of(x).kind == "f" for x in operands)


@static
def common(a: Expr, b: Expr) -> Tuple:
    """Two arrays, converted to their common dtype if they are not integers."""
    dtype = np.result_type(dtype_of(a), dtype_of(b))
    if dtype.kind in "biu":
        return Tuple((a, b))
    return Tuple((_converted(a, dtype), _converted(b, dtype)))


def _converted(x: Expr, dtype: np.dtype) -> Expr:
    same = dtype_of(x) == dtype or not isinstance(getattr(x, "type", None), Array)
    return x if same else Call(np.ndarray.astype, (x, Const(dtype.type)))


@static
def single(*operands: Any) -> bool:
    """Whether NumPy computes with these operands in single precision."""
    return result_dtype(*(getattr(x, "type", None) or type_of(x) for x in operands)) == "float32"


@static
def scalar_type(dtype: Any) -> type:
    """A dtype, in whatever way it is given, as NumPy's own type of numbers."""
    return np.dtype(dtype).type


@static
def is_real(dtype: Any) -> bool:
    """Whether numbers of a dtype have no imaginary part."""
    return np.dtype(dtype).kind != "c"


@static
def is_contiguous(x: Expr) -> bool:
    """Whether the elements surely lie in the order of the indices."""
    kind = getattr(x, "type", None)
    return (isinstance(kind, Array) and kind.layout == "C") or getattr(x, "fn", None) is np.ascontiguousarray


@static
def is_product(x: Expr) -> bool:
    """Whether a value is the product, or the square, of arrays of its own shape and dtype."""
    return bool(_factors(x))


@static
def left(x: Expr) -> Expr:
    """The first factor of a product."""
    return _factors(x)[0]


@static
def right(x: Expr) -> Expr:
    """The second factor of a product."""
    return _factors(x)[-1]


def _factors(x: Expr) -> tuple[Expr, ...]:
    match x:
        case Call(operator.mul | np.multiply, (_, _) as args, ()):
            factors = args
        case Call(np.square, (Var() as arg,), ()) | Call(operator.pow, (Var() as arg, Const(2 | 2.0)), ()):
            factors = (arg,)
        case _:
            return ()
    like = getattr(x, "type", None)
    if not isinstance(like, Array) or np.dtype(like.dtype).kind not in "fc":
        return ()
    kinds = [getattr(factor, "type", None) for factor in factors]
    same = all(isinstance(k, Array) and (k.shape, k.dtype) == (like.shape, like.dtype) for k in kinds)
    return factors if same else ()
