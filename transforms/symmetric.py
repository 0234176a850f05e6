"""What is multiplied by a matrix and by its transpose is multiplied by their sum; part of `products`.

The cotangent of `b` in ``b @ b.T`` is ``c @ b + c.T @ b``, that of `x` in ``x.T @ x`` is ``x @ c + x @ c.T``. By hand
one writes ``(c + c.T) @ b``, one product for two.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, Let, Stmt, Var
from srcad.transforms.factors import PRODUCTS, product, shape, transposed
from srcad.transforms.infer import typed


def summed_first(block: Block, classes: Classes) -> Block:
    """A block in which a matrix and its transpose are added up before they are multiplied.

    >>> from srcad.lang.types import Array
    >>> c, b = Var("c", Array("float64", ("n", "n"), "C")), Var("b", Array("float64", ("n", "k"), "C"))
    >>> t = Var("t", b.type)
    >>> from srcad.lang.write import write
    >>> from srcad.lang.ir import Function
    >>> block = (Let("t", product(c, b)), Accum(t, product(transposed(c), b)))
    >>> print(write(Function("f", (), summed_first(block, Classes.of(block)))).text.splitlines()[-1])
        t = (c + c.T) @ b
    """
    result: list[Stmt] = []
    for stmt in block:
        stmt = walk.map_stmt(lambda e: e, stmt, lambda inner: summed_first(inner, classes))
        both = _both(result[-1], stmt, classes) if result else None
        if both is not None:
            result[-1] = both
        else:
            result.append(stmt)
    return tuple(result)


def _both(one: Stmt, other: Stmt, classes: Classes) -> Let | Accum | None:
    """One statement for two that follow each other; None where they are not such a pair."""
    match one, other:
        case ((Let(name) | Accum(Var(name))), Accum(Var(same))) if name == same:
            value = _with_sum(one.value, other.value)
            if value is not None and not any(classes.share(name, read) for read in walk.names(value)):
                return replace(one, value=value)
    return None


def _with_sum(one: Expr, other: Expr) -> Expr | None:
    """The product with a sum that two products add up to."""
    match one, other:
        case Call(fn, (a, b), ()), Call(again, (c, d), ()) if member(fn, PRODUCTS) and member(again, PRODUCTS):
            if b == d and len(shape(b)) == 2 and _are_turned(a, c):
                return product(_sum(a, c), b)
            if a == c and len(shape(a)) == 2 and _are_turned(b, d):
                return product(a, _sum(b, d))
    return None


def _are_turned(one: Expr, other: Expr) -> bool:
    """Whether two square matrices with names are each other's transposes."""
    bare = one.args[0] if isinstance(one, Call) and one.fn is np.transpose else one
    dims = shape(bare)
    return isinstance(bare, Var) and len(dims) == 2 and dims[0] == dims[1] and transposed(one) == other


def _sum(one: Expr, other: Expr) -> Expr:
    matrix, turned = (other, one) if isinstance(one, Call) else (one, other)
    return typed(Call(operator.add, (matrix, turned)))
