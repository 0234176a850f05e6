"""totals: a number that inner loops and branches hand on under names of their own keeps one name; part of `blocks`.

``t = s; for ...: t += v; s = t`` becomes ``for ...: s += v``, so that it shows that an iteration adds to `s`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, If, Let, Move, Stmt, Var
from srcad.lang.types import Array
from srcad.transforms.independent import adding


def totals(body: Block) -> Block:
    """Statements that add in the place of those that hand sums on, in a body and in all blocks inside.

    >>> import operator
    >>> from srcad.lang.ir import Accum, Call, Const, For
    >>> from srcad.lang.types import FLOAT, INT
    >>> s, t, u = (Var(name, FLOAT) for name in "stu")
    >>> inner = (Let("u", Call(operator.add, (t, Const(1.0, FLOAT)), (), FLOAT)), Move(("t",), (u,)))
    >>> loop = For("j", Const(0, INT), Const(9, INT), Const(1, INT), inner)
    >>> (loop,) = totals((Let("t", s), loop, Move(("s",), (t,))))
    >>> loop.body
    (Accum(target=Var(name='s', ...), value=Const(...)...),)
    """
    added = lambda inner: adding(tuple(map(_handing, _moving(inner))))
    return in_blocks(body, lambda block: in_blocks(_one_name(block), added))


def _moving(block: Block) -> Block:
    """A block without what hands a name on to itself."""
    result: list[Stmt] = []
    for stmt in block:
        kept = [(t, v) for t, v in walk.moves_of((stmt,)) if not (isinstance(v, Var) and v.name == t)]
        if not isinstance(stmt, Move) or len(kept) == len(stmt.targets):
            result.append(stmt)
        elif kept:
            result.append(replace(stmt, targets=tuple(t for t, _ in kept), values=tuple(v for _, v in kept)))
    return tuple(result)


def _handing(stmt: Stmt) -> Stmt:
    """A copy of a number as a move."""
    match stmt:
        case Let(target, Var(_, kind) as value) if not isinstance(kind, Array):
            return Move((target,), (value,), stmt.origin)
    return stmt


def in_blocks(block: Block, change: Callable[[Block], Block]) -> Block:
    """A block changed after those inside it."""
    return change(tuple(walk.map_stmt(lambda e: e, s, lambda inner: in_blocks(inner, change)) for s in block))


def _one_name(block: Block) -> Block:
    for position, stmt in enumerate(block):
        for target, source in _copies(stmt):
            found = _handed_back(block, position, target, source)
            if found is not None:
                return _one_name(found)
    return block


def _copies(stmt: Stmt) -> list[tuple[str, str]]:
    """The names that a statement hands on under another one, from the last to the first."""
    match stmt:
        case Let(target, Var(source, kind)) if not isinstance(kind, Array):
            return [(target, source)]
        case Move(targets, values):
            pairs = zip(targets, values)
            return [(t, v.name) for t, v in pairs if isinstance(v, Var) and not isinstance(v.type, Array)]
    return []


def _handed_back(block: Block, end: int, whole: str, part: str) -> Block | None:
    """A block in which `whole` gets at `end` what `part` has become, with one name for both; None where they differ.

    `part` begins with the value of `whole`, in a copy or at the end of each branch, and between the two `whole` is not
    known; neither is `part` elsewhere.
    """
    known = [k for k, stmt in enumerate(block) if k != end and part in walk.mentioned((stmt,))]
    if not known or known[-1] > end:
        return None
    start = known[0]
    if any(whole in walk.mentioned((stmt,)) for stmt in block[start + 1 : end]):
        return None
    first = block[start]
    names = {part: whole}
    if isinstance(first, If):
        if not (_ends_with(first.then, part, whole) and _ends_with(first.orelse, part, whole)):
            return None
        opening = walk.rename((first,), names)
    elif (part, whole) in _copies(first) and not _reads(first, part):
        opening = _without(first, part)
    else:
        return None
    if isinstance(block[end], Move) and len(_copies(block[end])) and _reads_others(block[end], part, whole):
        return None
    between = walk.rename(block[start + 1 : end], names)
    return (*block[:start], *opening, *between, *_without(block[end], whole), *block[end + 1 :])


def _reads(stmt: Stmt, name: str) -> bool:
    return any(name in walk.names(e) for e in walk.stmt_exprs(stmt))


def _reads_others(move: Stmt, part: str, whole: str) -> bool:
    """Whether a move reads one of two names for anything else than handing one to the other."""
    assert isinstance(move, Move)
    others = [v for t, v in zip(move.targets, move.values) if t != whole]
    return any({part, whole} & walk.names(v) for v in others)


def _ends_with(block: Block, name: str, whole: str) -> bool:
    """Whether one statement of a block assigns a name that no other knows, and behind it `whole` is not known."""
    known = [k for k, stmt in enumerate(block) if name in walk.mentioned((stmt,))]
    if len(known) != 1:
        return False
    stmt = block[known[0]]
    if any(whole in walk.mentioned((later,)) for later in block[known[0] + 1 :]):
        return False
    return name in walk.targets(stmt) and not _reads(stmt, name) and isinstance(stmt, (Let, Move))


def _without(stmt: Stmt, name: str) -> Block:
    """A statement that does not assign a name."""
    if isinstance(stmt, Let):
        return ()
    assert isinstance(stmt, Move)
    kept = [(t, v) for t, v in zip(stmt.targets, stmt.values) if t != name]
    return (replace(stmt, targets=tuple(t for t, _ in kept), values=tuple(v for _, v in kept)),) if kept else ()
