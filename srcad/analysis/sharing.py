"""Which arrays may share memory at one moment, of names that are all in use then.

`Buffers` knows the memory that a name may ever have. Names that trade places, in a branch or from iteration to
iteration, have the same and yet never at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from srcad.analysis.buffers import Buffers
from srcad.lang import walk
from srcad.lang.ir import Block, For, Function, If, Let, Move, Var, While
from srcad.lang.types import is_array

Pair = frozenset[str]


@dataclass
class Sharing:
    """Knows of each joined name the values that it joins, and the order in which names come to be."""

    buffers: Buffers
    count: int = 0
    order: dict[str, int] = field(default_factory=dict)
    joins: dict[str, int] = field(default_factory=dict)  # joined name -> the statement that joins it
    given: dict[str, dict[int, str]] = field(default_factory=dict)  # joined name -> its values, by the move
    shared: set[Pair] = field(default_factory=set)

    @staticmethod
    def of(fn: Function, buffers: Buffers) -> Sharing:
        """What the names of a function share.

        >>> from srcad.analysis.buffers import buffers
        >>> from srcad.lang.ir import Const, If, Param
        >>> from srcad.lang.types import BOOL, Array
        >>> kind = Array("float64", ("n",))
        >>> x, y = Var("x", kind), Var("y", kind)
        >>> swap = If(Const(True, BOOL), (Move(("v", "w"), (x, y)),), (Move(("v", "w"), (y, x)),))
        >>> fn = Function("f", (Param("x", kind), Param("y", kind)), (swap,))
        >>> found = Sharing.of(fn, buffers(fn))
        >>> found.at_once("v", "x"), found.at_once("v", "w")
        (True, False)
        """
        found = Sharing(buffers)
        for param in fn.params:
            found._define(param.name)
        found._block(fn.body)
        found._settle()
        return found

    def at_once(self, a: str, b: str) -> bool:
        """Whether two names that are in use at one moment may stand for the same memory."""
        if not self.buffers.of(a) & self.buffers.of(b):
            return False
        return any(self._roots_meet(one, other) for one in self.buffers.roots(a) for other in self.buffers.roots(b))

    def met(self, a: str, b: str) -> frozenset[str]:
        """The different names at the ends of the views `a` and `b` that may stand for the same memory."""
        pairs = [(one, other) for one in self.buffers.roots(a) for other in self.buffers.roots(b) if one != other]
        return frozenset(name for pair in pairs if self._roots_meet(*pair) for name in pair)

    # ------------------------------------------------------------ the order of names

    def _define(self, name: str, anew: bool = False) -> None:
        if anew or name not in self.order:
            self.count += 1
            self.order[name] = self.count

    def _block(self, block: Block) -> None:
        for stmt in block:
            match stmt:
                case Move():
                    self._join(stmt, id(stmt))
                case For() | While():
                    for target, _ in walk.moves_of(stmt.body):
                        self._define(target)
                    self._block(stmt.body)
                    self.joins.update((target, id(stmt)) for target, _ in walk.moves_of(stmt.body))
                case If():
                    for inner in walk.blocks(stmt):
                        self._block(inner)
                    for target in [target for inner in walk.blocks(stmt) for target, _ in walk.moves_of(inner)]:
                        self._define(target, anew=True)
                        self.joins[target] = id(stmt)
                case Let(target):
                    self._define(target)

    def _join(self, move: Move, joint: int) -> None:
        for target, value in zip(move.targets, move.values):
            self._define(target)
            self.joins.setdefault(target, joint)
            if isinstance(value, Var) and is_array(value.type):
                self.given.setdefault(target, {})[id(move)] = value.name

    # ------------------------------------------------------------ what they share

    def _settle(self) -> None:
        """Assume that joined names share nothing with what was there before, until no value of theirs disproves it."""
        names = [name for name in self.given if self.buffers.of(name)]
        known = [name for name in self.order if self.buffers.root(name) == name and self.buffers.of(name)]
        open_pairs = {
            frozenset((name, other))
            for name in names for other in known
            if name != other and self.buffers.of(name) & self.buffers.of(other)
        }  # fmt: skip
        while met := {pair for pair in open_pairs if self._met(*pair)}:
            self.shared |= met
            open_pairs -= met

    def _met(self, a: str, b: str) -> bool:
        """Whether the values of the later one of two names, one of which joins some, share memory with the other."""
        if self.order[a] < self.order[b]:
            a, b = b, a
        given = self.given.get(a)
        if given is None:
            return False  # new memory
        other = self.given[b] if self.joins.get(b) == self.joins[a] else {}
        return any(self.at_once(value, other.get(key, b)) for key, value in given.items())

    def _roots_meet(self, a: str, b: str) -> bool:
        return a == b or frozenset((a, b)) in self.shared or self._outside(a, b)

    def _outside(self, a: str, b: str) -> bool:
        """Whether both are arrays from outside the function."""
        return bool(self.buffers.of(a) & self.buffers.of(b) & self.buffers.outside.keys())
