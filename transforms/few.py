"""Loops over elements of which few attain an extreme do nothing for the others; part of `hits`.

Of extremes of columns, or of both rows and columns, each iteration over a row has some hits or none. What follows from
their cotangent is done where an element is one.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from functools import reduce

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, If, Let, Stmt, Var, or_, select
from srcad.lang.types import BOOL, Array, Scalar
from srcad.transforms.unstored import Facts

SCALED = (operator.mul, operator.truediv)


def for_hits(body: Block, facts: Facts) -> Block:
    """The body of a function whose loops pass over the elements that attain no extreme."""
    found = {s.target for s in walk.statements(body) if isinstance(s, Let) and _asks_for_extremes(s.value)}
    return _guarded(body, found, facts) if found else body


def _asks_for_extremes(value: Expr) -> bool:
    """Whether a value tells of the elements of an array which of them attain an extreme, of rows or of columns."""
    match value:
        case Call(operator.or_, (Call(operator.eq, (array, _)), Call(np.isnan, (same,))), type=Array()):
            return array == same
    return False


def _guarded(block: Block, found: set[str], facts: Facts) -> Block:
    """A block whose loops do nothing for the elements of an array that attain none of its extremes."""
    result: list[Stmt] = []
    for stmt in block:
        stmt = walk.map_stmt(lambda e: e, stmt, lambda inner: _guarded(inner, found, facts))
        result.append(replace(stmt, body=_iteration(stmt.body, found, facts)) if isinstance(stmt, For) else stmt)
    return tuple(result)


def _iteration(body: Block, found: set[str], facts: Facts) -> Block:
    """An iteration over an element that adds to its cotangent where it is a hit, and then goes through a loop."""
    names, tests = set(), []
    for position, stmt in enumerate(body):
        match stmt:
            case (Let(target, Call(fn, (Call(operator.getitem, (Var(hit), _)) as test, _, Const(0.0)))) | Accum(
                Var(target), Call(fn, (Call(operator.getitem, (Var(hit), _)) as test, _, Const(0.0))),
            )) if fn is select and hit in found and (isinstance(stmt, Let) or target in names):  # fmt: skip
                names.add(target)
                tests.append(test)
                continue
        rest = body[position:]
        loops = any(isinstance(s, For) for s in rest)
        if not (tests and loops and _adds_nothing(rest, set(names)) and facts.are_read(walk.defined(rest), rest)):
            return body
        test = reduce(lambda one, other: Call(or_, (one, other), (), BOOL), tests)
        return (*body[:position], If(test, rest, (), stmt.origin))
    return body


def _adds_nothing(block: Block, zeros: set[str]) -> bool:
    """Whether a block only adds to arrays, and nothing where some names are zero."""
    for stmt in block:
        match stmt:
            case Let(target, value) if isinstance(getattr(value, "type", None), Scalar):
                zeros -= {target}
                zeros |= {target} if is_zero(value, zeros) else set()
            case Accum(Call(operator.getitem), value) if is_zero(value, zeros):
                pass
            case For(flag=None, body=body) if _adds_nothing(body, zeros):
                pass
            case _:
                return False
    return True


def is_zero(e: Expr, zeros: set[str], known: Callable[[Expr], bool] = lambda e: False) -> bool:
    """Whether an expression is zero where names are, and what is known to be."""
    if known(e) or walk.is_const(e, 0):
        return True
    match e:
        case Var(name):
            return name in zeros
        case Call(fn, args) if fn in SCALED:
            return any(is_zero(arg, zeros, known) for arg in args[: 2 if fn is operator.mul else 1])
        case Call(operator.neg | operator.add | operator.sub, args):
            return all(is_zero(arg, zeros, known) for arg in args)
    return False
