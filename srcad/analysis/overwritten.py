"""Whether statements overwrite the whole of an array before they read any of it.

What an array holds when such statements begin is of no interest: an iteration of them depends on no other through it.
"""

from __future__ import annotations

import operator

import numpy as np

from srcad.analysis.lengths import Lengths
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Block, Call, Const, Expr, For, Slice, Stmt, Store, Var, While
from srcad.lang.types import Array, Dim

WHOLE = Slice()
UNFILLED = {np.zeros: np.empty, np.zeros_like: np.empty_like}
"""What makes the same arrays without filling them."""


def overwrites(block: Block, array: Var, lengths: Lengths) -> bool:
    """Whether a block writes to all elements of an array before it reads any.

    >>> from srcad.lang.ir import Let
    >>> from srcad.lang.types import FLOAT, INT
    >>> a = Var("a", Array("float64", ("n",)))
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> fill = For("i", Const(0, INT), n, Const(1, INT), (Store(a, i, Const(0.0, FLOAT)),))
    >>> known = Lengths({}, frozenset("an"))
    >>> overwrites((fill,), a, known), overwrites((Let("b", Call(operator.getitem, (a, n))), fill), a, known)
    (True, False)
    """
    users = [stmt for stmt in block if mentions(stmt, array.name)]
    if not users or _fills(users[0], array, {}, lengths):
        return bool(users)
    return all(isinstance(stmt, (For, While)) and rounds_overwrite(stmt, array, lengths) for stmt in users)


def rounds_overwrite(loop: For | While, array: Var, lengths: Lengths) -> bool:
    """Whether each iteration of a loop, before it reads any of an array, writes to all of it."""
    headers = {name for expr in walk.stmt_exprs(loop) for name in walk.names(expr)}
    return array.name not in headers and overwrites(loop.body, array, lengths)


def mentions(stmt: Stmt, name: str) -> bool:
    """Whether a statement, or one inside it, reads, assigns or writes to a name."""
    return any(
        name in walk.targets(inner) or any(name in walk.names(e) for e in walk.stmt_exprs(inner))
        for inner in walk.statements((stmt,))
    )


def _fills(stmt: Stmt, array: Var, counts: dict[str, Dim], lengths: Lengths) -> bool:
    """Whether a statement inside loops that count to `counts` writes, with all its iterations, to the whole array."""
    match stmt:
        case Store(Var(array.name), index, value):
            return array.name not in walk.names(value) | walk.names(index) and _is_every(index, array, counts)
        case For(index, start, stop, step, body, None) if walk.is_const(start, 0) and walk.is_const(step, 1):
            dim = lengths.dim(stop)
            headers = walk.names(start) | walk.names(stop)
            if dim is None or index in walk.assigned(body) or array.name in headers:
                return False
            return _fills_in(body, array, {**counts, index: dim}, lengths)
    return False


def _fills_in(body: Block, array: Var, counts: dict[str, Dim], lengths: Lengths) -> bool:
    """The same of the body of a loop; behind the write, it may read or change the element that was written."""
    own = [stmt for stmt in body if mentions(stmt, array.name)]
    if not own or not _fills(own[0], array, counts, lengths):
        return False
    place = own[0].index if isinstance(own[0], Store) else None
    return all(only_at(stmt, array, place) for stmt in own[1:])


def only_at(stmt: Stmt, array: Var, place: Expr | None) -> bool:
    """Whether statements use no other element of an array than the one at this place."""
    for inner in walk.statements((stmt,)):
        if array.name in walk.targets(inner):
            return False
        exprs = walk.stmt_exprs(inner)
        if isinstance(inner, Store):
            exprs = (Call(operator.getitem, (inner.base, inner.index)), inner.value)
        if any(_strays(expr, array, place) for expr in exprs):
            return False
    return True


def _strays(expr: Expr, array: Var, place: Expr | None) -> bool:
    """Whether an expression reads an array elsewhere than at a place."""
    match expr:
        case Call(operator.getitem, (Var(array.name), index)):
            return index != place
        case Var(name):
            return name == array.name
        case Call(_, args, kwargs):
            return any(_strays(e, array, place) for e in (*args, *(value for _, value in kwargs)))
    return array.name in walk.names(expr)


def _is_every(index: Expr, array: Var, counts: dict[str, Dim]) -> bool:
    """Whether a subscript goes through all elements as the loops around it count."""
    assert isinstance(array.type, Array)
    shape = array.type.shape
    if isinstance(index, Const) and index.value is ...:
        return True
    items = items_of(index)
    if len(items) > len(shape):
        return False
    used = [item.name for item in items if isinstance(item, Var)]
    return len(set(used)) == len(used) and all(
        item == WHOLE or isinstance(item, Var) and item.name in counts and counts[item.name] == dim
        for item, dim in zip(items, shape)
    )
