"""integers: sums of integers in their shortest form, ``n - 1 + 1`` as ``n``; part of `simplify`."""

from __future__ import annotations

import operator

from srcad.lang.ir import Attr, Call, Const, Expr
from srcad.lang.types import Scalar, Type
from srcad.lang.walk import is_const

Terms = dict[Expr, int]  # a term and how often it is added; the constant stands under ONE

ONE = Const(1)
_EXACT = {operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg, min, max}


def is_integer(type: Type) -> bool:
    return isinstance(type, Scalar) and type.dtype.startswith("int")


def integer(call: Call) -> Expr:
    """An integer expression whose operands are simple already.

    >>> from srcad.lang.ir import Var
    >>> from srcad.lang.types import INT
    >>> n = Var("n", INT)
    >>> one = Const(1, INT)
    >>> integer(Call(operator.add, (Call(operator.sub, (n, one), (), INT), one), (), INT)) == n
    True
    """
    match call:
        case Call(operator.floordiv, (x, one)) if is_const(one, 1) and is_integer(x.type):
            return x
        case Call(fn, args) if fn in _EXACT and all(_literal(a) for a in args):
            return _folded(call)
        case Call(fn, (count, zero)) | Call(fn, (zero, count)) if fn is max and is_const(zero, 0) and is_length(count):
            return count
    if call.fn not in (operator.add, operator.sub, operator.neg, operator.mul):
        return call
    terms: Terms = {}
    if not _collect(call, 1, terms):
        return call
    rebuilt = _rebuild(terms, call)
    return rebuilt if _size(rebuilt) < _size(call) else call


def is_length(count: Expr) -> bool:
    """Whether a number is surely not negative: a constant, or the length of something, or the least of such."""
    match count:
        case Const(int() as value):
            return value >= 0
        case Call(operator.getitem, (Attr(_, "shape"), _)):
            return True
        case Call(fn, args) if fn is min or fn is max:
            return (all if fn is min else any)(map(is_length, args))
    return isinstance(count, Call) and count.fn is len


def _literal(expr: Expr) -> bool:
    return isinstance(expr, Const) and type(expr.value) is int and expr.name is None


def _folded(call: Call) -> Expr:
    try:
        return Const(call.fn(*(a.value for a in call.args)), call.type)  # type: ignore[union-attr]
    except ArithmeticError:
        return call


def _collect(expr: Expr, factor: int, terms: Terms) -> bool:
    """Add ``factor * expr`` to `terms`; False where that is no sum of integers."""
    if not is_integer(getattr(expr, "type", None)):  # type: ignore[arg-type]
        return False
    match expr:
        case Const() if _literal(expr):
            terms[ONE] = terms.get(ONE, 0) + factor * expr.value
            return True
        case Call(operator.add, (a, b)):
            return _collect(a, factor, terms) and _collect(b, factor, terms)
        case Call(operator.sub, (a, b)):
            return _collect(a, factor, terms) and _collect(b, -factor, terms)
        case Call(operator.neg, (a,)):
            return _collect(a, -factor, terms)
        case Call(operator.mul, (Const() as c, a) | (a, Const() as c)) if _literal(c):
            return _collect(a, factor * c.value, terms)
    terms[expr] = terms.get(expr, 0) + factor
    return True


def _rebuild(terms: Terms, call: Call) -> Expr:
    """The sum of some terms, positive ones first, the constant last."""
    constant = terms.get(ONE, 0)
    pairs = sorted(((e, n) for e, n in terms.items() if e is not ONE and n), key=lambda pair: pair[1] < 0)
    total: Expr | None = None
    for term, count in pairs:
        part = term if abs(count) == 1 else Call(operator.mul, (Const(abs(count), call.type), term), (), call.type)
        if total is None:
            total = part if count > 0 else Call(operator.neg, (part,), (), call.type)
        else:
            total = Call(operator.add if count > 0 else operator.sub, (total, part), (), call.type)
    if total is None:
        return Const(constant, call.type)
    if constant:
        step = operator.add if constant > 0 else operator.sub
        total = Call(step, (total, Const(abs(constant), call.type)), (), call.type)
    return total


def _size(expr: Expr) -> int:
    return 1 + sum(map(_size, expr.args)) if isinstance(expr, Call) else 1
