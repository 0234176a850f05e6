"""unfilled: an error, as in Python, where an element is computed with that is still None; part of `flatten`.

In an array of integers the smallest one stands for None, with which machine code would count on. Whether an element
has been given is known behind a loop that gives all of them, and behind a store into it; elsewhere it is asked, at run
time, where it is a number that something is computed of, a place in an array, or how often a loop goes round. To hand
it on or to ask whether it equals another number is no reason.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from srcad.analysis.conditions import opposite
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Effect, Expr, For, If, Let, Move, Return, Stmt, Store, Tuple, Var, While, and_,
    or_, raise_, select,
)  # fmt: skip
from srcad.lang.lists import Unfilled
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, INT, NONE, Array, Scalar, Static, TupleType, is_array

_COPIED = (np.copy, np.array, np.asarray, np.reshape, np.transpose, np.ravel, np.concatenate, np.full, np.tile,
           np.flip, np.broadcast_to, np.swapaxes, np.where, np.append, np.stack)  # fmt: skip
_ASIDE = (len, np.shape, np.size, np.empty_like, np.zeros_like, np.ones_like)  # ask for no element
_HANDING = (*_COPIED, *_ASIDE, operator.eq, operator.ne)
_LAZY = (select, and_, or_)
MESSAGE = "an element of a list that began as [None] * n is still None where it is taken for a number"


def unfilled(body: Block) -> Block:
    """Raise where what is still None is taken for a number.

    >>> from srcad.lang.ir import Slice
    >>> xs, first = Var("xs", Array("int64", ("n",))), Const(Unfilled(-128), INT)
    >>> made, k = Store(xs, Slice(), first), Var("k", INT)
    >>> read = Let("a", Call(operator.getitem, (xs, Const(0, INT)), (), INT))
    >>> [type(s).__name__ for s in unfilled((made, read, Let("b", Call(operator.add, (Var("a", INT), k), (), INT))))]
    ['Store', 'Let', 'If', 'Let']
    """
    begun = {name for stmt in walk.statements(body) for name in _begun(stmt)}
    return _Asking(body, begun).block(body) if begun else body


def _begun(stmt: Stmt) -> frozenset[str]:
    """The arrays that are full of None behind a statement."""
    match stmt:
        case Let(target, Call() as value) if any(
            isinstance(e, Const) and isinstance(e.value, Unfilled) for e in walk.subexprs(value)
        ):
            return frozenset((target,))
        case Store(base, _, Const(Unfilled())):
            return walk.names(base)
    return frozenset()


class _Asking:
    """Goes through a function with what is known to have been given."""

    def __init__(self, body: Block, begun: set[str]) -> None:
        self.reached = _reached(body, begun)
        self.values = {stmt.target: stmt.value for stmt in walk.statements(body) if isinstance(stmt, Let)}
        self.given: set[Expr] = set()  # elements and whole arrays in which nothing is None
        stores = [s for s in walk.statements(body) if isinstance(s, Store) and not _begun(s)]
        handed_on = {name for s in stores if self.may_be(s.value) for name in walk.names(s.base)}
        self.own = begun - handed_on  # only their beginning is None
        self.out: list[Stmt] = []

    def may_be(self, value: Expr) -> bool:
        """Whether a value may be None, or have it in it, as it is."""
        match value:
            case Const(Unfilled()):
                return True
            case Var(name):
                return name in self.reached and value not in self.given
            case Call(operator.getitem, (Var() as base, _)):
                return self.may_be(base) and element(*value.args) not in self.given
            case Call(fn, (_, *sides)) if fn in _LAZY:
                return any(map(self.may_be, sides))
            case Tuple(items):
                return any(map(self.may_be, items))
            case Call(fn, args) if fn in _COPIED:
                return _whole(value) and any(map(self.may_be, args))
        return False

    def block(self, block: Block) -> Block:
        outer, self.out = self.out, []
        given = set(self.given)
        for before, stmt, behind in zip((None, *block), block, (*block[1:], None)):
            enters = isinstance(stmt, Move) and isinstance(behind, (For, While))
            if enters or not (isinstance(before, Move) and isinstance(stmt, (For, While))):
                self.read(behind if enters else stmt, dict(walk.moves_of((stmt,))) if enters else {})
            self.forget(stmt)  # what an iteration before may have made None
            inner = walk.map_stmt(lambda e: e, stmt, self.block) if isinstance(stmt, (If, For, While)) else stmt
            self.out.append(replace(inner, body=self.again(inner)) if isinstance(inner, While) else inner)
            self.learn(stmt)
        self.given = given
        result, self.out = tuple(self.out), outer
        return result

    def again(self, stmt: While) -> Block:
        """The body of a loop whose test reads what an iteration hands on."""
        body = stmt.body
        outer, self.out = self.out, []
        self.computed(walk.substitute(stmt.test, dict(walk.moves_of(body))), stmt.origin)
        asked, self.out = tuple(self.out), outer
        ends = bool(body) and isinstance(body[-1], Move)
        return (*body[:-1], *asked, *body[-1:]) if ends else (*body, *asked)

    def forget(self, stmt: Stmt) -> None:
        begun = frozenset().union(*map(_begun, walk.statements((stmt,))))
        self.given -= {e for e in self.given if walk.names(e) & begun}

    def learn(self, stmt: Stmt) -> None:
        self.forget(stmt)
        match stmt:
            case Store(Var(name) as base, index, value) if name in self.own and not self.may_be(value):
                self.given.add(element(base, index))
            case Let(target, value) if target in self.reached and not self.may_be(value):
                kind = getattr(value, "type", None)
                self.given |= {Var(target, kind)} if isinstance(kind, Scalar) else set()  # arrays may get others later
            case For(index, start, stop, step, body) if walk.is_const(start, 0) and walk.is_const(step, 1):
                for inner in body:
                    match inner:
                        case Store(Var(name) as base, Var(at), value) if at == index and name in self.own:
                            if not self.may_be(value) and self.is_length(base, stop):
                                self.given.add(base)

    def is_length(self, array: Var, stop: Expr) -> bool:
        """Whether a number is the length of an array."""
        made = self.values.get(array.name)
        lengths = [made.args[0]] if isinstance(made, Call) and made.fn in (np.empty, np.full) else []
        for length in list(lengths):
            if isinstance(length, Tuple):
                lengths = list(length.items[:1])
        size: Expr | None = self.known(lengths[0]) if lengths else None
        stop = self.known(stop)
        if isinstance(size, Call) and size.fn is max and walk.is_const(size.args[1], 0):
            size = self.known(size.args[0])
        asked = isinstance(stop, Call) and stop.fn is len and stop.args == (array,)
        return asked or size is not None and size == stop

    def known(self, value: Expr) -> Expr:
        while isinstance(value, Var) and isinstance(self.values.get(value.name), (Var, Call, Const)):
            if isinstance(found := self.values[value.name], Call) and found.fn not in (max, len):
                break
            value = found
        return value

    # ------------------------------------------------------------ what is read

    def read(self, stmt: Stmt | None, entry: dict[str, Expr]) -> None:
        match stmt:
            case Let(_, value):
                self.handed(value, stmt.origin)
            case Move(_, values):
                for value in values:
                    self.handed(value, stmt.origin)
            case Store(base, index, value):
                self.computed(index, stmt.origin)
                (self.handed if _whole(base) else self.computed)(value, stmt.origin)
            case For(_, start, stop, step):
                for value in (start, stop, step):
                    self.computed(value, stmt.origin)
            case While(test) | If(test):
                self.computed(walk.substitute(test, entry), stmt.origin)
            case Effect(value) | Return(value):
                self.computed(value, stmt.origin)

    def handed(self, value: Expr, origin: Origin, tests: tuple[Expr, ...] = ()) -> None:
        """What is read of a value that is handed on as it is."""
        match value:
            case Var() | Attr():
                return
            case Call(operator.getitem, (base, index)):
                self.handed(base, origin, tests)
                self.computed(index, origin, tests)
            case Call(fn) if fn in _LAZY:
                for part, inner in self.sides(value, origin, tests):
                    self.handed(part, origin, inner)
            case Call(fn, parts) if fn in _HANDING and (fn not in _COPIED or _whole(value)):
                for part in parts:
                    self.handed(part, origin, tests)
            case Tuple(items):
                for item in items:
                    self.handed(item, origin, tests)
            case _:
                for part in walk.children(value):
                    self.computed(part, origin, tests)

    def computed(self, value: Expr, origin: Origin, tests: tuple[Expr, ...] = ()) -> None:
        """What is read of a value that has to be a number."""
        match value:
            case Tuple(items):
                for item in items:
                    self.computed(item, origin, tests)
            case Call(fn) if fn in _LAZY:
                for part, inner in self.sides(value, origin, tests):
                    self.computed(part, origin, inner)
            case _:
                self.handed(value, origin, tests)
                if self.may_be(value):
                    self.ask(value, origin, tests)

    def sides(self, value: Call, origin: Origin, tests: tuple[Expr, ...]) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
        """The values of which one is taken, and the tests under which it is."""
        first, *rest = value.args
        self.computed(first, origin, tests)
        for k, part in enumerate(rest):
            holds = k == 0 if value.fn is select else value.fn is and_
            inner = (*tests, first if holds else opposite(first))
            yield part, inner
            if value.fn is not select:
                tests, first = inner, part

    def ask(self, value: Expr, origin: Origin, tests: tuple[Expr, ...]) -> None:
        kind = getattr(value, "type", None)
        assert isinstance(kind, (Scalar, Array))
        least = np.iinfo(np.int32 if kind.dtype == "int32" else np.int64).min  # where an int meets floats, it is one
        same = Call(operator.eq, (value, Const(int(least), INT)), (), replace(kind, dtype="bool"))
        is_none = Call(np.any, (same,), (), BOOL) if isinstance(kind, Array) else same
        error = Call(raise_, tuple(Const(v, Static(v)) for v in (TypeError, MESSAGE)), (), NONE)
        test = Call(and_, (*tests, is_none), (), BOOL) if tests else is_none
        self.out.append(If(test, (Effect(error, origin),), (), origin))
        if not tests:
            self.given.add(element(*value.args) if isinstance(value, Call) else value)


def _whole(value: Expr) -> bool:
    """Whether a value is of integers, of which one can stand for None."""
    kind = getattr(value, "type", None)
    return isinstance(kind, TupleType) or isinstance(kind, (Scalar, Array)) and kind.dtype.startswith("int")


def element(base: Expr, index: Expr) -> Expr:
    """An element of an array, whatever its type is called."""
    return Call(operator.getitem, (base, index))


def _reached(body: Block, begun: set[str]) -> set[str]:
    """The names that elements which are None may reach as they are."""
    flows = [flow for stmt in walk.statements(body) for flow in _flows(stmt)]
    found, known = set(begun), -1
    while len(found) > known:
        known = len(found)
        for target, sources in flows:
            if sources & found:
                found.add(target)
    return found


def _flows(stmt: Stmt) -> Iterator[tuple[str, set[str]]]:
    match stmt:
        case Let() | Move():
            for target, value in walk.bindings(stmt):
                sources = {*_meant(value)}
                yield target, sources
                if is_array(getattr(value, "type", None)):  # what is put into a view is put into the array
                    yield from ((source, {target}) for source in sources)
        case Store(base, _, value) if _whole(base):
            yield from ((name, {*_meant(value)}) for name in walk.names(base))


def _meant(value: Expr) -> Iterator[str]:
    """The names of what a value may be, or has among its elements."""
    match value:
        case Var(name):
            yield name
        case Call(operator.getitem, (base, _)):
            yield from _meant(base)
        case Call(fn, (_, *sides)) if fn in _LAZY:
            for side in sides:
                yield from _meant(side)
        case Call(fn, parts) if fn in _COPIED and _whole(value):
            for part in parts:
                yield from _meant(part)
        case Tuple(items):
            for item in items:
                yield from _meant(item)
