"""Which elements of arrays surely are there: those that other statements ask for, whatever happens around them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator

from srcad.lang.ir import Block, Call, Expr, Let, Stmt, Store, Var
from srcad.lang.walk import blocks, evaluated, names, statements, stmt_exprs, targets


def is_touched(place: tuple[str, Expr], block: Block, position: int) -> bool:
    """Whether a statement of a block itself, not one in a branch or loop of it, knows an element of an array.

    The subscript is meant as the statement at `position` understands it.

    >>> from srcad.lang.ir import Const
    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> a, k, zero = Var("a", Array("float64", ("n",), "C")), Var("k", INT), Const(0.0, FLOAT)
    >>> block = (Store(a, k, zero), Let("k", k), Let("v", zero))
    >>> is_touched(("a", k), block[:1], 0), is_touched(("a", k), block, 2)
    (True, False)
    """
    times = Counter(name for stmt in statements(block) for name in targets(stmt))
    wanted = names(place[1]) | {place[0]}
    known = {name for name in wanted if not times[name]}
    for number, stmt in enumerate(block):
        if wanted <= known and not blocks(stmt) and place in places(stmt):
            return True
        if number < position and isinstance(stmt, Let) and times[stmt.target] == 1:
            known.add(stmt.target)
    return False


def places(stmt: Stmt) -> Iterator[tuple[str, Expr]]:
    """The arrays and subscripts that a statement itself reads or writes, whatever the values are."""
    match stmt:
        case Store(Var(name), index):
            yield name, index
    for whole in stmt_exprs(stmt):
        for e in evaluated(whole):
            if isinstance(e, Call) and e.fn is operator.getitem and isinstance(e.args[0], Var):
                yield e.args[0].name, e.args[1]
