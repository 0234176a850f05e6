"""texts_apart: texts in tuples that depend on the path taken get names of their own; part of `surface`.

Of ``best = (cost, "up")`` the text is a second name, as if one wrote ``best, way = (cost, 0), "up"``, and where
``best[1]`` is read, ``way`` is. So the tuples that branches and loops exchange are of one type, and what to do with
names that hold texts, `spelled` and `states` know.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from srcad.analysis.spelling import gives_texts
from srcad.analysis.wording import Held, Parts, Picked, texts_in, wording
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Stmt, Tuple, Var, element_at, select
from srcad.lang.lists import COUNTING
from srcad.transforms.calls import folded_number
from srcad.transforms.keyed import keyed
from srcad.transforms.values import NONE

Path = tuple[int, ...]
"""The places that lead to a text, from the outside."""


def texts_apart(fn: Function) -> Function:
    """A surface function with names for the texts in its tuples, where these are copied and taken apart at most.

    >>> a, b = Let("p", Tuple((Var("x"), Const("on")))), Let("p", Tuple((Var("y"), Const("off"))))
    >>> read = Let("t", Call(operator.getitem, (Var("p"), Const(1))))
    >>> [stmt.target for stmt in texts_apart(Function("f", (), (a, b, read))).body]
    ['p.text0', 'p', 'p.text0', 'p', 't']
    """
    if not gives_texts(fn):
        return fn
    fn = keyed(replace(fn, body=_in_stages(fn)))
    held = wording(fn)
    paths = {name: list(_paths(value)) for name, value in held.items()}
    kept = _kept(fn, held, {name for name, found in paths.items() if found})
    if not any(_are_several(held[name], path) for name in kept for path in paths[name]):
        return fn
    names = {(name, path): f"{name}.text{k}" for name in kept for k, path in enumerate(paths[name])}
    return replace(fn, body=_Parter(held, names).block(fn.body))


def _in_stages(fn: Function) -> Block:
    """The statements, with a name for each structure that a name holds, if one has other places than another, or if
    the name held None before.

    >>> empty, filled = Let("d", Tuple(())), Let("d", Tuple((Var("x"), Const("on"))))
    >>> [stmt.target for stmt in _in_stages(Function("f", (), (empty, filled)))]
    ['d', 'd.stage1']
    """
    kinds: dict[str, set[Any]] = {}
    for stmt in fn.body:
        if isinstance(stmt, Let):
            kind = (len(stmt.value.items), stmt.value.type) if isinstance(stmt.value, Tuple) else stmt.value == NONE
            kinds.setdefault(stmt.target, set()).add(kind)
    several = {name for name, found in kinds.items() if len(found) > 1}
    if not several:
        return fn.body
    done: list[Stmt] = []
    now: dict[str, str] = {}
    given: dict[str, int] = {}
    for stmt in fn.body:
        (changed,) = walk.map_block(lambda expr: walk.map_expr(folded_number, expr), walk.rename((stmt,), now))
        if isinstance(stmt, Let) and isinstance(changed, Let) and stmt.target in several:
            given[stmt.target] = given.get(stmt.target, -1) + 1
            if given[stmt.target]:
                now[stmt.target] = f"{stmt.target}.stage{given[stmt.target]}"
                changed = replace(changed, target=now[stmt.target])
        done.append(changed)
    return tuple(done)


class _Uses:
    """Finds the names whose tuples are more than copied and taken apart."""

    def __init__(self, held: dict[str, Held], names: set[str]):
        self.held, self.names = held, names
        self.whole: set[str] = set()
        self.copied: list[set[str]] = []  # names that get the same tuples

    def statement(self, stmt: Stmt) -> None:
        if isinstance(stmt, Let) and stmt.target in self.names:
            given = {stmt.target}
            if all(_part(stmt.value, path, self.held) is not None for path in _paths(self.held[stmt.target])):
                self.copy(stmt.value, given)
            else:
                self.whole.add(stmt.target)
                self.read(stmt.value)
            self.copied.append(given)
            return
        for expr in walk.stmt_exprs(stmt):
            self.read(expr)

    def copy(self, value: Expr, given: set[str]) -> None:
        """What is given to a name whose texts stand apart."""
        match value:
            case Tuple(items):
                for item in items:
                    self.copy(item, given)
            case Call(operator.add, (one, other)) if isinstance(texts_in(value, self.held), Parts):
                self.copy(one, given)
                self.copy(other, given)
            case Call(fn, (test, then, orelse)) if fn is select:
                self.read(test)
                self.copy(then, given)
                self.copy(orelse, given)
            case _ if (found := _resolved(value, self.held)) is not None:
                given |= {found[0]} & self.names if _has_texts(texts_in(value, self.held)) else set()
            case _:
                self.read(value)

    def read(self, expr: Expr) -> None:
        if (found := _resolved(expr, self.held)) is not None:
            self.whole |= {found[0]} if _has_texts(texts_in(expr, self.held)) else set()
            return
        asked = isinstance(expr, Call) and expr.fn in COUNTING and _resolved(expr.args[0], self.held) is not None
        for part in () if asked else walk.children(expr):
            self.read(part)


class _Parter:
    """Gives texts names of their own; `names` has them, by the name and the place of what they are part of."""

    def __init__(self, held: dict[str, Held], names: dict[tuple[str, Path], str]):
        self.held, self.names = held, names
        self.parted = {name for name, _ in names}

    def block(self, body: Block) -> Block:
        return tuple(done for stmt in body for done in self.statement(stmt))

    def statement(self, stmt: Stmt) -> Iterator[Stmt]:
        if not isinstance(stmt, Let) or stmt.target not in self.parted:
            yield walk.map_stmt(self.expr, stmt, self.block)
            return
        texts = {}
        for path in _paths(self.held[stmt.target]):
            text = _part(stmt.value, path, self.held)
            assert text is not None
            texts[self.names[stmt.target, path]] = self.expr(text)
        texts = {name: text for name, text in texts.items() if text != Var(name)}
        rest = replace(stmt, value=self.expr(_without(stmt.value, self.held[stmt.target], self.held)))
        if any(walk.names(value) & texts.keys() for value in (rest.value, *texts.values())):
            yield from (Let(f"{name}.old", text, stmt.origin) for name, text in texts.items())
            yield rest
            yield from (Let(name, Var(f"{name}.old"), stmt.origin) for name in texts)
        else:
            yield from (Let(name, text, stmt.origin) for name, text in texts.items())
            yield rest

    def expr(self, expr: Expr) -> Expr:
        found = _resolved(expr, self.held)
        if found is not None:
            return Var(self.names[found]) if found in self.names else expr
        if isinstance(expr, Call):
            kwargs = tuple((key, self.expr(value)) for key, value in expr.kwargs)
            return _same(expr, replace(expr, args=tuple(map(self.expr, expr.args)), kwargs=kwargs))
        if isinstance(expr, Tuple):
            return _same(expr, replace(expr, items=tuple(map(self.expr, expr.items))))
        return expr


def _same(old: Expr, new: Expr) -> Expr:
    """An expression that has not changed, as the object that it was."""
    return old if all(map(operator.is_, walk.children(old), walk.children(new))) else new


def _kept(fn: Function, held: dict[str, Held], names: set[str]) -> set[str]:
    """The names whose texts can stand apart."""
    uses = _Uses(held, names)
    for stmt in walk.statements(fn.body):
        uses.statement(stmt)
    wrong = uses.whole & names
    while more := {name for given in uses.copied if given & wrong for name in given} - wrong:
        wrong |= more
    return names - wrong


def _paths(value: Held) -> Iterator[Path]:
    """Where the texts of a structure are."""
    for k, item in enumerate(value.items if isinstance(value, Parts) else ()):
        if isinstance(item, (frozenset, Picked)):
            yield (k,)
        yield from ((k, *path) for path in _paths(item))


def _has_texts(value: Held) -> bool:
    return next(_paths(value), None) is not None


def _are_several(value: Held, path: Path) -> bool:
    """Whether there may be more than one text at a place."""
    for k in path:
        assert isinstance(value, Parts)
        value = value.items[k]
    return isinstance(value, Picked) or isinstance(value, frozenset) and len(value) > 1


def _resolved(expr: Expr, held: dict[str, Held]) -> tuple[str, Path] | None:
    """The name that an expression reads, and the place in it."""
    match expr:
        case Var(name):
            return name, ()
        case Call(fn, (base, Const(value=index))) if fn in (operator.getitem, element_at):
            found, whole = _resolved(base, held), texts_in(base, held)
            place = whole.place(index, fn is element_at) if isinstance(whole, Parts) else None
            return None if found is None or place is None else (found[0], (*found[1], place))
    return None


def _part(value: Expr, path: Path, held: dict[str, Held]) -> Expr | None:
    """What a value has at a place; None: this is not known."""
    if not path:
        return value
    match value:
        case Tuple(items) if path[0] < len(items):
            return _part(items[path[0]], path[1:], held)
        case Const(value=tuple() | list() as items) if path[0] < len(items):
            return _part(Const(items[path[0]]), path[1:], held)
        case Const(value=dict() as items) if path[0] < len(items):
            return _part(Const([*items.values()][path[0]]), path[1:], held)
        case Call(operator.add, (one, other)) if isinstance(first := texts_in(one, held), Parts):
            count = len(first.items)
            return _part(one, path, held) if path[0] < count else _part(other, (path[0] - count, *path[1:]), held)
        case Call(fn, (test, then, orelse)) if fn is select:
            sides = _part(then, path, held), _part(orelse, path, held)
            return None if None in sides else Call(select, (test, *sides))  # type: ignore[arg-type]
        case _ if _resolved(value, held) is not None and isinstance(found := texts_in(value, held), Parts):
            inner = Call(element_at, (value, Const(path[0])))
            return _part(inner, path[1:], held) if path[0] < len(found.items) else None
    return None


def _without(value: Expr, found: Held, held: dict[str, Held]) -> Expr:
    """A value with numbers in the place of its texts; `found` has these."""
    if isinstance(found, (frozenset, Picked)):
        return Const(0)
    match value, found:
        case Tuple(items), Parts(parts):
            return _same(value, replace(value, items=tuple(_without(*each, held) for each in zip(items, parts))))
        case Const(value=tuple() | list() as items), Parts(parts):
            return Tuple(tuple(_without(Const(item), part, held) for item, part in zip(items, parts)))
        case Call(operator.add, (one, other)), Parts(parts) if isinstance(first := texts_in(one, held), Parts):
            count = len(first.items)
            sides = _without(one, Parts(parts[:count]), held), _without(other, Parts(parts[count:]), held)
            return replace(value, args=sides)
        case Call(fn, (test, then, orelse)), Parts() if fn is select:
            return replace(value, args=(test, _without(then, found, held), _without(orelse, found, held)))
    return value
