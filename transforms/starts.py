"""The arrays that loops carry, before the first iteration: where the user has nothing or a number; part of `infer`.

``s = 0; for row in A: s = s + row`` begins with an array of zeros. A name that only the loop binds begins with an
array, too, which nobody reads. For either, the array's shape must be known before the loop.
"""

from __future__ import annotations

import operator
import re
from typing import Any

import numpy as np

from srcad.lang.arrays import axis_length, tuple_of_ints
from srcad.lang.ir import Call, Const, Effect, Expr, For, If, Stmt, Var, While, hint, raise_
from srcad.lang.promote import result_dtype
from srcad.lang.shapes import split_offset
from srcad.lang.types import BOOL, INT, NONE, Array, Dim, Scalar
from srcad.lang.walk import is_const, substitute
from srcad.typing.table import constant

_LENGTH = re.compile(r"([^\W\d]\w*(?:\.\d+)*)(?:\.shape\[(\d+)\])?")


def grown(number: Scalar, array: Array) -> Array:
    """The type of a name that begins as a number and goes on as an array."""
    return Array(result_dtype(number, array), array.shape, "C" if array.ndim <= 1 else array.layout)


def start(known: dict[str, Expr], type: Array, value: Expr | None = None) -> Expr | None:
    """An array of this type filled with a number, or with nothing; None where its shape is not known.

    `known` is what can be read where the array is made.
    """
    zeros = value is not None and is_const(value, 0)
    alone = value is None or zeros
    like = _like(known, type)
    dtype = constant(np.dtype(type.dtype).type)
    if like is not None:
        made: Any = np.empty_like if value is None else np.zeros_like if zeros else np.full_like
        return Call(made, (like,) if alone else (like, value), (), type)  # type: ignore[arg-type]
    dims = [length(known, dim) for dim in type.shape]
    if any(dim is None for dim in dims) or type.layout == "F":
        return None
    shape = tuple_of_ints(dims)  # type: ignore[arg-type]
    named = () if type.dtype == "float64" else (("dtype", dtype),)
    made = np.empty if value is None else np.zeros if zeros else np.full
    return Call(made, (shape,) if alone else (shape, value), named, type)  # type: ignore[arg-type]


def _like(known: dict[str, Expr], type: Array) -> Var | None:
    """An array of this dtype, shape and layout."""
    for name, found in known.items():
        if isinstance(found, Var) and found.name == name and found.type == type:
            return found
    return None


def length(known: dict[str, Expr], dim: Dim) -> Expr | None:
    """A length as an expression."""
    base, offset = split_offset(dim)
    if base is None:
        return constant(offset)
    if base.startswith("{") and base.endswith("}") and base.count("{") == 1:
        parts = tuple(length(known, part) for part in base[1:-1].split("|"))
        return None if None in parts or offset else Call(max, parts, (), INT)  # type: ignore[arg-type]
    found = _LENGTH.fullmatch(base)
    if found is None or offset < 0 or not isinstance(known.get(found[1]), Var):
        return None
    var = known[found[1]]
    if found[2] is None:
        return _plus(var, offset) if isinstance(var.type, Scalar) else None  # type: ignore[union-attr]
    if not isinstance(var.type, Array):  # type: ignore[union-attr]
        return None
    return _plus(axis_length(var, int(found[2])), offset)  # type: ignore[arg-type]


def _plus(length: Expr, offset: int) -> Expr:
    return Call(operator.add, (length, constant(offset)), (), INT) if offset else length


def at_least_once(
    loop: For | While, entry: list[tuple[str, Expr]], name: str, otherwise: str = "a number"
) -> list[Stmt] | None:
    """Raise if a loop makes no iteration: the name would be no array. None where that cannot be asked beforehand."""
    if isinstance(loop, For):
        if not isinstance(loop.step, Const):
            return None
        start, stop = loop.start, loop.stop
        if isinstance(start, Const) and isinstance(stop, Const):
            if len(range(start.value, stop.value, loop.step.value)):
                return []
    none = none_made(loop, entry)
    text = f"{hint(name)} is {otherwise} where this loop makes no iteration"
    failure = Call(raise_, (constant(ValueError), constant(text)), (), NONE)
    return [If(none, (Effect(failure, loop.origin),), (), loop.origin)]


def none_made(loop: For | While, entry: list[tuple[str, Expr]]) -> Expr:
    """Whether a loop makes no iteration; of a ``for``, with a known step."""
    if isinstance(loop, While):
        return Call(operator.not_, (substitute(loop.test, dict(entry)),), (), BOOL)
    assert isinstance(loop.step, Const)
    return Call(operator.le if loop.step.value > 0 else operator.ge, (loop.stop, loop.start), (), BOOL)
