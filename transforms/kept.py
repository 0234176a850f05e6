"""Arrays that are put into lists: as a list that grows has copies, nobody may write to what it was given.

``xs.append(u)`` puts `u` itself into the list. The copy in the list's buffer is as good as long as neither `u` is
written to afterwards, nor the element through the list.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

from srcad.lang.ir import Accum, Attr, Block, Call, Effect, Expr, For, Let, Method, Stmt, Store, Var, While, select
from srcad.lang.lists import slot
from srcad.lang.walk import blocks, names, stmt_exprs
from srcad.transforms.order import is_inplace

_VIEWS = frozenset("reshape ravel transpose swapaxes squeeze view T real imag diagonal".split())
Place = tuple[int, tuple[int, ...]]


def root(expr: Expr) -> str | None:
    """The name of the array that an expression is, or is a view of."""
    match expr:
        case Var(name):
            return name
        case Attr(value):
            return root(value)
        case Call(fn, (base, *_)) if fn is operator.getitem:
            return root(base)
        case Call(Method(name), (base, *_)) if name in _VIEWS:
            return root(base)
        case Call(fn, (_, then, orelse)) if fn is select:
            return root(then) or root(orelse)
        case Call(fn, (base, *_)) if getattr(fn, "__name__", "") in _VIEWS:
            return root(base)
    return None


def written_afterwards(body: Block, given: list[tuple[str, Stmt]], moves: list[Stmt]) -> Iterator[tuple[str, Stmt]]:
    """The names put into lists that are written to too late, and the statements that put them there."""
    found = _Places()
    found.block(body, ())
    skipped = {id(stmt) for stmt in moves}
    for name, stmt in given:
        place = found.at.get(id(stmt))
        assert isinstance(stmt, Store) and isinstance(stmt.base, Var)
        if place is None:
            continue
        own, whole = found.family({name}), found.family({name, stmt.base.name})
        for base, at, key in found.writes:
            if base not in whole or key in skipped or found.before(at, place, own):
                continue
            if base in own or not found.unread(place, own):
                yield name, stmt
                break


class _Places:
    """Where statements stand: their number, and the loops around them."""

    def __init__(self) -> None:
        self.at: dict[int, Place] = {}
        self.writes: list[tuple[str, Place, int]] = []
        self.reads: list[tuple[str, Place]] = []
        self.made: dict[str, list[tuple[Place, bool]]] = {}  # where a name is bound, and whether to something new
        self.linked: dict[str, set[str]] = {}
        self.count = 0

    def block(self, block: Block, loops: tuple[int, ...]) -> None:
        for stmt in block:
            self.count += 1
            place = self.at[id(stmt)] = (self.count, loops)
            self.statement(stmt, place)
            inside = (*loops, self.count) if isinstance(stmt, (For, While)) else loops
            for inner in blocks(stmt):
                self.block(inner, inside)

    def statement(self, stmt: Stmt, place: Place) -> None:
        self.reads += [(name, place) for expr in stmt_exprs(stmt) for name in names(expr)]
        match stmt:
            case Let(target, Call(fn, (Var(name), _))) if is_inplace(fn):
                self.writes.append((name, place, id(stmt)))
                self.link(target, name)
            case Let(target, value):
                source = root(value)
                self.made.setdefault(target, []).append((place, source is None))
                if source is not None:
                    self.link(target, source)
            case Store(base, Call(fn)) if fn is slot:
                pass
            case Store(base) | Accum(base):
                self.writes.append((root(base) or "", place, id(stmt)))
            case Effect(Call(_, (base, *_))):
                self.writes.append((root(base) or "", place, id(stmt)))

    def link(self, a: str, b: str) -> None:
        self.linked.setdefault(a, set()).add(b)
        self.linked.setdefault(b, set()).add(a)

    def family(self, names: set[str]) -> set[str]:
        """All names that may share memory with these."""
        found, waiting = set(names), list(names)
        while waiting:
            new = self.linked.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def unread(self, given: Place, family: set[str]) -> bool:
        """Whether nothing but the list is asked for the array once it has been given."""
        reads = [place for name, place in self.reads if name in family]
        if any(place[0] > given[0] for place in reads):
            return False
        new = [place for name in family for place, fresh in self.made.get(name, ()) if fresh]
        first = min((place[0] for place in new if place[1][: len(given[1])] == given[1]), default=given[0])
        return not given[1] or all(place[0] > first for place in reads)

    def before(self, write: Place, given: Place, family: set[str]) -> bool:
        """Whether a write is over when the array is given, in this iteration and in all that follow."""
        if write[0] > given[0]:
            return False
        if not given[1]:
            return True
        bound = [each for name in family for each in self.made.get(name, ())]
        inside = all(place[1][: len(given[1])] == given[1] for place, _ in bound)
        return inside and write[1][: len(given[1])] == given[1] and any(new and p[0] < write[0] for p, new in bound)
