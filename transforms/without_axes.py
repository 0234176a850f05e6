"""Arrays of rank 0 that are numbers to all who read them; part of `infer`.

What is computed from an array of rank 0 is a number of NumPy's. A loop that begins with such an array, and goes on with
what it computes from it, may as well begin with the number that the array holds: as long as nobody writes into the
array, under whatever name, and nobody takes a view of what the loop hands on. An argument of rank 0 that a function
computes with, and does no more to, is its number from the start, so that it may meet numbers where paths join.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.arrays import number
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, Function, If, Let, Move, Return, Stmt, Store, Tuple, Var, select,
)  # fmt: skip
from srcad.lang.lists import slot, within
from srcad.lang.recursive import Callee
from srcad.lang.types import Array, Type
from srcad.transforms.inplace import is_inplace

_COMPUTING = (float, int, bool, complex, abs, pow, len, np.sum, np.mean, np.where, np.clip)
_CHOOSING = (select, max, min)
_JOINING = (operator.add, operator.mul)  # of tuples and lists


def is_without_axes(value: Expr) -> bool:
    kind = getattr(value, "type", None)
    return isinstance(kind, Array) and not kind.ndim


def as_numbers(fn: Function, types: Sequence[Type], fresh: Callable[[str], str]) -> Function:
    """A function that begins with the numbers of its arguments of rank 0, where it only computes with them.

    >>> from srcad.lang.ir import Param
    >>> fn = Function("f", (Param("x"),), (Let("y", Call(np.sin, (Var("x"),))), Return(Var("y"))))
    >>> first, *_ = as_numbers(fn, (Array("float64", (), "C"),), lambda name: f"{name}_0").body
    >>> first.target, first.value.fn.__name__
    ('x_0', 'getitem')
    """
    held = [Var(p.name, t) for p, t in zip(fn.params, types) if isinstance(t, Array) and not t.ndim]
    read = {one.name: fresh(one.name) for one in held if only_computes(one.name, (fn.body,))}
    numbers = tuple(Let(read[one.name], number(one), fn.origin) for one in held if one.name in read)
    return replace(fn, body=(*numbers, *walk.rename(fn.body, read))) if read else fn


def only_computes(target: str, blocks: Sequence[Block], within: frozenset[tuple[Callee, str]] = frozenset()) -> bool:
    """Whether the blocks compute with what begins with this name, or hand it on, and do no more to it.

    `within` are the parameters of functions that call themselves of which just this is asked.
    """
    stmts = [stmt for block in blocks for stmt in walk.statements(block)]
    ones, before = _Ones({target}, set(), within), 0
    while len(ones.names) + len(ones.wholes) > before:
        before = len(ones.names) + len(ones.wholes)
        for name, value in (pair for stmt in stmts for pair in walk.bindings(stmt)):
            ones.names |= {name} if ones.is_one(value) else set()
            ones.wholes |= {name} if ones.is_whole(value) else set()
    return all(map(ones.computing, stmts))


def are_written(body: Block, holders: set[str]) -> bool:
    """Whether typed statements write into one of these arrays, under whatever name."""
    if not holders:
        return False
    classes = Classes.of(body)
    return not {classes.find(name) for name in stored_names(body)}.isdisjoint(map(classes.find, holders))


@dataclass
class _Ones:
    """What a name stands for: the names for it, and `wholes`, those among them that may be tuples and lists with it."""

    names: set[str]
    wholes: set[str]
    within: frozenset[tuple[Callee, str]]

    def is_one(self, expr: Expr) -> bool:
        """Whether an expression is, holds or may be what the names stand for."""
        match expr:
            case Call(fn, args, ()) if isinstance(fn, Callee) or fn in _CHOOSING:
                return any(map(self.is_one, args))
            case Call(fn) if fn in _JOINING:
                return self.is_whole(expr)
            case Tuple(items):
                return any(map(self.is_one, items))
            case Call(operator.getitem, (whole, index)):
                known = isinstance(index, Var) or isinstance(index, Const) and isinstance(index.value, (int, str))
                return self.is_one(whole) if known else self.is_whole(whole)
            case Attr(whole, name):
                return not hasattr(np.ndarray, name) and self.is_one(whole)
        return isinstance(expr, Var) and expr.name in self.names

    def is_whole(self, expr: Expr) -> bool:
        """Whether it may be a tuple or a list that holds it."""
        match expr:
            case Call(fn, args) if isinstance(fn, Callee) or fn is operator.getitem or fn in (*_CHOOSING, *_JOINING):
                return any(map(self.is_whole, args))
        return isinstance(expr, Tuple) and self.is_one(expr) or isinstance(expr, Var) and expr.name in self.wholes

    def computing(self, stmt: Stmt) -> bool:
        """Whether a statement binds these names to others, returns them or computes numbers from them, and no more."""
        exprs = walk.stmt_exprs(stmt)
        if not isinstance(stmt, (Let, Move, Return, If)):
            found = [expr for expr in exprs if self.is_one(expr)]
            if found and not (isinstance(stmt, Store) and found == [stmt.value] and not _is_in_a_list(stmt)):
                return False
        return all(self.computes(expr) for whole in exprs for expr in walk.subexprs(whole))

    def computes(self, expr: Expr) -> bool:
        """Whether an expression makes a number of what these names stand for, if it reads one, or hands it on."""
        if self.is_one(expr) and not isinstance(getattr(expr, "fn", None), Callee):
            return True
        places = [place for place, part in enumerate(walk.children(expr)) if self.is_one(part)]
        if not places:
            return True
        if not isinstance(expr, Call) or expr.fn.__hash__ is None or is_inplace(expr.fn) or expr.kwargs:
            return False
        if isinstance(expr.fn, Callee):
            return all(self.computes_in(expr.fn, place) for place in places)
        if isinstance(expr.fn, np.ufunc) or expr.fn in _COMPUTING:
            return True
        module, name = (getattr(expr.fn, part, "") for part in ("__module__", "__name__"))
        return module in ("math", "cmath") or module == "_operator" and name not in ("getitem", "setitem")

    def computes_in(self, callee: Callee, place: int) -> bool:
        """Whether a function that calls itself only computes with one of its arguments."""
        assert callee.function is not None
        asked = (callee, callee.function.params[place].name)
        return asked in self.within or only_computes(asked[1], (callee.function.body,), self.within | {asked})


def _is_in_a_list(store: Store) -> bool:
    """Whether a store puts into a list what is still the same object there."""
    return isinstance(store.index, Call) and store.index.fn in (slot, within)
