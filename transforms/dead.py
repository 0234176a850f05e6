"""Which names no statement reads behind the branch that gives them a value; part of `inline`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from srcad.lang import walk
from srcad.lang.forms import REFUSED, LocalFunction
from srcad.lang.ir import Block, Const, Expr, If, Stmt, Var
from srcad.lang.types import TupleType
from srcad.transforms.lists_first import read_first
from srcad.transforms.values import is_static

if TYPE_CHECKING:
    from srcad.transforms.frames import Frame
    from srcad.transforms.nests import Nests


def behind_call(c: Nests, frame: Frame, result: Expr, body: Block) -> dict[str, Any]:
    """The links of the names that are read behind a call: not of those of the function, if its result is a number."""
    if result is REFUSED or is_static(result) or isinstance(c.type_of(result), TupleType) or has_functions(body):
        return c.links
    return {name: link for name, link in c.links.items() if name not in frame.variables}


def behind_branch(c: Nests, stmt: If, links: dict[str, Any]) -> dict[str, Any]:
    """The links of the names that are read behind a branch."""
    frame = c.frame
    own = [name for name in behind(stmt, frame.body) if "." in name or frame.own is None or name in frame.own]
    ended = [frame.table.get(name, Var(name)) for name in own]
    return {name: link for name, link in links.items() if Var(name) not in ended}


def behind(stmt: If, body: Block) -> set[str]:
    """The names that a branch assigns and that nothing reads behind it, in the function whose statements are `body`.

    >>> from srcad.lang.ir import Let, Return
    >>> branch = If(Var("c"), (Let("r", Var("a")), Let("s", Var("r"))))
    >>> behind(branch, (branch, Return(Var("s"))))
    {'r'}
    """
    assigned = walk.assigned((stmt,))
    temporaries = {name for name in assigned if "." in name}
    others = assigned - temporaries
    if not others or has_functions(body):
        return temporaries
    around = list(_around(stmt, body))
    if all(each is not stmt for each in walk.statements(body)):
        return temporaries
    sides = (stmt.then, stmt.orelse)
    read = {name for each in around for expr in walk.stmt_exprs(each) for name in walk.names(expr)}
    read |= walk.names(stmt.test) | {name for name in others for side in sides if read_first(side, name) == "read"}
    return temporaries | others - read - {name for each in around for name in walk.targets(each)}


def _around(stmt: If, body: Block) -> Iterator[Stmt]:
    """The statements of a function but those in one of them."""
    for each in body:
        if each is not stmt:
            yield each
            for inner in walk.blocks(each):
                yield from _around(stmt, inner)


def has_functions(body: Block) -> bool:
    """Whether there are functions among some statements, which may read names later."""
    exprs = (each for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for each in walk.subexprs(expr))
    return any(isinstance(each, Const) and isinstance(each.value, LocalFunction) for each in exprs)
