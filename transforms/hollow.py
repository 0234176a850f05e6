"""Which names may hold what came out of some others; part of `inline`.

A list that began as ``[None] * n`` hands on None to whoever reads an element too early: to ask of that whether it is
None has no answer in compiled code. Of a name that nothing from such a list reaches, it has.
"""

from __future__ import annotations

from collections.abc import Iterator

from srcad.lang import walk
from srcad.lang.ir import Block, Effect, Let, Move, Stmt, Store


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
