"""Objects that operators of augmented assignments change, ``rows += [row]``, and that stay the same ones; part of
`inline`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from srcad.lang import walk
from srcad.lang.forms import REFUSED, Bind
from srcad.lang.ir import Block, Call, Const, Expr, Let, Stmt, Var
from srcad.library.rows import Rows
from srcad.transforms.inplace import is_inplace
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.order import assigned
from srcad.transforms.values import Object, lookup

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


class Another(OnceMore):
    """Met while inlining: an operator of an augmented assignment gives another object than the one it is called of."""

    def __init__(self, cls: type):
        self.cls = cls

    def teach(self, learnt: Learnt) -> None:
        learnt.replaced.add(self.cls)


def rebound(c: Callees, body: Block) -> set[str]:
    """The names that a block may give to something else than the object that they mean before it."""
    stmts = list(walk.statements(body))
    staying = {stmt.target for stmt in stmts if isinstance(stmt, Let) and _held(c, stmt)}
    if not staying:
        return assigned(body)
    others = {name for stmt in stmts if not _held(c, stmt) for name in walk.targets(stmt)}
    exprs = (expr for stmt in stmts for each in walk.stmt_exprs(stmt) for expr in walk.subexprs(each))
    bound = {expr.fn.name for expr in exprs if isinstance(expr, Call) and isinstance(expr.fn, Bind)}
    return assigned(body) - (staying - others - bound)


def stays(c: Callees, stmt: Let, found: Expr) -> bool:
    """Whether a statement leaves a name the object that it means; once more, if others have counted on that in vain."""
    held = _held(c, stmt)
    if held is None or found is REFUSED:
        return False
    if isinstance(found, Const) and found.value is held:
        return True
    raise Another(held.cls)


def _held(c: Callees, stmt: Stmt) -> Object | None:
    """The object that an augmented assignment calls a method of."""
    match stmt:
        case Let(target, Call(fn, (Var(name), _))) if name == target and is_inplace(fn):
            meaning = c.frame.meaning(name)
            held = c.static.get(meaning.name) if isinstance(meaning, Var) and meaning.name not in c.slots else None
            made = held.value if isinstance(held, Const) else None
            if isinstance(made, Object) and made.cls not in c.replaced and _has(made.cls, f"__{fn.__name__}__"):
                return made
    return None


def _has(cls: type, method: str) -> bool:
    return cls is Rows or lookup(cls.__mro__, method) is not None
