"""What array functions give, element by element, for arrays of few numbers; part of `scalars`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.ir import Call, Const, Expr, Tuple, select
from srcad.lang.types import BOOL, FLOAT, Array, Scalar
from srcad.transforms.cells import is_listable, is_small, objects, sizes
from srcad.transforms.elements import computes, element, operands

Emit = Callable[[Expr], Expr]  # a name for a value
Read = Callable[[Expr], np.ndarray | None]  # the elements of an array or a number, if they are known
MOST = 27  # products of two elements that a product of matrices is written out to

_EMPTY = (np.empty, np.empty_like)
_NEW = (np.zeros, np.ones, np.eye, np.identity)
_PRODUCTS = (operator.matmul, np.matmul, np.dot, np.vdot, np.inner)
_PILES = {np.concatenate: np.concatenate, np.stack: np.stack, np.vstack: np.vstack, np.hstack: np.hstack}
_SUMS = (np.sum, np.mean, np.prod, np.trace)


def nothing(value: Expr) -> bool:
    """Whether an array is made whose elements have no value yet."""
    return isinstance(value, Call) and member(value.fn, _EMPTY)


def spread(value: Expr, read: Read, emit: Emit) -> np.ndarray | None:
    """The elements of what an array function gives, as expressions; None, if it is not known how.

    >>> from srcad.lang.ir import Var
    >>> from srcad.lang.types import TupleType
    >>> pair = Call(np.array, (Tuple((Var("a", FLOAT), Const(1, FLOAT)), TupleType((FLOAT, FLOAT))),))
    >>> [type(e).__name__ for e in spread(pair, lambda e: objects([e], ()), lambda e: e)]
    ['Var', 'Const']
    """
    if not isinstance(value, Call) or not isinstance(value.type, (Array, Scalar)) and value.fn is not np.array:
        return None
    if value.fn in (np.array, np.copy):
        return stacked(value.args[0], read)
    if member(value.fn, _NEW):
        return _new(value)
    if member(value.fn, _PILES):
        return _piled(value, read)
    if member(value.fn, _PRODUCTS) and len(value.args) == 2 and not value.kwargs:
        return _product(value, read, emit)
    if value.fn is np.outer and len(value.args) == 2:
        a, b = map(read, value.args)
        return None if a is None or b is None else _every(operator.mul, a.reshape(-1, 1), b.reshape(1, -1))
    if member(value.fn, _SUMS):
        return _summed(value, read, emit)
    if value.fn is np.linalg.norm:
        return _norm(value, read, emit)
    return _elementwise(value, read) if computes(value) else None


def rearranged(value: Expr) -> Callable[[np.ndarray], np.ndarray | None] | None:
    """What a function does to places that gives a view in NumPy."""
    if not isinstance(value, Call) or value.kwargs or not isinstance(value.type, Array):
        return None
    if value.fn is np.transpose and len(value.args) == 1:
        return np.transpose
    layout = getattr(value.args[0].type, "layout", "")  # type: ignore[union-attr]
    if value.fn in (np.reshape, np.ravel) and layout in ("C", "c") and is_small(value.type):
        shape = sizes(value.type)
        return lambda numbers: numbers.reshape(shape) if numbers.flags.c_contiguous else None
    return None


def stacked(nest: Expr, read: Read) -> np.ndarray | None:
    """The elements of an array made of a nest of tuples, or of an array."""
    if not isinstance(nest, Tuple):
        return read(nest)
    parts = [stacked(item, read) for item in nest.items]
    if not parts or any(part is None for part in parts) or len({part.shape for part in parts}) > 1:  # type: ignore
        return None
    return objects([e for part in parts for e in part.flat], (len(parts), *parts[0].shape))  # type: ignore[union-attr]


def _new(value: Call) -> np.ndarray | None:
    args = [_plain(arg) for arg in value.args]
    if value.kwargs or any(arg is None for arg in args):
        return None
    numbers = value.fn(*args)
    return objects([Const(float(e), FLOAT) for e in numbers.flat], numbers.shape)


def _plain(arg: Expr) -> Any:
    """An argument of constants as Python has it."""
    if isinstance(arg, Tuple):
        items = tuple(map(_plain, arg.items))
        return None if None in items else items
    return arg.value if isinstance(arg, Const) and isinstance(arg.value, (int, type, np.dtype)) else None


def _piled(value: Call, read: Read) -> np.ndarray | None:
    parts, *others = value.args
    axes = [_plain(e) for e in (*others, *(e for _, e in value.kwargs))]
    if not isinstance(parts, Tuple) or None in axes or any(name != "axis" for name, _ in value.kwargs):
        return None
    found = [part for part in map(read, parts.items) if part is not None]
    pile: Any = _PILES[value.fn]
    try:
        return pile(found, *axes) if len(found) == len(parts.items) else None
    except ValueError:
        return None


def _product(value: Call, read: Read, emit: Emit) -> np.ndarray | None:
    """Sums of products, as `matmul` has them of vectors and matrices."""
    if any(len(getattr(arg.type, "shape", ())) not in (1, 2) for arg in value.args):  # type: ignore[union-attr]
        return None
    shapes = [arg.type.shape for arg in value.args]  # type: ignore[union-attr]
    if not all(isinstance(dim, int) for shape in shapes for dim in shape):
        return None
    a, b = map(read, value.args)
    if a is None or b is None:
        return None
    if value.fn is np.vdot:
        a, b = a.ravel(), b.ravel()
    b = b.T if value.fn is np.inner else b
    if a.shape[-1] != b.shape[0] or a.size * b.size // b.shape[0] > MOST:
        return None
    rows, columns = a.reshape(-1, a.shape[-1]), b.reshape(b.shape[0], -1)
    sums = [_sum([Call(operator.mul, pair) for pair in zip(row, column)], emit) for row in rows for column in columns.T]
    return objects(sums, a.shape[:-1] + b.shape[1:])


def _sum(terms: list[Expr], emit: Emit, fn: Any = operator.add) -> Expr:
    """The sum of terms from left to right, every part of it with a name but the last."""
    total, *others = terms
    for term in others:
        total = Call(fn, (_named(total, emit), _named(term, emit)))
    return total


def _named(expr: Expr, emit: Emit) -> Expr:
    return emit(expr) if isinstance(expr, Call) else expr


def _every(fn: Any, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    pairs = np.broadcast(a, b)
    return objects([Call(fn, pair) for pair in pairs], pairs.shape)


def _summed(value: Call, read: Read, emit: Emit) -> np.ndarray | None:
    """Sums, means and products, of everything or along an axis."""
    array, *others = value.args
    named = dict(value.kwargs)
    axis = others[0] if others else named.pop("axis", None)
    if len(others) > 1 or named or not isinstance(array.type, Array):  # type: ignore[union-attr]
        return None
    along = None if axis is None or getattr(axis, "value", ...) is None else _plain(axis)
    if along is None and axis is not None and getattr(axis, "value", ...) is not None:
        return None
    elements = read(array)
    if elements is None or array.type.dtype != "float64":  # type: ignore[union-attr]
        return None
    if value.fn is np.trace:
        if axis is not None or elements.ndim != 2:
            return None
        elements = np.diagonal(elements)
    rows = elements.reshape(1, -1)
    if along is not None:
        rows = np.moveaxis(elements, along, -1).reshape(-1, elements.shape[along])
    fn = operator.mul if value.fn is np.prod else operator.add
    sums = [_sum(list(row), emit, fn) for row in rows]
    if value.fn is np.mean:
        sums = [Call(operator.truediv, (_named(total, emit), Const(rows.shape[1], FLOAT))) for total in sums]
    return objects(sums, getattr(value.type, "shape", ()))


def _norm(value: Call, read: Read, emit: Emit) -> np.ndarray | None:
    """The root of a sum of squares, whose derivative at the origin is zero."""
    elements = read(value.args[0]) if len(value.args) == 1 and not value.kwargs else None
    if elements is None:
        return None
    total = emit(_sum([Call(operator.mul, (e, e)) for e in elements.flat], emit))
    is_zero = Call(operator.eq, (total, Const(0.0, FLOAT)), (), BOOL)
    return objects([emit(Call(select, (is_zero, Const(0.0, FLOAT), Call(np.sqrt, (total,)))))], ())


def _elementwise(value: Call, read: Read) -> np.ndarray | None:
    """One expression for each element."""
    if not is_listable(value.type):
        return None
    shape = sizes(value.type)  # type: ignore[arg-type]
    found: dict[int, np.ndarray] = {}
    for arg in operands(value):
        elements = read(arg)
        if elements is None:
            return None
        try:
            found[id(arg)] = np.broadcast_to(elements, shape)
        except ValueError:  # which NumPy raises where the function is called
            return None
    parts = [element(value, lambda e, place=place: found[id(e)][place]) for place in np.ndindex(*shape)]  # type: ignore
    return objects(parts, shape)
