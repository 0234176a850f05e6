"""Keys: text that is put into order, and dicts of pairs; part of `inline`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Call, Const, Expr, Tuple
from srcad.lang.types import UNKNOWN, Form, TupleType

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees, Keywords
    from srcad.transforms.known import Known


def in_order(c: Callees, found: TupleType, values: Expr, options: dict[str, Expr]) -> Expr | None:
    """``sorted`` of the keys of a dict, or of its items by their keys; None for what is no text."""
    if isinstance(values, Call) and values.fn in (list, tuple) and len(values.args) == 1:
        return in_order(c, found, values.args[0], options)
    items = tuple(map(Const, found.form.keys)) if found.form.cls is dict else getattr(values, "items", ())
    by, backwards = (options.get(name, Const(None)) for name in ("key", "reverse"))
    ranks = [_rank(c, item, by) for item in items]
    if not items or not isinstance(backwards, Const) or not all(isinstance(rank, str) for rank in ranks):
        return None
    order = sorted(range(len(items)), key=ranks.__getitem__, reverse=bool(backwards.value))
    return Tuple(tuple(items[k] for k in order))


def _rank(c: Callees, item: Expr, by: Expr) -> Any:
    """What an item is put into order by."""
    first = item.items[0] if isinstance(item, Tuple) and item.items else item
    if not isinstance(first, Const) or not isinstance(first.value, str):
        return None
    match by:
        case Const(value=None):
            return first.value
        case Const(value=key):
            return getattr(c.invoke(key, (item,), ()), "value", None)
        case Call(operator.itemgetter, (Const(value=0),)) if item is not first:
            return first.value
    return None


def of_pairs(c: Known, pairs: Expr, kwargs: Keywords) -> Expr | None:
    """``dict(pairs)`` of a list of pairs with known keys; None for anything else."""
    made: dict[Any, Expr] = {}
    for pair in c.elements(pairs) or ():
        both = c.elements(pair)
        if both is None or len(both) != 2 or not isinstance(both[0], Const):
            return None
        made[both[0].value] = both[1]
    made |= dict(kwargs)
    return Tuple(tuple(made.values()), TupleType((UNKNOWN,) * len(made), Form(dict, tuple(made))))
