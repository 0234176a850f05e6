"""Activations of functions, and what the names mean in them; part of `inline`."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from srcad.lang.forms import LocalFunction
from srcad.lang.ir import Block, Const, Expr, Var
from srcad.lang.types import Type
from srcad.lang.walk import statements, stmt_exprs, subexprs, targets
from srcad.transforms.own_names import is_of_loop


class Objects(Exception):
    """Met while inlining a short loop that has to be written out: it adds objects to a list, or changes some key."""


class Frame:
    """One activation: what the names of a function mean in it; behind a nested function's, that of its definer.

    A name with a dot is a temporary of the compiler, and belongs to the activation.
    """

    def __init__(self, own: frozenset[str] | None, parent: Frame | None, fresh: Callable[[str], str]):
        self.own, self.parent, self.fresh = own, parent, fresh
        self.caller: Frame | None = None
        self.table: dict[str, Expr] = {}
        self.variables: set[str] = set()  # those of the activation itself
        self.body: Block = ()
        self.params: frozenset[str] = frozenset()  # the names that have a value where the body begins
        self.key: Any = None  # the function, and the structures that it has been given
        self.structures: dict[str, Type] = {}

    def begin(self, body: Block, params: Iterable[str]) -> None:
        """Where the statements of the function begin, with a value for each of its parameters."""
        self.body, self.params = body, frozenset(params)

    def meaning(self, name: str) -> Expr:
        if name in self.table:
            return self.table[name]
        if self.own is not None and name not in self.own and self.parent is not None and "." not in name:
            return self.parent.meaning(name)
        as_it_is = self.own is None and not is_of_loop(name)
        self.table[name] = meaning = Var(name if as_it_is else self.fresh(name))
        self.variables.add(meaning.name)
        return meaning

    def decides(self, name: str, value: Expr) -> bool:
        """Whether a name is from now on the truth that its only statement gives it: branches are decided by it.

        So they are by the number of the handler that the body of a ``try`` reaches.
        """
        handler = name.startswith("handler.")
        truth = isinstance(value, Const) and isinstance(value.value, int if handler else bool)
        if not truth and not isinstance(self.table.get(name), Const):
            return False
        if not (handler or "." not in name and (self.own is None or name in self.own)) or name not in self.once:
            return False
        if truth:
            self.table[name] = value
        else:  # as it was the last time
            del self.table[name]
        return truth

    @functools.cached_property
    def once(self) -> frozenset[str]:
        """The names that have a value by one statement of the function alone, and by no function inside."""
        return _assigned_once(self.body) - self.params

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


def _assigned_once(body: Block) -> frozenset[str]:
    counts = Counter(name for stmt in statements(body) for name in targets(stmt))
    parts = (part for stmt in statements(body) for expr in stmt_exprs(stmt) for part in subexprs(expr))
    values = (getattr(part, "value", None) for part in parts)
    inner = {name for value in values if isinstance(value, LocalFunction) for name in value.outer}
    return frozenset(name for name, count in counts.items() if count == 1 and name not in inner)
