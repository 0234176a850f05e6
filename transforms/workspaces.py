"""workspaces: arrays that every iteration makes anew are made once, before the loop.

``q = np.empty(d)`` in a loop is an allocation an iteration. Where nothing of `q` outlives the iteration, and its shape
is the same in all of them, one piece of memory serves all iterations. Zeros are written anew: ``q_bar[:] = 0.0``.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.classes import Classes
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import UNFILLED
from srcad.lang.arrays import axis_length, rank_of, tuple_of_ints
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, For, Function, Let, Move, Return, Slice, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.recursive import Instance
from srcad.lang.shapes import symbol
from srcad.lang.types import Array, Dim, Scalar, TupleType
from srcad.runtime import recorded
from srcad.transforms.side_by_side import is_pure

MADE = (np.empty, np.empty_like, *UNFILLED)


def workspaces(fn: Function) -> Function:
    """Make arrays before the loops that need them for an iteration.

    >>> from srcad.lang.ir import Accum, Param
    >>> from srcad.lang.types import FLOAT, INT
    >>> x = Var("x", Array("float64", ("x.shape[0]",), "C"))
    >>> q = Var("q", x.type)
    >>> body = (Let("q", Call(np.zeros_like, (x,), (), x.type)), Accum(q, x), Let("s", Call(np.sum, (q,), (), FLOAT)))
    >>> loop = For("i", Const(0, INT), Const(9, INT), Const(1, INT), body)
    >>> from srcad.lang.write import write
    >>> fn = workspaces(Function("f", (Param("x", x.type),), (loop, Return(x))))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        q = np.empty_like(x)
        for i in range(9):
            q[:] = 0.0
            q += x
            s = np.sum(q)
        return x
    """
    if not any(_made(s) is not None for s in walk.statements(fn.body)):
        return fn
    hoister = _Hoister(fn, Classes.of(fn.body), Lengths.of(fn), _kept(fn.body))
    hoister.total = hoister.mentions(fn.body)
    return replace(fn, body=_without_unread(fn.body, hoister.block(fn.body)))


def _without_unread(before: Block, after: Block) -> Block:
    """Without what was read for its shape alone, which is known from elsewhere now."""
    while unread := walk.read_in(before) - walk.read_in(after):
        before, after = after, walk.without(after, lambda s: isinstance(s, Let) and s.target in unread and is_pure(s))
        if before == after:
            break
    return after


@dataclass
class _Hoister:
    fn: Function
    classes: Classes
    lengths: Lengths
    kept: set[str]  # names of arrays that may outlive an iteration

    def __post_init__(self) -> None:
        self.total: Counter[str] = Counter()
        self.kept = {self.classes.find(name) for name in self.kept}
        types = [(p.name, p.type) for p in self.fn.params if p.name in self.lengths.single]
        self.lengths_of_params: dict[Dim, Expr] = {
            symbol(name, axis): axis_length(Var(name, kind), axis)
            for name, kind in types if isinstance(kind, Array) for axis in range(kind.ndim)
        }  # fmt: skip

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        made: dict[Expr, str] = {}  # what an earlier loop of the block had, and no longer needs
        for stmt in block:
            stmt = walk.map_stmt(lambda e: e, stmt, self.block)
            if isinstance(stmt, (For, While)):
                before, stmt = self.before(stmt)
                again: dict[str, str] = {}
                new: dict[Expr, str] = {}
                for let in before:
                    value = walk.rename_expr(let.value, again)
                    if value in made:
                        again[let.target] = made.pop(value)
                        self.share(let.target, again[let.target])
                    else:
                        new[value] = let.target
                        result.append(replace(let, value=value))
                [stmt] = walk.rename((stmt,), again)
                made |= new | {let.value: again[let.target] for let in before if let.target in again}
            result.append(stmt)
        return tuple(result)

    def share(self, one: str, other: str) -> None:
        """Note that an array of one loop is in the memory of another one's, and needs none of its own."""
        count = self.total[self.classes.find(one)] + self.total[self.classes.find(other)]
        self.classes.union(one, other)
        self.total[self.classes.find(one)] = count - 1

    def before(self, loop: For | While) -> tuple[list[Let], Stmt]:
        """What is made before a loop, and what is left of the loop."""
        before: list[Let] = []
        body: list[Stmt] = []
        inside = self.mentions(loop.body)
        changed = walk.assigned(loop.body) | ({loop.index} if isinstance(loop, For) else set())
        for position, stmt in enumerate(loop.body):
            value = self.movable(stmt, inside, changed)
            if value is None:
                body.append(stmt)
                continue
            assert isinstance(stmt, Let) and isinstance(value.type, Array)
            before.append(replace(stmt, value=replace(value, fn=UNFILLED.get(value.fn, value.fn))))
            changed.discard(stmt.target)
            if value.fn in UNFILLED:
                whole = Slice() if value.type.ndim == 1 else Const(...)
                following = loop.body[position + 1].origin
                body.append(Store(Var(stmt.target, value.type), whole, _zero(value.type), following))
        return before, replace(loop, body=tuple(body))

    def movable(self, stmt: Stmt, inside: Counter[str], changed: set[str]) -> Call | None:
        """What a statement allocates, as it may be written before the loop; None if it has to stay."""
        made = _made(stmt)
        if made is None or not isinstance(stmt, Let) or not self.is_local(stmt.target, inside):
            return None
        return self.invariant(made, changed)

    def is_local(self, name: str, inside: Counter[str]) -> bool:
        """Whether the memory of an array is used in these statements only, by names that they bind."""
        leader = self.classes.find(name)
        return name in self.lengths.single and leader not in self.kept and inside[leader] == self.total[leader]

    def mentions(self, block: Block) -> Counter[str]:
        """How often the names of each class of arrays are read or written."""
        return Counter(self.classes.find(name) for stmt in walk.statements(block) for name in _names(stmt))

    # ------------------------------------------------------------ shapes

    def invariant(self, made: Call, changed: set[str]) -> Call | None:
        """The same allocation in terms of what a loop does not change; None if its size may be another, or negative."""
        first, *others = made.args
        if any(walk.names(arg) for arg in others):
            return None
        if made.fn in (np.zeros_like, np.empty_like):
            if not walk.names(first) & changed:
                return made
            if not isinstance(first, Var) or _dtype(made) != "float64" or others or made.kwargs:
                return None
            if rank_of(first) > 1 and first.type.layout != "C":  # type: ignore[attr-defined]
                return None  # it lies in memory as the array does
            made = replace(made, fn={np.zeros_like: np.zeros, np.empty_like: np.empty}[made.fn])
            first = Tuple(tuple(axis_length(first, axis) for axis in range(rank_of(first))))
            first = first.items[0] if len(first.items) == 1 else first
        sizes = [self.size(e, changed) for e in (first.items if isinstance(first, Tuple) else (first,))]
        known = tuple(size for size in sizes if size is not None)
        if len(known) < len(sizes):
            return None
        whole = tuple_of_ints(known) if isinstance(first, Tuple) else known[0]
        return replace(made, args=(whole, *others))

    def size(self, expr: Expr, changed: set[str]) -> Expr | None:
        """A number that is surely not negative, in terms of what does not change."""
        match expr:
            case Const(int() as value):
                return expr if value >= 0 else None
            case Var(name):
                known = self.lengths.lets.get(name)
                return expr if name not in changed and known is not None and self.size(known, set()) else None
            case Call(operator.getitem, (Attr(Var(name, Array(shape=shape)), "shape"), Const(int() as axis))):
                if name not in changed:
                    return expr
                return self.lengths_of_params.get(shape[axis])
            case Call(operator.add, (one, other)):
                a, b = self.size(one, changed), self.size(other, changed)
                return None if a is None or b is None else replace(expr, args=(a, b))
            case Call(fn, (Const(int() as least), count) | (count, Const(int() as least))) if fn is max:
                return expr if least >= 0 and not walk.names(count) & changed else None
        return None


