"""Where the numbers of a block of iterations are: in arrays over the block; part of `blocks`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.affine import plus
from srcad.analysis.uniform import Uniformity
from srcad.lang.arrays import index_of, new_array
from srcad.lang.ir import Call, Const, Expr, Let, Stmt, Var
from srcad.lang.types import INT, Array, Scalar, Type
from srcad.transforms.side_by_side import Unblocked, at

CACHE_LINE = 8  # numbers


@dataclass
class Numbers:
    """What the iterations ``start + t``, `t` below `size`, have under a name; blocks have at most `length`."""

    facts: Uniformity
    fresh: Callable[[str], str]
    start: Var
    size: Var
    t: Var
    length: Expr
    before: list[Stmt] = field(default_factory=list)  # what is made before the loop
    types: dict[str, Type] = field(default_factory=dict)
    arrays: dict[str, Var] = field(default_factory=dict)  # of the block, for what an iteration has under a name
    lines: dict[str, tuple[Var, int]] = field(default_factory=dict)  # numbers that have a line of an array
    rows: dict[str, Var] = field(default_factory=dict)  # copies of rows, one beside the other

    def made(self, name: str) -> Var:
        """An array over the block for a number of the iterations, made before the loop."""
        kind = self.types.get(name)
        if not isinstance(kind, Scalar):
            raise Unblocked
        return self.another(name, kind)

    def another(self, name: str, kind: Scalar) -> Var:
        array = Var(self.fresh(f"{name}~block"), Array(kind.dtype, (self.fresh("block"),), "C"))
        self.make(array, self.length)
        return array

    @property
    def apart(self) -> Expr:
        """How far lines over the block are apart.

        At a power of two, all of them would have the same few places in a cache, and drive each other out where rows
        are brought into them.
        """
        return plus(self.length, Const(CACHE_LINE, INT))

    def together(self, title: str, names: list[str]) -> None:
        """One array over the block for many numbers of the iterations, each with a line of it."""
        if names:
            array = Var(self.fresh(title), Array("float64", (len(names), self.fresh("block")), "C"))
            self.make(array, index_of((Const(len(names), INT), self.length)))
            self.lines |= {name: (array, line) for line, name in enumerate(names)}

    def make(self, array: Var, shape: Expr) -> None:
        room = new_array(np.empty, shape, array.type)
        self.before.append(Let(array.name, room, replace(self.facts.loop.origin, adjoint=False)))

    def place_of(self, name: str) -> Call | None:
        """Where the number of an iteration is."""
        if name in self.lines:
            array, line = self.lines[name]
            return at(array, (Const(line, INT), self.t), self.types[name])
        return at(self.arrays[name], (self.t,), self.types[name]) if name in self.arrays else None

    def array(self, base: Var) -> Var:
        """The array that holds, for a block, what each iteration has in an array."""
        kind = base.type
        assert isinstance(kind, Array)
        if base.name not in self.arrays:
            whole = Array(kind.dtype, (*kind.shape, "block"), "C")
            self.arrays[base.name] = Var(self.fresh(f"{base.name}~block"), whole)
        return self.arrays[base.name]

    def own(self) -> frozenset[str]:
        """The arrays over the block."""
        lines = (array for array, _ in self.lines.values())
        return frozenset(array.name for array in (*self.arrays.values(), *self.rows.values(), *lines))
