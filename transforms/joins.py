"""Branches and loops in type inference: what a name is where two paths meet; part of `infer`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from srcad.lang.errors import Problem
from srcad.lang.ir import Block, Call, Const, Effect, Expr, If, Move, Stmt, Var, hint, raise_
from srcad.lang.left import current
from srcad.lang.origin import Origin
from srcad.lang.pinpoint import pinpoint, spoken
from srcad.lang.types import NONE, UNKNOWN, Array, Scalar, Static, Type
from srcad.lang.walk import moves_of
from srcad.typing.join import join
from srcad.typing.refusal import SeveralRanks
from srcad.typing.table import Refusal, constant
from srcad.typing.typer import Typer


@dataclass
class Joins(Typer):
    """Types branches and loops; loops again and again until the types of what they carry agree."""

    asks: frozenset[str] = frozenset()  # the parameters whose values would help
    problems: list[Problem] = field(default_factory=list)
    unread: dict[str, Origin] = field(default_factory=dict)  # names read before they have a value
    left_out: list[Origin] = field(default_factory=list)  # what has no type, as something that it depends on has none
    origin: Origin = field(default_factory=Origin)
    joined: dict[str, Type] = field(default_factory=dict)  # what a joined name was found to be so far
    widened: dict[str, Origin] = field(default_factory=dict)  # arrays of which one path hands on a narrower dtype
    scopes: list[set[str]] = field(default_factory=lambda: [set()])  # the names that surely have a value by now

    copies: int = 0  # of the statements that are being typed, one in the other, as names have two ranks
    results: set[str] = field(default_factory=set)  # what both paths of a name of two ranks hand on

    ranks_met: int = 0  # how often that was one rank and another

    asked_lengths: list[Expr] = field(default_factory=list)  # tests of lengths, on which ranks depend
    excused: list[list[Problem]] = field(default_factory=list)  # what makes no sense for one of these

    name_afresh: Callable[[str], str] = str  # a name like another that nothing has yet

    def block(self, block: Block, carried: frozenset[str] | None = None) -> list[Stmt]:
        """Type the statements of a block; of a loop's body, whose iterations hand on the names and arrays `carried`."""
        raise NotImplementedError

    def statement(self, stmt: Stmt, before: Move | None) -> list[Stmt]:
        """Type a statement; `before` is what the one before it hands on."""
        raise NotImplementedError

    def learn(self, target: str, value: Expr) -> None:
        """What a name stands for after ``target = value``."""
        raise NotImplementedError

    def refuse(self, refusal: Refusal) -> None:
        self.asks |= refusal.asks
        if refusal.poisoned and refusal.void is None:
            self.left_out.append(self.origin)
        elif not refusal.poisoned:
            self.problems.append(Problem(pinpoint(self.origin, refusal.expr), refusal.sentence, refusal.remedy))

    def bind(self, name: str, type: Type) -> None:
        """From here on, a name has this type."""
        self.values.pop(name, None)
        self.statics.pop(name, None)
        self.names[name] = constant(type.value) if isinstance(type, Static) else Var(name, type)

    def unassigned(self, name: str) -> None:
        if name not in self.names:
            self.unread.setdefault(name, self.origin)

    def moved(self, value: Expr) -> Expr:
        """What is handed on; a name without a value is handed on as such, which only a later read makes wrong."""
        if isinstance(value, Var) and value.name not in self.names:
            return value
        try:
            return self.expr(value)
        except SeveralRanks:
            raise
        except Refusal as refusal:
            self.refuse(refusal)
            return value

    def missing(self, value: Expr) -> bool:
        """Whether what is handed on is a name without a value."""
        return isinstance(value, Var) and value.name not in self.names

    # ------------------------------------------------------------ branches

    def branch(self, stmt: If) -> list[Stmt]:
        test = self.decide(stmt.test)
        if isinstance(test, Const):
            return self.taken(stmt.then if test.value else stmt.orelse)
        excused = len(self.excused)
        then, orelse = self.alternatives(stmt)
        found, self.excused = self.excused[excused:], self.excused[:excused]
        self.problems += [problem for each in found for problem in each] if len(found) == 2 else []
        self.origin = stmt.origin
        incoming: dict[str, Type] = {}
        for block in (then, orelse):
            for target, value in moves_of(block):
                incoming[target] = self.join(incoming.get(target, UNKNOWN), value.type, target, True)
        for target, type in incoming.items():
            self.bind(target, type)
        self.scopes[-1].update(dict(moves_of(then)).keys() & dict(moves_of(orelse)).keys())
        return [replace(stmt, test=test, then=self.kept(then), orelse=self.kept(orelse))]

    def alternatives(self, stmt: If) -> tuple[list[Stmt], list[Stmt]]:
        """The two branches."""
        return self.path(stmt, stmt.then), self.path(stmt, stmt.orelse)

    def path(self, stmt: If, block: Block) -> list[Stmt]:
        """A branch; where an array has a length for which it makes no sense, it raises."""
        before, left_out = len(self.problems), len(self.left_out)
        typed = self.block(block)
        if stmt.test not in self.asked_lengths or len(self.problems) == before:
            return typed
        self.excused.append(self.problems[before:])
        del self.problems[before:], self.left_out[left_out:]
        reason = f"{self.excused[-1][0].reason}, for arrays of this length"
        return [Effect(Call(raise_, (constant(ValueError), constant(reason)), (), NONE), stmt.origin)]

    def decide(self, test: Expr) -> Expr:
        """A condition; one that cannot be typed is reported, and both branches are looked at."""
        try:
            return self.test(test)
        except Refusal as refusal:
            self.refuse(refusal)
            return test

    def taken(self, block: Block) -> list[Stmt]:
        """The only branch: what it joins is simply its own value."""
        out = self.block(block)
        if out and isinstance(out[-1], Move):
            for target, value in moves_of(out):
                self.learn(target, value)
                self.names[target] = value
            out.pop()
        return out

    def join(self, a: Type, b: Type, name: str, parted: bool = False) -> Type:
        """The type of a joined name; of arrays the wider dtype, to which `widen` converts the other.

        `parted`: a name of two ranks is raised, since what follows may be done once for each.
        """
        try:
            result = a if a == b else join(a, b, name, spoken(name, self.origin), wide=True)
            if isinstance(a, Array) and isinstance(b, Array) and a.dtype != b.dtype:
                self.widened[name] = self.origin
            return result
        except Refusal as refusal:
            if NONE in (a, b):
                current().may_be_none(hint(name))
            if isinstance(refusal, SeveralRanks):
                if parted and name not in self.results and self.may_part():
                    raise
                self.ranks_met += 1
                self.asks |= self.lengthy if self.squeezed else frozenset()
            self.refuse(refusal)
            arrays = [t for t in (a, b) if isinstance(t, Array)]
            return arrays[0] if len(arrays) == 1 and Scalar in (type(a), type(b)) else UNKNOWN

    def may_part(self) -> bool:
        """Whether what follows a branch may be done in each of its ends."""
        raise NotImplementedError

    def kept(self, block: list[Stmt]) -> Block:
        """A block without moves of what is known at compile time."""
        if not block or not isinstance(block[-1], Move):
            return tuple(block)
        pairs = [(t, v) for t, v in moves_of(block) if not isinstance(self.names.get(t), Const) and v.type != UNKNOWN]
        last = replace(block[-1], targets=tuple(t for t, _ in pairs), values=tuple(v for _, v in pairs))
        return (*block[:-1], *((last,) if pairs else ()))
