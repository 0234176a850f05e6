"""Lists of what may be an array or a tuple, ``list(values)``, until types have been inferred; part of `inline`.

Where such a list is changed, its values are noted, and inlining begins again once they have turned out to be an array.
"""

from __future__ import annotations

from typing import Any

from srcad.lang.ir import Call, Expr, Function, Var, hint
from srcad.lang.left import current
from srcad.transforms.standing import Standing


class TurnedOut(Standing):
    """Knows what lists are made of."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.made_of: dict[str, str] = {}  # what the values of such a list are called

    def let(self, target: str, value: Expr | None) -> None:
        super().let(target, value)
        self.is_made_of(target, value)

    def stored(self, name: str, expr: Expr) -> Var:
        self.is_made_of(name, expr)
        return super().stored(name, expr)

    def is_made_of(self, target: str, value: Expr | None) -> None:
        match value:
            case Call(fn, (Var(source),)) if fn is list:
                self.made_of[target] = hint(source)
            case Var(source) if source in self.made_of:
                self.made_of[target] = self.made_of[source]

    def changed_in_place(self, place: Expr) -> None:
        """Called before a change is refused, which a list of what turns out to be an array may see."""
        if isinstance(place, Var) and place.name in self.made_of:
            current().is_array(self.made_of[place.name])
        super().changed_in_place(place)

    def turned_out_array(self, expr: Expr) -> bool:
        """Whether an expression surely is an array, as far as types have been inferred before."""
        return self.is_array(expr) or isinstance(expr, Var) and hint(expr.name) in current().arrays
