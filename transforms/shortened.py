"""shortened: vectors of zeros of which few elements get values before they are stored as a row; part of `scalars`.

Of how many numbers the gradient by ``camera`` is made, nobody may know; that a function reads ``camera[0]`` to
``camera[6]`` its text tells. ``table[n] = camera_bar`` then stores seven numbers, and zeros behind them.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member, times_given
from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Function, Let, Slice, Stmt, Store, Var
from srcad.lang.types import FLOAT, INT, Array, Scalar
from srcad.transforms.by_subscripts import used_otherwise, stored_whole
from srcad.transforms.cells import LISTED


def shortened(fn: Function) -> Function:
    """Make such vectors as long as is known to matter.

    >>> from srcad.lang.types import TupleType
    >>> from srcad.lang.write import write
    >>> g, x = Var("g", Array("float64", ("m",))), Var("x", Array("float64", ("m",)))
    >>> table, i = Var("table", Array("float64", ("n", "m"))), Var("i", INT)
    >>> make = Let("g", Call(np.zeros_like, (x,), (), g.type))
    >>> body = (make, Store(g, Const(1, INT), Const(3.0, FLOAT)), Store(table, i, g))
    >>> print(write(shortened(Function("f", (), body))).text.split("\\n\\n\\n")[1], end="")
    def f():
        g = np.zeros(2)
        g[1] = 3.0
        table[i, 2:] = 0.0
        table[i, 0] = g[0]
        table[i, 1] = g[1]
    """
    made = _made(fn.body)
    if not made:
        return fn
    lost = used_otherwise(fn.body, made)
    stores: dict[str, list[Stmt]] = {}
    for stmt in walk.statements(fn.body):
        if (name := stored_whole(stmt)) in made:
            stores.setdefault(name, []).append(stmt)
            lost |= {name} if _row(stmt, made[name]) is None else set()
    lengths = _lengths(fn.body, stores.keys() - lost)
    return replace(fn, body=_shorter(fn.body, lengths)) if lengths else fn


def _made(body: Block) -> dict[str, Array]:
    """The vectors of zeros that are made in one place, and nobody knows how long."""
    counts = times_given(body)
    found: dict[str, Array] = {}
    for stmt in walk.statements(body):
        match stmt:
            case Let(target, Call(fn, _, _, Array("float64", (str(),)) as kind)) if counts[target] == 1:
                if member(fn, (np.zeros, np.zeros_like)):
                    found[target] = kind
    return found


def _row(stmt: Stmt, kind: Array) -> tuple[Var, tuple[Expr, ...]] | None:
    """The array and the subscripts of a row of just as many elements that a statement writes."""
    base, index = (stmt.base, stmt.index) if isinstance(stmt, Store) else stmt.target.args  # type: ignore[union-attr]
    items = items_of(index)
    items = items[:-1] if items and items[-1] == Slice() else items
    rank = len(items) + 1
    if not (isinstance(base, Var) and isinstance(base.type, Array) and base.type.ndim == rank):
        return None
    whole = base.type.shape[-1] == kind.shape[0] and base.type.dtype == "float64"
    return (base, items) if whole and all(map(_is_integer, items)) else None


def _is_integer(item: Expr) -> bool:
    kind = getattr(item, "type", None)
    return isinstance(kind, Scalar) and kind.dtype == "int64"


def _lengths(body: Block, names: set[str]) -> dict[str, int]:
    """How many elements there are up to the last one with a subscript."""
    lengths = dict.fromkeys(sorted(names), 0)
    for stmt in walk.statements(body):
        exprs = walk.stmt_exprs(stmt)
        if isinstance(stmt, Store):
            exprs = (Call(operator.getitem, (stmt.base, stmt.index)), stmt.value)
        for e in (e for whole in exprs for e in walk.subexprs(whole)):
            match e:
                case Call(operator.getitem, (Var(name), index)) if name in lengths:
                    last = index.value if isinstance(index, Const) and type(index.value) is int else -1
                    lengths[name] = max(lengths[name], last + 1) if 0 <= last < LISTED else LISTED + 1
    return {name: length for name, length in lengths.items() if 0 < length <= LISTED}


def _shorter(block: Block, lengths: dict[str, int]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Let(target) if target in lengths:
                length = lengths[target]
                kind = Array("float64", (length,), "C")
                result.append(replace(stmt, value=Call(np.zeros, (Const(length, INT),), (), kind)))
            case Store() | Accum() if (name := stored_whole(stmt)) in lengths:
                result += _one_by_one(stmt, stmt.value, lengths[name])  # type: ignore[arg-type, index]
            case _:
                result.append(walk.map_stmt(lambda e: _retyped(e, lengths), stmt, lambda b: _shorter(b, lengths)))
    return tuple(result)


def _retyped(expr: Expr, lengths: dict[str, int]) -> Expr:
    def each(e: Expr) -> Expr:
        if isinstance(e, Var) and e.name in lengths:
            return Var(e.name, Array("float64", (lengths[e.name],), "C"))
        return e

    return walk.map_expr(each, expr)


def _one_by_one(stmt: Store | Accum, vector: Var, length: int) -> list[Stmt]:
    """The elements of a vector stored in a row, or added to it, and zeros behind them."""
    found = _row(stmt, vector.type)  # type: ignore[arg-type]
    assert found is not None
    base, items = found
    short = _retyped(vector, {vector.name: length})
    result: list[Stmt] = []
    if isinstance(stmt, Store):
        rest = index_of((*items, Slice(Const(length, INT))))
        result.append(replace(stmt, base=base, index=rest, value=Const(0.0, FLOAT)))
    for k in range(length):
        place = index_of((*items, Const(k, INT)))
        value = Call(operator.getitem, (short, Const(k, INT)), (), Scalar("float64"))
        if isinstance(stmt, Store):
            result.append(replace(stmt, base=base, index=place, value=value))
        else:
            result.append(replace(stmt, target=Call(operator.getitem, (base, place), (), value.type), value=value))
    return result
