"""What a nest adds to neighbours, taken up by the nest ahead of it. Part of `margins`.

A step in place has a reverse of two nests: one takes each ``x_bar[i, j]``, puts another number there, and stores
``t[i, j]``, and the next one adds these to the neighbours. But then the first one may put there what the neighbours
have as well, if all of `t` is computed before it: each element is written once, and the rims are left to loops of
their own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.additions import only_added_to, place_of
from srcad.analysis.affine import linear
from srcad.analysis.buffers import stored_names
from srcad.analysis.contents import content_names
from srcad.analysis.overwritten import mentions, only_at
from srcad.analysis.pairs import Pairs
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Expr, For, Let, Stmt, Store, Var
from srcad.lang.types import FLOAT, INT
from srcad.lang.walk import assigned, names, rename_expr, stmt_exprs
from srcad.transforms.simplify import plus
from srcad.transforms.rims import Addition, Offsets, Span, Wide, guarded, rebuilt, rims, taken_apart, total


@dataclass(frozen=True)
class Ahead:
    """A nest whose iterations each have an element of an array, to which the next nest adds what neighbours have."""

    spans: list[Span]
    own: Store  # the last that an iteration does with its element
    offset: Offsets
    elsewhere: list[Addition]  # with this nest's counters
    stored: dict[str, Store]  # by the array, what stores the values

    @staticmethod
    def of(stmt: Stmt | None, loops: list[For], elsewhere: list[Addition], pairs: Pairs) -> Ahead | None:
        """The nest, if its loops count as those of the one that adds, which does nothing else."""
        nest = _same_nest(stmt, loops)
        target = elsewhere[0].stmt.target
        if nest is None or not isinstance(target, Call) or len(loops[-1].body) != len(elsewhere):
            return None
        spans = [span for each in nest if (span := Span.of(each)) is not None]
        array, body = target.args[0], nest[-1].body
        assert isinstance(array, Var)
        users = [s for s in body if mentions(s, array.name)]
        own = users[-1] if users else None
        if not isinstance(own, Store) or own.base != array or not all(only_at(s, array, own.index) for s in users):
            return None
        read = {n for s in body for e in stmt_exprs(s) for n in content_names(e)} | stored_names(body)
        between = {n for each in nest[:-1] for s in each.body[:-1] for e in stmt_exprs(s) for n in content_names(e)}
        if array.name in between or any(pairs.may_share(n, array.name) for n in (read | between) - {array.name}):
            return None
        moved = [_renamed(one, {b.index: a.index for a, b in zip(nest, loops)}) for one in elsewhere]
        offset, stored = _offset(own.index, moved[0].stmt.target, nest), _stored(moved, body)
        fixed = {n for one in elsewhere if one.factor is not None for n in names(one.factor)}
        if offset is None or stored is None or fixed & assigned((nest[0],)):
            return None
        return Ahead(spans, own, offset, moved, stored)

    def gathering(self, wide: Wide, pairs: Pairs, fresh: Callable[[str], str]) -> tuple[Stmt, ...] | None:
        """What is stored for others, the nest with what others have, and the rims."""
        spans, inner = self.spans, self.spans[-1].loop
        around = rims(wide, self.offset, self.elsewhere, fresh)
        elements: dict[int, Expr] = {id(s): Call(operator.getitem, (s.base, s.index), (), FLOAT)
                                     for s in self.stored.values()}  # fmt: skip
        adding = {id(s): Accum(elements[id(s)], s.value) for s in self.stored.values()}
        body: Block = tuple(adding.get(id(s), s) for s in inner.body)
        apart = [*spans[:-1], replace(spans[-1], loop=replace(inner, body=body))]
        computed = [Addition(one, self.offset, None, one.value) for one in adding.values()]
        held = {s.value.name: elements[id(s)] for s in self.stored.values() if isinstance(s.value, Var)}
        parts = around and taken_apart(apart, computed, held, pairs.during(spans[0].loop))
        if not around or not parts:
            return None
        counters: list[Expr] = [Var(span.loop.index, INT) for span in spans]
        terms = [wide.element(one, list(map(plus, counters, self.offset))) for one in self.elsewhere]
        own = replace(self.own, value=total([self.own.value, *terms]))
        second = tuple(own if s is self.own else s for s in parts[1])
        first = (*parts[0], *(s for s in inner.body if id(s) in adding))
        return (*rebuilt(spans, first), *rebuilt(spans, second), guarded(spans, around, spans[0].loop))


def by_arrays(loops: list[For], pairs: Pairs) -> list[For]:
    """A nest that adds to elements of several arrays as one nest for each of them, if that is all it does."""
    body = loops[-1].body
    bases = list(dict.fromkeys(place[0] for stmt in body if (place := place_of(stmt)) is not None))
    between = any(len(each.body) > 1 for each in loops[:-1])
    if len(bases) < 2 or between or any(place_of(stmt) is None for stmt in body):
        return loops[:1]
    if not all(only_added_to(pairs, base, (loops[0],), loops[0]) for base in bases):
        return loops[:1]
    found: list[For] = []
    for base in bases:
        block: Block = tuple(stmt for stmt in body if (place_of(stmt) or ("",))[0] == base)
        for each in reversed(loops):
            nest = replace(each, body=block)
            block = (nest,)
        found.append(nest)
    return found


def _same_nest(stmt: Stmt | None, loops: list[For]) -> list[For] | None:
    """The loops of a nest, if they count as others do."""
    found: list[For] = []
    for each in loops:
        if not isinstance(stmt, For) or not stmt.body or stmt.flag is not None or stmt.shared:
            return None
        if (stmt.start, stmt.stop, stmt.step) != (each.start, each.stop, each.step):
            return None
        found.append(stmt)
        stmt = stmt.body[-1]
    if not all(isinstance(s, Let) for each in found[:-1] for s in each.body[:-1]):
        return None
    changed = assigned((found[0],))
    if any(changed & (names(each.start) | names(each.stop)) for each in found):
        return None
    return found if all(isinstance(s, (Let, Store, Accum)) for s in found[-1].body) else None


def _renamed(one: Addition, counters: dict[str, str]) -> Addition:
    target, value = (rename_expr(e, counters) for e in (one.stmt.target, one.value))
    return replace(one, stmt=replace(one.stmt, target=target, value=value), value=value)


def _offset(own: Expr, target: Expr, nest: list[For]) -> Offsets | None:
    """How far an iteration's own element is from the counters, if additions vary along the same axes."""
    assert isinstance(target, Call)
    items, others = (items_of(i) for i in (own, target.args[1]))
    known, added = ([linear(item) for item in each] for each in (items, others))
    found: dict[str, int] = {}
    for item, other, one, two in zip(items, others, known, added):
        counted = two is not None and any(two[0] == each.index for each in nest)
        if not counted and item != other or counted and (one is None or one[0] != two[0]):  # type: ignore[index]
            return None
        if counted:
            found[one[0]] = one[1]  # type: ignore[index]
    return tuple(found[each.index] for each in nest) if len(items) == len(others) and len(found) == len(nest) else None


def _stored(elsewhere: list[Addition], body: Block) -> dict[str, Store] | None:
    """The statements that store what is added, by the arrays."""
    found: dict[str, Store] = {}
    for one in elsewhere:
        match one.value:
            case Call(operator.getitem, (Var(name), index)):
                users = [s for s in body if mentions(s, name)]
                only = users[0] if len(users) == 1 else None
                if not isinstance(only, Store) or only.index != index or not isinstance(only.base, Var):
                    return None
                if only.base.name != name or name in names(only.value):
                    return None
                found[name] = only
            case _:
                return None
    return found
