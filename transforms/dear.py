"""Array expressions that are dear to compute; part of `elementwise` and `smaller`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.ir import Accum, Call, Const, Expr, Let, Stmt, Store, select
from srcad.lang.types import Array
from srcad.lang.walk import children, map_expr, map_stmt, stmt_exprs, subexprs
from srcad.transforms.elements import computes, is_plain, leaves, operands

LIGHT = frozenset((
    operator.add, operator.sub, operator.mul, operator.neg, operator.pos, operator.lt, operator.le, operator.gt,
    operator.ge, operator.eq, operator.ne, abs, operator.and_, operator.or_, np.add, np.subtract, np.multiply,
    np.negative, np.positive, np.absolute, np.fabs, np.sign, np.square, np.maximum, np.minimum, np.floor, np.ceil,
    np.trunc, np.rint, np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.logical_and,
    np.logical_or, np.logical_not, np.isnan, np.isinf, np.isfinite, np.where,
))  # fmt: skip
SMALL_POWERS = (2, 3, 4)


def has_choices(stmt: Stmt) -> bool:
    """Whether something in a statement is computed on a condition."""
    return any(isinstance(e, Call) and e.fn is select for whole in stmt_exprs(stmt) for e in subexprs(whole))


def is_dear(value: Expr) -> bool:
    """Whether an element of an array expression takes more than a few instructions."""
    if not computes(value) or is_plain(value):
        return False
    assert isinstance(value, Call)
    return not _is_light(value) or any(map(is_dear, operands(value)))


def _is_light(call: Call) -> bool:
    if call.fn in (operator.pow, np.power):
        power = call.args[1]
        return isinstance(power, Const) and power.value in SMALL_POWERS
    return member(call.fn, LIGHT)


def spreads_numbers(value: Expr) -> bool:
    """Whether in a dear expression each number of an array is spread along the last axis.

    Machine code that finds its elements by subscripts reads such a number again for each element, one at a time.
    """
    shape: tuple = getattr(getattr(value, "type", None), "shape", ())
    if len(shape) < 2 or shape[-1] == 1 or not is_dear(value):
        return False
    kinds = [leaf.type for leaf in leaves(value) if isinstance(leaf.type, Array)]  # type: ignore[union-attr]
    return any(kind.shape[-1:] == (1,) for kind in kinds)


def read_by_rows(stmt: Stmt, named: Callable[[Expr], Expr]) -> Stmt:
    """A statement that reads arrays which are better computed in loops, as those that they are `named`."""
    if has_choices(stmt) or (isinstance(stmt, (Let, Store, Accum)) and computes(stmt.value)):
        return stmt
    parts = {part: named(part) for whole in stmt_exprs(stmt) for part in _spreading(whole)}
    return map_stmt(lambda e: map_expr(lambda inner: parts.get(inner, inner), e), stmt) if parts else stmt


def _spreading(expr: Expr) -> Iterator[Expr]:
    if computes(expr):
        yield from (expr,) if spreads_numbers(expr) else ()
    else:
        for inner in children(expr):
            yield from _spreading(inner)
