"""quiet: powers in the reverse sweep on which Python would raise. For target "python" only, just before names are made.

The seed is a number of NumPy's, and so are the cotangents made of it: they divide by zero as machines do. A power of
Python's own numbers, which may stand beside them, raises at zero; NumPy's does not.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, Stmt
from srcad.lang.types import Scalar, is_float


def quiet(fn: Function) -> Function:
    """Let NumPy compute the powers of the reverse sweep that may be infinite.

    >>> from srcad.lang.ir import Let, Var
    >>> from srcad.lang.origin import Origin
    >>> from srcad.lang.types import FLOAT
    >>> power = Call(operator.pow, (Var("x", FLOAT), Const(-0.5, FLOAT)), (), FLOAT)
    >>> quiet(Function("f", (), (Let("y", power, Origin(adjoint=True)),))).body[0].value.fn.__name__
    'power'
    """
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    return tuple(_stmt(stmt) for stmt in block)


def _stmt(stmt: Stmt) -> Stmt:
    return walk.map_stmt((lambda e: walk.map_expr(_node, e)) if stmt.origin.adjoint else lambda e: e, stmt, _block)


def _node(expr: Expr) -> Expr:
    match expr:
        case Call(operator.pow, (_, Const(int() | float() as exponent)), (), Scalar()) if exponent >= 0:
            return expr
        case Call(operator.pow, (base, _), (), Scalar(weak=True)) if is_float(getattr(base, "type", None)):
            return replace(expr, fn=np.power)
    return expr
