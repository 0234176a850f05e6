"""Rows that arrays of indices pick, as those that their numbers pick: ``E[idx]`` has ``E[idx[i]]``; part of `rows`."""

from __future__ import annotations

import operator

from srcad.analysis.gathers import gathered, is_pick
from srcad.analysis.regions import Regions
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import Call, Expr, Slice, Var
from srcad.lang.types import REAL, Array
from srcad.transforms.infer import typed


def are_picked(regions: Regions, expr: Expr) -> bool:
    """Whether indices pick the rows of an array that has a name, by its first axes.

    >>> from srcad.lang.ir import Tuple
    >>> E, idx = Var("E", Array("float64", ("n", "d"), "C")), Var("idx", Array("int64", ("k",), "C"))
    >>> rows = Call(operator.getitem, (E, idx), (), Array("float64", ("k", "d"), "A"))
    >>> columns = Call(operator.getitem, (E, Tuple((Slice(), idx))), (), Array("float64", ("n", "k"), "A"))
    >>> are_picked(Regions(), rows), are_picked(Regions(), columns)
    (True, False)
    """
    kind = getattr(expr, "type", None)
    if not isinstance(expr, Call) or not isinstance(kind, Array) or kind.dtype not in (*REAL, "bool", "int64"):
        return False
    region = gathered(regions, expr) if expr.args and isinstance(expr.args[0], Var) else None
    return region is not None and any(axis.picked is not None and axis.first == 0 for axis in region.axes)


def picks_of(expr: Call) -> list[Expr]:
    """The arrays of indices that pick rows."""
    return [item for item in items_of(expr.args[1]) if is_pick(item) and not isinstance(item, Slice)]


def at_picks(expr: Call, rows: list[Expr]) -> Expr:
    """What an array has where `rows` of the indices say."""
    own = iter(rows)
    index = index_of([next(own) if is_pick(item) else item for item in items_of(expr.args[1])])
    return typed(Call(operator.getitem, (expr.args[0], index)))
