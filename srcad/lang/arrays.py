"""Shapes, lengths, subscripts and new arrays, as expressions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Tuple
from srcad.lang.types import INT, Array, Scalar, Static, TupleType, Type


def ints(count: int) -> TupleType:
    """The type of so many integers."""
    return TupleType((INT,) * count)


def tuple_of_ints(items: Sequence[Expr]) -> Tuple:
    """Integers, as a shape has them."""
    return Tuple(tuple(items), ints(len(items)))


def is_ellipsis(expr: Expr) -> bool:
    """Whether a subscript, or a part of one, is ``...``."""
    return isinstance(expr, Const) and expr.value is Ellipsis


def index_of(items: Sequence[Expr]) -> Expr:
    """A subscript or a shape: one integer alone, several as a tuple.

    >>> index_of((Const(2, INT),))
    Const(value=2, type=Scalar(dtype='int64', weak=True), name=None)
    """
    return items[0] if len(items) == 1 else tuple_of_ints(items)


def rank_of(value: Expr) -> int:
    """The number of axes of a value; a number has none.

    >>> rank_of(Const(2, INT))
    0
    """
    kind = getattr(value, "type", None)
    return kind.ndim if isinstance(kind, Array) else 0


def shape_tuple(array: Expr) -> Expr:
    """``array.shape``"""
    rank = rank_of(array)
    return Attr(array, "shape", ints(rank)) if rank else Const((), ints(0))


def axis_length(array: Expr, axis: int) -> Call:
    """``array.shape[axis]``"""
    return Call(operator.getitem, (shape_tuple(array), Const(axis, INT)), (), INT)


def items_of(index: Expr) -> tuple[Expr, ...]:
    """What a subscript says of each axis.

    >>> items_of(index_of((Const(2, INT),))) == (Const(2, INT),)
    True
    """
    return index.items if isinstance(index, Tuple) else (index,)


def lengths_in(shape: Expr) -> tuple[Expr, ...]:
    """The lengths that a shape consists of.

    >>> from srcad.lang.ir import Var
    >>> a = Var("a", Array("float64", ("m", "n"), "C"))
    >>> lengths_in(shape_tuple(a)) == (axis_length(a, 0), axis_length(a, 1))
    True
    >>> lengths_in(Var("n", INT))
    (Var(name='n', type=Scalar(dtype='int64', weak=True)),)
    """
    if isinstance(shape, Tuple):
        return shape.items
    kind = getattr(shape, "type", None)
    if not isinstance(kind, TupleType):
        return (shape,)
    return tuple(Call(operator.getitem, (shape, Const(axis, INT)), (), INT) for axis in range(len(kind.items)))


def number(value: Expr) -> Expr:
    """A number that NumPy would take an array of rank 0 for: ``c[()]``; other values stay as they are."""
    kind = getattr(value, "type", None)
    if not isinstance(kind, Array) or kind.ndim:
        return value
    return Call(operator.getitem, (value, Tuple((), TupleType(()))), (), Scalar(kind.dtype))


def new_array(make: Callable[..., Any], shape: Expr, kind: Type) -> Call:
    """``np.empty(shape)``, ``np.zeros(shape, np.float32)``: an array of this type in C order."""
    assert isinstance(kind, Array)
    dtype = np.dtype(kind.dtype).type
    named = () if kind.dtype == "float64" else (Const(dtype, Static(dtype)),)
    return Call(make, (shape, *named), (), kind if kind.layout == "C" else Array(kind.dtype, kind.shape, "C"))


def without_new_axes(index: Expr) -> Expr | None:
    """What takes away again the axes that a subscript adds, if it does nothing else.

    >>> new, whole = Const(None), Slice()
    >>> without_new_axes(Tuple((whole, new))) == Tuple((whole, Const(0, INT)))
    True
    >>> without_new_axes(Tuple((new, Const(0, INT)))) is None
    True
    """
    items = items_of(index)
    added = [isinstance(item, Const) and item.value is None for item in items]
    if not any(added) or not all(new or item == Slice() or is_ellipsis(item) for new, item in zip(added, items)):
        return None
    kept = tuple(Const(0, INT) if new else item for new, item in zip(added, items))
    return kept[0] if len(kept) == 1 else Tuple(kept)
