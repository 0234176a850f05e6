"""Which cotangents an iteration of a reverse loop knows one element or slice of alone: its own; part of `tape`.

``v = x_bar[i]; x_bar[i] = 0.0; x_bar[i] += v * d`` clears and reads what no other iteration looks at. So it hands
nothing on, though it does more than add.
"""

from __future__ import annotations

import operator

from srcad.analysis.affine import linear
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Stmt, Store, Var, While
from srcad.transforms.context import Context, is_bar


def own_elements(ctx: Context, code: Block, names: set[str], loop: For | While | None) -> set[str]:
    """Those of the cotangents that each iteration subscripts with its own index, and knows under no other name.

    >>> from srcad.lang.ir import Let
    >>> from srcad.lang.types import INT, Array
    >>> b, i = Var("x~bar", Array("float64", ("n",), "C")), Var("i", INT)
    >>> loop = For("i", Const(0, INT), Var("n", INT), Const(1, INT), ())
    >>> shifted = Call(operator.add, (i, Const(1, INT)), (), INT)
    >>> sorted(offsets((Let("v", Call(operator.getitem, (b, i))), Store(b, shifted, Const(0.0))), "x~bar", "i"))
    [(0, 0), (0, 1)]
    """
    least = least_index(loop)
    if not isinstance(loop, For) or least is None or loop.index in walk.assigned(code):
        return set()
    every = {name for stmt in walk.statements(code) for e in walk.stmt_exprs(stmt) for name in walk.names(e)}
    every |= walk.assigned(code)
    bars = {name for name in every if is_bar(name)}
    views = ctx.view_bars()
    found: set[str] = set()
    for name in names:
        others = {other for other in bars if other != name and _may_meet(ctx, name, other)}
        places = offsets(code, name, loop.index)
        if others or name in views or any(name in bases for bases in views.values()) or len(places) != 1:
            continue
        [(axis, offset)] = places
        if axis is not None and least + offset >= 0:  # so that no two values of the index mean one element
            found.add(name)
    return found


def _may_meet(ctx: Context, one: str, other: str) -> bool:
    """Whether two cotangents may be one array."""
    known = one[:-4] in ctx.types and other[:-4] in ctx.types
    return not known or ctx.buffers.may_share(one[:-4], other[:-4])


def least_index(loop: For | While | None) -> int | None:
    """The least value of a loop's index, if it is known."""
    match loop:
        case For(start=Const(value=int() as start), step=Const(value=int() as step), flag=None) if step > 0:
            return start
        case For(stop=Const(value=int() as stop), step=Const(value=int() as step), flag=None) if step < 0:
            return stop + 1
    return None


def offsets(code: Block, name: str, index: str) -> set[tuple[int | None, int]]:
    """Where the index of a loop stands among the subscripts of an array, and what is added to it; None: nowhere."""
    found: set[tuple[int | None, int]] = set()
    for stmt in walk.statements(code):
        if name in walk.targets(stmt) and not isinstance(stmt, (Store, Accum)):
            found.add((None, 0))
        for place in subscripts(stmt, name):
            found.add((None, 0) if place is None else _own_axis(place, index))
    return found


def subscripts(stmt: Stmt, name: str) -> list[Expr | None]:
    """The subscripts of an array in a statement; None for each mention without one."""
    found: list[Expr | None] = []
    exprs = walk.stmt_exprs(stmt)
    if isinstance(stmt, Store) and isinstance(stmt.base, Var) and stmt.base.name == name:
        found.append(stmt.index)
        exprs = exprs[1:]
    every = [e for whole in exprs for e in walk.subexprs(whole)]
    read = [e.args[1] for e in every if isinstance(e, Call) and e.fn is operator.getitem and _is(e.args[0], name)]
    mentions = sum(_is(e, name) for e in every)
    return [*found, *read, *[None] * (mentions - len(read))]


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Var) and expr.name == name


def _own_axis(place: Expr, index: str) -> tuple[int | None, int]:
    items = items_of(place)
    for axis, item in enumerate(items):
        if isinstance(item, Const) and not isinstance(item.value, int):
            break  # an ellipsis: nobody counts the axes behind it here
        known = linear(item)
        if known is not None and known[0] == index:
            return axis, known[1]
    return None, 0
