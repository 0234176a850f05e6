"""Views during whose life nobody writes to their memory: for them it makes no difference that they are no copies.

Of some calls it depends on the layout in memory whether they give a view or a copy (`np.ravel`), and of others no
cotangent can be the same view (`np.diag`). Where the array keeps its elements until the last use, neither matters.
"""

from __future__ import annotations

from collections.abc import Mapping

from srcad.analysis.buffers import Buffers, stored_names, views_of
from srcad.lang import walk
from srcad.lang.ir import Block, Let, Move, Stmt, Var


def untouched(
    block: Block, names: set[str], buffers: Buffers, bases: Mapping[str, tuple[str, ...]] | None = None
) -> set[str]:
    """Those of the views `names` that are as good as copies; `bases`: what they may be views of, if calls give them.

    >>> import operator
    >>> import numpy as np
    >>> from srcad.analysis.buffers import buffers
    >>> from srcad.lang.ir import Call, Const, Function, Param, Store
    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> kind = Array("float64", ("n",))
    >>> a, d = Var("a", kind), Var("d", kind)
    >>> view, store = Let("d", Call(np.ravel, (a,), (), kind)), Store(a, Const(0, INT), Const(1.0, FLOAT))
    >>> use = Let("s", Call(np.sum, (d,), (), FLOAT))
    >>> for body in ((view, use, store), (view, store, use)):
    ...     print(untouched(body, {"d"}, buffers(Function("f", (Param("a", kind),), body))))
    {'d'}
    set()
    """
    found: set[str] = set()
    for position, stmt in enumerate(block):
        rest = block[position + 1:]
        if isinstance(stmt, Let) and stmt.target in names:
            shared = (stmt.target, *(bases or {}).get(stmt.target, ()))
            if _lives_quietly(stmt.target, shared, rest, buffers):
                found.add(stmt.target)
        for inner in walk.blocks(stmt):
            found |= untouched(inner, names, buffers, bases)
    return found


def _lives_quietly(name: str, shared: tuple[str, ...], following: Block, buffers: Buffers) -> bool:
    """Whether nothing is written to the memory of a name, `shared`, until it has been read for the last time."""
    known = {name}
    written = False
    for stmt in following:
        changes = any(buffers.may_share(one, other) for one in shared for other in stored_names((stmt,)))
        if _mentions(stmt, known):
            if written or changes or _hands_on(stmt, known):
                return False
        written |= changes
    return True


def _mentions(stmt: Stmt, known: set[str]) -> bool:
    """Whether a statement reads one of the names; names for the same memory are added to them."""
    found = False
    for inner in walk.statements((stmt,)):
        if any(walk.names(expr) & known for expr in walk.stmt_exprs(inner)):
            found = True
            if isinstance(inner, Let) and any(isinstance(b, Var) and b.name in known for b in views_of(inner.value)):
                known.add(inner.target)
    return found


def _hands_on(stmt: Stmt, known: set[str]) -> bool:
    """Whether the memory gets a name that outlives this block."""
    moves = (inner for inner in walk.statements((stmt,)) if isinstance(inner, Move))
    return any(isinstance(value, Var) and value.name in known for move in moves for value in move.values)
