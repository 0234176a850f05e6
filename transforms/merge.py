"""merge: two branches on one test become one.

The forward sweep ends with a branch and the reverse sweep starts with its reverse: what stands between them moves up,
where it depends on nothing in the first, and then the values that the second needs are simply there.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang.ir import Block, Const, Expr, Function, If, Let, Stmt, Var
from srcad.lang.walk import assigned, map_stmt, names, statements, stmt_exprs

NEAR = 6  # statements that may stand between two branches


def merge(fn: Function) -> Function:
    """Join neighbouring branches on the same test.

    >>> from srcad.lang.ir import Return
    >>> c, x = Var("c"), Var("x")
    >>> body = (If(c, (Let("x", Const(1.0)),)), Let("b", Const(0.0)), If(c, (Let("b", x),)), Return(Var("b")))
    >>> from srcad.lang.write import write
    >>> print(write(merge(Function("f", (), body))).text, end="")
    def f():
        b = 0.0
        if c:
            x = 1.0
            b = x
        return b
    """
    return replace(fn, body=_block(fn.body, Classes.of(fn.body)))


def _block(block: Block, classes: Classes) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        place = _earlier(out, stmt, classes) if isinstance(stmt, If) else None
        if place is None:
            out.append(stmt)
            continue
        first = out[place]
        assert isinstance(first, If) and isinstance(stmt, If)
        joined = replace(first, then=first.then + stmt.then, orelse=first.orelse + stmt.orelse)
        out[place:] = [*out[place + 1 :], joined]
    return tuple(map_stmt(lambda e: e, s, lambda inner: _block(inner, classes)) for s in out)


def _earlier(out: list[Stmt], stmt: If, classes: Classes) -> int | None:
    """The position of a branch that `stmt` may join, or None."""
    for place in range(len(out) - 1, max(len(out) - 2 - NEAR, -1), -1):
        first = out[place]
        if isinstance(first, If):
            between = out[place + 1 :]
            same = first.test == stmt.test and _plain(stmt.test) and not names(stmt.test) & assigned((first, *between))
            return place if same and all(_moves_over(s, first, classes) for s in between) else None
        if not isinstance(first, Let):
            return None
    return None


def _plain(test: Expr) -> bool:
    """Whether a test says the same wherever its names do."""
    return isinstance(test, (Var, Const)) or not content_names(test)


def _moves_over(stmt: Stmt, branch: If, classes: Classes) -> bool:
    """Whether an assignment may stand before a branch instead of behind it."""
    if not isinstance(stmt, Let):
        return False
    bound, written = assigned((branch,)), {classes.find(n) for n in stored_names((branch,))}
    mentioned = bound | {n for s in statements((branch,)) for e in stmt_exprs(s) for n in names(e)}
    contents = {classes.find(n) for n in content_names(stmt.value)}
    return stmt.target not in mentioned and not names(stmt.value) & bound and not contents & written
