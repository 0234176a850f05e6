"""origins: the name under which a value was there first, where other names only repeat it.

The new value of a variable counts as the same value, also where a branch or a loop has assigned it: a derivative with
respect to a variable is one with respect to all that it has been.
"""

from __future__ import annotations

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Let, Move, Var
from srcad.runtime.marks import accessed, hold, pin, probe, reassigned, watched

_SAME = (pin, reassigned, watched, accessed, hold, probe)


class Origins:
    """The origins of the names that statements assign.

    >>> pinned = Let("y", Call(pin, (Var("x"),)))
    >>> Origins((pinned, Let("z", Var("y")))).of("z")
    'x'
    """

    def __init__(self, block: Block) -> None:
        self.copies: dict[str, str] = {}
        joined: dict[str, list[Expr]] = {}
        for stmt in walk.statements(block):
            if isinstance(stmt, Let) and isinstance(same := same_as(stmt.value), Var):
                self.copies[stmt.target] = same.name
            elif isinstance(stmt, Move):
                for target, value in zip(stmt.targets, stmt.values):
                    joined.setdefault(target, []).append(same_as(value))
        self._join(joined)

    def _join(self, joined: dict[str, list[Expr]]) -> None:
        """Take what is joined for the same where all paths bring the same; in loops, until something else is found."""
        meeting = {t: [v.name for v in values if isinstance(v, Var)] for t, values in joined.items()
                   if all(isinstance(v, Var) for v in values)}  # fmt: skip
        self.copies.update({target: names[0] for target, names in meeting.items()})
        apart = True
        while apart:
            apart = False
            for target, names in list(meeting.items()):
                if any(self.of(name) != self.of(target) for name in names):
                    del self.copies[target], meeting[target]
                    apart = True

    def of(self, name: str) -> str:
        """The first name of a value."""
        seen: set[str] = set()
        while name in self.copies and name not in seen:
            seen.add(name)
            name = self.copies[name]
        return name


def same_as(value: Expr) -> Expr:
    """The value without what says something about it only; of the new value of a variable, the old one."""
    while isinstance(value, Call) and value.fn in _SAME:
        value = value.args[0]
    return value
