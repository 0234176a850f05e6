"""by rank: what follows where a name is a number on one path and an array on another; part of `infer`.

A name has one rank. Where a branch leaves it with two, the statements behind go into both of its ends, and each copy is
typed for itself. A conditional expression of two ranks becomes such a branch first.
"""

from __future__ import annotations

from collections.abc import Callable

from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, If, Let, Move, Return, Stmt, Var, While, and_, hint, or_, select,
)  # fmt: skip

DEEPEST = 4  # copies of copies


def on_both_paths(stmt: If, rest: Block, fresh: Callable[[str], str]) -> tuple[Block, dict[str, str], set[str]]:
    """A branch with a copy of what follows it in each of its ends, and what remains behind it.

    Also the names of the second copy by those of the first, and the names under which both hand on their results.
    """
    *middle, last = rest
    final = last.values if isinstance(last, Move) else (last.value,) if isinstance(last, Return) else ()
    middle = middle if final else [*rest]
    loops = {each.index for each in walk.statements(tuple(middle)) if isinstance(each, For)}
    own = {*_handed(stmt), *walk.defined(tuple(middle)), *loops}
    kept = [k for k, value in enumerate(final) if not walk.names(value) & own]
    joined = {k: fresh(_called(last, k)) for k in range(len(final)) if k not in kept}
    others = {name: fresh(hint(name)) for name in sorted(own)}

    def end(block: Block, names: dict[str, str]) -> Block:
        moves = walk.moves_of(block)
        known: dict[str, Expr] = {t: v for t, v in moves if isinstance(v, (Var, Const))}
        lets = [Let(names.get(t, t), v, stmt.origin) for t, v in moves if t not in known]
        meaning = {name: Var(new) for name, new in names.items()} | known
        copy = walk.retarget(walk.substitute_in(tuple(middle), meaning), names)
        values = tuple(walk.substitute(final[k], meaning) for k in joined)
        move = (Move(tuple(joined.values()), values, last.origin),) if joined else ()
        return (*(block[:-1] if moves else block), *lets, *copy, *move)

    values = tuple(Var(joined[k]) if k in joined else value for k, value in enumerate(final))
    after: tuple[Stmt, ...] = ()
    if isinstance(last, Move):
        after = (Move(last.targets, values, last.origin),)
    elif isinstance(last, Return):
        after = (Return(values[0], last.origin),)
    both = If(stmt.test, end(stmt.then, {}), end(stmt.orelse, others), stmt.origin)
    return (both, *after), others, set(joined.values())


def guarded(
    loop: For | While, entry: list[tuple[str, Expr]], none: Expr, rest: Block, fresh: Callable[[str], str]
) -> tuple[If, Block]:
    """A branch for a loop that makes no iteration, and what follows, with names for what either of them hands on."""
    last = loop.body[-1] if loop.body else None
    carried = last.targets if isinstance(last, Move) else ()
    joined = {name: fresh(hint(name)) for name in dict.fromkeys((*carried, *(t for t, _ in entry)))}
    before = Move(tuple(t for t, _ in entry), tuple(v for _, v in entry), loop.origin)
    made = Move(tuple(joined.values()), tuple(map(Var, joined)), loop.origin)
    kept = Move(tuple(joined[t] for t, _ in entry), before.values, loop.origin)
    branch = If(none, (kept,), (*((before,) if entry else ()), loop, made), loop.origin)
    return branch, walk.substitute_in(rest, {name: Var(new) for name, new in joined.items()})


def hands_on(stmt: Stmt) -> bool:
    """Whether a statement computes nothing."""
    if isinstance(stmt, Move):
        return all(isinstance(value, (Var, Const)) for value in stmt.values)
    return isinstance(stmt, Return) and isinstance(stmt.value, (Var, Const))


def as_branch(stmt: Stmt, met: Expr | None, fresh: Callable[[str], str]) -> tuple[If, Stmt] | None:
    """A statement in which the conditional expression `met` occurs, as a branch and the statement behind it."""
    if isinstance(stmt, While):
        return None
    found = [choice for expr in walk.stmt_exprs(stmt) for choice in walk.subexprs(expr)
             if isinstance(choice, Call) and choice.fn is select and any(part is met for part in walk.subexprs(choice))]
    lazy = [part for expr in walk.stmt_exprs(stmt) for part in walk.subexprs(expr)
            if isinstance(part, Call) and part.fn in (and_, or_)]  # fmt: skip
    if not found or any(part is met for each in lazy for part in walk.subexprs(each)):
        return None
    name, choice = fresh("chosen"), found[0]
    test, *sides = choice.args
    then, orelse = ((Move((name,), (side,), stmt.origin),) for side in sides)
    changed = walk.map_stmt(lambda e: _exchanged(e, choice, Var(name)), stmt, lambda block: block)
    return If(test, then, orelse, stmt.origin), changed


def exchanged(block: Block, met: Expr | None, instead: Expr) -> Block | None:
    """Statements with another expression in the place of one; None if it is not in them, but in a block inside."""
    if isinstance(block[-1], While):
        return None
    if not any(part is met for stmt in block for expr in walk.stmt_exprs(stmt) for part in walk.subexprs(expr)):
        return None
    return tuple(walk.map_stmt(lambda e: _exchanged(e, met, instead), stmt, lambda inner: inner) for stmt in block)  # type: ignore


def _exchanged(expr: Expr, old: Expr, new: Expr) -> Expr:
    return walk.map_expr(lambda e: new if e == old else e, expr)


def _handed(stmt: If) -> set[str]:
    return {target for block in (stmt.then, stmt.orelse) for target, _ in walk.moves_of(block)}


def _called(last: Stmt, position: int) -> str:
    return hint(last.targets[position]) if isinstance(last, Move) else "result"
