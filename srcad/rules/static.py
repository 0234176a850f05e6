"""What the body of a rule can decide when it is written out: folding of constants, ranks, structural zeros."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Tuple, Var, select
from srcad.lang.types import Array, Scalar, Static

ZERO = Const(0.0)
"""The tangent of what does not move: recognised by identity, it takes its terms away with it."""

FOLDED = frozenset({
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg, operator.lt, operator.le,
    operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, operator.truediv,
})  # fmt: skip
_PLAIN = (bool, int, float, str, tuple, list, type, type(None), np.dtype, np.number, np.bool_)
_RANK_ZERO = frozenset({np.vdot, np.trace, np.size, np.ndim, np.linalg.det, len})
_MATH = {getattr(np, name): getattr(math, name) for name in (
    "sin", "cos", "tan", "exp", "log", "sqrt", "sinh", "cosh", "tanh", "log1p", "expm1", "floor", "copysign", "hypot",
)}  # fmt: skip

EXPRESSIONS = (Var, Const, Call, Attr, Slice, Tuple)

statics: set[Any] = set()


def static(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that rules call when they are written out: with values where they are known, else with expressions.

    >>> @static
    ... def last(ndim):
    ...     return ndim - 1
    >>> last in statics
    True
    """
    statics.add(fn)
    return fn


def known(value: Any) -> bool:
    """In a rule: whether an operand is a constant when the derivative is written."""
    raise AssertionError("known() has a meaning in rules only")


def is_plain(expr: Expr) -> bool:
    """Whether an expression is a value that a rule may compute with."""
    if isinstance(expr, Tuple):
        return all(map(is_plain, expr.items))
    return isinstance(expr, Const) and expr.name is None and isinstance(expr.value, _PLAIN) and expr is not ZERO


def plain(expr: Expr) -> Any:
    """The value of a plain expression."""
    return tuple(map(plain, expr.items)) if isinstance(expr, Tuple) else expr.value


def as_expr(value: Any) -> Expr:
    """A value that a static function has computed; a tuple in it stays one that rules can take apart."""
    if isinstance(value, tuple) and not all(isinstance(v, (int, float, str, type(None))) for v in value):
        return Tuple(tuple(map(as_expr, value)))
    return value if isinstance(value, EXPRESSIONS) else Const(value)


def one_of(test: Expr, then: Expr, orelse: Expr, typed: Callable[[Expr], Expr]) -> Expr:
    """``then if test else orelse``: of arrays, `np.where`; an array without axes means its number."""
    if then is ZERO and orelse is ZERO:
        return ZERO
    values = [typed(value) for value in (test, then, orelse)]
    if any(map(rank, values)):
        return Call(np.where, (test, then, orelse))
    numbers = (Call(operator.getitem, (e, Const(()))) if isinstance(getattr(value, "type", None), Array) else e
               for e, value in zip((test, then, orelse), values))  # fmt: skip
    return Call(select, tuple(numbers))


def rank(expr: Expr) -> int:
    """The number of dimensions, from the types of the names; functions unknown here count as elementwise."""
    match expr:
        case Var(type=Array() as type) | Call(type=Array() as type) | Attr(type=Array() as type):
            return type.ndim
        case Var() | Call(type=Scalar()) | Attr():
            return 0
        case Const(value):
            return value.ndim if isinstance(value, np.ndarray) else 0
        case Tuple(items):
            return 1 + max(map(rank, items), default=0)
        case Call(fn, args):
            return _rank_of_call(expr, fn, args)
    return 0


def _rank_of_call(expr: Call, fn: Any, args: tuple[Expr, ...]) -> int:
    if fn in _RANK_ZERO:
        return 0
    if fn in (np.sum, np.max, np.min, np.mean, np.prod) and len(args) == 1 and not expr.kwargs:
        return 0
    if fn is operator.getitem:
        return 0 if isinstance(args[1], Const) and rank(args[0]) <= 1 else rank(args[0])
    return max(map(rank, args), default=0)


def is_none(expr: Expr) -> bool:
    return (isinstance(expr, Const) and expr.value is None) or getattr(expr, "type", None) == Static(None)


# ---------------------------------------------------------------- calls


def fold(fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """The value of a call that is decided by now, or None."""
    if fn is known:
        return Const(isinstance(args[0], Const))
    if fn in (operator.is_, operator.is_not) and any(map(is_none, args)):
        return Const(all(map(is_none, args)) is (fn is operator.is_))
    if fn is builtins.len and isinstance(args[0], Tuple):
        return Const(len(args[0].items))
    if fn is operator.getitem and is_plain(args[1]) and isinstance(args[0], Tuple):
        return args[0].items[plain(args[1])]
    if fn in FOLDED and all(map(is_plain, args)):
        return Const(fn(*map(plain, args)))
    if fn in (operator.add, operator.sub) and is_plain(args[1]) and plain(args[1]) == 0:
        return args[0]
    if fn is operator.add and is_plain(args[0]) and plain(args[0]) == 0:
        return args[1]
    if fn is operator.getitem and all(map(is_plain, args)):
        return Const(plain(args[0])[plain(args[1])])
    return None


def product(a: Expr, b: Expr) -> Expr | None:
    """``a * b`` where a rule says that one of them is 0.0 or 1.0; products read from left to right."""
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Const) and type(one.value) is float and one.value in (0.0, 1.0):
            return other if one.value else ZERO
    return None


def without_zeros(fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """A call, linear in what moves, of which some arguments do not move; None if none of them is a structural zero."""
    moving = [arg for arg in args if arg is not ZERO]
    if len(moving) == len(args):
        return None
    if fn is operator.add:
        return moving[0] if moving else ZERO
    if fn is operator.sub and moving:
        return args[0] if args[1] is ZERO else Call(operator.neg, (args[1],))
    return ZERO


def in_math(fn: Any, args: tuple[Expr, ...], primitive: Any) -> Any:
    """The function of `math` that does on numbers what `fn` does, where the user calls `math` herself."""
    of_math = getattr(primitive, "__module__", None) == "math"
    return _MATH.get(fn, fn) if of_math and isinstance(fn, np.ufunc) and not any(map(rank, args)) else fn
