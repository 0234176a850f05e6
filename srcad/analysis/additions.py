"""Statements that add numbers to elements of arrays."""

from __future__ import annotations

from srcad.analysis.pairs import Pairs
from srcad.lang.ir import Accum, Block, Call, Expr, For, Stmt, Var
from srcad.lang.types import REAL, Array, Scalar
from srcad.lang.walk import statements, stmt_exprs, subexprs, targets


def only_added_to(pairs: Pairs, base: str, block: Block, loop: For | None = None) -> bool:
    """Whether all that is done with an array, and with what may share its memory, is to add numbers to its elements.

    Memory is what names share while a loop runs, or at any time.
    """
    mentions = 0
    for stmt in statements(block):
        read = [e.name for x in stmt_exprs(stmt) for e in subexprs(x) if isinstance(e, Var)]
        mentions += sum(pairs.may_share(base, name, loop) for name in (*read, *targets(stmt)))
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
