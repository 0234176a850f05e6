"""A growing sequence of statements that knows where each name is mentioned; part of `adjoint`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator

from srcad.lang.ir import Stmt


class Indexed:
    """Statements by position; `mentioned` gives the names that one of them, or one inside it, reads or assigns.

    A statement may be replaced by one that mentions the same names, or by None.

    >>> from srcad.lang.ir import Let, Var
    >>> from srcad.lang.walk import mentioned
    >>> stmts = Indexed(lambda stmt: mentioned((stmt,)), [Let("a", Var("x")), Let("b", Var("a")), Let("c", Var("a"))])
    >>> stmts.uses("a"), stmts.next_use("a", 1), [stmt.target for stmt in stmts.behind("a", 0)]
    ([0, 1, 2], 2, ['b', 'c'])
    """

    def __init__(self, mentioned: Callable[[Stmt], Collection[str]], stmts: Iterable[Stmt] = ()) -> None:
        self.mentioned = mentioned
        self.stmts: list[Stmt | None] = []
        self.positions: dict[str, list[int]] = {}
        self.extend(stmts)

    def extend(self, stmts: Iterable[Stmt]) -> None:
        for stmt in stmts:
            for name in self.mentioned(stmt):
                self.positions.setdefault(name, []).append(len(self.stmts))
            self.stmts.append(stmt)

    def uses(self, name: str) -> list[int]:
        """The positions at which a name is mentioned, in order."""
        return self.positions.get(name, [])

    def next_use(self, name: str, position: int) -> int | None:
        """The first position behind `position` at which a name is mentioned."""
        found = self.uses(name)
        number = bisect_right(found, position)
        return found[number] if number < len(found) else None

    def behind(self, name: str, position: int) -> Iterator[Stmt]:
        """The statements behind `position` that mention a name."""
        found = self.uses(name)
        for number in range(bisect_right(found, position), len(found)):
            stmt = self.stmts[found[number]]
            if stmt is not None:
                yield stmt
