"""work: roughly how much some code has to do, to tell which of two ways is shorter; part of `recall`."""

from __future__ import annotations

import math
import operator

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.dimensions import PRODUCTS
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Stmt, Store, While, and_, or_, select
from srcad.lang.types import Array
from srcad.runtime import first_equal, first_pair

USUAL = 16  # iterations of a loop, and elements along an axis, of which the number is not known
DEAR, VECTOR = 10, 6  # elementary functions, and those that become vector instructions
FUNCTIONS = frozenset((  # of which there are vector instructions, or vector functions
    np.exp, np.expm1, np.log, np.log1p, np.log2, np.log10, np.exp2, np.cbrt, np.sin, np.cos, np.tan, np.arcsin,
    np.arccos, np.arctan, np.arctan2, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh, np.power, np.hypot,
    math.exp, math.expm1, math.log, math.log1p, math.log2, math.log10, math.sin, math.cos, math.tan, math.asin,
    math.acos, math.atan, math.atan2, math.sinh, math.cosh, math.tanh, math.asinh, math.acosh, math.atanh, math.pow,
    math.hypot, math.erf, math.erfc,
))  # fmt: skip
_VECTOR = (np.exp, np.log, np.tanh, np.sin, np.cos, np.log1p, np.sqrt)
_CHEAP = (
    np.abs, np.copy, np.where, np.empty, np.empty_like, np.zeros, np.zeros_like, np.full, np.minimum, np.maximum,
    np.sum, np.mean, np.prod, np.square, np.transpose, np.reshape, np.outer, and_, or_, select,
)  # fmt: skip
_EXTREMES = (np.max, np.min)
_SEARCHES = (first_equal, first_pair)
_REDUCTIONS = (np.sum, np.mean, np.prod, *_EXTREMES, *_SEARCHES)
_PLAIN = ("_operator", "builtins")  # modules of arithmetic


def weight(expr: Expr) -> int:
    """How much one operation is, an addition being one.

    >>> weight(Call(np.exp, (Const(1.0),))), weight(Call(operator.add, (Const(1.0), Const(2.0))))
    (6, 1)
    """
    if not isinstance(expr, Call):
        return 0
    if is_product(expr):
        return USUAL
    if expr.fn is operator.pow:
        return 1 if isinstance(expr.args[1], Const) and expr.args[1].value in (2, 3) else DEAR
    if any(expr.fn is fn for fn in _VECTOR):
        return VECTOR
    if any(expr.fn is fn for fn in (*_EXTREMES, *_SEARCHES)):
        return 2  # of extremes, what is no number is asked for, too
    plain = getattr(expr.fn, "__module__", "") in _PLAIN or any(expr.fn is fn for fn in _CHEAP)
    return 1 if plain else DEAR


def is_dear(expr: Expr) -> bool:
    """Whether an operation is more than arithmetic with the elements of its result."""
    return weight(expr) > 1 or reduces(expr)


def is_product(expr: Expr) -> bool:
    """Whether an operation is a product of matrices or vectors."""
    return isinstance(expr, Call) and member(expr.fn, PRODUCTS)


def rounds(block: Block) -> int:
    """How many loops a block has, products of matrices, reductions of rows, and searches."""
    exprs = (e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    own = sum(is_product(e) or reduces(e) and _is_round(e) for e in exprs)
    return own + sum(isinstance(stmt, (For, While)) for stmt in walk.statements(block))


def _is_round(reduction: Expr) -> bool:
    return isinstance(reduction, Call) and (isinstance(reduction.type, Array) or member(reduction.fn, _SEARCHES))


def reduces(expr: Expr) -> bool:
    """Whether an operation goes through an array for a result with fewer elements."""
    if not isinstance(expr, Call) or not member(expr.fn, _REDUCTIONS) or not expr.args:
        return False
    before, after = (getattr(e, "type", None) for e in (expr.args[0], expr))
    return isinstance(before, Array) and (not isinstance(after, Array) or before.shape != after.shape)


def functions(block: Block) -> int:
    """How many elementary functions a block calls.

    >>> from srcad.lang.ir import Let, Var
    >>> functions((Let("y", Call(np.exp, (Call(np.sqrt, (Var("x"),)),))),))
    1
    """
    exprs = (e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    return sum(isinstance(e, Call) and member(e.fn, FUNCTIONS) for e in exprs)


def work(block: Block) -> float:
    """How much a block does.

    >>> from srcad.lang.ir import Let, Var
    >>> loop = For("i", Const(0), Var("n"), Const(1), (Let("y", Call(np.exp, (Var("x"),))),))
    >>> work((loop,)) == USUAL * VECTOR
    True
    """
    return sum(map(_of_stmt, block))


def _of_stmt(stmt: Stmt) -> float:
    own = sum(_of_expr(e) for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
    if isinstance(stmt, Store):
        own += _elements(stmt.value)
    rounds = _rounds(stmt) if isinstance(stmt, (For, While)) else 1
    return own + rounds * sum(map(work, walk.blocks(stmt)))


def _of_expr(expr: Expr) -> float:
    found = weight(expr)
    if not found or isinstance(expr, Call) and expr.fn is operator.getitem and isinstance(expr.type, Array):
        return 0
    return found * _elements(expr.args[0] if reduces(expr) else expr)  # type: ignore[attr-defined]


def _elements(expr: Expr) -> float:
    kind = getattr(expr, "type", None)
    found = 1.0
    for dim in kind.shape if isinstance(kind, Array) else ():
        found *= dim if isinstance(dim, int) else USUAL
    return found


def _rounds(loop: For | While) -> float:
    match loop:
        case For(start=Const(value=int() as a), stop=Const(value=int() as b), step=Const(value=int() as c)) if c:
            return len(range(a, b, c))
    return USUAL
