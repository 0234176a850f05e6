"""Subscripts of the form ``loop index + constant``, and sums of subscripts."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang.ir import Call, Const, Expr, For, Stmt, Var
from srcad.lang.types import INT

ZERO = Const(0, INT)
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


def plus(start: Expr, more: Expr) -> Expr:
    """Two subscripts, one behind the other, constants last.

    >>> k = Var("k", INT)
    >>> plus(plus(k, Const(1, INT)), Const(2, INT)) == Call(operator.add, (k, Const(3, INT)), (), INT)
    True
    """
    if ZERO in (start, more):
        return start if more == ZERO else more
    match start, more:
        case Const(), Const():
            return Const(start.value + more.value, INT)
        case Const(), _:
            return plus(more, start)
        case Call(operator.add, (whole, Const(int() as before))), Const():
            return plus(whole, Const(before + more.value, INT))
    return Call(operator.add, (start, more), (), INT)


def less(number: Expr | None, by: Expr) -> Expr | None:
    """``number - by``, constants together; of a sum what is left of it.

    >>> i, n = Var("i", INT), Var("n", INT)
    >>> less(plus(i, n), i) == less(plus(n, i), i) == n
    True
    >>> less(plus(plus(n, i), Const(1, INT)), i) == plus(n, Const(1, INT))
    True
    """
    if number is None or by == ZERO:
        return number
    one, other = linear(number), linear(by)
    if one is not None and other is not None and one[0] == other[0]:
        return Const(one[1] - other[1], INT)
    match number, by:
        case Call(operator.sub, (whole, Const(int() as before))), Const():
            return less(whole, Const(before + by.value, INT))
    return _without(number, by) or Call(operator.sub, (number, by), (), INT)


def _without(total: Expr, one: Expr) -> Expr | None:
    """What is left of a sum; None if `one` is none of its terms."""
    match total:
        case Call(operator.add, (first, second)) if one in (first, second):
            return second if one == first else first
        case Call(operator.add | operator.sub, (first, _)) if (left := _without(first, one)) is not None:
            return replace(total, args=(left, total.args[1]))
    return None


def shifted(counter: Expr, by: Expr) -> Expr:
    """A counter and a constant number, which may be negative: ``i - 1``."""
    if isinstance(by, Const) and by.value < 0 and counter != ZERO:
        return Call(operator.sub, (counter, Const(-by.value, INT)), (), INT)
    return plus(counter, by)


def upto(start: Expr, length: Expr) -> Expr:
    """Where a loop ends that begins at `start` and counts `length` times."""
    match length:
        case Call(operator.sub, (last, first)) if first == start:
            return last
    return plus(start, length)


def counted(counter: Expr, start: Expr) -> Expr:
    """A counter from `start` on; one that itself counts from there, ``i - start``, is `i`.

    >>> i, k = Var("i", INT), Var("k", INT)
    >>> counted(Call(operator.sub, (i, k), (), INT), plus(k, Const(1, INT))) == plus(i, Const(1, INT))
    True
    """
    match counter:
        case Call(operator.sub, (index, first)):
            apart = less(start, first)
            if isinstance(apart, Const):
                return plus(index, apart)
    if counter == ZERO:
        return start
    if isinstance(start, Const):
        return counter if start.value == 0 else Call(operator.add, (counter, start), (), INT)
    return Call(operator.add, (start, counter), (), INT)
