"""rooms: arrays that grow get more room where an element is stored behind their last one.

Up to here such an array is one array: its elements stay at their places, and so do their cotangents. A list to which a
loop appends needs no more for its adjoint than where it stored, therefore. The cotangent is made when the array has
grown, and has its length.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import Buffers, buffers, stored_name
from srcad.lang.arrays import axis_length, items_of
from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Block, Call, Expr, For, Function, If, Let, Move, Slice, Stmt, Store, Var, While, hint
from srcad.lang.lists import elastic
from srcad.lang.types import BOOL, ELASTIC, Array, is_elastic
from srcad.runtime import grow, room_for, widen


def rooms(fn: Function) -> Function:
    """Let arrays grow.

    >>> from srcad.lang.ir import Const
    >>> from srcad.lang.types import FLOAT, INT
    >>> xs, n = Var("xs", Array("float64", ("^1",), "C")), Var("n", INT)
    >>> body = Let("xs", Call(elastic, (Const(16, INT),), (), xs.type)), Store(xs, n, Const(1.0, FLOAT))
    >>> made, check, store = rooms(Function("f", (), body)).body
    >>> made.value.fn is np.empty, check.test.fn is operator.eq, check.then[0].value.fn is grow
    (True, True, True)
    """
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Let(_, Call(fn)) if fn is elastic:
                result.append(replace(stmt, value=replace(stmt.value, fn=np.empty)))  # type: ignore[type-var, arg-type]
                continue
            case Store(Var(type=kind) as base, index, inside=False) if is_elastic(kind):
                if not stmt.origin.adjoint or stmt.origin.tangent:
                    result += _room(stmt, base, index)
        result.append(walk.map_stmt(lambda expr: expr, stmt, _block))
    return tuple(result)


def _room(stmt: Store, base: Var, index: Expr) -> list[Stmt]:
    """More room, if the place of an element is behind the end."""
    assert isinstance(base.type, Array)
    [axis] = [k for k, dim in enumerate(base.type.shape) if str(dim).startswith(ELASTIC)]
    places = items_of(index)
    place, room = places[axis] if len(places) > axis else Slice(), axis_length(base, axis)
    if isinstance(place, Slice):
        if (stop := place.upper) is None:
            return []  # of elements that are there
        full = Call(operator.gt, (stop, room), (), BOOL)
        larger = Call(room_for, (base, stop), (), base.type)
    else:
        full = Call(operator.eq, (place, room), (), BOOL)
        larger = Call(widen if axis else grow, (base,), (), base.type)
    more = Let(base.name, larger, stmt.origin)
    return [If(full, (more,), (), stmt.origin)]


# ---------------------------------------------------------------- second names


def outgrown(fn: Function) -> Function:
    """Refuse to write to an element of a list that grows while it has a name: the name may mean what it was before.

    Raises
    ------
    UnsupportedError
        with the lines that give the name.
    """
    parts = {s.base.name for s in walk.statements(fn.body)
             if isinstance(s, Store) and isinstance(s.base, Var) and isinstance(s.index, Slice) and not s.inside}
    made = {s.target for s in walk.statements(fn.body)
            if isinstance(s, Let) and isinstance(s.value, Call) and s.value.fn is elastic
            and (s.value.type.ndim > 1 or s.target in parts)}  # type: ignore[attr-defined]  # fmt: skip
    if made:
        found = buffers(fn)
        changed = {site for stmt in walk.statements(fn.body) for site in _changed(stmt, found)} & made
        remedy = "a copy under that name, v = xs[i].copy(), or the element by its index alone"
        refuse([Problem(stmt.origin, f"an element of a list that grows is known as {hint(name)} and written to", remedy)
                for stmt, name in _outgrown(fn.body, found, changed, ())])  # fmt: skip
    return fn


def _changed(stmt: Stmt, found: Buffers) -> frozenset[str]:
    """The arrays of which a statement changes an element that is there already."""
    name = stored_name(stmt)
    if name is None or isinstance(stmt, Store) and is_elastic(found.types.get(name)) and not stmt.inside:
        return frozenset()
    return found.of(name)


def _outgrown(block: Block, found: Buffers, changed: set[str], behind: Block) -> list[tuple[Stmt, str]]:
    """The views of changed arrays that are used when these may have grown; `behind` runs after the block."""
    result: list[tuple[Stmt, str]] = []
    for k, stmt in enumerate(block):
        later = (*(() if isinstance(stmt, If) else (stmt,)), *block[k + 1 :], *behind)
        for inner in walk.blocks(stmt):
            result += _outgrown(inner, found, changed, later)
        for name in walk.targets(stmt) if isinstance(stmt, (Let, Move)) else ():
            sites = found.of(name) & changed
            if not sites or is_elastic(found.types.get(name)):
                continue
            last = max((j for j in range(k + 1, len(block)) if name in walk.read_in(block[j : j + 1])), default=k)
            between = block[k + 1 : last + isinstance(block[last], (For, While, If))]
            used = (*block[k + 1 :], *behind) if isinstance(stmt, Move) else between
            if any(_grows(s, found, sites) for s in walk.statements(used)):
                result.append((stmt, name))
    return result


def _grows(stmt: Stmt, found: Buffers, sites: frozenset[str]) -> bool:
    match stmt:
        case Store(Var(name, kind), inside=False):
            return is_elastic(kind) and bool(found.of(name) & sites)
    return False
