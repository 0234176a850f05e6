"""merge: two branches on one test become one.

The forward sweep ends with a branch and the reverse sweep starts with its reverse: what stands between them moves up,
where it depends on nothing in the first, or down, where nothing in the second depends on it. Then the values that the
second needs are simply there.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang.ir import Block, Const, Expr, Function, If, Let, Move, Stmt, Var
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
        found = _earlier(out, stmt, classes) if isinstance(stmt, If) else None
        if found is None:
            out.append(stmt)
            continue
        place, before, behind = found
        first = out[place]
        assert isinstance(first, If) and isinstance(stmt, If)
        joined = replace(first, then=first.then + stmt.then, orelse=first.orelse + stmt.orelse)
        out[place:] = [*before, joined, *behind]
    return tuple(map_stmt(lambda e: e, s, lambda inner: _block(inner, classes)) for s in out)


def _earlier(out: list[Stmt], stmt: If, classes: Classes) -> tuple[int, list[Stmt], list[Stmt]] | None:
    """The position of a branch that `stmt` may join, and what then stands before both of them and behind; or None."""
    for place in range(len(out) - 1, max(len(out) - 2 - NEAR, -1), -1):
        first = out[place]
        if isinstance(first, If):
            between = out[place + 1 :]
            same = first.test == stmt.test and _plain(stmt.test) and not names(stmt.test) & assigned((first, *between))
            parted = _parted(between, first, stmt, classes) if same else None
            return None if parted is None else (place, *parted)
        if not isinstance(first, (Let, Move)):
            return None
    return None


def _parted(between: list[Stmt], first: If, stmt: If, classes: Classes) -> tuple[list[Stmt], list[Stmt]] | None:
    """What stands between two branches, as what may stand before the first and what may stand behind the other."""
    before: list[Stmt] = []
    behind: list[Stmt] = []
    for each in between:
        if _passes(each, first, classes) and all(_passes(each, other, classes) for other in behind):
            before.append(each)
        elif _passes(each, stmt, classes):
            behind.append(each)
        else:
            return None
    return before, behind


def _plain(test: Expr) -> bool:
    """Whether a test says the same wherever its names do."""
    return isinstance(test, (Var, Const)) or not content_names(test)


def _passes(stmt: Stmt, other: Stmt, classes: Classes) -> bool:
    """Whether two statements, of which one binds names, may change places."""
    bound, written = assigned((other,)), {classes.find(n) for n in stored_names((other,))}
    mentioned = bound | {n for s in statements((other,)) for e in stmt_exprs(s) for n in names(e)}
    read = set().union(*map(names, stmt_exprs(stmt)))
    contents = {classes.find(n) for e in stmt_exprs(stmt) for n in content_names(e)}
    return not assigned((stmt,)) & mentioned and not read & bound and not contents & written
