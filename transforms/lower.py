"""lower: what Numba cannot compile, written as what it can. Last pass before names are made, for machine code only."""

from __future__ import annotations

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Function, Stmt
from srcad.rules.rule import find_lowering
from srcad.transforms.infer import typed


def lower(fn: Function) -> Function:
    """Replace calls in forms that Numba does not compile.

    >>> import numpy as np
    >>> from srcad.lang.ir import Const, Return, Var
    >>> from srcad.lang.types import Array
    >>> x = Var("x", Array("float64", ("n", "m"), "C"))
    >>> call = typed(Call(np.sum, (x,), (("axis", Const((0, 1))), ("keepdims", Const(True)))))
    >>> lower(Function("f", (), (Return(call),))).body[0].value.fn.__name__
    'full'
    """
    from dataclasses import replace

    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    return tuple(_stmt(stmt) for stmt in block)


def _stmt(stmt: Stmt) -> Stmt:
    return walk.map_stmt(lower_expr, stmt, _block)


def lower_expr(expr: Expr) -> Expr:
    """An expression, inner calls first."""
    return walk.map_expr(_call, expr)


def _call(expr: Expr) -> Expr:
    """One call whose arguments are done; what stands for it is lowered in turn."""
    found = find_lowering(expr.fn) if isinstance(expr, Call) else None
    if found is None:
        return expr
    new = found.lower(expr, typed)
    return expr if new is expr or same(new, expr) else lower_expr(typed(new))


def same(a: Expr, b: Expr) -> bool:
    """Whether a lowering has left the call as it is, but for the way of passing its arguments."""
    return isinstance(a, Call) and isinstance(b, Call) and a.fn is b.fn and a.args == b.args[: len(a.args)]
