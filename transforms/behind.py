"""The nest that gathers for all elements of an array, behind the one that stores what they get. Part of `margins`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from srcad.analysis.lengths import Lengths
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Store, Var
from srcad.lang.types import INT, Array
from srcad.transforms.rims import Addition, Offsets, Wide, guarded, moved, rebuilt, total
from srcad.transforms.simplify import plus


def behind(
    wide: Wide, low: Offsets, width: Offsets, elsewhere: list[Addition], fresh: Callable[[str], str], lengths: Lengths
) -> tuple[Wide, Block]:
    """The nest that stores what goes elsewhere, and behind it the one that gathers; and the arrays between the two."""
    spans, inner = wide.spans, wide.spans[-1].loop
    gone = {id(one.stmt): one for one in elsewhere}
    stored = {one.value: id(one.stmt) for one in reversed(elsewhere)}
    body = tuple(s for stmt in inner.body
                 for s in ((stmt,) if id(stmt) not in gone else wide.stores(gone[id(stmt)])
                           if stored[gone[id(stmt)].value] == id(stmt) else ()))  # fmt: skip
    first = rebuilt(spans, body) if any(isinstance(s, (Store, Accum)) for s in body) else ()
    target, origin = elsewhere[0].stmt.target, elsewhere[0].stmt.origin
    counters = [Var(fresh(span.loop.index), INT) for span in spans]
    places = [plus(c, span.low + least) for span, c, least in zip(spans, counters, low)]
    value = total([wide.element(one, places) for one in elsewhere])
    gathered = moved(target, spans, places)
    stops = [plus(span.count, more) for span, more in zip(spans, width)]
    second: Block = (Accum(gathered, value, origin),)
    for counter, stop in reversed(list(zip(counters, stops))):
        second = (For(counter.name, Const(0, INT), stop, Const(1, INT), second, None, origin),)
    if _goes_through(gathered, counters, stops, lengths):
        return replace(wide, counts=tuple(span.count for span in spans)), (*first, *second)
    return wide, (*first, guarded(spans, second, spans[0].loop))


def _goes_through(target: Expr, counters: list[Var], stops: list[Expr], lengths: Lengths) -> bool:
    """Whether loops go through an array's axes: they are right for any lengths, also where others had no iteration."""
    assert isinstance(target, Call) and isinstance(target.args[0].type, Array)
    ends = {counter.name: stop for counter, stop in zip(counters, stops)}
    items = items_of(target.args[1])
    if len(items) != len(counters) or not all(isinstance(item, Var) and item.name in ends for item in items):
        return False
    dims = [lengths.dim(ends[item.name]) for item in items if isinstance(item, Var)]
    return all(dim is not None and dim == own for dim, own in zip(dims, target.args[0].type.shape))
