"""scaled: the sign or the number in front of a factor of a product of matrices stands in front of the product.

``-X @ w`` is read by Python as ``(-X) @ w``: a second matrix as large as the first is made for a vector. An expert
writes ``-(X @ w)``, and so does this: a vector is scaled and not a matrix, and its cotangent, too. A product that is
itself a matrix is scaled where it meets an operation on its elements, ``a - 2 * X @ Y.T``, which has it in hand.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.arrays import rank_of
from srcad.lang.ir import Call, Expr, Function
from srcad.lang.types import Array, Scalar, is_float
from srcad.transforms.elements import computes

_PRODUCTS = frozenset((operator.matmul, np.matmul, np.dot))
_TIMES = frozenset((operator.mul, np.multiply))
_NEGATIVE = frozenset((operator.neg, np.negative))


def scaled(fn: Function) -> Function:
    """Scale products in the place of their factors.

    >>> from srcad.lang.ir import Param, Return, Var
    >>> X, w = Var("X", Array("float64", ("n", "m"), "C")), Var("w", Array("float64", ("m",), "C"))
    >>> negative = Call(operator.neg, (X,), (), X.type)
    >>> product = Call(operator.matmul, (negative, w), (), Array("float64", ("n",), "C"))
    >>> params = tuple(Param(v.name, v.type) for v in (X, w))
    >>> from srcad.lang.write import write
    >>> print(write(scaled(Function("f", params, (Return(product),)))).text, end="")
    def f(X, w):
        return -(X @ w)
    """
    return replace(fn, body=walk.map_block(_node, fn.body))


def _node(expr: Expr) -> Expr:
    if not isinstance(expr, Call):
        return expr
    if computes(expr):
        expr = replace(expr, args=tuple(_outside(arg) if rank_of(arg) == 2 else arg for arg in expr.args))
    return _outside(expr) if rank_of(expr) == 1 else expr


def _outside(expr: Expr) -> Expr:
    """A product with what its factors are scaled by in front of it."""
    match expr:
        case Call(fn, (Call() as first, second), ()) if member(fn, _PRODUCTS) and _is_scaled(first, expr):
            return _in_front(first, expr, lambda matrix: (matrix, second))
        case Call(fn, (first, Call() as second), ()) if member(fn, _PRODUCTS) and _is_scaled(second, expr):
            return _in_front(second, expr, lambda matrix: (first, matrix))
    return expr


def _in_front(scale: Call, product: Call, factors: Callable[[Expr], tuple[Expr, ...]]) -> Call:
    [matrix] = [arg for arg in scale.args if rank_of(arg) == 2]
    bare = _outside(replace(product, args=factors(matrix)))
    return replace(scale, args=tuple(bare if arg is matrix else arg for arg in scale.args), type=product.type)


def _is_scaled(factor: Call, product: Call) -> bool:
    """Whether a factor is a matrix times a number or -1, of the kind that the product has, too."""
    times = member(factor.fn, _TIMES) and any(isinstance(getattr(arg, "type", None), Scalar) for arg in factor.args)
    if factor.kwargs or not (times or member(factor.fn, _NEGATIVE)):
        return False
    kinds = [arg.type for arg in (*factor.args, product) if isinstance(getattr(arg, "type", None), Array)]  # type: ignore
    return rank_of(factor) == 2 and is_float(product.type) and all(kind.dtype == product.type.dtype for kind in kinds)  # type: ignore
