"""Arrays that change their name and are written to: safe only if the old name is not used again.

A joined name has a cotangent of its own. That is right as long as the memory goes by one name at a time; where it goes by
two and is written through one of them, the derivative is refused.
"""

from __future__ import annotations

from srcad.analysis.buffers import Buffers
from srcad.lang import walk
from srcad.lang.errors import Problem, UnsupportedError
from srcad.lang.ir import Block, For, Function, Move, Var, While, hint
from srcad.lang.types import is_array

REMEDY = "take a copy, x = x.copy(), before giving the array a second name"


def check_handovers(fn: Function, buffers: Buffers, active) -> None:
    """Refuse a function that writes to an array which it then knows under two names.

    Raises
    ------
    UnsupportedError
        with the line of the write-through name.
    """
    joined = {t for stmt in walk.statements(fn.body) if isinstance(stmt, Move) for t in stmt.targets}
    problems: list[Problem] = []
    _block(fn.body, frozenset(), buffers, active, joined, problems)
    if problems:
        raise UnsupportedError(problems)


def _block(block: Block, later: frozenset[str], buffers: Buffers, active, joined: set[str], problems: list[Problem]) -> None:
    after = later
    for stmt in reversed(block):
        if isinstance(stmt, Move):
            _move(stmt, after, buffers, active, joined, problems)
        for inner in walk.blocks(stmt):
            around = after | _array_reads((stmt,)) if isinstance(stmt, (For, While)) else after
            _block(inner, frozenset(around - walk.assigned(inner)), buffers, active, joined, problems)
        after |= _array_reads((stmt,))


def _move(move: Move, after: frozenset[str], buffers: Buffers, active, joined: set[str], problems: list[Problem]) -> None:
    sources = [v.name for v in move.values if isinstance(v, Var)]
    for target, value in zip(move.targets, move.values):
        if not (isinstance(value, Var) and is_array(value.type) and target in active and buffers.mutated(target)):
            continue
        names = {n for n in after if n != target and buffers.root(n) not in joined and buffers.may_share(n, value.name)}
        if names or sources.count(value.name) > 1:
            reason = f"the array {hint(target)!r} is written to while it may be known as {hint(min(names, default=value.name))!r} too"
            problems.append(Problem(move.origin, reason, REMEDY))


def _array_reads(block: Block) -> frozenset[str]:
    found: set[str] = set()
    for stmt in walk.statements(block):
        for expr in walk.stmt_exprs(stmt):
            found.update(e.name for e in walk.subexprs(expr) if isinstance(e, Var) and is_array(e.type))
    return frozenset(found)
