"""Activations of functions, and what the names mean in them; part of `inline`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from srcad.lang.ir import Expr, Var


class Frame:
    """One activation: what the names of a function mean in it; behind a nested function's, that of its definer.

    A name with a dot is a temporary of the compiler, and belongs to the activation.
    """

    def __init__(self, own: frozenset[str] | None, parent: Frame | None, fresh: Callable[[str], str]):
        self.own, self.parent, self.fresh = own, parent, fresh
        self.caller: Frame | None = None
        self.table: dict[str, Expr] = {}
        self.variables: set[str] = set()  # those of the activation itself

    def meaning(self, name: str) -> Expr:
        if name in self.table:
            return self.table[name]
        if self.own is not None and name not in self.own and self.parent is not None and "." not in name:
            return self.parent.meaning(name)
        self.table[name] = meaning = Var(name if self.own is None else self.fresh(name))
        self.variables.add(meaning.name)
        return meaning

    def target(self, name: str) -> str:
        meaning = self.meaning(name)
        assert isinstance(meaning, Var)
        return meaning.name

    def given(self) -> Iterator[Expr]:
        """What stands for names that are no variables, in this activation and in those around it."""
        frame: Frame | None = self
        while frame is not None:
            yield from (meaning for meaning in frame.table.values() if not isinstance(meaning, Var))
            frame = frame.caller
