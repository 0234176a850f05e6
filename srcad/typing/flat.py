"""``x.flat``: the elements of an array in the order of its axes, whatever its layout.

Of an array in C order that is ``x.ravel()``, but parts of it are copies. In another order an element k of ``x.flat`` is
``x[k // n, k % n]``, also for negative k, and so for arrays of them.
"""

from __future__ import annotations

import operator

import numpy as np

from srcad.lang.arrays import axis_length
from srcad.lang import shapes
from srcad.lang.ir import Attr, Call, Expr, Slice, Tuple
from srcad.lang.types import INT, Array, Scalar, Static, TupleType
from srcad.runtime.integers import subscripts
from srcad.typing.table import Facts, call, constant, items, kind, returns
from srcad.typing.tuples import pack


def flat(facts: Facts, value: Expr) -> Expr:
    """``value.flat``"""
    type = kind(value)
    if isinstance(type, Scalar):
        return call(facts, np.reshape, value, constant(1))
    if type.ndim == 1:
        return value
    if type.layout == "C":
        return call(facts, np.ravel, value)
    return Attr(value, "flat", Array(type.dtype, (shapes.product(type.shape),), "A"))


def is_flat(expr: Expr) -> bool:
    """Whether an expression is the elements of an array that is not in C order."""
    return isinstance(expr, Attr) and expr.name == "flat"


def settled(facts: Facts, expr: Expr) -> Expr:
    """The elements as an array, for reading."""
    return call(facts, np.ravel, expr.value) if isinstance(expr, Attr) and expr.name == "flat" else expr


def copied(facts: Facts, part: Expr) -> Expr:
    """A part of the elements, for reading: not a view, as it would be of ``x.ravel()``."""
    return call(facts, np.copy, part) if isinstance(part.type, Array) else part


def place(facts: Facts, base: Attr, index: Expr) -> tuple[Expr, Expr]:
    """The array and the subscripts that ``base[index]``, of flat elements, means."""
    value, type = base.value, base.value.type
    if getattr(index, "type", None) == Static(Ellipsis):
        return value, index
    if isinstance(index, Slice):
        count = call(facts, np.arange, Attr(value, "size", INT))
        index = call(facts, operator.getitem, count, index)
    elif isinstance(index, Tuple) or isinstance(index.type, TupleType):
        raise AssertionError("the type of x.flat[i, j] is refused")
    elif isinstance(index.type, Array) and index.type.dtype == "bool":
        places = call(facts, np.nonzero, index)
        index = Call(operator.getitem, (places, constant(0)), (), Array("int64", (facts.fresh(),)))
    return value, _subscripts(facts, index, tuple(axis_length(value, axis) for axis in range(type.ndim)))


def _subscripts(facts: Facts, index: Expr, lengths: tuple[Expr, ...]) -> Expr:
    """The subscripts of an element of an array with axes of these lengths."""
    parts: list[Expr] = []
    for axis in range(len(lengths) - 1, -1, -1):
        parts.append(call(facts, operator.mod, index, lengths[axis]) if axis else index)
        index = call(facts, operator.floordiv, index, lengths[axis]) if axis else index
    return pack(tuple(reversed(parts)))


@returns(subscripts)
def unravel_index(facts: Facts, indices: Expr, shape: Expr) -> Expr:
    """The subscripts of elements that are counted in the order of the axes."""
    return _subscripts(facts, indices, items(facts, shape) if isinstance(shape.type, TupleType) else (shape,))
