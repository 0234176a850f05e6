"""quiet: powers and quotients in the reverse sweep on which Python would raise.

For target "python" only, just before names are made.

The seed is a number of NumPy's, and so are the cotangents made of it: they divide by zero as machines do. A power or a
quotient of Python's own numbers, which may stand beside them, raises at zero; NumPy's does not.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.steep import ROOTS
from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Let, Stmt, Var
from srcad.lang.types import Scalar, is_float
from srcad.options import SEED
from srcad.transforms.context import is_bar


def quiet(fn: Function) -> Function:
    """Let NumPy compute what in the reverse sweep may be infinite.

    >>> from srcad.lang.ir import Let, Var
    >>> from srcad.lang.origin import Origin
    >>> from srcad.lang.types import FLOAT
    >>> power = Call(operator.pow, (Var("x", FLOAT), Const(-0.5, FLOAT)), (), FLOAT)
    >>> quiet(Function("f", (), (Let("y", power, Origin(adjoint=True)),))).body[0].value.fn.__name__
    'power'
    """
    lets = [stmt for stmt in walk.statements(fn.body) if isinstance(stmt, Let)]
    zeros = {s.target for s in lets if is_bar(s.target) and isinstance(s.value, Const)}
    roots = {s.target for s in lets if isinstance(s.value, Call) and member(s.value.fn, ROOTS) and _is_python(s.value)}
    given = frozenset(s.target for s in lets if isinstance(s.value, Const) and not is_bar(s.target))  # such as tangents

    def node(expr: Expr) -> Expr:
        match expr:
            case Call(operator.truediv, (above, Var(name)), (), Scalar()) if name in roots:
                if any(e.name in zeros for e in walk.subexprs(above) if isinstance(e, Var)):
                    return replace(expr, fn=np.divide)  # nothing may have been added to the cotangent
        return _node(expr, given)

    def quieted(stmt: Stmt) -> Stmt:
        each = node if stmt.origin.adjoint else _element
        return walk.map_stmt(lambda e: walk.map_expr(each, e), stmt, lambda block: tuple(map(quieted, block)))

    return replace(fn, body=tuple(map(quieted, fn.body)))


def _element(expr: Expr) -> Expr:
    """What was computed with elements of arrays, before they became numbers with names of their own."""
    match expr:
        case Call(operator.pow | operator.truediv as fn, (a, b), (), Scalar(weak=False)):
            if all(isinstance(kind := getattr(e, "type", None), Scalar) and kind.weak for e in (a, b)):
                return replace(expr, fn=np.power if fn is operator.pow else np.divide)
    return expr


def _node(expr: Expr, given: frozenset[str]) -> Expr:
    match expr:
        case Call(operator.pow, (_, Const(int() | float() as exponent)), (), Scalar()) if exponent >= 0:
            return expr
        case Call(operator.pow, (base, _), (), Scalar(weak=True)) if is_float(getattr(base, "type", None)):
            return replace(expr, fn=np.power)
        case Call(operator.truediv, (_, Const(int() | float() | complex() as value)), ()) if value != 0:
            return expr
        case Call(operator.truediv, args, (), Scalar()) if all(_is_python(each, given) for each in args):
            return replace(expr, fn=np.divide)
    return expr


def _is_python(expr: Expr, given: frozenset[str] = frozenset()) -> bool:
    """Whether a number is one of Python's own; the seed and the cotangents are NumPy's."""
    kind = getattr(expr, "type", None)
    own = isinstance(kind, Scalar) and _is_weak(expr, given)
    return own and not any(n == SEED or is_bar(n) for n in walk.names(expr))


def _is_weak(expr: Expr, given: frozenset[str]) -> bool:
    """Whether a number is made of Python's own; what is left of a product may still have the type of the whole."""
    match expr:
        case Call(operator.mul | operator.add | operator.sub | operator.truediv, args, ()):
            return all(_is_weak(each, given) for each in args)
        case Call(operator.neg, (value,), ()):
            return _is_weak(value, given)
        case Var(name) if name in given:
            return True
    return getattr(expr.type, "weak", False)
