"""Cotangents that repeat one number, or one row, are not spread over an array; part of `adjoint`.

The reverse of ``s = np.sum(t, axis=0)`` adds the cotangent of `s` to each row of that of `t`. Where nothing else is
added, what `t` is computed from gets products with the row itself, which broadcasting repeats.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from srcad.analysis.activity import carried
from srcad.analysis.buffers import views_of
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Call, Expr, Let, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.context import Context
from srcad.transforms.indexed import Indexed
from srcad.transforms.infer import typed
from srcad.transforms.initialise import owns_memory

ARITHMETIC = frozenset(
    (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg, operator.pos)
)

Terms = Callable[[Context, Let, Expr], list]  # what a statement adds to the cotangents of its operands


def unspread(ctx: Context, stmt: Let, reverse: Indexed, terms: Terms) -> Expr:
    """The cotangent of what a statement computes: of an array a mere number or row, if that alone is added to it.

    So the reverse of ``np.sum(x * x)`` scales `x` by a number and fills no array with it. What is added to a view of a
    cotangent is added to that, too.
    """
    bar = ctx.bar(stmt.target)
    if not isinstance(bar.type, Array) or not _by_elements(ctx, stmt) or ctx.views_of_bars().get(bar.name):
        return bar
    uses = reverse.uses(bar.name)
    only = reverse.stmts[uses[0]] if len(uses) == 1 else None
    if not (isinstance(only, Accum) and only.target == bar):
        return bar
    kind = getattr(only.value, "type", None)
    if isinstance(kind, Scalar) and _keeps_shape(ctx, stmt):
        reverse.stmts[uses[0]] = Let(bar.name, only.value, only.origin)
        ctx.uniform.add(stmt.target)
        return Var(bar.name, kind)
    if isinstance(kind, Array) and kind.shape != bar.type.shape and kind.dtype == bar.type.dtype:
        named = only.value if _is_part(only.value) else Var(bar.name, kind)
        if (named is only.value or owns_memory(only.value)) and _is_repeated(ctx, stmt, terms(ctx, stmt, named)):
            reverse.stmts[uses[0]] = None if named is only.value else Let(bar.name, only.value, only.origin)
            ctx.uniform.add(stmt.target)
            return named
    return bar


def _by_elements(ctx: Context, stmt: Let) -> bool:
    """Whether a statement computes each element from one of each operand."""
    value = stmt.value
    if not isinstance(value, Call) or stmt.target in ctx.aliased | ctx.laid:
        return False
    fn = value.fn
    return fn is np.where or member(fn, ARITHMETIC) or (isinstance(fn, np.ufunc) and fn.signature is None)


def _keeps_shape(ctx: Context, stmt: Let) -> bool:
    """Whether all that gets a cotangent has the shape of the result."""
    operands = [v for v in carried(stmt.value) if v.name in ctx.activity]
    kind = stmt.value.type  # type: ignore[union-attr]
    return all(isinstance(v.type, Array) and isinstance(kind, Array) and v.type.shape == kind.shape for v in operands)


def _is_repeated(ctx: Context, stmt: Let, terms: list) -> bool:
    """Whether broadcasting repeats the terms in every place of the result, or they go to operands of its shape."""
    shape = stmt.value.type.shape  # type: ignore[union-attr]
    named: dict[str, Expr] = {}
    for term in terms:
        if isinstance(term, Let):
            value = typed(walk.substitute(term.value, named))
            named[term.target] = Var(term.target, value.type)
        elif shape not in (getattr(typed(walk.substitute(e, named)).type, "shape", None) for e in term):
            return False
    return True


def _is_part(value: Expr) -> bool:
    """Whether a value is an array under its name, or a view of one."""
    return isinstance(value, Var) or bool(views_of(value)) and isinstance(views_of(value)[0], Var)
