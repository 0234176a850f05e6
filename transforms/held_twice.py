"""Numbers that NumPy holds in arrays without axes, changed under one name and read under another; part of `infer`.

``np.where`` of numbers gives an array without axes, which to all who only compute with it is its number. After
``w = z``, ``w *= 2`` changes what z reads: there it has to be an array. Of ``max(x, y)``, which is one of its arguments
itself, nobody knows which one is changed.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Effect, Expr, For, Function, If, Let, Method, Move, Stmt, Store, Tuple, Var, While, hint, select,
)  # fmt: skip
from srcad.lang.lists import slot, within
from srcad.lang.types import Array, Scalar, TupleType
from srcad.transforms import parts
from srcad.typing.table import Refusal
from srcad.typing.typer import IN_PLACE, Typer

_HELD = (np.where, np.copy, np.squeeze)  # of numbers, arrays without axes
_MADE = (*_HELD, np.asarray, np.asanyarray, np.array, Method("copy"), Method("astype"))  # of numbers, too
_ONE_OF = (max, min)
_VIEWS = ("view", "reshape", "ravel", "squeeze", "transpose")

Pairs = frozenset[frozenset[str]]


def held_twice(fn: Function) -> frozenset[str]:
    """The names for what is changed in place while another name for the same is still read, and for what it came from.

    The caller may read its arguments behind the call.

    >>> from srcad.lang.ir import Return
    >>> z, twice = Call(np.where, (Var("c"), Var("x"), Var("y"))), Call(operator.imul, (Var("w"), Var("c")))
    >>> body = (Let("z", z), Let("w", Var("z")), Let("w_1", twice))
    >>> [sorted(held_twice(Function("f", (), (*body, Return(Var(name)))))) for name in ("z", "w_1")]
    [['w', 'z'], []]
    """
    bindings = [pair for stmt in walk.statements(fn.body) for pair in walk.bindings(stmt)]
    sources: defaultdict[str, set[str]] = defaultdict(set)
    users: defaultdict[str, set[str]] = defaultdict(set)
    for name, value in bindings:
        for other in _same(value):
            sources[name].add(other)
            users[other].add(name)
    held = {name for name, value in bindings if any(map(_may_be_held, walk.subexprs(value)))}
    written = _reached(_stored_to(fn.body), lambda name: sources[name])
    of_interest = _reached(held, lambda name: sources[name] | users[name])
    if not of_interest & parts.written(fn.body):
        return frozenset(written)
    found = _Aliases(of_interest)
    found.block(fn.body, frozenset(), frozenset(param.name for param in fn.params))
    return frozenset(_reached(found.changed, lambda name: sources[name])) | written


def _stored_to(body: Block) -> set[str]:
    """The names into which statements store, which numbers do not let them."""
    return {stmt.base.name for stmt in walk.statements(body) if isinstance(stmt, Store) and isinstance(stmt.base, Var)}


def _reached(names: set[str], further: Callable[[str], set[str]]) -> set[str]:
    waiting, result = list(names), set(names)
    while waiting:
        more = further(waiting.pop()) - result
        waiting += more
        result |= more
    return result


def as_array(typer: Typer, written: Expr, value: Expr, name: str) -> Expr:
    """What a name that is held twice stands for: an array without axes, where NumPy has one; or the refusal."""
    if isinstance(written, Tuple) and isinstance(value, Tuple):
        assert isinstance(value.type, TupleType)
        items = tuple(as_array(typer, *pair, name) for pair in zip(written.items, value.items))
        kinds = tuple(item.type for item in items)  # type: ignore[union-attr]
        return replace(value, items=items, type=replace(value.type, items=kinds))
    if not isinstance(written, Call) or not isinstance(value.type, Scalar):  # type: ignore[union-attr]
        return value
    if written.fn is np.squeeze:
        raise Refusal("np.squeeze of a number that is changed while another name for it is read", "np.array of it")
    if written.fn in _MADE:
        # +value is the number alone: what is computed once for two names, NumPy has in one array, and only one of them
        # changes. Numba has np.asarray for its own arrays without axes, too.
        number = value if value.type.dtype == "bool" else typer.apply(operator.pos, (value,))
        return typer.apply(np.asarray, (number,))
    if written.fn is select or written.fn in _ONE_OF:
        if any(_is_array(typer, part) for part in written.args):
            means = "np.where(...)" if written.fn is select else f"np.{written.fn.__name__}imum(...)"
            reason = f"{hint(name)} is one of several arrays without axes, and is changed while that one is still read"
            raise Refusal(reason, f"numbers: {means}[()]")
    return value


def _is_array(typer: Typer, part: Expr) -> bool:
    if isinstance(part, Call) and part.fn in _HELD:
        return True
    kind = getattr(typer.names.get(part.name), "type", None) if isinstance(part, Var) else None
    return isinstance(kind, Array) and not kind.ndim


def _may_be_held(expr: Expr) -> bool:
    return isinstance(expr, Call) and any(expr.fn is fn for fn in (*_HELD, *_ONE_OF))


def _same(expr: Expr) -> Iterator[str]:
    """The names for what an expression is, holds or is taken from."""
    match expr:
        case Var(name):
            yield name
        case Call(fn, (_, first, second)) if fn is select:
            yield from (*_same(first), *_same(second))
        case Call(fn, args, ()) if any(fn is one for one in _ONE_OF) and len(args) > 1:
            for arg in args:
                yield from _same(arg)
        case Call(fn, (old, _), ()) if fn.__hash__ is not None and fn in IN_PLACE:
            yield from _same(old)
        case Tuple(items):
            for item in items:
                yield from _same(item)
        case Call(Method(name), (whole, *_)) if name in _VIEWS:
            yield from _same(whole)
        case Attr(whole) | Call(operator.getitem | np.reshape | np.asarray, (whole, *_)):
            yield from _same(whole)


@dataclass
class _Aliases:
    """Goes through statements with the pairs of names that may stand for the same object."""

    of_interest: set[str]
    changed: set[str] = field(default_factory=set)

    def block(self, block: Block, pairs: Pairs, after: Names) -> Pairs:
        for stmt, later in zip(block, live(block, after)):
            pairs = self.statement(stmt, pairs, later)
        return pairs

    def statement(self, stmt: Stmt, pairs: Pairs, later: Names) -> Pairs:
        match stmt:
            case Let(target, Call(fn, (Var(old), _), ())) if fn.__hash__ is not None and fn in IN_PLACE:
                if old not in self.of_interest:
                    return pairs
                pairs = _bound([(target, {old})], pairs)
                self.change(old, pairs, later - {target})
                return pairs
            case Let() | Move():
                bound = [(name, value) for name, value in walk.bindings(stmt) if name in self.of_interest]
                return _bound([(name, set(_same(value))) for name, value in bound], pairs)
            case Store(Var(base), Call(fn), value) if fn in (slot, within):
                held = {base, *_beside(base, pairs), *_same(value)}
                return pairs | {frozenset((a, b)) for a in held for b in held if a < b}
            case Store(base):
                for name in walk.names(base):
                    self.change(name, pairs, later - {name})
            case Effect(call):
                for name in walk.names(call):
                    self.change(name, pairs, later - {name})
            case If(_, then, orelse):
                return self.block(then, pairs, later) | self.block(orelse, pairs, later)
            case For() | While():
                end, before = at_the_end(stmt, later), None
                while pairs != before:
                    before, pairs = pairs, pairs | self.block(stmt.body, pairs, end)
        return pairs

    def change(self, name: str, pairs: Pairs, later: Names) -> None:
        """What has this name is changed; `later` are the other names that are read behind."""
        if seen := later & (_beside(name, pairs) | {name}):
            self.changed |= seen | {name}


def _beside(name: str, pairs: Pairs) -> set[str]:
    return set().union(*(pair for pair in pairs if name in pair)) - {name}


def _bound(bindings: list[tuple[str, set[str]]], pairs: Pairs) -> Pairs:
    """The pairs after names were bound to what others stand for, all at once."""
    bound = {name for name, _ in bindings}
    stand = {name: others.union(*(_beside(other, pairs) for other in others)) for name, others in bindings}
    new = {frozenset((name, other)) for name, others in stand.items() for other in others - bound}
    new |= {frozenset((a, b)) for a, first in stand.items() for b, second in stand.items() if a < b and first & second}
    return frozenset(pair for pair in pairs if not pair & bound) | new
