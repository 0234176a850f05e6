"""steady: what iterations of a loop around a loop over a block compute alike is computed before them; part of `blocks`.

``for k: for t: z[k, t] += w[k] * (x[t] - m)`` takes the same difference for each `k`. A number would be moved out of
the loop by any compiler, the numbers of a block stay where they are. They get an array of their own, filled once before
the loop, ``if n > 0`` where the loop may have no iteration: then nobody knows whether there is an ``x[t]``.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.affine import linear
from srcad.analysis.buffers import stored_name
from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Block, Call, Const, Expr, For, If, Stmt, Store, Tuple, Var, and_, or_, select
from srcad.lang.types import BOOL, INT, Scalar
from srcad.transforms.describe import describe
from srcad.transforms.hoist import runs
from srcad.transforms.simplify import plus
from srcad.transforms.work import FUNCTIONS

ARITHMETIC = {operator.add, operator.sub, operator.mul, operator.truediv}
LAZY = (select, and_, or_)  # that may leave out operands
WRITTEN_OUT = 2  # iterations, known to be so few, do not repeat themselves

Made = Callable[[str, Scalar], Var]  # an array over the block, by a name for it and the type of its elements


def steady(block: Block, t: Var, classes: Classes, made: Made) -> Block:
    """A block in which loops around loops over `t` have computed before them what none of their iterations changes.

    >>> from srcad.lang.ir import Accum, Function
    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> from srcad.lang.write import write
    >>> def at(a, *k): return Call(operator.getitem, (a, Tuple(k) if len(k) > 1 else k[0]), (), FLOAT)
    >>> k, t, n = Var("k", INT), Var("t", INT), Var("n", INT)
    >>> vector = lambda name: Var(name, Array("float64", ("m",), "C"))
    >>> z, x, w = Var("z", Array("float64", ("n", "m"), "C")), vector("x"), vector("w")
    >>> taken = Call(operator.sub, (at(x, t), Var("m", FLOAT)), (), FLOAT)
    >>> added = Accum(at(z, k, t), Call(operator.mul, (at(w, k), taken), (), FLOAT))
    >>> over = For("t", Const(0, INT), Var("size", INT), Const(1, INT), (added,))
    >>> loop = For("k", Const(0, INT), n, Const(1, INT), (over,))
    >>> body = steady((loop,), t, Classes.of(()), lambda name, kind: vector(name))
    >>> print(write(Function("f", (), body)).text, end="")
    def f():
        if n > 0:
            for t in range(size):
                difference[t] = x[t] - m
        for k in range(n):
            for t in range(size):
                z[k, t] += w[k] * difference[t]
    """
    return _Steady(t, classes, made).block(block)


@dataclass
class _Steady:
    t: Var
    classes: Classes
    made: Made
    filled: list[Stmt] = field(default_factory=list)  # loops of this pass

    def block(self, block: Block) -> Block:
        block = tuple(walk.map_stmt(lambda e: e, stmt, self.block) for stmt in block)
        known: dict[Expr, Expr] = {}
        result: list[Stmt] = []
        for position, stmt in enumerate(block):
            if isinstance(stmt, For):
                for over in self.overs(stmt):
                    for expr in self.wanted(over, stmt):
                        if expr not in known:
                            known[expr] = self.compute(expr, over, block[position:], result)
                stmt = replace(stmt, body=tuple(self.told(s, known) for s in stmt.body))
            result.append(stmt)
            known = {expr: name for expr, name in known.items() if not self.changes(stmt, expr)}
        return tuple(result)

    def compute(self, expr: Expr, over: For, block: Block, result: list[Stmt]) -> Expr:
        """An element of a new array with the value of an expression, for the loops at the beginning of a block."""
        assert isinstance(expr, Call) and isinstance(expr.type, Scalar)
        array = self.made(describe(expr, lambda _: ""), expr.type)
        filling = replace(over, body=(Store(array, self.t, expr, over.origin),))
        self.filled.append(filling)
        test = self.asked_for(expr, block)
        result.append(filling if test is None else If(test, (filling,), (), over.origin))
        return Call(operator.getitem, (array, self.t), (), expr.type)

    def asked_for(self, expr: Expr, block: Block) -> Expr | None:
        """Whether loops of a block ask for an expression; None where one is sure to."""
        asking: list[For] = []
        ahead: For | None = None  # that asks, too
        for stmt in block:
            asks = isinstance(stmt, For) and any(expr in self.wanted(over, stmt) for over in self.overs(stmt))
            if isinstance(stmt, For) and asks:
                whole = _whole(stmt)
                rest = ahead is not None and ahead.step != stmt.step and _whole(ahead).stop == stmt.stop
                if not rest and not any(_is_part(whole, other) for other in asking):
                    asking.append(whole)
            ahead = stmt if isinstance(stmt, For) and asks else None
            if self.changes(stmt, expr):
                break
        tests = [test for loop in asking if (test := runs(loop)) is not None]
        if len(tests) < len(asking):
            return None
        return tests[0] if len(tests) == 1 else Call(or_, tuple(tests), (), BOOL)

    def overs(self, loop: For) -> Iterator[For]:
        """The loops over the block that each iteration of a loop goes through."""
        match loop:
            case For(start=Const(int() as start), stop=Const(int() as stop)) if abs(stop - start) <= WRITTEN_OUT:
                return
        if loop.index != self.t.name and loop.flag is None and isinstance(loop.step, Const):
            inside = (s for s in loop.body if isinstance(s, For) and s.index == self.t.name)
            yield from (over for over in inside if not any(over is each for each in self.filled))

    def wanted(self, over: For, loop: For) -> list[Expr]:
        """The largest expressions of a loop over the block that cost something, and that no iteration changes."""
        found: dict[Expr, None] = {}
        for stmt in over.body:
            waiting = [] if walk.blocks(stmt) else list(walk.stmt_exprs(stmt))
            while waiting:
                expr = waiting.pop()
                if not isinstance(expr, Call):
                    waiting += expr.items if isinstance(expr, Tuple) else ()
                elif self.is_dear(expr) and self.is_plain(expr) and not self.changes(loop, expr):
                    found[expr] = None
                elif member(expr.fn, LAZY):
                    waiting += expr.args[:1]
                else:
                    waiting += expr.args
        return list(found)

    def is_dear(self, expr: Call) -> bool:
        """Whether a number of the block costs something: what is a factor alone goes with other factors for nothing."""
        if not isinstance(expr.type, Scalar) or expr.type.dtype not in ("float32", "float64"):
            return False
        if expr.fn is operator.mul:
            return all(self.varies(arg) for arg in expr.args)
        return self.varies(expr) and (expr.fn in (operator.add, operator.sub, operator.truediv)
                                      or member(expr.fn, FUNCTIONS))  # fmt: skip

    def varies(self, expr: Expr) -> bool:
        return self.t.name in walk.names(expr)

    def is_plain(self, expr: Expr) -> bool:
        """Whether an expression is arithmetic of numbers and elements."""
        match expr:
            case Var(type=Scalar()) | Const():
                return True
            case Call(operator.getitem, (Var(), index), (), Scalar()):
                return all(map(self.is_plain, items_of(index)))
            case Call(fn, args, (), Scalar()):
                known = member(fn, ARITHMETIC) or member(fn, FUNCTIONS) or fn is operator.neg or fn is np.sqrt
                return known and all(map(self.is_plain, args))
        return False

    def changes(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether a statement changes what an expression reads; `t` is everybody's own."""
        inside = walk.assigned((stmt,)) - {self.t.name}
        if inside & walk.names(expr):
            return True
        written = {name for s in walk.statements((stmt,)) if (name := stored_name(s)) is not None}
        read = {e.args[0].name for e in walk.subexprs(expr) if isinstance(e, Call) and e.fn is operator.getitem
                and isinstance(e.args[0], Var)}  # fmt: skip
        return any(self.classes.share(one, other) for one in read for other in written)

    def told(self, stmt: Stmt, known: dict[Expr, Expr]) -> Stmt:
        """A statement of a loop, with what is known in its loops over the block."""
        if not isinstance(stmt, For) or stmt.index != self.t.name or any(stmt is each for each in self.filled):
            return stmt
        return replace(stmt, body=tuple(walk.map_stmt(lambda e: _named(e, known), s, lambda b: b) for s in stmt.body))


