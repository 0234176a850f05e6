"""Arrays that only one branch of a test binds, that loops or other branches hand on, and that are read where the test
holds alone; part of `flatten`.

``if t > 0: m = np.sin(x)`` and in a loop ``if t > 0: m = m * x``. A loop that hands `m` on begins with something, and
so does a branch that hands on what a branch inside of it may have bound. On the other path that is an array without
elements.
"""

from __future__ import annotations

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, If, Move, Var, While, select
from srcad.lang.types import Scalar, is_array


def half_bound(body: Block) -> set[str]:
    """The names of such arrays."""
    onward: dict[str, set[str]] = {}
    for stmt in walk.statements(body):
        for target, value in walk.moves_of((stmt,)):
            if isinstance(value, Var):
                onward.setdefault(value.name, set()).add(target)
    entered = _entered(body)
    found: set[str] = set()
    for stmt in walk.statements(body):
        if isinstance(stmt, If) and _lasts(stmt.test):
            then, orelse = dict(walk.moves_of(stmt.then)), dict(walk.moves_of(stmt.orelse))
            for name in then.keys() ^ orelse.keys():
                chain = _reached(name, onward)
                array = is_array(getattr(then.get(name, orelse.get(name)), "type", None))
                if array and chain & entered and _guarded(body, chain, stmt.test, name in then):
                    found.add(name)
    return found | _inner(body)


def _inner(body: Block) -> set[str]:
    """The names of arrays that one branch hands on to the end of a branch around it, which hands them on alone, too.

    Their cotangents go from one branch to the other whether or not the inner test holds.
    """
    halves: set[str] = set()
    values: set[str] = set()
    for stmt in walk.statements(body):
        if isinstance(stmt, If):
            then, orelse = dict(walk.moves_of(stmt.then)), dict(walk.moves_of(stmt.orelse))
            for name in then.keys() ^ orelse.keys():
                value = then.get(name, orelse.get(name))
                if is_array(getattr(value, "type", None)):
                    halves.add(name)
                    values |= walk.names(value)  # type: ignore[arg-type]
    return halves & values


def _entered(body: Block) -> set[str]:
    """The names that loops begin with."""
    found: set[str] = set()
    for block in (body, *(inner for stmt in walk.statements(body) for inner in walk.blocks(stmt))):
        for stmt, behind in zip(block, block[1:]):
            if isinstance(behind, (For, While)):
                found |= {value.name for _, value in walk.moves_of((stmt,)) if isinstance(value, Var)}
    return found


def _reached(name: str, onward: dict[str, set[str]]) -> set[str]:
    """A name and those that it is handed on to."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        found.add(each := waiting.pop())
        waiting += onward.get(each, set()) - found
    return found


def _lasts(test: Expr) -> bool:
    """Whether a test is of numbers with names, so that it holds where it held before."""
    return all(isinstance(e.type, Scalar) for e in walk.subexprs(test) if isinstance(e, Var))


def _guarded(block: Block, names: set[str], test: Expr, holds: bool) -> bool:
    """Whether names are read on a condition alone."""
    for stmt in block:
        exprs = [walk.map_expr(lambda e: _chosen(e, test, holds), expr) for expr in walk.stmt_exprs(stmt)]
        if not isinstance(stmt, Move) and any(walk.names(expr) & names for expr in exprs):
            return False
        inner = list(walk.blocks(stmt))
        if isinstance(stmt, If) and stmt.test == test:
            inner = [stmt.orelse if holds else stmt.then]
        if not all(_guarded(each, names, test, holds) for each in inner):
            return False
    return True


def _chosen(expr: Expr, test: Expr, holds: bool) -> Expr:
    """What a conditional expression is where a test does not come out as it should."""
    if isinstance(expr, Call) and expr.fn is select and expr.args[0] == test:
        return expr.args[2 if holds else 1]
    return expr
