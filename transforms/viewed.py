"""Keeps what is known of the views of dicts while functions are inlined; part of `inline`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from srcad.lang.ir import Block, Expr, Function, Stmt, Tuple, Var
from srcad.lang.types import Form, TupleType
from srcad.transforms import views_ahead
from srcad.transforms.callees import Keywords
from srcad.transforms.iterations import Iterations
from srcad.transforms.named_views import VIEWS
from srcad.transforms.views_ahead import Place, View


class Viewed(Iterations):
    """Knows which names and values are views of dicts, and whether those still hold what is seen."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.views: dict[int | str, View] = {}  # values that show what dicts hold, and names of such values
        self.all_views: dict[str, View] = {}  # those that there were at some time
        self.outdated: set[int | str] = set()  # the views whose dicts have changed
        self.given_anew: dict[Place, bool] = {}  # whether a statement gives a name to something else, which is no view

    def let(self, target: str, value: Expr | None) -> None:
        before = self.types.get(target)
        super().let(target, value)
        views_ahead.bound(self, target, value, before)

    def stored(self, name: str, expr: Expr) -> Var:
        result = super().stored(name, expr)
        views_ahead.bound(self, name, expr, None)
        return result

    def method(self, name: str, found: TupleType, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        result = super().method(name, found, args, kwargs)
        if found.form.cls is dict and name in VIEWS and isinstance(result, Tuple):
            views_ahead.made(self, args[0], result, name)
        return result

    def as_change(self, name: str, form: Form, work: Callable[[], None]) -> None:
        """What gives a name a structure is a change of the one that it had: views of that show the new one."""
        views, before = dict(self.views), self.types.get(name)
        work()
        self.views |= views
        views_ahead.changed(self, name, before, TupleType((), form))

    def variable(self, name: str) -> Expr:
        return self.seen_now(super().variable(name))

    def holding(self, var: Var) -> Expr:
        return self.seen_now(super().holding(var))

    def kept(self, expr: Expr) -> Expr:
        return views_ahead.shown_by(self, super().kept(expr), expr)

    def settled(self, expr: Expr, changed: bool) -> Expr:
        return views_ahead.shown_by(self, super().settled(expr, changed), expr)

    def operands(self, exprs: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(map(self.seen_now, super().operands(exprs)))

    def seen_now(self, value: Expr) -> Expr:
        """A value that is known, unless it shows what a dict held before."""
        late = views_ahead.outdated(self, value)
        return value if late is None else self.refuse(*late)

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        views = dict(self.views)
        result = super().repeated(body, then)
        views_ahead.joined(self, views)
        return result

    def paths(self, *works: Callable[[], Any]) -> list[tuple[list[Stmt], Any]]:
        views, before, outdated = dict(self.views), set(self.outdated), set(self.outdated)

        def tracked(work: Callable[[], Any]) -> Any:
            self.outdated = set(before)
            result = work()
            outdated.update(self.outdated)
            views_ahead.joined(self, views)
            return result

        found = super().paths(*((lambda work=work: tracked(work)) for work in works))  # type: ignore[misc]
        self.outdated = outdated
        return found

    def under(self, test: Expr, work: Callable[[], None]) -> None:
        views, outdated = dict(self.views), set(self.outdated)
        super().under(test, work)
        views_ahead.joined(self, views)
        self.outdated |= outdated