def _whole(loop: For) -> For:
    """A loop that makes an iteration if this one does, or the one behind it that has what is left of several at a time.

    Of ``min(a + 4, d)``, the end of those that begin at ``a + 1``, `d` alone tells.
    """
    stop, begins = loop.stop, linear(loop.start)
    if isinstance(loop.step, Const) and loop.step.value > 1:
        return replace(loop, stop=plus(stop, loop.step.value - 1), step=Const(1, INT))
    if isinstance(stop, Call) and stop.fn is min and begins is not None and walk.is_const(loop.step, 1):
        ends = [linear(end) for end in stop.args]
        last = [end for end, at in zip(stop.args, ends) if not (at and at[0] == begins[0] and at[1] > begins[1])]
        return replace(loop, stop=last[0]) if len(last) == 1 else loop
    return loop


def _is_part(loop: For, other: For) -> bool:
    """Whether a loop makes an iteration only if another one does."""
    one, first = linear(loop.start), linear(other.start)
    upwards = walk.is_const(loop.step, 1) and walk.is_const(other.step, 1) and loop.stop == other.stop
    return upwards and one is not None and first is not None and one[0] == first[0] and first[1] <= one[1]


def _named(expr: Expr, known: dict[Expr, Expr]) -> Expr:
    """An expression with elements for the parts that are known, the largest ones first."""
    match expr:
        case Call() if expr in known:
            return known[expr]
        case Call(_, args):
            return replace(expr, args=tuple(_named(arg, known) for arg in args))
        case Tuple(items):
            return replace(expr, items=tuple(_named(item, known) for item in items))
    return expr
