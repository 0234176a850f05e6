"""The errors of srcad: each names the user's line and says what to write instead."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from srcad.lang.meanwhile import meanwhile
from srcad.lang.origin import Origin, physical, users
from srcad.lang.solvers import instead_of_solver


class SrcadError(Exception):
    """The root of all errors that srcad raises about a user's function."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing in a function that cannot be differentiated, and what to write instead."""

    origin: Origin
    reason: str
    remedy: str = ""

    @property
    def filename(self) -> str:
        return users(self.origin).filename

    @property
    def line(self) -> int:
        return users(self.origin).line

    @property
    def column(self) -> int:
        """The column, counted from 1."""
        return users(self.origin).column + 1

    @property
    def function(self) -> str:
        """The name of the function that the line belongs to."""
        return users(self.origin).function

    @property
    def inside(self) -> str:
        """What is said of a function whose source has the problem."""
        return f" (in its source, {os.path.basename(self.filename)}:{self.line}: {self.reason})"

    @property
    def warning(self) -> tuple[str, int, str]:
        """The file, the line and what is said where the problem is only warned of."""
        return self.filename, self.line, f"{self.reason}; instead: {self.remedy}"

    def as_dict(self) -> dict[str, Any]:
        """The problem in plain values."""
        return {"filename": self.filename, "line": self.line, "column": self.column, "function": self.function,
                "reason": self.reason, "remedy": self.remedy}  # fmt: skip

    def __str__(self) -> str:
        remedy = f"\n    instead: {self.remedy}" if self.remedy else ""
        return f"{self.filename}:{self.line}:{self.column}: {self.reason}{remedy}"


class BisectionWarning(UserWarning):
    """A function finds a root by comparisons alone, which is all that its derivative could come from."""


class UnsupportedError(SrcadError, SyntaxError):
    """The function uses something that srcad refuses; `problems` lists all of it, the first one with a caret."""

    def __init__(self, problems: list[Problem]):
        self.problems = list(problems)
        first = self.problems[0]
        lines = [first.reason + (f"; instead: {first.remedy}" if first.remedy else "")]
        lines += [f"also {problem}" for problem in self.problems[1:]]
        details = (first.filename, first.line, first.column, physical(first.origin).text or None)
        SyntaxError.__init__(self, "\n".join(lines), details)

    def __reduce__(self):
        return type(self), (self.problems,)


class ValueNeeded(UnsupportedError):
    """The types depend on the values of these parameters: a call asks the compiler again, with the values."""

    def __init__(self, problems: list[Problem], names: frozenset[str]):
        self.names = names
        super().__init__(problems)

    def __reduce__(self):
        return type(self), (self.problems, self.names)


class AttributeNeeded(UnsupportedError):
    """The function sets an attribute of an object outside: it is compiled again, with the object as an argument."""

    def __init__(self, problems: list[Problem], owner: Any, name: str):
        self.owner, self.name = owner, name
        super().__init__(problems)

    def __reduce__(self):
        return UnsupportedError, (self.problems,)


class TapeError(UnsupportedError, RuntimeError):
    """A tape is asked for what it cannot give."""


class TapeValueError(UnsupportedError, ValueError):
    """A tape is asked with arguments that do not fit together."""


class VariablesNeeded(Exception):
    """A function reads variables that were not seen, or updates some: it is compiled again, with what was found.

    `variables` are the ones that were not seen, under names that are free; `updates` says that some get new values.
    """

    def __init__(self, variables: dict[str, Any], updates: bool):
        self.variables, self.updates = variables, updates
        super().__init__(variables, updates)


class NoGradientError(SrcadError, LookupError):
    """A primitive on the path of the derivative has no rule; `part` is the subscript of one of several results.

    `moving` are the places of the operands that the derivative goes through, `spelled` what the user's file calls it;
    `because` is what is wrong with the source of a function that could have been read instead.
    """

    def __init__(
        self, primitive: str, origin: Origin, operands: tuple[str, ...] = ("x",), moving: tuple[int, ...] = (0,),
        part: str = "", spelled: str = "", because: Problem | None = None,
    ):  # fmt: skip
        self.primitive, self.origin, self.operands, self.moving = primitive, origin, operands, moving
        self.part, self.spelled, self.because = part, spelled or primitive, because
        problem = self.problem
        super().__init__(
            f"{problem.filename}:{problem.line}:{problem.column}: {problem.reason} in\n"
            f"    {users(origin).text}\n"
            f"write one:\n    " + "\n    ".join(problem.remedy.splitlines()[1:])
        )

    def since(self, because: Problem | None) -> NoGradientError:
        """The same, with what is wrong with the source of the function."""
        return type(self)(self.primitive, self.origin, self.operands, self.moving, self.part, self.spelled, because)

    @property
    def problems(self) -> list[Problem]:
        """The one problem, as an `UnsupportedError` has a list of them."""
        return [self.problem]

    @property
    def problem(self) -> Problem:
        y, given = "y" if "y" not in self.operands else "result", ", ".join(self.operands)
        of = "part" if self.part else self.spelled
        # A rule is of one result: where there are several, of a function that gives the one in question.
        alone = f"def part({given}): return {self.spelled}({given}){self.part}  # to call instead\n"
        bars = [f"\n    {x}.bar += {y}.bar * ...  # the derivative of {of} at {x}"
                for x in (self.operands[k] for k in self.moving)]  # fmt: skip
        rule = (
            "a rule of your own:\n" + (alone if self.part else "") +
            f"@srcad.rule({of})\n"
            f"def _({y}, {given}):" + "".join(bars)
        )
        instead = instead_of_solver(self.primitive)
        rule += f"\nor use {instead}" if instead else ""
        source = self.because.inside if self.because else ""
        return Problem(self.origin, f"no derivative rule for {self.primitive}{source}", rule)

    def __reduce__(self):
        values = (self.primitive, self.origin, self.operands, self.moving, self.part, self.spelled, self.because)
        return type(self), values


def unsupported(origin: Origin, reason: str, remedy: str = "") -> UnsupportedError:
    """An `UnsupportedError` of one problem."""
    return UnsupportedError([Problem(origin, reason, remedy)])


# ---------------------------------------------------------------- one problem, or all of them

_collected: ContextVar[list[Problem] | None] = ContextVar("collected", default=None)


def collecting() -> AbstractContextManager[list[Problem]]:
    """Passes that find problems note them in this list, and go on without what they refuse.

    >>> with collecting() as problems:
    ...     refuse([Problem(Origin("model.py", 3, 4), "a list", "a tuple")])
    >>> print(problems[0])
    model.py:3:5: a list
        instead: a tuple
    """
    return meanwhile(_collected, [])


def has_problems() -> bool:
    """Whether an earlier pass has noted a problem."""
    return bool(_collected.get())


def refuse(problems: Iterable[Problem]) -> None:
    """Raise an `UnsupportedError` of these problems, if there are any; where problems are collected, note them."""
    found = list(dict.fromkeys(problems))
    noted = _collected.get()
    if noted is not None:
        noted += found
    elif found:
        raise UnsupportedError(found)


def refuse_primitive(error: NoGradientError) -> None:
    """Raise an error about a primitive; where problems are collected, note it, a call once."""
    noted = _collected.get()
    if noted is None:
        raise error
    problem = error.problem
    if all((known.origin, known.reason) != (problem.origin, problem.reason) for known in noted):
        noted.append(problem)
