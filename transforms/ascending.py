"""ascending: innermost loops that may run in any order count upwards, not down. For machine code only.

A reverse sweep goes through the iterations backwards. Where these meet in sums alone, that is not necessary, and
machines load and store what lies ahead more easily than what lies behind.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

from srcad.analysis.encounters import Encounters
from srcad.analysis.live import at_the_end, live
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Const, Expr, For, Function, If, Let, Move, Stmt, Store, Var, While
from srcad.lang.types import INT
from srcad.transforms.simplify import plus
from srcad.transforms.side_by_side import is_pure
from srcad.transforms.split import exposed


def ascending(fn: Function) -> Function:
    """Let innermost loops that count down by one count up, where their iterations meet in sums alone.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import Array
    >>> i, n, a = Var("i", INT), Var("n", INT), Var("a", Array("float64", ("n",), "C"))
    >>> loop = For("i", plus(n, -1), Const(-1, INT), Const(-1, INT), (Store(a, i, Const(2.0)),))
    >>> from srcad.lang.write import write
    >>> print(write(ascending(Function("f", (Param("a", a.type), Param("n", INT)), (loop, Return(a))))).text, end="")
    def f(a, n):
        for i in range(n):
            a[i] = 2.0
        return a
    """
    if fn.exact or not any(_descends(stmt) for stmt in walk.statements(fn.body)):
        return fn
    return replace(fn, body=_Turner(fn).block(fn.body, frozenset()))


def _descends(stmt: Stmt) -> bool:
    """Whether a statement is an innermost loop that counts down."""
    inner = isinstance(stmt, For) and not any(isinstance(s, (For, While)) for s in walk.statements(stmt.body))
    return inner and stmt.flag is None and walk.is_const(stmt.step, -1)  # type: ignore[union-attr]


@dataclass
class _Turner:
    fn: Function

    @functools.cached_property
    def encounters(self) -> Encounters:
        return Encounters(self.fn)

    @functools.cached_property
    def pairs(self) -> Pairs:
        return Pairs.of(self.fn.body)

    def block(self, block: Block, after: frozenset[str]) -> Block:
        result: list[Stmt] = []
        for stmt, behind in zip(block, live(block, after)):
            if isinstance(stmt, For) and _descends(stmt) and self.may_turn(stmt, behind):
                stmt = replace(stmt, start=plus(stmt.stop, 1), stop=plus(stmt.start, 1), step=Const(1, INT))
            elif isinstance(stmt, (For, While)):
                end = at_the_end(stmt, behind)
                stmt = walk.map_stmt(lambda e: e, stmt, functools.partial(self.block, after=end))
            elif isinstance(stmt, If):
                stmt = walk.map_stmt(lambda e: e, stmt, functools.partial(self.block, after=behind))
            result.append(stmt)
        return tuple(result)

    def may_turn(self, loop: For, behind: frozenset[str]) -> bool:
        """Whether nobody can tell in which order the iterations ran, but by how sums are rounded."""
        known = walk.defined(loop.body)
        plain = all(isinstance(s, (Let, Store, Accum, If, Move)) and is_pure(s) for s in walk.statements(loop.body))
        if not plain or any(isinstance(s, Move) for s in loop.body):
            return False
        own = known | {loop.index}
        if own & behind or known & exposed(loop.body) or walk.names(loop.start) & walk.assigned(loop.body):
            return False
        sums = {s.target.name for s in walk.statements(loop.body) if isinstance(s, Accum) and isinstance(s.target, Var)}
        if any(walk.names(e) & sums for s in walk.statements(loop.body) for e in _operands(s)):
            return False
        return self.encounters.any_order(loop, lambda a, b: self.pairs.may_share(a, b, loop))


def _operands(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement, without the sum that it adds to."""
    return (stmt.value,) if isinstance(stmt, Accum) and isinstance(stmt.target, Var) else walk.stmt_exprs(stmt)
