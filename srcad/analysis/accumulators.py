"""Sums that a loop carries: ``s += ...``, also under branches and in inner loops.

Every partial sum has the same cotangent as the total, so the reverse sweep needs no cotangent of its own for each.
"""

from __future__ import annotations

import operator

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Function, If, Let, Move, Var, While
from srcad.lang.types import Array, Type


def accumulators(fn: Function, active) -> dict[str, str]:
    """Map each partial sum to the name of the total that the outermost loop carries."""
    result: dict[str, str] = {}
    _search(fn.body, active, result)
    return result


def _search(block: Block, active, result: dict[str, str]) -> None:
    for stmt in block:
        if isinstance(stmt, (For, While)) and stmt.body and isinstance(stmt.body[-1], Move):
            for target, value in zip(stmt.body[-1].targets, stmt.body[-1].values):
                if target in active and target not in result:
                    chain = _Chain(target, getattr(value, "type", None), active)
                    if chain.block(stmt.body[:-1]) and chain.is_last(value):
                        if not chain.escapes(stmt.body[-1], target):
                            result.update(dict.fromkeys(chain.members, target))
        for inner in walk.blocks(stmt):
            _search(inner, active, result)


class _Chain:
    """Follows the values that are a carried value plus something, from the one to the next.

    Of these the last one alone may be taken up: a sum that a branch leaves for an earlier one has no cotangent there.
    """

    def __init__(self, start: str, type: Type | None, active) -> None:
        self.last, self.members, self.type, self.active = start, {start}, type, active

    def block(self, block: Block) -> bool:
        return all(map(self.statement, block))

    def escapes(self, move: Move, target: str) -> bool:
        """Whether another carried name takes a partial sum at the end of the iteration."""
        return any(t != target and self.touches(v) for t, v in zip(move.targets, move.values))

    def touches(self, expr: Expr) -> bool:
        return not self.members.isdisjoint(walk.names(expr))

    def statement(self, stmt) -> bool:
        match stmt:
            case Let(target, value):
                return self.let(target, value)
            case If(_, then, orelse):
                return self.branch(then, orelse)
            case For(body=body) | While(body=body):
                return self.loop(body)
            case Move(targets, values):  # the entry of an inner loop
                return self.taken(dict(zip(targets, values)))
        return not any(self.touches(e) for e in walk.stmt_exprs(stmt))

    def let(self, target: str, value: Expr) -> bool:
        if not self.touches(value):
            return True
        if target not in self.active:
            return True
        match value:
            case Call(operator.add, (a, b), type=type) if self.touches(a) != self.touches(b):
                linear = self.is_last(a if self.touches(a) else b)
            case Call(operator.sub, (a, b), type=type):
                linear = self.is_last(a) and not self.touches(b)
            case _:
                return False
        return linear and self.same_shape(type) and self.follow(target)

    def is_last(self, expr: Expr | None) -> bool:
        return isinstance(expr, Var) and expr.name == self.last

    def follow(self, target: str) -> bool:
        self.members.add(target)
        self.last = target
        return True

    def same_shape(self, type: Type) -> bool:
        if not isinstance(self.type, Array):
            return not isinstance(type, Array)
        return isinstance(type, Array) and type.shape == self.type.shape and type.dtype == self.type.dtype

    def taken(self, moves: dict[str, Expr]) -> bool:
        """Follow a parallel move; False if it takes a partial sum that is not the last, or takes the last one twice."""
        by = [target for target, value in moves.items() if self.touches(value)]
        if not by:
            return True
        value = moves[by[0]]
        return len(by) == 1 and self.is_last(value) and self.same_shape(value.type) and self.follow(by[0])

    def branch(self, then: Block, orelse: Block) -> bool:
        before, ends = self.last, []
        for side in (then, orelse):
            self.last = before
            if not (self.block(_inner(side)) and self.taken(dict(walk.moves_of(side)))):
                return False
            ends.append(self.last)
        return ends[0] == ends[1]

    def loop(self, body: Block) -> bool:
        """Follow an inner loop, which carries the sum under the name with which it is entered, or leaves it alone."""
        before = self.last
        if not self.block(_inner(body)):
            return False
        return self.taken(dict(walk.moves_of(body))) and self.last == before


def _inner(block: Block) -> Block:
    return block[:-1] if block and isinstance(block[-1], Move) else block
