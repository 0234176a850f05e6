"""What is added to the cotangents of arrays: signs in front, equal contributions once."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang.ir import Accum, Call, Const, Expr, Stmt, Var
from srcad.lang.types import FLOAT, Array, Scalar
from srcad.lang.walk import names

_PRODUCTS = (operator.mul, operator.truediv)


def signed(stmt: Stmt) -> Stmt:
    """``a += -(b * c) * d`` as ``a += -(b * c * d)``, which prints with a minus sign in front.

    >>> from srcad.lang.origin import Origin
    >>> a, b, c = (Var(n, Array("float64", ("n",))) for n in "abc")
    >>> product = Call(operator.mul, (Call(operator.neg, (b,), (), b.type), c), (), b.type)
    >>> signed(Accum(a, product, Origin(adjoint=True))).value.fn.__name__
    'neg'
    """
    if not (isinstance(stmt, Accum) and stmt.origin.adjoint):
        return stmt
    negative, value = _unsigned(stmt.value)
    if not negative:
        return replace(stmt, value=value)
    return replace(stmt, value=Call(operator.neg, (value,), (), value.type))


def _unsigned(value: Expr) -> tuple[bool, Expr]:
    """Whether a product is negative, and the product without its signs."""
    match value:
        case Call(operator.neg, (inner,)) if _is_number(inner):
            negative, rest = _unsigned(inner)
            return not negative, rest
        case Call(fn, (left, right)) if fn in _PRODUCTS and _is_number(left) and _is_number(right):
            (one, a), (two, b) = _unsigned(left), _unsigned(right)
            return one != two, value if a is left and b is right else replace(value, args=(a, b))
    return False, value


def _is_number(value: Expr) -> bool:
    kind = getattr(value, "type", None)
    return isinstance(kind, (Scalar, Array)) and kind.dtype.startswith("float")


def _is_array(value: Expr) -> bool:
    return isinstance(getattr(value, "type", None), Array)


def doubled(stmts: list[Stmt], classes: Classes) -> list[Stmt]:
    """``a += e`` twice in a row as ``a += 2.0 * e``."""
    out: list[Stmt] = []
    for stmt in stmts:
        if out and _again(out[-1], stmt, classes):
            assert isinstance(stmt, Accum)
            out[-1] = replace(stmt, value=_twice(stmt.value))
        else:
            out.append(stmt)
    return out


def _again(first: Stmt, second: Stmt, classes: Classes) -> bool:
    if not (isinstance(first, Accum) and isinstance(second, Accum) and first.origin.adjoint and _is_array(first.value)):
        return False
    if first.target != second.target or first.value != second.value:
        return False
    base = first.target if isinstance(first.target, Var) else first.target.args[0]
    read = set(map(classes.find, content_names(first.value)))
    return isinstance(first.value, Call) and not read.intersection(map(classes.find, names(base)))


def _twice(value: Expr) -> Expr:
    """Twice a product: its first factor doubled if that is a number, else the whole."""
    match value:
        case Call(operator.neg, (inner,)):
            return replace(value, args=(_twice(inner),))
        case Call(operator.mul | operator.truediv, (left, right)) if isinstance(left, (Call, Var)):
            return replace(value, args=(_twice(left), right))
    return Call(operator.mul, (Const(2.0, FLOAT), value), (), value.type)
