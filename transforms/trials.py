"""Inlining on trial, and inlining into a function apart; part of `inline`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from srcad import library
from srcad.lang.forms import LocalFunction
from srcad.lang.ir import Const, Expr, Function, Stmt, Var
from srcad.runtime.outside import Outside
from srcad.runtime.tape import Tape
from srcad.transforms.items_ahead import Ahead
from srcad.transforms.choices import Choices
from srcad.transforms.frames import Frame
from srcad.transforms.tapes import Seen, note_reads
from srcad.transforms.values import Closure

if TYPE_CHECKING:
    from srcad.transforms.recursion import Record


@dataclass(frozen=True, eq=False)
class Again:
    """A function of the library, entered in a function of the user's that it calls: an equation in an equation."""

    fn: Any


class Trials(Choices):
    """Knows what inlining a function changes."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn)
        self.original = original
        self.surroundings: dict[str, Outside] = {}  # for parameters: the objects outside that they stand for
        self.stack: list[tuple[Any, str]] = [(original, fn.name)]
        self.records: list[Record] = []  # the functions that call themselves
        self.in_library = False
        self.called_by = ""  # the name by which a function was called last
        self.tapes: dict[Tape, Seen] = {}
        self.ahead: dict[str, Ahead] = {}

    def emit(self, stmt: Stmt) -> None:
        super().emit(stmt)
        if self.tapes:
            note_reads(self.tapes, stmt)

    def of_lists(self) -> Expr | None:
        """What stands for ``defaultdict(list)`` here, if its keys are texts."""
        return None

    def entered(self) -> list[Any]:
        """The functions of the library since the last one of the user's: inside of them they mean NumPy's own."""
        keys = (key for key, _ in reversed(self.stack))
        inside = itertools.takewhile(lambda key: isinstance(key, Again) or library.find(key) is key, keys)
        return [key.fn if isinstance(key, Again) else key for key in inside]

    def key_of(self, fn: Any) -> Any:
        """What stands for a function of the library while it is entered."""
        return Again(fn) if any(key is fn for key, _ in self.stack) else fn

    def apart(self, work: Callable[[], Expr]) -> tuple[list[Stmt], Expr]:
        """What some work emits, and its result, without a trace in the statements around."""
        known, origin, bound = self.facts(), self.origin, set(self.bound)
        self.depth = 0
        emitted, result = self.collect(work)
        vars(self).update(known)
        self.origin, self.bound = origin, bound
        return emitted, result

    def facts(self) -> dict[str, Any]:
        """What is known of names, and where inlining is."""
        return {name: value.copy() if isinstance(value, (dict, set)) else value for name, value in vars(self).items()
                if isinstance(value, (dict, set, bool, int)) and name not in _LASTING}  # fmt: skip

    def state(self) -> tuple[Any, ...]:
        """What inlining a function changes."""
        marks = (len(self.out), len(self.stack), len(self.problems), len(self.records))
        return self.facts(), marks, self.out, self.frame, self.origin

    def back(self, state: tuple[Any, ...]) -> None:
        """As if a function had not been inlined."""
        known, (length, depth, problems, records), self.out, self.frame, self.origin = state
        vars(self).update(known)
        del self.out[length:], self.stack[depth:], self.problems[problems:], self.records[records:]

    def default(self, value: Expr, parent: Frame | None) -> Expr:
        """The default of a parameter: of a nested function, what it was where the function was defined."""
        if isinstance(value, Const) and isinstance(value.value, LocalFunction):
            return Const(Closure(value.value, parent or self.frame))
        if parent is not None and isinstance(value, Var):
            value = parent.meaning(value.name)
            value = self.static.get(value.name, value) if isinstance(value, Var) else value
        return value


_LASTING = frozenset(("counts", "used", "templates", "callees", "fields", "nonlocals", "hidden", "altered", "cached",
                      "copied", "optional", "rebound", "formed", "tries", "of_any_rank", "field_keys",
                      "set_to", "counts_on", "shared_names"))
