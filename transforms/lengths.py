"""What is known of lists that grow: their buffers and their length."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from srcad.lang.ir import Call, Const, Expr
from srcad.lang.types import Form, Type


@dataclass(frozen=True, eq=False)
class Grown(Type):
    """A list in buffers: one, or one for each element of the structures that are its elements."""

    buffers: tuple[str, ...]
    form: Form | None

    @property
    def key(self) -> str:
        """What its length stands under among the types."""
        return f"len {self.buffers[0]}"


@dataclass(frozen=True)
class Length(Type):
    """How long a list is at this place, and how much room it has where that is known."""

    length: Expr
    room: Expr | None = None


def sum_of_two(a: Expr, b: Expr) -> Expr:
    """A sum without terms of zero."""
    if a == Const(0) or b == Const(0):
        return b if a == Const(0) else a
    return Call(operator.add, (a, b))


def sum_with(expr: Expr, by: int) -> Expr:
    match expr:
        case Const(value=int() as value):
            return Const(value + by)
        case Call(operator.add, (left, Const(value=int() as right))):
            return left if right + by == 0 else _sum_of(left, right + by)
    return _sum_of(expr, by)


def _sum_of(expr: Expr, by: int) -> Expr:
    return Call(operator.add, (expr, Const(by))) if by > 0 else Call(operator.sub, (expr, Const(-by)))
