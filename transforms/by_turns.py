"""by_turns: two arrays serve a loop by turns, where each iteration would make the next state anew.

``v = np.empty_like(u)``, filled from `u`, and then ``u = v``: nobody sees the old `u` again, so that its memory is good
for the `v` of the next iteration. The two are made once, and change places: ``u, v = v, u``. In a reverse sweep, where
``v_bar = u_bar`` and a new `u_bar` begins with zeros, they do so at the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.overwritten import UNFILLED
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, Function, Let, Move, Slice, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.recursive import Instance
from srcad.lang.types import Array, Scalar, TupleType
from srcad.runtime import recorded

MADE = (np.empty, np.empty_like, np.copy, *UNFILLED)


def by_turns(fn: Function) -> Function:
    """Let arrays that follow each other in a loop change places.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import INT
    >>> x, i = Var("x", Array("float64", ("n",), "C")), Var("i", INT)
    >>> u, v = Var("u", x.type), Var("v", x.type)
    >>> fill = Store(v, i, Const(1.0, Scalar("float64")))
    >>> body = (Let("v", Call(np.empty_like, (u,), (), x.type)), fill, Move(("u",), (v,)))
    >>> loop = For("i", Const(0, INT), Const(9, INT), Const(1, INT), body)
    >>> made = Let("u", Call(np.copy, (x,), (), x.type))
    >>> from srcad.lang.write import write
    >>> fn = by_turns(Function("f", (Param("x", x.type),), (made, loop, Return(u))))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        u = np.copy(x)
        v = np.empty_like(u)
        for i in range(9):
            v[i] = 1.0
            u, v = v, u
        return u
    """
    for position, stmt in enumerate(fn.body):
        if isinstance(stmt, (For, While)):
            found = _first(fn, position, stmt)
            if found is not None:
                return by_turns(replace(fn, body=(*fn.body[:position], *found, *fn.body[position + 1 :])))
    return fn


def _first(fn: Function, position: int, loop: For | While) -> Block | None:
    """A loop with one more pair of arrays that change places, and the second one made before it."""
    for number, stmt in enumerate(loop.body):
        if not isinstance(stmt, Let):
            continue
        found = _at_the_beginning(loop, number, stmt) or _at_the_end(loop, number, stmt)
        if found is not None and _Memory.of(fn, position, loop).is_own(found.one.name, found.other.name):
            made = Let(found.other.name, Call(np.empty_like, (found.one,), (), found.one.type), stmt.origin)
            return (made, replace(loop, body=found.body))
    return None


@dataclass(frozen=True)
class _Swap:
    one: Var  # the array that lasts
    other: Var
    body: Block  # of the loop


def _at_the_beginning(loop: For | While, number: int, stmt: Let) -> _Swap | None:
    """``v = u; u = np.zeros_like(u)``"""
    body = loop.body
    match stmt.value:
        case Var(name, Array(layout="C") as kind) if number + 1 < len(body):
            made = _bound(body[number + 1], name)
            if made is None or not _makes(made, kind) or not set(walk.names(made)) <= {name, stmt.target}:
                return None
            one, other = Var(name, kind), Var(stmt.target, kind)
            swap = Move((name, stmt.target), (other, one), stmt.origin)
            if stmt.target in {t for s in (*body[:number], *body[number + 1 :]) for t in _bindings(s)}:
                return None
            if made.fn is np.copy:
                return None
            filled = _filled(one, made, other, body[number + 1])
            return _Swap(one, other, (*body[:number], swap, *filled, *body[number + 2 :]))
    return None


def _at_the_end(loop: For | While, number: int, stmt: Let) -> _Swap | None:
    """``v = np.empty_like(u)``, and ``u = v`` in the end"""
    body, last = loop.body, loop.body[-1]
    names, values = _hands_on(last)
    which = next((k for k, value in enumerate(values) if isinstance(value, Var) and value.name == stmt.target), None)
    made = stmt.value
    if which is None or last is stmt or not isinstance(made, Call) or not isinstance(made.type, Array):
        return None
    one, other = Var(names[which], made.type), Var(stmt.target, made.type)
    read = [e for s in body for x in walk.stmt_exprs(s) for e in walk.subexprs(x) if isinstance(e, Var)]
    if not _makes(made, made.type) or {e.type for e in read if e.name == one.name} != {made.type}:
        return None
    if made.fn in (np.empty_like, np.zeros_like, np.copy) and made.args[0] != one:
        return None
    swap = Move((*names, stmt.target), (*values, one), last.origin)
    if {one.name, stmt.target} & {t for s in (*body[:number], *body[number + 1 : -1]) for t in _bindings(s)}:
        return None
    return _Swap(one, other, (*body[:number], *_filled(other, made, one, stmt), *body[number + 1 : -1], swap))


def _makes(made: Call, kind: Array) -> bool:
    """Whether a call makes an array of this type."""
    return any(made.fn is fn for fn in MADE) and made.type == kind and kind.layout == "C" and not made.kwargs


def _filled(array: Var, made: Call, source: Var, stmt: Stmt) -> list[Stmt]:
    """What fills an array that has been there before as the call that makes it does."""
    assert isinstance(array.type, Array)
    whole = Slice() if array.type.ndim == 1 else Const(...)
    if made.fn is np.copy:
        return [Store(array, whole, source, stmt.origin)]
    if made.fn in UNFILLED:
        return [Store(array, whole, Const(0.0, Scalar(array.type.dtype)), stmt.origin)]
    return []


def _bound(stmt: Stmt, name: str) -> Call | None:
    """The call whose result is all that a statement binds, to this name."""
    names, values = _hands_on(stmt)
    return values[0] if names == (name,) and isinstance(values[0], Call) else None


def _hands_on(stmt: Stmt) -> tuple[tuple[str, ...], tuple[Expr, ...]]:
    match stmt:
        case Let(name, value):
            return (name,), (value,)
        case Move(names, values):
            return tuple(names), tuple(values)
    return (), ()


def _bindings(stmt: Stmt) -> Iterator[str]:
    """The names that a statement, or one inside it, binds."""
    for inner in walk.statements((stmt,)):
        if isinstance(inner, (Let, Move)):
            yield from _hands_on(inner)[0]


@dataclass
class _Memory:
    """Who knows the memory of which array, around a loop."""

    pairs: Pairs
    params: set[str]
    loop: For | While
    before: Block
    after: Block

    @staticmethod
    def of(fn: Function, position: int, loop: For | While) -> _Memory:
        params = {param.name for param in fn.params}
        return _Memory(Pairs.of(fn.body), params, loop, fn.body[:position], fn.body[position + 1 :])

    def is_own(self, one: str, other: str) -> bool:
        """Whether nobody else knows the memory of two arrays, from the loop on, but parts of them in an iteration."""
        classes = self.pairs.classes
        leader = classes.find(one)
        if leader not in self.pairs.followed or classes.find(other) != leader:
            return False
        if any(classes.find(name) == leader for name in self.params):
            return False
        inside = {name for name in walk.mentioned(self.loop.body) if classes.find(name) == leader} - {one, other}
        before = {name for name in walk.mentioned(self.before) if classes.find(name) == leader}
        after = {name for name in walk.mentioned(self.after) if classes.find(name) == leader} - {one}
        if other in before or inside & before or after & (before | inside | {other}):
            return False
        headers = {name for expr in walk.stmt_exprs(self.loop) for name in walk.names(expr)}
        if headers & (inside | {one, other}) or not all(map(self.is_local, inside)):
            return False
        if not all(is_known(stmt) for stmt in walk.statements(self.before) if before & set(_bindings(stmt))):
            return False
        return not any(self.keeps(stmt, inside | {one, other}) for stmt in walk.statements(self.loop.body))

    def is_local(self, name: str) -> bool:
        """Whether an iteration binds a name before it does anything else with it."""
        first = next(stmt for stmt in self.loop.body if name in walk.mentioned((stmt,)))
        return isinstance(first, Let) and first.target == name and name not in walk.names(first.value)

    def keeps(self, stmt: Stmt, names: set[str]) -> bool:
        """Whether a statement hands an array to what may keep it, or moves it otherwise than at the top of the loop."""
        match stmt:
            case Effect():
                return bool(names & {name for e in walk.stmt_exprs(stmt) for name in walk.names(e)})
            case Move(targets) if stmt not in self.loop.body:
                return bool(names & set(targets))
            case Let(_, (Tuple() | Call(type=TupleType())) as value):
                return bool(names & set(walk.names(value)))
        calls = (e for x in walk.stmt_exprs(stmt) for e in walk.subexprs(x) if isinstance(e, Call))
        return any((e.fn is recorded or isinstance(e.fn, Instance)) and names & set(walk.names(e)) for e in calls)


def is_known(stmt: Stmt) -> bool:
    """Whether what a statement binds is made by functions that hand back nothing they were given but views."""
    calls = [value for value in _hands_on(stmt)[1] if isinstance(value, Call)]
    modules = [getattr(call.fn, "__module__", None) for call in calls if not isinstance(call.fn, np.ufunc)]
    return all(module in ("numpy", "_operator") for module in modules)
