"""Views of dicts that have a name, ``values = d.values()``, and are read when the dict has changed; part of `surface`.

For the compiler a view is what the dict holds where it is taken. That is the same unless the dict changes before the
view is read, which the statements between the two tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.forms import LocalFunction
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, Function, If, Let, Method, Stmt, Store, Tuple, Var, While, hint,
)  # fmt: skip
from srcad.lang.origin import physical
from srcad.transforms.exits import exits
from srcad.transforms.order import is_inplace

VIEWS = ("items", "keys", "values")
_CHANGES = frozenset(("clear", "pop", "popitem", "setdefault", "update", "__delitem__"))
LAZY = (iter, enumerate, zip, reversed, map, filter)

Pairs = frozenset[tuple[str, str, str]]
"""The name of a view, that of its dict, and the method that gives it."""


def check_views(fn: Function) -> None:
    """Refuse a function that reads a view by its name after it has changed the dict.

    Raises
    ------
    UnsupportedError
        At the statement that changes the dict.

    >>> view = Let("values", Call(Method("values"), (Var("d"),)))
    >>> add, read = Store(Var("d"), Var("k"), Var("x")), Let("s", Call(sum, (Var("values"),)))
    >>> check_views(Function("f", (), (view, read, add)))
    >>> check_views(Function("f", (), (view, add, read)))
    Traceback (most recent call last):
    ...
    srcad.lang.errors.UnsupportedError: values is a view of d, which changes before it is read...
    """
    problems: list[Problem] = []
    _block(fn.body, frozenset(), frozenset(), problems)
    refuse(problems)


def _block(block: Block, pairs: Pairs, after: Names, problems: list[Problem]) -> Pairs:
    for stmt, later in zip(block, _read_later(block, after)):
        pairs = _statement(stmt, pairs, later, problems)
    return pairs


def _read_later(block: Block, after: Names) -> list[Names]:
    """The names that are read behind each statement, by nested functions, too, which are called there."""
    called = {stmt.target: _inside(stmt) for stmt in block if isinstance(stmt, Let) and _is_function(stmt.value)}
    found: list[Names] = []
    for stmt, later in zip(reversed(block), reversed(live(block, after))):
        found.append(later.union(after, *(inner for name, inner in called.items() if name in later)))
        if not (isinstance(stmt, Let) and stmt.target in called):
            after |= _inside(stmt)
    return found[::-1]


def _is_function(value: Expr) -> bool:
    return isinstance(value, Const) and isinstance(value.value, LocalFunction)


def _inside(stmt: Stmt) -> Names:
    """The names that the nested functions in a statement take from around them."""
    wholes = (whole for inner in walk.statements((stmt,)) for whole in walk.stmt_exprs(inner))
    exprs = (expr for whole in wholes for expr in walk.subexprs(whole))
    functions = [expr.value for expr in exprs if isinstance(expr, Const) and isinstance(expr.value, LocalFunction)]
    return frozenset().union(*(_free(each) for each in functions))


def _free(template: LocalFunction) -> Names:
    body = exits(template.function).body
    read = {name for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for name in walk.names(expr)}
    return frozenset(read).union(*map(_inside, body)) - template.locals


def _statement(stmt: Stmt, pairs: Pairs, later: Names, problems: list[Problem]) -> Pairs:
    match stmt:
        case If(_, then, orelse):
            return _block(then, pairs, later, problems) | _block(orelse, pairs, later, problems)
        case For(body=body) | While(body=body):
            again = at_the_end(stmt, later) | _inside(stmt)
            once = _block(body, pairs, again, [])
            return pairs | _block(body, pairs | once, again, problems)
    for view, owner, method in sorted(pairs):
        if view in later and owner in _changed(stmt):
            problems.append(_problem(stmt, view, owner, method))
    if not isinstance(stmt, Let):
        return pairs
    old = {stmt.target} if not _changed(stmt) else set()
    kept = frozenset(pair for pair in pairs if old.isdisjoint(pair[:2]))
    if hint(stmt.target) != stmt.target:  # no name of the user's: heads of loops have a check of their own
        return kept
    return kept | {(stmt.target, owner, method) for owner, method in _views(stmt.value)}


def _changed(stmt: Stmt) -> tuple[str, ...]:
    """The dict that a statement changes."""
    match stmt:
        case Store(Var(name)) | Let(name, Call(Method("__ior__"), (Var(), *_))):
            return (name,)
        case Let(value=Call(fn, (Var(name), *_))) if is_inplace(fn):
            return (name,)
        case Let(value=Call(Method(method), (Var(name), *_))) | Effect(Call(Method(method), (Var(name), *_))):
            return (name,) if method in _CHANGES else ()
    return ()


def _views(value: Expr) -> Iterator[tuple[str, str]]:
    """The dicts of which a value is a view, or goes over one, and by which method."""
    match value:
        case Call(Method(method), (Var(owner),), ()) if method in VIEWS:
            yield owner, method
        case Call(fn, args) if any(fn is lazy for lazy in LAZY):
            for arg in args:
                yield from _views(arg)
        case Tuple(items):
            for item in items:
                yield from _views(item)


def _problem(stmt: Stmt, view: str, owner: str, method: str) -> Problem:
    place, owner = physical(stmt.origin), hint(owner)
    column = max(place.text.find(owner, place.column), place.column)
    reason = f"{hint(view)} is a view of {owner}, which changes before it is read"
    remedy = f"list({owner}.{method}()), or {owner}.{method}() where it is read"
    return Problem(replace(place, column=column), reason, remedy)
