"""ordered: elements that are only put in order, sorted; the order itself is needed where a derivative flows.

``a[np.argsort(a)]`` is ``np.sort(a)``, and ``a[np.argpartition(a, k)]`` is ``np.partition(a, k)``. The library writes
both so, for the sake of the derivative; where there is none, NumPy sorts faster than it finds the order.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Function, Let, Stmt, Var
from srcad.lang.types import Array

SORTS: dict[Any, Any] = {np.argsort: np.sort, np.argpartition: np.partition}


def ordered(fn: Function) -> Function:
    """Sort what is taken in its own order.

    >>> from srcad.lang.ir import Const, Return
    >>> from srcad.lang.write import write
    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> order = Call(np.argsort, (x,), (("kind", Const("stable")),), Array("int64", ("n",), "C"))
    >>> taken = Call(operator.getitem, (x, order), (), x.type)
    >>> print(write(ordered(Function("f", (), (Return(taken),)))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f():
        return np.sort(x)
    """
    counts = Counter(
        e.name for stmt in walk.statements(fn.body) for each in walk.stmt_exprs(stmt) for e in walk.subexprs(each)
        if isinstance(e, Var)
    )  # fmt: skip
    return replace(fn, body=_block(fn.body, counts))


def _block(block: Block, counts: Counter[str]) -> Block:
    done: list[Stmt] = []
    for stmt in block:
        last = done[-1] if done else None
        if isinstance(last, Let) and isinstance(stmt, Let) and _is_read_there(last, stmt, counts):
            joined = _in_order(walk.substitute(stmt.value, {last.target: last.value}))
            if not any(map(_is_order, walk.subexprs(joined))):
                done[-1] = replace(stmt, value=joined)
                continue
        done.append(walk.map_stmt(_in_order, stmt, lambda inner: _block(inner, counts)))
    return tuple(done)


def _is_read_there(order: Let, stmt: Let, counts: Counter[str]) -> bool:
    """Whether an order is read once, in the statement that follows."""
    return _is_order(order.value) and counts[order.target] == 1 and order.target in walk.names(stmt.value)


def _is_order(expr: Expr) -> bool:
    return isinstance(expr, Call) and member(expr.fn, SORTS)


def _in_order(expr: Expr) -> Expr:
    return walk.map_expr(_sorted, expr)


def _sorted(expr: Expr) -> Expr:
    match expr:
        case Call(operator.getitem, (base, Call(order, (values, *rest), named))) if base == values and _is_vector(base):
            given = dict(named)
        case Call(np.take_along_axis, (base, Call(order, (values, *rest), named), axis)) if base == values:
            given = dict(named)
            if given.get("axis") != axis:
                return expr
        case _:
            return expr
    if not member(order, SORTS) or not isinstance(base.type, Array) or not base.type.dtype.startswith(("float", "int")):
        return expr
    given.pop("kind", None)  # makes no difference here
    return Call(SORTS[order], (base, *rest), tuple(given.items()), expr.type)


def _is_vector(expr: Expr) -> bool:
    kind = getattr(expr, "type", None)
    return isinstance(kind, Array) and kind.ndim == 1
