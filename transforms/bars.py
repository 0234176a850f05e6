"""Which cotangents a piece of the reverse sweep adds to, and which it reads; part of `fuse`.

Two pieces that only add may change places.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from srcad.analysis.buffers import views_of
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, Let, Stmt, Store, Var
from srcad.transforms.context import is_bar


class Bars:
    """The cotangents of some code; a view of one counts as the one that it is a view of.

    `views` tells of those that are bound elsewhere.
    """

    def __init__(self, code: Block, views: dict[str, set[str]]) -> None:
        self.bases: dict[str, set[str]] = {view: set(bases) for view, bases in views.items()}
        for stmt in walk.statements(code):
            if isinstance(stmt, Let) and is_bar(stmt.target) and views_of(stmt.value):
                self.bases.setdefault(stmt.target, set()).update(n for n in walk.names(stmt.value) if is_bar(n))

    def reach(self, names: Iterable[str]) -> set[str]:
        """The cotangents that names may be, in whole or in part."""
        found: set[str] = set()
        work = [n for n in names if is_bar(n)]
        while work:
            name = work.pop()
            if name not in found:
                found.add(name)
                work.extend(self.bases.get(name, ()))
        return found

    def added(self, code: Block) -> set[str]:
        """What the code only adds to."""
        return self.reach(_base(s.target).name for s in walk.statements(code) if isinstance(s, Accum))

    def assigned(self, code: Block) -> set[str]:
        """What the code gives a value, or clears in part."""
        names: set[str] = set()
        for stmt in walk.statements(code):
            if isinstance(stmt, Store):
                names |= walk.names(stmt.base)
            elif not isinstance(stmt, Accum) and not self._is_view(stmt):
                names.update(walk.targets(stmt))
        return self.reach(names)

    def read(self, code: Block) -> set[str]:
        """What the code takes values from."""
        return self.reach(n for stmt in walk.statements(code) for n in self._reads(stmt))

    def _is_view(self, stmt: Stmt) -> bool:
        return isinstance(stmt, Let) and stmt.target in self.bases and bool(views_of(stmt.value))

    def _reads(self, stmt: Stmt) -> Set[str]:
        match stmt:
            case Let() if self._is_view(stmt):
                return set()
            case Accum(target, value):
                index = walk.names(target.args[1]) if isinstance(target, Call) else frozenset()
                return walk.names(value) | index
            case Store(_, index, value):
                return walk.names(index) | walk.names(value)
        return set().union(set(), *map(walk.names, walk.stmt_exprs(stmt)))


def _base(target: Expr) -> Var:
    base = target.args[0] if isinstance(target, Call) else target
    assert isinstance(base, Var)
    return base