def _dtype(value: Call) -> str:
    return value.type.dtype if isinstance(value.type, Array) else ""


def _zero(kind: Array) -> Const:
    return Const(0.0, Scalar(kind.dtype)) if kind.dtype.startswith("float") else Const(0, Scalar(kind.dtype))


def _made(stmt: Stmt) -> Call | None:
    """The allocation that a statement is."""
    value = stmt.value if isinstance(stmt, Let) else None
    if isinstance(value, Call) and isinstance(value.type, Array) and any(value.fn is fn for fn in MADE):
        return value
    return None


def _kept(block: Block) -> set[str]:
    """The arrays that are returned, carried, or given to what may keep them."""
    found: set[str] = set()
    for stmt in walk.statements(block):
        match stmt:
            case Return(value):
                found |= walk.names(value)
            case Move(targets, values):
                found.update(targets, *map(walk.names, values))
            case Let(target, (Tuple() | Call(type=TupleType())) as value):
                found |= {target, *walk.names(value)}
        for call in _calls(stmt):
            if call.fn is recorded or isinstance(call.fn, Instance):
                found |= walk.names(call)
    return found


def _calls(stmt: Stmt) -> Iterator[Call]:
    for whole in walk.stmt_exprs(stmt):
        yield from (e for e in walk.subexprs(whole) if isinstance(e, Call))


def _names(stmt: Stmt) -> Iterator[str]:
    yield from walk.targets(stmt)
    for whole in walk.stmt_exprs(stmt):
        yield from (e.name for e in walk.subexprs(whole) if isinstance(e, Var))
