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
                    if chain.block(stmt.body[:-1]) and isinstance(value, Var) and value.name in chain.members:
                        if not chain.escapes(stmt.body[-1], target):
                            result.update(dict.fromkeys(chain.members, target))
        for inner in walk.blocks(stmt):
            _search(inner, active, result)


class _Chain:
    """Follows the values that are a carried value plus something."""

    def __init__(self, start: str, type: Type | None, active) -> None:
        self.start, self.members, self.type, self.active = start, {start}, type, active
        self.pending: set[str] = set()

    def block(self, block: Block) -> bool:
        return all(self.statement(stmt, block[i - 1] if i else None) for i, stmt in enumerate(block))

    def escapes(self, move: Move, target: str) -> bool:
        """Whether another carried name takes a partial sum at the end of the iteration."""
        return any(t != target and self.touches(v) for t, v in zip(move.targets, move.values))

    def touches(self, expr: Expr) -> bool:
        return not self.members.isdisjoint(walk.names(expr))

    def statement(self, stmt, previous) -> bool:
        match stmt:
            case Let(target, value):
                return self.let(target, value)
            case If(_, then, orelse):
                return self.block(_inner(then)) and self.block(_inner(orelse)) and self.join(then, orelse)
            case For(body=body) | While(body=body):
                return self.loop(body)
            case Move(targets, values):  # the entry of an inner loop
                for target, value in zip(targets, values):
                    if self.touches(value):
                        if not isinstance(value, Var) or not self.same_shape(value.type):
                            return False
                        self.members.add(target)
                        self.pending.add(target)
                return True
        return not any(self.touches(e) for e in walk.stmt_exprs(stmt))

    def let(self, target: str, value: Expr) -> bool:
        if not self.touches(value):
            return True
        if target not in self.active:
            return True
        match value:
            case Call(operator.add, (a, b), type=type) if self.touches(a) != self.touches(b):
                linear = isinstance(a if self.touches(a) else b, Var)
            case Call(operator.sub, (a, b), type=type):
                linear = self.touches(a) and isinstance(a, Var) and not self.touches(b)
            case _:
                return False
        if not linear or not self.same_shape(type):
            return False
        self.members.add(target)
        return True

    def same_shape(self, type: Type) -> bool:
        if not isinstance(self.type, Array):
            return not isinstance(type, Array)
        return isinstance(type, Array) and type.shape == self.type.shape and type.dtype == self.type.dtype

    def join(self, then: Block, orelse: Block) -> bool:
        sides = [dict(walk.moves_of(then)), dict(walk.moves_of(orelse))]
        for target in {t for side in sides for t in side}:
            inside = [t in self.members for t in (_name(side.get(target)) for side in sides)]
            if any(inside):
                if not all(inside):
                    return False
                self.members.add(target)
        return True

    def loop(self, body: Block) -> bool:
        if not self.block(_inner(body)):
            return False
        for target, value in walk.moves_of(body):
            if (target in self.members) != self.touches(value):
                return False
        return True


def _inner(block: Block) -> Block:
    return block[:-1] if block and isinstance(block[-1], Move) else block


def _name(expr: Expr | None) -> str:
    return expr.name if isinstance(expr, Var) else ""
