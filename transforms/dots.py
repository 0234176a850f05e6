"""dots: products of vectors that were just computed, and their norms, as sums over elements. For machine code only.

``r = x[i] - x[j]; d = r @ r`` makes an array for a number. As ``np.sum(r * r)``, it is one loop with the difference,
which nobody stores. Vectors that are there anyway are left to BLAS.
"""

from __future__ import annotations

import operator
from collections.abc import Set
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Function, Let, Var
from srcad.transforms import factors
from srcad.transforms.elements import computes
from srcad.transforms.infer import typed

PRODUCTS = (*factors.PRODUCTS, np.inner, np.vdot)


def dots(fn: Function) -> Function:
    """Write products of computed vectors as sums.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, Array
    >>> x, y = (Var(name, Array("float64", ("n",), "C")) for name in "xy")
    >>> r = Var("r", x.type)
    >>> body = (Let("r", Call(operator.sub, (x, y), (), x.type)), Return(Call(operator.matmul, (r, r), (), FLOAT)))
    >>> from srcad.lang.write import write
    >>> fn = dots(Function("f", (Param("x", x.type), Param("y", y.type)), body))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x, y):
        r = x - y
        return np.sum(r * r)
    """
    return fn if fn.exact else replace(fn, body=_in_block(fn.body))


def _in_block(block: Block) -> Block:
    made = {s.target for s in block if isinstance(s, Let) and _is_vector(s.value) and computes(s.value)}
    change = lambda e: walk.map_expr(lambda each: _as_sum(each, made), e)
    return tuple(walk.map_stmt(change, stmt, _in_block) for stmt in block)


def _as_sum(expr: Expr, made: Set[str]) -> Expr:
    match expr:
        case Call(fn, (a, b), ()) if member(fn, PRODUCTS) and _is_vector(a) and _is_vector(b):
            alike = a.type.shape == b.type.shape  # type: ignore[union-attr]  # or one number would go with all others
            if alike and any(isinstance(e, Var) and e.name in made or computes(e) for e in (a, b)):
                return _sum(a, b)
        case Call(np.linalg.norm, (Var() as a,), ()) if _is_vector(a):
            return typed(Call(np.sqrt, (_sum(a, a),)))
    return expr


def _sum(a: Expr, b: Expr) -> Expr:
    return typed(Call(np.sum, (typed(Call(operator.mul, (a, b))),)))


def _is_vector(expr: Expr) -> bool:
    return len(factors.shape(expr)) == 1
