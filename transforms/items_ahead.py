"""Generators whose items are computed ahead of the loop over them; part of `inline`.

That is the same as one item after the other unless something changes, between two items, what the generator reads, or
the generator changes what others see. Both are seen in the statements of the function once its calls are inlined,
whatever name the generator was called by.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from srcad.analysis.buffers import VIEWS, stored_name
from srcad.lang import walk
from srcad.lang.errors import has_problems
from srcad.lang.forms import LocalFunction
from srcad.lang.ir import Attr, Block, Call, Effect, Expr, For, If, Let, Method, Stmt, Tuple, Var, While, hint, select
from srcad.lang.origin import Origin
from srcad.lang.recursive import Callee, callees
from srcad.transforms.order import is_inplace
from srcad.transforms.yielding import ITEMS, disturbance

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees

Names = set[str]


@dataclass(frozen=True)
class Ahead:
    """A generator that was entered: its lists of items, and what it reads and changes of what stands around it."""

    name: str
    origin: Origin
    own: frozenset[str]
    lists: frozenset[str]
    read: frozenset[str]
    changed: frozenset[str]


def noted(c: Callees, template: LocalFunction, work: Callable[[], Expr]) -> Expr:
    """What entering a function gives; of a generator, it is noted what it reads and changes."""
    if not template.once:
        return work()
    origin, around, mark = c.origin, set(c.valued), len(c.out)
    result = work()
    made = tuple(c.out[mark:])
    inside = callees(made)
    inner = [stmt for body in (made, *(each.body for each in inside)) for stmt in walk.statements(body)]
    assigned = {name for stmt in inner for name in walk.targets(stmt)}.union(*(each.params for each in inside))
    lists = frozenset(name for name in assigned if hint(name).startswith(ITEMS)).union(
        name for name in walk.names(result) if name not in around)  # fmt: skip
    own = assigned - around
    read = {name for stmt in inner for whole in walk.stmt_exprs(stmt) for name in walk.names(whole)} - own
    groups = _Groups(made)
    written = groups.around(name for stmt in inner if not isinstance(stmt, Let) for name in _stored(stmt))
    changed = {name for name in around | read if name in assigned or groups.of(name) in written}
    if lists:
        sets = map(frozenset, (own, lists, read, changed))
        c.ahead[min(lists)] = Ahead(template.function.name, origin, *sets)
    return result


def check(c: Callees, body: Block) -> None:
    """Refuse what sees other items when they are computed ahead."""
    if not c.ahead or c.problems or has_problems():
        return
    groups = _Groups(body)
    entered = list(c.ahead.values())
    for each in entered:
        read = set(each.read)
        for other in entered * len(entered):  # of generators over what other ones yield
            read |= other.read if read & other.lists else set()
        walker = _Walk(each, groups, read, _also_called(each.lists, body))
        walker.block(body)
        c.origin = each.origin
        if each.changed:
            reason = f"a generator that changes {hint(min(each.changed))}, which is not its own, is not supported"
            c.refuse(reason, "the statements of the generator in the place of the loop", each.name)
        elif walker.found:
            c.refuse(*disturbance(hint(walker.found)), each.name)


def _stored(stmt: Stmt) -> Iterator[str]:
    """The arrays that a statement changes."""
    match stmt:
        case Let(value=Call(fn, (Var(name), *_))) if is_inplace(fn):
            yield name
        case Effect(Call(args=(Var(name), *_))):
            yield name
        case Let(value=Call(Callee() as fn, args)) if _stores_into_arguments(fn):
            yield from (arg.name for arg in args if isinstance(arg, Var))
    if (stored := stored_name(stmt)) is not None:
        yield stored
    for whole in walk.stmt_exprs(stmt):
        for each in walk.subexprs(whole):
            if isinstance(each, Call):
                yield from (value.name for key, value in each.kwargs if key == "out" and isinstance(value, Var))


def _stores_into_arguments(callee: Callee) -> bool:
    """Whether a function that calls itself, or one that it calls, may change an argument."""
    for each in {callee, *callees(callee.body)}:
        groups = _Groups(each.body)
        own = [stmt for stmt in walk.statements(each.body) if not _calls_itself(stmt)]
        if groups.around(each.params) & groups.around(name for stmt in own for name in _stored(stmt)):
            return True
    return False


def _calls_itself(stmt: Stmt) -> bool:
    return isinstance(stmt, Let) and isinstance(stmt.value, Call) and isinstance(stmt.value.fn, Callee)


class _Groups:
    """Names that may mean parts of the same arrays."""

    def __init__(self, body: Block):
        self.root: dict[str, str] = {}
        for stmt in walk.statements(body):
            if isinstance(stmt, Let):
                for base in _bases(stmt.value):
                    self.root[self.of(base)] = self.of(stmt.target)

    def of(self, name: str) -> str:
        while self.root.get(name, name) != name:
            name = self.root[name]
        return name

    def around(self, names: Iterable[str]) -> Names:
        return set(map(self.of, names))


def _bases(value: Expr) -> Iterator[str]:
    """The names of the arrays that a value may be a part of."""
    match value:
        case Var(name):
            yield name
        case Attr(owner, _):
            yield from _bases(owner)
        case Tuple(items):
            for item in items:
                yield from _bases(item)
        case Call(fn, args) if fn is select:
            for arg in args[1:]:
                yield from _bases(arg)
        case Call(fn, (first, *_)) if _may_be_view(fn):
            yield from _bases(first)


def _also_called(lists: frozenset[str], body: Block) -> Names:
    """Lists, and other names for them."""
    found = set(lists)
    for stmt in walk.statements(body):
        if isinstance(stmt, Let) and isinstance(stmt.value, Var) and stmt.value.name in found:
            found.add(stmt.target)
    return found


def _may_be_view(fn: Any) -> bool:
    if isinstance(fn, Method):
        return fn.name != "copy"
    return fn is operator.getitem or is_inplace(fn) or any(fn is each for each in VIEWS)


class _Walk:
    """Goes through statements, and through those of loops twice: what changes between the items and their uses."""

    def __init__(self, made: Ahead, groups: _Groups, read: Names, lists: Names):
        self.made, self.lists, self.names, self.groups = made, lists, read, groups
        self.read = {groups.of(name): name for name in sorted(read, reverse=True)}
        self.changed = self.found = ""

    def block(self, body: Block) -> None:
        for stmt in body:
            self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        targets = walk.targets(stmt)
        if self.changed and not self.made.lists.intersection(targets) and any(map(self.uses, walk.stmt_exprs(stmt))):
            self.found = self.changed
        match stmt:
            case If():
                self.block(stmt.then)
                self.block(stmt.orelse)
            case For() | While():
                for _ in range(2 if self.matters(stmt.body) else 0):
                    self.block(stmt.body)
            case _ if self.made.lists.intersection(targets):
                self.changed = ""
            case _:
                self.changed = next(self.changes(stmt), self.changed)

    def changes(self, stmt: Stmt) -> Iterator[str]:
        """What a statement changes of what the generator reads."""
        yield from (name for name in walk.targets(stmt) if name in self.names)
        others = set(_stored(stmt)) - self.made.own
        yield from (self.read[root] for root in map(self.groups.of, others) if root in self.read)

    def matters(self, body: Block) -> bool:
        """Whether statements use items, or change what these are computed from."""
        inner = list(walk.statements(body))
        return any(map(self.uses, (whole for stmt in inner for whole in walk.stmt_exprs(stmt)))) or any(
            next(self.changes(stmt), "") for stmt in inner
        )

    def uses(self, expr: Expr) -> bool:
        """Whether an expression takes items from the lists; how many there are is known from what comes before."""
        if isinstance(expr, Call) and expr.fn is len:
            return False
        return isinstance(expr, Var) and expr.name in self.lists or any(map(self.uses, walk.children(expr)))
