"""Masks: products with zeros and ones, and the elements that a mask picks."""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.arrays import items_of
from srcad.lang.ir import Call, Const, Expr, Var, select

PRODUCTS = frozenset((operator.mul, np.multiply))


def masks(call: Call, definitions: dict[str, Expr]) -> Iterator[tuple[Expr, Expr]]:
    """The operands of a product, each with the other one, that are multiplied by a mask of zeros and ones."""
    if member(call.fn, PRODUCTS):
        for operand, other in (call.args, call.args[::-1]):
            if _is_mask(other, definitions):
                yield operand, other


def _is_mask(expr: Expr, definitions: dict[str, Expr]) -> bool:
    """Whether a factor is a truth value, converted or not, or a choice of which one is zero."""
    if _has_dtype_bool(expr):
        return True
    value = definitions.get(expr.name) if isinstance(expr, Var) else None
    match value:
        case Call(fn, (inner, *_)) if fn is float or fn is np.ndarray.astype:
            return _is_mask(inner, definitions)
        case Call(fn, (_, a, b)) if fn is np.where or fn is select:
            return any(isinstance(e, Const) and type(e.value) in (int, float) and e.value == 0 for e in (a, b))
    return False


def _has_dtype_bool(expr: Expr) -> bool:
    return getattr(getattr(expr, "type", None), "dtype", "") == "bool"


def picks_by_mask(value: Expr, definitions: dict[str, Expr]) -> bool:
    return isinstance(value, Call) and value.fn is operator.getitem and by_mask(value.args[1], definitions)


def by_mask(index: Expr, definitions: dict[str, Expr]) -> bool:
    """Whether a subscript is a mask, ``y[y > 0]``, or the places where one is true, ``y[np.flatnonzero(y > 0)]``."""
    parts = items_of(index)
    return any(_has_dtype_bool(part) or _is_places(part, definitions) for part in parts)


def _is_places(index: Expr, definitions: dict[str, Expr]) -> bool:
    value = definitions.get(index.name) if isinstance(index, Var) else None
    match value:
        case Call(operator.getitem, (inner, Const())):
            return _is_places(inner, definitions)
        case Call(fn):
            return fn is np.flatnonzero or fn is np.nonzero
    return False
