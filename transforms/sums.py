"""Sums of products of scalars: like terms collected, common factors taken out; part of `collect`."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from srcad.lang.ir import Call, Const, Expr, Var
from srcad.lang.types import FLOAT, Scalar, Type
from srcad.lang.walk import subexprs

ADD, SUB, MUL, DIV, NEG = operator.add, operator.sub, operator.mul, operator.truediv, operator.neg
FLOAT_DTYPES = ("float64", "float32")
MOST_TERMS = 16


class Cancelled(Exception):
    """Two terms cancel: their sum is not zero where they are not finite, so it stays as it was."""


Factor = tuple[bool, Expr]  # whether it divides, and what


@dataclass
class Term:
    """``number * a * b / c * d``, in this order."""

    number: float
    factors: list[Factor]


def cost(expr: Expr) -> int:
    """The number of operations in an expression; calls of functions count more than arithmetic."""
    total = 0
    for e in subexprs(expr):
        if isinstance(e, Call) and e.fn is not NEG:
            total += 1 if e.fn in (ADD, SUB, MUL, DIV) or e.fn is operator.getitem else 10
    return total


def collected(expr: Expr) -> Expr:
    """A scalar expression with fewer operations, if collecting terms and factors gives one.

    >>> g, r, x = (Var(n, FLOAT) for n in "grx")
    >>> def call(fn, *args):
    ...     return Call(fn, args, (), FLOAT)
    >>> one_minus_x = call(SUB, Const(1.0, FLOAT), x)
    >>> before = call(SUB, call(MUL, call(MUL, g, one_minus_x), r), call(MUL, g, call(MUL, r, x)))
    >>> from srcad.lang.expressions import Expressions
    >>> from srcad.lang.symbols import Symbols
    >>> from srcad.lang.unparse import expression
    >>> expression(Expressions(Symbols(())).expr(collected(before)))
    'g * r * (1.0 - 2.0 * x)'
    >>> just_x = call(SUB, call(MUL, Const(2.0, FLOAT), x), x)
    >>> expression(Expressions(Symbols(())).expr(collected(call(MUL, g, just_x))))
    'g * x'
    """
    kind = getattr(expr, "type", None)
    if not (isinstance(kind, Scalar) and kind.dtype in FLOAT_DTYPES and isinstance(expr, Call)):
        return expr
    if expr.fn not in (ADD, SUB, MUL, DIV, NEG):
        return expr
    terms = _terms(expr, 1.0)
    if len(terms) > MOST_TERMS:
        return expr
    try:
        found = _sum(_like(terms), kind)
    except Cancelled:
        return expr
    return found if cost(found) <= cost(expr) else expr


def _rank(factor: Factor) -> int:
    """Cotangents stand first in a product, sums last."""
    match factor[1]:
        case Var(name) if name.endswith("~bar"):
            return 0
        case Call(operator.add | operator.sub):
            return 2
    return 1


def _scalar(expr: Expr) -> bool:
    kind = getattr(expr, "type", None)
    return isinstance(kind, Scalar) and (kind.dtype in FLOAT_DTYPES or isinstance(expr, Const))


def _number(expr: Expr) -> float | None:
    """The value of a plain constant, in which a sign or a small factor can be collected."""
    if isinstance(expr, Const) and expr.name is None and type(expr.value) in (int, float) and abs(expr.value) < 2**53:
        return float(expr.value)
    return None


def _terms(expr: Expr, number: float) -> list[Term]:
    """The terms of a sum."""
    match expr:
        case Call(operator.add, (a, b)) if _scalar(a) and _scalar(b):
            return _terms(a, number) + _terms(b, number)
        case Call(operator.sub, (a, b)) if _scalar(a) and _scalar(b):
            return _terms(a, number) + _terms(b, -number)
        case Call(operator.neg, (a,)) if _scalar(a):
            return _terms(a, -number)
    term = Term(number, [])
    _factors(expr, term)
    return [term]


def _factors(expr: Expr, term: Term) -> None:
    """The factors of a product, put into `term`; a quotient on the right stays whole."""
    value = _number(expr)
    match expr:
        case _ if value is not None and (value * 64).is_integer() and value:
            term.number *= value
        case Call(operator.truediv, (a, Const(2 | 4 | 8 | 16 as power, name=None))) if _scalar(a):
            term.number /= power
            _factors(a, term)
        case Call(operator.mul, (a, b)) if _scalar(a) and _scalar(b):
            _factors(a, term)
            _factors(b, term)
        case Call(operator.truediv, (a, b)) if _scalar(a) and _scalar(b) and not term.factors:
            _factors(a, term)
            term.factors.append((True, collected(b)))
        case Call(operator.neg, (a,)) if _scalar(a):
            term.number = -term.number
            _factors(a, term)
        case Call(operator.add | operator.sub, (a, b)) if _scalar(a) and _scalar(b):
            inner = collected(expr)
            if isinstance(inner, Call) and inner.fn in (ADD, SUB):
                term.factors.append((False, inner))
            else:
                _factors(inner, term)
        case _:
            term.factors.append((False, expr))


def _like(terms: list[Term]) -> list[Term]:
    """Terms with the same factors become one."""
    result: list[Term] = []
    for term in terms:
        same = next((t for t in result if _equal(t.factors, term.factors)), None)
        if same is None:
            result.append(term)
        else:
            same.number += term.number
    return result


def _equal(a: list[Factor], b: list[Factor]) -> bool:
    return len(a) == len(b) and not _without(a, b)


def _without(items: list[Factor], taken: list[Factor]) -> list[Factor]:
    """`items` less one of each in `taken`."""
    left = list(items)
    for each in taken:
        if each in left:
            left.remove(each)
    return left


def _common(lists: list[list[Factor]]) -> list[Factor]:
    """The factors that all have, in the order of the first."""
    shared = lists[0]
    for other in lists[1:]:
        shared = _without(shared, _without(shared, other))
    return shared


def _sum(terms: list[Term], kind: Type) -> Expr:
    if any(t.number == 0 for t in terms):
        raise Cancelled
    if len(terms) == 1:
        return _product(terms[0], kind)
    common = _common([t.factors for t in terms])
    if not common:
        return _added(terms, kind)
    inner = _like([part for t in terms for part in _opened(Term(t.number, _without(t.factors, common)))])
    negative = all(t.number < 0 for t in inner)
    for t in inner:
        t.number = -t.number if negative else t.number
    total = _sum(inner, kind)
    sign, value = -1.0 if negative else 1.0, _number(total)
    if value is not None:
        return _product(Term(sign * value, common), kind)
    start = [f for f in common if not f[0]] if common[0][0] else common
    return _product(Term(sign, [*start, (False, total), *(f for f in common if f not in start)]), kind)


def _opened(term: Term) -> list[Term]:
    """A term that is nothing but a sum, as the terms of that sum."""
    match term.factors:
        case [(False, Call(operator.add | operator.sub) as inner)]:
            return _terms(inner, term.number)
    return [term]


def _added(terms: list[Term], kind: Type) -> Expr:
    """The sum of terms, one that is not negative first."""
    if all(t.number < 0 for t in terms):
        return Call(NEG, (_added([Term(-t.number, t.factors) for t in terms], kind),), (), kind)
    start = next((i for i, t in enumerate(terms) if t.number > 0), 0)
    ordered = [terms[start], *terms[:start], *terms[start + 1 :]]
    total = _product(ordered[0], kind)
    for term in ordered[1:]:
        part = _product(Term(abs(term.number), term.factors), kind)
        total = Call(ADD if term.number > 0 else SUB, (total, part), (), kind)
    return total


def _product(term: Term, kind: Type) -> Expr:
    size = abs(term.number)
    factors = term.factors
    if not any(divides for divides, _ in factors):
        factors = sorted(factors, key=_rank)
    if size != 1 or not factors or factors[0][0]:
        factors = [(False, Const(size, FLOAT)), *factors]
    total = factors[0][1]
    for divides, factor in factors[1:]:
        total = Call(DIV if divides else MUL, (total, factor), (), kind)
    return Call(NEG, (total,), (), kind) if term.number < 0 else total
