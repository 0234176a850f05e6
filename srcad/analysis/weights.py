"""Roots that a number outside of the derivative holds: a seed, a weight or a tangent that is zero.

``w * np.sqrt(x)`` does not depend on `x` where the constant `w` is zero, and what is weighed with a seed of zero is not
asked for; but zero times the infinite slope of a root at 0 is no number. Where a cotangent is a product of such numbers
alone, it is zero for no other reason than theirs. That of ``np.sqrt(x)`` in ``np.sqrt(x) ** 2`` is zero for another
one, and what it is times infinity has to be asked of a limit: there, no number stays no number.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy as np

from srcad.analysis.activity import Activity, carried, flows, reach, reversed_edges
from srcad.analysis.buffers import VIEWS, Buffers
from srcad.analysis.contents import member
from srcad.analysis.guards import CHOICES, LINEAR, PICKS
from srcad.analysis.steep import is_root
from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Let, select

_PRODUCTS = frozenset((
    operator.mul, np.multiply, operator.matmul, np.matmul, np.dot, np.inner, np.vdot, np.outer, np.convolve,
))  # fmt: skip
_QUOTIENTS = frozenset((operator.truediv, np.true_divide))
_SUMS = frozenset((np.sum, np.mean, np.cumsum, sum, np.copy, np.concatenate, np.stack, np.where, select, float))
_STRAIGHT = frozenset((*LINEAR, *VIEWS, *CHOICES, *PICKS, *_SUMS, operator.getitem))


def weighed(fn: Function, buffers: Buffers, active: Activity, seeded: bool = False) -> frozenset[str]:
    """The roots of a flat function whose cotangent is zero only where a weight is, or, if `seeded`, a seed.

    >>> from srcad.analysis.activity import activity
    >>> from srcad.analysis.buffers import buffers
    >>> from srcad.lang.ir import Param, Return, Var
    >>> from srcad.lang.types import FLOAT
    >>> x, y, z, w = (Var(name, FLOAT) for name in "xyzw")
    >>> root, product = Call(np.sqrt, (x,), (), FLOAT), Call(operator.mul, (y, w), (), FLOAT)
    >>> fn = Function("f", (Param("x", FLOAT), Param("w", FLOAT)), (Let("y", root), Let("z", product), Return(z)))
    >>> weighed(fn, buffers(fn), activity(fn, ("x",), buffers(fn)))
    frozenset({'y'})
    """
    roots = {let.target for let in _lets(fn) if let.target in active and is_root(let.value)}
    if not roots:
        return frozenset()
    back = reversed_edges(flows(fn, buffers))
    lets = [let for let in _lets(fn) if let.target in active]
    roots -= reach(back, {name for let in lets if _bends(let.value, active) for name in _moving(let.value, active)})
    if not seeded:
        products = [let.value for let in lets if _is_weighed(let.value, active)]
        roots &= reach(back, {name for value in products for name in _moving(value, active)})
    return frozenset(roots)


def steered(fn: Function, buffers: Buffers, active: Activity) -> frozenset[str]:
    """The roots of a flat function whose tangent is zero only where tangents of the arguments are, or weights."""
    roots = {let.target: let.value for let in _lets(fn) if let.target in active and is_root(let.value)}
    if not roots:
        return frozenset()
    curved = reach(flows(fn, buffers), {let.target for let in _lets(fn) if _bends(let.value, active)})
    operands = {name: _moving(value, active) for name, value in roots.items()}  # two, if an exponent moves
    return frozenset(name for name, moving in operands.items() if len(moving) == 1 and not curved & moving)


def _lets(fn: Function) -> Iterator[Let]:
    return (stmt for stmt in walk.statements(fn.body) if isinstance(stmt, Let))


def _moving(value: Expr, active: Activity) -> set[str]:
    return {operand.name for operand in carried(value) if operand.name in active}


def _bends(value: Expr, active: Activity) -> bool:
    """Whether the slope of a value depends on what it is the slope by."""
    if not isinstance(value, Call) or not _moving(value, active) or member(value.fn, _STRAIGHT):
        return False
    return not (_is_scaled(value, active) or _is_divided(value, active))


def _is_scaled(value: Call, active: Activity) -> bool:
    return member(value.fn, _PRODUCTS) and any(not _moving(factor, active) for factor in value.args)


def _is_divided(value: Call, active: Activity) -> bool:
    return member(value.fn, _QUOTIENTS) and not _moving(value.args[1], active)


def _is_weighed(value: Expr, active: Activity) -> bool:
    """Whether a value is a product with a number that is not known, and may be zero."""
    if not isinstance(value, Call) or not _is_scaled(value, active):
        return False
    return any(not _moving(factor, active) and not isinstance(factor, Const) for factor in value.args)
