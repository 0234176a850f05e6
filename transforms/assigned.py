"""assigned: an element of a cotangent that is cleared, and then added to, is assigned.

The reverse of ``u[i] = g(u[i])`` takes the cotangent out, clears it, and adds to it: ``v = u_bar[i]; u_bar[i] = 0.0;
u_bar[i] += v * d``. Where nothing comes between the last two, they are one: ``u_bar[i] = v * d``. What is put back
as it was taken out need not be cleared at all.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import stored_name, view_of
from srcad.analysis.contents import content_names
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Function, Let, Move, Slice, Stmt, Store, Var
from srcad.lang.types import INT, Array, Scalar

NEAR = 64  # statements that are looked at


def assigned(fn: Function) -> Function:
    """Assign what is cleared before it is added to.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> b, v, i = Var("b", Array("float64", ("n",), "C")), Var("v", FLOAT), Var("i", INT)
    >>> place = Call(operator.getitem, (b, i), (), FLOAT)
    >>> twice = Call(operator.mul, (v, Const(2.0, FLOAT)), (), FLOAT)
    >>> body = (Let("v", place), Store(b, i, Const(0.0, FLOAT)), Accum(place, twice), Return(b))
    >>> from srcad.lang.write import write
    >>> print(write(assigned(Function("f", (Param("b", b.type), Param("i", INT)), body))).text, end="")
    def f(b, i):
        v = b[i]
        b[i] = v * 2.0
        return b
    """
    if not any(isinstance(stmt, Store) and walk.is_const(stmt.value, 0.0) for stmt in walk.statements(fn.body)):
        return fn
    return replace(fn, body=_Assigner(Pairs.of(fn.body)).block(fn.body))


@dataclass
class _Assigner:
    pairs: Pairs

    def block(self, block: Block) -> Block:
        stmts: list[Stmt | None] = [walk.map_stmt(lambda e: e, stmt, self.block) for stmt in block]
        for position, stmt in enumerate(stmts):
            if isinstance(stmt, Store) and walk.is_const(stmt.value, 0.0) and _is_fixed(stmt):
                following = stmts[position + 1 : position + 1 + NEAR]
                found = list(self.adding(stmt, following))
                taken = _taken(stmt, stmts[position - 1] if position else None)
                back = None if taken is None else self.back(stmt, taken, following)
                if back is not None:
                    stmts[position] = stmts[position + 1 + back] = None
                elif found:
                    adding = following[found[0]]
                    assert isinstance(adding, Accum)
                    stmts[position] = None
                    stmts[position + 1 + found[0]] = Store(stmt.base, stmt.index, adding.value, adding.origin)
        return tuple(stmt for stmt in stmts if stmt is not None)

    def adding(self, clear: Store, following: list[Stmt | None]) -> Iterator[int]:
        """The statements that add to what is cleared as a whole, until something else is done with it."""
        place = _Place.of(clear.base, clear.index)
        views: dict[str, Expr] = {}
        for position, stmt in enumerate(following):
            match stmt:
                case None:
                    continue
                case Let(name, Call() as value) if view_of(value) is not None:
                    views[name] = value
                    continue
                case Accum(target, value) if _added_to(target, views) == place:
                    if not _same_shape(target, value) or self.meets(place, value, views):
                        return
                    yield position
                    continue
            if not isinstance(stmt, (Let, Store, Accum)) or self.changes(place, stmt):
                return
            if any(self.meets(place, expr, views) for expr in _values(stmt)) or self.writes(place, stmt, views):
                return

    def back(self, clear: Store, taken: str, following: list[Stmt | None]) -> int | None:
        """The statement that adds what was taken out, as it was then, if until then others add to the array at most."""
        place = _Place.of(clear.base, clear.index)
        views: dict[str, Expr] = {}
        for position, stmt in enumerate(following):
            match stmt:
                case None:
                    continue
                case Let(name, Call() as value) if view_of(value) == clear.base and name != taken:
                    views[name] = value
                    continue
                case Accum(target, Var(name)) if name == taken and _added_to(target, views) == place:
                    return position
                case Accum(Var(name) | Call(operator.getitem, (Var(name), _))) if name in (place.base, *views):
                    written: set[str] = set()
                case Let() | Store() | Accum():
                    written = {own} if (own := stored_name(stmt)) is not None else set()
                case _:
                    return None
            bound = walk.defined((stmt,))
            if self.changes(place, stmt) or bound & {taken, *views} or stored_name(stmt) == taken:
                return None
            met = written | {name for e in _values(stmt) for name in content_names(e)}
            if any(self.pairs.may_share(place.base, name) for name in met):
                return None
        return None

    def changes(self, place: _Place, stmt: Stmt) -> bool:
        """Whether a statement assigns a name by which the place is found."""
        return bool({place.base, *walk.names(place.index)} & set(walk.targets(stmt))) and isinstance(stmt, (Let, Move))

    def writes(self, place: _Place, stmt: Stmt, views: dict[str, Expr]) -> bool:
        name = stored_name(stmt)
        if name is None or not self.pairs.may_share(place.base, name):
            return False
        match stmt:
            case Store(Var() as base, index) | Accum(Call(operator.getitem, (Var() as base, index))):
                return not place.apart(_Place.of(base, index))
        return True

    def meets(self, place: _Place, value: Expr, views: dict[str, Expr]) -> bool:
        """Whether a value reads an element of what is cleared."""
        shared = [name for name in content_names(value) if self.pairs.may_share(place.base, name)]
        if not shared:
            return False
        read = [e for e in walk.subexprs(value) if isinstance(e, Call) and e.fn is operator.getitem]
        known = [e for e in read if isinstance(e.args[0], Var) and e.args[0].name in shared]
        mentions = sum(isinstance(e, Var) and e.name in shared for e in walk.subexprs(value))
        return mentions > len(known) or not all(place.apart(_Place.of(*e.args)) for e in known)  # type: ignore


def _values(stmt: Let | Store | Accum) -> tuple[Expr, ...]:
    match stmt:
        case Store(_, index, value):
            return (index, value)
        case Accum(Call(_, (_, index)), value):
            return (index, value)
    return (stmt.value,)


@dataclass(frozen=True)
class _Place:
    """An element or a slice of an array."""

    base: str
    index: Expr

    @staticmethod
    def of(base: Expr, index: Expr) -> _Place:
        assert isinstance(base, Var)
        return _Place(base.name, index)

    def apart(self, other: _Place) -> bool:
        """Whether two places have no element in common: two numbers differ where one axis is concerned."""
        if self.base != other.base:
            return False
        mine, others = (items_of(p.index) for p in (self, other))
        return any(isinstance(a, Const) and isinstance(b, Const) and type(a.value) is type(b.value) is int
                   and a.value != b.value and (a.value < 0) == (b.value < 0) for a, b in zip(mine, others))  # fmt: skip


def _added_to(target: Expr, views: dict[str, Expr]) -> _Place | None:
    """The place that a statement adds to, by itself or by the name of a view."""
    match views.get(target.name) if isinstance(target, Var) else target:
        case Call(operator.getitem, (Var() as base, index)):
            return _Place.of(base, index)
    return None


def _same_shape(target: Expr, value: Expr) -> bool:
    """Whether a value is added to a place element by element."""
    match target, getattr(value, "type", None):
        case (Call(type=Scalar()) | Var(type=Scalar())), Scalar():
            return True
        case (Call(type=Array() as one) | Var(type=Array() as one)), Array() as two:
            return one.shape == two.shape and one.dtype == two.dtype
    return False


def _is_fixed(stmt: Store) -> bool:
    """Whether a place is found by numbers and slices that no statement can change behind one's back."""
    items = items_of(stmt.index)
    plain = all(isinstance(item, Slice) or getattr(item, "type", None) == INT for item in items)
    return isinstance(stmt.base, Var) and plain and not content_names(stmt.index)


def _taken(clear: Store, before: Stmt | None) -> str | None:
    """The name of what is cleared, if it was taken out just before."""
    match before:
        case Let(name, Call(np.copy, (Call(operator.getitem, args),)) | Call(operator.getitem, args, type=Scalar())):
            return name if args == (clear.base, clear.index) else None
    return None
