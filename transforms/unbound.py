"""Names that only one branch binds and that are read behind it for sure: an error on the other path, as in Python.

Without it a loop would begin with the zero that stands for such a name, and machine code would read what is there.
Part of `flatten`.
"""

from __future__ import annotations

from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, If, Let, Move, Return, Stmt, Var, While, and_, hint, is_temporary, or_,
    raise_, select,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import NONE, Static


def unbound_error(block: Block, other: Block, behind: Block, origin: Origin) -> list[Stmt]:
    """The error of the path on which a name has no value that only `other` binds and that `behind` reads.

    >>> from srcad.lang.types import FLOAT
    >>> m = Var("m", FLOAT)
    >>> [error] = unbound_error((), (Let("m", Const(1.0, FLOAT)),), (Return(m),), Origin())
    >>> error.call.args[1].value
    "cannot access local variable 'm' where it is not associated with a value"
    >>> unbound_error((), (Let("m", Const(1.0, FLOAT)),), (), Origin())
    []
    """
    bound = {name for stmt in other if isinstance(stmt, (Let, Move)) for name in walk.targets(stmt)}
    for name in sorted(bound - walk.defined(block)):
        if not is_temporary(name) and not _speaks(block) and _surely_read(behind, name):
            message = f"cannot access local variable {hint(name)!r} where it is not associated with a value"
            error = Call(raise_, tuple(Const(v, Static(v)) for v in (UnboundLocalError, message)), (), NONE)
            return [Effect(error, origin)]
    return []


def _speaks(block: Block) -> bool:
    """Whether statements raise errors of their own, or print, which comes first."""
    return any(isinstance(stmt, (Effect, Return)) for stmt in walk.statements(block))


def _surely_read(block: Block, name: str) -> bool:
    """Whether a name is read on every path through a block, before anything else is seen of it."""
    handed: set[str] = set()  # the names under which a loop takes it over
    for k, stmt in enumerate(block):
        if isinstance(stmt, Move):
            handed = {t for t, v in zip(stmt.targets, stmt.values) if isinstance(v, Var) and v.name == name}
            continue
        if any(name in _read(expr) for expr in walk.stmt_exprs(stmt)):
            return True
        if _speaks((stmt,)):
            return False
        if isinstance(stmt, If) and _surely_read(stmt.then, name) and _surely_read(stmt.orelse, name):
            return True
        if isinstance(stmt, (For, While)) and any(_carried(stmt, each, block[k + 1 :]) for each in handed):
            return True
        handed = set()
    return False


def _carried(loop: For | While, name: str, behind: Block) -> bool:
    """Whether the first value of a name that a loop carries is read, be it behind the loop where it never runs."""
    asked = any(name in _read(expr) for expr in walk.stmt_exprs(loop))
    return asked or _surely_read(loop.body, name) and _surely_read(behind, name)


def _read(expr: Expr) -> set[str]:
    """The names that an expression reads, whatever its conditions come out as."""
    return set(walk.names(walk.map_expr(_first, expr)))


def _first(expr: Expr) -> Expr:
    lazy = isinstance(expr, Call) and any(expr.fn is fn for fn in (select, and_, or_))
    return expr.args[0] if lazy else expr  # type: ignore[union-attr]
