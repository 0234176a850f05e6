"""Why an expression has no type: turned into a `Problem` where its line is known."""

from __future__ import annotations

from srcad.lang.ir import Expr


class Refusal(Exception):
    """An expression that cannot be typed; `poisoned`: because of a name whose own problem is already reported."""

    def __init__(self, reason: str, remedy: str = "", poisoned: bool = False):
        super().__init__(reason)
        self.reason, self.remedy, self.poisoned = reason, remedy, poisoned
        self.expr: Expr | None = None
        """The innermost expression that it is about."""
