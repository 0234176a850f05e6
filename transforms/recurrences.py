"""recurrences: what an iteration adds to an element that the next one takes is handed on in a number; part of `blocks`.

``v = y[i]; y[i] = 0.0; y[i + 1] -= v * a[i]`` stores what the next iteration reads, which waits for both then.
By hand one writes ``y_next = y[i + 1] - v * a[i]``. The other way round, where an iteration adds to the element
that the last one has stored, ``v[i] = d; v[i + 1] += u``, each element is stored once: when it is finished. And what an
iteration reads of what the last one has stored, ``x[i] = a * x[i - 1]``, it has in a number already.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from srcad.analysis.additions import place_of, varies
from srcad.analysis.affine import linear
from srcad.analysis.contents import member
from srcad.analysis.encounters import Encounters
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Stmt, Store, Var, While, select,
)  # fmt: skip
from srcad.lang.symbols import unique
from srcad.lang.types import FLOAT, Array, Scalar
from srcad.transforms.side_by_side import LAZY
from srcad.transforms.hoist import runs
from srcad.transforms.simplify import plus, simplified


DOUBLE = Scalar("float64")


def recurrences(fn: Function) -> Function:
    """Hand elements on in numbers, from one iteration of an innermost loop to the next.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import INT, Array
    >>> i, n, v = Var("i", INT), Var("n", INT), Var("v", FLOAT)
    >>> y, a = (Var(name, Array("float64", ("n",), "C")) for name in "ya")
    >>> def at(array, k): return Call(operator.getitem, (array, k), (), FLOAT)
    >>> following = at(y, Call(operator.add, (i, Const(1, INT)), (), INT))
    >>> added = Accum(following, Call(operator.mul, (v, at(a, i)), (), FLOAT))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (Let("v", at(y, i)), Store(y, i, Const(0.0, FLOAT)), added))
    >>> from srcad.lang.write import write
    >>> fn = Function("f", (Param("y", y.type), Param("a", a.type), Param("n", INT)), (loop, Return(y)))
    >>> print(write(recurrences(fn)).text, end="")
    def f(y, a, n):
        y_next = y[0] if n > 0 else 0.0
        for i in range(n):
            v = y_next
            y[i] = 0.0
            y_next = y[i + 1] + v * a[i]
        if n > 0:
            y[n] = y_next
        return y
    """
    if not any(isinstance(s, For) and _candidates(s) for s in walk.statements(fn.body)):
        return fn
    finder = _Finder(fn)
    body = finder.block(fn.body)
    return replace(fn, body=body) if finder.done else fn


@dataclass(frozen=True)
class _Chain:
    """An array of which each iteration takes or stores one element, and adds to a neighbour or reads it."""

    base: Var
    own: Expr  # the subscript of the element that it takes or stores
    other: Expr  # that of the neighbour
    written: Callable[[Block, _Chain, Var, Var], Block]  # the iteration
    backward: bool = True  # the neighbour is the element of the last iteration, not of the next


def _candidates(loop: For) -> list[str]:
    """The arrays to which an innermost loop adds."""
    if loop.flag is not None or loop.shared or not isinstance(loop.step, Const) or loop.step.value not in (1, -1):
        return []
    if any(isinstance(s, (For, While, Effect)) for s in walk.statements(loop.body)):
        return []
    added = {place[0] for stmt in loop.body if (place := place_of(stmt)) is not None}
    return sorted(added | {s.base.name for s in loop.body if isinstance(s, Store) and isinstance(s.base, Var)})


class _Finder:
    """Goes through the loops of a function."""

    def __init__(self, fn: Function) -> None:
        self.taken = {p.name for p in fn.params} | walk.assigned(fn.body)
        self.done = 0
        self.encounters = Encounters(fn)
        self.pairs = Pairs.of(fn.body)
        self.loops: list[Stmt] = []  # those around a statement

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, For) and (names := _candidates(stmt)):
                result += self.loop(stmt, names)
            else:
                self.loops.append(stmt)
                result.append(walk.map_stmt(lambda e: e, stmt, self.block))
                self.loops.pop()
        return tuple(result)

    def loop(self, loop: For, names: list[str]) -> list[Stmt]:
        before: list[Stmt] = []
        behind: list[Stmt] = []
        changed = loop
        for name in names:
            chain = self.chain(loop, name)
            if chain is not None:
                number, later = self.named(f"{name}_next"), self.named(f"{name}_later")
                changed = replace(changed, body=chain.written(changed.body, chain, number, later))
                self.around(loop, chain, number, before, behind)
                self.done += 1
        return [*before, changed, *behind]

    def named(self, title: str) -> Var:
        self.taken.add(new := unique(title, self.taken))
        return Var(new, FLOAT)

    def chain(self, loop: For, name: str) -> _Chain | None:
        """How a loop goes along an array, if it takes elements one by one and touches nothing else of it."""
        added = [s.target for s in loop.body if isinstance(s, Accum) and isinstance(s.target, Call)
                 and (place_of(s) or ("",))[0] == name]  # fmt: skip
        stores = [s for s in loop.body if isinstance(s, Store) and _stores(s, name)]
        reads = [e for s in loop.body for whole in walk.stmt_exprs(s) for e in _always(whole) if _reads(e, name)]
        if len(stores) > 1 or not self.is_alone(loop, name, len(reads) + len(stores)):
            return None
        numbers = all(getattr(s.value, "type", None) in (FLOAT, DOUBLE) for s in stores)
        base = next((e.args[0] for e in reads if isinstance(e, Call) and _is_double(e)), None)
        if not isinstance(base, Var) or not numbers:
            return None
        if not added:
            return self.read(loop, base, stores, {e.args[1] for e in reads if isinstance(e, Call)})
        own = {e.args[1] for e in reads if isinstance(e, Call) and e not in added} | {s.index for s in stores}
        if len(added) != 1 or len(own) != 1 or reads.count(added[0]) != 1 or not _in_order(loop.body, name):
            return None
        return self.added(loop, _Chain(base, own.pop(), added[0].args[1], _taken_early, False), bool(stores))

    def read(self, loop: For, base: Var, stores: list[Store], places: set[Expr]) -> _Chain | None:
        """An array of which each iteration reads what the last one has stored."""
        assert isinstance(loop.step, Const)
        if len(stores) == len(places) == 1:
            chain = _Chain(base, stores[0].index, places.pop(), _read_before)
            if _distance(loop, chain) == -loop.step.value and _in_order(loop.body, base.name):
                return chain
        return None

    def added(self, loop: For, chain: _Chain, stored: bool) -> _Chain | None:
        """An array of which each iteration takes an element, and adds to another one."""
        assert isinstance(loop.step, Const)
        distance = _distance(loop, chain)
        natural = all(self.encounters.never_negative(loop, e) for e in (*items_of(chain.own), *items_of(chain.other)))
        if distance == -loop.step.value and stored and natural:
            return replace(chain, written=_stored_late, backward=True)
        return chain if distance == loop.step.value else None

    def is_alone(self, loop: For, name: str, known: int) -> bool:
        """Whether a loop mentions an array so many times, and nothing that may share its memory."""
        mentioned = [e.name for s in walk.statements(loop.body) for whole in walk.stmt_exprs(s)
                     for e in walk.subexprs(whole) if isinstance(e, Var)]  # fmt: skip
        mentions = sum(self.pairs.may_share(name, other, loop) for other in mentioned)
        return mentions == known and not walk.assigned(loop.body) & {name}

    def around(self, loop: For, chain: _Chain, number: Var, before: list[Stmt], behind: list[Stmt]) -> None:
        """What is taken before the loop, and what is stored behind it."""
        assert isinstance(loop.step, Const)
        first, last = (loop.start, plus(loop.stop, -loop.step.value))
        start, end = (chain.other, chain.own) if chain.backward else (chain.own, chain.other)
        start, end = (walk.map_expr(_simple, walk.substitute(e, {loop.index: at}))
                      for e, at in ((start, first), (end, last)))  # fmt: skip
        begin: Expr = Call(operator.getitem, (chain.base, start), (), FLOAT)
        origin, test = replace(loop.origin, adjoint=False), runs(loop, tuple(self.loops))
        begin = begin if test is None else Call(select, (test, begin, Const(0.0, FLOAT)), (), FLOAT)
        before.append(Let(number.name, begin, origin))
        if chain.written is _read_before:
            return
        store = Store(chain.base, end, number, origin)
        if behind and isinstance(last_one := behind[-1], If):
            behind[-1] = replace(last_one, then=(*last_one.then, store))
        else:
            behind.append(store if test is None else If(test, (store,), (), origin))


def _reads(expr: Expr, name: str) -> bool:
    """Whether an expression is an element of an array."""
    base = expr.args[0] if isinstance(expr, Call) and expr.fn is operator.getitem else None
    return isinstance(base, Var) and base.name == name


def _is_double(element: Call) -> bool:
    kind = getattr(element.args[0], "type", None)
    return isinstance(kind, Array) and kind.dtype == "float64"


def _simple(e: Expr) -> Expr:
    return simplified(e) if isinstance(e, Call) else e


def _always(expr: Expr) -> Iterator[Expr]:
    """What is in an expression, but for what it may leave out."""
    lazy = isinstance(expr, Call) and member(expr.fn, LAZY)
    yield expr
    for part in walk.children(expr)[: 1 if lazy else None]:
        yield from _always(part)


def _distance(loop: For, chain: _Chain) -> int | None:
    """How many elements on along one axis the neighbour is, whose subscript is equal otherwise."""
    changed = walk.assigned(loop.body) | {loop.index}
    one, other = items_of(chain.own), items_of(chain.other)
    apart = [k for k, (a, b) in enumerate(zip(one, other)) if a != b]
    if len(one) != len(other) or len(apart) != 1:
        return None
    if any(varies(item, changed) for k, item in enumerate(one) if k != apart[0]):
        return None
    own, next_ = linear(one[apart[0]]), linear(other[apart[0]])
    if own is None or next_ is None or own[0] != loop.index or next_[0] != loop.index:
        return None
    return next_[1] - own[1]


def _in_order(body: Block, name: str) -> bool:
    """Whether elements are read before one is stored, but for the one that is added to."""
    place = next((k for k, stmt in enumerate(body) if _stores(stmt, name)), len(body))
    behind = [(s.value,) if isinstance(s, Accum) else walk.stmt_exprs(s) for s in body[place + 1 :]]
    return not any(_reads(e, name) for exprs in behind for whole in exprs for e in walk.subexprs(whole))


# ---------------------------------------------------------------- the statements of an iteration


def _taken_early(body: Block, chain: _Chain, number: Var, later: Var) -> Block:
    """The iteration with its element in a number, to which that of the next one is given."""
    place, added = _addition(body, chain.base.name)
    ahead, after = (_with_number(part, chain, number) for part in (body[:place], body[place + 1 :]))
    stored = any(_stores(stmt, chain.base.name) for stmt in body)
    kept = () if stored else (Store(chain.base, chain.own, number, added.origin),)
    total = simplified(Call(operator.add, (added.target, _taken(added.value, chain, number)), (), FLOAT))
    return _handed_on((*ahead, *kept), Let(number.name, total, added.origin), after, number, later)


def _stored_late(body: Block, chain: _Chain, number: Var, later: Var) -> Block:
    """The iteration that stores what the last one has handed on, with its own part added; and hands on its own."""
    place, added = _addition(body, chain.base.name)
    total = simplified(Call(operator.add, (number, added.value), (), FLOAT))
    body = (*body[:place], Store(chain.base, chain.other, total, added.origin), *body[place + 1 :])
    at, own = next((k, s) for k, s in enumerate(body)
                   if isinstance(s, Store) and _stores(s, chain.base.name) and k != place)  # fmt: skip
    return _handed_on(body[:at], Let(number.name, own.value, own.origin), body[at + 1 :], number, later)


def _read_before(body: Block, chain: _Chain, number: Var, later: Var) -> Block:
    """The iteration that has what the last one has stored in a number."""
    place, own = next((k, s) for k, s in enumerate(body) if isinstance(s, Store) and _stores(s, chain.base.name))
    ahead = _with_number(body[:place], chain, number)
    store = replace(own, value=number)
    return (*ahead, Let(number.name, _taken(own.value, chain, number), own.origin), store, *body[place + 1 :])


def _with_number(block: Block, chain: _Chain, number: Var) -> Block:
    return tuple(walk.map_stmt(lambda e: _taken(e, chain, number), stmt) for stmt in block)


def _taken(expr: Expr, chain: _Chain, number: Var) -> Expr:
    """An expression with a number in place of the element of an array."""
    return walk.map_expr(lambda e: number if _reads(e, chain.base.name) else e, expr)


def _handed_on(ahead: Block, next_: Let, after: Block, number: Var, later: Var) -> Block:
    """An iteration in which a number gets its next value between two parts, the second of which may need the last."""
    if number.name not in walk.mentioned(after):
        return (*ahead, next_, *after)
    body, end = (after[:-1], after[-1:]) if isinstance(after[-1], Move) else (after, ())
    return (*ahead, replace(next_, target=later.name), *body, replace(next_, value=later), *end)


def _addition(body: Block, name: str) -> tuple[int, Accum]:
    """Where an iteration adds to an array."""
    return next((k, s) for k, s in enumerate(body) if isinstance(s, Accum) and (place_of(s) or ("",))[0] == name)


def _stores(stmt: Stmt, name: str) -> bool:
    return isinstance(stmt, Store) and isinstance(stmt.base, Var) and stmt.base.name == name
