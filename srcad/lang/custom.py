"""Functions with a custom gradient: a mark on each value that they return.

``y = value(y, x, ..., a, ..., r, ...)`` is `y`, and its cotangent goes through the pullback: to the operands `x`. What
the function has read from around it, `a`, may have no derivative, and what the pullback reads, `r`, needs none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from srcad.lang.ir import Call, Expr, Function
from srcad.lang.types import Type


@dataclass(eq=False)
class Pullback:
    """What goes back through one call: a surface function of the cotangents of the results, and of what it reads.

    `operands` are the names of the arguments that are passed, `defaults` counts those that are not, and `captured` what
    is read from around the function. Forward mode takes the function itself if it may have its `tangent`.
    """

    name: str
    function: Function
    results: int
    operands: tuple[str, ...]
    defaults: int
    captured: tuple[str, ...]
    tangent: bool = False
    derive: Any = None  # what makes the derivatives that it calls


@dataclass(frozen=True, eq=False)
class Custom:
    """The primitive that marks the result at a position."""

    pullback: Pullback
    position: int

    @property
    def __name__(self) -> str:
        return f"{self.pullback.name}_value"

    def type_of(self, args: tuple[Any, ...], fresh: Callable[[], Any]) -> Type:
        """The type of the marked value."""
        kind: Type = args[0].type
        return kind

    def operands(self, call: Call) -> tuple[Expr, ...]:
        """The arguments that the pullback is about."""
        return call.args[1 : 1 + len(self.pullback.operands)]

    def captured(self, call: Call) -> tuple[Expr, ...]:
        """What the function has read from around it."""
        start = 1 + len(self.pullback.operands)
        return call.args[start : start + len(self.pullback.captured)]

    def reads(self, call: Call) -> tuple[Expr, ...]:
        """What the pullback reads."""
        return call.args[1 + len(self.pullback.operands) + len(self.pullback.captured) :]


def is_custom(value: Any) -> bool:
    """Whether an expression is a marked value."""
    return isinstance(value, Call) and isinstance(value.fn, Custom)
