"""Where the slices of windows begin and end, as integers; part of `windows`."""

from __future__ import annotations

import operator
from collections.abc import Callable

from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Var, select
from srcad.lang.types import BOOL, INT

LOWER, UPPER = "start", "stop"
ZERO = Const(0, INT)
_ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.floordiv, operator.neg, min, max)


def is_plain(part: Expr | Slice) -> bool:
    """Whether a subscript is a slice without a stride, with integers for bounds."""
    if not isinstance(part, Slice):
        return False
    step = part.step is None or isinstance(part.step, Const) and part.step.value in (None, 1)
    return step and all(e is None or _is_number(e) for _, e in ends(part))


def _is_number(bound: Expr) -> bool:
    """Whether a bound is an integer that can be asked for twice, and added to: arithmetic with integers and lengths."""
    if getattr(bound, "type", None) != INT:
        return False
    match bound:
        case Const(value):
            return abs(value) < 2**32
        case Call(operator.getitem, (Attr(_, "shape"), Const())) | Var():
            return True
        case Call(fn, args, ()):
            return fn in _ARITHMETIC and all(map(_is_number, args))
    return False


def ends(part: Slice) -> tuple[tuple[str, Expr | None], tuple[str, Expr | None]]:
    """The bounds of a slice, None where it is the end of the axis."""
    lower, upper = (None if isinstance(e, Const) and e.value is None else e for e in (part.lower, part.upper))
    return (LOWER, None if isinstance(lower, Const) and lower.value == 0 else lower), (UPPER, upper)


# ---------------------------------------------------------------- bounds, of windows that may be empty: start >= stop


def start_of(start: Expr, stop: Expr, bound: Expr | None) -> Expr:
    """Where a slice of a window begins; behind the end of the window it is empty, as Python has it."""
    if bound is None:
        return start
    return _by_sign(bound, lambda e: _plus(start, e), lambda e: Call(max, (_plus(stop, e), start), (), INT))


def stop_of(start: Expr, stop: Expr, bound: Expr | None) -> Expr:
    """Where a slice of a window ends: never behind the window, and never before the array."""
    if bound is None:
        return stop
    return _by_sign(
        bound,
        lambda e: Call(min, (_plus(start, e), stop), (), INT),
        lambda e: Call(max, (_plus(stop, e), ZERO), (), INT),
    )


def _by_sign(bound: Expr, forward: Callable[[Expr], Expr], backward: Callable[[Expr], Expr]) -> Expr:
    """What a bound means from the beginning, or if it is negative, from the end."""
    if isinstance(bound, Const):
        return forward(bound) if bound.value >= 0 else backward(bound)
    test = Call(operator.ge, (bound, ZERO), (), BOOL)
    return Call(select, (test, forward(bound), backward(bound)), (), INT)


def _plus(a: Expr, b: Expr) -> Expr:
    if isinstance(a, Const) and a.value == 0:
        return b
    if isinstance(b, Const) and b.value < 0:
        return Call(operator.sub, (a, Const(-b.value, INT)), (), INT)
    return Call(operator.add, (a, b), (), INT)
