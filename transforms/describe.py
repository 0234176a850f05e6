"""describe: a short name for a value, from the expression that computes it; part of `name`."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from srcad.lang.arrays import items_of
from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Var, and_, or_, select
from srcad.lang.symbols import library_name

LONGEST = 12

_JOINED = {operator.add: ("_plus_", "total"), operator.sub: ("_minus_", "difference"), operator.mul: ("_", "product"),
           operator.truediv: ("_over_", "ratio"), operator.matmul: ("_", "product"), np.dot: ("_", "product")}
_TESTS = {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, and_, or_}
_SHORT = {"exp": "e", "subtract": "difference", "multiply": "product", "add": "total", "divide": "ratio",
          "absolute": "abs", "where": "chosen", "sum": "total", "zeros": "zeros", "zeros_like": "zeros"}

Names = Callable[[str], str]


def describe(value: Expr, base: Names) -> str:
    """A name for a value; `base` gives the printed names of variables.

    >>> z, y = Var("z"), Call(operator.getitem, (Var("y"), Var("i")))
    >>> describe(Call(np.exp, (z,)), str), describe(Call(np.exp, (Call(operator.mul, (y, z)),)), str)
    ('exp_z', 'e')
    >>> describe(Call(operator.mul, (z, z)), str), describe(Call(operator.pow, (z, Const(3))), str)
    ('z_sq', 'z_cubed')
    """
    return _words(value, base) or _noun(value)


def _words(value: Expr, base: Names) -> str:
    """The words for a value, or nothing if they would be too long."""
    match value:
        case Var(name):
            text = base(name).lstrip("_")
        case Const(int() as number) if number >= 0:
            text = str(number)
        case Const(name=str() as name):
            text = name
        case Call(operator.getitem, (array, index)):
            text = _element(_words(array, base), index, base)
        case Call(operator.neg, (operand,)):
            text = _after("neg_", operand, base)
        case Call(operator.mul, (left, right)) if left == right:
            text = _before(left, "_sq", base)
        case Call(operator.pow, (operand, Const(power))) if power in (2, 3):
            text = _before(operand, "_sq" if power == 2 else "_cubed", base)
        case Call(operator.pow, (operand, exponent)):
            text = _pair(operand, "_pow_", exponent, base)
        case Call(fn, (left, right)) if _known(fn, _JOINED):
            text = _pair(left, _JOINED[fn][0], right, base)
        case Call(fn, (operand, *_)) if not _known(fn, _TESTS) and fn is not select:
            name = (library_name(fn) or getattr(fn, "__name__", "")).split(".")[-1]
            text = _after(name + "_", operand, base) if name.isidentifier() else ""
        case Attr(operand, name):
            text = _before(operand, "_" + name, base)
        case _:
            text = ""
    short = len(text) <= LONGEST and text.count("_") <= 2
    return text if short and (text[:1].isalpha() or isinstance(value, Const)) else ""


def _known(fn: object, table: object) -> bool:
    try:
        return fn in table  # type: ignore[operator]
    except TypeError:
        return False


def _after(prefix: str, operand: Expr, base: Names) -> str:
    words = _words(operand, base)
    return prefix + words if words else ""


def _before(operand: Expr, suffix: str, base: Names) -> str:
    words = _words(operand, base)
    return words + suffix if words else ""


def _pair(left: Expr, link: str, right: Expr, base: Names) -> str:
    first, second = _words(left, base), _words(right, base)
    return first + link + second if first and second else ""


def _element(array: str, index: Expr, base: Names) -> str:
    """``X_ij``, ``x_0``, ``x_row``"""
    parts = items_of(index)
    words = [_words(part, base) for part in parts if not isinstance(part, Slice)]
    if not array or not all(words):
        return ""
    return "_".join([array, "".join(words) if all(len(w) == 1 for w in words) else "_".join(words)]).rstrip("_")


def _noun(value: Expr) -> str:
    """A word for the kind of value."""
    match value:
        case Call(fn) if _known(fn, _JOINED):
            return _JOINED[fn][1]
        case Call(fn) if _known(fn, _TESTS):
            return "test"
        case Call(operator.getitem):
            return "element"
        case Call(operator.neg):
            return "negated"
        case Call(operator.pow):
            return "power"
        case Call(fn) if fn is select:
            return "chosen"
        case Call(fn):
            name = (library_name(fn) or getattr(fn, "__name__", "")).split(".")[-1]
            return _SHORT.get(name, f"{name}_value" if name.isidentifier() else "value")
        case Attr(_, name):
            return name
    return "value"
