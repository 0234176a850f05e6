"""Which names may be one array, or parts of one, at the same time: arrays that change places stay two.

`classes` puts names together for good: after ``u, v = v, u`` both may be either. Where names are moved, they are
followed through the statements instead, in pairs: `u` and `v` are two arrays before that, and two arrays after it.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass, field, replace

from srcad.analysis.classes import Classes, parts_of
from srcad.lang.ir import Block, Call, Expr, For, If, Let, Move, Stmt, Var, While
from srcad.lang.types import is_array
from srcad.lang.walk import statements, targets

Pair = frozenset[str]
MANY = 64  # names of one class: more are not followed


@dataclass
class Pairs:
    """The pairs of names that may share memory somewhere in a function.

    >>> import numpy as np
    >>> from srcad.lang.ir import Const
    >>> from srcad.lang.types import INT, Array
    >>> a, b = (Var(name, Array("float64", ("n",), "C")) for name in "ab")
    >>> made = tuple(Let(name, Call(np.zeros, (Const(3, INT),), (), a.type)) for name in "ab")
    >>> swap = For("i", Const(0, INT), Const(3, INT), Const(1, INT), (Move(("a", "b"), (b, a)),))
    >>> Pairs.of((*made, swap)).may_share("a", "b")
    False
    >>> Pairs.of((*made, Let("a", b), swap)).may_share("a", "b")
    True
    >>> pairs = Pairs.of((*made, Let("a", b), Move(("b",), (made[1].value,)), swap))
    >>> pairs.may_share("a", "b"), pairs.may_share("a", "b", swap)
    (True, False)
    """

    classes: Classes
    followed: set[str] = field(default_factory=set)  # the classes of which more is known
    ever: set[Pair] = field(default_factory=set)  # what is
    inside: dict[int, set[Pair]] = field(default_factory=dict)  # the same of each loop
    around: list[set[Pair]] = field(default_factory=list)  # those of the loops that are being followed

    @staticmethod
    def of(block: Block) -> Pairs:
        classes = Classes.of(block)
        unknown: set[str] = set()
        for stmt in statements(block):
            if isinstance(stmt, Let) and is_array(getattr(stmt.value, "type", None)):
                for base in _bases(stmt.value):
                    classes.union(stmt.target, base)
                if _is_anything(stmt.value):
                    unknown.add(stmt.target)
        sizes = Counter(map(classes.find, {name for stmt in statements(block) for name in targets(stmt)}))
        moved = {classes.find(name) for stmt in statements(block) if isinstance(stmt, Move) for name in stmt.targets}
        bound = Counter(stmt.target for stmt in statements(block) if isinstance(stmt, Let))
        moved |= {classes.find(name) for name, times in bound.items() if times > 1}
        moved -= set(map(classes.find, unknown))
        pairs = Pairs(classes, {leader for leader in moved if sizes[leader] <= MANY})
        if any(sizes[leader] > 1 for leader in pairs.followed):
            pairs.block(block, set())
        return pairs

    def may_share(self, one: str, other: str, loop: Stmt | None = None) -> bool:
        """Whether two names may share memory, while a loop of the block runs or at any time."""
        return self.are_among(self.inside.get(id(loop), self.ever), one, other)

    def during(self, loop: Stmt) -> Pairs:
        """The pairs that may share memory while a loop of the block runs."""
        return replace(self, ever=self.inside.get(id(loop), self.ever))

    def are_among(self, known: set[Pair], one: str, other: str) -> bool:
        """Whether two names may share memory where these pairs do."""
        if one == other:
            return True
        if self.classes.find(one) != self.classes.find(other):
            return False
        if self.classes.find(one) not in self.followed:
            return True
        return frozenset((one, other)) in known

    def add(self, stmt: Stmt) -> None:
        """Get to know what a pass has introduced: a name, or a new one for what is moved."""
        self.classes.add(stmt)
        match stmt:
            case Let(target, value) if is_array(getattr(value, "type", None)):
                self.join(target, _bases(value))
            case Move(names, values):
                for name, value in zip(names, values):
                    self.join(name, _bases(value))

    def join(self, name: str, bases: set[str]) -> None:
        for base in bases:
            self.classes.union(name, base)
        for known in (self.ever, *self.inside.values()):
            known |= {frozenset((name, other)) for other in _with_partners(bases, known) - {name}}

    def block(self, block: Block, now: set[Pair]) -> set[Pair]:
        """What may share memory behind a block, from what may before it."""
        for stmt in block:
            now = self.statement(stmt, now)
        return now

    def statement(self, stmt: Stmt, now: set[Pair]) -> set[Pair]:
        match stmt:
            case Let(target, value):
                return self.bound(now, {target: _bases(value)})
            case Move(names, values):
                return self.bound(now, {name: _bases(value) for name, value in zip(names, values)})
            case If(_, then, orelse):
                return self.block(then, now) | self.block(orelse, now)
            case For(body=body) | While(body=body):
                self.around.append(self.inside.setdefault(id(stmt), set()))
                self.around[-1].update(now)
                while (after := now | self.block(body, now)) != now:
                    now = after
                self.around.pop()
        return now

    def bound(self, now: set[Pair], names: dict[str, set[str]]) -> set[Pair]:
        """The pairs when names are bound, all at once, to what other names hold, or to parts of it."""
        names = {name: bases for name, bases in names.items() if self.classes.find(name) in self.followed}
        if not names:
            return now
        reached = {name: _with_partners(bases, now) for name, bases in names.items()}
        result = {pair for pair in now if not pair & names.keys()}
        for name, others in reached.items():
            result |= {frozenset((name, other)) for other in others - names.keys()}
            beside = [second for second, bases in names.items() if second != name and others & bases]
            result |= {frozenset((name, second)) for second in beside}
        for known in (self.ever, *self.around):
            known |= result
        return result


def _with_partners(names: set[str], pairs: set[Pair]) -> set[str]:
    """The names, and all that may share memory with one of them."""
    return names.union(*(pair for pair in pairs if pair & names))


def _bases(value: Expr) -> set[str]:
    """The arrays that a value is, or is a part of."""
    if isinstance(value, Var):
        return {value.name} if is_array(value.type) else set()
    found: set[str] = set()
    waiting = list(parts_of(value))
    while waiting:
        base = waiting.pop()
        if isinstance(base, Var):
            found.add(base.name)
        elif isinstance(base, Call):
            waiting += parts_of(base)
    return found


def _is_anything(value: Expr) -> bool:
    """Whether a value is an array that some structure holds, under who knows what names besides."""
    if not isinstance(value, Call):
        return not isinstance(value, Var)
    return value.fn is operator.getitem and not is_array(getattr(value.args[0], "type", None))
