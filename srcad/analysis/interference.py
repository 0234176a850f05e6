"""Which names cannot share one variable: liveness on structured code, with sets of names as bits of integers."""

from __future__ import annotations

from dataclasses import dataclass, field

from srcad.lang.ir import Accum, Block, Expr, For, Function, If, Let, Move, Stmt, Var, While
from srcad.lang.types import UNKNOWN, Array, Type, Unknown
from srcad.lang.walk import stmt_exprs, subexprs


@dataclass
class Interference:
    """Every name has a number; `conflicts[n]` are the numbers of the names needed where it is assigned, as bits.

    Neither two names of which one is needed where the other is assigned can share a variable.
    """

    number: dict[str, int] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    conflicts: list[int] = field(default_factory=list)

    def bit(self, name: str) -> int:
        if name not in self.number:
            self.number[name] = len(self.conflicts)
            self.conflicts.append(0)
        return 1 << self.number[name]

    def define(self, name: str, live: int, copy: Expr | None = None) -> None:
        """`name` is assigned where the names `live` are needed; a copy may share with its original."""
        live &= ~self.bit(name)
        if isinstance(copy, Var):
            live &= ~self.bit(copy.name)
        self.conflicts[self.number[name]] |= live


def interference(fn: Function) -> Interference:
    """The names of a function and their conflicts.

    >>> from srcad.lang.ir import Param, Return, Tuple
    >>> body = (Let("b", Var("a")), Let("c", Var("a")), Accum(Var("c"), Var("b")), Return(Tuple((Var("a"), Var("c")))))
    >>> found = interference(Function("f", (Param("a"),), body))
    >>> [(name, bin(found.conflicts[n])) for name, n in found.number.items()]
    [('a', '0b0'), ('c', '0b101'), ('b', '0b0')]
    """
    state = _Walk(Interference())
    for param in fn.params:
        state.found.types[param.name] = param.type
    live = state.block(fn.body, 0)
    for param in fn.params:
        live |= state.found.bit(param.name)
    for param in fn.params:
        state.found.define(param.name, live)
    return state.found


class _Walk:
    """Backwards over the statements, from what is live after to what is live before."""

    def __init__(self, found: Interference, needs: dict[int, int] | None = None, record: bool = True):
        self.found, self.record = found, record
        self.needs = {} if needs is None else needs

    def uses(self, *exprs: Expr) -> int:
        bits = 0
        for expr in exprs:
            for e in subexprs(expr):
                if isinstance(e, Var):
                    bits |= self.found.bit(e.name)
                    self.type(e.name, e.type)
        return bits

    def type(self, name: str, type: Type) -> None:
        if isinstance(self.found.types.get(name, UNKNOWN), Unknown):
            self.found.types[name] = type

    def needed(self, block: Block, end: int = 0) -> int:
        """The names that a block, behind which `end` are read, reads before it assigns them."""
        if id(block) not in self.needs:
            self.needs[id(block)] = _Walk(self.found, self.needs, record=False).block(block, end)
        return self.needs[id(block)]

    def define(self, name: str, live: int, copy: Expr | None = None) -> None:
        if self.record:
            self.found.define(name, live, copy)

    def block(self, block: Block, live: int) -> int:
        for stmt in reversed(block):
            live = self.stmt(stmt, live)
        return live

    def stmt(self, stmt: Stmt, live: int) -> int:
        match stmt:
            case Let(target, value):
                return self.assign((target,), (value,), live)
            case Move(targets, values):
                return self.assign(targets, values, live)
            case Accum(Var(name), value):
                uses = self.uses(value, stmt.target)
                if not isinstance(self.found.types.get(name), Array):
                    self.define(name, live)
                return live | uses
            case If(test, then, orelse):
                return self.uses(test) | self.block(then, live) | self.block(orelse, live)
            case While(test, body):
                head = live | self.uses(test) | self.needed(body)
                if self.record:
                    self.block(body, head)
                return head
            case For():
                return self.loop(stmt, live)
        return live | self.uses(*stmt_exprs(stmt))

    def assign(self, targets: tuple[str, ...], values: tuple[Expr, ...], live: int) -> int:
        uses = self.uses(*values)
        bits = 0
        for target, value in zip(targets, values):
            bits |= self.found.bit(target)
            self.type(target, getattr(value, "type", UNKNOWN))
        for target, value in zip(targets, values):
            self.define(target, live, value)
            self.define(target, bits)
        return live & ~bits | uses

    def loop(self, loop: For, live: int) -> int:
        index = self.found.bit(loop.index)
        self.type(loop.index, getattr(loop.start, "type", UNKNOWN))
        flag = 0 if loop.flag is None else self.found.bit(loop.flag)
        head = live | self.needed(loop.body, flag) & ~index
        if self.record:
            # Nobody expects the index of a loop to change in it, read behind that or not.
            entry = self.block(loop.body, head | flag | index)
            self.define(loop.index, entry)
        return head | self.uses(loop.start, loop.stop, loop.step)
