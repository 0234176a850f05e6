"""recordings: what tapes record, while types are inferred; the values are marked for the derivatives to come; part
of `infer`.

What is computed while a tape does not record is `unrecorded` for it, and so a constant; what it watches is marked where
it is watched. Marks are only made for tapes of which something is asked later, and in the end all go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from srcad.lang import walk
from srcad.lang.errors import Problem, TapeError
from srcad.lang.lists import slot
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, For, If, Let, Move, Nested, Stmt, Store, Tuple, Var, While, hint,
)  # fmt: skip
from srcad.lang.types import Array, Scalar, TupleType, is_float
from srcad.runtime.marks import accessed, unrecorded, watched
from srcad.runtime.tape import Tape, happens
from srcad.transforms.gradients import Gradients, Level
from srcad.transforms.origins import Origins, same_as
from srcad.transforms.taped import is_marked, mark, severed
from srcad.typing.table import Refusal, items

PERSISTENT = "GradientTape(persistent=True)"


@dataclass(frozen=True)
class Recording:
    """What is known of a tape at a place; blocks are counted from outside, the function's own is 1."""

    number: int  # of what it records: another one after a reset
    level: int  # the block in which the tape is made
    entered: int = 0  # the block of its present or last ``with``; 0: it never began
    first: bool = False  # whether that is the only one
    on: bool = False
    used: bool = False  # a tape that is not persistent has given its gradient
    unsure: bool = False  # whether it is on, or what it records, depends on the path taken


