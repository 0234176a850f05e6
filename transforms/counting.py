"""What loops go over, in terms of positions; part of `desugar`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Union

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr


@dataclass(frozen=True)
class Range:
    start: Expr
    stop: Expr
    step: Expr


@dataclass(frozen=True)
class Items:
    """As many items as stand there, but those for which `ends` holds: all behind the first such, or, `backwards`, all
    before the last."""

    items: tuple[Expr, ...]
    ends: tuple[Expr, ...] = ()
    backwards: bool = False


@dataclass(frozen=True)
class Counted:
    """`count` items, each an expression of its position."""

    count: Expr
    item: Callable[[Expr], Expr]
    from_zero: bool = False  # whether the item is a pair that starts with its position
    start: int = 0  # the first position that is wanted
    endless: bool = False  # whether there are always more items; then `count` means nothing


Iterable = Union[Range, Items, Counted]


def length(start: Expr, stop: Expr, step: Expr) -> Expr:
    """How many numbers a range with a constant step has."""
    assert isinstance(step, Const)
    distance = minus(stop, start)
    if step.value != 1:
        distance = plus(distance, Const(step.value - (1 if step.value > 0 else -1)))
        distance = Call(operator.floordiv, (distance, step))
    return Const(max(distance.value, 0)) if isinstance(distance, Const) else Call(max, (distance, Const(0)))


def plus(left: Expr, right: Expr) -> Expr:
    match left, right:
        case Const(value=int() as a), Const(value=int() as b):
            return Const(a + b)
    if walk.is_const(left, 0):
        return right
    return Call(operator.add, (left, right))


def minus(left: Expr, right: Expr) -> Expr:
    match left, right:
        case Const(value=int() as a), Const(value=int() as b):
            return Const(a - b)
    return left if walk.is_const(right, 0) else Call(operator.sub, (left, right))
