"""Which statements of a reverse loop repeat which of the forward loop.

An iteration of a reverse loop computes again what the same iteration of the forward loop computed, under names of its
own. A statement that repeats another stands in loops over the same indices and in the same branches, and says the same
of the same first names. Where it stands in the reverse loop, all contents are what they were there in the forward loop.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from srcad.analysis.contents import is_element
from srcad.analysis.lasting import Lasting
from srcad.lang.arrays import items_of
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, If, Let, Move, Slice, Stmt, Store, Tuple, Var, While
from srcad.lang.walk import assigned, names

Path = tuple[Hashable, ...]  # the loops and branches around a statement, from the outside


@dataclass(frozen=True)
class Where:
    """A statement of the reverse loop: the block it stands in, its place there, and what is around it."""

    stmt: Stmt
    block: Block
    position: int
    path: Path
    around: tuple[int, ...]  # the statements that it is inside of, by id
    order: int  # among all


@dataclass
class Replays:
    """The statements of a forward loop by what they say, and those of its reverse loop by what they bind."""

    first: Callable[[str], str]
    parts: dict[str, tuple[Expr | None, ...]] = field(default_factory=dict)  # the indices of parts of arrays
    blocks: dict[Path, Block | None] = field(default_factory=dict)  # of the forward loop; None: not unique
    loops: dict[Path, tuple[For, ...]] = field(default_factory=dict)  # those around a block that can be counted
    bound: dict[str, tuple[Path, int]] = field(default_factory=dict)  # where it binds names
    places: dict[tuple[Path, Hashable], int | None] = field(default_factory=dict)
    every: list[Where] = field(default_factory=list)  # of the reverse loop
    lets: dict[str, Where | None] = field(default_factory=dict)  # where the reverse loop binds names; None: twice
    results: dict[str, Where | None] = field(default_factory=dict)  # which of its loops carries a name; None: two do

    @staticmethod
    def of(
        forward: For, back: For, firsts: dict[str, str], parts: dict[str, tuple[Expr | None, ...]] | None = None
    ) -> Replays:
        """
        >>> from srcad.lang.types import INT
        >>> def loop(name): return For("t", Const(0, INT), Const(9, INT), Const(1, INT), (Let(name, Var("a")),))
        >>> Replays.of(loop("x"), loop("x.1"), {"x.1": "x"}).place("x.1")
        ((), 0)
        """
        found = Replays(lambda name: firsts.get(name, name), parts or {})
        found.enter(forward.body, (), (forward,))
        found.look(back.body, (), ())
        return found

    # ------------------------------------------------------------ the forward loop

    def enter(self, block: Block, path: Path, loops: tuple[For, ...] | None) -> None:
        self.blocks[path] = None if path in self.blocks else block
        if loops is not None:
            self.loops[path] = loops
        for position, stmt in enumerate(block):
            key = path, self.key(stmt)
            if isinstance(stmt, Let):
                self.bound[stmt.target] = path, position
            self.places[key] = None if key in self.places else position
            for step, inner in self.inside(stmt):
                counted = isinstance(stmt, If) or isinstance(stmt, For) and stmt.flag is None
                around = None if loops is None or not counted else (*loops, stmt) if isinstance(stmt, For) else loops
                self.enter(inner, (*path, step), around)

    def inside(self, stmt: Stmt) -> list[tuple[Hashable, Block]]:
        """The blocks of a statement, each with what leads there."""
        match stmt:
            case For(index=index, body=body):
                return [(("for", index), body)]
            case While(test, body):
                return [(("while", self.of_expr(test)), body)]
            case If(test, then, orelse):
                return [(("if", self.of_expr(test), True), then), (("if", self.of_expr(test), False), orelse)]
        return []

    # ------------------------------------------------------------ the reverse loop

    def look(self, block: Block, path: Path, around: tuple[int, ...]) -> None:
        for position, stmt in enumerate(block):
            where = Where(stmt, block, position, path, around, len(self.every))
            self.every.append(where)
            if isinstance(stmt, Let):
                self.lets[stmt.target] = None if stmt.target in self.lets else where
            if isinstance(stmt, (For, While)) and stmt.body and isinstance(last := stmt.body[-1], Move):
                self.results |= {name: None if name in self.results else where for name in last.targets}
            for step, inner in self.inside(stmt):
                self.look(inner, (*path, step), (*around, id(stmt)))

    def place(self, name: str) -> tuple[Path, int] | None:
        """Where the forward loop binds what a name of the reverse loop is bound to again."""
        where = self.lets.get(name)
        return None if where is None else self.same(where)

    def same(self, where: Where) -> tuple[Path, int] | None:
        """Where the forward loop says what a statement of the reverse loop repeats."""
        position = self.places.get((where.path, self.key(where.stmt)))
        return None if position is None or self.blocks[where.path] is None else (where.path, position)

    def gives(self, loop: Where, name: str) -> bool:
        """Whether the loop that one repeats carries a name, too: what nobody read of the forward loop is gone."""
        place = self.same(loop)
        block = None if place is None else self.blocks[place[0]]
        return place is not None and block is not None and self.first(name) in assigned((block[place[1]],))

    def final(self, name: str, lasting: Lasting, known: set[str]) -> Expr | None:
        """Where the arrays of the forward loop still have, in the end, what a name of the reverse loop is again.

        All but indices of loops is `known` before the forward loop.
        """
        first, where = self.first(name), self.lets.get(name)
        place = self.place(name)
        if place is None and where is not None and is_element(where.stmt.value) and lasting.stored(first):  # type: ignore
            place = self.bound.get(first)  # what the reverse loop reads back from a copy of its own
        block = None if place is None else self.blocks[place[0]]
        if place is None or block is None or place[0] not in self.loops or place[0] != where.path:  # type: ignore
            return None
        stmt = block[place[1]]
        assert isinstance(stmt, Let)
        stored = lasting.stored(first)
        value = stored[1] if stored is not None else stmt.value if lasting.lasts(first) else None
        part = stored is not None and isinstance(value, Call) and value.fn is np.copy
        if not isinstance(value, Call) or value.fn is not operator.getitem and not part:
            return None
        return value if names(value) <= known | {loop.index for loop in self.loops[place[0]]} else None

    def moment(
        self, where: Where, matters: Callable[[Stmt], bool], changes: Callable[[Stmt], bool]
    ) -> tuple[Path, int] | None:
        """Where the forward loop is when the reverse loop comes to a statement, for all that `matters`.

        None, if something between that and what is found again in the forward loop does matter. What matters in the
        reverse loop `changes` something in the forward loop.
        """
        if self.blocks.get(where.path) is None:
            return None
        for position in range(where.position - 1, -1, -1):
            stmt = where.block[position]
            found = self.places.get((where.path, self.key(stmt)))
            if found is not None:
                return where.path, found + 1
            if matters(stmt):
                return self.kept(stmt, where.path)
        return (where.path, 0) if self.begin_alike(where, matters, changes) else None

    def kept(self, stmt: Stmt, path: Path) -> tuple[Path, int] | None:
        """Where the forward loop records what a statement reads from a record under a name for it."""
        match stmt:
            case Let(name, Call(args=(Var(tape), _)) | Call(args=(Call(args=(Var(tape), _)),))):
                block = self.blocks[path] or ()
                stores = [n for n, s in enumerate(block) if isinstance(s, Store) and s.base.name == tape]  # type: ignore
                if len(stores) == 1 and self.of_expr(block[stores[0]].value) == self.of_expr(Var(name)):
                    return path, stores[0]
        return None

    def begin_alike(self, where: Where, matters: Callable[[Stmt], bool], changes: Callable[[Stmt], bool]) -> bool:
        """Whether the block around a statement begins with what the block of the forward loop begins with.

        A branch of which only cotangents are left stands behind the one that computes again, and has its test.
        """
        if not where.around:
            return True
        outer = next(each for each in self.every if id(each.stmt) == where.around[-1])
        block = self.blocks.get(outer.path)
        place = self.moment(outer, matters, changes)
        if block is None or place is None:
            return False
        [itself] = [n for n, stmt in enumerate(block) if where.path[-1] in (step for step, _ in self.inside(stmt))]
        if isinstance(outer.stmt, (For, While)) and matters(outer.stmt) and self.same(outer) != (outer.path, itself):
            return False
        return not any(map(changes, block[min(place[1], itself) : max(place[1], itself)]))

    # ------------------------------------------------------------ what statements say

    def key(self, stmt: Stmt) -> Hashable:
        """What a statement says, in first names."""
        match stmt:
            case Let(target, value):
                return "let", self.first(target), self.of_expr(value)
            case Store(Var(name), index, value) if name in self.parts:
                return "store", *self.of_part(name, items_of(index)), self.of_expr(value)
            case Store(base, index, value):
                return "store", *map(self.of_expr, (base, index, value))
            case For(index, start, stop, step):
                return "for", index, *map(self.of_expr, (start, stop, step))
            case Move(targets, values):
                return "move", *map(self.first, targets), *map(self.of_expr, values)
        return "other", id(stmt)

    def of_expr(self, expr: Expr | None) -> Hashable:
        """An expression in first names, without its types."""
        match expr:
            case Var(name) if name in self.parts:
                return id(operator.getitem), *self.of_part(name, ())
            case Call(operator.getitem, (Var(name), index)) if name in self.parts:
                return id(operator.getitem), *self.of_part(name, items_of(index))
            case Var(name):
                return self.first(name)
            case Const():
                return expr.key()
            case Call(fn, args, kwargs):
                return id(fn), *map(self.of_expr, args), *((key, self.of_expr(value)) for key, value in kwargs)
            case Attr(value, name):
                return "attr", self.of_expr(value), name
            case Slice(lower, upper, step):
                return "slice", *map(self.of_expr, (lower, upper, step))
            case Tuple(items):
                return "tuple", *map(self.of_expr, items)
        return None

    def of_part(self, name: str, within: tuple[Expr, ...]) -> tuple[Hashable, Hashable]:
        """The array that a name is a part of, and the subscript in it of an element of the part, or of all of it."""
        left = list(within)
        items = [item if item is not None else left.pop(0) if left else Slice() for item in self.parts[name]]
        while items and items[-1] == Slice():
            items.pop()
        keys = tuple(map(self.of_expr, items))
        return self.first(name), keys[0] if len(keys) == 1 else ("tuple", *keys)
