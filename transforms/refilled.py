"""Lists of structures that a loop or a branch makes anew, ``xs = [f(x) for x in xs]``; part of `inline`.

The elements of the new list take the place of those of the old one, as long as nothing else holds either of them.
"""

from __future__ import annotations

from typing import Any

from srcad.lang.ir import Block, Const, Expr, Function, Tuple, Var
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, Type
from srcad.transforms.branched import Branched
from srcad.transforms.containers import Grows
from srcad.transforms.frames import Frame
from srcad.transforms.lengths import Grown
from srcad.transforms.listed import structure_of
from srcad.transforms.slices import extended
from srcad.transforms.written import makes_closures


class Renewed(Grows):
    """Met while inlining a loop: an iteration gives a name a new list of structures."""


class Refilled(Branched):
    """Puts the elements of new lists into old ones; `tried` has the names that were tried, and whether that works."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.tried: dict[str, bool] = {}
        self.hidden: dict[str, Type] = {}  # the lists that change where it does not show, and what is put into them

    def let(self, target: str, value: Expr | None) -> None:
        if not self.refill(target, value):
            super().let(target, value)

    def carries_another(self, name: str) -> None:
        sample = structure_of(self, name) or (UNKNOWN if name in self.tried else None)
        self.again(name, sample)
        super().carries_another(name)

    def shared(self, name: str) -> None:
        self.again(name, UNKNOWN if name in self.tried else None)
        super().shared(name)

    def again(self, name: str, sample: Type | None) -> None:
        """Once more, with the elements of new lists put into the old one, or no longer so."""
        if sample is not None and self.tried.get(name, True) and name in self.outside:
            raise Renewed(name, sample)

    def extended_in(self, body: Block) -> list[str]:
        """The names of lists that statements give themselves cut and extended, or in another order."""
        return extended(body, lambda name: not self.grown(self.frame.meaning(name)),
                        lambda name: structure_of(self, self.frame.target(name)))  # fmt: skip

    def may_fill(self, name: str) -> bool:
        """Whether new elements are to be put into a list that a loop gives other ones: if that has not been tried."""
        self.tried[name] = name not in self.tried and name in self.owned
        if not self.tried[name]:
            self.hidden.pop(name, None)
        return self.tried[name]

    def activation(self, frame: Frame, key: Any, name: str, body: Block) -> Expr:
        result = super().activation(frame, key, name, body)
        if not makes_closures(body):  # when a function has returned, nothing reads its variables
            self.passing |= frame.variables
        return result

    def refill(self, target: str, value: Expr | None) -> bool:
        """In a loop or a branch, give a list of structures the elements of a new one; whether nobody sees it."""
        old = self.types.get(target)
        if not isinstance(old, Grown) or old.form is None or target not in self.outside:
            return False
        if self.others_of(old, target) or old.key in self.pinned or old.form.cls in self.housed.classes:
            return False
        if not _is_new(self, value, target) or not self.may_change(old):
            return False
        parts = self.elements(value) if isinstance(value, Tuple) else None  # type: ignore[arg-type]
        if parts is not None:
            assert old.element is not None
            made = self.make(target, Const(len(parts)), old.element, parts)
            value = Var(self.fresh("t"))
            self.types[value.name] = made
        self.end_at(old, Const(0))
        self.extend(Var(target), value)  # type: ignore[arg-type]
        return True


def _is_new(c: Any, value: Expr | None, target: str) -> bool:
    """Whether a value is a list of structures that nothing but a target holds."""
    form = c.types[target].form  # type: ignore[attr-defined]
    if isinstance(value, Tuple) and getattr(value.type, "form", None) == LIST and c.is_new(value):
        return bool(value.items) and all(getattr(c.type_of(item), "form", None) == form for item in value.items)
    found = c.types.get(value.name) if isinstance(value, Var) else None
    if not isinstance(found, Grown) or found is c.types[target] or found.form != form or c.others_of(found, target):
        return False
    return found.key not in c.pinned and not c.is_given(found)
