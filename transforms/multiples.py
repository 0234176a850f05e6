"""multiples: nests that store multiples of a cotangent, and one that changes in place beside a second array; part of
`edges`.

Part of `edges`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.contents import values_of
from srcad.analysis.overwritten import mentions, only_at
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var
from srcad.lang.types import FLOAT, Scalar
from srcad.transforms.context import is_bar


@dataclass(frozen=True)
class Multiples:
    """A nest that stores multiples of elements of one array in another one, and does nothing else."""

    loops: list[For]
    store: Store
    name: str
    factors: list[Expr]
    element: Call  # of the array

    @staticmethod
    def of(stmt: Stmt) -> Multiples | None:
        loops: list[For] = []
        while isinstance(stmt, For) and stmt.flag is None and walk.is_const(stmt.step, 1):
            loops.append(stmt)
            if not stmt.body or not all(isinstance(s, Let) for s in stmt.body[:-1]):
                return None
            stmt = stmt.body[-1]
        if not loops or not isinstance(stmt, Store) or not isinstance(stmt.base, Var):
            return None
        bound = [s for each in loops for s in each.body if isinstance(s, Let)]
        lets = {s.target: s.value for s in bound}
        changed = walk.assigned((loops[0],))
        factors: list[Expr] = []
        element = _product(stmt.value, lets if len(lets) == len(bound) else {}, changed, factors)
        return None if element is None else Multiples(loops, stmt, stmt.base.name, factors, element)


def _product(value: Expr, lets: dict[str, Expr], changed: set[str], factors: list[Expr]) -> Call | None:
    """The one element of an array that is a factor of a product, with the others, which no iteration changes."""
    match value:
        case Var(name) if name in lets:
            return _product(lets[name], lets, changed, factors)
        case Call(operator.neg, (inner,)):
            factors.append(Const(-1.0, FLOAT))
            return _product(inner, lets, changed, factors)
        case Call(operator.mul, (one, two)):
            for fixed, other in ((one, two), (two, one)):
                if not walk.names(fixed) & changed and isinstance(fixed, (Var, Const)):
                    factors.append(fixed)
                    return _product(other, lets, changed, factors)
        case Call(operator.getitem, (Var(name), _), type=Scalar()) if is_bar(name):
            return value
    return None


@dataclass(frozen=True)
class InTurns:
    """A loop of which two arrays change places, where it had one that changed in place."""

    fn: Function
    loop: For
    nest: For  # that stores the multiples
    filling: For  # that writes all elements but those around
    array: Var  # that it writes to

    @staticmethod
    def of(fn: Function, position: int, wide: Multiples, fresh: Callable[[str], str]) -> InTurns | None:
        """The loop, if the nest behind the one with the multiples puts something in the place of all of them.

        What surrounds these elements is to be in an array of its own: it does not change places.
        """
        loop, old = fn.body[position], wide.element.args[0]
        assert isinstance(loop, For) and isinstance(old, Var)
        at = next(k for k, stmt in enumerate(loop.body) if stmt is wide.loops[0])
        users = [k for k in range(at + 1, len(loop.body)) if mentions(loop.body[k], old.name)]
        nest = loop.body[users[0]] if users else None
        if old.name in {p.name for p in fn.params} or not isinstance(nest, For):
            return None
        new = Var(fresh(f"{old.name.removesuffix('~bar')}~next~bar"), old.type)
        first = walk.substitute_in((wide.loops[0],), {old.name: new})[0]
        second = _elsewhere(nest, old, new)
        if second is None or not isinstance(first, For):
            return None
        swap = Move((old.name, new.name), (new, old), first.origin)
        body = (*loop.body[:at], swap, first, *loop.body[at + 1 : users[0]], second, *loop.body[users[0] + 1 :])
        made = Let(new.name, Call(np.zeros_like, (old,), (), new.type), replace(loop.origin, adjoint=False))
        found = replace(loop, body=body)
        fn = replace(fn, body=(*fn.body[:position], made, found, *fn.body[position + 1 :]))
        return InTurns(fn, found, first, second, old)


def _elsewhere(nest: For, old: Var, new: Var) -> For | None:
    """A nest that takes each element from another array, if it uses no other one than it writes to in the end."""
    stmt: Stmt = nest
    while isinstance(stmt, For):
        users = [s for s in stmt.body if mentions(s, old.name)]
        if old.name in values_of(stmt.start) | values_of(stmt.stop) or not users:
            return None
        stmt = users[-1]
        if isinstance(stmt, For) and len(users) > 1:
            return None
    if not isinstance(stmt, Store) or stmt.base != old or not all(only_at(s, old, stmt.index) for s in users):
        return None
    if old.name in stored_names(tuple(users[:-1])):
        return None
    moved = _stored_to(walk.substitute_in((nest,), {old.name: new}), old, new)[0]
    return moved if isinstance(moved, For) else None


def _stored_to(block: Block, old: Var, new: Var) -> Block:
    """A block that writes to an array again, and not to the one that it reads."""
    stmts = (walk.map_stmt(lambda e: e, stmt, lambda inner: _stored_to(inner, old, new)) for stmt in block)
    return tuple(replace(s, base=old) if isinstance(s, Store) and s.base == new else s for s in stmts)
