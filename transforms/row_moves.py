"""Rows that change to the loop before or behind, where fewer arrays lie between the two then; part of `rows`.

A statement goes into the latest loop that it can reach, before anybody knows who reads what it makes. With
``m = 1 + x[:, 0] ** 2`` the distances of all pairs share a loop, and ``m[:, None] * m / r`` needs all of `m`, so that a
second loop would have to find all distances in memory. In the second loop they are numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from srcad.analysis.live import Names
from srcad.lang.ir import Let
from srcad.lang.types import Array
from srcad.transforms.passing import Facts, Other
from srcad.transforms.row_loops import Group
from srcad.transforms.rowwise import Row

Items = list[Group | Other]


def moved(items: Items, after: Names, facts: Facts) -> Items:
    """The items, with rows in other loops over as many rows; `after` is read behind them."""
    weight = _between(items, after)
    while any(weight):
        found = next((new for new in _changes(items, facts) if _between(new, after) < weight), None)
        if found is None:
            break
        items, weight = found, _between(found, after)
    return items


def _between(items: Items, after: Names) -> tuple[int, ...]:
    """How many arrays of more than one axis loops make for what stands outside of them, those of most axes first; and
    how often others go through them."""
    counts = [0, 0, 0]
    readers = 0
    for position, item in enumerate(items):
        others = [one.read | one.written for k, one in enumerate(items) if k != position]
        for row in item.rows if isinstance(item, Group) else ():
            kind = getattr(row.stmt.value, "type", None) if isinstance(row.stmt, Let) else None
            if isinstance(kind, Array) and kind.ndim > 1 and row.place is not None:
                found = sum(bool(row.assigned & names) for names in (*others, after))
                counts[-min(kind.ndim - 1, 3)] += found > 0
                readers += found
    return (*counts, readers)


def _changes(items: Items, facts: Facts) -> Iterator[Items]:
    """The items with rows moved from a loop to the next one over as many rows, or back to the one before."""
    groups = [k for k, item in enumerate(items) if isinstance(item, Group)]
    for n, k in enumerate(groups):
        first = items[k]
        following = (at for at in groups[n + 1 :] if items[at].dim == first.dim)  # type: ignore[union-attr]
        at = next(following, None)
        if at is None or not first.assigned & items[at].read:
            continue
        second, between = items[at], items[k + 1 : at]
        assert isinstance(first, Group) and isinstance(second, Group)
        for one, other in (_down(first, second, between, facts), _up(first, second, between, facts)):
            if (len(one), len(other)) != (len(first.rows), len(second.rows)) and one and other:
                yield [*items[:k], _group(one), *between, _group(other), *items[at + 1 :]]


def _down(first: Group, second: Group, between: Items, facts: Facts) -> tuple[list[Row], list[Row]]:
    """The rows of two loops, with all those in the second one that can be done there."""
    kept: list[Row] = []
    rows = list(second.rows)
    for row in reversed(first.rows):
        alone = Group.of(row)
        goes = _passes(row, [*kept, *between], facts) and all(alone.takes(one, facts) for one in rows)
        (rows if goes else kept).insert(0, row)
    return kept, rows


def _up(first: Group, second: Group, between: Items, facts: Facts) -> tuple[list[Row], list[Row]]:
    """The rows of two loops, with all those in the first one that can be done there."""
    kept: list[Row] = []
    group = _group(first.rows)
    for row in second.rows:
        if _passes(row, [*between, *kept], facts) and group.takes(row, facts):
            group.add(row)
        else:
            kept.append(row)
    return group.rows, kept


def _passes(row: Row, others: Sequence[Group | Other], facts: Facts) -> bool:
    return all(facts.commute(row, one) for one in others)


def _group(rows: list[Row]) -> Group:
    group = Group.of(rows[0])
    for row in rows[1:]:
        group.add(row)
    return group
