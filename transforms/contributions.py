"""What is added to the cotangents of arrays: signs in front, equal contributions once; part of `collect`."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang.ir import Accum, Call, Const, Expr, Let, Stmt, Var
from srcad.lang.types import FLOAT, REAL, Array, Scalar
from srcad.lang.walk import names
from srcad.transforms.simplify import simplified

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
    """``a += e`` twice in a row as ``a += 2.0 * e``, and ``a = e``, ``a += e`` as ``a = 2.0 * e``.

    >>> from srcad.lang.origin import Origin
    >>> a, b = (Var(n, Array("float64", ("n",))) for n in "ab")
    >>> product = Call(operator.mul, (Const(0.5, FLOAT), b), (), b.type)
    >>> opened = (Let("a", product, Origin(adjoint=True)), Accum(a, product, Origin(adjoint=True)))
    >>> [stmt] = doubled(list(opened), Classes.of(opened))
    >>> stmt.target, stmt.value.args[0].value
    ('a', 1.0)
    """
    out: list[Stmt] = []
    for stmt in stmts:
        if out and _again(out[-1], stmt, classes):
            first = out[-1]
            assert isinstance(first, (Let, Accum))
            value = simplified(_twice(first.value), inside=isinstance(first, Accum))
            out[-1] = replace(first, value=value, origin=stmt.origin)
        else:
            out.append(stmt)
    return out


def _again(first: Stmt, second: Stmt, classes: Classes) -> bool:
    if not (isinstance(first, (Let, Accum)) and isinstance(second, Accum) and first.origin.adjoint):
        return False
    if not _is_array(first.value) or first.value != second.value:
        return False
    if isinstance(first, Let) and not (_is_product(first.value) and _names(second.target, first.target)):
        return False
    if isinstance(first, Accum) and first.target != second.target:
        return False
    base = second.target if isinstance(second.target, Var) else second.target.args[0]
    read = set(map(classes.find, content_names(first.value)))
    return isinstance(first.value, Call) and not read.intersection(map(classes.find, names(base)))


def _names(place: Expr, name: str) -> bool:
    return isinstance(place, Var) and place.name == name


def _is_product(value: Expr) -> bool:
    """Whether a value is a new array that keeps its dtype when it is doubled."""
    return isinstance(value, Call) and value.fn in _PRODUCTS and value.type.dtype in REAL  # type: ignore


def _twice(value: Expr) -> Expr:
    """Twice a product: its first factor doubled if that is a number, else the whole."""
    match value:
        case Call(operator.neg, (inner,)):
            return replace(value, args=(_twice(inner),))
        case Call(operator.mul | operator.truediv, (left, right)) if isinstance(left, (Call, Var)):
            return replace(value, args=(_twice(left), right))
        case Call(operator.mul | operator.truediv, (Const(float() as number, kind, None), right)):
            return replace(value, args=(Const(2.0 * number, kind), right))
    return Call(operator.mul, (Const(2.0, FLOAT), value), (), value.type)
