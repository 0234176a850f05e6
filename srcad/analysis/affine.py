"""Subscripts of the form ``loop index + constant``."""

from __future__ import annotations

import operator

from srcad.lang.ir import Call, Const, Expr, For, Stmt, Var

Loops = tuple[Stmt, ...]  # the loops around a statement


def linear(expr: Expr) -> tuple[str | None, int] | None:
    """``(name, constant)`` for ``name + constant``; a name of None for a bare constant; None for anything else.

    >>> from srcad.lang.types import INT
    >>> linear(Call(operator.sub, (Var("i", INT), Const(1, INT)), (), INT))
    ('i', -1)
    """
    match expr:
        case Const(value) if type(value) is int:
            return None, value
        case Var(name):
            return name, 0
        case Call(fn, (left, right)) if fn in (operator.add, operator.sub):
            a, b = linear(left), linear(right)
            if a is None or b is None or (fn is operator.sub and b[0] is not None) or (a[0] and b[0]):
                return None
            return a[0] or b[0], a[1] + b[1] if fn is operator.add else a[1] - b[1]
    return None


def natural(subscript: tuple[str | None, int], loops: Loops) -> bool:
    """Whether a subscript is surely not negative."""
    low = least(subscript, loops)
    return low is not None and low >= 0


def least(subscript: tuple[str | None, int], loops: Loops) -> int | None:
    """A lower bound of ``name + constant``, for names of the loops around it."""
    name, constant = subscript
    if name is None:
        return constant
    for loop in loops:
        if isinstance(loop, For) and loop.index == name and isinstance(loop.step, Const):
            upwards = loop.step.value > 0
            bound = linear(loop.start if upwards else loop.stop)
            low = None if bound is None else least(bound, loops)
            return None if low is None else low + constant + (not upwards)
    return None
