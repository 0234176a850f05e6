"""renewed: lists that are put into others and begun anew; part of `lists_first`.

``rows.append(row); row = []`` gives `rows` the list, and the name another one. Where no other name knows the list, that
is what a copy and a list that is cleared are: ``rows.append(list(row)); row.clear()``. So the name means one list in
all iterations.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Effect, Expr, For, If, Let, Method, Stmt, Store, Tuple, Var, While, and_, or_,
)  # fmt: skip
from srcad.lang.lists import COUNTING, element_of
from srcad.lang.structure import LIST
from srcad.transforms.order import is_inplace

_READING = frozenset((*COUNTING, sum, max, min, any, all, sorted, list, tuple))
_OPERATORS = frozenset((
    operator.getitem, operator.add, operator.mul, operator.not_, operator.contains, operator.eq, operator.ne,
    operator.lt, operator.le, operator.gt, operator.ge, element_of,
))  # fmt: skip


def renewed(body: Block, known: set[str]) -> Block:
    """Statements in which such lists are copied and cleared, but for those of names that are `known` elsewhere.

    >>> from srcad.lang.write import write
    >>> from srcad.lang.ir import Const, Function
    >>> from srcad.lang.types import TupleType
    >>> begin = Let("row", Tuple((), TupleType((), LIST)))
    >>> put = Effect(Call(Method("append"), (Var("rows"), Var("row"))))
    >>> add = Effect(Call(Method("append"), (Var("row"), Var("k"))))
    >>> loop = For("k", Const(0), Const(3), Const(1), (add, put, begin))
    >>> print(write(Function("f", (), renewed((begin, loop), set())[1:])).text, end="")
    def f():
        for k in range(3):
            row.append(k)
            rows.append(list(row))
            row.clear()
    """
    names = {name for stmt in walk.statements(body) for name in _put_in(stmt)} - known
    names = {name for name in names if sum(_begins(stmt, name) for stmt in walk.statements(body)) > 1}
    names = {name for name in names if not any(_leaks(stmt, name) for stmt in walk.statements(body))}
    for name in sorted(names):
        changed, sure = _handed(body, name, "")
        body = _cleared(changed, name, False) if sure else body
    return body


def _put_in(stmt: Stmt) -> Iterator[str]:
    """The names of lists that loops put into others."""
    for block in walk.blocks(stmt):
        for each in block:
            name = _put(each)
            if name is not None:
                yield name


def _put(stmt: Stmt) -> str | None:
    """The name of the list that a statement puts into another one."""
    match stmt:
        case Effect(Call(Method("append" | "insert"), (Var(whole), *_, Var(name)))) if whole != name:
            return name
    return None


def _begins(stmt: Stmt, name: str) -> bool:
    return (isinstance(stmt, Let) and stmt.target == name and isinstance(stmt.value, Tuple)
            and getattr(stmt.value.type, "form", None) == LIST)  # fmt: skip


def _next(block: Block, name: str, behind: str = "") -> str:
    """What statements do with a name first: begin it anew, read it, or nothing but what is done `behind` them.

    A new list may be made of elements of the old one.
    """
    for stmt in block:
        if _begins(stmt, name):
            return "renewed"
        if name in walk.read_in((stmt,)) or name in walk.assigned((stmt,)):
            return "read"
    return behind


def _handed(block: Block, name: str, behind: str) -> tuple[Block, bool]:
    """Statements that put copies into other lists; and whether each list is done with where it is put there."""
    result: list[Stmt] = []
    sure = True
    for k, stmt in enumerate(block):
        after = _next(block[k + 1 :], name, behind)
        if _put(stmt) == name:
            assert isinstance(stmt, Effect)
            sure &= after != "read"
            *others, row = stmt.call.args
            stmt = replace(stmt, call=replace(stmt.call, args=(*others, Call(list, (row,)))))
        elif isinstance(stmt, (For, While)):
            body, well = _handed(stmt.body, name, "read" if _carries(stmt, name) else after)
            stmt, sure = replace(stmt, body=body), sure and well
        elif isinstance(stmt, If):
            (then, one), (orelse, other) = (_handed(side, name, after) for side in (stmt.then, stmt.orelse))
            stmt, sure = replace(stmt, then=then, orelse=orelse), sure and one and other
        result.append(stmt)
    return tuple(result), sure


def _carries(loop: For | While, name: str) -> bool:
    """Whether an iteration may read what the one before has left under a name."""
    return _next(loop.body, name) == "read" or isinstance(loop, While) and name in walk.names(loop.test)


def _cleared(block: Block, name: str, carried: bool) -> Block:
    """Statements that clear the list where the name is begun anew and loops carry it."""
    result: list[Stmt] = []
    for stmt in block:
        if carried and _begins(stmt, name):
            result += _clearing(stmt, name)  # type: ignore[arg-type]
            continue
        inside = _carries(stmt, name) if isinstance(stmt, (For, While)) else carried
        result.append(walk.map_stmt(lambda e: e, stmt, lambda b: _cleared(b, name, inside)))  # noqa: B023
    return tuple(result)


def _clearing(stmt: Let, name: str) -> Iterator[Stmt]:
    items: list[Expr] = []
    for k, item in enumerate(stmt.value.items):  # type: ignore[union-attr]
        new = f"{name}.first{k}"
        yield Let(new, item, stmt.origin)
        items.append(Var(new))
    yield Effect(Call(Method("clear"), (Var(name),)), stmt.origin)
    for item in items:
        yield Effect(Call(Method("append"), (Var(name), item)), stmt.origin)


def _leaks(stmt: Stmt, name: str) -> bool:
    """Whether something else may know the list by another name after a statement."""
    match stmt:
        case Let(target, Call(fn, (Var(base), other))) if target == name and base == name and is_inplace(fn):
            return _known(other, name)
        case Let(target, value) if target == name and not _begins(stmt, name):
            return True
        case Store(Var(base), index, value) if base == name:
            return _known(index, name) or _known(value, name)
        case If(test=test) | While(test=test):
            return _is_kept(test, name)
        case _ if _put(stmt) == name:
            return False
    return name in walk.targets(stmt) and not isinstance(stmt, Let) or any(
        _known(expr, name) for expr in walk.stmt_exprs(stmt))  # fmt: skip


def _is_kept(test: Expr, name: str) -> bool:
    """As `_known`, of a test: whether a list has elements may be asked."""
    match test:
        case Var():
            return False
        case Call(fn, args) if fn in (and_, or_):
            return any(_is_kept(arg, name) for arg in args)
    return _known(test, name)


def _known(expr: Expr, name: str) -> bool:
    """Whether a list may be what an expression gives, or go to a function that keeps it."""
    match expr:
        case Var(other):
            return other == name
        case Call(fn, args, kwargs):
            reads = (getattr(fn, "__module__", None) or "").partition(".")[0] == "numpy" or _member(fn)
            own = args[1:] if isinstance(fn, Method) and args[:1] == (Var(name),) else args
            parts = (*own, *(value for _, value in kwargs))
            return any(_known(part, name) for part in parts if not (reads and part == Var(name)))
        case Tuple(items):
            return any(_known(item, name) for item in items)
    return name in walk.names(expr)


def _member(fn: object) -> bool:
    try:
        return fn in _READING or fn in _OPERATORS
    except TypeError:
        return False
