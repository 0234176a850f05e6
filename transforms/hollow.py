"""Which names may hold what came out of some others; part of `inline`.

A list that began as ``[None] * n`` hands on None to whoever reads an element too early: to ask of that whether it is
None has no answer in compiled code. Of a name that nothing from such a list reaches, it has.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterator
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Effect, Expr, Let, Move, Stmt, Store, Tuple
from srcad.transforms.values import with_items


def spread(body: Block, names: set[str]) -> frozenset[str]:
    """The names that values of `names` may reach, whatever the order of the statements.

    >>> from srcad.lang.ir import Call, Const, Var
    >>> first = Let("a", Call(max, (Var("xs"), Const(0))))
    >>> sorted(spread((Store(Var("b"), Const(0), Var("a")), first, Let("c", Var("d"))), {"xs"}))
    ['a', 'b', 'xs']
    """
    reached, known = set(names), 0
    flows = [flow for stmt in walk.statements(body) for flow in _flows(stmt)]
    while len(reached) > known:
        known = len(reached)
        for targets, sources in flows:
            if sources & reached:
                reached |= targets
    return frozenset(reached)


def with_nan(display: Expr) -> Expr:
    """A display with a number that is none in the place of each None: an array of such is there to be filled.

    >>> from srcad.lang.ir import Const
    >>> with_nan(Tuple((Const(None), Const(2.0)))).items[0].value
    nan
    """
    if isinstance(display, Tuple):
        return with_items(display, tuple(Const(math.nan) if item == Const(None) else with_nan(item)
                                         for item in display.items))  # fmt: skip
    if isinstance(display, Call) and display.fn is operator.mul:  # [None] * n
        return replace(display, args=tuple(map(with_nan, display.args)))
    return display


def _flows(stmt: Stmt) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """What a statement gives a value, and what that may come from."""
    match stmt:
        case Let(target, value):
            yield frozenset((target,)), walk.names(value)
        case Move(targets, values):
            for target, value in zip(targets, values):
                yield frozenset((target,)), walk.names(value)
        case Store(base, _, value):
            yield walk.names(base), walk.names(value)
        case Effect(call):
            yield walk.names(call), walk.names(call)
