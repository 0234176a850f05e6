"""States that loops go through in step, which are taken to be of one length; part of `alike`.

``s[j - 1]``, ``s[j + 1]``, ``i[j - 1]`` and ``i[j + 1]`` in a loop over `j`: two fields that a time step reads in the
same way have the same length, or almost always. Where an array is read elsewhere than the other one, as on staggered
grids, nothing is taken to agree, and neither is it of what no time step changes.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

from srcad.analysis.affine import linear
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Block, Call, Expr, For, Function, Move, Stmt, Store, Var, While
from srcad.lang.types import Array, Dim

Axis = tuple[str, int]  # of an array


def in_step(fn: Function) -> Iterator[tuple[Dim, Dim]]:
    """The pairs of lengths of states that innermost loops of a time step go through in the same way.

    >>> from srcad.lang.ir import Const, Let, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> x, y = (Var(name, Array("float64", (f"{name}.shape[0]",), "C")) for name in "xy")
    >>> u, v = (Var(name, kind) for name, kind in (("u", x.type), ("v", y.type)))
    >>> made = [Let(a.name, Call(operator.pos, (b,), (), b.type)) for a, b in ((u, x), (v, y))]
    >>> i, zero, one, n = Var("i", INT), Const(0, INT), Const(1, INT), Var("n", INT)
    >>> at = [Call(operator.getitem, (a, i), (), FLOAT) for a in (u, v)]
    >>> step = For("i", zero, n, one, (Store(u, i, at[1]), Store(v, i, at[0])))
    >>> params = (Param("x", x.type), Param("y", y.type), Param("n", INT))
    >>> list(in_step(Function("f", params, (*made, For("t", zero, n, one, (step,)), Return(u)))))
    [('x.shape[0]', 'y.shape[0]')]
    """
    states = _states(fn)
    for outer in fn.body:
        for loop in walk.statements(outer.body) if states and isinstance(outer, (For, While)) else ():
            if isinstance(loop, For):
                yield from _pairs(loop, states)


def _states(fn: Function) -> set[str]:
    """The arrays that are made in a function and that loops change, as a whole or element by element."""
    made = walk.assigned(fn.body) - {p.name for p in fn.params}
    inner = [s for loop in fn.body if isinstance(loop, (For, While)) for s in walk.statements(loop.body)]
    changed = {s.base.name for s in inner if isinstance(s, Store) and isinstance(s.base, Var)}
    changed |= {name for s in inner if isinstance(s, Move) for name in s.targets}
    return made & changed


def _pairs(loop: For, states: set[str]) -> Iterator[tuple[Dim, Dim]]:
    found: dict[tuple[Axis, Dim], set[int]] = {}
    for array, axis, offset in _subscripts(loop.body, loop.index):
        if array.name in states:
            assert isinstance(array.type, Array)
            found.setdefault(((array.name, axis), array.type.shape[axis]), set()).add(offset)
    seen: dict[tuple[int, frozenset[int]], Dim] = {}
    for ((_, axis), dim), offsets in found.items():
        first = seen.setdefault((axis, frozenset(offsets)), dim)
        if first != dim:
            yield first, dim


def _subscripts(block: Block, index: str) -> Iterator[tuple[Var, int, int]]:
    """The arrays that statements read or write at a counter and a constant: at which axis, and the constant."""
    for stmt in walk.statements(block):
        for array, place in _places(stmt):
            for axis, item in enumerate(items_of(place)):
                known = linear(item)
                if known is not None and known[0] == index:
                    yield array, axis, known[1]


def _places(stmt: Stmt) -> Iterator[tuple[Var, Expr]]:
    if isinstance(stmt, Store) and isinstance(stmt.base, Var):
        yield stmt.base, stmt.index
    for whole in walk.stmt_exprs(stmt):
        for e in walk.subexprs(whole):
            if isinstance(e, Call) and e.fn is operator.getitem and isinstance(e.args[0], Var):
                if isinstance(e.args[0].type, Array):
                    yield e.args[0], e.args[1]
