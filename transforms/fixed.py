"""Whole numbers in attributes that are set once, ``self.n = len(sizes)``; part of `inline`.

Short loops over structures whose bounds are such numbers are written out. Where an attribute is set again after that,
everything is inlined once more, and its number is not relied on.
"""

from __future__ import annotations

from typing import Any

from srcad.lang.ir import Call, Const, Expr, Function, Var
from srcad.transforms.calls import folded_number
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.worded import Wording


class SetAgain(OnceMore):
    """Met while inlining: an attribute whose number has been relied on is set again."""

    def __init__(self, key: tuple[type, str]):
        self.key = key

    def teach(self, learnt: Learnt) -> None:
        learnt.changing.add(self.key)


class Fixed(Wording):
    """Knows the numbers of attributes; `counts_on` has those that loops have been written out for."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.set_to: dict[str, Expr | None] = {}  # for the variables of attributes: what they hold, if set once
        self.counts_on: set[str] = set()
        self.set_again: set[tuple[type, str]] = set()

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.set_again = learnt.changing

    def let(self, target: str, value: Expr | None) -> None:
        key = self.field_keys.get(target)
        if key is not None and value is not None:
            if target in self.counts_on:
                raise SetAgain(key)
            number = self.fixed(value)
            first = target not in self.set_to and target in self.fields and key not in self.set_again
            known = isinstance(number, Const) and type(number.value) is int and first
            self.set_to[target] = number if known else None
        super().let(target, value)

    def fixed(self, expr: Expr) -> Expr:
        """A number, with what attributes hold that are set once in the place of these."""
        match expr:
            case Var(name) if (number := self.set_to.get(name)) is not None:
                self.counts_on.add(name)
                return number
            case Call(fn, args, ()) if any(isinstance(arg, (Var, Call)) for arg in args):
                return folded_number(Call(fn, tuple(map(self.fixed, args))))
        return folded_number(expr)
