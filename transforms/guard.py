"""guard: contributions that are zero where a cotangent is, whatever the derivative is there; part of `adjoint`.

``np.where(m, e, 0.0)`` as the cotangent of ``y = np.log(x)`` gives ``np.where(m, e / x, 0.0)`` for `x`, and no NaN
where x is 0 and m is false. Where no such condition is known, the cotangent itself is compared with zero.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.analysis.activity import carried
from srcad.analysis.contents import member
from srcad.analysis.guards import LINEAR
from srcad.analysis.steep import of_special
from srcad.lang import walk
from srcad.lang.arrays import number
from srcad.lang.ir import Accum, Call, Const, Expr, Let, Slice, Var, select
from srcad.lang.types import FLOAT, Array, Scalar, is_array
from srcad.rules.axes import spread, subscript
from srcad.runtime import log_abs_det
from srcad.transforms.context import Context
from srcad.transforms.indexed import Indexed
from srcad.transforms.infer import typed

ZERO = Const(0.0, FLOAT)
NOTHING = Const(None)


def taken_over(ctx: Context, stmt: Let, reverse: Indexed) -> Expr | None:
    """The condition `m` if all that is added to a guarded cotangent is ``np.where(m, e, 0.0)``, which becomes `e`."""
    if not _needs_guard(ctx, stmt):
        return None
    bar = ctx.bar(stmt.target)
    uses = reverse.uses(bar.name)
    only = reverse.stmts[uses[0]] if len(uses) == 1 else None
    alone = ctx.sums.get(stmt.target, stmt.target) == stmt.target and not ctx.views_of_bars().get(bar.name)
    if isinstance(only, Accum) and only.target == bar and alone:
        match only.value:
            case Call(fn, (mask, value, Const(zero)), (), type) if fn in (np.where, select) and type == bar.type:
                if isinstance(zero, (int, float)) and zero == 0 and not _guarded_bars(ctx) & walk.names(value):
                    reverse.stmts[uses[0]] = replace(only, value=value)
                    return mask
    return None


def _guarded_bars(ctx: Context) -> set[str]:
    """Cotangents that may be zero where something else is chosen: one condition more for what they go into."""
    return {ctx.bar(name).name for name in ctx.guarded}


def not_zero(ctx: Context, stmt: Let, y_bar: Expr) -> Expr | None:
    """The condition that a guarded cotangent is not zero; None: it needs no guard."""
    if isinstance(y_bar, Const):
        return None
    if stmt.target in ctx.guarded and (along := _spread(stmt.value)) is not None:
        return typed(Call(operator.ne, (typed(along(_without_factors(y_bar))), ZERO)))
    if not _needs_guard(ctx, stmt):
        return None
    if isinstance(stmt.value, Call) and member(stmt.value.fn, LINEAR):
        return None
    if stmt.target not in ctx.guarded and isinstance(stmt.value.type, Array) and not is_array(y_bar.type):
        return None  # a choice between whole arrays, which nothing but this number decides, takes as long as the root
    return typed(Call(operator.ne, (_without_factors(y_bar), ZERO)))


def _spread(value: Expr) -> Callable[[Expr], Expr] | None:
    """How the cotangent of what is made of whole rows or matrices is one of their elements; None: of no such thing."""
    kind = getattr(value.args[0], "type", None) if isinstance(value, Call) and value.args else None
    if not isinstance(value, Call) or not isinstance(kind, Array):
        return None
    if member(value.fn, _OF_MATRICES):
        return lambda bar: subscript(bar, Const(...), Const(None), Const(None)) if kind.ndim > 2 else bar
    if member(value.fn, _PRODUCTS) and isinstance(value.type, Scalar):
        return lambda bar: bar
    if not member(value.fn, _OF_ROWS):
        return None
    given = {name: option.value for name, option in value.kwargs if isinstance(option, Const)}
    return lambda bar: spread(bar, given.get("axis"), given.get("keepdims", False), kind.ndim)


def _without_factors(value: Expr) -> Expr:
    """What decides whether a product is zero: ``g`` of ``3.0 * g``."""
    if isinstance(value, Call) and member(value.fn, (operator.mul, np.multiply)):
        for factor, rest in (value.args, value.args[::-1]):
            if isinstance(factor, Const) and isinstance(factor.value, (int, float)) and 1e-9 < abs(factor.value) < 1e9:
                return _without_factors(rest)
    return value


def counting(ctx: Context, stmt: Let, y_bar: Expr, value: Expr) -> Expr:
    """What a product of matrices, an inverse or a solution adds to the cotangent of an operand, of what counts alone.

    A row whose results are all discarded may hold what is no number, and would be added to others; a discarded matrix
    has no inverse, perhaps. Numbers stay, as the cotangent may be zero here and move nevertheless.
    """
    call = stmt.value
    if stmt.target not in ctx.guarded or not isinstance(call, Call) or not isinstance(y_bar.type, Array):
        return value
    if not member(call.fn, (*_PRODUCTS, *_TO_MATRICES)):
        return value
    test = typed(Call(operator.ne, (y_bar, ZERO)))
    result = Var(stmt.target, ctx.types[stmt.target])
    factors = call.args if member(call.fn, _PRODUCTS) else (NOTHING, result)
    found: dict[str, Expr] = {}
    for axis, factor in zip((-1, -2), factors):
        if isinstance(factor, Var) and factor.name in ctx.guarded:
            mask = _lines(call.fn, test, axis, factor)
            found |= {} if mask is None else {factor.name: _numbers(mask, factor)}
    value = typed(walk.substitute(value, found))
    if member(call.fn, _TO_MATRICES) and test.type.ndim > 2 and getattr(value.type, "ndim", 0) == test.type.ndim:
        return _numbers(_any(test, (-2, -1)), value)
    return value


def _numbers(mask: Expr, value: Expr) -> Expr:
    """A value, zero where it is no number and the mask says no."""
    kept = typed(Call(operator.or_, (mask, typed(Call(np.isfinite, (value,))))))
    return typed(Call(np.where, (kept, value, ZERO)))


def _any(test: Expr, axes: int | tuple[int, ...]) -> Expr:
    return typed(Call(np.any, (test,), (("axis", Const(axes)), ("keepdims", Const(True)))))


def _lines(fn: Any, test: Expr, axis: int, factor: Var) -> Expr | None:
    """Which rows of the first factor of a product, or columns of the second, a result is left of that counts."""
    rank, ndim = (e.type.ndim if isinstance(e.type, Array) else 0 for e in (factor, test))
    if member(fn, (np.outer,)):
        return typed(Call(np.any, (test,), (("axis", Const(axis)),))) if rank == 1 else None
    if member(fn, (np.dot,)) and ndim > 2:
        return None
    if rank == ndim and rank >= 2:
        return _any(test, axis)
    if rank == ndim + 1 and ndim >= 1:  # the other factor is a vector
        places = (Const(None),) if axis == -1 else (Const(None), Slice())
        return typed(subscript(test, Const(...), *places))
    return None


def _needs_guard(ctx: Context, stmt: Let) -> bool:
    if stmt.target not in ctx.guarded | ctx.weighed or not _is_elementwise(stmt.value):
        return False
    linear = isinstance(stmt.value, Call) and member(stmt.value.fn, LINEAR)
    return not linear or len({v.name for v in carried(stmt.value) if v.name in ctx.activity}) == 1


def guard(test: Expr, value: Expr) -> Expr:
    """A contribution, or zero where the test says so."""
    value = number(typed(value))
    arrays = any(isinstance(getattr(e, "type", None), Array) for e in (test, value))
    return typed(Call(np.where if arrays else select, (test, value, ZERO)))


def of_multiple(ctx: Context, name: str, test: Expr, whole: Expr, dots: dict[str, Expr]) -> Expr | None:
    """The tangent of a multiple of numbers that are tested for zero: zero where they and their tangents are."""
    weights, otherwise = ctx.multiples[name]
    moved, *tangents = (dots.get(e.name) if isinstance(e, Var) else None for e in (whole, *weights))
    if moved is None:
        return None
    moves = [typed(Call(operator.ne, (dot, ZERO))) for dot in tangents if dot is not None]
    tests = moves if moves and not otherwise else [test, *moves]
    return guard(functools.reduce(lambda a, b: typed(Call(operator.or_, (a, b))), tests), moved)


def _is_elementwise(value: Expr) -> bool:
    """Whether each element of the result depends on one of each operand: one condition holds for all of them."""
    if not isinstance(value, Call):
        return False
    if not any(isinstance(getattr(arg, "type", None), Array) for arg in value.args):
        return all(isinstance(getattr(arg, "type", None), Scalar) for arg in value.args)
    ufunc = isinstance(value.fn, np.ufunc) and value.fn.signature is None
    return ufunc or member(value.fn, _OPERATORS) or bool(of_special(value.fn))


# What has a derivative that is made of all elements of a row, or of a matrix.
_OF_ROWS = frozenset((np.prod, np.var, np.std, np.linalg.norm))
_OF_MATRICES = frozenset((np.linalg.det, log_abs_det))
_TO_MATRICES = frozenset((np.linalg.inv, np.linalg.solve))
_PRODUCTS = frozenset((operator.matmul, np.matmul, np.dot, np.outer))
_OPERATORS = frozenset((
    *LINEAR, operator.mul, operator.truediv, operator.pow, operator.mod, np.sinc, np.i0, np.angle,
))  # fmt: skip
