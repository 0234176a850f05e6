"""Why an expression has no type: turned into a `Problem` where its line is known."""

from __future__ import annotations

import re

from srcad.lang.ir import Expr

_VERB = re.compile(r"\b(is|are|has|have|may|makes?|needs?|gives?|changes?|cannot|returns?|does|do|writes?|overlaps?)\b")


class Refusal(Exception):
    """An expression that cannot be typed; `poisoned`: because of a name whose own problem is already reported."""

    def __init__(self, reason: str, remedy: str = "", poisoned: bool = False):
        super().__init__(reason)
        self.reason, self.remedy, self.poisoned = reason, remedy, poisoned
        self.asks: frozenset[str] = frozenset()  # the parameters whose values would help
        self.void: str | None = None
        """Poisoned by an element of a list into which nothing is ever put, which nothing reads: the list, by its key,
        or "" for what is computed of such an element."""
        self.expr: Expr | None = None
        """The innermost expression that it is about."""

    @property
    def sentence(self) -> str:
        """The reason as a sentence: of a thing that is named, that it is not supported.

        >>> Refusal("the truth of an array").sentence, Refusal("y has two types").sentence
        ('the truth of an array is not supported', 'y has two types')
        """
        if _VERB.search(re.sub("`.*?`", "", self.reason)):
            return self.reason
        several = re.match(r"([2-9]|\d\d+|several|elements|arguments|values|arrays) ", self.reason)
        return f"{self.reason} {'are' if several else 'is'} not supported"


def of_void(key: str) -> Refusal:
    """That a value is computed of an element of a list into which nothing is put, or is the list that `key` counts."""
    refusal = Refusal("", poisoned=True)
    refusal.void = key
    return refusal


class SeveralRanks(Refusal):
    """A name is a number on one path and an array on another, or arrays of two ranks."""

    instead: Expr | None = None
    """What to type in the place of the expression that it is about: it says when each rank is meant."""


class NoIteration(SeveralRanks):
    """A name is an array behind a loop that makes an iteration, and a number behind one that makes none."""


class SomeIteration(SeveralRanks):
    """A loop carries names of which nobody knows in which iteration they get another rank: `ranks` are the first."""

    ranks: dict[str, int]


class NeedsArray(Refusal):
    """A structure, `structure`, stands where a number or an array is needed."""

    def __init__(self, structure: Expr):
        super().__init__("a tuple where a number or an array is needed", "np.array(...) of it")
        self.structure = structure
