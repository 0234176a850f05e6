"""Where control goes in statements with early exits; part of `exits`."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from srcad.lang.forms import Break, Continue, LoopElse, Unrolled
from srcad.lang.ir import Call, Const, Effect, Expr, For, If, Return, While, and_, or_, raise_

RETURN, BREAK, CONTINUE = "return", "break", "continue"


def kinds(stmt: Any) -> frozenset[str]:
    """How control may leave a statement other than by its end."""
    match stmt:
        case Return():
            return frozenset({RETURN})
        case Break():
            return frozenset({BREAK})
        case Continue():
            return frozenset({CONTINUE})
        case If(_, then, orelse):
            return kinds_of(then) | kinds_of(orelse)
        case For(body=body) | While(body=body):
            return kinds_of(body) & {RETURN}
        case LoopElse(loop, orelse):
            return kinds(loop) | kinds_of(orelse)
        case Unrolled(bodies, orelse):
            return (kinds_of(s for body in bodies for s in body) & {RETURN}) | kinds_of(orelse)
    return frozenset()


def kinds_of(block: Iterable[Any]) -> frozenset[str]:
    """How control may leave a block other than by its end."""
    return frozenset().union(*map(kinds, block))


def has_loop_exit(stmt: Any) -> bool:
    """Whether a statement contains a loop with a break or a continue."""
    match stmt:
        case LoopElse() | Unrolled():
            return True
        case For(body=body) | While(body=body):
            return bool(kinds_of(body)) or any(map(has_loop_exit, body))
        case If(_, then, orelse):
            return any(map(has_loop_exit, (*then, *orelse)))
    return False


def falls(block: Iterable[Any]) -> bool:
    """Whether control may reach the end of a block."""
    return all(map(goes_on, block))


def goes_on(stmt: Any) -> bool:
    """Whether control may reach the end of a statement."""
    match stmt:
        case Return() | Break() | Continue():
            return False
        case Effect(Call(fn)) if fn is raise_:
            return False
        case If(_, then, orelse):
            return falls(then) or falls(orelse)
        case While(Const(value=value), body) if value:
            return BREAK in kinds_of(body)
        case LoopElse(loop, orelse):
            return BREAK in kinds_of(loop.body) or falls(orelse)
        case Unrolled(bodies, orelse):
            inside = [kinds_of(body) for body in bodies]
            left = [BREAK in found for found in inside]
            ends = [falls(body) or CONTINUE in found for body, found in zip(bodies, inside)]
            return any(left) or all(ends) and falls(orelse)
    return True


_TESTS = frozenset({
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.is_, operator.is_not,
    operator.not_, operator.contains,
})  # fmt: skip


def is_test(expr: Expr) -> bool:
    """Whether an expression is sure to give True or False."""
    match expr:
        case Call(fn, args) if fn is and_ or fn is or_:
            return all(map(is_test, args))
        case Call(fn):
            return _hashable(fn) and fn in _TESTS
    return isinstance(expr, Const) and isinstance(expr.value, bool)


def _hashable(fn: Any) -> bool:
    return getattr(type(fn), "__hash__", None) is not None
