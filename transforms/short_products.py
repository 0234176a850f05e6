"""short_products: products with vectors inside of loops do without BLAS where that takes longer; part of `blocks`.
For machine code only.

``x[i] @ x[j]`` in a loop over pairs takes ten times as long to call BLAS as to multiply a few dozen numbers: it is a
loop. With a matrix, `srcad.runtime.short_dot` does the one or the other when it runs, and knows how many there are.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.arrays import axis_length
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Function, Let, Stmt, Var, While
from srcad.lang.types import INT, Array, Scalar
from srcad.runtime import short_dot
from srcad.transforms import factors


def short_products(fn: Function) -> Function:
    """Let products with vectors that loops compute again and again do without BLAS where they are short.

    >>> import numpy as np
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x, y = (Var(name, Array("float64", ("n",), "C")) for name in "xy")
    >>> product = Let("s", Call(operator.matmul, (x, y), (), FLOAT))
    >>> loop = For("i", Const(0, INT), Const(9, INT), Const(1, INT), (product,))
    >>> from srcad.lang.write import write
    >>> fn = Function("f", (Param("x", x.type), Param("y", y.type)), (product, loop, Return(Var("s", FLOAT))))
    >>> print(write(short_products(fn)).text, end="")
    def f(x, y):
        s = x @ y
        for i in range(9):
            s = 0.0
            for k_1 in range(x.shape[0]):
                s += x[k_1] * y[k_1]
        return s
    """
    if fn.exact:
        return fn
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    numbers = (f"k_{number}" for number in itertools.count(1))
    body = _Products(name for name in numbers if name not in used).block(fn.body, False)
    return fn if body == fn.body else replace(fn, body=body)


@dataclass
class _Products:
    counters: Iterator[str]

    def block(self, block: Block, again: bool) -> Block:
        return tuple(one for stmt in block for one in self.statement(stmt, again))

    def statement(self, stmt: Stmt, again: bool) -> Block:
        if again and isinstance(stmt, Let) and (made := self.sum(stmt)):
            return made
        inside = again or isinstance(stmt, (For, While))
        change = (lambda e: walk.map_expr(_short, e)) if again else (lambda e: e)
        return (walk.map_stmt(change, stmt, lambda inner: self.block(inner, inside)),)

    def sum(self, stmt: Let) -> Block:
        """A product of two vectors as a loop; nothing if it is none."""
        match stmt.value:
            case Call(fn, (Var() as a, Var() as b), (), Scalar() as kind) if member(fn, factors.PRODUCTS):
                if not (isinstance(a.type, Array) and isinstance(b.type, Array) and a.type.shape == b.type.shape):
                    return ()
                if a.type.dtype != kind.dtype or b.type.dtype != kind.dtype or kind.dtype != "float64":
                    return ()
                k = Var(next(self.counters), INT)
                parts = tuple(Call(operator.getitem, (one, k), (), kind) for one in (a, b))
                more = Accum(Var(stmt.target, kind), Call(operator.mul, parts, (), kind), stmt.origin)
                loop = For(k.name, Const(0, INT), axis_length(a, 0), Const(1, INT), (more,), None, stmt.origin)
                return Let(stmt.target, Const(0.0, kind), stmt.origin), loop
        return ()


def _short(expr: Expr) -> Expr:
    match expr:
        case Call(fn, (a, b), ()) if member(fn, factors.PRODUCTS):
            one, other = (getattr(each, "type", None) for each in (a, b))
            if isinstance(one, Array) and isinstance(other, Array) and one.dtype == other.dtype:
                if one.dtype in ("float64", "float32") and sorted((one.ndim, other.ndim)) == [1, 2]:
                    return replace(expr, fn=short_dot)
    return expr
