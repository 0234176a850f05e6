"""Which element moves: the loops over the tangents or seeds of a Jacobian; part of `jacobian`."""

from __future__ import annotations

from srcad.lang.arrays import axis_length, index_of
from srcad.lang.ir import Block, Const, Expr, For, Let, Stmt, Store, Tuple, Var
from srcad.lang.types import FLOAT, INT, NONE, Array, Static, TupleType, Type

ZERO, ONE = Const(0, INT), Const(1, INT)


def rank_of(kind: Type) -> int:
    """The number of dimensions; none for a number."""
    return kind.ndim if isinstance(kind, Array) else 0


def index(places: list[str]) -> Expr:
    return index_of([Var(name, INT) for name in places])


def place(rank: int, places: list[str]) -> Expr:
    """``..., i``: the place of a column of the Jacobian of an array."""
    if not rank:
        return index(places)
    items: tuple[Expr, ...] = (Const(Ellipsis, Static(Ellipsis)), *(Var(name, INT) for name in places))
    return Tuple(items, TupleType(tuple(getattr(item, "type", NONE) for item in items)))


def one_moves(still: Expr, dot: Var, places: list[str], back: bool) -> tuple[list[Stmt], list[Stmt]]:
    """The statements that set one element of a tangent or seed to one, and, to use it again, back to zero."""
    if not places:
        return [Let(dot.name, Const(1.0, FLOAT))], []
    room, at = Let(dot.name, still), index(places)
    end: list[Stmt] = [Store(dot, at, Const(0.0, FLOAT))] if back else []
    return [room, Store(dot, at, Const(1.0, FLOAT))], end


def loops(x: Var, places: list[str], body: Block) -> Block:
    """The body for each element of an array."""
    for axis in range(len(places) - 1, -1, -1):
        body = (For(places[axis], ZERO, axis_length(x, axis), ONE, body),)
    return body
