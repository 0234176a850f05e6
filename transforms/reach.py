"""What loops around sums go through, and which sums can do no harm before them; part of `per_item`."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace

from srcad.analysis.bounds import Bounds
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import WHOLE
from srcad.lang import walk
from srcad.lang.arrays import axis_length, items_of
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, If, Var
from srcad.lang.types import INT, Array

Path = tuple[For, ...]
Branch = tuple[int, ...]  # of a block: where a branch stands, which side of it, and so on


@dataclass(frozen=True)
class Reach:
    """How far loops go, as far as lengths of arrays tell it."""

    lengths: Lengths
    bounds: Bounds

    def length(self, loop: For, block: Block) -> Expr | None:
        """How many elements an array has that has one for each iteration of a loop: no negative number."""
        match stop := self.lengths.resolved(loop.stop):
            case Const(value=int() as count) if count >= 0:
                return stop
            case Call(operator.getitem, (Attr(Var(), "shape"), Const())):
                return loop.stop
        own = walk.assigned(block)
        read = [whole for stmt in walk.statements(block) for whole in walk.stmt_exprs(stmt)]
        for expr in [e for whole in read for e in walk.subexprs(whole)]:
            match expr:
                case Call(operator.getitem, (Var(name, Array()) as array, index)) if name not in own:
                    for axis, item in enumerate(items_of(index)):
                        if isinstance(item, Var) and item.name == loop.index:
                            return axis_length(array, axis)
        return None

    def is_safe(self, block: Block, path: Path) -> bool:
        """Whether statements inside loops read nothing but elements that there are, whatever the arguments are."""
        bounds = self.bounds
        for loop in path:
            bounds = bounds.inside(loop)
        return _is_safe(block, bounds)


def _is_safe(block: Block, bounds: Bounds) -> bool:
    for stmt in block:
        if not all(_is_inside(e, bounds) for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
            return False
        for side, part in enumerate(walk.blocks(stmt)):
            if not _is_safe(part, bounds.inside(stmt, side == 0)):
                return False
    return True


def counts(loop: For) -> bool:
    """Whether a loop counts one by one, to its end."""
    return loop.flag is None and walk.is_const(loop.step, 1)


def branches(block: Block) -> Iterator[Branch]:
    """Where the statements of an iteration stand: in its body, and in branches of that."""
    yield ()
    for place, stmt in enumerate(block):
        if isinstance(stmt, If):
            for side, part in enumerate(walk.blocks(stmt)):
                yield from ((place, side, *rest) for rest in branches(part))


def at(block: Block, branch: Branch) -> Block:
    """The statements of a branch."""
    return at(walk.blocks(block[branch[0]])[branch[1]], branch[2:]) if branch else block


def put(block: Block, branch: Branch, new: Block) -> Block:
    """A block with other statements in a branch."""
    if not branch:
        return new
    place, side, *rest = branch
    stmt = block[place]
    assert isinstance(stmt, If)
    inner = put(walk.blocks(stmt)[side], tuple(rest), new)
    changed = replace(stmt, orelse=inner) if side else replace(stmt, then=inner)
    return (*block[:place], changed, *block[place + 1 :])


def all_of(inner: For, loop: For, varying: Set[str]) -> For | None:
    """A loop through all that an inner loop goes through in some iteration of an outer one."""
    start, stop = inner.start, inner.stop
    if walk.names(start) & varying:
        offset = _beyond(start, loop.index)
        if offset is None:
            return None
        start = _plus(loop.start, offset)
    if walk.names(stop) & varying:
        offset = _beyond(stop, loop.index)
        if offset is None:
            return None
        stop = _plus(loop.stop, offset - 1)
    return replace(inner, start=start, stop=stop)


def _beyond(expr: Expr, counter: str) -> int | None:
    """How far a number is from a counter."""
    match expr:
        case Var(name) if name == counter:
            return 0
        case Call(operator.add, (Var(name), Const(value=int() as offset))) if name == counter:
            return offset
        case Call(operator.sub, (Var(name), Const(value=int() as offset))) if name == counter:
            return -offset
    return None


def _plus(expr: Expr, offset: int) -> Expr:
    if isinstance(expr, Const) and isinstance(expr.value, int):
        return Const(expr.value + offset, INT)
    fn, size = (operator.add, offset) if offset > 0 else (operator.sub, -offset)
    return Call(fn, (expr, Const(size, INT)), (), INT) if size else expr


def _is_inside(expr: Expr, bounds: Bounds) -> bool:
    """Whether an expression, without those in it, cannot read behind an array's end or meet lengths that differ."""
    match expr:
        case Call(operator.getitem, (base, index)) if isinstance(kind := getattr(base, "type", None), Array):
            items = items_of(index)
            return len(items) <= kind.ndim and all(
                item == WHOLE or bounds.natural(item) and bounds.ordered(_plus(item, 1), axis_length(base, axis))
                for axis, item in enumerate(items))  # fmt: skip
        case Call(_, args):
            shapes = {kind.shape for arg in args if isinstance(kind := getattr(arg, "type", None), Array)}
            return len(shapes) <= 1
    return True
