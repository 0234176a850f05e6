"""Loops before whose first iteration a name is a number, and an array after it; part of `infer`.

Where an array of equal elements does what the number does, the loop begins with that. Else its first iteration stands
before it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from srcad.lang.ir import Block, Const, Expr, For, Move, Stmt, Var, While, hint
from srcad.lang.types import UNKNOWN, Array, Scalar, Type
from srcad.lang.walk import is_const, statements, stmt_exprs, subexprs
from srcad.lang.walk import names as names_of
from srcad.transforms.by_rank import DEEPEST
from srcad.transforms.joins import Joins
from srcad.transforms.numbers_first import broadcasts, hands_on
from srcad.transforms.starts import at_least_once, start
from srcad.transforms.unroll import peeled, unrolled
from srcad.typing.facts import NotStatic
from srcad.typing.refusal import SomeIteration
from srcad.typing.table import Refusal


@dataclass
class Turns(Joins):
    """Knows which names get another rank in a loop."""

    reads: dict[str, int] = field(default_factory=dict)  # how often the function reads each name
    turned: set[str] = field(default_factory=set)  # what a loop carries that has another rank after an iteration
    unsure: set[str] = field(default_factory=set)  # those of them that may have the first one for longer
    entered: set[str] = field(default_factory=set)  # what loops hand on that surely make an iteration

    # ------------------------------------------------------------ what is known

    def forget(self, state: Turns) -> None:
        """Come back to what was known."""
        raise NotImplementedError

    def counts(self, loop: For) -> tuple[range | None, Expr | None]:
        """The counts of a loop, if they are few and known; where only their largest number is, the limit, too."""
        raise NotImplementedError

    def folded(self, value: Expr) -> Expr:
        """A constant where the value is known."""
        try:
            return Const(self.known(value), value.type)
        except NotStatic:
            return value

    # ------------------------------------------------------------ the first iteration

    def first_apart(
        self, stmt: For | While, header: For | While, values: dict[str, Expr], before: Turns
    ) -> list[Stmt] | None:
        """A loop after its first iteration, before which names have another rank, if that matters."""
        turned = {name for name in self.turned & values.keys() if values[name].type != UNKNOWN}
        failed = len(self.problems) > len(before.problems)
        have_starts = not failed and all(self.has_start(name, values[name], before) for name in turned)
        if not turned or have_starts and self.may_begin_as_arrays(stmt, values, turned):
            return None
        to_and_fro = {Scalar, Array} <= {type(values[name].type) for name in turned}
        if to_and_fro and isinstance(header, For) and isinstance(stmt, For):
            counts, limit = self.counts(header)
            if counts is not None:
                self.forget(before)
                return self.written_out(*unrolled(stmt, counts, limit, values, self.name_afresh))
        unsure = sorted(name for name in turned if name in self.unsure or to_and_fro)
        unsure.sort(key=lambda name: isinstance(values[name].type, Array))
        if unsure and isinstance(header, For) and self.may_part() and not to_and_fro:
            self.in_phases(header, {name: values[name].type for name in unsure}, before)
        if unsure or self.copies == DEEPEST or isinstance(header, For) and not isinstance(header.step, Const):
            if not failed:
                name = (unsure or sorted(turned))[0]
                self.join(values[name].type, self.joined[name], name)
            return None
        self.forget(before)
        kinds = {name: "a number" if isinstance(values[name].type, Scalar) else "another array" for name in turned}
        checks = [check for name in sorted(turned) if self.read_behind(stmt, name)
                  for check in at_least_once(header, [*values.items()], name, kinds[name]) or ()]
        self.copies += 1
        out = self.written_out(*peeled(stmt, values, self.name_afresh, turned))
        self.copies -= 1
        return [*checks[:1], *out]

    def in_phases(self, header: For, types: dict[str, Type], before: Turns) -> None:
        """Ask for two loops, before and behind the iteration in which names get another rank."""
        if isinstance(header.step, Const):
            self.forget(before)
            name = min(types)
            refusal = SomeIteration(f"{hint(name)} is a number on one path and an array on another",
                                    "an array from the start: s = np.zeros(shape)")  # fmt: skip
            refusal.ranks = {name: getattr(types[name], "ndim", 0) for name in sorted(types)}
            raise refusal

    def has_start(self, name: str, value: Expr, before: Turns) -> bool:
        """Whether the shape of the array that a name becomes can be asked for before the loop."""
        kind = self.joined.get(name)
        seen = set().union(*before.scopes)
        known = {each: meaning for each, meaning in before.names.items() if each in seen}
        return not isinstance(kind, Array) or start(known, kind, self.folded(value)) is not None

    def may_begin_as_arrays(self, stmt: For | While, values: dict[str, Expr], turned: set[str]) -> bool:
        """Whether arrays filled with the numbers that a loop begins with do what the numbers do."""
        names = {name: is_const(self.folded(values[name]), 0) for name in turned}
        handed_on = any(isinstance(values[name].type, Array) for name in turned)  # another name has the number later
        unsure = all(self.harmless_behind(name, values[name]) for name in turned if handed_on or name in self.unsure)
        return unsure and broadcasts(stmt.body, names, self.is_array)

    def is_array(self, expr: Expr) -> bool:
        """Whether an expression is known to be an array."""
        try:
            known = all(name in self.names for name in names_of(expr))
            return known and isinstance(self.expr(expr).type, Array)  # type: ignore[union-attr]
        except Refusal:
            return False

    def harmless_behind(self, name: str, value: Expr) -> bool:
        """Whether behind a loop an array filled with a number does what the number does."""
        later = tuple(stmt for rest in self.rests() for stmt in rest)
        return broadcasts(later, {name: is_const(self.folded(value), 0)}, self.is_array)

    def result_grows(self, name: str) -> bool:
        """Whether what follows in this block hands on what is a number if this name is one."""
        return hands_on(self.rests()[0], {name}, self.is_array)

    def rests(self) -> list[Block]:
        """What follows, in the blocks around, from the innermost one on."""
        return []

    def read_behind(self, loop: For | While, name: str) -> bool:
        """Whether a name may be read after a loop."""
        return self.reads.get(name, 1 << 30) > reads((loop,))[name]

    def written_out(self, block: Block, final: dict[str, Expr]) -> list[Stmt]:
        """Type the iterations of a loop, one after the other."""
        out = self.block(block)
        for target, value in final.items():
            value = self.moved(value)
            if not self.missing(value):
                self.learn(target, value)
                self.names[target] = value
        return out


def reads(block: Block) -> Counter[str]:
    """How often a block reads each name."""
    exprs = (expr for stmt in statements(block) for expr in stmt_exprs(stmt))
    return Counter(e.name for expr in exprs for e in subexprs(expr) if isinstance(e, Var))


def together(block: Block) -> dict[str, tuple[str, ...]]:
    """For each name that is handed on, or that joins what is, the names that are handed on to the same join."""
    joined: dict[str, list[str]] = {}
    for stmt in statements(block):
        if isinstance(stmt, Move):
            for target, value in zip(stmt.targets, stmt.values):
                if isinstance(value, Var):
                    joined.setdefault(target, []).append(value.name)
    found: dict[str, dict[str, None]] = {}
    for target, names in joined.items():
        for name in (target, *names):
            found.setdefault(name, {}).update(dict.fromkeys(names))
    return {name: tuple(others) for name, others in found.items()}
