"""encounters: whether two iterations of an innermost loop, or two statements of one, may come to one element.

``for j in range(k + 1, n): b[k, j] -= v * a[i, k]; b[i, k] -= v * a[k, j]`` in a loop over `i` above `k` adds to
``b[i, k]`` and to elements of another row, since the bounds of the loops keep `i` and `k` apart. Subscripts are
compared as linear inequalities; what is not understood may meet everything.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from srcad.analysis.contents import times_given
from srcad.analysis.domains import Domains, Path, lengths
from srcad.analysis.inequalities import ONE, Form, added, possible
from srcad.analysis.spans import is_whole
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Attr, Block, Call, Expr, For, Function, If, Let, Store, Var, While
from srcad.lang.types import Array, Scalar, is_array

READ, ADD, STORE = "read", "add", "store"


@dataclass(frozen=True)
class Site:
    """Where a statement reads an element of an array, adds to it or stores it; without `items`, more than one."""

    name: str
    items: tuple[Expr, ...] | None
    path: Path  # the branches around it, in the loop
    how: str


def sites(block: Block, path: Path = ()) -> Iterator[Site]:
    """All that a block does with arrays."""
    for stmt in block:
        exprs = walk.stmt_exprs(stmt)
        match stmt:
            case Store(Var(name, kind), index, value):
                yield Site(name, _items(index, kind), path, STORE)
                exprs = index, value
            case Accum(Call(operator.getitem, (Var(name, kind), index), _, Scalar()), value):
                yield Site(name, _items(index, kind), path, ADD)
                exprs = index, value
            case Accum(target, value) if is_array(getattr(target, "type", None)):
                yield from (Site(name, None, path, STORE) for name in sorted(walk.names(target)))
        for expr in exprs:
            yield from _read(expr, path)
        for k, inner in enumerate(walk.blocks(stmt)):
            yield from sites(inner, (*path, (stmt, k == 0)))


def _read(expr: Expr, path: Path) -> Iterator[Site]:
    match expr:
        case Call(operator.getitem, (Var(name, Array() as kind), index), _, Scalar()):
            yield Site(name, _items(index, kind), path, READ)
            yield from _read(index, path)
        case Attr(Var(), "shape"):
            return
        case Var(name, Array()):
            yield Site(name, None, path, READ)
        case _:
            for inner in walk.children(expr):
                yield from _read(inner, path)


def _items(index: Expr, kind: object) -> tuple[Expr, ...] | None:
    items = items_of(index)
    return items if isinstance(kind, Array) and len(items) == kind.ndim and all(map(is_whole, items)) else None


class Encounters:
    """What the loops around innermost loops say of subscripts in these."""

    def __init__(self, fn: Function) -> None:
        self.domains = Domains(fn)
        times = times_given(fn.body)
        times.update(param.name for param in fn.params)
        self.once = {name for name, count in times.items() if count == 1}
        self.domains.fixed &= self.once
        self.domains.values, self.domains.tests = {}, {}
        self.loops: dict[int, tuple[Path, dict[str, Expr]]] = {}
        self.enter(fn.body, (), {})

    def enter(self, block: Block, path: Path, values: dict[str, Expr]) -> None:
        """Find the innermost loops, and what names of integers stand for there."""
        values = dict(values)
        for stmt in block:
            if isinstance(stmt, For):
                if stmt.index in _indices(path):
                    continue
                around = *path, (stmt, True)
                self.loops[id(stmt)] = path, values | self.own(stmt, around)
                self.enter(stmt.body, around, values)
            elif isinstance(stmt, (If, While)):
                for k, inner in enumerate(walk.blocks(stmt)):
                    self.enter(inner, (*path, (stmt, k == 0)), values)
            elif isinstance(stmt, Let) and self.is_plain(stmt, path):
                values[stmt.target] = stmt.value

    def own(self, loop: For, around: Path) -> dict[str, Expr]:
        """The names that an iteration gives to integers before it does anything else."""
        found: dict[str, Expr] = {}
        for stmt in loop.body:
            if not isinstance(stmt, Let):
                break
            if self.is_plain(stmt, around):
                found[stmt.target] = stmt.value
        return found

    def is_plain(self, stmt: Let, path: Path) -> bool:
        """Whether a name stands for a number that is made of what does not change before it is read."""
        known = self.once | _indices(path)
        return stmt.target in self.once and is_whole(stmt.value) and walk.names(stmt.value) <= known

    def never_negative(self, loop: For, number: Expr) -> bool:
        """Whether a number is surely not negative where a loop makes an iteration."""
        if id(loop) not in self.loops:
            return False
        path, self.domains.values = self.loops[id(loop)]
        keys, domain, _ = self.domains.of((*path, (loop, True)), "r")
        return self.domains.total((number,), keys, domain, "r") is not None

    def only_adds(self, loop: For, body: Block, stmt: Accum, may_share: Callable[[str, str], bool]) -> bool:
        """Whether a loop with this body does nothing with the element that a statement adds to, but to add."""
        [own] = [site for site in sites((stmt,)) if site.how == ADD]
        others = [site for site in sites(body) if may_share(own.name, site.name)]
        return all(
            other.name == own.name
            and (other.how == ADD or all(self.apart(loop, own, other, same) for same in (True, False)))
            for other in others
        )

    def any_order(self, loop: For, may_share: Callable[[str, str], bool]) -> bool:
        """Whether two iterations of a loop come to one element only if both read it, or both add to it."""
        every = list(sites(loop.body))
        writes = [site for site in every if site.how != READ]
        return all(
            not may_share(one.name, other.name)
            or one.name == other.name and (one.how == other.how == ADD or self.apart(loop, one, other, False))
            for one in writes
            for other in every
        )

    def apart(self, loop: For, one: Site, other: Site, same: bool) -> bool:
        """Whether two sites in a loop are never one element: in the `same` iteration, or else in two of them."""
        if one.items is None or other.items is None or len(one.items) != len(other.items):
            return False
        if id(loop) not in self.loops:
            return False
        path, self.domains.values = self.loops[id(loop)]
        around = *path, (loop, True)
        first, facts, unequal = self.domains.of((*around, *one.path), "r")
        second, more, others = self.domains.of((*around, *other.path), "w")
        turn: Form = {(id(loop), "w"): 1, (id(loop), "r"): -1}
        zeros: list[Form] = [{(id(stmt), "w"): 1, (id(stmt), "r"): -1} for stmt, _ in path if isinstance(stmt, For)]
        for a, b in zip(one.items, other.items):
            left = self.domains.total((a,), first, facts, "r")
            right = self.domains.total((b,), second, more, "w")
            if left is not None and right is not None:
                zeros.append(added(left, right, -1))
        facts = [*facts, *more]
        facts += [length for form in zeros for length in lengths(form)]
        zeros += self.domains.constants([*zeros, *facts, *unequal, *others], loop, False)
        cases: list[tuple[list[Form], list[Form]]]
        cases = [([turn], [])] if same else [([], [added(turn, {ONE: -1})]), ([], [added({ONE: -1}, turn, -1)])]
        return not any(possible([*zeros, *zero], [*facts, *least], [*unequal, *others]) for zero, least in cases)


def _indices(path: Path) -> set[str]:
    return {stmt.index for stmt, _ in path if isinstance(stmt, For)}
