"""Views of dicts, ``d.values()``, wherever they are handed on, and read when the dict has changed; part of `inline`.

For the compiler a view is what the dict holds where it is taken. That is the same unless the dict changes before the
view is read: of what is known when compiling, such as keys, this is seen where it is read; of values in the statements
of the function once its calls are inlined, which tell in what order loops change and read.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from srcad.lang import walk
from srcad.lang.errors import has_problems
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, If, Let, Stmt, Store, Tuple, Var, While, element_at, hint, select,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import TupleType, Type
from srcad.transforms.named_views import LAZY

if TYPE_CHECKING:
    from srcad.transforms.viewed import Viewed

Place = tuple[str, Origin]
"""A statement: the name that it binds, and where it is."""


@dataclass(frozen=True)
class View:
    """What is seen of dicts: the names of these, and the method that shows it."""

    items: Expr  # kept, so that nothing else gets its identity
    owners: frozenset[str]
    now: frozenset[str]  # the names that still mean these dicts
    method: str
    origin: Origin
    depth: int = 0  # of the tuples and lists around it
    inner: bool = False  # whether the dict is part of what a name means, which is given another one as it changes


def made(c: Viewed, whole: Expr, items: Tuple, method: str) -> None:
    """Note of what is seen of a dict which one it is of."""
    names = walk.names(whole)
    c.views[id(items)] = View(items, names, names, method, c.origin, inner=not isinstance(whole, Var))


def shown_by(c: Viewed, value: Expr, old: Expr) -> Expr:
    """A value that stands for another one, and shows what that does."""
    if id(old) in c.views:
        c.views[id(value)] = replace(c.views[id(old)], items=value)
        c.outdated |= {id(value)} if id(old) in c.outdated else set()
    return value


def bound(c: Viewed, target: str, value: Expr | None, before: Type | None) -> None:
    """Note the name of what is seen of a dict: Python sees the dict as it is when that name is read.

    `before` is what the name meant: another name of a dict is given it again when that has changed.
    """
    if not c.views:
        return
    seen = [] if value is None else list(_seen(c, value))
    changes = any(each.inner and target in each.now for each in c.views.values())
    c.given_anew[target, c.origin] = not (seen or changes) and c.given_anew.get((target, c.origin), True)
    for key, each in c.views.items():
        if isinstance(value, Var) and value.name in each.now:
            c.views[key] = replace(each, now=each.now | {target})
        elif target in each.now and (each.inner or _is_held(value)):
            _change(c, key, before, c.types.get(target))
        elif target in each.now:
            c.views[key] = replace(each, now=each.now - {target})
    c.outdated.discard(target)
    c.views.pop(target, None)
    if not seen or value is None:
        return
    found = replace(functools.reduce(_both, seen), items=value, origin=c.origin)
    if target in c.static:
        c.views[id(c.static[target])] = replace(found, items=c.static[target])
    else:
        c.views[target] = found
        c.all_views[target] = _both(c.all_views.get(target, found), found)


def joined(c: Viewed, before: dict[int | str, View]) -> None:
    """Know of the views that there were before statements that may not be executed, too."""
    for key, each in before.items():
        c.views[key] = _both(each, c.views.get(key, each))


def _both(a: View, b: View) -> View:
    method = a.method if a.method == b.method else "items"
    return replace(a, owners=a.owners | b.owners, now=a.now | b.now, method=method, depth=max(a.depth, b.depth),
                   inner=a.inner or b.inner)  # fmt: skip


def _seen(c: Viewed, value: Expr) -> Iterator[View]:
    """The views that a value still shows: what is computed of a view, or copied, is what it was then."""
    match value:
        case Tuple() if id(value) in c.views:
            yield c.views[id(value)]
        case Var(name) if name in c.views:
            yield c.views[name]
        case Tuple(items):
            inner = (each for item in items for each in _seen(c, item))
            yield from (replace(each, depth=each.depth + 1) for each in inner)
        case Call(fn, (Var(name), Const(value=int() as at))) if _is_part(fn) and _has_parts(c, name):
            yield from _seen(c, c.views[name].items.items[at])  # type: ignore[attr-defined]
        case Call(fn, (whole, *_)) if _is_part(fn):
            yield from (replace(each, depth=each.depth - 1) for each in _seen(c, whole) if each.depth)
        case Call(fn, args) if fn is select or any(fn is lazy for lazy in LAZY):
            for arg in args:
                yield from _seen(c, arg)


def _is_part(fn: Any) -> bool:
    return fn is operator.getitem or fn is element_at


def _has_parts(c: Viewed, name: str) -> bool:
    return name in c.views and c.views[name].depth > 0 and isinstance(c.views[name].items, Tuple)


def _is_held(value: Expr | None) -> bool:
    """Whether a value is what something else holds, so that a name may get what it had, changed."""
    return isinstance(value, Var) or isinstance(value, Call) and _is_part(value.fn)


def changed(c: Viewed, name: str, before: Type | None, after: Type) -> None:
    """Note that a dict holds something else from now on, which all the views of it show."""
    c.given_anew[name, c.origin] = False
    for key, each in c.views.items():
        if name in each.now:
            _change(c, key, before, after)


def _change(c: Viewed, key: int | str, before: Type | None, after: Type | None) -> None:
    kept = isinstance(before, TupleType) and isinstance(after, TupleType) and before.form.keys == after.form.keys
    kept = kept and (before == after or not c.views[key].inner)
    if not kept or c.views[key].method != "keys":
        c.outdated.add(key)


def outdated(c: Viewed, value: Expr) -> tuple[str, str] | None:
    """What is said of a value that is read, or a part of it, that no longer shows what its dict holds."""
    parts = [part.name if isinstance(part, Var) else id(part) for part in walk.subexprs(value)] if c.outdated else []
    return next((_said(c.views[part]) for part in parts if part in c.outdated), None)


def _said(view: View) -> tuple[str, str]:
    name, method = hint(min(view.owners)), view.method
    if view.inner:
        remedy = f"a list of it, list(d.{method}()), or d.{method}() where it is read"
        return "a view of a dict inside another object, which changes before that is read, is not supported", remedy
    reason = f"a view of {name}, which changes before that is read, is not supported"
    return reason, f"list({name}.{method}()), or {name}.{method}() where it is read"


def check(c: Viewed, body: Block) -> None:
    """Refuse to read the values of a dict as they were."""
    for name, each in c.all_views.items() if not (c.problems or has_problems()) else ():
        walker = _Walk(c, name, each)
        if each.method != "keys":
            walker.block(body)
        if walker.found:
            c.origin = each.origin
            c.refuse(*_said(replace(each, owners=frozenset({walker.found}))), "")


class _Walk:
    """Goes through statements, and through those of loops twice: what changes between making a view and reading it."""

    def __init__(self, c: Viewed, name: str, view: View):
        self.c, self.view, self.all = c, name, view.owners
        self.owners, self.is_inner = view.owners, view.inner
        self.changed = self.found = ""

    def block(self, body: Block) -> None:
        for stmt in body:
            self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        if self.changed and any(map(self.reads, walk.stmt_exprs(stmt))):
            self.found = self.changed
        match stmt:
            case If():
                changed, owners = self.changed, self.owners
                self.block(stmt.then)
                (then, self.changed), (left, self.owners) = (self.changed, changed), (self.owners, owners)
                self.block(stmt.orelse)
                self.changed, self.owners = self.changed or then, self.owners | left
            case For() | While():
                for _ in range(2):
                    changed, owners = self.changed, self.owners
                    self.block(stmt.body)
                    self.changed, self.owners = self.changed or changed, self.owners | owners
            case _ if self.view in walk.targets(stmt):
                self.changed, self.owners = "", frozenset() if self.is_anew(stmt) else self.all
            case Store(Var(name)) if name in self.owners and self.is_inner:
                self.changed = name  # the buffer in which the dict lives, with others of its list
            case Let(target, Var(name)) if name in self.owners:
                self.owners |= {target}
            case Let(target, value) if target in self.owners and not _is_held(value) and self.is_anew(stmt):
                self.owners -= {target}
            case _:
                self.changed = next((name for name in walk.targets(stmt) if name in self.owners), self.changed)

    def is_anew(self, stmt: Stmt) -> bool:
        """Whether a statement gives a name to something else, which is no change of what it meant, nor a view."""
        return isinstance(stmt, Let) and self.c.given_anew.get((stmt.target, stmt.origin), False)

    def reads(self, expr: Expr) -> bool:
        """Whether an expression takes values of the view; how many there are is known from what comes before."""
        if isinstance(expr, Call) and expr.fn is len:
            return False
        return isinstance(expr, Var) and expr.name == self.view or any(map(self.reads, walk.children(expr)))
