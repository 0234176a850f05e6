"""trails: the reverse of a table whose entries pick one of their neighbours follows one trail through it.

``D[i, j] = c + min(D[i - 1, j], D[i, j - 1])`` hands the cotangent of an entry on to the neighbour that was picked, and
to no other. Where one entry is the result, as in dynamic programming, all that have a cotangent lie on a trail that
ends there. The reverse goes along it, from entry to entry, and leaves out the others, whose cotangents are zero.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of, items_of
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Tuple, Var, While, and_,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, FLOAT, INT, Array, Scalar
from srcad.transforms.flatten import fresh_names
from srcad.transforms.picks import Cases
from srcad.transforms.simplify import simplified
from srcad.transforms.taking import Nest, added_to, constants, mentions, names_read

ZEROS = (np.zeros, np.zeros_like)
SHAPED = (*ZEROS, np.empty, np.empty_like, np.ones, np.ones_like, np.full, np.full_like)


def trails(fn: Function) -> Function:
    """Let reverse sweeps through tables follow the entries that have a cotangent.

    >>> from srcad.lang.ir import Param, Return, select
    >>> b, v = (Var(name, Array("float64", ("n",), "C")) for name in ("b~bar", "v"))
    >>> i, n, c = Var("i", INT), Var("n", INT), Var("c~bar", FLOAT)
    >>> def before(k): return simplified(Call(operator.sub, (i, Const(k, INT)), (), INT))
    >>> def at(a, k): return Call(operator.getitem, (a, before(k)), (), FLOAT)
    >>> test = Call(operator.gt, (at(v, 0), Const(0.0, FLOAT)), (), BOOL)
    >>> one, other = Call(select, (test, c, Const(0.0)), (), FLOAT), Call(select, (test, Const(0.0), c), (), FLOAT)
    >>> clear = Store(b, i, Const(0.0, FLOAT))
    >>> body = (Let("c~bar", at(b, 0)), clear, Accum(at(b, 1), one), Accum(at(b, 2), other))
    >>> loop = For("i", Call(operator.sub, (n, Const(1, INT)), (), INT), Const(1, INT), Const(-1, INT), body)
    >>> seed = Accum(Call(operator.getitem, (b, Const(-1, INT)), (), FLOAT), Const(1.0, FLOAT))
    >>> made = Let("b~bar", Call(np.zeros_like, (v,), (), b.type))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = trails(Function("f", (Param("v", v.type), Param("n", INT)), (made, seed, loop, Return(b))))
    >>> print(write(name(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(v, n):
        b_bar = np.zeros_like(v)
        c_bar = 1.0
        i = v.shape[0] - 1
        while i > 1 and i <= n - 1:
            if v[i] > 0.0:
                i -= 1
            else:
                i -= 2
        b_bar[i] += c_bar
        return b_bar
    """
    if not any(isinstance(s, Accum) and isinstance(s.target, Call) for s in walk.statements(fn.body)):
        return fn
    fresh = fresh_names({p.name for p in fn.params} | walk.assigned(fn.body))
    return replace(fn, body=_Finder(Classes.of(fn.body), fresh, fn, mentions(fn.body)).block(fn.body))


@dataclass
class _Finder:
    classes: Classes
    fresh: Callable[[str], str]
    fn: Function
    mentions: Counter[str]  # how many statements mention a name

    def block(self, block: Block, after: Names = frozenset()) -> Block:
        """A block with trails in the place of loops; `after` are the names that are read behind it."""
        pairs = zip(block, live(block, after))
        block = tuple(self.inside(stmt, behind) for stmt, behind in pairs)
        for position, (stmt, behind) in enumerate(zip(block, live(block, after))):
            nest = Nest.of(stmt, behind - self.only_in(stmt)) if isinstance(stmt, For) else None
            changed = self.followed(nest, block, position) if nest else None
            if changed is not None:
                return self.block(changed, after)
        return block

    def only_in(self, stmt: Stmt) -> set[str]:
        """The names that a statement mentions, and no other does."""
        inside = mentions((stmt,))
        return {name for name, count in inside.items() if count == self.mentions[name]}

    def followed(self, nest: Nest, block: Block, position: int) -> Block | None:
        """A block with a trail in the place of the loops at a position; None where there may be several."""
        table = nest.table
        found = self.seed(nest, block[:position])
        if found is None:
            return None
        (made, seeded), rest = found, block[position + 1 :]
        kept = table.name in names_read(rest, table)
        trail = _Trail(nest, self.fresh, self.start(block[seeded]), kept)
        written = trail.written(block[seeded].value)  # type: ignore[union-attr]
        if written is None:
            return None
        before = (*block[: made + kept], *block[made + 1 : seeded], *block[seeded + 1 : position])
        return (*before, *written, *(rest if kept else walk.without(rest, lambda s: _stores(s, table))))

    def inside(self, stmt: Stmt, behind: Names) -> Stmt:
        if isinstance(stmt, (For, While)):
            behind = at_the_end(stmt, behind)
        return walk.map_stmt(lambda e: e, stmt, lambda inner: self.block(inner, behind))

    def seed(self, nest: Nest, before: Block) -> tuple[int, int] | None:
        """Where the zeros are made, and where their only element gets its value, before the nest."""
        name = nest.table.name
        alone = name not in self.classes.leader and name not in self.classes.leader.values()
        found = [k for k, s in enumerate(before) if name in walk.mentioned((s,))]
        if not alone or len(found) != 2 or sum(name in walk.targets(s) for s in walk.statements(self.fn.body)) != 1:
            return None
        made, seeded = found
        match before[made], before[seeded]:
            case Let(_, Call(fn)), Accum(Call(operator.getitem, (Var(), _), (), Scalar()), value) if member(fn, ZEROS):
                fixed = not walk.names(value) & walk.assigned(before[seeded + 1 :])
                return (made, seeded) if name not in walk.names(value) and fixed else None
        return None

    def start(self, seed: Stmt) -> list[Expr]:
        """The subscripts of the element, none of them counted from the end."""
        assert isinstance(seed, Accum) and isinstance(seed.target, Call)
        base, index = seed.target.args
        assert isinstance(base, Var)
        items = items_of(index)
        return [self.length(base.name, k, item) for k, item in enumerate(items)]

    def length(self, name: str, axis: int, item: Expr) -> Expr:
        if not (isinstance(item, Const) and item.value < 0):
            return item
        made = [s.value for s in walk.statements(self.fn.body) if isinstance(s, Let) and s.target == name]
        assert made and isinstance(made[0], Call)
        like = made[0].args[0]
        if len(made) == 1 and isinstance(like, Var) and isinstance(like.type, Array):
            known = self.is_made(like.name)
            return self.length(like.name, axis, item) if known else _from_end(axis_length(like, axis), item)
        if len(made) == 1 and isinstance(like, Tuple):
            return _from_end(like.items[axis], item)
        return _from_end(axis_length(Var(name, made[0].type), axis), item)

    def is_made(self, name: str) -> bool:
        """Whether an array is made in one place, by a function that is told its shape or another array's."""
        made = [s for s in walk.statements(self.fn.body) if name in walk.targets(s)]
        return len(made) == 1 and isinstance(made[0], Let) and isinstance(made[0].value, Call) and member(
            made[0].value.fn, SHAPED)


def _from_end(length: Expr, item: Const) -> Expr:
    return simplified(Call(operator.sub, (length, Const(-item.value, INT)), (), INT))


def _stores(stmt: Stmt, table: Var) -> bool:
    return isinstance(stmt, Store) and stmt.base == table


@dataclass
class _Trail:
    """The loop along the entries of a nest that have a cotangent, from the entry `start` on."""

    nest: Nest
    fresh: Callable[[str], str]
    start: list[Expr]
    kept: bool  # whether the table is read behind it
    steps: list[list[int]] = field(default_factory=list)  # how far it goes to the next entry
    values: list[Expr] = field(default_factory=list)  # the cotangents that it gets
    following: dict[str, Var] = field(default_factory=dict)  # names for what the next entry has

    def __post_init__(self) -> None:
        *indices, taken = self.names
        self.following = {name: Var(self.fresh(name), INT) for name in indices}
        self.following[taken] = Var(self.fresh(taken), FLOAT)

    def written(self, seed: Expr) -> list[Stmt] | None:
        nest, loops = self.nest, self.nest.loops
        tests = {s.target: s.value for s in walk.statements(nest.body) if isinstance(s, Let) and _stands(s.value)}
        onward = _onward(nest.body, nest.table.name)
        picks = lambda stmt: bool(walk.assigned((stmt,)) & onward) or self.hands_on(stmt)
        body = Cases(tests, picks, self.moved, self.fresh).written(nest.body, {})
        if body is None or not self.steps:
            return None
        first = [simplified(Call(operator.sub, (k, Const(own, INT)), (), INT)) for k, own in zip(self.start, nest.own)]
        origin = replace(loops[-1].origin, adjoint=False)
        test = [t for k, loop in enumerate(loops) for t in self.bounds(k, loop, first[k])]
        whole = test[0] if len(test) == 1 else Call(and_, tuple(test), (), BOOL)
        on = Move(tuple(self.names), tuple(self.following.values()), origin)
        opening: list[Stmt] = [Move(tuple(self.names), (*first, seed), origin)]
        if all(isinstance(value, Var) and value == nest.taken for value in self.values):  # it stays the same
            *_, last = self.following.values()
            body = [_shorter(s, last.name) for s in body]
            on = Move(on.targets[:-1], on.values[:-1], origin)
            opening = [Let(nest.taken.name, seed, origin), Move(on.targets, tuple(first), origin)]
        return [*opening, While(whole, (*_used(tuple(body)), on), origin), *(self.end() if self.kept else ())]

    @property
    def names(self) -> list[str]:
        """What goes from entry to entry."""
        return [*(loop.index for loop in self.nest.loops), self.nest.taken.name]

    def hands_on(self, stmt: Stmt) -> bool:
        return any(isinstance(s, Accum) and added_to(s) == self.nest.table.name for s in walk.statements((stmt,)))

    def end(self) -> list[Stmt]:
        """What is left in the entry where the trail leaves the loops."""
        nest = self.nest
        items = [simplified(Call(operator.add, (Var(loop.index, INT), Const(own, INT)), (), INT))
                 for loop, own in zip(nest.loops, nest.own)]  # fmt: skip
        place = Call(operator.getitem, (nest.table, index_of(items)), (), Scalar(nest.table.type.dtype))  # type: ignore
        return [Accum(place, nest.taken, replace(nest.origin, adjoint=False))]

    def moved(self, stmts: list[Stmt]) -> list[Stmt] | None:
        """The statements of one case, with a step to the next entry in the place of what they add to it."""
        handing = [s for s in stmts if self.hands_on(s)]
        kept = [s for s in stmts if not self.hands_on(s)]
        nest = self.nest
        if not handing:
            outer = nest.loops[0]
            nothing = {nest.taken.name: Const(0.0, FLOAT)} if self.kept else {}
            return [*kept, self.onward({outer.index: outer.stop, **nothing}, nest.origin)]
        [first, *others] = handing
        if others or not isinstance(first, Accum) or not isinstance(first.target, Call):
            return None
        places = constants(first.target.args[1], nest.loops)
        step = [new - own for new, own in zip(places or nest.own, nest.own)]
        ahead = next((by * (1 if _is_upwards(loop) else -1) for by, loop in zip(step, nest.loops) if by), 0)
        if ahead <= 0:
            return None
        self.steps.append(step)
        entry = {loop.index: _moved(loop.index, by) for loop, by in zip(nest.loops, step)}
        return [*kept, self.onward({**entry, nest.taken.name: first.value}, first.origin)]

    def onward(self, places: dict[str, Expr], origin: Origin) -> Move:
        """What says where the trail goes on."""
        values = [places.get(name, Var(name, INT)) for name in self.names]
        self.values.append(values[-1])
        return Move(tuple(following.name for following in self.following.values()), tuple(values), origin)

    def bounds(self, axis: int, loop: For, first: Expr) -> list[Expr]:
        """The tests that an entry is one of those that the loops go through."""
        index, up = Var(loop.index, INT), _is_upwards(loop)
        tests: list[Expr] = [Call(operator.lt if up else operator.gt, (index, loop.stop), (), BOOL)]
        if loop.stop == Const(-1, INT):
            tests = [Call(operator.ge, (index, Const(0, INT)), (), BOOL)]
        if first != loop.start or any((step[axis] > 0) != up for step in self.steps if step[axis]):
            tests.append(Call(operator.ge if up else operator.le, (index, loop.start), (), BOOL))
        return tests


def _is_upwards(loop: For) -> bool:
    return loop.step == Const(1, INT)


def _onward(body: Block, table: str) -> set[str]:
    """The names from which comes what is added to a table."""
    found: set[str] = set()
    for _ in range(2):
        for stmt in reversed(tuple(walk.statements(body))):
            if isinstance(stmt, Accum) and added_to(stmt) == table:
                found |= walk.names(stmt.value)
            for name, value in walk.bindings(stmt):
                found |= walk.names(value) if name in found else set()
    return {name for name in found if name.endswith("~bar")}


def _shorter(stmt: Stmt, name: str) -> Stmt:
    """A statement whose moves, and those of branches inside, leave out a name that they give a value last."""
    match stmt:
        case Move(targets, values) if targets[-1] == name:
            return replace(stmt, targets=targets[:-1], values=values[:-1])
    return walk.map_stmt(lambda e: e, stmt, lambda block: tuple(_shorter(s, name) for s in block))


def _stands(value: Expr) -> bool:
    """Whether a value may stand in a test for its name: a test, or an element of an array."""
    match value:
        case Call(operator.getitem, (Var(_, Array()), _), (), Scalar()):
            return True
    return isinstance(kind := getattr(value, "type", None), Scalar) and kind.dtype == "bool"


def _moved(index: str, by: int) -> Expr:
    """A subscript so many places on."""
    fn = operator.add if by > 0 else operator.sub
    return Call(fn, (Var(index, INT), Const(abs(by), INT)), (), INT) if by else Var(index, INT)


def _used(body: Block) -> Block:
    """A body without names that nobody reads."""
    read = names_read(body)
    shorter = walk.without(body, lambda s: isinstance(s, Let) and s.target not in read)
    return body if shorter == body else _used(shorter)
