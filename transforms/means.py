"""Sums and means of all elements, and how many there are; part of `elementwise` and `rows`."""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.lang.ir import Attr, Call, Expr, Var
from srcad.lang.types import INT, Array
from srcad.transforms.elements import leaves
from srcad.transforms.infer import typed


def as_sum(e: Expr) -> tuple[Call, Expr | None] | None:
    """The sum of a sum or a mean of all elements, and what a mean divides by."""
    if isinstance(e, Call) and e.fn is np.sum:
        return e, None
    if not (isinstance(e, Call) and e.fn is np.mean and len(e.args) == 1 and not e.kwargs):
        return None
    one = one_as_long(e.args[0])
    return None if one is None else (replace(e, fn=np.sum), Attr(one, "size", INT))


def per_element(total: Expr, size: Expr | None) -> Expr:
    return total if size is None else typed(Call(operator.truediv, (total, size)))


def one_as_long(array: Expr) -> Var | None:
    """An operand of an elementwise expression that has its shape.

    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> one_as_long(Call(np.exp, (x,), (), x.type)) == x
    True
    """
    for leaf in leaves(array):
        kind = getattr(leaf, "type", None)
        if isinstance(leaf, Var) and isinstance(kind, Array) and kind.shape == array.type.shape:  # type: ignore
            return leaf
    return None
