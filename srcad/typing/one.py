"""Subscripts of numbers and of arrays without axes: new axes, and tests that take the one element or none."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.lang.arrays import number
from srcad.lang.ir import Expr, Tuple
from srcad.lang.types import BOOL, Array, Scalar, TupleType
from srcad.typing.table import Facts, call, constant, shape_of

NO_AXES = Tuple((), TupleType(()))


def is_one(value: Expr) -> bool:
    """Whether a value is a number, or an array without axes."""
    type = getattr(value, "type", None)
    return isinstance(type, Scalar) or isinstance(type, Array) and not type.shape


def is_test(index: Expr) -> bool:
    """Whether an index is a truth value, or an array of one without axes."""
    return is_one(index) and (index.type == BOOL or index.type.dtype == "bool")  # type: ignore[union-attr]


def subscript(facts: Facts, base: Expr, index: Expr, parts: Callable[[Expr], list[Any]]) -> Expr | None:
    """``x[x > 0]`` of a number, an array of one element or of none, ``x[None]`` or ``x[...]``; None: something else."""
    if not is_one(base):
        return None
    if is_test(index):
        return call(facts, np.full, call(facts, int, number(index)), number(base))
    found = parts(index)
    if isinstance(base.type, Scalar) and all(part is None or part is Ellipsis for part in found):  # type: ignore
        rank = found.count(None)
        return call(facts, np.full, constant((1,) * rank), base) if rank else base
    if found == [Ellipsis] and not shape_of(base.type):  # type: ignore[union-attr, arg-type]
        return call(facts, operator.getitem, base, NO_AXES)
    return None
