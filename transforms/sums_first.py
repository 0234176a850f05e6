"""sums first: sums of rows are added to a cotangent before what waits for one. For machine code, under fast math.

Of ``np.sin(b - a[:, None]) * np.cos(b)`` the cotangent of `b` has a part for the difference, a sum of rows, and one for
the cosine, ``-cos_bar * np.sin(b)``, where `cos_bar` is a sum of the same rows. The reverse sweep begins with the
second one. It can be computed when all rows are through, so what comes behind it would need a loop of its own, and the
matrix again. In the other order one loop over the rows does all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import stored_name
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, Function, Let, Stmt, Var
from srcad.lang.types import Array
from srcad.runtime import sum_to
from srcad.transforms.context import is_bar
from srcad.transforms.elements import computes, leaves
from srcad.transforms.passing import Facts, other


def sums_first(fn: Function) -> Function:
    """Let cotangents begin with sums of rows, where they begin with what waits for one.

    >>> import operator
    >>> a, b = Var("a", Array("float64", ("m", "n"), "C")), Var("b", Array("float64", ("n",), "C"))
    >>> c, d = Var("c~bar", b.type), Var("d~bar", b.type)
    >>> rows = Call(sum_to, (a, b), (), b.type)
    >>> made = Let("c~bar", Call(np.zeros_like, (b,), (), b.type)), Accum(c, rows)
    >>> product = Call(operator.mul, (c, b), (), b.type)
    >>> from srcad.lang.write import write
    >>> print(write(sums_first(Function("f", (), (*made, Let("d~bar", product), Accum(d, rows))))).text.split(":")[1])
    <BLANKLINE>
        c~bar = np.zeros_like(b)
        c~bar += sum_to(a, b)
        d~bar = np.zeros_like(c~bar)
        d~bar += sum_to(a, b)
        d~bar += c~bar * b
    <BLANKLINE>
    """
    if fn.exact or not any(_sums_rows(stmt) for stmt in walk.statements(fn.body)):
        return fn
    facts = Facts(Pairs.of(fn.body))

    def block(stmts: Block) -> Block:
        result = [walk.map_stmt(lambda e: e, stmt, block) for stmt in stmts]
        waiting: set[str] = set()  # names of what sums of rows are needed for
        for position in range(len(result)):
            stmt = result[position]
            late = isinstance(stmt, (Let, Accum)) and bool(walk.names(stmt.value) & waiting)
            if late or _sums_rows(stmt):
                waiting |= {*walk.targets(stmt), stored_name(stmt) or ""}
            if late and isinstance(stmt, Let):
                result = _behind_sums(result, position, facts) or result
        return tuple(result)

    return replace(fn, body=block(fn.body))


def _behind_sums(block: list[Stmt], position: int, facts: Facts) -> list[Stmt] | None:
    """The block with the value that a cotangent begins with behind the sums of rows that it gets."""
    first = block[position]
    assert isinstance(first, Let)
    like = next(_of_its_shape(first.value), None)
    if like is None or not is_bar(first.target):
        return None
    array = Var(first.target, first.value.type)  # type: ignore[union-attr]
    late = Accum(array, first.value, first.origin)
    end = position
    for k in range(position + 1, len(block)):
        if not facts.commute(other(late), other(block[k])):
            break
        end = k if _adds_rows(block[k]) and mentions(block[k], array.name) else end
    if end == position:
        return None
    zeros = replace(first, value=Call(np.zeros_like, (like,), (), array.type))
    return [*block[:position], zeros, *block[position + 1 : end + 1], late, *block[end + 1 :]]


def _of_its_shape(value: Expr) -> Iterator[Var]:
    """The arrays of which an expression computes one of the same shape and dtype, element by element."""
    if isinstance(kind := getattr(value, "type", None), Array) and computes(value):
        for leaf in leaves(value):
            if isinstance(leaf, Var) and isinstance(leaf.type, Array):
                lies = kind.ndim == 1 or leaf.type.layout == kind.layout
                if lies and (leaf.type.shape, leaf.type.dtype) == (kind.shape, kind.dtype):
                    yield leaf


def _adds_rows(stmt: Stmt) -> bool:
    """Whether a statement adds a sum over the first axis of an array."""
    return isinstance(stmt, Accum) and _sums_rows(stmt)


def _sums_rows(stmt: Stmt) -> bool:
    """Whether a sum over the first axis of an array is part of a value."""
    parts = walk.subexprs(stmt.value) if isinstance(stmt, (Let, Accum)) else ()
    return any(isinstance(e, Call) and e.fn is sum_to and _is_over_rows(e) for e in parts)


def _is_over_rows(total: Call) -> bool:
    have, get = (getattr(arg, "type", None) for arg in total.args)
    return isinstance(have, Array) and isinstance(get, Array) and (
        get.ndim < have.ndim or get.shape[0] == 1 != have.shape[0])  # fmt: skip