@dataclass
class Recordings(Gradients):
    """Follows tapes from statement to statement."""

    tapes: dict[Tape, Recording] = field(default_factory=dict)
    numbers: int = 0
    expanding: bool = False  # whether statements that have their marks are typed again
    behind_loop: dict[Tape, Recording] | None = None

    # ------------------------------------------------------------ blocks

    def leave(self, level: Level, before: dict[Tape, Recording]) -> None:
        """Behind a block, names and tapes from outside of it mean what they meant before."""
        self.names.update(level.undo)
        self.tapes = {tape: held for tape, held in self.tapes.items() if tape in before}
        if level.carried is not None:  # the body of a loop, which is typed more than once
            self.tapes, self.behind_loop = before, _joined(before, self.tapes)

    def loop(self, stmt: For | While, before: Move | None) -> list[Stmt]:
        self.behind_loop = None
        self.tapes = {tape: replace(held, unsure=held.unsure or _resets(stmt.body, tape))
                      for tape, held in self.tapes.items()}  # fmt: skip
        out = super().loop(stmt, before)
        if self.behind_loop is not None:
            self.tapes, self.behind_loop = self.behind_loop, None
        return out

    def alternatives(self, stmt: If) -> tuple[list[Stmt], list[Stmt]]:
        before = dict(self.tapes)
        then = self.path(stmt, stmt.then)
        behind_then, self.tapes = self.tapes, before
        orelse = self.path(stmt, stmt.orelse)
        self.tapes = _joined(behind_then, self.tapes)
        return then, orelse

    # ------------------------------------------------------------ what happens

    def happened(self, what: str, tape: Tape, values: tuple[Expr, ...]) -> list[Stmt]:
        """Follow a tape."""
        level = len(self.levels)
        if what == "made":
            self.tapes[tape] = Recording(self.next_number(), level)
            return []
        held = self.present(tape)
        if what == "begin":
            if held.on:
                raise Refusal("a tape that begins while it records", "a tape of its own")
            number = self.next_number() if held.used else held.number
            first = not held.entered or held.used
            held = replace(held, number=number, entered=level, first=first, on=True, used=False)
        elif what == "end":
            held = replace(held, on=False)
        elif what == "pause":
            if not held.on:
                raise Refusal("stop_recording of a tape that does not record", "it inside of the tape's block")
            held = replace(held, on=False)
        elif what == "resume":
            held = replace(held, on=True, used=False, number=self.next_number() if held.used else held.number)
        elif what == "reset":
            if not held.on:
                raise Refusal("reset of a tape that does not record", "it inside of the tape's block")
            held = replace(held, number=self.next_number(), used=False, unsure=False)
        self.tapes[tape] = held
        if what in ("watch", "access"):
            return self.watch(held, values[0], what == "access")
        return [made for value in values for made in self.access(held, value)]

    def next_number(self) -> int:
        self.numbers += 1
        return self.numbers

    def present(self, tape: Tape) -> Recording:
        """What is known of a tape here."""
        if tape not in self.tapes:
            raise Refusal("a tape that is used outside of the branch, the loop or the function in which it was made",
                          "the tape made there")  # fmt: skip
        return self.tapes[tape]

    # ------------------------------------------------------------ watching

    def access(self, held: Recording, value: Expr) -> list[Stmt]:
        """Watch a variable, if it has a value that can be differentiated."""
        typed = self.expr(value)
        if not isinstance(typed, Var) or not is_float(typed.type):
            return []
        return [self.marked(typed, accessed, held.number)]

    def watch(self, held: Recording, value: Expr, variable: bool) -> list[Stmt]:
        """``tape.watch(value)``"""
        if not held.on:
            raise Refusal("watch of a tape that does not record", "it inside of the tape's block")
        typed = self.expr(value)
        if isinstance(typed.type, TupleType):
            return self.watch_structure(held, typed)
        if not isinstance(typed.type, (Scalar, Array)):
            raise Refusal("watch of something that is no number or array", "a name of a number or an array")
        name = hint(typed.name) if isinstance(typed, Var) else "it"
        if not is_float(typed.type):
            raise Refusal(f"watch of {name}, which holds integers and has no derivative", f"1.0 * {name}, under a name")
        if not isinstance(typed, Var):
            raise Refusal("watch of a value without a name", "a name for it: x = ...; tape.watch(x)")
        origins = self.origins()
        if self.watched_already(typed, held.number):
            return []
        own = {s.target for s in self.levels[-1].out if isinstance(s, Let)}
        if len(self.levels) != held.level and origins.of(typed.name) not in own:
            raise Refusal(f"watch of {name} in a branch or loop that the tape is made outside of",
                          "it before the branch or loop, or the tape made there")  # fmt: skip
        return [self.marked(typed, accessed if variable else watched, held.number)]

    def watch_structure(self, held: Recording, typed: Expr) -> list[Stmt]:
        out: list[Stmt] = []
        parts: list[Expr] = []
        for part in items(self, typed):
            if not isinstance(part, (Var, Tuple)):
                name = self.name_afresh(hint(typed.name) if isinstance(typed, Var) else "x")
                out.append(Let(name, part, self.origin))
                self.learn(name, part)
                self.levels[-1].out.append(out.pop())
                part = self.names[name]
            out += self.watch(held, part, False)
            parts.append(self.names.get(part.name, part) if isinstance(part, Var) else part)
        if isinstance(typed, Var):
            self.rename({typed.name}, Tuple(tuple(parts), typed.type))
        return out

    def origins(self) -> Origins:
        """The origins of the values so far."""
        return Origins(tuple(stmt for level in self.levels for stmt in level.out))

    def watched_already(self, value: Expr, number: int) -> bool:
        """Whether a value, or what it only repeats, is watched by this tape."""
        lets = {s.target: s.value for level in self.levels for s in walk.statements(tuple(level.out))
                if isinstance(s, Let)}  # fmt: skip
        while True:
            if is_marked(value, number) and value.fn is not unrecorded:  # type: ignore[union-attr]
                return True
            if isinstance(value, Call) and same_as(value) is not value:
                value = value.args[0]
            elif isinstance(value, Var) and value.name in lets:
                value = lets[value.name]
            else:
                return False

    def marked(self, value: Var, fn: Any, number: int) -> Let:
        """A name for a value that a tape watches, which from here on stands for all the names of that value."""
        name = self.name_afresh(hint(value.name))
        stmt = Let(name, mark(fn, value, number), self.origin)
        origins = self.origins()
        same = {held.name for held in self.names.values() if isinstance(held, Var)
                and origins.of(held.name) == origins.of(value.name)}  # fmt: skip
        self.learn(name, stmt.value)
        self.rename(same | {value.name}, Var(name, value.type))
        return stmt

    def rename(self, old: set[str], new: Expr) -> None:
        """From here to the end of the block, names that stand for an old value stand for the new one."""
        undo = self.levels[-1].undo
        mapping = dict.fromkeys(old, new)
        for name, held in list(self.names.items()):
            if isinstance(held, (Var, Tuple)) and (changed := walk.substitute(held, mapping)) is not held:
                undo.setdefault(name, held)
                self.names[name] = changed

    # ------------------------------------------------------------ what is not recorded

    def paused(self) -> Iterator[int]:
        """The numbers of the tapes that do not record what is computed here, and are asked for something later."""
        for tape, held in () if self.expanding else self.tapes.items():
            if held.entered and not held.on and not held.used and self.asked_later(tape, held):
                yield held.number

    def asked_later(self, tape: Tape, held: Recording) -> bool:
        """Whether anything may still happen with a tape."""
        for depth, level in enumerate(self.levels[held.level - 1:]):
            inside = depth and level.carried is not None
            if any(mentions(stmt, tape) for stmt in (level.whole if inside else level.rest)):
                return True
        return False

    def computed(self, value: Expr, names: bool = False) -> Expr:
        """A value that is computed here, marked for the tapes that do not record it."""
        for number in self.paused() if self.tapes else ():
            value = severed(value, number, names)
        return value

    def stored(self, stmts: list[Stmt]) -> list[Stmt]:
        """Statements that write into an array; a list holds the very values that are put into it."""
        return [replace(s, value=self.computed(s.value, not is_slot(s))) if isinstance(s, (Store, Accum)) else s
                for s in stmts]  # fmt: skip

    # ------------------------------------------------------------ errors

    def wrong(self, kind: type[Exception], reason: str, remedy: str) -> Exception:
        """An error of the present line."""
        return kind([Problem(self.origin, reason, remedy)])

    def check_use(self, tape: Tape, held: Recording, what: str) -> None:
        """Refuse gradients that the tape cannot give."""
        if held.unsure:
            raise Refusal("a tape that records or was reset on some paths only", "a tape of its own in each branch")
        if not held.entered:
            raise self.wrong(TapeError, f"tape.{what} of a tape that has recorded nothing", "with tape: ... before it")
        if held.used:
            reason = "a tape that is not persistent gives one gradient or Jacobian only"
            raise self.wrong(TapeError, reason, PERSISTENT)
        if not tape.persistent and any(level.carried is not None for level in self.levels[held.entered:]):
            reason = "a tape that is not persistent gives one gradient only, and here it is asked in a loop"
            raise self.wrong(TapeError, reason, PERSISTENT)


