"""Statements that add numbers to elements of arrays."""

from __future__ import annotations

from srcad.analysis.affine import linear
from srcad.analysis.pairs import Pairs
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Attr, Block, Call, Expr, For, Stmt, Var
from srcad.lang.types import REAL, Array, Scalar
from srcad.lang.walk import assigned, statements, stmt_exprs, subexprs, targets


def only_added_to(pairs: Pairs, base: str, block: Block, loop: For | None = None) -> bool:
    """Whether all that is done with an array, and with what may share its memory, is to add numbers to its elements,
    and to ask for its lengths.

    Memory is what names share while a loop runs, or at any time.
    """
    mentions = 0
    for stmt in statements(block):
        every = [e for x in stmt_exprs(stmt) for e in subexprs(x)]
        asked = [e.value.name for e in every if isinstance(e, Attr) and e.name == "shape" and isinstance(e.value, Var)]
        read = [e.name for e in every if isinstance(e, Var)]
        mentions += sum(pairs.may_share(base, name, loop) for name in (*read, *targets(stmt)))
        mentions -= sum(pairs.may_share(base, name, loop) for name in asked)
    return mentions == sum((place_of(stmt) or ("",))[0] == base for stmt in statements(block))


def place_of(stmt: Stmt) -> tuple[str, Expr] | None:
    """The array and the subscript where a statement adds a number to one element of an array of real numbers."""
    match stmt:
        case Accum(Call(args=(Var(name, Array(dtype)), index), type=Scalar()), value) if dtype in REAL:
            kind = getattr(value, "type", None)
            return (name, index) if isinstance(kind, Scalar) and kind.dtype in REAL else None
    return None


def varies(index: Expr, changed: set[str]) -> bool:
    """Whether a subscript may be another one in the next iteration: it reads what changes, or elements of arrays."""
    return any(isinstance(e, Var) and (e.name in changed or isinstance(e.type, Array)) for e in subexprs(index))


def neighbours(loop: For, base: str, farthest: int) -> dict[int, Accum] | None:
    """The additions to neighbouring elements of an array by how far from the loop's index these are; None if there are
    none, or any addition is elsewhere than at the index, or farther away. Those to other rows are left out.
    """
    changed = assigned(loop.body) | {loop.index}
    rows: dict[tuple, dict[int, Accum]] = {}
    for stmt in loop.body:
        place = place_of(stmt)
        if not isinstance(stmt, Accum) or place is None or place[0] != base:
            continue
        index = place[1]
        items = items_of(index)
        own = [k for k, item in enumerate(items) if (linear(item) or ("", 0))[0] == loop.index]
        if len(own) != 1 or any(varies(item, changed) for k, item in enumerate(items) if k != own[0]):
            return None
        offset = linear(items[own[0]])[1]  # type: ignore[index]
        row = rows.setdefault((own[0], *(item for k, item in enumerate(items) if k != own[0])), {})
        if offset in row:
            return None
        row[offset] = stmt
    several = [row for row in rows.values() if len(row) > 1]
    return several[0] if several and max(several[0]) - min(several[0]) <= farthest else None
