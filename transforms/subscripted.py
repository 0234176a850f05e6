"""subscripted: one subscript for an element of a table, ``table[i, j]`` for ``table[i][j]``.

An array stands for a list of lists. What is taken from one of its rows, or put there, is taken from the array or put
into it, as one would write it for an array: no view is made, and what is known of arrays is known of such tables.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import Accum, Block, Call, Expr, Function, Let, Slice, Stmt, Store, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.taking import mentions


def subscripted(fn: Function) -> Function:
    """Take elements of rows from their table, and put them there, where a row has no other use.

    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> table, row = Var("d", Array("float64", ("n", "m"), "C")), Var("t", Array("float64", ("m",), "C"))
    >>> i, j = Var("i", INT), Var("j", INT)
    >>> taken = Call(operator.getitem, (table, i), (), row.type)
    >>> element, one = Call(operator.getitem, (taken, j), (), FLOAT), Const(1.0, FLOAT)
    >>> body = (Let("t", taken), Store(row, j, one), Return(element))
    >>> params = tuple(Param(v.name, v.type) for v in (table, i, j))
    >>> from srcad.lang.write import write
    >>> print(write(subscripted(Function("f", params, body))).text, end="")
    def f(d, i, j):
        d[i, j] = 1.0
        return d[i, j]
    """
    body = walk.map_block(lambda e: walk.map_expr(_joined, e), fn.body)
    return replace(fn, body=_block(body, mentions(body)))


def _joined(expr: Expr) -> Expr:
    match expr:
        case Call(operator.getitem, (Call(operator.getitem, (table, first), ()), rest), (), kind):
            if _is_row(table, first) and all(map(_is_plain, items_of(rest))):
                return Call(operator.getitem, (table, index_of((*items_of(first), *items_of(rest)))), (), kind)
    return expr


def _is_row(table: Expr, place: Expr) -> bool:
    """Whether integers name a row, or a plane, of an array."""
    kind, numbers = getattr(table, "type", None), items_of(place)
    return isinstance(kind, Array) and kind.ndim > len(numbers) and all(map(_is_number, numbers))


def _is_number(part: Expr) -> bool:
    kind = getattr(part, "type", None)
    return isinstance(kind, Scalar) and kind.dtype.startswith(("int", "uint"))


def _is_plain(part: Expr) -> bool:
    return isinstance(part, Slice) or _is_number(part)


def _block(block: Block, uses: Counter[str]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        stmt = walk.map_stmt(lambda e: e, stmt, lambda inner: _block(inner, uses))
        row = out[-1] if out else None
        joined = _put(row, stmt, uses) if isinstance(row, Let) and isinstance(stmt, (Store, Accum)) else None
        if joined is None:
            out.append(stmt)
        else:
            out[-1] = joined
    return tuple(out)


def _put(row: Let, stmt: Store | Accum, uses: Counter[str]) -> Stmt | None:
    """What is put into a row that is named for it alone, or added to it, as put into the table."""
    if uses[row.target] > 2 or not (isinstance(row.value, Call) and row.value.fn is operator.getitem):
        return None
    table, first = row.value.args

    def whole(e: Expr) -> Expr:
        return walk.map_expr(_joined, walk.substitute(e, {row.target: row.value}))

    if isinstance(stmt, Store):
        base, place = stmt.base, stmt.index
    elif isinstance(stmt.target, Call) and stmt.target.fn is operator.getitem:
        base, place = stmt.target.args
    else:
        return None
    of_row = base == Var(row.target, row.value.type) and isinstance(table, Var) and _is_row(table, first)
    if not of_row or not all(map(_is_plain, items_of(place))):
        return None
    if isinstance(stmt, Accum):
        return replace(stmt, target=whole(stmt.target), value=whole(stmt.value))
    return replace(stmt, base=table, index=index_of((*items_of(first), *items_of(place))), value=whole(stmt.value))