def mentions(stmt: Stmt, tape: Tape) -> bool:
    """Whether a statement, or one inside of it, is about a tape."""
    for inner in walk.statements((stmt,)):
        for expr in walk.stmt_exprs(inner):
            if not isinstance(expr, Call):
                continue
            if any(isinstance(arg, Const) and arg.value is tape for arg in (*expr.args, *dict(expr.kwargs).values())):
                return True
            if isinstance(expr.fn, Nested) and any(mentions(each, tape) for each in expr.fn.function.body):
                return True
    return False


def _resets(body: Block, tape: Tape) -> bool:
    """Whether a loop resets a tape from outside of it: what the tape records then depends on the iteration."""
    return any(isinstance(s, Effect) and s.call.fn is happens and s.call.args[0] == Const("reset")
               and s.call.args[1].value is tape for s in walk.statements(body))  # type: ignore[union-attr]  # fmt: skip


def is_slot(stmt: Store | Accum) -> bool:
    """Whether a statement writes into a list that grows."""
    return isinstance(stmt, Store) and isinstance(stmt.index, Call) and stmt.index.fn is slot


def _joined(one: dict[Tape, Recording], other: dict[Tape, Recording]) -> dict[Tape, Recording]:
    """What is known of tapes where two paths meet."""
    return {tape: _met(held, other[tape]) for tape, held in one.items() if tape in other}


def _met(a: Recording, b: Recording) -> Recording:
    unsure = a.unsure or b.unsure or a.on != b.on or a.number != b.number
    return replace(a, used=a.used or b.used, unsure=unsure, entered=a.entered or b.entered, first=a.first and b.first)
