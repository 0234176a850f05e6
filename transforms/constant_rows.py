"""Rows of constant lists of lists and dicts of lists, ``graph[node]``, at an index that is not known; part of `inline`.

The elements of all rows stand in one array, and where each row begins in another. A row is a slice of the first.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.lang.ir import Call, Const, Effect, Expr, If, Slice, Var, or_, raise_, select

if TYPE_CHECKING:
    from srcad.transforms.tables import Tables


def row_at(c: Tables, table: Expr, index: Expr) -> Expr | None:
    """``table[index]``, as an array that stands for a list; None where the table is none of such rows."""
    rows = _rows(table.value) if isinstance(table, Const) else None
    if rows is None or isinstance(index, (Const, Slice)):
        return None
    keyed, place = isinstance(table.value, dict), c.kept(index)  # type: ignore[union-attr]
    count = Const(len(rows))
    least = Const(0 if keyed else -len(rows))
    outside = Call(or_, (Call(operator.lt, (place, least)), Call(operator.ge, (place, count))))
    error, said = (KeyError, "a key that the dict does not have") if keyed else (IndexError, "list index out of range")
    c.emit(If(outside, (Effect(Call(raise_, (Const(error), Const(said))), c.origin),), (), c.origin))
    if not keyed:
        behind = Call(operator.add, (place, count))
        place = c.named(Call(select, (Call(operator.lt, (place, Const(0))), behind, place)))
    name = getattr(table, "name", None) or "rows"
    starts = Const(np.cumsum([0, *map(len, rows)]), name=f"{name}_starts")
    members = Const(np.array([item for row in rows for item in row]), name=f"{name}_members")
    ends = (Call(operator.getitem, (starts, Call(operator.add, (place, Const(k))) if k else place)) for k in (0, 1))
    result = c.fresh("row")
    c.let(result, Call(operator.getitem, (members, Slice(*ends))))
    c.stands_for_list(result, False)
    return Var(result)


def _rows(held: Any) -> list[list[Any]] | None:
    """The rows of a list of lists, or of a dict whose keys count them; None for anything else."""
    if isinstance(held, dict) and [*held] == [*range(len(held))]:
        held = [*held.values()]
    elif not isinstance(held, list) or len({len(row) for row in held if isinstance(row, list)}) < 2:
        return None
    if not all(isinstance(row, list) for row in held) or not any(held):
        return None
    kinds = {type(item) for row in held for item in row}
    return held if kinds in ({int}, {float}) else None
