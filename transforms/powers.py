"""powers: powers of numbers in a form of which loops become vector instructions; part of `blocks`. For machine code
only.

Numba compiles ``r**1.5`` to a call of the system's library, one number at a time. What has a square root is written
with it, ``r * r**0.5``: of that, LLVM makes an instruction. All other powers of loops become ``np.power(r, p)``, the
name under which there is a vector function.
"""

from __future__ import annotations

import math
import operator
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, For, Function, Stmt, While
from srcad.lang.types import FLOAT, Scalar

MOST = 3.5  # of which the square root and products are quicker than a power


def powers(fn: Function) -> Function:
    """Write the powers in loops so that they become vector instructions.

    >>> from srcad.lang.ir import Param, Return, Let, Accum, Var
    >>> from srcad.lang.types import INT
    >>> r, s, p, n = Var("r", FLOAT), Var("s", FLOAT), Var("p", FLOAT), Var("n", INT)
    >>> def power(x, y): return Call(operator.pow, (x, y), (), FLOAT)
    >>> body = (Accum(s, power(r, Const(-1.5, FLOAT))), Accum(s, power(r, p)), Accum(s, power(r, Const(2, INT))))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), body)
    >>> fn = powers(Function("f", tuple(Param(v.name, v.type) for v in (r, s, p, n)), (loop, Return(s))))
    >>> from srcad.lang.write import write
    >>> print(write(fn).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(r, s, p, n):
        for i in range(n):
            s += 1.0 / (r * r**0.5)
            s += np.power(r, p)
            s += r**2
        return s
    """
    if fn.exact or not any(_is_power(e) for s in walk.statements(fn.body) for x in walk.stmt_exprs(s)
                           for e in walk.subexprs(x)):  # fmt: skip
        return fn
    return replace(fn, body=tuple(map(_outside_loops, fn.body)))


def _outside_loops(stmt: Stmt) -> Stmt:
    if isinstance(stmt, (For, While)):
        return replace(stmt, body=walk.map_block(lambda e: walk.map_expr(_written, e), stmt.body))
    return walk.map_stmt(lambda e: e, stmt, lambda block: tuple(map(_outside_loops, block)))


def _is_power(expr: Expr) -> bool:
    if not (isinstance(expr, Call) and expr.fn is operator.pow):
        return False
    kinds = [getattr(e, "type", None) for e in (expr, *expr.args)]
    return _is_float(*kinds) or _is_float(*kinds, dtype="float32")


def _is_float(*kinds: object, dtype: str = "float64") -> bool:
    return all(isinstance(kind, Scalar) and kind.dtype == dtype for kind in kinds)


def _written(expr: Expr) -> Expr:
    if not (isinstance(expr, Call) and _is_power(expr)):
        return expr
    base, exponent = expr.args
    size = abs(exponent.value) if isinstance(exponent, Const) else math.pi
    if size.is_integer():
        return expr
    if not (2 * size).is_integer() or size > MOST or not _is_float(expr.type, base.type):  # type: ignore[attr-defined]
        return replace(expr, fn=np.power)
    assert isinstance(exponent, Const)
    root = replace(expr, args=(base, replace(exponent, value=0.5)))
    product = root
    for _ in range(int(size)):
        product = replace(expr, fn=operator.mul, args=(base, product))
    return product if exponent.value > 0 else replace(expr, fn=operator.truediv, args=(Const(1.0, FLOAT), product))
