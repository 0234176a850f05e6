"""The errors of srcad: each names the user's line and says what to write instead."""

from __future__ import annotations

from dataclasses import dataclass

from srcad.lang.origin import Origin


class SrcadError(Exception):
    """The root of all errors that srcad raises about a user's function."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing in a function that cannot be differentiated, and what to write instead."""

    origin: Origin
    reason: str
    remedy: str = ""

    def __str__(self) -> str:
        remedy = f"\n    instead: {self.remedy}" if self.remedy else ""
        return f"{self.origin.filename}:{self.origin.line}:{self.origin.column + 1}: {self.reason}{remedy}"


class UnsupportedError(SrcadError, SyntaxError):
    """The function uses something that srcad refuses; `problems` lists all of it, the first one with a caret."""

    def __init__(self, problems: list[Problem]):
        self.problems = list(problems)
        first = self.problems[0]
        lines = [first.reason + (f"; instead: {first.remedy}" if first.remedy else "")]
        lines += [f"also {problem}" for problem in self.problems[1:]]
        where = first.origin
        details = (where.filename, where.line, where.column + 1, where.text)
        SyntaxError.__init__(self, "\n".join(lines), details)

    def __reduce__(self):
        return type(self), (self.problems,)


class NoGradientError(SrcadError, LookupError):
    """A primitive on the path of the derivative has no rule."""

    def __init__(self, primitive: str, origin: Origin):
        self.primitive, self.origin = primitive, origin
        super().__init__(
            f"{origin.filename}:{origin.line}:{origin.column + 1}: no derivative rule for {primitive} in\n"
            f"    {origin.text}\n"
            f"write one:\n"
            f"    @srcad.rule({primitive})\n"
            f"    def _(y, x):\n"
            f"        x.bar += y.bar * ...  # the derivative of {primitive} at x"
        )

    def __reduce__(self):
        return type(self), (self.primitive, self.origin)


def unsupported(origin: Origin, reason: str, remedy: str = "") -> UnsupportedError:
    """An `UnsupportedError` of one problem."""
    return UnsupportedError([Problem(origin, reason, remedy)])
