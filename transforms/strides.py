"""strides: a loop that takes several iterations at a time, and what is left of it; part of `several`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from srcad.analysis.additions import place_of
from srcad.analysis.elements import without_zero
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Let, Stmt, Store, Var
from srcad.lang.types import INT
from srcad.transforms.simplify import simplified


def times(loop: For) -> int | None:
    """How many iterations a loop makes that counts up by one, if that is known.

    >>> times(For("i", Const(2, INT), Const(5, INT), Const(1, INT), ()))
    3
    """
    match loop:
        case For(start=Const(int() as start), stop=Const(int() as stop)):
            return max(0, stop - start)
    return None


def split(loop: For, inside: Block, count: int) -> Block:
    """A loop that takes `count` iterations at a time, which `inside` does, and one of those that are left.

    Where it is known how often the loop goes round, there is no loop that would have no iteration, nor one of one.

    >>> from srcad.lang.ir import Function, Let, Var
    >>> from srcad.lang.write import write
    >>> i = Var("i", INT)
    >>> for stop in Const(3, INT), Const(4, INT), Var("n", INT):
    ...     loop = For("i", Const(0, INT), stop, Const(1, INT), (Let("a", i),))
    ...     print(write(Function("f", (), split(loop, (Let("b", plus(i, 1)),), 2))).text, end="")
    def f():
        b = 1
        a = 2
    def f():
        for i in range(0, 4, 2):
            b = i + 1
    def f():
        for i in range(0, n - 1, 2):
            b = i + 1
        for i in range(2 * (max(0, n) // 2), n):
            a = i
    """
    known = times(loop)
    if known is None:
        whole = call(max, Const(0, INT), call(operator.sub, loop.stop, loop.start))
        done = call(operator.mul, call(operator.floordiv, whole, Const(count, INT)), Const(count, INT))
        stop = call(operator.sub, loop.stop, Const(count - 1, INT))
        rest = replace(loop, start=call(operator.add, loop.start, done))
        return replace(loop, stop=stop, step=Const(count, INT), body=inside), rest
    middle = plus(loop.start, known // count * count)
    together = replace(loop, stop=middle, step=Const(count, INT), body=inside)
    return *_known(together, known // count), *_known(replace(loop, start=middle), known % count)


def _known(loop: For, count: int) -> Block:
    """A loop that makes so many iterations; a single one is no loop."""
    if count == 1:
        return tuple(walk.map_stmt(_simple, stmt) for stmt in walk.substitute_in(loop.body, {loop.index: loop.start}))
    return (loop,) if count else ()


def _simple(expr: Expr) -> Expr:
    """An expression with its subscripts simplified."""
    return walk.map_expr(lambda e: simplified(e) if isinstance(e, Call) and e.type == INT else e, expr)


def plus(value: Expr, count: int) -> Expr:
    return call(operator.add, value, Const(count, INT)) if count else value


def call(fn: Callable, left: Expr, right: Expr) -> Expr:
    return simplified(Call(fn, (left, right), (), INT))


def later(block: Block, loop: For, counters: list[str], count: int) -> Block:
    """What an iteration does that comes a number of iterations later."""
    return walk.substitute_in(block, {name: plus(Var(name, INT), count) for name in (loop.index, *counters)})


def forward(counters: list[str], count: int) -> Block:
    return tuple(Let(name, plus(Var(name, INT), count)) for name in counters)


def summed(rows: list[Block]) -> Block:
    """Additions to elements, of several iterations at once."""
    result = []
    for same in zip(*rows):
        values = [s.value for s in same if isinstance(s, Accum)]
        total = reduce(lambda a, b: Call(operator.add, (a, b), (), a.type), values)
        result.append(replace(same[0], value=total))
    return tuple(result)


def one_behind_the_other(ahead: Block, following: Block) -> Block:
    """The statements of two loops over the block in one; what is added to a zero is stored."""
    result = list(ahead)
    for stmt in following:
        match stmt:
            case Accum(Call(args=(base, index)), value) if (shorter := _without_zero(stmt, result)) is not None:
                result, stmt = shorter, Store(base, index, value, stmt.origin)
        result.append(stmt)
    return tuple(result)


def _without_zero(stmt: Stmt, ahead: list[Stmt]) -> list[Stmt] | None:
    """Statements without the zero that they store where another one adds to next; None where they store none."""
    place = place_of(stmt)
    return None if place is None else without_zero(place, ahead, lambda names: place[0] in names)
