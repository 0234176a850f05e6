"""origins: the name under which a value was there first, where other names only repeat it; part of `infer`.

The new value of a variable counts as the same value, also where a branch or a loop has assigned it: a derivative with
respect to a variable is one with respect to all that it has been.
"""

from __future__ import annotations

import operator

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Let, Move, Tuple, Var
from srcad.lang.types import TupleType
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
        self.meeting: dict[str, list[str]] = {}  # the values that come together under a name
        joined: dict[str, list[Expr]] = {}
        lets = {s.target: s.value for s in walk.statements(block) if isinstance(s, Let)}
        for stmt in walk.statements(block):
            if isinstance(stmt, Let) and isinstance(same := in_structures(same_as(stmt.value), lets), Var):
                self.copies[stmt.target] = same.name
            elif isinstance(stmt, Move):
                for target, value in zip(stmt.targets, stmt.values):
                    joined.setdefault(target, []).append(same_as(value))
        self._join(joined)

    def _join(self, joined: dict[str, list[Expr]]) -> None:
        """Take what is joined for the same where all paths bring the same; in loops, until something else is found."""
        self.meeting = {t: [v.name for v in values if isinstance(v, Var)] for t, values in joined.items()}
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

    def may_be(self, name: str) -> set[str]:
        """The origins of a value that may be one of several, as the path has it."""
        seen: set[str] = set()
        work = [self.of(name)]
        while work:
            if (one := work.pop()) not in seen:
                seen.add(one)
                work += [self.of(other) for other in self.meeting.get(one, ())]
        return seen


def in_structures(expr: Expr, lets: dict[str, Expr]) -> Expr:
    """An element of a structure that is written out, by itself; anything else as it is.

    >>> pair = {"p": Tuple((Var("a"), Var("b")))}
    >>> in_structures(Call(operator.getitem, (Var("p"), Const(1))), pair).name
    'b'
    """
    match expr:
        case Call(operator.getitem, (base, Const(key))):
            held = in_structures(base, lets)
            while isinstance(held, Var) and isinstance(lets.get(held.name), (Var, Tuple)):
                held = lets[held.name]
            keys = held.type.form.keys if isinstance(held, Tuple) and isinstance(held.type, TupleType) else ()
            place = keys.index(key) if key in keys else key
            if isinstance(held, Tuple) and isinstance(place, int) and -len(held.items) <= place < len(held.items):
                return held.items[place]
    return expr


def same_as(value: Expr) -> Expr:
    """The value without what says something about it only; of the new value of a variable, the old one."""
    while isinstance(value, Call) and value.fn in _SAME:
        value = value.args[0]
    return value
