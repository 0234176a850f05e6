"""sums first: sums of rows are added to a cotangent before what waits for one. For machine code, under fast math.

Of ``np.sin(b - a[:, None]) * np.cos(b)`` the cotangent of `b` has a part for the difference, a sum of rows, and one for
the cosine, ``-cos_bar * np.sin(b)``, where `cos_bar` is a sum of the same rows. The reverse sweep begins with the
second one. It can be computed when all rows are through, so what comes behind it would need a loop of its own, and the
matrix again. In the other order one loop over the rows does all. A number that a sum gives, ``np.sum(rows) * n``, waits
in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import stored_name
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Function, Let, Stmt, Var
from srcad.lang.types import Array, Scalar
from srcad.runtime import sum_to
from srcad.transforms.context import is_bar
from srcad.transforms.elements import computes, leaves
from srcad.transforms.passing import Facts, other


def sums_first(fn: Function) -> Function:
    """Let cotangents begin with sums, where they begin with what waits for one.

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
    if fn.exact or not any(_sums(stmt) for stmt in walk.statements(fn.body)):
        return fn
    facts = Facts(Pairs.of(fn.body))

    def block(stmts: Block) -> Block:
        result = [walk.map_stmt(lambda e: e, stmt, block) for stmt in stmts]
        waiting: set[str] = set()  # names of what sums are needed for
        for position in range(len(result)):
            stmt = result[position]
            if isinstance(stmt, (Let, Accum)) and (walk.names(stmt.value) & waiting or _sums(stmt)):
                waiting |= {*walk.targets(stmt), stored_name(stmt) or ""}
                if isinstance(stmt, Let) and not _is_over_all(stmt.value):
                    result = _behind_sums(result, position, facts) or result
        return tuple(result)

    return replace(fn, body=block(fn.body))


def _behind_sums(block: list[Stmt], position: int, facts: Facts) -> list[Stmt] | None:
    """The block with the value that a cotangent begins with behind the sums that it gets."""
    first = block[position]
    assert isinstance(first, Let)
    zeros = _zeros(first.value)
    if zeros is None or not is_bar(first.target) or first.target in walk.names(first.value):
        return None
    own = Var(first.target, first.value.type)  # type: ignore[union-attr]
    late = Accum(own, first.value, first.origin)
    end = position
    for k in range(position + 1, len(block)):
        stmt = block[k]
        adds = isinstance(stmt, Accum) and stmt.target == own and own.name not in walk.names(stmt.value)
        if not adds and not facts.commute(other(late), other(stmt)):
            break
        if isinstance(stmt, Accum) and mentions(stmt, own.name) and _sums(stmt, not isinstance(own.type, Array)):
            end = k
    if end == position:
        return None
    return [*block[:position], replace(first, value=zeros), *block[position + 1 : end + 1], late, *block[end + 1 :]]


def _zeros(value: Expr) -> Expr | None:
    """What a cotangent begins with that gets a value later."""
    kind = getattr(value, "type", None)
    like = next(_of_its_shape(value), None)
    if isinstance(kind, Scalar) and kind.dtype == "float64":
        return Const(0.0, kind)
    return Call(np.zeros_like, (like,), (), kind) if like is not None else None  # type: ignore[arg-type]


def _of_its_shape(value: Expr) -> Iterator[Var]:
    """The arrays of which an expression computes one of the same shape and dtype, element by element."""
    if isinstance(kind := getattr(value, "type", None), Array) and computes(value):
        for leaf in leaves(value):
            if isinstance(leaf, Var) and isinstance(leaf.type, Array):
                lies = kind.ndim == 1 or leaf.type.layout == kind.layout
                if lies and (leaf.type.shape, leaf.type.dtype) == (kind.shape, kind.dtype):
                    yield leaf


def _sums(stmt: Stmt, whole: bool = True) -> bool:
    """Whether a sum over the first axis of an array, or over the `whole` of it, is part of a value."""
    parts = walk.subexprs(stmt.value) if isinstance(stmt, (Let, Accum)) else ()
    return any(isinstance(e, Call) and (e.fn is sum_to and _is_over_rows(e) or whole and _is_over_all(e))
               for e in parts)  # fmt: skip


def _is_over_rows(total: Call) -> bool:
    have, get = (getattr(arg, "type", None) for arg in total.args)
    return isinstance(have, Array) and isinstance(get, Array) and (
        get.ndim < have.ndim or get.shape[0] == 1 != have.shape[0])  # fmt: skip


def _is_over_all(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.fn is np.sum and len(expr.args) == 1 and not expr.kwargs
