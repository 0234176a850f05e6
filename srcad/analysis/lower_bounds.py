"""What values are at least, where their expressions tell: ``np.sqrt(np.var(x) + 1e-5)`` stays clear of zero."""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Mapping

import numpy as np

from srcad.analysis.buffers import stored_name
from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Attr, Call, Const, Expr, Function, Let, Var, select

NOTHING = -math.inf
_SQUARES = frozenset((
    abs, np.abs, math.fabs, np.fabs, np.square, np.var, np.std, np.linalg.norm, np.hypot, math.hypot, np.exp, math.exp,
    np.exp2,
))  # fmt: skip
_SUMS = frozenset((np.sum, sum, math.fsum))
_OF_ALL = frozenset((  # elements, and means of them
    np.mean, np.max, np.min, np.median, operator.getitem, np.reshape, np.transpose, np.copy, np.asarray, np.ravel,
    np.expand_dims, np.squeeze, np.broadcast_to, operator.pos, np.ndarray.astype, float,
))  # fmt: skip
_RISING = {np.sqrt: math.sqrt, math.sqrt: math.sqrt, np.log1p: math.log1p, math.log1p: math.log1p}  # at zero, zero


def settled(fn: Function) -> dict[str, Expr]:
    """The values of the names that get one, once, in arrays that nothing is written to."""
    classes = Classes.of(fn.body)
    often = Counter(p.name for p in fn.params)
    written = set()
    for stmt in walk.statements(fn.body):
        often.update(walk.targets(stmt))
        if name := stored_name(stmt):
            written.add(classes.find(name))
    lets = [stmt for stmt in walk.statements(fn.body) if isinstance(stmt, Let) and often[stmt.target] == 1]
    return {let.target: let.value for let in lets if classes.find(let.target) not in written}


def at_least(expr: Expr, definitions: Mapping[str, Expr]) -> float:
    """A number that no value of an expression is less than, NaN left out; minus infinity where nothing is known.

    >>> from srcad.lang.types import FLOAT
    >>> x = Var("x", FLOAT)
    >>> square = Call(operator.pow, (x, Const(2)), (), FLOAT)
    >>> at_least(Call(np.sqrt, (Call(operator.add, (square, Const(4.0)), (), FLOAT),), (), FLOAT), {})
    2.0
    >>> at_least(Call(operator.add, (x, Const(4.0)), (), FLOAT), {})
    -inf
    """
    match expr:
        case Const(bool() | int() | float() as value):
            return float(value)
        case Var(name) if name in definitions:
            return at_least(definitions[name], definitions)
        case Attr(_, "size"):
            return 0.0
        case Call():
            return _of_call(expr, definitions)
    return NOTHING


def _of_call(call: Call, definitions: Mapping[str, Expr]) -> float:
    fn, args = call.fn, call.args
    if not args:
        return NOTHING
    if member(fn, _SQUARES) or member(fn, _PRODUCTS) and args[0] == args[-1] or _is_even(call):
        return 0.0
    least = [at_least(arg, definitions) for arg in args]
    if member(fn, _OF_ALL):
        return least[0]
    if member(fn, _SUMS):
        return 0.0 if least[0] >= 0.0 else NOTHING  # there may be none to add
    if member(fn, _RISING):
        return _RISING[fn](least[0]) if least[0] >= 0.0 else NOTHING
    if fn is select or member(fn, (np.where,)):
        return min(least[1:], default=NOTHING)
    if member(fn, (max, np.maximum)):
        return max(least)
    if member(fn, (min, np.minimum)):
        return min(least)
    if member(fn, (operator.add, np.add)):
        return sum(least)
    if member(fn, _PRODUCTS) and min(least) >= 0.0:
        return math.prod(least)
    return NOTHING


_PRODUCTS = frozenset((operator.mul, np.multiply))


def _is_even(call: Call) -> bool:
    """Whether a value is an even power."""
    if not member(call.fn, (operator.pow, np.power, pow, math.pow)):
        return False
    exponent = call.args[1]
    return isinstance(exponent, Const) and isinstance(exponent.value, (int, float)) and exponent.value % 2 == 0
